//! The messages on standard error. Characters that act on a terminal are escaped in them.

use std::collections::HashSet;
use std::io::{self, Write};

use crate::document::{Note, SkipReason, Skipped};
use crate::language::{phrase, say, translated};
use crate::read::source::name::display_name;
use crate::read::source::walk::WalkOptions;
use crate::report::style::escape::visible;
use crate::scan::outcome::Outcome;

/// Prints what ended the run.
pub(crate) fn error(text: &str) {
    to_stderr(&say!("dupfind: error: {}", in_language(text)));
}

/// Prints why the run fails although it ran to its end.
pub(crate) fn failed(text: &str) {
    to_stderr(&say!("dupfind: failed: {}", in_language(text)));
}

/// How many malformed documents are named. The report names all.
const MALFORMED: usize = 5;

/// Prints what a scan could not read, and its notes, see [`documents`].
pub(crate) fn of_scan(quiet: bool, walk: &WalkOptions, outcome: &Outcome) {
    let (skipped, notes) = (&outcome.skipped, &outcome.notes);
    documents(quiet, walk, skipped, notes, &outcome.warnings);
}

/// Prints what could not be read, and the notes on single documents.
///
/// The report lists what was skipped in folders (binary, empty, too large, ...), so that it is not printed here.
/// A file that the user named and that was skipped is printed.
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
        .partition(|skipped| skipped.records == 0 && named.contains(&skipped.path));
    for skipped in typed {
        warning(&in_words(skipped));
    }
    // Of the rest, those that were meant to be documents.
    others.retain(|skipped| {
        matches!(
            skipped.reason,
            SkipReason::Malformed | SkipReason::PreFailed
        )
    });
    // In the order of lines: names of records of one file differ in the number only.
    others.sort_by_key(|skipped| (skipped.records, skipped.path.len(), &skipped.path));
    let all: u64 = others.iter().map(|skipped| skipped.count()).sum();
    others.truncate(MALFORMED);
    for skipped in &others {
        warning(&in_words(skipped));
    }
    let named: u64 = others.iter().map(|skipped| skipped.count()).sum();
    match all - named {
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

/// Prints that a document has damaged characters.
pub(crate) fn repaired(name: &str, encoding: &str) {
    warning(&format!(
        "{name}: not valid {encoding}: damaged characters were replaced"
    ));
}

/// Prints that a record was skipped.
pub(crate) fn passed_over(skipped: &Skipped) {
    warning(&in_words(skipped));
}

/// Prints a line that is no warning.
pub(crate) fn note(text: &str) {
    to_stderr(&format!("dupfind: {}", in_language(text)));
}

/// Returns the name of an entry that was skipped, and why.
fn in_words(skipped: &Skipped) -> String {
    let (path, reason) = (&skipped.path, phrase(skipped.reason.as_str()));
    match skipped.detail.as_str() {
        // The detail, which comes from the system, says the same.
        _ if skipped.reason == SkipReason::NotFound && path.contains(['*', '?', '{']) => {
            let glob = path.replace('\'', r"'\''");
            let hint = say!(
                "a path is no glob; -g '{}' takes the files that match one",
                glob
            );
            say!("{}: {}: {}", path, reason, hint)
        }
        _ if skipped.reason == SkipReason::NotFound => say!("{}: {}", path, reason),
        "" => say!("{}: skipped: {}", path, reason),
        detail => say!("{}: {}: {}", path, reason, translated(detail)),
    }
}

/// Prints a warning.
pub(crate) fn warning(text: &str) {
    to_stderr(&say!("dupfind: warning: {}", in_language(text)));
}

/// Prints advice below an error.
pub(crate) fn advice(text: &str) {
    to_stderr(&format!("  {}", in_language(text)));
}

/// Returns a message in the language of the reader, with nothing in it that acts on a terminal.
fn in_language(text: &str) -> String {
    visible(&translated(text))
}

/// Prints a text of several lines.
pub(crate) fn lines(text: &str) {
    for line in text.trim_end().lines() {
        to_stderr(&visible(line));
    }
}

/// Writes a line to standard error. If standard error is closed, the line is lost.
fn to_stderr(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}
