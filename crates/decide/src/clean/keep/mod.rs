//! The rules that choose which of two documents stays.
//!
//! The rules apply in their order, and the first that distinguishes two documents decides. Behind the rules of the user
//! there are more. The last one is the path: no two documents have the same, so the order is total.

pub mod candidate;
pub mod field;
pub mod reason;

use std::cmp::Ordering;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::clean::keep::candidate::{Candidate, Facts};
use crate::clean::keep::field::Extreme;
use crate::glob::FileGlob;
use dupfind_engine::Result;
use rayon::prelude::*;

/// A rule that chooses which of two documents stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeepRule {
    /// A document of a file that matches the glob.
    In(String),
    /// The one that was changed last.
    Newest,
    /// The one that was made first.
    Oldest,
    /// The page of its folder.
    Home,
    /// The one that most other pages link to.
    Linked,
    /// The one with the longest text.
    Longest,
    /// The one with the fewest folders in its path, then with the shortest one.
    ShortestPath,
    /// The one with the shortest file name: `park.md` rather than `park copy.md`.
    ShortestName,
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
            Self::Home => f.write_str("home"),
            Self::Linked => f.write_str("linked"),
            Self::Longest => f.write_str("longest"),
            Self::ShortestPath => f.write_str("shortest-path"),
            Self::ShortestName => f.write_str("shortest-name"),
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
                "'{text}' is no rule: expected in:GLOB, linked, newest, oldest, longest, shortest-path, \
                 shortest-name, field:NAME, field:NAME:min, home or path"
            ))
        };
        match (text, text.split_once(':')) {
            ("newest", _) => Ok(Self::Newest),
            ("oldest", _) => Ok(Self::Oldest),
            ("home", _) => Ok(Self::Home),
            ("linked", _) => Ok(Self::Linked),
            ("longest", _) => Ok(Self::Longest),
            ("shortest-path", _) => Ok(Self::ShortestPath),
            ("shortest-name", _) => Ok(Self::ShortestName),
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

/// The rules behind those of the user. They are about pages: among records the path decides, and so the first one stays.
const LAST: [KeepRule; 6] = [
    KeepRule::Home,
    KeepRule::Linked,
    KeepRule::Oldest,
    KeepRule::Longest,
    KeepRule::ShortestName,
    KeepRule::Path,
];

/// The rules of a run, in order, with those behind the rules of the user.
#[derive(Debug)]
pub struct Keep {
    rules: Vec<KeepRule>,
    /// How many of them come before the rules behind those of the user.
    asked: usize,
    /// The glob of each rule that has one.
    globs: Vec<Option<FileGlob>>,
}

impl Keep {
    /// Returns these rules, and those behind them. Globs are relative to the folder `base`. `has_sides` means that some
    /// documents are only there to compare others with them.
    ///
    /// # Errors
    ///
    /// [`dupfind_engine::Error::Option`] if a glob does not parse.
    pub fn new(mut rules: Vec<KeepRule>, base: &Path, has_sides: bool) -> Result<Self> {
        if has_sides {
            rules.insert(0, KeepRule::Against);
        }
        let asked = rules.len();
        for last in LAST {
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
            asked,
        })
    }

    /// Returns whether a rule is one of the user.
    pub fn asks(&self, rule: &KeepRule) -> bool {
        self.rules[..self.asked].contains(rule)
    }

    /// The rules in order.
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
    pub fn rank(&self, candidates: &[Candidate<'_>], facts: &Facts) -> Vec<u32> {
        let mut order: Vec<u32> = (0..).take(candidates.len()).collect();
        let globs = self.globs.iter().map(|glob| match glob {
            Some(glob) => candidates.iter().map(|c| glob.matches(c.file)).collect(),
            None => Vec::new(),
        });
        let matches: Vec<Vec<bool>> = globs.collect();
        let is_in = |rule: usize, at: usize| matches[rule][at];
        let by_rule = |rule, a: u32, b: u32| {
            let (a, b) = (a as usize, b as usize);
            self.compare(rule, candidates, facts, &is_in, a, b)
        };
        // Most rules tell records apart from nothing, and there may be millions of these.
        let decides = |rule: &usize| order.par_iter().any(|&at| by_rule(*rule, 0, at).is_ne());
        let rules: Vec<usize> = (0..self.rules.len()).filter(decides).collect();
        order.par_sort_by(|&a, &b| {
            let mut orders = rules.iter().map(|&rule| by_rule(rule, a, b));
            orders
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        });
        let mut rank = vec![0; candidates.len()];
        for (place, at) in (0..).zip(order) {
            rank[at as usize] = place;
        }
        rank
    }

    /// Returns the rule that keeps one document rather than another one; the last rule if none does.
    pub fn decided(
        &self,
        candidates: &[Candidate<'_>],
        facts: &Facts,
        keep: u32,
        drop: u32,
    ) -> &KeepRule {
        let (keep, drop) = (keep as usize, drop as usize);
        let is_in = |rule: usize, at: usize| {
            let glob = self.globs[rule].as_ref();
            glob.is_some_and(|glob| glob.matches(candidates[at].file))
        };
        let mut rules = (0..).zip(&self.rules);
        let decides = |at| {
            self.compare(at, candidates, facts, &is_in, keep, drop)
                .is_ne()
        };
        let decided = rules.find(|(at, _)| decides(*at));
        decided.map_or(&KeepRule::Path, |(_, rule)| rule)
    }

    /// Returns whether a rule keeps document `a` rather than `b`: less if it does. `is_in` tells whether the glob of a
    /// rule matches a document.
    fn compare(
        &self,
        rule: usize,
        candidates: &[Candidate<'_>],
        facts: &Facts,
        is_in: &dyn Fn(usize, usize) -> bool,
        a: usize,
        b: usize,
    ) -> Ordering {
        let (x, y) = (&candidates[a], &candidates[b]);
        let date = |dates: &[Option<i64>], at: usize| dates.get(at).copied().flatten();
        let decides = |of: &Candidate<'_>| rule < self.asked || !of.is_record();
        match &self.rules[rule] {
            KeepRule::In(_) => is_in(rule, b).cmp(&is_in(rule, a)),
            KeepRule::Newest => date(&facts.changed, b).cmp(&date(&facts.changed, a)),
            // A document without a date is not the oldest one.
            KeepRule::Oldest => {
                let first = |at| {
                    let made = date(&facts.made, at).filter(|_| decides(&candidates[at]));
                    made.unwrap_or(i64::MAX)
                };
                first(a).cmp(&first(b))
            }
            KeepRule::Longest => {
                let length = |of: &Candidate<'_>| decides(of).then_some(of.document.length);
                length(y).cmp(&length(x))
            }
            KeepRule::ShortestPath => path_size(x).cmp(&path_size(y)),
            KeepRule::ShortestName => {
                // The names of pages of folders, as index.md and README.md, tell nothing.
                let length = |of: &Candidate<'_>| {
                    let counts = rule < self.asked || !of.is_record() && !of.is_home;
                    if counts { name_length(of) } else { usize::MAX }
                };
                length(x).cmp(&length(y))
            }
            KeepRule::Field(name, extreme) => {
                extreme.compare(facts.field(name, a), facts.field(name, b))
            }
            KeepRule::Path => (x.place, x.source.record).cmp(&(y.place, y.source.record)),
            KeepRule::Against => y.source.is_against.cmp(&x.source.is_against),
            KeepRule::Home => y.is_home.cmp(&x.is_home),
            KeepRule::Linked => facts.linked.get(b).cmp(&facts.linked.get(a)),
        }
    }
}

fn name_length(candidate: &Candidate<'_>) -> usize {
    let name = candidate.file.file_name();
    name.map_or(0, |name| name.to_string_lossy().chars().count())
}

fn path_size(candidate: &Candidate<'_>) -> (usize, usize) {
    let path = candidate.file;
    (path.components().count(), path.as_os_str().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_they_are_written() {
        let rules = "in:docs/** newest oldest linked home longest shortest-path shortest-name field:weight field:a.b:min path";
        for text in rules.split(' ') {
            assert_eq!(text.parse::<KeepRule>().unwrap().to_string(), text);
        }
        let found = "field:date:max".parse::<KeepRule>().unwrap().to_string();
        assert_eq!(found, "field:date");
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
        let mut candidates = [
            Candidate::of_file("new/a.md", 10),
            Candidate::of_file("old/deep/b.md", 20),
            Candidate::of_file("c.md", 10),
        ];
        candidates[1].is_home = true;
        let facts = Facts {
            changed: vec![Some(5), Some(9), None],
            made: vec![Some(5), Some(9), None],
            linked: vec![4, 0, 7],
            ..Facts::default()
        };
        for (texts, expected, decided) in [
            (&[][..], [1, 2, 0], "home"),
            (&["linked"], [2, 0, 1], "linked"),
            (&["longest"], [1, 2, 0], "longest"),
            (&["in:old", "newest"], [1, 0, 2], "in:old"),
            (&["in:new/**", "in:old/**"], [0, 1, 2], "in:new/**"),
            (&["newest"], [1, 0, 2], "newest"),
            (&["oldest"], [0, 1, 2], "oldest"),
            (&["shortest-path"], [2, 0, 1], "shortest-path"),
            (&["shortest-name", "path"], [2, 0, 1], "path"),
            (&["path"], [2, 0, 1], "path"),
        ] {
            let keep = Keep::new(rules(texts), Path::new("/site"), false).unwrap();
            let rank = keep.rank(&candidates, &facts);
            let mut order: [u32; 3] = [0, 1, 2];
            order.sort_by_key(|&at| rank[at as usize]);
            assert_eq!(order, expected, "{texts:?}");
            let by = keep.decided(&candidates, &facts, order[0], order[2]);
            assert_eq!(by.to_string(), decided, "{texts:?}");
        }
    }
}
