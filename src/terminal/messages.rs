//! The messages on standard error. What acts on a terminal or in the log of a CI system is escaped in them.
//!
//! Most warnings and errors are English. A [`note`] is about the work of a command: its text is in the language of the reader,
//! and so is why a check fails.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use dupfind_read::skipped::Note;
use dupfind_read::{SkipReason, Skipped, WalkOptions, display_name};
use dupfind_report::{Language, inert, language, say, visible};
use dupfind_scan::Scan;

use super::chinese;

/// Whether warnings and notes are left out.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Sets whether warnings and notes are left out from now on.
pub(crate) fn set_quiet(is_quiet: bool) {
    QUIET.store(is_quiet, Ordering::Relaxed);
}

/// Returns whether warnings and notes are left out.
pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Prints the error that ended the run.
pub(crate) fn error(text: &str) {
    told(["error: ", "错误："], text);
}

/// Prints a text behind a word, in Chinese if there is a Chinese text of it and the reader wants it.
fn told(words: [&str; 2], text: &str) {
    let chinese = match language::current() {
        Language::Chinese => chinese::error(text),
        Language::English => text.to_owned(),
    };
    let word = words[usize::from(chinese != text)];
    to_stderr(&format!("dupfind: {word}{}", visible(&chinese)));
}

/// Prints why the run fails although it ran to its end.
pub(crate) fn failed(text: &str) {
    to_stderr(&format!("dupfind: {}", say!("failed: {}", visible(text))));
}

/// Prints the files that a scan could not read, and its notes, see [`documents`].
pub(crate) fn of_scan(walk: &WalkOptions, outcome: &Scan) {
    let (skipped, notes) = (&outcome.skipped, &outcome.notes);
    documents(walk, skipped, notes, &outcome.warnings);
}

/// Prints the entries that could not be read, and the notes on single documents.
///
/// The report lists the skipped files of folders (binary, empty, too large, ...), so that it is not printed here.
/// A file that the user named and that was skipped is printed.
pub(crate) fn documents(
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
    let refusals = others
        .iter()
        .filter(|skipped| skipped.reason == SkipReason::Unsupported);
    let mut unread: BTreeMap<&str, u64> = BTreeMap::new();
    refusals.for_each(|skipped| *unread.entry(&skipped.detail).or_default() += 1);
    for (words, files) in unread {
        let files = if files == 1 {
            "1 file is".to_owned()
        } else {
            format!("{files} files are")
        };
        warning(&format!("{files} not read: {words}"));
    }
    // Of the rest, those that were meant to be documents.
    others.retain(|skipped| match skipped.reason {
        SkipReason::Malformed | SkipReason::PreFailed => true,
        SkipReason::Empty => skipped.records == 0 && !skipped.detail.is_empty(),
        _ => false,
    });
    // In the order of lines: names of records of one file differ in the number only.
    others.sort_by_key(|skipped| (skipped.records, skipped.path.len(), &skipped.path));
    let all: u64 = others.iter().map(|skipped| skipped.count()).sum();
    others.truncate(5);
    for skipped in &others {
        warning(&in_words(skipped));
    }
    let named: u64 = others.iter().map(|skipped| skipped.count()).sum();
    match all - named {
        0 => {}
        more => warning(&format!(
            "{more} more cannot be read; the JSON of a scan lists them"
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

/// Prints the actions of a command, in the language of the reader.
pub(crate) fn note(text: &str) {
    if !is_quiet() {
        to_stderr(&format!("dupfind: {}", visible(text)));
    }
}

/// Returns the name of an entry that was skipped, and why.
pub(crate) fn in_words(skipped: &Skipped) -> String {
    let (path, reason) = (&skipped.path, skipped.reason.as_str());
    match skipped.detail.as_str() {
        // The detail, which comes from the system, is the same.
        _ if skipped.reason == SkipReason::NotFound && path.contains(['*', '?', '{']) => {
            let glob = path.replace('\'', r"'\''");
            format!("{path}: {reason}: a path is no glob; -g '{glob}' reads the files that match")
        }
        _ if skipped.reason == SkipReason::NotFound => format!("{path}: {reason}"),
        "" => format!("{path}: skipped: {reason}"),
        detail => format!("{path}: {reason}: {detail}"),
    }
}

/// Prints a warning.
pub(crate) fn warning(text: &str) {
    if !is_quiet() {
        told(["warning: ", "警告："], text);
    }
}

/// Prints advice below an error.
pub(crate) fn advice(text: &str) {
    to_stderr(&format!("  {}", visible(text)));
}

/// Prints a text of several lines.
pub(crate) fn lines(text: &str) {
    for line in text.trim_end().lines() {
        to_stderr(&visible(line));
    }
}

/// Writes a line to standard error. If standard error is closed, the line is lost.
fn to_stderr(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", inert(line));
}
