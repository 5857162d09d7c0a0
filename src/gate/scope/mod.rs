//! Which pairs count at all.
//!
//! A pair does not count if a rule says that its documents may be alike, if they are of one side where two
//! collections are compared, or if neither was changed and only changes are asked for. What is asked of a pair
//! does not depend on which document comes first, and every further rule only takes pairs away.

mod globs;
mod groups;
pub(crate) mod ignore_file;

use std::path::{Path, PathBuf};

use crate::document::DocId;
use crate::engine::outcome::{Document, Pair};
use crate::error::{Error, Result};
use crate::gate::scope::groups::{Entry, Groups, place};
use crate::gate::scope::ignore_file::IgnoreRule;
use crate::read::source::git::Changes;
use crate::read::source::walk::{STDIN, WalkOptions};

/// Which pairs count at all.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// The user's folder.
    base: PathBuf,
    /// The paths that are walked, as they are matched with names.
    roots: Vec<PathBuf>,
    /// Whether globs or a depth leave files out of them.
    is_selective: bool,
    has_sides: bool,
    groups: Groups,
    /// What each group comes from.
    origins: Vec<Origin>,
    /// Whether each group has left out a pair.
    is_used: Vec<bool>,
    changes: Option<Changes>,
    /// Whether [`STDIN`] among the files is standard input.
    has_stdin: bool,
    /// Whether pairs count only if a document was changed.
    only_changed: bool,
    /// For each document, whether it was changed; empty if that is not known.
    changed: Vec<bool>,
}

/// What a group comes from.
#[derive(Debug)]
enum Origin {
    /// Versions or translations, by a glob.
    Within { glob: String, entries: Vec<Entry> },
    /// Documents that may be alike.
    Rule {
        rule: IgnoreRule,
        base: PathBuf,
        entries: Vec<Entry>,
    },
}

impl Scope {
    /// Takes what is walked; everything counts, but for pairs of one side if there are two.
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

    /// Leaves out pairs of which both documents match the glob, which is relative to a folder.
    pub(crate) fn skip_within(&mut self, glob: &str, folder: &Path) -> Result<()> {
        if glob.starts_with('!') {
            return Err(Error::Glob {
                glob: glob.into(),
                reason: "a leading '!' has nothing to turn around here".into(),
            });
        }
        let (_, entries) = self
            .groups
            .add(&[glob.to_owned()], &place(folder, &self.base))?;
        let glob = glob.to_owned();
        self.origins.push(Origin::Within { glob, entries });
        Ok(())
    }

    /// Leaves out pairs of which both documents are in one rule. The names and globs of the rules are
    /// relative to a folder, which is relative to the user's.
    pub(crate) fn ignore(&mut self, rules: Vec<IgnoreRule>, folder: &Path) -> Result<()> {
        let base = place(folder, &self.base);
        for rule in rules {
            let (_, entries) = self.groups.add(&rule.documents, &base)?;
            let base = base.clone();
            self.origins.push(Origin::Rule {
                rule,
                base,
                entries,
            });
        }
        Ok(())
    }

    /// Leaves out pairs of which neither document was changed.
    pub(crate) fn only_changed(&mut self, changes: Changes) {
        self.changes = Some(changes);
        self.only_changed = true;
    }

    /// Only notes what was changed: a report can then say which of two documents is the copy.
    pub(crate) fn note_changes(&mut self, changes: Changes) {
        self.changes = Some(changes);
    }

    /// Whether there is anything to find out about documents or pairs.
    pub(crate) fn decides(&self) -> bool {
        self.has_sides || self.changes.is_some() || self.groups.len() > 0
    }

    /// Takes all documents of a run and the files they were read from.
    pub(crate) fn documents(&mut self, documents: &[Document], files: &[PathBuf]) {
        self.is_used = vec![false; self.groups.len()];
        if self.groups.len() > 0 {
            self.groups.fill(documents, files, &self.base);
        }
        if let Some(changes) = &self.changes {
            let found = changes.of_files(files, &self.base);
            // Git knows nothing of what is piped in, and who pipes it wants to hear of it: as unchanged it would be
            // compared with what was changed only.
            let is_piped = |file: usize| self.has_stdin && files[file] == Path::new(STDIN);
            let is_changed = |document: &Document| {
                let file = document.place.file as usize;
                is_piped(file) || found[file].is_some_and(|file| file.has(document.place.line))
            };
            self.changed = documents.iter().map(is_changed).collect();
        }
    }

    /// Takes a pair and returns whether it counts.
    pub(crate) fn counts(&mut self, documents: &[Document], pair: &Pair) -> bool {
        let (a, b) = (pair.a.index(), pair.b.index());
        let mut is_ignored = false;
        if self.groups.len() > 0 {
            self.groups.shared(a, b, |group| {
                self.is_used[group as usize] = true;
                is_ignored = true;
            });
        }
        let is_between = documents[a].is_against != documents[b].is_against;
        let is_changed = !self.only_changed || self.changed[a] || self.changed[b];
        !is_ignored && is_changed && (is_between || !self.has_sides)
    }

    /// Whether a document was changed, if that is known.
    pub(crate) fn is_changed(&self, id: DocId) -> Option<bool> {
        self.changed.get(id.index()).copied()
    }

    /// The rules that had nothing to do in a run, each in words. A rule whose documents the run did not see
    /// is not among them, and none is where the run looked at some of the pairs only.
    pub(crate) fn unused(&self) -> Vec<String> {
        let sees_all = !self.has_sides && !self.only_changed;
        let unused = self
            .origins
            .iter()
            .zip(&self.is_used)
            .filter(|(_, used)| !**used);
        let unused = unused.filter_map(|(origin, _)| match origin {
            Origin::Within { glob, entries } => {
                let is_met = entries.iter().any(|&entry| self.groups.is_answered(entry));
                (!is_met).then(|| format!("--skip-within '{glob}' matches no document"))
            }
            Origin::Rule {
                rule,
                base,
                entries,
            } => {
                let has_seen = |(name, &entry): (&String, &Entry)| {
                    self.groups.is_answered(entry) || self.would_be_seen(name, base)
                };
                (sees_all && rule.documents.iter().zip(entries).all(has_seen))
                    .then(|| format!("{}: leaves out no pair any more", rule.origin))
            }
        });
        unused.collect()
    }

    /// Whether a run would have met what a name or glob means, if that were there.
    fn would_be_seen(&self, name: &str, base: &Path) -> bool {
        let place = place(Path::new(name.trim_start_matches(['!', '/'])), base);
        let is_walked = self.roots.iter().any(|root| place.starts_with(root));
        is_walked && !self.is_selective && !place.exists()
    }
}

#[cfg(test)]
mod tests;
