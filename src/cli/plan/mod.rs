//! `dupfind plan`: which document of each group stays, which go, and why.

pub(crate) mod args;
pub(crate) mod check;
pub(crate) mod input;
pub(crate) mod summary;

use anyhow::{Result, bail};

use crate::clean::keep::candidate::Facts;
use crate::clean::keep::{Keep, KeepRule};
use crate::clean::plan::line::Line;
use crate::clean::plan::make::Plan;
use crate::cli::plan::args::PlanArgs;
use crate::cli::plan::input::Found;
use crate::cli::process::exit::Status;
use crate::cli::process::{current_folder, interrupt};
use crate::cli::terminal::messages;
use crate::cli::terminal::output::Output;
use crate::engine::pair::relation::Relation;
use crate::read::source::git;

/// The relations of which a document goes unless the user says otherwise. A copy takes nothing away with it; what only
/// one of two near-duplicates has would be gone.
const DROPS: [Relation; 1] = [Relation::Exact];

/// Runs the command.
pub(crate) fn run(args: &PlanArgs) -> Result<Status> {
    if let Some(plan) = &args.check {
        return check::run(plan, args.run.quiet);
    }
    let output = Output::open(args.output.output.as_deref())?;
    let base = current_folder()?;
    let drops = args.keep.drops(&DROPS);
    let keep = Keep::new(args.keep.rules(), &base, !args.scope.against.is_empty())?;
    let Found {
        tied,
        read,
        files,
        others,
        is_report,
        status,
    } = input::find(args, drops)?;
    if let Some(rule) = keep.unmatched(files.iter().map(|file| &**file)).next() {
        // Of a report only the documents of pairs are known.
        if !is_report {
            bail!("--keep {rule}: no document matches the glob");
        }
        messages::warning(&format!(
            "--keep {rule}: no document of the report's pairs matches the glob"
        ));
    }
    let asks_git = |rule: &KeepRule| matches!(rule, KeepRule::Newest | KeepRule::Oldest);
    if keep.rules().iter().any(asks_git) {
        interrupt::ends_programs(git::stop)?;
    }
    let (facts, warning) = Facts::gather(&keep, &tied.candidates, &read, &base);
    if let Some(warning) = warning.filter(|_| !args.run.quiet) {
        messages::warning(&warning);
    }
    let plan = Plan::new(&tied, &keep, &facts, drops, &base);
    output.write(|out| {
        let header = Line::Plan(plan.header.clone());
        for line in std::iter::once(&header).chain(&plan.lines) {
            serde_json::to_writer(&mut *out, line)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    })?;
    for (file, error) in &plan.unreadable {
        messages::error(&format!("{}: {error}", file.display()));
    }
    if !args.run.quiet {
        summary::print(&plan.summary, args.output.output.as_deref(), others, drops);
    }
    Ok(match plan.unreadable.is_empty() {
        true => status,
        false => Status::Error,
    })
}
