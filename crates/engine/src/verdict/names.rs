//! Compares the names of two documents.

use memchr::{memchr_iter, memrchr2};

use crate::features::document::Document;
use crate::fingerprint::sketch::WordFilter;
use crate::text::script::{Class, class};
use crate::text::title::is_chinese_digit;
use crate::text::units::{Unit, word};
use crate::verdict::folders::{CHINESE_COPIES, has_version, is_word_of_versions, is_year, subject};

/// The beginning of the names of the rows of another table that rows are compared with, in the place of a file.
pub const OTHER_TABLE: &str = "against#";

/// Returns the name of a document without the file or the table that holds it: of a record, its id.
fn own(name: &str) -> &str {
    if let Some(id) = name.strip_prefix(OTHER_TABLE) {
        return id;
    }
    let is_behind_file = |&at: &usize| split(&name[..at]).1.contains('.');
    let sign = memchr_iter(b'#', name.as_bytes()).find(is_behind_file);
    sign.map_or(name, |at| &name[at + 1..])
}

/// Returns whether the name of a document can decide about its pairs. A number cannot: records without ids have one.
pub fn name_counts(name: &str) -> bool {
    own(name).contains(|c: char| !c.is_ascii_digit())
}

/// Returns the folder of a document, with a slash.
pub(super) fn folder(name: &str) -> &str {
    split(own(name)).0
}

/// Returns the name of the folder that a document is the index of; `None` if it is no index.
fn folder_of_index(name: &str) -> Option<&str> {
    let (folder, stem) = (folder(name), stem(name));
    let indexes = ["index", "_index", "readme", "skill"];
    let is_index = indexes.iter().any(|index| stem.eq_ignore_ascii_case(index));
    is_index.then(|| split(folder.trim_end_matches(['/', '\\'])).1)
}

/// Returns whether two documents have the same name of a page: [`PagePlace::name`](crate::verdict::place::PagePlace::name).
pub(super) fn have_one_name(a: &str, b: &str) -> bool {
    in_lower_case(page_name(a)).eq(in_lower_case(page_name(b)))
}

fn in_lower_case(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().flat_map(char::to_lowercase)
}

/// Returns the name of a page: that of its file without the extension, or that of its folder if the file is its index.
pub(super) fn page_name(name: &str) -> &str {
    folder_of_index(name).unwrap_or_else(|| stem(name))
}

/// Returns whether a document is the index of a folder.
pub(super) fn is_index(name: &str) -> bool {
    folder_of_index(name).is_some()
}

/// Returns whether two documents are the indexes of folders that are named after notes about two releases:
/// `release-v1.4/index.md` and `release-v1.5/index.md`.
pub(super) fn are_notes_in_folders(a: &str, b: &str) -> bool {
    let folders = folder_of_index(a).zip(folder_of_index(b));
    folders.is_some_and(|(a, b)| name_two_releases(a, b) && tell_notes(&words_of(a)))
}

/// Returns whether two siblings have the name of one file, in two folders.
pub(super) fn are_one_file(a: &str, b: &str) -> bool {
    folder(a) != folder(b) && in_lower_case(file(a)).eq(in_lower_case(file(b)))
}

/// Returns whether the folders of two documents are the same, or differ in years alone, as those of news do.
pub(super) fn are_of_years(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(|name| folder(name).split(['/', '\\']));
    a.clone().count() == b.clone().count()
        && a.zip(b).all(|(a, b)| a == b || is_year(a) && is_year(b))
}

/// Returns whether the files of two documents have names that differ in numbers alone, with a word beside them: `draft-v1.md`
/// and `draft-v2.md`, `page__r003.html` and `page__r034.html`.
pub(super) fn name_two_revisions(a: &str, b: &str) -> bool {
    differ_in_numbers(a, b) && words(a).concat().contains(char::is_alphabetic)
}

fn differ_in_numbers(a: &str, b: &str) -> bool {
    let files = [a, b].map(|name| split(own(name)).1);
    let has_number = |file: &&str| file.bytes().any(|byte| byte.is_ascii_digit());
    files[0] != files[1]
        && files.iter().all(has_number)
        && without_numbers(files[0]) == without_numbers(files[1])
}

/// Returns whether the names of two documents begin or end with the same words, and the rest is other words, or words that only
/// one has, as the names of pages for two subjects have: `create-user.md` and `drop-user.md`, `BaggingClassifier.txt` and
/// `BaggingRegressor.txt`, `user.md` and `proxy-user.md`. Words with a digit tell nothing, as files are counted up; and `old` and
/// `copy` name a version of the other one, or of the same page: `user-old.md` and `user.md`, `old-user.md` and `new-user.md`.
pub fn name_two_subjects(a: &str, b: &str) -> bool {
    subjects([&words(a), &words(b)]).is_some()
}

/// Returns the words of two such names that are before the same last words, as in `notebook-list-pages.md` and
/// `section-list-pages.md`, or in `list-notebook-pages.md` and `list-section-pages.md`; `None` for other names. The name of a copy
/// has its own word at the end: `pages-anna.md`.
pub(super) fn inner_subjects(a: &str, b: &str) -> Option<[Vec<String>; 2]> {
    let [a, b] = [words(a), words(b)];
    let subjects = subjects([&a, &b])?;
    let (starts, _) = differing([&a, &b]);
    let behind = &a[starts + subjects[0].len()..];
    let tells_version = |word: &String| is_word_of_versions(word);
    (behind.iter().any(|word| tells(word)) && !subjects.concat().iter().any(tells_version))
        .then(|| subjects.map(<[String]>::to_vec))
}

/// Returns the words in which the names of two subjects differ; `None` for other names.
fn subjects([a, b]: [&[String]; 2]) -> Option<[&[String]; 2]> {
    let (starts, rest) = differing([a, b]);
    let is_version =
        |words: &[String]| words.is_empty() || words.iter().any(|word| is_word_of_versions(word));
    let shared = a[..starts].iter().chain(&a[starts + rest[0].len()..]);
    let are_subjects = rest[0] != rest[1]
        && !rest.iter().all(|words| is_version(words))
        && !rest.iter().any(|words| is_chinese_number(words));
    (are_subjects && rest.concat().iter().all(|word| tells(word)) && are_a_word(shared))
        .then_some(rest)
}

/// Returns whether words are the digits of a Chinese number.
fn is_chinese_number(words: &[String]) -> bool {
    !words.is_empty() && words.iter().all(|word| word.chars().all(is_chinese_digit))
}

/// Returns how many words two names begin with, and the words that are left of each without these and the last ones that both have.
fn differing([a, b]: [&[String]; 2]) -> (usize, [&[String]; 2]) {
    let fewest = a.len().min(b.len());
    let starts = same(a.iter().zip(b), fewest);
    let ends = same(a.iter().rev().zip(b.iter().rev()), fewest - starts);
    (
        starts,
        [a, b].map(|words| &words[starts..words.len() - ends]),
    )
}

/// Returns whether the paths of two documents differ twice in the same words, in two folders or in a folder and the name of the
/// file: `on-mac/2.install-mac.md` and `on-linux/5.install-linux.md`, `sinks/sink-of-events/a.md` and
/// `sources/source-of-events/a.md`. What else differs does not matter. A page may be named after its folder alone, also its copy:
/// `guide/guide.md`.
pub(super) fn differ_twice_in_subjects(a: &str, b: &str) -> bool {
    // The number of a place does not count.
    let words_of_folder = |folder| {
        let mut words = words_of(folder);
        words.retain(|word| word.contains(char::is_alphabetic));
        words
    };
    let folders = |name| folder(name).split(['/', '\\']).map(words_of_folder);
    let names = folders(a).zip(folders(b)).chain([(words(a), words(b))]);
    // The words in which two names differ, and whether the names have others.
    let mut known: Vec<([Vec<String>; 2], bool)> = Vec::new();
    for (a, b) in names {
        let (_, swap) = differing([&a, &b]);
        let tells_version = |word: &String| is_word_of_versions(word) || !tells(word);
        if swap.iter().any(|words| words.is_empty()) || swap.concat().iter().any(tells_version) {
            continue;
        }
        let has_others = a.len() > swap[0].len();
        let is_again = known.iter().any(|([of_a, of_b], had_others)| {
            (has_others || *had_others)
                && are_words_of_one(of_a, swap[0])
                && are_words_of_one(of_b, swap[1])
        });
        if is_again {
            return true;
        }
        known.push((swap.map(<[String]>::to_vec), has_others));
    }
    false
}

/// Returns whether each of two texts has a word that only its own path has, and that tells a subject: the text of
/// `uninstall-rhel.md` has `rhel`, that of `uninstall-sles.md` has `sles`, and neither has both. A copy has the words of the other
/// one. If only one of the paths has such words, as `api/functional/relu.md` beside `api/relu.md`, its text has one of them.
pub(super) fn texts_name_their_subjects(two: [&Document; 2]) -> bool {
    let own = own_words(two);
    let [a, b] = two.map(|document| &document.sketches.words);
    let names = |own: &[Unit], text: &WordFilter, other: &WordFilter| {
        own.iter().any(|&word| text.has(word) && !other.has(word))
    };
    match own.each_ref().map(Vec::is_empty) {
        [true, true] => false,
        [false, true] => names(&own[0], a, b),
        [true, false] => names(&own[1], b, a),
        [false, false] => names(&own[0], a, b) && names(&own[1], b, a),
    }
}

/// Returns whether each of two texts has a word that only its own path has at least twice as often as the other one, and at least
/// twice: `cpu.md` has `cpu` 19 times and `memory` 5 times, `memory.md` the other way round. A copy under another title has the words
/// as often, but for the title.
pub(super) fn texts_repeat_their_subjects(two: [&Document; 2]) -> bool {
    let own = own_words(two);
    let [a, b] = two.map(|document| &document.sketches.words);
    own[0].iter().any(|&word| a.has_more(b, word)) && own[1].iter().any(|&word| b.has_more(a, word))
}

/// Returns whether two documents are in one folder or have one name. A page that was written anew for another folder under another
/// name has other words of these by chance.
pub(super) fn are_in_one_place(a: &str, b: &str) -> bool {
    folder(a) == folder(b) || have_one_name(a, b)
}

/// Returns the words that only the path of each of two documents has.
fn own_words(two: [&Document; 2]) -> [Vec<Unit>; 2] {
    let words = two.map(|document| subject_words(&document.name));
    [0, 1].map(|side| {
        let own = words[side]
            .iter()
            .filter(|word| !words[1 - side].contains(word));
        own.map(|own| word(own)).collect()
    })
}

/// Returns the words of the path of a document that can tell its subject. Those of folders of versions and languages do not.
fn subject_words(name: &str) -> Vec<String> {
    let folders = folder(name).split(['/', '\\']);
    let folders = folders.filter(|folder| !subject(folder).is_empty());
    let mut all: Vec<String> = folders.flat_map(words_of).collect();
    all.extend(words(name));
    all.retain(|word| tells(word) && word.len() > 1 && !is_word_of_versions(word));
    all
}

/// Returns whether two lists have the same words, but for an `s` at their ends.
fn are_words_of_one(a: &[String], b: &[String]) -> bool {
    let without_plural = |word: &String| word.strip_suffix('s').unwrap_or(word).to_owned();
    a.iter()
        .map(without_plural)
        .eq(b.iter().map(without_plural))
}

/// Returns whether two documents have one name, in two folders that their titles name, each its own: `# @tea/kettle` in
/// `kettle/CHANGELOG.md`, `# Mugs for tea` in `mugs/CHANGELOG.md`.
pub(super) fn are_titled_after_folders(two: [&Document; 2]) -> bool {
    if !have_one_name(&two[0].name, &two[1].name) {
        return false;
    }
    let [a, b] = two.map(|document| {
        let folders = folder(&document.name).trim_end_matches(['/', '\\']);
        words_of(split(folders).1).concat()
    });
    let names = |document: &Document, own: &str| {
        own.chars().nth(1).is_some() && words_of(&document.title.shown).concat().contains(own)
    };
    a != b && names(two[0], &a) && names(two[1], &b) && !names(two[0], &b) && !names(two[1], &a)
}

/// Returns whether a word of a name can tell a subject: files are counted up by numbers, but not by one between letters, as in
/// `n8n` and `k8s`. Longer words of this kind are made by programs.
pub(super) fn tells(word: &str) -> bool {
    const LONGEST: usize = 5;
    let inner = word.trim_matches(char::is_alphabetic);
    let has_letters_around =
        word.starts_with(char::is_alphabetic) && word.ends_with(char::is_alphabetic);
    !word.contains(char::is_numeric)
        || word.len() <= LONGEST && has_letters_around && inner.chars().all(char::is_numeric)
}

/// Returns whether the names of two documents differ in version numbers alone, as those of release notes do:
/// `release-7.1.6.md` and `release-8.1.md`, `config.v1.md` and `config.v1beta2.md`. Files that are counted up have no such
/// numbers: `page-1.md`, `text2.txt`.
pub fn name_two_releases(a: &str, b: &str) -> bool {
    differ_in_numbers(a, b) && [a, b].iter().all(|name| has_version(split(own(name)).1))
}

/// Returns whether the name of a document says that it has notes about releases.
pub(super) fn name_notes(name: &str) -> bool {
    tell_notes(&words(name))
}

/// Returns whether words of a name say the same.
fn tell_notes(words: &[String]) -> bool {
    const WORDS: [&str; 9] = [
        "changelog",
        "changes",
        "history",
        "notes",
        "release",
        "released",
        "releases",
        "upgrade",
        "upgrading",
    ];
    words.iter().any(|word| WORDS.contains(&&**word))
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

/// Returns how many of the first pairs of words are equal, but no more than `most`.
fn same<'a>(pairs: impl Iterator<Item = (&'a String, &'a String)>, most: usize) -> usize {
    pairs.take(most).take_while(|(a, b)| a == b).count()
}

/// Returns the folder of a document and the name of its file.
fn split(name: &str) -> (&str, &str) {
    name.split_at(memrchr2(b'/', b'\\', name.as_bytes()).map_or(0, |at| at + 1))
}

/// Returns the name of the file of a document, without the number of its place: `install.md` of `02-install.md`.
pub(super) fn file(name: &str) -> &str {
    let file = split(own(name)).1;
    let rest = unnumbered(file);
    if rest.contains('.') { rest } else { file }
}

/// Returns the name of a file or a folder without the number that gives it its place among others: `install.md` of
/// `02-install.md` and `300.install.md`, `guide` of `01-guide`. The number of a date or a version is none.
pub fn unnumbered(name: &str) -> &str {
    let behind = name.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = behind.trim_start_matches(['-', '_', '.', ' ']);
    let is_place = behind.len() < name.len() && rest.len() < behind.len();
    match is_place && rest.starts_with(char::is_alphabetic) {
        true => rest,
        false => name,
    }
}

/// Returns the same without the extension.
fn stem(name: &str) -> &str {
    let file = file(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// Returns the words of the name of a document in lower case, without its folder and its extension.
pub(super) fn words(name: &str) -> Vec<String> {
    words_of(stem(name))
}

/// Returns the words of the name of a folder, or of a file without its extension.
fn words_of(stem: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in stem.split(|c: char| !c.is_alphanumeric()) {
        let mut rest = part;
        // `BaggingRegressor` is two words, and `创建用户` is four.
        while let Some(at) = hump(rest).into_iter().chain(ideograph(rest)).min() {
            words.push(&rest[..at]);
            rest = &rest[at..];
        }
        words.push(rest);
    }
    words.retain(|word| !word.is_empty());
    let mut words: Vec<String> = words.into_iter().map(str::to_lowercase).collect();
    // The functions `add` and `add_` are two subjects.
    if let Some(last) = words.last_mut().filter(|_| stem.ends_with('_')) {
        last.push('_');
    }
    words
}

/// Returns where the second word of a name like `secondWord` starts.
fn hump(word: &str) -> Option<usize> {
    let mut before = false;
    word.char_indices().find_map(|(at, c)| {
        let starts = before && c.is_uppercase();
        before = c.is_lowercase();
        starts.then_some(at)
    })
}

/// Returns where the second word of a name starts if it or the first one is an ideograph. A word for a copy is one: `终稿`.
fn ideograph(word: &str) -> Option<usize> {
    let is_han = |c: char| class(c) == Class::Han;
    let first = word.chars().next()?;
    if !is_han(first) {
        return word.find(is_han);
    }
    let copies = CHINESE_COPIES
        .iter()
        .filter(|copy| word.starts_with(**copy));
    let length = copies.map(|copy| copy.len()).max();
    Some(length.unwrap_or(first.len_utf8())).filter(|&at| at < word.len())
}

/// Returns whether words of a name have letters, and are more than one ideograph, which may be the same by chance.
pub(super) fn are_a_word<'w>(words: impl Iterator<Item = &'w String>) -> bool {
    let letters = words
        .flat_map(|word| word.chars())
        .filter(|c| c.is_alphabetic());
    let mut letters = letters.map(|c| class(c) == Class::Han);
    letters
        .next()
        .is_some_and(|is_ideograph| !is_ideograph || letters.next().is_some())
}

#[cfg(test)]
mod tests;
