//! What reports show of the command line, and the commands that go on from a run.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use dupfind_decide::Gate;
use dupfind_decide::clean::keep::candidate::Facts;
use dupfind_decide::clean::records::verdict::Verdicts;
use dupfind_engine::{Judge, Pair, Relation};
use dupfind_read::{Kind, Repository, display_name};
use dupfind_report::LIST;
use dupfind_report::formats::HTML;
use dupfind_report::model::{Head, Link, Plan, Typed};
use dupfind_report::style::shell;
use dupfind_scan::{Scan, ScanJudge, ScanOptions, Source};

use crate::args::running::word;
use crate::args::{BaselineArgs, ComparingArgs, ConfigArgs, ReportArgs};
use crate::commands::dedup::can_be_copied;
use crate::decision::open_pairs::{copies, gate};
use crate::input::stdin::is_named;

/// The longest command that is worth copying, in bytes. A table is known again by its last lines, which must be short.
const LONGEST: usize = 2_000;

/// The keys of a configuration by which a plan decides otherwise.
const DECIDING: [&str; 4] = ["baseline", "drop", "keep", "min-similarity"];

/// A run of a command that finds pairs.
pub(crate) struct Run<'r> {
    pub(crate) command: &'r str,
    pub(crate) comparing: &'r ComparingArgs,
    pub(crate) report: &'r ReportArgs,
    pub(crate) config: &'r ConfigArgs,
    pub(crate) options: &'r ScanOptions,
}

impl Run<'_> {
    /// Returns the parts of the command line that reports show. The command that decides which documents stay is there if it
    /// is asked for the documents and pairs that were `scanned`.
    ///
    /// # Errors
    ///
    /// A pattern or the file of accepted pairs cannot be read.
    pub(crate) fn typed(&self, scanned: Option<(&Scan, &[Pair])>) -> Result<Typed> {
        let base = &self.options.walk.base;
        let (paths, judge) = (&self.config.typed.paths, self.judge());
        let is_of_stdin = is_named(paths);
        let accept = [paths.clone(), self.config.typed.words("accept")].concat();
        let again = [paths.clone(), self.config.typed.words(self.command)].concat();
        let scanned_paths = self.options.walk.paths.iter();
        let names: Vec<String> = scanned_paths
            .map(|path| plain(path.as_os_str(), base))
            .collect();
        let is_here = names.iter().all(|name| name == ".");
        let shown = |words: &[OsString]| shell::words(words.iter().map(|word| plain(word, base)));
        let plan = match scanned.filter(|_| !is_of_stdin) {
            Some((scan, pairs)) => self.plan(scan, pairs)?,
            None => None,
        };
        let has_file = || self.baseline().is_ok_and(|file| file.is_some());
        let accepted = scanned.filter(|_| self.lists() && has_file());
        let accepted = accepted.and_then(|(scan, _)| self.gate(scan).ok());
        Ok(Typed {
            plan,
            accepted: accepted.map(|gate| gate.standings),
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
        })
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
        let among = own.iter().map(|path| word(path));
        Some(among.chain(self.config.typed.words("compare")).collect())
    }

    /// Returns the command line that decides which of the documents of a scan stay: `dupfind dedup` for records, else
    /// `dupfind plan` if some page goes by it. There is none if their files are of several kinds or of one that `dedup` does
    /// not read, or if a word cannot be copied into a shell.
    fn plan(&self, scan: &Scan, pairs: &[Pair]) -> Result<Option<Plan>> {
        let is_copy = |pair: &Pair| pair.relation() == Relation::Exact;
        if !self.lists() || !pairs.iter().any(is_copy) {
            return Ok(None);
        }
        let Some(command) = self.plan_command(scan) else {
            return Ok(None);
        };
        let pages = match scan.sources.documents.iter().all(Source::is_record) {
            true => None,
            false => Some(self.pages_to_go(scan, pairs)?),
        };
        Ok((pages != Some(0)).then_some(Plan { command, pages }))
    }

    /// Returns how many pages go by `dupfind plan` without options of its own; none if the configuration has some.
    fn pages_to_go(&self, scan: &Scan, pairs: &[Pair]) -> Result<usize> {
        let mut entries = self.config.used.iter().flat_map(|used| &used.entries);
        if entries.any(|entry| DECIDING.contains(&&*entry.key)) {
            return Ok(0);
        }
        let mut gate = self.gate(scan)?;
        let mut open: Vec<Pair> = pairs.to_vec();
        open.retain(|pair| {
            pair.relation() == Relation::Exact && gate.counts(&scan.documents, pair, 1)
        });
        let walk = &self.options.walk;
        let (tied, keep) = copies(scan, &open, &gate, &walk.paths)?;
        let facts = Facts::of_site(&tied.candidates, &walk.base);
        Ok(Verdicts::new(&tied, &keep, &facts).going().count())
    }

    /// Returns whether the list of what to do first is written.
    fn lists(&self) -> bool {
        self.report.have(&LIST, |format| format == &LIST)
    }

    /// Returns the file of accepted pairs that is found.
    fn baseline(&self) -> Result<Option<PathBuf>> {
        BaselineArgs::default().read(self.config, self.comparing.input.paths.first())
    }

    /// Returns the gate of that file for the documents of a scan.
    fn gate(&self, scan: &Scan) -> Result<Gate> {
        let (scope, accepted) = (&self.comparing.scope, self.baseline()?);
        let mut gate = gate(scope, self.config, self.options, accepted.as_deref(), false)?;
        gate.documents(&scan.documents, &scan.sources);
        Ok(gate)
    }

    /// Returns the command line of [`Run::plan`].
    fn plan_command(&self, outcome: &Scan) -> Option<String> {
        if outcome.sources.documents.iter().all(Source::is_record) {
            return dedup_command(outcome, self.options, self.config);
        }
        let options = self.config.typed.words("plan");
        if is_named(&options) {
            return None;
        }
        let words = joined(&[self.config.typed.paths.clone(), options].concat())?;
        let line = format!("dupfind plan{words} -o plan.jsonl");
        (line.len() <= LONGEST).then_some(line)
    }
}

/// Returns the command line that writes the records of a scan that stay. There is none if `dedup` does not read their files, or
/// lacks an option of the run, or if a word cannot be copied into a shell.
pub(crate) fn dedup_command(
    outcome: &Scan,
    options: &ScanOptions,
    config: &ConfigArgs,
) -> Option<String> {
    let keys = config.used.iter().flat_map(|used| &used.entries);
    let keys = keys
        .filter(|entry| entry.is_in_force)
        .map(|entry| &entry.key);
    let typed = config.typed.options.iter().map(|option| &option.name);
    if typed.chain(keys).any(|name| name == "within") {
        return None;
    }
    // `dedup` accepts only files, so the files that were found are named.
    let own = outcome.sources.documents.iter();
    let own: HashSet<u32> = own
        .filter(|source| !source.is_against)
        .map(|source| source.file)
        .collect();
    let numbered = (0..).zip(&outcome.sources.files);
    let files = numbered.filter(|(number, _)| own.contains(number));
    let files: Vec<PathBuf> = files.map(|(_, file)| file.clone()).collect();
    let format = |file: &PathBuf| Kind::of(file).format;
    let own_format = format(files.first()?);
    let mut against = options.walk.against.iter();
    if !own_format.is_of_records()
        || files.iter().any(|file| format(file) != own_format)
        || against.any(|file| !format(file).is_of_records())
    {
        return None;
    }
    // What is there may be something else.
    let mut names = (1..).map(|number| match number {
        1 => format!("kept.{}", own_format.as_str()),
        _ => format!("kept-{number}.{}", own_format.as_str()),
    });
    let free = names.find(|name| !Path::new(name).exists())?;
    let words = config.typed.words("dedup");
    if is_named(&words) {
        return None;
    }
    let words = joined(&[files.iter().map(|file| word(file)).collect(), words].concat())?;
    let line = format!("dupfind dedup{words} -o {free}");
    (line.len() <= LONGEST && can_be_copied(&files, &options.read)).then_some(line)
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
