//! The commands that go on from a scan.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::args::report::ReportArgs;
use crate::commands::scan::args::TypedFor;
use crate::commands::scan::page;
use dupfind_read::format::Kind;
use dupfind_report::model::typed::Typed;
use dupfind_report::style::shell;
use dupfind_scan::sources::Source;
use dupfind_scan::{Scan, ScanOptions};

/// The longest command that is worth copying, in bytes. A table is known again by its last lines, which must be short.
const LONGEST: usize = 2_000;

/// Returns the parts of the command line that reports of a command show. The command that goes on is there if it is asked for
/// the documents that were `scanned`. `judge` are the words with which `dupfind compare` judges two of the documents.
pub(crate) fn typed(
    command: &str,
    words: &TypedFor,
    judge: Option<&[OsString]>,
    report: &ReportArgs,
    options: &ScanOptions,
    scanned: Option<&Scan>,
) -> Typed {
    Typed {
        plan: scanned.and_then(|outcome| plan(words, outcome)),
        compare: judge.and_then(compare),
        accept: accept(words),
        head: Some(page::head(command, words, judge, report, options)),
    }
}

/// Returns the command line that decides which of the documents of a scan stay: `dupfind dedup` for records, else
/// `dupfind plan`. There is none if the documents came from standard input, if their files are of several kinds or of
/// one that `dedup` does not read, or if a word cannot be copied into a shell.
fn plan(typed: &TypedFor, outcome: &Scan) -> Option<String> {
    if typed
        .paths
        .iter()
        .chain(&typed.plan)
        .any(|word| word == "-")
    {
        return None;
    }
    let mut sources = outcome.sources.documents.iter();
    let (command, paths, options, output): (_, Vec<&OsStr>, _, String) =
        if sources.all(Source::is_record) {
            // `dedup` accepts only files, so the files that were found are named.
            let own: HashSet<u32> = {
                let documents = outcome.sources.documents.iter();
                let own = documents.filter(|source| !source.is_against);
                own.map(|source| source.file).collect()
            };
            let numbered = (0..).zip(&outcome.sources.files);
            let files = numbered.filter(|(number, _)| own.contains(number));
            let files: Vec<&OsStr> = files.map(|(_, file)| file.as_os_str()).collect();
            let mut formats = files.iter().map(|file| Kind::of(Path::new(file)).format);
            let format = formats.next()?;
            if !format.is_of_records() || formats.any(|other| other != format) {
                return None;
            }
            let kind = format.as_str();
            let output = format!("-o kept.{kind}");
            ("dedup", files, &typed.dedup, output)
        } else {
            let paths = typed.paths.iter().map(OsString::as_os_str);
            let output = "-o plan.jsonl".to_owned();
            ("plan", paths.collect(), &typed.plan, output)
        };
    let words = paths
        .into_iter()
        .chain(options.iter().map(OsString::as_os_str));
    let line = format!("dupfind {command}{} {output}", joined(words)?);
    (line.len() <= LONGEST).then_some(line)
}

/// Returns the words of `dupfind compare` for the same documents, each behind a space; `None` if a word cannot be copied
/// into a shell.
fn compare(words: &[OsString]) -> Option<String> {
    let line = joined(words.iter().map(OsString::as_os_str))?;
    (line.len() <= LONGEST).then_some(line)
}

/// Returns the words that `dupfind accept` needs behind two documents of a scan, each behind a space; `None` if a word cannot
/// be copied into a shell.
fn accept(typed: &TypedFor) -> Option<String> {
    let words = typed.paths.iter().chain(&typed.accept);
    let line = joined(words.map(OsString::as_os_str))?;
    (line.len() <= LONGEST && !typed.paths.iter().any(|path| path == "-")).then_some(line)
}

fn joined<'w>(words: impl Iterator<Item = &'w OsStr>) -> Option<String> {
    shell::words(words.map(OsStr::to_str).collect::<Option<Vec<_>>>()?)
}
