//! The rules that leave out pairs, and which documents are in each rule.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::gate::scope::globs::RuleGlobs;
use crate::gate::scope::ignore_rule::IgnoreRule;
use crate::gate::scope::{LeftOut, key, place};
use dupfind_engine::error::{Error, Result};
use dupfind_engine::features::document::Document;
use dupfind_read::source::name::display_name;
use dupfind_scan::outcome::Sources;

/// The characters that make a pattern a glob. It may be the name of a file all the same.
const WILD: [char; 5] = ['*', '?', '[', '{', '\\'];

/// A name or glob of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RulePattern {
    /// The position of the rule.
    pub(super) rule: u32,
    /// Its position in the rule. The last pattern that a document matches decides about it.
    pub(super) at: usize,
    /// Whether it removes documents from the rule.
    pub(super) is_out: bool,
}

/// Rules, and the documents of a run in them.
#[derive(Debug, Default)]
pub(super) struct Rules {
    rules: Vec<Rule>,
    /// Patterns that are names, by absolute path, with `#ID` for a record.
    names: HashMap<String, Vec<RulePattern>>,
    globs: RuleGlobs,
    /// The positions of the rules that each document is in, ascending, one document after the other.
    members: Vec<u32>,
    /// Where the rules of each document begin in `members`, and where those of the last one end.
    starts: Vec<usize>,
    /// The patterns that match a document.
    matched: HashSet<RulePattern>,
}

#[derive(Debug)]
struct Rule {
    rule: IgnoreRule,
    /// The absolute path of the folder that its names and globs are relative to.
    base: PathBuf,
    patterns: Vec<RulePattern>,
    /// How many pairs it has left out.
    pairs: u64,
}

impl Rules {
    /// Adds a rule. `base` is the absolute path of the folder that its names and globs are relative to. Fails with
    /// [`Error::Glob`].
    pub(super) fn add(&mut self, rule: IgnoreRule, base: &Path) -> Result<()> {
        let position = u32::try_from(self.rules.len()).expect("a file of 1 MB holds fewer rules");
        let mut patterns = Vec::with_capacity(rule.documents.len());
        for (at, text) in rule.documents.iter().enumerate() {
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
            let pattern = RulePattern {
                rule: position,
                at,
                is_out,
            };
            for name in names(plain, base) {
                self.names.entry(name).or_default().push(pattern);
            }
            if plain.contains(WILD) {
                self.globs.add(plain, base, pattern)?;
            }
            patterns.push(pattern);
        }
        self.rules.push(Rule {
            rule,
            base: base.to_owned(),
            patterns,
            pairs: 0,
        });
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Notes the documents of a run, and which rules each is in. `base` is the folder that the paths of files are
    /// relative to.
    pub(super) fn documents(&mut self, documents: &[Document], sources: &Sources, base: &Path) {
        if self.is_empty() {
            return;
        }
        self.globs.prepare();
        let matches: Vec<Vec<RulePattern>> = documents
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
            for of_rule in patterns.chunk_by(|x, y| x.rule == y.rule) {
                if let Some(last) = of_rule.last().filter(|last| !last.is_out) {
                    self.members.push(last.rule);
                }
            }
            self.starts.push(self.members.len());
        }
    }

    /// Returns the patterns that match a document.
    fn matches(&self, document: &Document, file: &Path, base: &Path) -> Vec<RulePattern> {
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

    /// Whether a rule leaves out the pair of two documents, given by their positions. Counts the pair for each rule
    /// that both documents are in.
    pub(super) fn leave_out(&mut self, a: usize, b: usize) -> bool {
        if self.is_empty() {
            return false;
        }
        let of = |at: usize| &self.members[self.starts[at]..self.starts[at + 1]];
        let (mut x, mut y) = (of(a), of(b));
        let mut is_left_out = false;
        while let (Some((&first, rest_x)), Some((&other, rest_y))) =
            (x.split_first(), y.split_first())
        {
            if first == other {
                self.rules[first as usize].pairs += 1;
                is_left_out = true;
            }
            if first <= other {
                x = rest_x;
            }
            if other <= first {
                y = rest_y;
            }
        }
        is_left_out
    }

    /// Returns how many pairs each rule has left out.
    pub(super) fn left_out(&self) -> impl Iterator<Item = LeftOut> {
        self.rules.iter().map(|Rule { rule, pairs, .. }| LeftOut {
            rule: rule.origin.clone(),
            reason: Some(rule.reason.clone()),
            pairs: *pairs,
        })
    }

    /// Returns the rules that left out no pair of a run, each in words. A rule of documents that the run did not see is
    /// not among them. `would_be_seen` returns whether the run would have met the document of a name or glob, which is
    /// relative to a folder, if it were there.
    pub(super) fn unused(
        &self,
        would_be_seen: impl Fn(&str, &Path) -> bool,
    ) -> impl Iterator<Item = String> {
        let is_unused = move |rule: &&Rule| {
            let mut all = rule.rule.documents.iter().zip(&rule.patterns);
            let has_seen = |(name, pattern): (&String, &RulePattern)| {
                self.matched.contains(pattern) || would_be_seen(name, &rule.base)
            };
            rule.pairs == 0 && all.all(has_seen)
        };
        let unused = self.rules.iter().filter(is_unused);
        unused.map(|Rule { rule, .. }| format!("{}: leaves out no pair any more", rule.origin))
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
