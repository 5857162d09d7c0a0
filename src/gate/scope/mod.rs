//! Which pairs count.
//!
//! A pair does not count if a rule says that its documents may be alike, if two collections are compared and both
//! documents are in one of them, or if only changes are asked for and neither document was changed. The order of
//! the two documents does not matter, and every further rule only takes pairs away.

mod globs;
mod groups;
pub(crate) mod ignore_file;
mod pattern;
mod placeholder;

use std::path::{Path, PathBuf};

use crate::document::DocId;
use crate::engine::document::Document;
use crate::engine::pair::Pair;
use crate::error::{Error, Result};
use crate::gate::scope::groups::Groups;
use crate::gate::scope::ignore_file::IgnoreRule;
use crate::gate::scope::pattern::{Pattern, place};
use crate::gate::scope::placeholder::PlaceholderPattern;
use crate::read::source::git::Changes;
use crate::read::source::walk::{STDIN, WalkOptions};
use crate::scan::outcome::{Source, Sources};

/// Decides which pairs count.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// The user's folder.
    base: PathBuf,
    /// The paths that are walked, as absolute ones.
    roots: Vec<PathBuf>,
    /// Whether globs or a depth leave out files of them.
    is_selective: bool,
    has_sides: bool,
    groups: Groups,
    origins: Vec<Origin>,
    /// How many pairs each group has left out.
    by_group: Vec<u64>,
    divisions: Vec<Division>,
    /// How many pairs were left out because both documents are on one side.
    by_side: u64,
    /// How many pairs were left out because neither document was changed.
    by_change: u64,
    changes: Option<Changes>,
    /// Whether git lacks the history that would tell what was changed.
    lacks_history: bool,
    /// Whether [`STDIN`] among the files is standard input.
    has_stdin: bool,
    /// Whether pairs count only if a document was changed.
    only_changed: bool,
    /// For each document, whether it was changed; empty if that is not known.
    changed: Vec<bool>,
    /// For each document, whether it is only there for others to be compared with.
    against: Vec<bool>,
}

/// A rule that has left out pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// The option, with its value, or where the rule stands.
    pub(crate) rule: String,
    /// The reason that a rule of a file gives.
    pub(crate) reason: Option<String>,
    /// How many pairs it has left out. A pair that several groups leave out counts for each of them.
    pub(crate) pairs: u64,
}

/// A division of the documents by what a placeholder stands for in their paths.
#[derive(Debug)]
struct Division {
    pattern: PlaceholderPattern,
    /// Whether pairs of different values count, and not those of the same value.
    is_across: bool,
    /// For each document its value; none if it does not match.
    values: Vec<Option<String>>,
    /// How many pairs it has left out.
    pairs: u64,
}

impl Division {
    /// Returns the option, with its value.
    fn rule(&self) -> String {
        let option = if self.is_across { "across" } else { "within" };
        format!("--{option} '{}'", self.pattern.text)
    }
}

/// What a group comes from.
#[derive(Debug)]
enum Origin {
    /// Versions or translations, by a glob.
    Within {
        glob: String,
        patterns: Vec<Pattern>,
    },
    /// Documents that may be alike.
    Rule {
        rule: IgnoreRule,
        base: PathBuf,
        patterns: Vec<Pattern>,
    },
}

impl Scope {
    /// Returns a scope in which all pairs count, or all pairs between two collections if two are compared.
    pub(crate) fn new(walk: &WalkOptions) -> Self {
        let roots = walk.paths.iter().map(|path| place(path, &walk.base));
        Self {
            base: walk.base.clone(),
            roots: roots.collect(),
            is_selective: !walk.globs.patterns.is_empty()
                || !walk.excluded.patterns.is_empty()
                || walk.max_depth.is_some(),
            has_sides: !walk.against.is_empty(),
            has_stdin: walk.stdin.is_some(),
            ..Self::default()
        }
    }

    /// Leaves out pairs of which both documents match a glob, which is relative to `folder`. Fails with
    /// [`Error::Glob`].
    pub(crate) fn skip_within(&mut self, glob: &str, folder: &Path) -> Result<()> {
        if glob.starts_with('!') {
            return Err(Error::Glob {
                glob: glob.into(),
                reason: "a leading '!' has nothing to turn around here".into(),
            });
        }
        let glob = glob.to_owned();
        let base = place(folder, &self.base);
        let patterns = self.groups.add(std::slice::from_ref(&glob), &base)?;
        self.origins.push(Origin::Within { glob, patterns });
        Ok(())
    }

    /// Leaves out pairs for which a placeholder stands for different things, or with `is_across` for the same. Documents that
    /// do not match the pattern, which is relative to `folder`, have one value together. Fails with [`Error::Glob`].
    pub(crate) fn divide(&mut self, pattern: &str, folder: &Path, is_across: bool) -> Result<()> {
        let base = place(folder, &self.base);
        self.divisions.push(Division {
            pattern: PlaceholderPattern::new(pattern, &base)?,
            is_across,
            values: Vec::new(),
            pairs: 0,
        });
        Ok(())
    }

    /// Leaves out pairs of which both documents are in one rule. The names and globs of the rules are relative to
    /// `folder`, which is relative to the user's folder. Fails with [`Error::Glob`].
    pub(crate) fn ignore(&mut self, rules: Vec<IgnoreRule>, folder: &Path) -> Result<()> {
        let base = place(folder, &self.base);
        for rule in rules {
            let patterns = self.groups.add(&rule.documents, &base)?;
            let base = base.clone();
            self.origins.push(Origin::Rule {
                rule,
                base,
                patterns,
            });
        }
        Ok(())
    }

    /// Leaves out pairs of which neither document was changed.
    pub(crate) fn only_changed(&mut self, changes: Changes) {
        self.changes = Some(changes);
        self.only_changed = true;
    }

    /// Notes what was changed, so that a report can say which of two documents is the copy. All pairs still count.
    pub(crate) fn note_changes(&mut self, changes: Changes) {
        self.changes = Some(changes);
    }

    /// Notes that git lacks the history that would tell which of two documents is the copy.
    pub(crate) fn note_lack_of_history(&mut self) {
        self.lacks_history = true;
    }

    /// Whether git lacks the history that would tell which of two documents is the copy.
    pub(crate) fn lacks_history(&self) -> bool {
        self.lacks_history
    }

    /// Whether there is anything to decide or to note about documents or pairs.
    pub(crate) fn decides(&self) -> bool {
        self.has_sides
            || self.changes.is_some()
            || self.groups.len() > 0
            || !self.divisions.is_empty()
    }

    /// Notes the documents of a run, and where they were read from.
    pub(crate) fn documents(&mut self, documents: &[Document], sources: &Sources) {
        let files = &sources.files;
        self.against = sources
            .documents
            .iter()
            .map(|source| source.is_against)
            .collect();
        self.by_group = vec![0; self.groups.len()];
        for division in &mut self.divisions {
            let of_file = |file: &PathBuf| division.pattern.value(file, &self.base);
            let by_file: Vec<Option<String>> = files.iter().map(of_file).collect();
            let of = |source: &Source| by_file[source.file as usize].clone();
            division.values = sources.documents.iter().map(of).collect();
        }
        if self.groups.len() > 0 {
            self.groups.fill(documents, sources, &self.base);
        }
        if let Some(changes) = &self.changes {
            let found = changes.of_files(files, &self.base);
            // Git does not know standard input. It counts as changed: somebody who pipes documents in wants to
            // know of all their pairs.
            let is_piped = |file: usize| self.has_stdin && files[file] == Path::new(STDIN);
            let is_changed = |source: &Source| {
                let file = source.file as usize;
                is_piped(file) || found[file].is_some_and(|file| file.has(source.line))
            };
            self.changed = sources.documents.iter().map(is_changed).collect();
        }
    }

    /// Whether a pair counts.
    pub(crate) fn counts(&mut self, pair: &Pair) -> bool {
        let (a, b) = (pair.a.index(), pair.b.index());
        let mut is_ignored = false;
        if self.groups.len() > 0 {
            self.groups.shared(a, b, |group| {
                self.by_group[group as usize] += 1;
                is_ignored = true;
            });
        }
        for division in &mut self.divisions {
            let is_same = division.values[a] == division.values[b];
            if is_same == division.is_across {
                division.pairs += 1;
                is_ignored = true;
            }
        }
        let is_between = self.against[a] != self.against[b];
        let is_changed = !self.only_changed || self.changed[a] || self.changed[b];
        if is_ignored {
            return false;
        }
        if self.has_sides && !is_between {
            self.by_side += 1;
            return false;
        }
        self.by_change += u64::from(!is_changed);
        is_changed
    }

    /// Returns the rules that have left out pairs.
    pub(crate) fn left_out(&self) -> Vec<LeftOut> {
        let groups = self.origins.iter().zip(&self.by_group);
        let groups = groups.map(|(origin, &pairs)| {
            let (rule, reason) = match origin {
                Origin::Within { glob, .. } => (format!("--skip-within '{glob}'"), None),
                Origin::Rule { rule, .. } => (rule.origin.clone(), Some(rule.reason.clone())),
            };
            LeftOut {
                rule,
                reason,
                pairs,
            }
        });
        let others = [
            ("--against", self.by_side),
            ("--changed-since", self.by_change),
        ];
        let others = others.map(|(rule, pairs)| LeftOut {
            rule: rule.into(),
            reason: None,
            pairs,
        });
        let divisions = self.divisions.iter().map(|division| LeftOut {
            rule: division.rule(),
            reason: None,
            pairs: division.pairs,
        });
        let all = groups.chain(divisions).chain(others);
        all.filter(|rule| rule.pairs > 0).collect()
    }

    /// Whether a document was changed, if that is known.
    pub(crate) fn is_changed(&self, id: DocId) -> Option<bool> {
        self.changed.get(id.index()).copied()
    }

    /// Returns the rules that left out no pair of a run, each in words. A rule whose documents the run did not see is
    /// not among them. If the run looked at some of the pairs only, no rule is.
    pub(crate) fn unused(&self) -> Vec<String> {
        let sees_all = !self.has_sides && !self.only_changed && self.divisions.is_empty();
        let unused = self
            .origins
            .iter()
            .zip(&self.by_group)
            .filter(|(_, pairs)| **pairs == 0);
        let unused = unused.filter_map(|(origin, _)| match origin {
            Origin::Within { glob, patterns } => {
                let mut patterns = patterns.iter();
                let is_met = patterns.any(|&pattern| self.groups.is_matched(pattern));
                (!is_met).then(|| format!("--skip-within '{glob}' matches no document"))
            }
            Origin::Rule {
                rule,
                base,
                patterns,
            } => {
                let has_seen = |(name, &pattern): (&String, &Pattern)| {
                    self.groups.is_matched(pattern) || self.would_be_seen(name, base)
                };
                (sees_all && rule.documents.iter().zip(patterns).all(has_seen))
                    .then(|| format!("{}: leaves out no pair any more", rule.origin))
            }
        });
        let divisions = self.divisions.iter().filter_map(|division| {
            let without = division.values.iter().filter(|value| value.is_none());
            let (without, rule) = (without.count(), division.rule());
            let how = if division.is_across {
                "with those that match only"
            } else {
                "with each other only"
            };
            match without {
                0 => None,
                _ if without == division.values.len() => {
                    Some(format!("{rule} matches no document"))
                }
                1 => Some(format!(
                    "{rule}: 1 document does not match; it is compared {how}"
                )),
                _ => Some(format!(
                    "{rule}: {without} documents do not match; they are compared {how}"
                )),
            }
        });
        unused.chain(divisions).collect()
    }

    /// Whether a run would have met the document of a name or glob, if it were there.
    fn would_be_seen(&self, name: &str, base: &Path) -> bool {
        let place = place(Path::new(name.trim_start_matches(['!', '/'])), base);
        let is_walked = self.roots.iter().any(|root| place.starts_with(root));
        is_walked && !self.is_selective && !place.exists()
    }
}

#[cfg(test)]
mod tests;
