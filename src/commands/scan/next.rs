//! What reports show of the command line, and the commands that go on from a run.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use dupfind_read::format::Kind;
use dupfind_read::source::git::Repository;
use dupfind_read::source::name::display_name;
use dupfind_report::formats::{HTML, LIST};
use dupfind_report::model::typed::{Head, Link, Typed};
use dupfind_report::style::shell;
use dupfind_scan::sources::Source;
use dupfind_scan::{Scan, ScanOptions};

use crate::args::comparing::ComparingArgs;
use crate::args::gate::ScopeArgs;
use crate::args::output::ReportArgs;
use crate::args::running;
use crate::input::stdin::is_named;

/// The longest command that is worth copying, in bytes. A table is known again by its last lines, which must be short.
const LONGEST: usize = 2_000;

/// A run of a command that finds pairs.
pub(crate) struct Run<'r> {
    pub(crate) command: &'r str,
    pub(crate) comparing: &'r ComparingArgs,
    pub(crate) scope: &'r ScopeArgs,
    pub(crate) report: &'r ReportArgs,
    pub(crate) typed: &'r running::Typed,
    pub(crate) options: &'r ScanOptions,
}

impl Run<'_> {
    /// Returns the parts of the command line that reports show. The command that decides which documents stay is there if it
    /// is asked for the documents that were `scanned`.
    pub(crate) fn typed(&self, scanned: Option<&Scan>) -> Typed {
        let base = &self.options.walk.base;
        let (paths, judge) = (&self.typed.paths, self.judge());
        let is_of_stdin = is_named(paths);
        let accept = [paths.clone(), self.typed.words("accept")].concat();
        let again = [paths.clone(), self.typed.words(self.command)].concat();
        let scanned_paths = self.options.walk.paths.iter();
        let names: Vec<String> = scanned_paths
            .map(|path| plain(path.as_os_str(), base))
            .collect();
        let is_here = names.iter().all(|name| name == ".");
        let shown = |words: &[OsString]| shell::words(words.iter().map(|word| plain(word, base)));
        Typed {
            plan: scanned
                .filter(|_| !is_of_stdin)
                .and_then(|scan| self.plan(scan)),
            compare: judge.as_deref().and_then(short),
            accept: short(&accept).filter(|_| !is_of_stdin),
            head: Some(Head {
                scanned: if is_here {
                    String::new()
                } else {
                    names.join(", ")
                },
                command: shown(&again).map(|words| format!("dupfind {}{words}", self.command)),
                compare: judge.and_then(|words| shown(&words)).unwrap_or_default(),
                link: link(self.report, self.options),
            }),
        }
    }

    /// Returns the words with which `dupfind compare` judges two documents among those of the paths; `None` if standard
    /// input or a list has them.
    fn judge(&self) -> Option<Vec<OsString>> {
        let input = &self.comparing.input;
        if input.files_from.is_some() || is_named(&input.paths) {
            return None;
        }
        let here = [PathBuf::from(".")];
        let own = match input.paths.as_slice() {
            [] => &here,
            paths => paths,
        };
        let among = own
            .iter()
            .chain(&self.scope.against)
            .map(|path| running::word(path));
        Some(among.chain(self.typed.words("compare")).collect())
    }

    /// Returns the command line that decides which of the documents of a scan stay: `dupfind dedup` for records, else
    /// `dupfind plan`. There is none if their files are of several kinds or of one that `dedup` does not read, or if a word
    /// cannot be copied into a shell.
    fn plan(&self, outcome: &Scan) -> Option<String> {
        let documents = &outcome.sources.documents;
        let (command, paths, output) = if documents.iter().all(Source::is_record) {
            // `dedup` accepts only files, so the files that were found are named.
            let own = documents.iter().filter(|source| !source.is_against);
            let own: HashSet<u32> = own.map(|source| source.file).collect();
            let numbered = (0..).zip(&outcome.sources.files);
            let files = numbered.filter(|(number, _)| own.contains(number));
            let files: Vec<OsString> = files.map(|(_, file)| file.into()).collect();
            let mut formats = files.iter().map(|file| Kind::of(Path::new(file)).format);
            let format = formats.next()?;
            if !format.is_of_records() || formats.any(|other| other != format) {
                return None;
            }
            ("dedup", files, format!("-o kept.{}", format.as_str()))
        } else {
            ("plan", self.typed.paths.clone(), "-o plan.jsonl".to_owned())
        };
        let options = self.typed.words(command);
        if is_named(&options) {
            return None;
        }
        let words = joined(&[paths, options].concat())?;
        let line = format!("dupfind {command}{words} {output}");
        (line.len() <= LONGEST).then_some(line)
    }
}

/// Returns words for a shell, each behind a space; `None` if they are too long, or one cannot be copied into a shell.
fn short(words: &[OsString]) -> Option<String> {
    joined(words).filter(|line| line.len() <= LONGEST)
}

fn joined(words: &[OsString]) -> Option<String> {
    let words = words.iter().map(|word| word.to_str());
    shell::words(words.collect::<Option<Vec<&str>>>()?)
}

/// Returns the link to the documents, if the page is written and their repository is on a known site.
fn link(report: &ReportArgs, options: &ScanOptions) -> Option<Link> {
    let walk = &options.walk;
    report.have(&LIST, |format| format == &HTML).then_some(())?;
    let repository = Repository::of(&walk.paths, &walk.base).ok()?;
    let (remote, branch) = repository.remote()?;
    let base = fs::canonicalize(&walk.base).ok()?;
    let folder = base.strip_prefix(repository.top()).ok()?;
    Link::of_remote(&remote, &branch, &folder.to_str()?.replace('\\', "/"))
}

/// Returns a word of the command line. An absolute path becomes relative, or loses the folders of the machine.
fn plain(word: &OsStr, base: &Path) -> String {
    let path = Path::new(word);
    if !path.is_absolute() {
        return word.to_string_lossy().into_owned();
    }
    let name = PathBuf::from(display_name(path, base));
    match (name.is_absolute(), path.file_name()) {
        (true, Some(last)) => format!("…/{}", last.to_string_lossy()),
        (true, None) => "…".into(),
        (false, _) => name.to_string_lossy().into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_machine_is_shown() {
        let base = Path::new("/home/me/site");
        for (word, expected) in [
            ("docs", "docs"),
            ("/home/me/site/docs", "docs"),
            ("/home/me/site", "."),
            ("/srv/private/pages", "…/pages"),
            ("--min-jaccard", "--min-jaccard"),
        ] {
            assert_eq!(plain(OsStr::new(word), base), expected);
        }
    }
}
