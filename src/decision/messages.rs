//! The messages about the baseline and about what makes a run fail.

use std::path::Path;

use dupfind_decide::gate::baseline::content::AcceptedPair;
use dupfind_decide::gate::baseline::update::UpdateCounts;
use dupfind_decide::{Gate, LeftOut};
use dupfind_report::style::shell::shown;
use dupfind_report::{amount, phrase, say};
use dupfind_scan::Scan;

use crate::args::ScopeArgs;
use crate::decision::gate::bytes;
use crate::terminal::messages::{error, note, warning};

/// Prints the arguments about the scope that had no effect.
pub(crate) fn of_scope(args: &ScopeArgs, outcome: &Scan, gate: &Gate) {
    if let Some(unmatched) = gate.scope.unmatched() {
        warning(&unmatched);
    }
    let mut sources = outcome.sources.documents.iter();
    let has_other_side = sources.any(|source| source.is_against);
    if !args.against.is_empty() && !has_other_side {
        warning("--against: it has no document of its own: there was nothing to compare with");
    }
}

/// Nothing was compared.
pub(crate) const NOTHING_COMPARED: &str = "nothing to compare: no document was found, or none to compare with; --format \
                                           json lists what was skipped, --allow-empty takes it for right";

/// Returns that a page was compared with nothing, as only its file was named.
pub(crate) fn compared_alone(file: &Path) -> String {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    format!(
        "nothing to compare: {} is the only page; name its folder: dupfind check {} (with --since BRANCH only what is new fails); \
         --allow-empty takes it for right",
        file.display(),
        shown(folder.unwrap_or(Path::new(".")))
    )
}

/// Prints that another run updates the baseline at this moment.
pub(crate) fn waits(path: &Path) {
    let path = path.display();
    note(&say!("waiting for another run that updates {}", path));
}

/// Prints how many pairs an option left out.
pub(crate) fn left_out(by: &LeftOut) {
    let LeftOut { rule, count } = by;
    note(&say!("{} left out by {}", amount(*count, "pair"), rule));
}

/// How many entries whose pairs are gone are named.
const STALE: usize = 5;

/// Prints the entries of a baseline whose pairs were not found: they are gone, or other options hide them.
pub(crate) fn stale<'e>(path: &Path, entries: impl Iterator<Item = &'e AcceptedPair>) {
    let entries: Vec<&AcceptedPair> = entries.collect();
    if entries.is_empty() {
        return;
    }
    let bytes = bytes(path).ok().flatten().unwrap_or_default();
    let path = path.display();
    match entries.len() {
        1 => warning(&format!(
            "1 pair of {path} is not found any more: its line may be deleted"
        )),
        count => warning(&format!(
            "{count} pairs of {path} are not found any more: their lines may be deleted"
        )),
    }
    for pair in entries.iter().take(STALE) {
        let place = pair.line(&bytes).map(|line| format!("{path}:{line}: "));
        let (place, [a, b]) = (place.unwrap_or_default(), [&pair.a.name, &pair.b.name]);
        warning(&format!("{place}not found: {a} and {b}"));
    }
    match entries.len().saturating_sub(STALE) {
        0 => {}
        more => warning(&format!("not found: {more} more")),
    }
}

/// Prints what an update changed in a baseline.
pub(crate) fn updated(path: &Path, changes: UpdateCounts, is_written: bool) {
    let UpdateCounts {
        pairs,
        new,
        updated,
        gone,
    } = changes;
    let path = path.display();
    let what = match (new, updated, gone) {
        (0, 0, 0) if is_written => phrase("no pair changed, the file is written anew").into(),
        (0, 0, 0) => phrase("unchanged").into(),
        _ => say!("{} new, {} updated, {} gone", new, updated, gone),
    };
    let pairs = amount(pairs, "pair");
    note(&say!("baseline {}: {}, {}", path, pairs, what));
}

/// Prints that a baseline was not updated.
pub(crate) fn not_updated(path: &Path) {
    error(&format!(
        "the baseline {} is left as it is: the pairs of what could not be read are not known",
        path.display()
    ));
}
