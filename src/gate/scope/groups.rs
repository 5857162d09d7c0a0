//! Groups of documents that are not compared with each other, told by names and globs.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::engine::outcome::Document;
use crate::error::{Error, Result};
use crate::gate::scope::globs::Globs;
use crate::read::source::name::{display_name, plain};

/// What makes an entry a glob. It may be the plain name of a file all the same.
const WILD: [char; 5] = ['*', '?', '[', '{', '\\'];

/// Groups, numbered in the order they were added, and who is in them.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    count: u32,
    /// Entries that are names: by absolute path, with `#ID` for a record.
    names: HashMap<String, Vec<Entry>>,
    globs: Globs,
    /// For each document the groups it is in, ascending, one document after the other.
    members: Vec<u32>,
    /// Where the groups of each document begin, and where those of the last one end.
    starts: Vec<usize>,
    /// Entries that a document answers to.
    answered: HashSet<Entry>,
}

/// One entry of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Entry {
    group: u32,
    /// Its place in the group: the last entry that a document answers to decides about it.
    at: usize,
    /// Whether it takes documents out of the group.
    is_out: bool,
}

impl Groups {
    /// Takes names and globs and the absolute path of the folder they are relative to, and adds the group.
    /// Returns its number and its entries.
    pub(crate) fn add(&mut self, patterns: &[String], base: &Path) -> Result<(u32, Vec<Entry>)> {
        let group = self.count;
        let mut entries = Vec::with_capacity(patterns.len());
        for (at, pattern) in patterns.iter().enumerate() {
            let (plain, is_out) = match pattern.strip_prefix('!') {
                Some(plain) => (plain, true),
                None => (pattern.as_str(), false),
            };
            if plain.trim().trim_matches('/').is_empty() {
                return Err(Error::Glob {
                    glob: pattern.clone(),
                    reason:
                        "it names nothing; '.' is the folder itself, '*.md' all files of a kind"
                            .into(),
                });
            }
            let entry = Entry { group, at, is_out };
            for name in names(plain, base) {
                self.names.entry(name).or_default().push(entry);
            }
            if plain.contains(WILD) {
                self.globs.add(plain, base, entry)?;
            }
            entries.push(entry);
        }
        self.count += 1;
        Ok((group, entries))
    }

    /// How many groups there are.
    pub(crate) fn len(&self) -> usize {
        self.count as usize
    }

    /// Takes all documents, their files and the user's folder, and finds out who is in which group.
    pub(crate) fn fill(&mut self, documents: &[Document], files: &[PathBuf], base: &Path) {
        self.globs.prepare();
        let answers: Vec<Vec<Entry>> = documents
            .par_iter()
            .map(|document| self.answers(document, &files[document.place.file as usize], base))
            .collect();
        self.starts = vec![0];
        self.members.clear();
        for mut entries in answers {
            self.answered.extend(&entries);
            entries.sort_unstable();
            for of_group in entries.chunk_by(|x, y| x.group == y.group) {
                if let Some(last) = of_group.last().filter(|last| !last.is_out) {
                    self.members.push(last.group);
                }
            }
            self.starts.push(self.members.len());
        }
    }

    /// The entries that a document answers to.
    fn answers(&self, document: &Document, file: &Path, base: &Path) -> Vec<Entry> {
        let place = key(&place(file, base));
        let record = document.name.strip_prefix(&display_name(file, base));
        let record = record.filter(|id| !id.is_empty());
        let whole = record.map(|id| format!("{place}{id}"));
        let mut found = Vec::new();
        let mut look_up = |name: &str| found.extend(self.names.get(name).into_iter().flatten());
        if let Some(name) = &whole {
            look_up(name);
        }
        // The file, and every folder it is in.
        let ends = place.match_indices('/').map(|(at, _)| at);
        for end in ends.chain([place.len()]) {
            look_up(&place[..end]);
        }
        self.globs.find(&place, &mut found);
        if let Some(name) = &whole {
            self.globs.find(name, &mut found);
        }
        found
    }

    /// Calls `shared` with each group that has both documents, given by their positions.
    pub(crate) fn shared(&self, a: usize, b: usize, mut shared: impl FnMut(u32)) {
        let of = |at: usize| &self.members[self.starts[at]..self.starts[at + 1]];
        let (mut x, mut y) = (of(a), of(b));
        while let (Some((&first, rest_x)), Some((&other, rest_y))) =
            (x.split_first(), y.split_first())
        {
            if first == other {
                shared(first);
            }
            if first <= other {
                x = rest_x;
            }
            if other <= first {
                y = rest_y;
            }
        }
    }

    /// Whether a document answers to an entry.
    pub(crate) fn is_answered(&self, entry: Entry) -> bool {
        self.answered.contains(&entry)
    }
}

#[cfg(test)]
impl Entry {
    /// An entry for tests.
    pub(super) fn numbered(at: usize) -> Self {
        let (group, is_out) = (0, false);
        Self { group, at, is_out }
    }
}

/// The absolute paths that a name may mean. With a leading `/` it may begin at the folder, as in ignore
/// files, or be absolute.
fn names(pattern: &str, base: &Path) -> impl Iterator<Item = String> {
    let pattern = pattern.strip_suffix('/').unwrap_or(pattern);
    let absolute = pattern
        .starts_with('/')
        .then(|| key(&place(Path::new(pattern), base)));
    let relative = Path::new(pattern.trim_start_matches('/'));
    [key(&place(relative, base))].into_iter().chain(absolute)
}

/// An absolute path as names and globs are matched with it.
pub(super) fn key(path: &Path) -> String {
    display_name(path, Path::new(""))
}

/// Takes a path as it was typed or found and the folder it is relative to, and returns where it is: without
/// `.` and `..`, links as they were typed.
pub(crate) fn place(path: &Path, base: &Path) -> PathBuf {
    plain(&base.join(path))
}
