//! Families by their names: pages of one folder that are named alike, and so are meant to be alike.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use dupfind_engine::DocId;
use dupfind_engine::features::document::Document;
use dupfind_engine::verdict::pair::{Pair, Share};
use dupfind_engine::verdict::{Relation, Titles};

/// How many files of a folder have one pattern in their names if it is a family, and how many pairs have the same two
/// words in one place.
const LEAST: u32 = 3;

/// How many files have one pattern that is only half of the words of their names if it is a family.
const LEAST_OF_HALF: u32 = 10;

/// The share of the smaller page from which on a post is no post of its own, in ten-thousandths.
const OF_POST: u64 = 8_000;

/// Patterns in the names of the files of some documents.
#[derive(Debug, Default)]
pub(in crate::clean) struct NamedFamilies {
    /// How many files there are of each pattern: a folder, and the first and the last words of a name.
    patterns: HashMap<u64, u32>,
    /// How many pairs there are of two words in one folder.
    swaps: HashMap<u64, u32>,
}

impl NamedFamilies {
    /// Looks at the names of the documents of some pairs.
    pub(super) fn new<'p>(documents: &[Document], pairs: impl Iterator<Item = &'p Pair>) -> Self {
        let mut found = Self::default();
        for pair in pairs {
            found.add(documents, pair);
        }
        found.count(documents);
        found
    }

    /// Looks at the names of the documents of a pair.
    pub(in crate::clean) fn add(&mut self, documents: &[Document], pair: &Pair) {
        if !may_be_of_family(pair.relation) {
            return;
        }
        if let Some(likeness) = Likeness::of(names(documents, pair)) {
            self.patterns.insert(likeness.pattern, 0);
            *self.swaps.entry(likeness.swap).or_default() += 1;
        }
    }

    /// Counts the files of each pattern, when all pairs were added.
    pub(in crate::clean) fn count(&mut self, documents: &[Document]) {
        if self.patterns.is_empty() {
            return;
        }
        for name in documents
            .iter()
            .filter_map(|document| FileName::of(&document.name))
        {
            let count = name.words.len();
            for first in 0..count {
                for last in 0..count - first {
                    let words = (&name.words[..first], &name.words[count - last..]);
                    if let Some(files) = self.patterns.get_mut(&hash((name.folder, words))) {
                        *files += 1;
                    }
                }
            }
        }
    }

    /// Returns whether the two documents of a pair are pages of a family. Their titles differ, and they are parts of a
    /// series; or one is a post with a date, and most of it is its own; or one word or a few of their names differ, as
    /// in other names of the folder. Copies are no family.
    pub(super) fn have(&self, documents: &[Document], pair: &Pair) -> bool {
        let share = pair.smaller_first(documents).map(|[(_, share), _]| share);
        self.have_two(documents, [pair.a, pair.b], pair.relation, share)
    }

    /// Returns whether two documents of a relation are pages of a family, see [`Self::have`]. `share` is how much of the
    /// smaller one is in the other one, if it is known.
    pub(in crate::clean) fn have_two(
        &self,
        documents: &[Document],
        ids: [DocId; 2],
        relation: Relation,
        share: Option<Share>,
    ) -> bool {
        if !may_be_of_family(relation) {
            return false;
        }
        let [a, b] = ids.map(|id| &documents[id.index()]);
        let (names, titles) = ([&*a.name, &*b.name], [a.title.hash, b.title.hash]);
        let is_mostly_shared = share.is_none_or(|share| share.steps() >= OF_POST);
        Titles::of(titles) != Titles::Equal
            && (are_of_series(names)
                || names.into_iter().any(is_dated) && !is_mostly_shared
                || Likeness::of(names).is_some_and(|likeness| self.is_family(&likeness)))
    }

    fn is_family(&self, likeness: &Likeness) -> bool {
        let often = |counts: &HashMap<u64, u32>, key, least| {
            counts.get(&key).is_some_and(|&count| count >= least)
        };
        match likeness.is_half {
            true => often(&self.patterns, likeness.pattern, LEAST_OF_HALF),
            false => {
                often(&self.patterns, likeness.pattern, LEAST)
                    || often(&self.swaps, likeness.swap, LEAST)
            }
        }
    }
}

/// Returns whether a pair of a relation may be one of a family, or of generated pages.
pub(super) fn may_be_of_family(relation: Relation) -> bool {
    matches!(
        relation,
        Relation::Near | Relation::Contains | Relation::Related
    )
}

fn names<'d>(documents: &'d [Document], pair: &Pair) -> [&'d str; 2] {
    [pair.a, pair.b].map(|id| &*documents[id.index()].name)
}

fn hash(key: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

/// The name of a file, in words.
struct FileName<'n> {
    folder: &'n str,
    words: Vec<&'n str>,
}

impl<'n> FileName<'n> {
    /// Returns the words of a name; none if it is that of a record.
    fn of(name: &'n str) -> Option<Self> {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let words = stem
            .split(['-', '_', '.', ' '])
            .filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        (!file.contains('#')).then_some(Self { folder, words })
    }
}

/// How two names of a folder are alike, as hashes.
struct Likeness {
    pattern: u64,
    swap: u64,
    /// Whether no more than half of the words are the same.
    is_half: bool,
}

impl Likeness {
    /// Returns how two names are alike, if at least half of their words are the same; none if one has all the words of
    /// the other, as a copy has that was named after its original.
    fn of(names: [&str; 2]) -> Option<Self> {
        let [a, b] = [FileName::of(names[0])?, FileName::of(names[1])?];
        let is_same = |(x, y): &(&&str, &&str)| x == y;
        let first = a.words.iter().zip(&b.words).take_while(is_same).count();
        let [x, y] = [&a.words[first..], &b.words[first..]];
        let last = x
            .iter()
            .rev()
            .zip(y.iter().rev())
            .take_while(is_same)
            .count();
        let [x, y] = [x, y].map(|words| &words[..words.len() - last]);
        let (same, all) = ((first + last) * 2, a.words.len().max(b.words.len()));
        if a.folder != b.folder || x.is_empty() || y.is_empty() || same < all {
            return None;
        }
        let count = a.words.len();
        Some(Self {
            pattern: hash((a.folder, (&a.words[..first], &a.words[count - last..]))),
            swap: hash((a.folder, x.min(y), x.max(y))),
            is_half: same == all,
        })
    }
}

/// Returns whether two documents are parts of a series, such as release notes: files of one folder whose names differ in
/// nothing but numbers. Names of nothing but one number are those of unlike pages. Records are no parts.
fn are_of_series([a, b]: [&str; 2]) -> bool {
    let parts = |name| -> (&str, &str) { str::rsplit_once(name, '/').unwrap_or(("", name)) };
    let ((folder, file), (other_folder, other)) = (parts(a), parts(b));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    folder == other_folder
        && !file.contains('#')
        && stem.contains(|c: char| c.is_alphabetic() || c == '.')
        && without_numbers(file) == without_numbers(other)
}

/// Whether the name of a file, or that of its folder, begins with a date, such as `2024-05-31`.
fn is_dated(name: &str) -> bool {
    let form = *b"0000-00-00";
    let is_it = |(c, form): (u8, u8)| match form {
        b'0' => c.is_ascii_digit(),
        _ => c == form,
    };
    let begins = |part: &str| part.len() > form.len() && part.bytes().zip(form).all(is_it);
    !name.contains('#') && name.rsplit('/').take(2).any(begins)
}

/// Returns a name with a zero for each number: `release-0.md` for `release-7.1.6.md`, and `v0.md` for `v1beta2.md`.
fn without_numbers(name: &str) -> String {
    let mut chars = name.chars().peekable();
    let mut text = String::new();
    let mut is_in_number = false;
    while let Some(c) = chars.next() {
        let is_point = c == '.' && chars.peek().is_some_and(char::is_ascii_digit);
        let was_in_number = is_in_number;
        is_in_number = c.is_ascii_digit() || was_in_number && is_point;
        match (was_in_number, is_in_number) {
            (true, true) => {}
            (false, true) => text.push('0'),
            (_, false) => text.push(c),
        }
    }
    let forms = ["0alpha0", "0beta0", "0-alpha", "0-beta", "0-rc"];
    let text = forms
        .iter()
        .fold(text, |text, form| text.replace(form, "0"));
    text.replace("0.0", "0").replace("00", "0")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clean::worklist::tests::pair;

    #[test]
    fn names_of_a_series_differ_in_numbers() {
        for (a, b, is_series) in [
            ("docs/release-7.1.6.md", "docs/release-8.1.md", true),
            ("releases/1.6.3.txt", "releases/1.10.txt", true),
            ("v1beta3.md", "v1.md", true),
            ("docs/release-5.0.0-rc.1.md", "docs/release-5.0.0.md", true),
            ("docs/2024-05 weekly.md", "docs/2024-06 weekly.md", true),
            ("docs/release-7.md", "docs/releases-7.md", false),
            ("docs/release.md", "docs/release-7.md", false),
            ("docs/2021/pods.md", "docs/2025/pods.md", false),
            ("docs/001.md", "docs/002.md", false),
            ("pages.jsonl#1", "pages.jsonl#2", false),
        ] {
            assert_eq!(are_of_series([a, b]), is_series, "{a} {b}");
        }
    }

    /// Returns whether the first two of some files are of a family, if these pairs are near.
    fn is_family(files: &[&str], pairs: &[(u32, u32)], titles: [u64; 2]) -> bool {
        let mut documents: Vec<Document> =
            files.iter().map(|name| Document::sample(*name)).collect();
        for (document, title) in documents.iter_mut().zip(titles) {
            document.title.hash = title;
        }
        let near = |&(a, b): &(u32, u32)| pair(a, b, Relation::Near, 5_000);
        let pairs: Vec<Pair> = pairs.iter().map(near).collect();
        NamedFamilies::new(&documents, pairs.iter()).have(&documents, &pairs[0])
    }

    #[test]
    fn pages_that_are_named_alike_are_a_family_unless_they_have_one_title() {
        let drivers = [
            "d/driver-mysql.md",
            "d/driver-oracle.md",
            "d/driver-redis.md",
        ];
        assert!(!is_family(&drivers, &[(0, 1)], [2, 4]), "half of the words");
        let many: Vec<String> = (0..10)
            .map(|at| format!("d/driver-{}.md", "x".repeat(at + 1)))
            .collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(is_family(&many, &[(0, 1)], [2, 4]));
        assert!(!is_family(&many[..9], &[(0, 1)], [2, 4]));
        let drivers = [
            "d/the-driver-mysql.md",
            "d/the-driver-oracle.md",
            "d/the-driver-redis.md",
        ];
        assert!(is_family(&drivers, &[(0, 1)], [2, 4]));
        assert!(is_family(&drivers, &[(0, 1)], [0, 0]));
        assert!(!is_family(&drivers, &[(0, 1)], [2, 2]));
        assert!(!is_family(&drivers[..2], &[(0, 1)], [2, 4]));
        let copy = [
            "d/the-driver.md",
            "d/the-driver-old.md",
            "d/the-driver-new.md",
        ];
        assert!(!is_family(&copy, &[(0, 1)], [2, 4]));
        let elsewhere = [
            "d/the-driver-mysql.md",
            "e/the-driver-oracle.md",
            "e/the-driver-redis.md",
        ];
        assert!(!is_family(&elsewhere, &[(0, 1)], [2, 4]));
    }

    #[test]
    fn a_post_is_of_its_time_unless_most_of_it_is_shared() {
        let post = ["posts/2024-05-01-cats.md", "docs/cats.md"];
        // 60 of 80 shingles, or of 70.
        for (shingles, expected) in [(80, true), (70, false)] {
            let document = |name: &&str| Document {
                shingles,
                ..Document::sample(*name)
            };
            let documents: Vec<Document> = post.iter().map(document).collect();
            let pairs = [pair(0, 1, Relation::Near, 5_000)];
            let families = NamedFamilies::new(&documents, pairs.iter());
            assert_eq!(families.have(&documents, &pairs[0]), expected);
        }
        assert!(is_dated("posts/2024-05-01-cats/index.md"));
        assert!(!is_dated("2024-05-01-cats/a/index.md") && !is_dated("r.jsonl#2024-05-01-x"));
    }

    #[test]
    fn two_words_in_many_pairs_make_a_family() {
        let files = [
            "c/my-dm-stop.md",
            "c/my-db-stop.md",
            "c/my-dm-list.md",
            "c/my-db-list.md",
            "c/my-db-scale.md",
            "c/my-dm-scale.md",
        ];
        assert!(is_family(&files, &[(0, 1), (2, 3), (4, 5)], [2, 4]));
        assert!(!is_family(&files, &[(0, 1), (2, 3)], [2, 4]));
    }
}
