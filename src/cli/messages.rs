//! What is said on standard error about a run.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use crate::document::{Note, SkipReason, Skipped};
use crate::engine::relation::{Counts, Relation};
use crate::gate::baseline::accepted_pair::AcceptedPair;
use crate::gate::baseline::content::Cut;
use crate::gate::baseline::update::UpdateCounts;
use crate::read::source::name::display_name;
use crate::read::source::walk::WalkOptions;
use crate::report::escape::visible;
use crate::text::han::Han;

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
    let unaccepted = if only_new {
        " that the baseline does not accept"
    } else {
        ""
    };
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
    failed(&format!(
        "{total} pair{s}{unaccepted} ({kinds}){limit}{see}"
    ));
}

/// How many stale entries are named.
const STALE: usize = 5;

/// Names the entries of a baseline whose pairs are not found: they are gone, or other options hide them.
pub(crate) fn stale<'e>(path: &Path, entries: impl Iterator<Item = &'e AcceptedPair>) {
    let entries: Vec<&AcceptedPair> = entries.collect();
    let path = path.display();
    match entries.len() {
        0 => return,
        1 => warning(&format!(
            "1 pair of {path} is not found any more; --update-baseline drops it"
        )),
        count => warning(&format!(
            "{count} pairs of {path} are not found any more; --update-baseline drops them"
        )),
    }
    for AcceptedPair { a, b, .. } in entries.iter().take(STALE) {
        warning(&format!("not found: {} and {}", a.name, b.name));
    }
    match entries.len().saturating_sub(STALE) {
        0 => {}
        more => warning(&format!("not found: {more} more")),
    }
}

/// Says what an update made of a baseline.
pub(crate) fn updated(quiet: bool, path: &Path, changes: UpdateCounts, is_written: bool) {
    if quiet {
        return;
    }
    let UpdateCounts {
        pairs,
        new,
        updated,
        gone,
        renewed,
    } = changes;
    let path = path.display();
    let s = if pairs == 1 { "" } else { "s" };
    let what = match (new, updated, gone) {
        (0, 0, 0) if is_written => "no pair changed, the file is written anew".into(),
        (0, 0, 0) => "unchanged".into(),
        _ => format!("{new} new, {updated} updated, {gone} gone"),
    };
    let renewed = match renewed {
        0 => String::new(),
        renewed => format!(" ({renewed} expired: accepted anew, without a date)"),
    };
    let line = format!("dupfind: baseline {path}: {pairs} pair{s}, {what}{renewed}");
    to_stderr(&visible(&line));
}

/// Says that a baseline was not updated.
pub(crate) fn not_updated(path: &Path) {
    error(&format!(
        "the baseline {} is left as it is: the pairs of what could not be read are not known",
        path.display()
    ));
}

/// Says that a baseline was made with other shingles, or of another part of the texts.
pub(crate) fn another_cut(quiet: bool, path: &Path, cut: &Cut) {
    if !quiet {
        let (unit, size) = (cut.unit.as_str(), cut.size);
        let (html, code) = (cut.extract.html.as_str(), cut.extract.code());
        let records = cut.record_format.as_str();
        let folds = match cut.han {
            Han::Kept => "",
            Han::Folded => " --fold-han",
        };
        warning(&format!(
            "{} was made with --shingle-unit {unit} --shingle-size {size} --html {html} --markdown-code {code} \
             --record-format {records}{folds}: whether accepted pairs have become \
             more similar cannot be told; --update-baseline accepts them as they are now",
            path.display()
        ));
    }
}

/// How many malformed documents are named; the report has them all.
const MALFORMED: usize = 5;

/// Says what could not be read, and what to know about single documents. What a folder holds that is
/// no document (binary, empty, too large, ...) is in the report and is not repeated here, but a file
/// that was named and is not compared is.
pub(crate) fn documents(
    quiet: bool,
    walk: &WalkOptions,
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
    let (typed, mut others): (Vec<&Skipped>, Vec<&Skipped>) = others
        .into_iter()
        .partition(|skipped| named.contains(&skipped.path));
    for skipped in typed {
        warning(&in_words(skipped));
    }
    // What should have been a document.
    others.retain(|skipped| {
        matches!(
            skipped.reason,
            SkipReason::Malformed | SkipReason::PreFailed
        )
    });
    // By line: names of the same file differ in the number only.
    others.sort_by_key(|skipped| (skipped.path.len(), &skipped.path));
    for skipped in others.iter().take(MALFORMED) {
        warning(&in_words(skipped));
    }
    match others.len().saturating_sub(MALFORMED) {
        0 => {}
        more => warning(&format!(
            "{more} more that cannot be read are in the report"
        )),
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

/// Says that the summary of a job of GitHub Actions could not be written.
pub(crate) fn no_summary(path: &Path, error: &io::Error) {
    warning(&format!(
        "cannot write the job summary {}: {error}",
        path.display()
    ));
}

/// Says that a document has damaged characters.
pub(crate) fn repaired(name: &str, encoding: &str) {
    warning(&format!(
        "{name}: not valid {encoding}: damaged characters were replaced"
    ));
}

/// Says that a record was passed over.
pub(crate) fn passed_over(skipped: &Skipped) {
    warning(&in_words(skipped));
}

/// Says something about the run that is no warning.
pub(crate) fn note(text: &str) {
    to_stderr(&format!("dupfind: {}", visible(text)));
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
