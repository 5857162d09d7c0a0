//! Compares the names of two documents.

/// Returns the name of a document without the file that holds it: of a record, its id.
fn own(name: &str) -> &str {
    let is_behind_file = |&(at, _): &(usize, &str)| split(&name[..at]).1.contains('.');
    let mut signs = name.match_indices('#');
    let sign = signs.find(is_behind_file);
    sign.map_or(name, |(at, sign)| &name[at + sign.len()..])
}

/// Returns whether the name of a document can decide about its pairs. A number cannot: records without ids have one.
#[must_use]
pub fn name_counts(name: &str) -> bool {
    own(name).contains(|c: char| !c.is_ascii_digit())
}

/// Returns whether two documents have one name, but for the folder and the extension: `v1/api.md` and `v2/api.md`,
/// `paper.tex` and `paper.pdf`.
pub(super) fn have_one_name(a: &str, b: &str) -> bool {
    let stem = |name| {
        let file = split(own(name)).1;
        file.rsplit_once('.').map_or(file, |(stem, _)| stem)
    };
    stem(a) == stem(b)
}

/// Returns whether two documents are in one folder. Which files hold two records does not matter.
pub(super) fn is_sibling(a: &str, b: &str) -> bool {
    split(own(a)).0 == split(own(b)).0
}

/// Returns whether the names of two documents begin or end with the same words, and each has other words in place of the rest, as
/// the names of pages for two subjects have: `create-user.md` and `drop-user.md`, `BaggingClassifier.txt` and
/// `BaggingRegressor.txt`. Words with a digit tell nothing, as files are counted up.
pub(super) fn name_two_subjects(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    let fewest = a.len().min(b.len());
    let starts = same(a.iter().zip(&b), fewest);
    let ends = same(a.iter().rev().zip(b.iter().rev()), fewest - starts);
    let rest = [&a[starts..a.len() - ends], &b[starts..b.len() - ends]];
    let tells = |word: &String| !word.contains(char::is_numeric);
    let is_subject = |words: &&[String]| !words.is_empty() && words.iter().all(tells);
    let mut shared = a[..starts].iter().chain(&a[a.len() - ends..]);
    rest.iter().all(is_subject) && shared.any(tells)
}

/// Returns whether the names of two documents differ in version numbers alone, as those of release notes do:
/// `release-7.1.6.md` and `release-8.1.md`, `config.v1.md` and `config.v1beta2.md`. Files that are counted up have no such
/// numbers: `page-1.md`, `text2.txt`.
pub(super) fn name_two_releases(a: &str, b: &str) -> bool {
    let files = [a, b].map(|name| split(own(name)).1);
    files[0] != files[1]
        && files.into_iter().all(has_version)
        && without_numbers(files[0]) == without_numbers(files[1])
}

/// Returns whether a number of a name has a point in it, or is behind a `v` that begins a word.
fn has_version(file: &str) -> bool {
    let mut before = [' ', ' '];
    file.chars().any(|c| {
        let is_it = c.is_ascii_digit()
            && match before {
                [digit, '.'] => digit.is_ascii_digit(),
                [start, 'v' | 'V'] => !start.is_alphanumeric(),
                _ => false,
            };
        before = [before[1], c];
        is_it
    })
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
    name.split_at(name.rfind(['/', '\\']).map_or(0, |at| at + 1))
}

/// Returns the words of the name of a document in lower case, without its folder and its extension.
fn words(name: &str) -> Vec<String> {
    let file = split(own(name)).1;
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let mut words = Vec::new();
    for part in stem.split(|c: char| !c.is_alphanumeric()) {
        let mut rest = part;
        // `BaggingRegressor` is two words.
        while let Some(at) = hump(rest) {
            words.push(&rest[..at]);
            rest = &rest[at..];
        }
        words.push(rest);
    }
    words.retain(|word| !word.is_empty());
    words.into_iter().map(str::to_lowercase).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_pages_for_two_subjects_have_words_in_common() {
        for (a, b, expected) in [
            ("sql/create-user.md", "sql/drop-user.md", true),
            (
                "api/BaggingClassifier.txt",
                "api/BaggingRegressor.txt",
                true,
            ),
            ("部署-单机.md", "部署-集群.md", true),
            ("show-placement.md", "show-locks-of-tables.md", true),
            ("cluster-scale-out.md", "cluster-deploy.md", true),
            ("create-user.md", "drop-users.md", false),
            ("create-user.md", "create-user-name.md", false),
            ("queue.md", "topics.md", false),
            ("docs/a/queue.md", "docs/a/topics.md", false),
            ("page-1.md", "page-2.md", false),
            ("3-blog.html", "3-news.html", false),
            ("user-List.md", "user-list.md", false),
            ("rows.jsonl#1", "rows.jsonl#2", false),
            ("rows.jsonl#a-one", "more.jsonl#a-two", true),
            ("rows.jsonl#a-one", "a-two", true),
            ("-.md", ".md", false),
            ("", "", false),
        ] {
            assert_eq!(name_two_subjects(a, b), expected, "{a} {b}");
            assert_eq!(name_two_subjects(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn names_of_releases_differ_in_version_numbers() {
        for (a, b, expected) in [
            ("docs/release-7.1.6.md", "docs/release-8.1.md", true),
            ("releases/1.6.3.txt", "releases/1.10.txt", true),
            ("v1beta3.md", "v1.md", true),
            ("api/config.v1.md", "api/config.v1alpha1.md", true),
            ("docs/release-5.0.0-rc.1.md", "docs/release-5.0.0.md", true),
            ("docs/release-7.1.md", "docs/releases-7.2.md", false),
            ("docs/release.md", "docs/release-7.1.md", false),
            ("docs/release-7.1.md", "docs/release-7.1.md", false),
            ("docs/2024-05 weekly.md", "docs/2024-06 weekly.md", false),
            ("text1.txt", "text2.txt", false),
            ("page-1.md", "page-2.md", false),
            ("docs/rev1.md", "docs/rev2.md", false),
            ("docs/001.md", "docs/002.md", false),
            ("pages.jsonl#1", "pages.jsonl#2", false),
        ] {
            assert_eq!(name_two_releases(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn versions_of_a_page_have_one_name() {
        assert!(have_one_name("v1/user-get.md", "beta/user-get.md"));
        assert!(have_one_name("papers/sea.v2.tex", "papers/sea.v2.pdf"));
        assert!(!have_one_name("papers/sea.v1.tex", "papers/sea.v2.tex"));
        assert!(!have_one_name("a/rows.md", "a/rows.jsonl#7"));
        assert!(have_one_name("a.jsonl#v1/user.md", "b.jsonl#v2/user.md"));
        assert!(!have_one_name("v1/user-get.md", "v1/user-list.md"));
    }

    #[test]
    fn documents_of_one_folder_are_siblings() {
        assert!(is_sibling("docs/a.md", "docs/b.md") && is_sibling("a.md", "b.md"));
        assert!(!is_sibling("docs/a.md", "docs/en/a.md") && !is_sibling("a.md", "docs/a.md"));
        // Of records, the ids count, in whatever files they are.
        assert!(
            is_sibling("1.jsonl#notes/a", "s/2.jsonl#notes/b")
                && is_sibling("x.csv#1", "s/y.csv#1")
        );
        assert!(!is_sibling("x.jsonl#v1/a", "x.jsonl#v2/a"));
        assert!(!is_sibling("c#/a.md", "c/a.md"));
    }
}
