//! The documents that may stay or go, and the facts that the rules need.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use dupfind_engine::{Document, Error, Result};
use dupfind_read::extract::front_matter::FrontMatter;
use dupfind_read::records::Numbered;
use dupfind_read::source::git::CommitOf;
use dupfind_read::source::name::plain;
use dupfind_read::source::pre::kind_of;
use dupfind_read::{Batches, Fields, ReadOptions, Repository};
use dupfind_scan::Source;
use rayon::prelude::*;

use crate::clean::heads::{Head, heads};
use crate::clean::keep::field::is_unordered_date;
use crate::clean::keep::{Keep, KeepRule};
use crate::clean::mentions::{Mentions, is_home, mentions};

/// A document that may stay or go.
#[derive(Debug, Clone)]
pub struct Candidate<'s> {
    /// The document.
    pub document: &'s Document,
    /// The language and the version that its place names, as [`dupfind_read::Editions::named`].
    pub edition: [u16; 2],
    /// Where it was read from.
    pub source: &'s Source,
    /// The path of its file, as the user would type it.
    pub file: &'s Path,
    /// The place of its file among the files.
    pub place: u64,
    /// Whether it is the page of its folder.
    pub is_home: bool,
    /// Whether people have accepted a pair of it.
    pub is_accepted: bool,
    /// Whether its file has several names among the documents: hard links.
    pub has_names: bool,
    /// Whether it never goes.
    pub stays: bool,
}

impl<'s> Candidate<'s> {
    /// Returns its name in reports.
    pub fn name(&self) -> &'s str {
        &self.document.name
    }

    /// Returns whether it is a record, and not a whole file.
    pub fn is_record(&self) -> bool {
        self.source.is_record()
    }

    /// Returns how many distinct shingles it has, or terms, if no detector looks at shingles.
    pub(in crate::clean) fn size(&self) -> u32 {
        match self.document.shingles {
            0 => self.document.terms,
            shingles => shingles,
        }
    }

    /// Returns a hash of its title; 0 if it has none.
    pub(in crate::clean) fn title(&self) -> u64 {
        self.document.title.letters()
    }
}

#[cfg(test)]
impl Candidate<'static> {
    /// Returns a file of one document, with a text of some bytes.
    pub(in crate::clean) fn of_file(file: &str, length: usize) -> Self {
        let mut document = Document::sample(file);
        document.length = length;
        let document: &Document = Box::leak(Box::new(document));
        Self {
            document,
            edition: [0; 2],
            source: Box::leak(Box::new(Source::of_file(0))),
            file: Path::new(&document.name),
            place: file.len() as u64,
            is_home: false,
            is_accepted: false,
            has_names: false,
            stays: false,
        }
    }
}

/// Facts about documents for the rules, by the positions of the documents.
#[derive(Debug, Default)]
pub struct Facts {
    /// When each was changed, in seconds since 1970; empty if no rule asks.
    pub changed: Vec<Option<i64>>,
    /// When each was made, in the same way. Unknown for a document that was made before the history begins.
    pub made: Vec<Option<i64>>,
    /// How many files have a path or a link to each; empty if there are no links.
    pub linked: Vec<usize>,
    /// Where the documents are mentioned, by their names.
    pub mentions: Mentions,
    /// What the pages tell of themselves, by their names.
    pub(in crate::clean) heads: HashMap<String, Head>,
    /// Whether a page may go that something mentions.
    pub even_if_linked: bool,
    /// The fields that rules ask for.
    pub fields: BTreeMap<String, Vec<Option<String>>>,
}

/// A document must be smaller for its front matter to be looked at.
const MAX_READ: u64 = 64 << 20;

impl Facts {
    /// Returns the facts about some documents that the rules need, and a note for the user about the dates of commits.
    /// `base` is the folder that paths are relative to. If the user asks for dates
    /// and git has none, those of the files are used.
    pub fn gather(
        keep: &Keep,
        candidates: &[Candidate<'_>],
        options: &ReadOptions,
        base: &Path,
    ) -> (Self, Option<String>) {
        let mut facts = Self::of_site(candidates, base);
        let mut note = None;
        let has_pages = !candidates.iter().all(Candidate::is_record);
        for rule in keep.rules() {
            match rule {
                KeepRule::Newest | KeepRule::Oldest
                    if !candidates.is_empty() && (keep.asks(rule) || has_pages) =>
                {
                    let which = match rule {
                        KeepRule::Newest => CommitOf::Change,
                        _ => CommitOf::Making,
                    };
                    let (dates, said) = dates(candidates, base, which, keep.asks(rule));
                    note = note.or(said);
                    match rule {
                        KeepRule::Newest => facts.changed = dates,
                        _ => facts.made = dates,
                    }
                }
                KeepRule::Field(name, _) => {
                    let values = || values(name, candidates, options);
                    facts.fields.entry(name.clone()).or_insert_with(values);
                }
                _ => {}
            }
        }
        (facts, note)
    }

    /// Returns what the files around some documents tell of them: enough to know which may go.
    pub fn of_site(candidates: &[Candidate<'_>], base: &Path) -> Self {
        let pages = candidates.iter().filter(|candidate| !candidate.is_record());
        let pages: BTreeSet<&Path> = pages.map(|candidate| candidate.file).collect();
        let (mentions, links) = mentions(&pages, base);
        let count = |of: &Candidate<'_>| links.get(of.name()).copied().unwrap_or_default();
        Self {
            // Records, which may be millions, have no links.
            linked: match links.is_empty() {
                true => Vec::new(),
                false => candidates.iter().map(count).collect(),
            },
            heads: heads(&pages, base),
            mentions,
            ..Self::default()
        }
    }

    /// Returns what is said of a rule of the user whose field no document has: it decides nothing. `None` if there is none.
    pub fn unused_field(&self, keep: &Keep) -> Option<String> {
        let lacks = |rule: &&KeepRule| {
            let KeepRule::Field(name, _) = rule else {
                return false;
            };
            let values = self.fields.get(name);
            values.is_some_and(|values| !values.is_empty() && values.iter().all(Option::is_none))
        };
        let rule = keep.rules().iter().find(lacks)?;
        Some(format!(
            "the rule '{rule}' decides nothing: no document that is like another one has this field"
        ))
    }

    /// Checks that some record has each field that a rule of the user is about, and that the dates can be ordered.
    ///
    /// # Errors
    ///
    /// [`Error::Option`].
    pub fn check_fields(&self, keep: &Keep) -> Result<()> {
        self.check_dates(keep)?;
        self.unused_field(keep)
            .map_or(Ok(()), |said| Err(Error::Option(said)))
    }

    /// Checks that the dates of each field that a rule of the user is about can be ordered.
    ///
    /// # Errors
    ///
    /// [`Error::Option`].
    pub fn check_dates(&self, keep: &Keep) -> Result<()> {
        let of_user = |rule: &KeepRule| match rule {
            KeepRule::Field(name, _) => self.fields.get_key_value(name),
            _ => None,
        };
        for (name, values) in keep.rules().iter().filter_map(of_user) {
            let mut given = values.iter().flatten();
            if let Some(value) = given.find(|value| is_unordered_date(value)) {
                return Err(Error::Option(format!(
                    "the dates of the field '{name}' cannot be ordered, such as '{value}': write them as 2023-01-31"
                )));
            }
        }
        Ok(())
    }

    /// Returns the value of a field of a document.
    pub fn field(&self, name: &str, at: usize) -> Option<&str> {
        self.fields.get(name)?.get(at)?.as_deref()
    }
}

/// Returns when each document was changed or made: the date of the commit, and where there is none, that of the file if
/// `uses_files`.
fn dates(
    candidates: &[Candidate<'_>],
    base: &Path,
    which: CommitOf,
    uses_files: bool,
) -> (Vec<Option<i64>>, Option<String>) {
    let files: BTreeSet<&Path> = candidates.iter().map(|c| c.file).collect();
    let files: Vec<PathBuf> = files.into_iter().map(Path::to_owned).collect();
    let asked = Repository::of(&files, base).and_then(|repository| {
        let commits = repository.dates(&files, base, which)?;
        Ok((commits, repository.is_shallow()))
    });
    let instead = match uses_files {
        true => "the times of the files decide",
        false => "the age of pages decides nothing",
    };
    let (commits, note) = match asked {
        Ok((commits, false)) => (commits, None),
        Ok((commits, true)) => {
            let words = match which {
                CommitOf::Change => {
                    "files that were changed before its first commit have the date of that one"
                }
                CommitOf::Making => {
                    "of files that are older than its first commit the age is not known"
                }
            };
            let words = format!(
                "this clone is shallow, and {words}; git fetch --unshallow gets the history"
            );
            (commits, Some(words))
        }
        // Without a repository there is no note.
        Err(error) if error.is_without_repository => (HashMap::new(), None),
        Err(error) => {
            let words = format!("{instead}, as git cannot tell the dates of commits: {error}");
            (HashMap::new(), Some(words))
        }
    };
    let of_file = |file: &PathBuf| {
        let modified = fs::metadata(base.join(file)).ok()?.modified().ok()?;
        match modified.duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_secs()).ok(),
            Err(before) => i64::try_from(before.duration().as_secs()).ok().map(|s| -s),
        }
    };
    let date = |file: &PathBuf| match commits.get(file) {
        Some(date) => Some(*date),
        None => of_file(file).filter(|_| uses_files),
    };
    let by_file: HashMap<&Path, Option<i64>> = files
        .iter()
        .map(|file| (file.as_path(), date(file)))
        .collect();
    let dates = candidates.iter().map(|c| by_file[c.file]);
    (dates.collect(), note)
}

/// Returns the value of a field in each document. A file of records is read once.
pub fn values(
    name: &str,
    candidates: &[Candidate<'_>],
    options: &ReadOptions,
) -> Vec<Option<String>> {
    let mut by_file: HashMap<&Path, Vec<(u64, usize)>> = HashMap::new();
    for (at, candidate) in candidates.iter().enumerate() {
        let asked = by_file.entry(candidate.file).or_default();
        asked.push((candidate.source.record, at));
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
    FrontMatter::of(&String::from_utf8_lossy(&content)).value(name)
}

/// Returns the values of a field in records, up to the first batch that cannot be read. The field is read as ids are:
/// as it is written.
fn of_records(
    file: &Path,
    name: &str,
    asked: &[(u64, usize)],
    options: &ReadOptions,
) -> Vec<(usize, String)> {
    let options = ReadOptions {
        fields: Fields {
            id: Some(name.to_owned()),
            takes_lists: true,
            ..options.fields.clone()
        },
        ..options.clone()
    };
    let asked: HashMap<u64, usize> = asked.iter().copied().collect();
    let mut found = Vec::new();
    let Ok(Some(batches)) = Batches::open(file, kind_of(file, None), &options) else {
        return found;
    };
    for batch in batches.map_while(|batch| batch.ok()) {
        for Numbered { number, record, .. } in batch.records(&options.fields) {
            if let (Some(&at), Ok(record)) = (asked.get(&number), record) {
                found.extend(record.id.map(|value| (at, value.into_owned())));
            }
        }
    }
    found
}

/// Lets the pages of folders stay, unless the user named them. `files` are the files of the collection, and `named` the
/// paths that the user typed; all are relative to `base`. A page that is alone in its folder is a page like any other,
/// as some sites have a folder for each page; in a folder that the user named, it is the page of the site.
pub fn keep_homes(
    candidates: &mut [Candidate<'_>],
    files: &[PathBuf],
    named: &[PathBuf],
    base: &Path,
) {
    let place = |path: &Path| plain(&base.join(path));
    let mut named: HashSet<PathBuf> = named.iter().map(|path| place(path)).collect();
    if named.is_empty() {
        named.insert(place(Path::new("")));
    }
    let mut seen: HashSet<PathBuf> = HashSet::new();
    // Folders with more than one page in them or below them.
    let mut sections: HashSet<PathBuf> = HashSet::new();
    for file in files {
        for folder in place(file).ancestors().skip(1) {
            if sections.contains(folder) {
                break;
            }
            if !seen.insert(folder.to_owned()) {
                sections.extend(folder.ancestors().map(Path::to_owned));
                break;
            }
        }
    }
    for candidate in candidates
        .iter_mut()
        .filter(|candidate| !candidate.is_record())
    {
        let file = place(candidate.file);
        let folder = file.parent().unwrap_or(&file);
        candidate.is_home = is_home(&file) && (sections.contains(folder) || named.contains(folder));
        candidate.stays |= candidate.is_home && !named.contains(&file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_sections_stay_unless_they_are_named() {
        let files = [
            "README.md",
            "a/index.md",
            "a/b/index.md",
            "a/c.md",
            "d/_index.md",
            "e/index.html",
        ];
        let files = files.map(PathBuf::from);
        for (named, expected) in [
            (&["."][..], [true, true, false, false, false, false]),
            (
                &["a/index.md", "a/b"],
                [true, false, true, false, false, false],
            ),
            (&["./d"], [true, true, false, false, true, false]),
        ] {
            let of_file = |file: &PathBuf| Candidate::of_file(file.to_str().unwrap(), 10);
            let mut candidates: Vec<Candidate<'_>> = files.iter().map(of_file).collect();
            let named: Vec<PathBuf> = named.iter().map(PathBuf::from).collect();
            keep_homes(&mut candidates, &files, &named, Path::new("/s"));
            let stay: Vec<bool> = candidates.iter().map(|candidate| candidate.stays).collect();
            assert_eq!(stay, expected, "{named:?}");
        }
    }
}
