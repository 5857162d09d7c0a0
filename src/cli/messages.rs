//! What is said on standard error about a run.

use std::collections::HashSet;

use dupfind::document::{Note, SkipReason, Skipped};
use dupfind::report::escape::visible;
use dupfind::scan::relation::{Counts, Relation};
use dupfind::source::name::display_name;
use dupfind::source::walk::WalkSettings;

use crate::cli::to_stderr;

/// Says what ended the run.
pub(crate) fn error(text: &str) {
    to_stderr(&format!("dupfind: error: {}", visible(text)));
}

/// Says why the run fails though it ran.
pub(crate) fn failed(text: &str) {
    to_stderr(&format!("dupfind: failed: {}", visible(text)));
}

/// Says that there are too many pairs, and how to see them unless they are shown anyway.
pub(crate) fn pairs_failed(counts: Counts, allowed: u64, only_new: bool, is_shown: bool) {
    let total = counts.total();
    let new = if only_new { "new " } else { "" };
    let s = if total == 1 { "" } else { "s" };
    let kinds: Vec<String> = Relation::ALL
        .into_iter()
        .filter(|&relation| counts.of(relation) > 0)
        .map(|relation| format!("{} {}", counts.of(relation), relation.as_str()))
        .collect();
    let kinds = kinds.join(", ");
    let limit = match allowed {
        0 => String::new(),
        allowed => format!(", more than the {allowed} allowed"),
    };
    let see = if is_shown {
        ""
    } else {
        "; --format table lists them, dupfind compare A B shows what two documents share"
    };
    failed(&format!("{total} {new}pair{s} ({kinds}){limit}{see}"));
}

/// How many malformed records are named; the report has them all.
const RECORDS: usize = 5;

/// Says what could not be read, and what to know about single documents. What a folder holds that is
/// no document (binary, empty, too large, ...) is in the report and is not repeated here, but a file
/// that was named and is not compared is.
pub(crate) fn documents(
    quiet: bool,
    walk: &WalkSettings,
    skipped: &[Skipped],
    notes: &[Note],
    warnings: &[String],
) {
    let (errors, others): (Vec<&Skipped>, Vec<&Skipped>) = skipped
        .iter()
        .partition(|skipped| skipped.reason.is_error());
    for skipped in errors {
        error(&in_words(skipped));
    }
    if quiet {
        return;
    }
    let named: HashSet<String> = walk
        .paths
        .iter()
        .chain(&walk.against)
        .map(|path| display_name(path, &walk.base))
        .collect();
    for skipped in others
        .iter()
        .filter(|skipped| named.contains(&skipped.path))
    {
        warning(&in_words(skipped));
    }
    let mut records = others;
    records.retain(|skipped| skipped.reason == SkipReason::Malformed);
    // By line: names of the same file differ in the number only.
    records.sort_by_key(|skipped| (skipped.path.len(), &skipped.path));
    for skipped in records.iter().take(RECORDS) {
        warning(&in_words(skipped));
    }
    match records.len().saturating_sub(RECORDS) {
        0 => {}
        more => warning(&format!("{more} more malformed records are in the report")),
    }
    for text in warnings {
        warning(text);
    }
    for Note { path, note } in notes {
        warning(&format!("{path}: {note}"));
    }
}

/// Says that a terminal is shown the best pairs only.
pub(crate) fn too_many_pairs(quiet: bool, count: u64, shown: usize) {
    if !quiet {
        warning(&format!(
            "{count} pairs were found, of which the {shown} most similar are shown here; --top shows \
             another number of them, --output or a pipe takes them all"
        ));
    }
}

/// Says that a document has damaged characters.
pub(crate) fn repaired(name: &str, encoding: &str) {
    warning(&format!(
        "{name}: not valid {encoding}: damaged characters were replaced"
    ));
}

/// An entry that was not compared, and why.
fn in_words(skipped: &Skipped) -> String {
    let (path, reason) = (&skipped.path, skipped.reason.as_str());
    match skipped.detail.as_str() {
        // What the system says of it is the same once more.
        _ if skipped.reason == SkipReason::NotFound => format!("{path}: {reason}"),
        "" => format!("{path}: skipped: {reason}"),
        detail => format!("{path}: {reason}: {detail}"),
    }
}

/// Says something that is worth knowing.
pub(crate) fn warning(text: &str) {
    to_stderr(&format!("dupfind: warning: {}", visible(text)));
}
