//! `dupfind accept`: accepts one pair of a scan, or a family of pages.

pub(crate) mod args;
mod family;
mod pair;

use anyhow::{Context, Result, bail};

use dupfind_decide::gate::baseline::content::BaselineContent;
use dupfind_decide::gate::baseline::names::Names;
use dupfind_engine::verdict::Relation;
use dupfind_report::say;

use crate::args::pairs::gate::GateArgs;
use crate::commands::accept::args::AcceptArgs;
use crate::decision::baseline::{bytes, content};
use crate::decision::messages::waits;
use crate::process::current_folder;
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::output;
use crate::terminal::output::Output;
use dupfind_files::lock::Lock;
use dupfind_files::replace::folder;

/// Runs the command.
pub(crate) fn run(args: &AcceptArgs) -> Result<Status> {
    if let Some(folder) = &args.family {
        return family::accept(args, folder);
    }
    let path = &args.baseline;
    let lock = output::written(path)?.filter(|_| !args.dry_run);
    let _lock = lock.map(|place| Lock::wait_for(&place, || waits(path)));
    let _lock = _lock.transpose()?;
    let old = bytes(path)?;
    let known = old.as_deref().filter(|old| !old.trim_ascii().is_empty());
    let known = known.map(|old| content(path, old)).transpose()?;
    let base = current_folder()?;
    let names = Names::from_folder(&base, folder(path), []);
    let names = names.with_context(|| format!("cannot tell where {} is", path.display()))?;
    let [a, b] = args.pair.names(&base);
    let (pair, outcome) = args.pair.find(path)?;
    if pair.is_apart(&outcome.documents) {
        bail!(
            "{a} and {b} are no finding: pairs with a file of code or data are set apart and fail no run; with \
             --code-files count they do"
        );
    }
    let watched = GateArgs::usual();
    let known = known.unwrap_or_else(|| BaselineContent::new(watched, Vec::new()));
    if !known.relations.have(pair.relation) {
        let held: Vec<&str> = known.relations.iter().map(Relation::as_str).collect();
        bail!(
            "{a} and {b} are no finding: the pair is '{}', and a baseline of {} pairs never has it for new",
            pair.relation.as_str(),
            held.join(", ")
        );
    }
    let reason = Some(args.reason.clone());
    let (new, line) = known.with(&names, &outcome.documents, &outcome.sources, &pair, reason);
    if args.dry_run {
        Output::open(None)?.write(|out| Ok(writeln!(out, "+ {line}")?))?;
        return Ok(Status::Ok);
    }
    Output::open(Some(path))?.write(|out| Ok(out.write_all(&new.bytes())?))?;
    let path = path.display();
    messages::note(&say!("{} and {}: accepted in {}", a, b, path));
    Ok(Status::Ok)
}
