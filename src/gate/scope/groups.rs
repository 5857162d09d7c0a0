//! Groups of documents that are not compared with each other, told by names and globs.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use rayon::prelude::*;

use crate::engine::document::Document;
use crate::error::{Error, Result};
use crate::gate::scope::globs::Globs;
use crate::gate::scope::pattern::{Pattern, key, place};
use crate::read::source::name::display_name;
use crate::scan::outcome::Sources;

/// The characters that make a pattern a glob. It may be the name of a file all the same.
const WILD: [char; 5] = ['*', '?', '[', '{', '\\'];

/// Groups, numbered in the order they were added, and the documents in them.
#[derive(Debug, Default)]
pub(super) struct Groups {
    count: u32,
    /// Patterns that are names, by absolute path, with `#ID` for a record.
    names: HashMap<String, Vec<Pattern>>,
    globs: Globs,
    /// The groups that each document is in, ascending, one document after the other.
    members: Vec<u32>,
    /// Where the groups of each document begin in `members`, and where those of the last one end.
    starts: Vec<usize>,
    /// The patterns that match a document.
    matched: HashSet<Pattern>,
}

impl Groups {
    /// Adds a group and returns its patterns. `base` is the absolute path of the folder they are relative to.
    /// Fails with [`Error::Glob`].
    pub(super) fn add(&mut self, texts: &[String], base: &Path) -> Result<Vec<Pattern>> {
        let group = self.count;
        let mut patterns = Vec::with_capacity(texts.len());
        for (at, text) in texts.iter().enumerate() {
            let (plain, is_out) = match text.strip_prefix('!') {
                Some(plain) => (plain, true),
                None => (text.as_str(), false),
            };
            if plain.trim().trim_matches('/').is_empty() {
                return Err(Error::Glob {
                    glob: text.clone(),
                    reason:
                        "it names nothing; '.' is the folder itself, '*.md' all files of a kind"
                            .into(),
                });
            }
            let pattern = Pattern { group, at, is_out };
            for name in names(plain, base) {
                self.names.entry(name).or_default().push(pattern);
            }
            if plain.contains(WILD) {
                self.globs.add(plain, base, pattern)?;
            }
            patterns.push(pattern);
        }
        self.count += 1;
        Ok(patterns)
    }

    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    /// Finds out which documents are in which groups. `base` is the user's folder.
    pub(super) fn fill(&mut self, documents: &[Document], sources: &Sources, base: &Path) {
        self.globs.prepare();
        let matches: Vec<Vec<Pattern>> = documents
            .par_iter()
            .zip(&sources.documents)
            .map(|(document, source)| {
                self.matches(document, &sources.files[source.file as usize], base)
            })
            .collect();
        self.starts = vec![0];
        self.members.clear();
        for mut patterns in matches {
            self.matched.extend(&patterns);
            patterns.sort_unstable();
            for of_group in patterns.chunk_by(|x, y| x.group == y.group) {
                if let Some(last) = of_group.last().filter(|last| !last.is_out) {
                    self.members.push(last.group);
                }
            }
            self.starts.push(self.members.len());
        }
    }

    /// Returns the patterns that match a document.
    fn matches(&self, document: &Document, file: &Path, base: &Path) -> Vec<Pattern> {
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

    /// Calls `shared` with each group that both documents are in, given by their positions.
    pub(super) fn shared(&self, a: usize, b: usize, mut shared: impl FnMut(u32)) {
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

    /// Whether a pattern matches a document.
    pub(super) fn is_matched(&self, pattern: Pattern) -> bool {
        self.matched.contains(&pattern)
    }
}

/// Returns the absolute paths that a name may mean. A name with a leading `/` may begin at the folder, as in
/// ignore files, or be absolute.
fn names(pattern: &str, base: &Path) -> impl Iterator<Item = String> {
    let pattern = pattern.strip_suffix('/').unwrap_or(pattern);
    let absolute = pattern
        .starts_with('/')
        .then(|| key(&place(Path::new(pattern), base)));
    let relative = Path::new(pattern.trim_start_matches('/'));
    [key(&place(relative, base))].into_iter().chain(absolute)
}
