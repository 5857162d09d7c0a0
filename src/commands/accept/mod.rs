//! `dupfind accept`: accepts one pair of a scan, a family of pages, or all pairs that there are.

mod all;
pub(crate) mod args;
mod family;
mod pair;

use std::path::Path;

use anyhow::{Context, Result, bail};

use dupfind_decide::gate::baseline::names::Names;
use dupfind_report::say;

use crate::commands::accept::args::AcceptArgs;
use crate::decision::accepting::Accepting;
use crate::process::current_folder;
use crate::process::exit::Status;
use crate::terminal::messages;
use dupfind_files::folder;

/// Runs the command.
pub(crate) fn run(args: &AcceptArgs) -> Result<Status> {
    let path = &args.baseline.written(&args.running.config)?;
    if path == Path::new("-") {
        bail!("--baseline -: a baseline is kept in a file");
    }
    if !folder(path).is_dir() {
        let (path, folder) = (path.display(), folder(path).display());
        bail!("cannot write {path}: there is no folder {folder}");
    }
    if args.all {
        return all::accept(args, path);
    }
    let relations = args.fail_on.relations();
    let accepting = Accepting::begin(path, None, relations)?;
    let base = current_folder()?;
    let names = Names::from_folder(&base, folder(path), []);
    let names = names.with_context(|| format!("cannot tell where {} is", path.display()))?;
    if let Some(folder) = &args.family {
        let before = family::accept(folder, &accepting, &names, args.reason())?;
        let path = path.display();
        messages::note(&say!(
            "{}: accepted as a family in {}",
            folder.display(),
            path
        ));
        tell_replaced(before.as_deref(), args.reason());
        return Ok(Status::Ok);
    }
    let [a, b] = args.names(&base);
    if a == b {
        bail!("{a} was named twice, and a pair has two documents: dupfind accept A B");
    }
    let (pair, outcome) = pair::find(args, path)?;
    let (new, before) = accepting.with(&names, &outcome, &pair, args.reason())?;
    accepting.write(&new)?;
    let path = path.display();
    messages::note(&say!("{} and {}: accepted in {}", a, b, path));
    tell_replaced(before.as_deref(), args.reason());
    Ok(Status::Ok)
}

/// Prints that a reason was replaced, if another one was there before.
fn tell_replaced(before: Option<&str>, reason: &str) {
    if let Some(before) = before.filter(|before| *before != reason) {
        messages::note(&say!("reason replaced: {} -> {}", before, reason));
    }
}
