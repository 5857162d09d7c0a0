//! The rules that choose which of two documents stays.
//!
//! The rules apply in their order, and the first that distinguishes two documents decides. Behind the rules of the user
//! there are two more: the longer text, and then the path. No two documents have the same path, so the order is total.

pub mod candidate;
pub mod field;
mod glob;

use std::cmp::{Ordering, Reverse};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::clean::keep::candidate::{Candidate, Facts};
use crate::clean::keep::field::Extreme;
use crate::clean::keep::glob::FileGlob;
use dupfind_engine::error::Result;

/// A rule that chooses which of two documents stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeepRule {
    /// A document of a file that matches the glob.
    In(String),
    /// The one that was changed last.
    Newest,
    /// The one that was changed first.
    Oldest,
    /// The one with the longest text.
    Longest,
    /// The one with the fewest folders in its path, then with the shortest one.
    ShortestPath,
    /// The one with the largest or the smallest value of a field.
    Field(String, Extreme),
    /// The first one by its path. Of the records of a file, the first one in it.
    Path,
    /// One that others are only compared with, and that never goes. It comes before all rules of the user.
    Against,
}

impl fmt::Display for KeepRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::In(glob) => write!(f, "in:{glob}"),
            Self::Newest => f.write_str("newest"),
            Self::Oldest => f.write_str("oldest"),
            Self::Longest => f.write_str("longest"),
            Self::ShortestPath => f.write_str("shortest-path"),
            Self::Field(name, Extreme::Max) => write!(f, "field:{name}"),
            Self::Field(name, Extreme::Min) => write!(f, "field:{name}:min"),
            Self::Path => f.write_str("path"),
            Self::Against => f.write_str("against"),
        }
    }
}

impl FromStr for KeepRule {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let unknown = || {
            Err(format!(
                "'{text}' is no rule: expected in:GLOB, newest, oldest, longest, shortest-path, field:NAME, \
                 field:NAME:min or path"
            ))
        };
        match (text, text.split_once(':')) {
            ("newest", _) => Ok(Self::Newest),
            ("oldest", _) => Ok(Self::Oldest),
            ("longest", _) => Ok(Self::Longest),
            ("shortest-path", _) => Ok(Self::ShortestPath),
            ("path", _) => Ok(Self::Path),
            (_, Some(("in", glob))) if !glob.is_empty() => Ok(Self::In(glob.into())),
            (_, Some(("field", field))) => {
                let (name, extreme) = match field.rsplit_once(':') {
                    Some((name, "max")) => (name, Extreme::Max),
                    Some((name, "min")) => (name, Extreme::Min),
                    _ => (field, Extreme::Max),
                };
                if name.is_empty() {
                    return unknown();
                }
                Ok(Self::Field(name.into(), extreme))
            }
            _ => unknown(),
        }
    }
}

/// The rules of a run, in order, with those behind the rules of the user.
#[derive(Debug)]
pub struct Keep {
    rules: Vec<KeepRule>,
    /// The glob of each rule that has one.
    globs: Vec<Option<FileGlob>>,
}

impl Keep {
    /// Returns these rules, and behind them the longest text and the path. Globs are relative to the folder `base`.
    /// `has_sides` means that some documents are only there to compare others with them.
    ///
    /// # Errors
    ///
    /// [`dupfind_engine::error::Error::Glob`] if a glob does not parse.
    pub fn new(mut rules: Vec<KeepRule>, base: &Path, has_sides: bool) -> Result<Self> {
        if has_sides {
            rules.insert(0, KeepRule::Against);
        }
        for last in [KeepRule::Longest, KeepRule::Path] {
            if !rules.contains(&last) && !rules.contains(&KeepRule::Path) {
                rules.push(last);
            }
        }
        let globs = rules.iter().map(|rule| match rule {
            KeepRule::In(glob) => FileGlob::new(glob, base).map(Some),
            _ => Ok(None),
        });
        Ok(Self {
            globs: globs.collect::<Result<_>>()?,
            rules,
        })
    }

    /// The rules in order.
    #[must_use]
    pub fn rules(&self) -> &[KeepRule] {
        &self.rules
    }

    /// Returns the glob of each rule that matches none of some files.
    pub fn unmatched<'k, 'p>(
        &'k self,
        files: impl Iterator<Item = &'p Path> + Clone + 'k,
    ) -> impl Iterator<Item = &'k KeepRule> {
        let rules = self.rules.iter().zip(&self.globs);
        let unmatched = rules.filter(move |(_, glob)| {
            let mut files = files.clone();
            glob.as_ref()
                .is_some_and(|glob| !files.any(|file| glob.matches(file)))
        });
        unmatched.map(|(rule, _)| rule)
    }

    /// Returns the place of each document in the order of the rules: 0 for the one that is kept before all others.
    #[must_use]
    pub fn rank(&self, candidates: &[Candidate], facts: &Facts) -> Vec<u32> {
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        let inside = self.inside(candidates);
        order.sort_by(|&a, &b| {
            let rules = 0..self.rules.len();
            let by_rule = |at| self.compare(at, candidates, facts, &inside, a, b);
            let decided = rules.map(by_rule).find(|order| order.is_ne());
            decided.unwrap_or(Ordering::Equal)
        });
        let mut rank = vec![0; candidates.len()];
        for (place, at) in (0..).zip(order) {
            rank[at] = place;
        }
        rank
    }

    /// Returns the rule that keeps one document rather than another one; the last rule if none does.
    #[must_use]
    pub fn decided(
        &self,
        candidates: &[Candidate],
        facts: &Facts,
        keep: u32,
        drop: u32,
    ) -> &KeepRule {
        let two = [keep, drop].map(|at| candidates[at as usize].clone());
        let facts = facts.only(&[keep as usize, drop as usize]);
        let inside = self.inside(&two);
        let mut rules = 0..self.rules.len();
        let decides = |at: &usize| self.compare(*at, &two, &facts, &inside, 0, 1).is_ne();
        let at = rules.find(decides).unwrap_or(self.rules.len() - 1);
        &self.rules[at]
    }

    /// Returns for each rule with a glob which of the documents match it.
    fn inside(&self, candidates: &[Candidate]) -> Vec<Vec<bool>> {
        let globs = self.globs.iter().map(|glob| match glob {
            Some(glob) => candidates.iter().map(|c| glob.matches(&c.file)).collect(),
            None => Vec::new(),
        });
        globs.collect()
    }

    /// Returns whether a rule keeps document `a` rather than `b`: less if it does.
    fn compare(
        &self,
        rule: usize,
        candidates: &[Candidate],
        facts: &Facts,
        inside: &[Vec<bool>],
        a: usize,
        b: usize,
    ) -> Ordering {
        let (x, y) = (&candidates[a], &candidates[b]);
        let changed = |at: usize| facts.changed.get(at).copied().flatten();
        match &self.rules[rule] {
            KeepRule::In(_) => inside[rule][b].cmp(&inside[rule][a]),
            KeepRule::Newest => changed(b).cmp(&changed(a)),
            // What has no date is not the oldest one.
            KeepRule::Oldest => {
                let first = |at| changed(at).unwrap_or(i64::MAX);
                first(a).cmp(&first(b))
            }
            KeepRule::Longest => Reverse(x.length).cmp(&Reverse(y.length)),
            KeepRule::ShortestPath => path_size(x).cmp(&path_size(y)),
            KeepRule::Field(name, extreme) => {
                let value = |at: usize| facts.field(name, at);
                extreme.compare(value(a), value(b))
            }
            KeepRule::Path => x.place.cmp(&y.place),
            KeepRule::Against => y.is_against.cmp(&x.is_against),
        }
    }
}

fn path_size(candidate: &Candidate) -> (usize, usize) {
    let path = &candidate.file;
    (path.components().count(), path.as_os_str().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(file: &str, length: u64) -> Candidate {
        Candidate {
            name: file.into(),
            file: file.into(),
            record: 0,
            length,
            place: (file.len() as u64, 0),
            is_against: false,
        }
    }

    #[test]
    fn rules_are_read_as_they_are_written() {
        for text in [
            "in:docs/**",
            "newest",
            "oldest",
            "longest",
            "shortest-path",
            "field:weight",
            "field:a.b:min",
            "path",
        ] {
            assert_eq!(text.parse::<KeepRule>().unwrap().to_string(), text);
        }
        assert_eq!(
            "field:date:max".parse::<KeepRule>().unwrap().to_string(),
            "field:date"
        );
        for text in ["", "in:", "field:", "newer", "field::max"] {
            assert!(
                text.parse::<KeepRule>().unwrap_err().contains("no rule"),
                "{text}"
            );
        }
    }

    #[test]
    fn the_first_rule_that_tells_two_apart_decides() {
        let rules = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
        let candidates = [
            candidate("new/a.md", 10),
            candidate("old/deep/b.md", 20),
            candidate("c.md", 10),
        ];
        let facts = Facts {
            changed: vec![Some(5), Some(9), None],
            fields: Vec::new(),
        };
        for (texts, expected, decided) in [
            (&[][..], [1, 2, 0], "longest"),
            (&["in:old", "newest"], [1, 0, 2], "in:old"),
            (&["in:new/**", "in:old/**"], [0, 1, 2], "in:new/**"),
            (&["newest"], [1, 0, 2], "newest"),
            (&["oldest"], [0, 1, 2], "oldest"),
            (&["shortest-path"], [2, 0, 1], "shortest-path"),
            (&["path"], [2, 0, 1], "path"),
        ] {
            let keep = Keep::new(rules(texts), Path::new("/site"), false).unwrap();
            let rank = keep.rank(&candidates, &facts);
            let mut order = [0, 1, 2];
            order.sort_by_key(|&at| rank[at as usize]);
            assert_eq!(order, expected, "{texts:?}");
            let by = keep.decided(&candidates, &facts, order[0], order[2]);
            assert_eq!(by.to_string(), decided, "{texts:?}");
        }
    }
}
