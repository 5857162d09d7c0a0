//! What `dupfind apply` tells.

use crate::commands::apply::args::ApplyArgs;
use crate::terminal::messages;
use dupfind_decide::clean::apply::Removal;
use dupfind_decide::clean::apply::removed::RemovedFolder;
use dupfind_decide::clean::plan::check::{Checked, Step};
use dupfind_report::language::filled;
use dupfind_report::style::shell;
use dupfind_report::{amount, phrase, say};

/// Tells what would be done.
pub(super) fn preview(
    args: &ApplyArgs,
    checked: &Checked,
    removals: &[Removal],
    to: Option<&RemovedFolder>,
) {
    if args.redirects.is_some() {
        return;
    }
    for removal in removals {
        messages::note(&self::removal(removal, to, false));
    }
    let steps = removals.iter().map(|removal| &removal.step);
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
    messages::note(phrase(match (removals.is_empty(), to) {
        (true, _) => "there is nothing to do",
        (false, Some(_)) => "nothing was touched; --yes does it",
        (false, None) => "nothing was touched; --yes does it, and nothing brings these files back",
    }));
}

/// Returns what becomes of a file, done or planned.
pub(super) fn removal(removal: &Removal, to: Option<&RemovedFolder>, is_done: bool) -> String {
    let Step { keep, drop, .. } = &removal.step;
    let (path, keep) = (drop.display(), keep.display());
    match to {
        None if is_done => say!("{} was deleted; {} stays for it", path, keep),
        None => say!("{} would be deleted; {} stays for it", path, keep),
        Some(to) => {
            let text = match is_done {
                true => phrase("{} was moved to {}; {} stays for it"),
                false => phrase("{} would be moved to {}; {} stays for it"),
            };
            filled(
                text,
                &[&path, &to.path().join(&removal.names).display(), &keep],
            )
        }
    }
}

/// Tells how many files went, and how to undo that.
pub(super) fn end(args: &ApplyArgs, done: u64, to: Option<&RemovedFolder>) {
    let done = amount(done, "file");
    let Some(to) = to else {
        messages::note(&say!("{} deleted; nothing brings them back but git", done));
        return;
    };
    let mut undo = format!("dupfind apply {} --undo", shell::shown(&args.plan));
    if let Some(folder) = &args.to {
        undo.push_str(&format!(" --to {}", shell::shown(folder)));
    }
    let folder = to.path().display();
    messages::note(&say!(
        "{} moved to {}; {} moves them back",
        done,
        folder,
        undo
    ));
}
