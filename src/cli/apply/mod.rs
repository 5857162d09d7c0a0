//! `dupfind apply`: carries out a plan, and takes it back.

pub(crate) mod args;
mod outputs;
mod undo;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use crate::clean::apply::actions::{Deed, LinkKind, Operation, Wanted, operation};
use crate::clean::apply::journal::Journal;
use crate::clean::plan::check::{Checked, Step};
use crate::clean::site::{Addresses, address, encoded};
use crate::cli::apply::args::ApplyArgs;
use crate::cli::decision::read_and_check;
use crate::cli::process::current_folder;
use crate::cli::process::exit::Status;
use crate::cli::process::lock::Lock;
use crate::cli::terminal::messages;
use crate::cli::terminal::output::place;
use crate::language::{filled, phrase, say};
use crate::report::style::numbers::{amount, counted};

/// Runs the command.
pub(crate) fn run(args: &ApplyArgs) -> Result<Status> {
    if let Some(journal) = &args.undo {
        return undo::run(journal, args.quiet);
    }
    let plan = args.plan.as_deref().context("no plan was named")?;
    let place = place(plan).unwrap_or_else(|| plan.to_owned());
    let _lock = match args.yes {
        true => Some(
            Lock::of(&place)?
                .ok_or_else(|| anyhow!("another run is carrying out {}", plan.display()))?,
        ),
        false => None,
    };
    let checked = read_and_check(plan)?;
    let name = plan.display();
    let mut is_complete = true;
    for fault in &checked.faults {
        messages::error(&format!("{name}:{}: {}", fault.line, fault.what));
        is_complete = false;
    }
    if checked.faults.iter().any(|fault| fault.is_of_plan) {
        bail!("{name} contradicts itself: nothing was done");
    }
    let base = current_folder()?;
    outputs::write(args, &checked.steps)?;
    let wanted = Wanted {
        link: args.link.map(Into::into),
        delete: args.delete,
        move_to: args.move_to.clone(),
        canonical: args.canonical.clone(),
    };
    let has_action = wanted.link.is_some()
        || wanted.delete
        || wanted.move_to.is_some()
        || wanted.canonical.is_some();
    let mut operations = Vec::new();
    if has_action {
        for step in &checked.steps {
            match operation(step, &wanted, || page(args, &step.keep), &base) {
                Ok(operation) => operations.push(operation),
                Err(_) if args.quiet => {}
                Err(why) => messages::note(&format!("{}: left alone: {why}", step.drop.display())),
            }
        }
    }
    operations.extend(outputs::aliases(args, &checked.steps, &base)?);
    is_complete &= match args.yes {
        true => perform(args, plan, &base, operations)?,
        false => {
            foretell(args, &checked, &operations, has_action);
            true
        }
    };
    Ok(match is_complete {
        true => Status::Ok,
        false => Status::Error,
    })
}

/// Returns the address of a page for its canonical link.
fn page(args: &ApplyArgs, path: &Path) -> Option<String> {
    let kind = args.redirects.map_or(Addresses::Folders, |format| {
        crate::clean::redirects::Redirects::from(format).addresses()
    });
    let address = address(path, &args.site_root, kind)?;
    Some(format!(
        "{}{}",
        args.base_url.trim_end_matches('/'),
        encoded(&address)
    ))
}

/// Says what would be done.
fn foretell(args: &ApplyArgs, checked: &Checked, operations: &[Operation], has_action: bool) {
    if args.quiet || args.list || (args.redirects.is_some() && operations.is_empty()) {
        return;
    }
    if !has_action && operations.is_empty() {
        for Step { keep, drop, .. } in &checked.steps {
            messages::note(&format!(
                "{} would go for {}",
                drop.display(),
                keep.display()
            ));
        }
    }
    for operation in operations {
        messages::note(&in_words(operation, false));
    }
    if checked.records > 0 {
        messages::note(&format!(
            "{} of the plan are records, which dupfind dedup removes",
            counted(checked.records as u64, "line")
        ));
    }
    if checked.done > 0 {
        messages::note(&format!(
            "{} was carried out before",
            counted(checked.done as u64, "line")
        ));
    }
    messages::note(match has_action || !operations.is_empty() {
        true => "nothing was touched; --yes does it",
        false => {
            "nothing was touched; --move DIR, --delete, --link or --canonical say what is to be done, and --yes does it"
        }
    });
}

/// Makes the changes. Returns whether all could be made.
fn perform(args: &ApplyArgs, plan: &Path, base: &Path, operations: Vec<Operation>) -> Result<bool> {
    if operations.is_empty() {
        if !args.quiet {
            messages::note("there is nothing to do");
        }
        return Ok(true);
    }
    let folder = match &args.journal {
        Some(folder) => folder.clone(),
        None => free_folder(plan),
    };
    let journal = Journal::write(&folder, base, operations).map_err(|(path, error)| {
        anyhow!(
            "cannot write the journal {} ({}: {error}): nothing was touched",
            folder.display(),
            path.display()
        )
    })?;
    let (mut done, mut failed) = (0_u64, 0_u64);
    journal.perform(|operation, result| match result {
        Ok(()) => {
            done += 1;
            if !args.quiet {
                messages::note(&in_words(operation, true));
            }
        }
        Err(why) => {
            failed += 1;
            messages::error(&format!("{why}: it was left alone"));
        }
    });
    if !args.quiet {
        let folder = folder.display();
        let kept = match args.delete {
            true => phrase("; its folder keeps what was deleted until you remove it"),
            false => "",
        };
        let done = amount(done, "file");
        let text = say!(
            "{} changed; dupfind apply --undo {} takes it back",
            done,
            folder
        );
        messages::note(&(text + kept));
    }
    Ok(failed == 0)
}

/// Returns the first of `PLAN.undo`, `PLAN.undo-2`, ... that does not exist.
fn free_folder(plan: &Path) -> PathBuf {
    let with = |end: String| {
        let mut name = plan.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    let first = with(".undo".into());
    let mut others = (2_u32..).map(|number| with(format!(".undo-{number}")));
    match first.symlink_metadata() {
        Err(_) => first,
        Ok(_) => others
            .find(|folder| folder.symlink_metadata().is_err())
            .unwrap_or(first),
    }
}

/// Returns what was done with a file, or would be done, in words.
fn in_words(operation: &Operation, is_done: bool) -> String {
    let (path, keep) = (operation.path.display(), operation.keep.display());
    match &operation.deed {
        Deed::Delete if is_done => say!("{} was deleted; {} stays for it", path, keep),
        Deed::Delete => say!("{} would be deleted; {} stays for it", path, keep),
        Deed::Move { to } => {
            let text = match is_done {
                true => phrase("{} was moved to {}; {} stays for it"),
                false => phrase("{} would be moved to {}; {} stays for it"),
            };
            filled(text, &[&path, &to.display(), &keep])
        }
        Deed::Link { kind } => {
            let kind = phrase(match kind {
                LinkKind::Hard => "hard",
                LinkKind::Reflink => "copy-on-write",
                LinkKind::Symlink => "symbolic",
            });
            let text = match is_done {
                true => phrase("{} was replaced by a {} link to {}"),
                false => phrase("{} would be replaced by a {} link to {}"),
            };
            filled(text, &[&path, &kind, &keep])
        }
        Deed::Edit { added, .. } if is_done => say!("{} was given the line '{}'", path, added),
        Deed::Edit { added, .. } => say!("{} would be given the line '{}'", path, added),
    }
}
