//! `dupfind index`: makes an index, updates it, and inspects it.

pub(crate) mod args;
mod inspect;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use dupfind_index::update::Updated;
use dupfind_report::say;
use dupfind_scan::ScanOptions;
use dupfind_scan::indexed::{remove_documents, reweigh, update_index};
use globset::{GlobBuilder, GlobSetBuilder};

use crate::commands::index::args::IndexArgs;
use crate::input::{options, stdin};
use crate::process::exit::Status;
use crate::terminal::progress::Progress;
use crate::terminal::{messages, stats};

/// Runs the command.
pub(crate) fn run(args: &IndexArgs) -> Result<Status> {
    if let Some((word, index)) = inspected(args) {
        return inspect::run(word, &index);
    }
    let Some(index) = &args.index else {
        bail!("which index is missing: dupfind index PATH... -o site.dupidx");
    };
    let mut options = options(args, index)?;
    let mut updated = Updated::default();
    if !args.remove.is_empty() {
        updated.removed += remove(index, &options, &args.remove)?.removed;
    }
    let reads = !args.comparing.input.is_of_current_folder()
        || (args.remove.is_empty() && !args.reweigh)
        || args.prune;
    let mut status = Status::Ok;
    if reads {
        let _stdin = stdin::spool(&mut options)?;
        let progress = Progress::new(args.running.run.shows_progress());
        let update = update_index(&options, &progress, index, args.prune);
        progress.clear();
        let update = update?;
        messages::documents(
            &options.walk,
            &update.skipped,
            &update.notes,
            &update.warnings,
        );
        if args.running.run.stats {
            stats::print(&args.running.config, &update.stats, &[], None)?;
        }
        status = Status::of(&update.skipped);
        updated.added += update.updated.added;
        updated.removed += update.updated.removed;
    }
    if args.reweigh {
        reweigh(index, &options)?;
    }
    let documents = inspect::open(index)?.documents();
    let Updated { added, removed } = updated;
    let name = index.display();
    messages::note(&say!(
        "{}: {} documents, {} written and {} removed in this run",
        name,
        documents,
        added,
        removed
    ));
    Ok(status)
}

/// Returns the action on an index that is only read: the word and the index.
fn inspected(args: &IndexArgs) -> Option<(&str, PathBuf)> {
    let (word, rest) = args.comparing.input.paths.split_first()?;
    let word = word.to_str().filter(|word| inspect::WORDS.contains(word))?;
    match (rest, &args.index) {
        ([index], None) => Some((word, index.clone())),
        ([], Some(index)) => Some((word, index.clone())),
        _ => None,
    }
}

/// Returns the options of the scan that the index is made for.
fn options(args: &IndexArgs, index: &Path) -> Result<ScanOptions> {
    let mut options = options::options(&args.comparing, &args.running, Vec::new())?;
    options.walk.outputs.push(index.to_owned());
    Ok(options)
}

/// Removes the documents whose names match one of some globs.
fn remove(index: &Path, options: &ScanOptions, globs: &[String]) -> Result<Updated> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let built = GlobBuilder::new(glob).build();
        set.add(built.with_context(|| format!("--remove {glob}"))?);
    }
    let set = set.build().context("--remove")?;
    let removed = remove_documents(index, options, |name| set.is_match(name))?;
    if removed.removed == 0 {
        messages::warning(&format!(
            "no document of {} matches {}",
            index.display(),
            globs.join(" or ")
        ));
    }
    Ok(removed)
}
