//! The title of a text.
//!
//! Pages of one template differ in little but the word that matters, and that word is in the title. The next version of
//! a page keeps it.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::text::blocks::Layout;
use crate::text::han::fold;
use crate::text::normalize::normalize_into;

/// How many bytes the first line of a text may have to be its title.
const LONGEST: usize = 240;

/// How many words a line has that is a sentence of the text, and no title.
const SENTENCE: usize = 15;

/// How many bytes of a title are shown.
const SHOWN: usize = 80;

/// The bits of a hash that tell where a title was found: it is only the first line of the text, or a heading that is the first
/// line. And the bits that tell that it is a counter, or a name in code.
const LINE: u64 = 1;
const HEADING: u64 = 2;
const COUNTER: u64 = 4;
const IDENTIFIER: u64 = 8;
const PLACE_BITS: u32 = 4;

/// The title of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Title {
    /// A hash of its letters, ideographs and digits (of a counter, without its number), and of where it was found; 0 if there is
    /// none. It is the same in both Chinese scripts.
    pub hash: u64,
    /// The beginning of the title or the first heading, for people; empty if there is none.
    pub shown: Box<str>,
}

impl Title {
    /// Returns a hash of its letters, ideographs and digits, wherever it was found; 0 if there is none.
    pub fn letters(&self) -> u64 {
        self.hash >> PLACE_BITS
    }

    /// Returns whether it is only the first line of the text.
    pub fn is_line(&self) -> bool {
        self.hash & LINE > 0
    }

    /// Returns whether it is a heading, and nothing beside the text.
    pub fn is_heading(&self) -> bool {
        self.hash & HEADING > 0
    }

    /// Returns whether it is a word with a short number, such as `Text 2`: such titles are those of two subjects only if their
    /// words differ.
    pub fn is_counter(&self) -> bool {
        self.hash & COUNTER > 0
    }

    /// Returns whether it is a name in code, such as `V$SESSION`, `torch.abs` or `getUser()`: two of them are two subjects.
    pub fn is_identifier(&self) -> bool {
        self.hash & IDENTIFIER > 0
    }

    /// Returns it for people; `None` if there is none.
    pub fn shown(&self) -> Option<&str> {
        Some(&*self.shown).filter(|title| !title.is_empty())
    }
}

/// A text, and what is known of it beside: its title if something else than the text has it, such as front matter, where its
/// blocks are, and whether a program wrote it.
#[derive(Debug, Clone, Copy)]
pub struct TitledText<'t> {
    /// The text.
    pub text: &'t str,
    /// The title.
    pub title: Option<&'t str>,
    /// Where its blocks are; `None` if that is not known.
    pub layout: Option<&'t Layout>,
    /// Whether it has a mark that a program wrote it.
    pub is_generated: bool,
    /// A hash of the file, if that is more than the text and the text is short.
    pub source: Option<u32>,
}

impl<'t> From<&'t str> for TitledText<'t> {
    fn from(text: &'t str) -> Self {
        Self {
            text,
            title: None,
            layout: None,
            is_generated: false,
            source: None,
        }
    }
}

impl<'t> From<&'t String> for TitledText<'t> {
    fn from(text: &'t String) -> Self {
        text.as_str().into()
    }
}

impl<'t> TitledText<'t> {
    /// Returns the first heading.
    pub(crate) fn heading(self) -> Option<&'t str> {
        self.layout?.first_heading(self.text)
    }

    /// Returns the title: that which something else has, or else the first line if it can be one. The buffer gets the
    /// normalised title. The first heading of a text without one is only shown: it may be that of a part.
    pub fn title(self, buffer: &mut String) -> Title {
        let heading = self.heading().map(str::trim);
        let line = first_line(self.text, heading);
        let is_heading = heading == line;
        let place = if is_heading { HEADING } else { LINE };
        // A heading of Markdown that has a table of keys or a picture above it.
        let below_text = self
            .layout
            .and_then(|layout| layout.heading_below_text(self.text));
        let is_marked_heading = below_text.is_some() && below_text == self.title;
        let marked = if is_marked_heading { HEADING } else { 0 };
        for (title, place) in [(self.title, marked), (line, place)] {
            let Some(title) = title else { continue };
            buffer.clear();
            normalize_into(title, buffer);
            fold(buffer);
            let mut letters = letters(buffer);
            let mut place = place;
            if is_counter(buffer) {
                if place == LINE {
                    let shown = shown(title);
                    buffer.clear();
                    return Title { hash: 0, shown };
                }
                letters.retain(|c| !c.is_ascii_digit());
                place |= COUNTER;
            }
            if is_identifier(title) {
                place |= IDENTIFIER;
            }
            if !letters.is_empty() {
                return Title {
                    hash: xxh3_64(letters.as_bytes()) << PLACE_BITS | place,
                    shown: shown(title),
                };
            }
        }
        buffer.clear();
        Title {
            hash: 0,
            shown: shown(self.heading().unwrap_or_default()),
        }
    }
}

/// Returns the letters and digits of a normalised title, and the signs that end a name: C, C++ and C# are three subjects, and so
/// are the functions `add` and `add_`.
fn letters(title: &str) -> String {
    let (mut letters, mut signs) = (String::new(), String::new());
    let mut is_name = false;
    for c in title.chars() {
        if is_name && matches!(c, '+' | '#' | '_') {
            signs.push(c);
            continue;
        }
        is_name = c.is_ascii_alphanumeric();
        if !is_name {
            letters.push_str(&signs);
        }
        signs.clear();
        if c.is_alphanumeric() {
            letters.push(c);
        }
    }
    letters + &signs
}

/// Returns the beginning of a title, in one line.
fn shown(title: &str) -> Box<str> {
    let mut shown = String::new();
    for word in title.split_whitespace() {
        if !shown.is_empty() {
            shown.push(' ');
        }
        shown.push_str(word);
        if shown.len() > SHOWN {
            let mut ends = (0..=SHOWN - '…'.len_utf8()).rev();
            let end = ends.find(|&at| shown.is_char_boundary(at));
            shown.truncate(end.unwrap_or(0));
            shown.push('…');
            break;
        }
    }
    shown.into()
}

/// How many bytes the word of a counter has at most: four ideographs, or an English word.
const COUNTER_WORD: usize = 12;

/// Returns whether a normalised title is a counter: a short word and a number of at most three digits, as texts have that
/// nobody named: `text2`, `新闻 1`, `稿件（3）`. Its number tells nothing about the text.
fn is_counter(title: &str) -> bool {
    let is_sign = |c: char| !c.is_alphanumeric();
    let title = title.trim_matches(is_sign);
    let rest = title.trim_start_matches(char::is_alphabetic);
    let (word, number) = (title.len() - rest.len(), rest.trim_start_matches(is_sign));
    (1..=COUNTER_WORD).contains(&word)
        && (1..=3).contains(&number.len())
        && number.bytes().all(|digit| digit.is_ascii_digit())
}

/// Returns whether a title is a name in code: a word of ASCII with a sign of code in it, or with capitals behind small letters.
fn is_identifier(title: &str) -> bool {
    let name = title.trim_matches(|c: char| c == '`' || c.is_whitespace());
    let is_sign = |c: u8| matches!(c, b'_' | b'$' | b':' | b'.' | b'(');
    let bytes = name.as_bytes();
    let is_inside = |two: &[u8]| {
        two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase()
            || two[0].is_ascii_alphabetic() && is_sign(two[1])
    };
    name.bytes().all(|c| c.is_ascii_graphic())
        && bytes.windows(2).any(is_inside)
        && !name.ends_with([':', '.'])
}

/// Returns whether a character is a digit of a Chinese number: `第十二期`, `二〇二四年`.
pub fn is_chinese_digit(c: char) -> bool {
    "〇零一二三四五六七八九十百千万萬亿億两兩".contains(c)
}

/// Returns a hash of the letters of a normalised title with a number; 0 if it has no letter or no number. The parts of a
/// series have titles that differ in their numbers alone: the notes of releases, years, chapters.
pub(crate) fn series(title: &str) -> u32 {
    let is_digit = |c: char| c.is_numeric() || is_chinese_digit(c);
    let letters: String = title
        .chars()
        .filter(|&c| c.is_alphabetic() && !is_digit(c))
        .collect();
    if letters.is_empty() || !title.contains(is_digit) {
        return 0;
    }
    let hash = xxh3_64(letters.as_bytes()) >> 32;
    u32::try_from(hash).map_or(0, |hash| hash.max(1))
}

/// Returns the first line of a text that is not blank, if it can be a title: it is short and no sentence, and behind a
/// blank line there is more text. A heading needs no blank line. A record of one line has no title.
fn first_line<'t>(text: &'t str, heading: Option<&str>) -> Option<&'t str> {
    let mut lines = text.lines().map(str::trim);
    let line = lines.find(|line| line.contains(char::is_alphanumeric))?;
    let is_marked = line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
    let is_heading = is_marked || heading == Some(line);
    let is_followed = is_heading || lines.next().is_some_and(str::is_empty);
    let is_alone = is_followed && lines.any(|line| !line.is_empty());
    (is_alone && line.len() <= LONGEST && !is_sentence(line)).then_some(line)
}

/// Returns whether a line is a sentence of the text: a long one that ends as sentences do.
fn is_sentence(line: &str) -> bool {
    let end = line.trim_end_matches(['"', '\'', ')', '”', '’', '*', '_', '`']);
    let ends = end.ends_with(['.', '!', '?', ';', ',', ':', '…']);
    line.ends_with('。') || ends && line.split_whitespace().count() >= SENTENCE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;
    use crate::text::blocks::{BlockKind, Mark};
    use crate::verdict::Titles;

    #[test]
    fn signs_that_end_a_name_count() {
        for (title, expected) in [
            ("c++ 客户端", "c++客户端"),
            ("c#客户端", "c#客户端"),
            ("use c++", "usec++"),
            ("tensor.add_", "tensoradd_"),
            ("my_c++_client", "mycclient"),
            ("a+b # 3 #", "ab3"),
            ("+ # ++", ""),
        ] {
            assert_eq!(letters(title), expected, "{title}");
        }
    }

    fn hash(text: &str, title: Option<&str>) -> u64 {
        TitledText {
            title,
            ..TitledText::from(text)
        }
        .title(&mut String::new())
        .hash
    }

    fn compared(a: u64, b: u64) -> Titles {
        let title = |hash| Title {
            hash,
            ..Title::default()
        };
        Titles::of([&title(a), &title(b)])
    }

    #[test]
    fn titles_of_a_series_differ_in_numbers_alone() {
        assert_eq!(series("release 1.2.3"), series("release 1.2.4"));
        assert_ne!(series("release 1.2.3"), series("changes 1.2.3"));
        for title in ["", "release", "1.2.3"] {
            assert_eq!(series(title), 0, "{title}");
        }
    }

    #[test]
    fn a_counter_tells_a_subject_by_its_word_alone() {
        let title = |title| {
            let titled = TitledText {
                title: Some(title),
                ..TitledText::from("A text of some words.")
            };
            titled.title(&mut String::new())
        };
        for [a, b, expected] in table(
            "text2        | text3       | Missing
             新闻 1         | 新闻 2        | Missing
             稿件（12）       | # 稿件1       | Missing
             text         | text 2      | Missing
             exp          | expm1       | Differ
             Cifar10      | MNIST       | Differ
             Release 1.2  | Release 1.3 | Differ
             Report 2024  | Report 2024 | Equal
             Use 2 disks  | Use 3 disks | Differ",
        ) {
            let titles = Titles::of([&title(a), &title(b)]);
            assert_eq!(format!("{titles:?}"), expected, "{a} {b}");
        }
        // The first line of a text that nobody named.
        assert_eq!(hash("text2\n\nSome words.", None), 0);
    }

    #[test]
    fn names_in_code_are_words_with_signs_or_humps() {
        let names = "V$SESSION torch.abs std::vec getUser() `tx_isolation` GitHub C:\\tools";
        for (title, expected) in names.split(' ').map(|name| (name, true)).chain([
            ("Install", false),
            ("getUser and setUser", false),
            ("v1.2.3", false),
            ("Warning:", false),
            ("OVERVIEW", false),
            ("read-only", false),
            ("用户_表", false),
            ("", false),
        ]) {
            assert_eq!(is_identifier(title), expected, "{title}");
        }
    }

    #[test]
    fn a_heading_that_is_no_first_line_is_a_title_if_it_is_marked() {
        let text = "A note.\n\nThe park\n\nIt is open.\n";
        let marks = [
            (0, BlockKind::Paragraph),
            (9, BlockKind::Heading),
            (19, BlockKind::Paragraph),
        ];
        let layout = Layout::Marked(marks.map(|(at, kind)| Mark { at, kind }).into());
        let title = |title| {
            TitledText {
                layout: Some(&layout),
                title,
                ..text.into()
            }
            .title(&mut String::new())
        };
        assert!(title(Some("The park")).is_heading());
        assert!(title(Some("V$PARK")).is_identifier() && !title(Some("The park")).is_identifier());
        assert!(!title(Some("The lake")).is_heading());
        assert!(title(None).is_line());
    }

    #[test]
    fn titles_are_shown_in_one_short_line() {
        let title = |text| TitledText::from(text).title(&mut String::new()).shown;
        let expected = "The ferries";
        assert_eq!(&*title("\n  The \t ferries \n\nThey leave.\n"), expected);
        assert_eq!(&*title("No title."), "");
        let text = "One line.\nThe park\nIt is open.\n";
        let marks = [
            (0, BlockKind::Paragraph),
            (10, BlockKind::Heading),
            (19, BlockKind::Paragraph),
        ];
        let layout = Layout::Marked(marks.map(|(at, kind)| Mark { at, kind }).into());
        let headed = TitledText {
            layout: Some(&layout),
            ..text.into()
        };
        let found = headed.title(&mut String::new());
        assert_eq!((found.hash, &*found.shown), (0, "The park"));
        // A heading right over text is the title, as one over a blank line is.
        let found = ["The park\nTen.", "The park\n\nTen."].map(|text| {
            let at = text.find("Ten").unwrap();
            let marks = [(0, BlockKind::Heading), (at, BlockKind::Paragraph)];
            let layout = Layout::Marked(marks.map(|(at, kind)| Mark { at, kind }).into());
            let layout = Some(&layout);
            TitledText {
                layout,
                ..text.into()
            }
            .title(&mut String::new())
        });
        assert!(found[0].is_heading() && found[0] == found[1], "{found:?}");
        let long = format!("{}\n\nThey leave.", "渡轮 ".repeat(30));
        let shown = title(&long);
        assert!(shown.starts_with("渡轮 渡轮"), "{shown}");
        assert!(shown.ends_with('…'), "{shown}");
        assert!((SHOWN - 3..=SHOWN).contains(&shown.len()), "{shown}");
    }

    #[test]
    fn texts_are_compared_by_their_titles() {
        let commit = hash("COMMIT\n\nIt ends a transaction.", None);
        for (text, title) in [
            ("\n\n  `commit`:\n\nSomething else.", None),
            ("***\ncommit\n\n...", None),
            ("# ROLLBACK", Some("Commit")),
            ("COMMIT\n\nmore", Some(" -- ")),
        ] {
            let expected = Titles::Equal;
            assert_eq!(compared(hash(text, title), commit), expected, "{text:?}");
        }
        assert_eq!(hash("", Some("叢集")), hash("", Some("丛集")));
        let rollback = "ROLLBACK\n\nIt ends a transaction.";
        assert_eq!(compared(hash(rollback, None), commit), Titles::Differ);
        // A line of the text may be no title.
        let expected = Titles::Missing;
        assert_eq!(compared(hash("", Some("Rollback")), commit), expected);
        assert_eq!(compared(0, commit), Titles::Missing);
        let long = "x".repeat(LONGEST + 1);
        let words = |count: usize| format!("{}b.", "a ".repeat(count - 1));
        assert_ne!(hash(&format!("{}\n\nmore", words(SENTENCE - 1)), None), 0);
        assert_eq!(hash(&format!("{}\n\nmore", words(SENTENCE)), None), 0);
        assert_ne!(hash("# One\n## Two", None), hash("# Other\n## Two", None));
        assert_eq!(hash("#one of many\nmore", None), 0);
        assert_eq!(hash("# One", None), 0);
        for line in ["", "...", "One line\nand its end", "续订证书。", &long] {
            assert_eq!(hash(&format!("{line}\n\n"), None), 0, "{line:?}");
        }
        for text in ["One line alone", "One line alone\n\n \n"] {
            assert_eq!(hash(text, None), 0, "{text:?}");
        }
    }
}
