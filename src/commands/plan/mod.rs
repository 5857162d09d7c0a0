//! `dupfind plan`: which document of each group stays, which go, and why.

pub(crate) mod args;
mod input;
mod summary;

use anyhow::{Result, bail};

use crate::commands::plan::args::PlanArgs;
use crate::commands::plan::input::PlanInput;
use crate::decision::keepers::facts;
use crate::decision::open_pairs;
use crate::process::current_folder;
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::output::Output;
use dupfind_decide::clean::homes::keep_homes;
use dupfind_decide::clean::plan::line::Line;
use dupfind_decide::{Drops, Keep, Plan};
use dupfind_read::display_name;

/// Runs the command.
pub(crate) fn run(args: &PlanArgs) -> Result<Status> {
    let output = Output::open(args.output.output.as_deref())?;
    let base = current_folder()?;
    let drops = args.keep.drops().or(Drops::COPIES);
    let keep = Keep::new(args.keep.rules(), &base, !args.scope.against.is_empty())?;
    let PlanInput {
        outcome,
        collected,
        stay,
        accepted,
        status,
    } = input::find(args, drops)?;
    let (read, files) = (&outcome.options.read, &outcome.sources.files);
    let left = collected.left;
    let mut tied = open_pairs::tied(&outcome, collected, &stay);
    if let Some(rule) = keep.unmatched(files.iter().map(|file| &**file)).next() {
        bail!("--keep {rule}: no document matches the glob");
    }
    keep_homes(
        &mut tied.candidates,
        files,
        &args.comparing.input.paths,
        &base,
    );
    let mut facts = facts(&keep, &tied.candidates, read, &base)?;
    facts.even_if_linked = args.linked.even_if_linked;
    // Only pages that are like others are asked for the field. That none of them has it may be no mistake.
    if let Err(error) = facts.check_fields(&keep) {
        messages::warning(&format!("--keep: {error}"));
    }
    let mut plan = Plan::new(&tied, &keep, &facts, drops, read, &base);
    if let [folder] = &*args.comparing.input.paths
        && folder.is_dir()
    {
        plan.header.folder = Some(display_name(folder, &base));
    }
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
    let has_ages = facts.made.is_empty() || facts.made.iter().any(Option::is_some);
    open_pairs::print_accepted(accepted.0, accepted.1.as_deref());
    summary::print(&plan, args, left, drops, has_ages);
    Ok(match plan.unreadable.is_empty() {
        true => status,
        false => Status::Error,
    })
}
