//! `dupfind apply`: carries out a plan, and undoes it.

pub(crate) mod args;
mod redirects;
mod told;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use crate::commands::apply::args::ApplyArgs;
use crate::process::current_folder;
use crate::process::exit::Status;
use crate::terminal::messages;
use dupfind_decide::clean::apply::Removal;
use dupfind_decide::clean::apply::removed::{RemovedFolder, Undone};
use dupfind_decide::clean::plan::check::{Checked, check};
use dupfind_decide::clean::plan::line::read;
use dupfind_files::{Lock, LockedFolders, open_named};
use dupfind_report::{amount, phrase, say};

/// The lock file of a folder is called `.dupfind-apply.lock`.
const LOCKED: &str = ".dupfind-apply";

/// Runs the command.
pub(crate) fn run(args: &ApplyArgs) -> Result<Status> {
    let root = current_folder()?;
    if args.undo {
        return undo(args, &root);
    }
    let plan = args.plan.display();
    let refused = |why: String| anyhow!("{plan}: {why}; nothing was done");
    let to = folder(args)?;
    let open = || RemovedFolder::open(&to, &root).map_err(refused);
    if !args.delete {
        open()?;
    }
    let _lock = match args.yes {
        true => Some(lock(&root, &to)?),
        false => None,
    };
    let mut checked = read_and_check(&args.plan, &root)?;
    if !args.linked.even_if_linked {
        checked.refuse_mentioned(&root);
    }
    for fault in &checked.faults {
        messages::error(&format!("{plan}:{}: {}", fault.line, fault.what));
    }
    if checked.faults.iter().any(|fault| fault.is_of_plan) {
        bail!("{plan} contradicts itself: nothing was done");
    }
    let steps = checked.steps.iter().cloned();
    let removals: Result<Vec<Removal>, String> =
        steps.map(|step| Removal::new(step, &root)).collect();
    let removals = removals.map_err(refused)?;
    let removed = match args.delete {
        true => None,
        false => Some(open()?),
    };
    for removal in &removals {
        removed
            .iter()
            .try_for_each(|to| to.check(removal))
            .map_err(refused)?;
    }
    if args.redirects.is_some() {
        redirects::write(args, &checked)?;
    }
    let is_complete = match args.yes {
        true => perform(args, &root, &removals, removed)?,
        false => {
            told::preview(args, &checked, &removals, removed.as_ref());
            true
        }
    };
    Ok(match is_complete && checked.faults.is_empty() {
        true => Status::Ok,
        false => Status::Error,
    })
}

/// Reads a plan and checks it.
fn read_and_check(path: &Path, root: &Path) -> Result<Checked> {
    let text = open_named(path)
        .and_then(std::io::read_to_string)
        .with_context(|| format!("cannot read the plan {}", path.display()))?;
    match read(&text) {
        Some(plan) => Ok(check(plan, root)),
        None => bail!(
            "{} is no plan; this makes one: dupfind plan FOLDER -o plan.jsonl",
            path.display()
        ),
    }
}

/// Returns the folder that files move to. A link in the place of the usual one leads to a place that nobody has named.
fn folder(args: &ApplyArgs) -> Result<PathBuf> {
    let usual = || RemovedFolder::of_plan(&args.plan);
    let folder = args.to.clone().unwrap_or_else(usual);
    if args.to.is_none() && !args.delete && folder.is_symlink() {
        bail!(
            "{0} is a link, and no link is followed: --to {0} names it; nothing was done",
            folder.display()
        );
    }
    Ok(folder)
}

/// Locks the folders whose files change: one run at a time changes the files below them. Where the system does not lock
/// folders, the lock file keeps runs of one folder apart.
fn lock(root: &Path, to: &Path) -> Result<(Lock, LockedFolders)> {
    let is_locked = |folder: &Path| {
        anyhow!(
            "another dupfind apply changes files of {}: nothing was done; run this again when it has ended",
            folder.display()
        )
    };
    let lock = Lock::of(&root.join(LOCKED))?.ok_or_else(|| is_locked(root))?;
    let to = root.join(to);
    let existing = to.ancestors().find(|folder| folder.is_dir());
    let folders = LockedFolders::of(existing.into_iter().chain([root]));
    Ok((lock, folders.map_err(|folder| is_locked(&folder))?))
}

/// Removes the files. Returns whether all could be removed.
fn perform(
    args: &ApplyArgs,
    root: &Path,
    removals: &[Removal],
    mut removed: Option<RemovedFolder>,
) -> Result<bool> {
    if removals.is_empty() {
        messages::note(phrase("there is nothing to do"));
        return Ok(true);
    }
    if let Some(folder) = &mut removed {
        let name = folder.path().display().to_string();
        folder.add(removals).map_err(|error| {
            anyhow!("cannot write the list of files in {name}: {error}: nothing was touched")
        })?;
    }
    let (mut done, mut failed) = (0, 0);
    for removal in removals {
        match removal.perform(root, removed.as_ref()) {
            Ok(()) => {
                done += 1;
                messages::note(&told::removal(removal, removed.as_ref(), true));
            }
            Err(why) => {
                failed += 1;
                messages::error(&format!("{why}: it was left alone"));
            }
        }
    }
    told::end(args, done, removed.as_ref());
    Ok(failed == 0)
}

/// Moves all files back.
fn undo(args: &ApplyArgs, root: &Path) -> Result<Status> {
    let folder = folder(args)?;
    let name = folder.display();
    let read = || {
        let removed = RemovedFolder::read(&folder, root);
        removed.map_err(|why| anyhow!("there is nothing to undo: {why}; nothing was done"))
    };
    read()?;
    let _lock = lock(root, &folder)?;
    let removed = read()?;
    let (mut restored, mut failed) = (0, 0);
    let undone = removed.undo(|result| match result {
        Ok(Undone::Restored) => restored += 1,
        Ok(Undone::Untouched) => {}
        Err(why) => {
            failed += 1;
            messages::error(&why);
        }
    });
    undone.with_context(|| format!("cannot remove {name}"))?;
    messages::note(&say!("{} restored", amount(restored, "file")));
    if failed > 0 {
        messages::note(&say!(
            "{} keeps what could not be restored; once the way is free, run this again",
            name
        ));
        return Ok(Status::Error);
    }
    Ok(Status::Ok)
}
