//! `dupfind apply`: carries out a plan, and undoes it.

pub(crate) mod args;
mod links;
mod outputs;
mod read;
mod undo;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use crate::commands::apply::args::ApplyArgs;
use crate::commands::apply::read::read_and_check;
use crate::process::current_folder;
use crate::process::exit::Status;
use crate::terminal::messages;
use dupfind_decide::clean::apply::actions::{Action, DropMethod, Operation, operation};
use dupfind_decide::clean::apply::journal::Journal;
use dupfind_decide::clean::apply::perform::{check, check_free};
use dupfind_decide::clean::apply::places::Places;
use dupfind_decide::clean::plan::check::{Checked, Step};
use dupfind_files::lock::{Lock, LockedFolders};
use dupfind_report::language::{filled, phrase};
use dupfind_report::say;
use dupfind_report::style::numbers::amount;
use dupfind_report::style::shell;

/// The lock file of a folder is called `.dupfind-apply.lock`.
const LOCKED: &str = ".dupfind-apply";

/// Runs the command.
pub(crate) fn run(args: &ApplyArgs) -> Result<Status> {
    if let Some(journal) = &args.undo {
        return undo::run(journal, args);
    }
    let base = current_folder()?;
    let plan = args.plan.as_deref().context("no plan was named")?;
    let places = Places::new(&base, &args.root);
    let _lock = match args.yes {
        true => Some(lock(&places)?),
        false => None,
    };
    let mut checked = read_and_check(plan)?;
    let name = plan.display();
    for fault in &checked.faults {
        messages::error(&format!("{name}:{}: {}", fault.line, fault.what));
    }
    let mut is_complete = checked.faults.is_empty();
    if checked.faults.iter().any(|fault| fault.is_of_plan) {
        bail!("{name} contradicts itself: nothing was done");
    }
    let method = method(args);
    let mut operations: Vec<Operation> = Vec::new();
    if args.rewrite_links {
        is_complete &= links::rewrite(plan, &mut checked, &base, &mut operations);
    } else if args.redirects.is_none() {
        links::warn(&checked);
    }
    if let Some(method) = &method {
        // A page that stays may have links that change.
        let after = links::hashes_after(&operations);
        let mut drops: Vec<Operation> = checked
            .steps
            .iter()
            .map(|step| operation(step, method))
            .collect();
        for drop in &mut drops {
            if let Some(hash) = after.get(&drop.keep) {
                drop.keep_hash.clone_from(hash);
            }
        }
        operations.extend(drops);
    }
    for operation in &operations {
        check_free(operation, &places).map_err(|why| anyhow!("{name}: {why}; nothing was done"))?;
        check(operation, &places).map_err(|why| {
            anyhow!(
                "{name}: {why}; --root names a folder whose files may be changed; nothing was done"
            )
        })?;
    }
    outputs::write(args, &checked)?;
    is_complete &= match args.yes {
        true => perform(args, plan, &places, operations)?,
        false => {
            preview(
                args,
                &checked,
                &operations,
                method.is_some() || args.rewrite_links,
            );
            true
        }
    };
    Ok(match is_complete {
        true => Status::Ok,
        false => Status::Error,
    })
}

/// Locks the folders whose files may be changed: one run at a time changes the files below them. Where the system does not
/// lock folders, the lock file keeps runs of one folder apart.
fn lock(places: &Places) -> Result<(Lock, LockedFolders)> {
    let is_locked = |folder: &Path| {
        anyhow!(
            "another dupfind apply changes files of {}: nothing was done; run this again when it has ended",
            folder.display()
        )
    };
    let base = places.base();
    let lock = Lock::of(&base.join(LOCKED))?.ok_or_else(|| is_locked(base))?;
    let folders = LockedFolders::of(places.folders().iter().map(PathBuf::as_path));
    Ok((lock, folders.map_err(|folder| is_locked(&folder))?))
}

/// Returns how files go, if the user chose a way.
fn method(args: &ApplyArgs) -> Option<DropMethod> {
    match (args.delete, &args.move_to) {
        (true, _) => Some(DropMethod::Delete),
        (_, Some(folder)) => Some(DropMethod::Move(folder.clone())),
        _ => None,
    }
}

/// Prints what would be done.
fn preview(args: &ApplyArgs, checked: &Checked, operations: &[Operation], has_action: bool) {
    if args.redirects.is_some() && operations.is_empty() {
        return;
    }
    if !has_action {
        for Step { keep, drop, .. } in &checked.steps {
            messages::note(&say!("{} would go for {}", drop.display(), keep.display()));
        }
    }
    for operation in operations {
        messages::note(&in_words(operation, false));
    }
    let steps = checked.steps.iter();
    match steps.filter(|step| step.only_in_drop > Some(0)).count() {
        0 => {}
        1 => messages::note(phrase(
            "1 of these files has lines that the one that stays does not have; dupfind compare shows them",
        )),
        count => messages::note(&say!(
            "{} of these files have lines that the ones that stay do not have; dupfind compare shows them",
            count
        )),
    }
    if checked.records > 0 {
        messages::note(&say!(
            "{} of the plan are records, which dupfind dedup removes",
            amount(checked.records as u64, "line")
        ));
    }
    if !checked.done.is_empty() {
        messages::note(&say!(
            "done before: {}",
            amount(checked.done.len() as u64, "line")
        ));
    }
    let is_done = operations.is_empty() && (has_action || checked.steps.is_empty());
    messages::note(phrase(match has_action {
        _ if is_done => "there is nothing to do",
        true => "nothing was touched; --yes does it",
        false => "nothing was touched; choose --move DIR or --delete, and add --yes",
    }));
}

/// Makes the changes. Returns whether all could be made.
fn perform(
    args: &ApplyArgs,
    plan: &Path,
    places: &Places,
    operations: Vec<Operation>,
) -> Result<bool> {
    if operations.is_empty() {
        messages::note(phrase("there is nothing to do"));
        return Ok(true);
    }
    let folder = match &args.journal {
        Some(folder) => folder.clone(),
        None => free_folder(plan),
    };
    let journal = Journal::write(&folder, places.base(), operations).map_err(|(path, error)| {
        anyhow!(
            "cannot write the journal {} ({}: {error}): nothing was touched",
            folder.display(),
            path.display()
        )
    })?;
    let (mut done, mut failed) = (0_u64, 0_u64);
    journal.perform(places, |operation, result| match result {
        Ok(()) => {
            done += 1;
            messages::note(&in_words(operation, true));
        }
        Err(why) => {
            failed += 1;
            messages::error(&format!("{why}: it was left alone"));
        }
    });
    let kept = match args.delete {
        true => phrase("; its folder keeps what was deleted until you remove it"),
        false => "",
    };
    let roots = places.named().iter();
    let word = |path: &Path| {
        let name = path.display().to_string();
        shell::word(&name).map_or_else(|| name.clone(), Cow::into_owned)
    };
    let roots = roots.map(|root| format!(" --root {}", word(root)));
    let options = word(&folder) + &roots.collect::<String>();
    let done = amount(done, "file");
    let text = say!(
        "{} changed; dupfind apply --undo {} undoes it",
        done,
        options
    );
    messages::note(&(text + kept));
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

/// Returns the name of the change to a file, done or planned.
fn in_words(operation: &Operation, is_done: bool) -> String {
    let (path, keep) = (operation.path.display(), operation.keep.display());
    match &operation.action {
        Action::Rewrite { edits, .. } => {
            let links = amount(edits.len() as u64, "link");
            let ends: Vec<&str> = edits.iter().map(|edit| &*edit.text).collect();
            let ends = ends.join(", ");
            match is_done {
                true => say!("{}: {} changed: {}", path, links, ends),
                false => say!("{}: {} would change: {}", path, links, ends),
            }
        }
        Action::Delete if is_done => say!("{} was deleted; {} stays for it", path, keep),
        Action::Delete => say!("{} would be deleted; {} stays for it", path, keep),
        Action::Move { to } => {
            let text = match is_done {
                true => phrase("{} was moved to {}; {} stays for it"),
                false => phrase("{} would be moved to {}; {} stays for it"),
            };
            filled(text, &[&path, &to.display(), &keep])
        }
    }
}
