//! The words of a file that may name a page.

use std::borrow::Cow;
use std::path::Path;

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The names of the page of a folder, in lower case and without their ends.
const HOMES: [&str; 4] = ["index", "_index", "readme", "home"];

/// Returns whether a file has the name of the page of its folder.
pub(crate) fn is_home(file: &Path) -> bool {
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    stem.is_some_and(|stem| HOMES.iter().any(|name| stem.eq_ignore_ascii_case(name)))
}

/// The ends of the names of pages.
const PAGES: [&str; 12] = [
    "adoc", "asciidoc", "htm", "html", "ipynb", "markdown", "md", "mdx", "org", "rst", "txt",
    "xhtml",
];

/// The name of a page or a mention, in lower case: the folders, and the word behind them without its end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Address {
    pub(super) folders: Vec<String>,
    pub(super) stem: String,
}

impl Address {
    /// Returns the address of a file. That of the page of a folder is the folder.
    pub(super) fn of_file(path: &Path) -> Option<Self> {
        let path = path.to_str()?.replace('\\', "/");
        Self::of(
            path.split('/')
                .map(str::to_owned)
                .filter(|part| !part.is_empty())
                .collect(),
        )
    }

    fn of(mut parts: Vec<String>) -> Option<Self> {
        for part in &mut parts {
            *part = part.to_lowercase();
        }
        let mut stem = parts.pop()?;
        if let Some(page) = without_end(&stem) {
            stem.truncate(page);
        }
        if HOMES.contains(&&*stem) && !parts.is_empty() {
            stem = parts.pop()?;
        }
        (!stem.is_empty()).then_some(Self {
            folders: parts,
            stem,
        })
    }
}

/// Returns where the end of the name of a page begins, if it has one.
pub(super) fn without_end(name: &str) -> Option<usize> {
    let (stem, end) = name.rsplit_once('.')?;
    let is_page = PAGES.iter().any(|page| end.eq_ignore_ascii_case(page));
    is_page.then_some(stem.len())
}

/// What is around a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    None,
    /// Quotes, brackets or the ends of the line: it may be a name.
    Some,
    /// A link.
    Link,
}

/// What is before the target of a link.
const LINKS: [&str; 5] = ["[[", "](", "](<", "href=\"", "href='"];

/// What a word in a file may mean.
pub(super) struct Mention {
    pub(super) folders: Vec<String>,
    pub(super) stem: String,
    /// How many folders it leads up from the file; `None` if it says no way from there.
    pub(super) up: Option<usize>,
    /// Whether it is a path or in a link, and no word that may mean something else.
    pub(super) is_link: bool,
}

/// Returns the name of a page that a word may be; none if it is neither a path nor marked.
pub(super) fn mention(word: &str, mark: Mark) -> Option<Mention> {
    let mut word = word.trim_end_matches(['.', ':', ',', '!', '?', '*', '_', '\\']);
    word = word.trim_start_matches(['*', '_', ':', ',', '!', '?']);
    for prefix in ["xref:", "link:", "doc:", "ref:", "include::"] {
        word = word.strip_prefix(prefix).unwrap_or(word);
    }
    if let Some((_, rest)) = word.split_once("://") {
        word = rest.split_once('/')?.1;
    }
    let word = word.split(['#', '?']).next()?;
    let decoded = match word.contains('%') {
        true => percent_decode_str(word).decode_utf8().ok()?,
        false => Cow::Borrowed(word),
    };
    // Antora has these between the parts of a name.
    let has_way = decoded.starts_with('.');
    let parts = decoded.split(['/', '\\', ':', '@', '$']);
    let parts = parts.filter(|part| !part.is_empty() && *part != ".");
    let (up, parts): (Vec<&str>, Vec<&str>) = parts.partition(|part| *part == "..");
    let last = parts.last()?;
    let is_path = decoded.contains('/') || without_end(last).is_some();
    if mark == Mark::None && !is_path {
        return None;
    }
    let Address { folders, stem } =
        Address::of(parts.iter().map(|&part| part.to_owned()).collect())?;
    Some(Mention {
        folders,
        stem,
        up: has_way.then_some(up.len()),
        is_link: is_path || mark == Mark::Link,
    })
}

/// Returns parts of texts of which a text has one if it may mention a page whose path ends with this word, which is in lower
/// case: letters and digits of ASCII are never encoded in an address. `None` if there are none.
pub(super) fn traces(stem: &str) -> Option<Vec<String>> {
    let runs = stem.split(|c: char| !c.is_ascii_alphanumeric());
    let longest = runs.max_by_key(|run| run.len()).unwrap_or_default();
    if !longest.is_empty() {
        return Some(vec![longest.to_owned()]);
    }
    let letter = stem.chars().find(|c| c.is_alphanumeric())?;
    let cases = [
        letter.to_lowercase().to_string(),
        letter.to_uppercase().to_string(),
    ];
    let encoded = |text: &String| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let encoded: Vec<String> = cases.iter().map(encoded).collect();
    Some(cases.into_iter().chain(encoded).collect())
}

/// Calls `take` with the words of a line that may name a page, and what is around each.
pub(super) fn words(line: &str, is_data: bool, mut take: impl FnMut(&str, Mark)) {
    const MARKS: [char; 16] = [
        '"', '\'', '`', '(', ')', '[', ']', '<', '>', '|', ',', ';', '{', '}', '=', '\u{feff}',
    ];
    let mut alone = line
        .trim()
        .trim_start_matches(['-', '*', '+', '.', ' '])
        .trim_start();
    if is_data && let Some((_, value)) = alone.split_once(": ") {
        alone = value.trim();
    }
    take(alone, Mark::Some);
    let mut rest = line;
    let mut before = None;
    loop {
        let end = rest.find(MARKS).unwrap_or(rest.len());
        let piece = rest[..end].trim();
        let lead = &line[..line.len() - rest.len()];
        rest = &rest[end..];
        // The words of a link are no name: the path behind them is.
        let is_label = before == Some('[') && (rest.starts_with("](") || rest.starts_with("]["));
        let mark = match before.is_some() && !rest.is_empty() && !is_label {
            true if LINKS.iter().any(|link| lead.ends_with(link)) => Mark::Link,
            true => Mark::Some,
            false => Mark::None,
        };
        if !piece.is_empty() && piece != alone {
            take(piece, mark);
        }
        if piece.contains(char::is_whitespace) {
            piece
                .split_whitespace()
                .for_each(|word| take(word, Mark::None));
        }
        let mut left = rest.chars();
        before = left.next();
        if before.is_none() {
            return;
        }
        rest = left.as_str();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_are_in_every_mention() {
        assert_eq!(traces("the teapot-2").unwrap(), ["teapot"]);
        assert_eq!(traces("茶").unwrap().join(" "), "茶 茶 %E8%8C%B6 %E8%8C%B6");
        assert_eq!(traces("чай").unwrap()[..2], ["ч", "Ч"]);
        assert_eq!(traces("--"), None);
    }

    proptest::proptest! {
        #[test]
        fn any_line_is_read(line in r#"[a-z./\\:@$#?%"'`()\[\]<>|=* -]{0,60}"#, is_data: bool) {
            words(&line, is_data, |word, mark| drop(mention(word, mark)));
        }
    }
}
