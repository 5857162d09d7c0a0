//! The command that goes on from a scan.

use std::ffi::{OsStr, OsString};

use crate::cli::scan::args::TypedFor;
use crate::report::shell;
use crate::scan::outcome::Outcome;

/// Returns the command line that decides which of the documents of a scan stay: `dupfind dedup` for records, else `dupfind
/// plan`. There is none if the documents came from standard input, or if a word cannot be copied into a shell.
pub(super) fn plan(typed: &TypedFor, outcome: &Outcome) -> Option<String> {
    let mut sources = outcome.sources.documents.iter();
    let (command, words, output) = match sources.all(crate::scan::outcome::Source::is_record) {
        true => (
            "dedup",
            &typed.dedup,
            "-o kept.jsonl --removed removed.jsonl",
        ),
        false => ("plan", &typed.plan, "-o plan.jsonl"),
    };
    if words.iter().any(|word| word == "-") {
        return None;
    }
    let word = |word: &OsString| shell::word(OsStr::to_str(word)?).map(String::from);
    let words = words.iter().map(word).collect::<Option<Vec<_>>>()?;
    let words = ["dupfind", command]
        .into_iter()
        .map(str::to_owned)
        .chain(words);
    Some(format!("{} {output}", words.collect::<Vec<_>>().join(" ")))
}
