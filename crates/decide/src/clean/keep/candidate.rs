//! The documents that may stay or go, and the facts that the rules need.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use rayon::prelude::*;

use crate::clean::keep::{Keep, KeepRule};
use dupfind_read::ReadOptions;
use dupfind_read::extract::front_matter;
use dupfind_read::records::{Batches, Fields, Numbered};
use dupfind_read::source::git::Repository;
use dupfind_read::source::pre::kind_of;

/// A document that may stay or go.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Its name in reports.
    pub name: String,
    /// The path of its file, as the user would type it.
    pub file: PathBuf,
    /// The number of a record in its file, from 1; 0 for a document that is a whole file.
    pub record: u64,
    /// The length of its text.
    pub length: u64,
    /// The place of its file among the files, and its place in the file.
    pub place: (u64, u64),
    /// Whether it is only there to compare others with it. Such a document never goes.
    pub is_against: bool,
}

/// What the rules ask about documents, by their positions.
#[derive(Debug, Default)]
pub struct Facts {
    /// When each was changed, in seconds since 1970; empty if no rule asks.
    pub changed: Vec<Option<i64>>,
    /// The fields that rules ask for, each with its value in each document.
    pub fields: Vec<(String, Vec<Option<String>>)>,
}

/// A document must be smaller for its front matter to be looked at.
const MAX_READ: u64 = 64 << 20;

impl Facts {
    /// Returns the facts about some documents that the rules need, and a note for the user about the dates of commits. `base`
    /// is the folder that paths are relative to. If git cannot tell the dates, those of the files are taken.
    #[must_use]
    pub fn gather(
        keep: &Keep,
        candidates: &[Candidate],
        options: &ReadOptions,
        base: &Path,
    ) -> (Self, Option<String>) {
        let mut facts = Self::default();
        let mut warning = None;
        let asks_dates = |rule: &KeepRule| matches!(rule, KeepRule::Newest | KeepRule::Oldest);
        if keep.rules().iter().any(asks_dates) {
            (facts.changed, warning) = dates(candidates, base);
        }
        for rule in keep.rules() {
            if let KeepRule::Field(name, _) = rule
                && !facts.fields.iter().any(|(known, _)| known == name)
            {
                facts
                    .fields
                    .push((name.clone(), values(name, candidates, options)));
            }
        }
        (facts, warning)
    }

    /// Returns the value of a field of a document.
    #[must_use]
    pub fn field(&self, name: &str, at: usize) -> Option<&str> {
        let (_, values) = self.fields.iter().find(|(known, _)| known == name)?;
        values.get(at)?.as_deref()
    }

    /// Returns the facts of some of the documents, in this order.
    #[must_use]
    pub(super) fn only(&self, positions: &[usize]) -> Self {
        let value =
            |values: &Vec<Option<String>>| positions.iter().map(|&at| values[at].clone()).collect();
        Self {
            changed: match self.changed.is_empty() {
                true => Vec::new(),
                false => positions.iter().map(|&at| self.changed[at]).collect(),
            },
            fields: self
                .fields
                .iter()
                .map(|(name, values)| (name.clone(), value(values)))
                .collect(),
        }
    }
}

/// Returns when each document was changed: the date of the last commit that touched its file, else that of the file.
fn dates(candidates: &[Candidate], base: &Path) -> (Vec<Option<i64>>, Option<String>) {
    let files: Vec<PathBuf> = {
        let mut files: Vec<PathBuf> = candidates.iter().map(|c| c.file.clone()).collect();
        files.sort_unstable();
        files.dedup();
        files
    };
    let asked = Repository::of(&files, base).and_then(|repository| {
        let commits = repository.dates(&files, base)?;
        Ok((commits, repository.is_shallow()))
    });
    let (commits, warning) = match asked {
        Ok((commits, false)) => (commits, None),
        Ok((commits, true)) => {
            let words = "this clone is shallow, and files that were changed before its first commit have the date of \
                         that one; git fetch --unshallow gets the history";
            (commits, Some(words.to_owned()))
        }
        // Without a repository there is nothing to say.
        Err(error) if error.is_without_repository => (HashMap::new(), None),
        Err(error) => {
            let words = format!(
                "the times of the files decide, as git cannot tell those of commits: {error}"
            );
            (HashMap::new(), Some(words))
        }
    };
    let date = |file: &PathBuf| {
        let changed = || {
            let modified = fs::metadata(base.join(file)).ok()?.modified().ok()?;
            match modified.duration_since(UNIX_EPOCH) {
                Ok(after) => i64::try_from(after.as_secs()).ok(),
                Err(before) => i64::try_from(before.duration().as_secs()).ok().map(|s| -s),
            }
        };
        commits.get(file).copied().or_else(changed)
    };
    let by_file: HashMap<&PathBuf, Option<i64>> =
        files.iter().map(|file| (file, date(file))).collect();
    let changed = candidates.iter().map(|c| by_file[&c.file]).collect();
    (changed, warning)
}

/// Returns the value of a field in each document. A file of records is read once.
fn values(name: &str, candidates: &[Candidate], options: &ReadOptions) -> Vec<Option<String>> {
    let mut by_file: HashMap<&Path, Vec<(u64, usize)>> = HashMap::new();
    for (at, candidate) in candidates.iter().enumerate() {
        let asked = by_file.entry(&candidate.file).or_default();
        asked.push((candidate.record, at));
    }
    let found: Vec<(usize, String)> = by_file
        .into_par_iter()
        .flat_map_iter(|(file, asked)| {
            if asked[0].0 == 0 {
                let value = of_front_matter(file, name);
                return asked
                    .iter()
                    .filter_map(|&(_, at)| Some((at, value.clone()?)))
                    .collect();
            }
            of_records(file, name, &asked, options)
        })
        .collect();
    let mut values = vec![None; candidates.len()];
    for (at, value) in found {
        values[at] = Some(value);
    }
    values
}

fn of_front_matter(file: &Path, name: &str) -> Option<String> {
    if fs::metadata(file).ok()?.len() > MAX_READ {
        return None;
    }
    let content = fs::read(file).ok()?;
    front_matter::value(&String::from_utf8_lossy(&content), name)
}

/// Returns the values of a field in records, up to the first batch that cannot be read. The field is read as ids are: it
/// is what is written.
fn of_records(
    file: &Path,
    name: &str,
    asked: &[(u64, usize)],
    options: &ReadOptions,
) -> Vec<(usize, String)> {
    let options = ReadOptions {
        fields: Fields {
            id: Some(name.to_owned()),
            ..options.fields.clone()
        },
        ..options.clone()
    };
    let asked: HashMap<u64, usize> = asked.iter().copied().collect();
    let mut found = Vec::new();
    let Ok(Some(batches)) = Batches::open(file, kind_of(file, None), &options) else {
        return found;
    };
    for batch in batches.map_while(Result::ok) {
        for Numbered { number, record, .. } in batch.records(&options.fields) {
            if let (Some(&at), Ok(record)) = (asked.get(&number), record) {
                found.extend(record.id.map(|value| (at, value.into_owned())));
            }
        }
    }
    found
}
