//! Which pairs count.
//!
//! A pair does not count if two collections are compared and both documents are in one of them, or if versions or languages
//! are compared and the two are in different ones. The order of the two documents does not matter.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use dupfind_engine::{DocId, Error, Pair, Result};
use dupfind_read::source::name::plain;
use dupfind_read::{Changes, STDIN, WalkOptions, display_name};
use dupfind_scan::{Source, Sources};
use regex_automata::meta::Regex;
use serde::Serialize;

/// Decides which pairs count.
#[derive(Debug, Default)]
pub struct PairScope {
    /// The user's folder.
    base: PathBuf,
    has_sides: bool,
    division: Option<Division>,
    /// How many pairs were left out because both documents are on one side.
    by_side: u64,
    /// From the earliest on.
    changes: Vec<Changes>,
    /// Whether git lacks the history that shows the changes.
    lacks_history: bool,
    /// Whether [`STDIN`] among the files is standard input.
    has_stdin: bool,
    /// For each document the number of the last changes that have it, from 1, or 0; empty if nothing is known of changes.
    changed: Vec<usize>,
    /// For each document, whether it is only there for others to be compared with.
    against: Vec<bool>,
}

/// An option that has left out pairs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The option with its value.
    pub rule: String,
    /// How many pairs it has left out.
    pub count: u64,
}

impl PairScope {
    /// Returns a scope in which all pairs count, or all pairs between two collections if two are compared.
    pub fn new(walk: &WalkOptions) -> Self {
        Self {
            base: walk.base.clone(),
            has_sides: !walk.against.is_empty(),
            has_stdin: walk.on_disk(Path::new(STDIN)) != Path::new(STDIN),
            ..Self::default()
        }
    }

    /// Leaves out pairs for which a placeholder has different values. Documents that do not match the pattern, which is
    /// relative to `folder`, have one value together. Fails with [`Error::Option`].
    pub fn divide(&mut self, pattern: &str, folder: &Path) -> Result<()> {
        let base = place(folder, &self.base);
        self.division = Some(Division::new(pattern, &base)?);
        Ok(())
    }

    /// Notes the changed documents, so that a report can name the copy of two documents. All pairs still count. Those that
    /// were changed later are noted once more.
    pub fn note_changes(&mut self, changes: Changes) {
        self.changes.push(changes);
    }

    /// Notes that git lacks the history that would tell which of two documents is the copy.
    pub fn note_lack_of_history(&mut self) {
        self.lacks_history = true;
    }

    /// Whether git lacks the history that would tell which of two documents is the copy.
    pub(crate) fn lacks_history(&self) -> bool {
        self.lacks_history
    }

    /// Whether one collection is compared with another.
    pub fn has_sides(&self) -> bool {
        self.has_sides
    }

    /// Whether there is anything to decide or to note about documents or pairs.
    pub(crate) fn decides(&self) -> bool {
        self.has_sides || !self.changes.is_empty() || self.division.is_some()
    }

    /// Notes the documents of a run, and where they were read from.
    pub(crate) fn documents(&mut self, sources: &Sources) {
        let files = &sources.files;
        self.against = sources
            .documents
            .iter()
            .map(|source| source.is_against)
            .collect();
        if let Some(division) = &mut self.division {
            division.documents(sources, &self.base);
        }
        if !self.changes.is_empty() {
            let changes = self.changes.iter();
            let have: Vec<Vec<bool>> = changes
                .map(|changes| changes.have(files, &self.base))
                .collect();
            // Git does not know standard input. It counts as changed: somebody who pipes documents in wants to
            // know of all their pairs.
            let is_piped = |file: usize| self.has_stdin && files[file] == Path::new(STDIN);
            let recency = |source: &Source| {
                let file = source.file as usize;
                let is_piped = is_piped(file);
                let last = have.iter().rposition(|has| is_piped || has[file]);
                last.map_or(0, |at| at + 1)
            };
            self.changed = sources.documents.iter().map(recency).collect();
        }
    }

    /// Whether two documents are compared: the division does not leave out their pair, and they are on two sides if there are sides.
    pub(crate) fn compares(&self, a: DocId, b: DocId) -> bool {
        let (a, b) = (a.index(), b.index());
        let division = self.division.as_ref();
        self.is_between_sides(a, b) && division.is_none_or(|division| division.compares(a, b))
    }

    /// Whether two documents, given by their positions, are on two sides, if there are sides.
    fn is_between_sides(&self, a: usize, b: usize) -> bool {
        !self.has_sides || self.against[a] != self.against[b]
    }

    /// Returns what decides about the pairs of a document, given by its position: pairs of documents that have the same count,
    /// or do not.
    pub(crate) fn key(&self, document: usize) -> (bool, Option<usize>, Option<&str>) {
        (
            !self.against[document],
            self.changed.get(document).copied(),
            self.division
                .as_ref()
                .and_then(|division| division.of(document)),
        )
    }

    /// Whether a pair counts, which stands for so many.
    pub(crate) fn counts(&mut self, pair: &Pair, times: u64) -> bool {
        let (a, b) = (pair.a.index(), pair.b.index());
        if let Some(division) = &mut self.division
            && !division.counts(a, b, times)
        {
            return false;
        }
        if !self.is_between_sides(a, b) {
            self.by_side += times;
            return false;
        }
        true
    }

    /// Returns the options that have left out pairs.
    pub(crate) fn left_out(&self) -> Vec<LeftOut> {
        let of_option = |rule: String, count: u64| LeftOut { rule, count };
        let division = self.division.iter();
        let division = division.map(|division| of_option(division.option(), division.pairs));
        let sides = of_option("--against".into(), self.by_side);
        let all = division.chain([sides]);
        all.filter(|by| by.count > 0).collect()
    }

    /// Returns how many documents were changed; none if that is not known.
    pub(crate) fn count_changed(&self) -> Option<usize> {
        let is_known = !self.changes.is_empty();
        is_known.then(|| self.changed.iter().filter(|changed| **changed > 0).count())
    }

    /// Returns how lately a document was changed: 0 if it was not. Nothing if that is not known.
    pub(crate) fn recency(&self, id: DocId) -> Option<usize> {
        self.changed.get(id.index()).copied()
    }

    /// Returns a warning: how many documents do not match the pattern of the division.
    pub fn unmatched(&self) -> Option<String> {
        self.division.as_ref()?.unmatched()
    }
}

/// Returns an absolute path in the form that names and globs are matched with.
fn key(path: &Path) -> String {
    display_name(path, Path::new(""))
}

/// Returns the absolute path of a path that is relative to a folder, without `.` and `..`. Links are not followed.
fn place(path: &Path, base: &Path) -> PathBuf {
    plain(&base.join(path))
}

const PLACEHOLDER: &str = "{*}";

/// A division of the documents by the values of placeholders: the parts of their paths that these match. In `docs/{*}/` the
/// value for the file `docs/v1/a.md` is `v1`.
#[derive(Debug)]
struct Division {
    text: String,
    /// The absolute path of the folder that the pattern is relative to.
    base: PathBuf,
    /// Matches a path with a slash before it, or the path of a folder that it is in, with a group for each placeholder.
    matches: Regex,
    /// For each document its value; none if it does not match.
    values: Vec<Option<String>>,
    /// How many pairs it has left out.
    pairs: u64,
}

impl Division {
    /// Reads a pattern, which is relative to an absolute folder. Fails with [`Error::Option`].
    fn new(text: &str, base: &Path) -> Result<Self> {
        let refused = |reason: &str| Error::glob(text, reason);
        if !text.contains(PLACEHOLDER) {
            return Err(refused(
                "expected {*} in the place of the version or language, such as 'docs/{*}/'",
            ));
        }
        let (mut base, mut rest) = (base.to_owned(), text.trim_start_matches("./"));
        while let Some(below) = rest.strip_prefix("../") {
            base.pop();
            rest = below;
        }
        let parts = rest.split('/').filter(|part| !part.is_empty());
        let mut parts: Vec<String> = parts.map(str::to_owned).collect();
        if rest.ends_with('/') {
            // It names a folder, and so matches the files in it.
            parts.push("*".into());
        }
        let is_wild = |part: &String| part.replace(PLACEHOLDER, "").contains(['?', '[', '{']);
        if parts.iter().any(is_wild) {
            return Err(refused("beside {*} only * and ** are allowed"));
        }
        let is_double = |part: &String| {
            part.matches(PLACEHOLDER).count() > 1 || part.contains(&format!("*{PLACEHOLDER}"))
        };
        if parts.iter().any(is_double) {
            return Err(refused(
                "a part of a path between slashes has one {*}, and no * right before it",
            ));
        }
        let parts: String = parts.iter().map(|part| regex_of(part)).collect();
        let matches = Regex::new(&format!("^{parts}(?:/|$)"));
        Ok(Self {
            text: text.to_owned(),
            base,
            matches: matches.map_err(|error| refused(&error.to_string()))?,
            values: Vec::new(),
            pairs: 0,
        })
    }

    /// Returns the option of the division, with its value.
    fn option(&self) -> String {
        format!("--within '{}'", self.text)
    }

    /// Notes the documents of a run. `user` is the folder that their paths are relative to.
    fn documents(&mut self, sources: &Sources, user: &Path) {
        let of_file = |file: &PathBuf| self.value(file, user);
        let by_file: Vec<Option<String>> = sources.files.iter().map(of_file).collect();
        let of = |source: &Source| by_file[source.file as usize].clone();
        self.values = sources.documents.iter().map(of).collect();
    }

    /// Whether the pair of two documents counts, given by their positions.
    fn compares(&self, a: usize, b: usize) -> bool {
        self.values[a] == self.values[b]
    }

    /// As [`Self::compares`]. Counts the pair so many times if it is left out.
    fn counts(&mut self, a: usize, b: usize, times: u64) -> bool {
        let counts = self.compares(a, b);
        self.pairs += if counts { 0 } else { times };
        counts
    }

    /// Returns the value of a document, given by its position; none if it does not match.
    fn of(&self, document: usize) -> Option<&str> {
        self.values[document].as_deref()
    }

    /// Returns a sentence about the documents that do not match; none if all match.
    fn unmatched(&self) -> Option<String> {
        let without = self.values.iter().filter(|value| value.is_none());
        let (without, option) = (without.count(), self.option());
        match without {
            0 => None,
            _ if without == self.values.len() => Some(format!("{option} matches no document")),
            1 => Some(format!(
                "{option}: 1 document does not match; it is compared with no other"
            )),
            _ => Some(format!(
                "{option}: {without} documents do not match; they are compared with each other only"
            )),
        }
    }

    /// Returns the parts of the path of a file that the placeholders match, with slashes between them; none if the file does
    /// not match. The path is relative to the folder `user`.
    fn value(&self, file: &Path, user: &Path) -> Option<String> {
        let path = place(file, user);
        let path = format!("/{}", key(path.strip_prefix(&self.base).ok()?));
        let mut found = self.matches.create_captures();
        self.matches.captures(&path, &mut found);
        let values = found.iter().skip(1).flatten();
        let values: Vec<&str> = values.map(|value| &path[value.range()]).collect();
        found.is_match().then(|| values.join("/"))
    }
}

/// Returns the regular expression of a part of a pattern, behind a slash.
fn regex_of(part: &str) -> String {
    match part {
        "**" => "(?:/[^/]+)*?".into(),
        _ => {
            let part = regex_syntax::escape(part);
            let part = part.replace(r"\{\*\}", "([^/]+)");
            format!("/{}", part.replace(r"\*", "[^/]*"))
        }
    }
}
