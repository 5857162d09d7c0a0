//! The differences between two wordings, to the word.

use std::collections::HashMap;
use std::ops::Range;

use similar::DiffOp;

use crate::compare::refine::edits;
use dupfind_engine::text::normalize::normalize;
use dupfind_engine::text::title::is_chinese_digit;

/// The kind of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// One of them negates, the other does not.
    Negation,
    /// A number.
    Number,
    /// A version.
    Version,
    /// An address.
    Url,
    /// A name: a word with a capital letter within a sentence, or a Latin word within Chinese.
    Name,
    /// Only punctuation.
    Punctuation,
    /// Other words.
    Words,
}

impl Mark {
    /// Returns its name in reports, which never changes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Negation => "negation",
            Self::Number => "number",
            Self::Version => "version",
            Self::Url => "url",
            Self::Name => "name",
            Self::Punctuation => "punctuation",
            Self::Words => "words",
        }
    }

    /// Returns whether a rare wording that differs in it is probably a mistake.
    pub fn is_suspicious(self) -> bool {
        !matches!(self, Self::Punctuation | Self::Words)
    }
}

/// A difference. Either text may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The kind of a difference.
    pub mark: Mark,
    /// Where it is in the first text, in bytes.
    pub before: Range<usize>,
    /// Where it is in the second text.
    pub after: Range<usize>,
}

/// The most words that are compared one by one. In longer texts, everything between the equal ends is one difference.
const MAX_WORDS: usize = 3000;

/// Returns the differences of two texts, in their order.
pub fn changes(before: &str, after: &str) -> Vec<Change> {
    let texts = [before, after];
    let places = texts.map(words);
    let [x, y] = [0, 1].map(|side| {
        let words = places[side].iter();
        let words = words.map(|place| normalize(&texts[side][place.clone()]));
        words.collect::<Vec<_>>()
    });
    let equal = |(a, b): &(&String, &String)| a == b;
    let start = x.iter().zip(&y).take_while(equal).count();
    let shorter = x.len().min(y.len()) - start;
    let behind = x.iter().rev().zip(y.iter().rev()).take(shorter);
    let end = behind.take_while(equal).count();
    let (x, y) = (&x[start..x.len() - end], &y[start..y.len() - end]);
    let span = |side: usize, from: usize, length: usize| -> Range<usize> {
        let places = &places[side];
        let from = from + start;
        if length == 0 {
            let at = places
                .get(from)
                .map_or(texts[side].len(), |place| place.start);
            return at..at;
        }
        places[from].start..places[from + length - 1].end
    };
    let whole = x.len().max(y.len()) > MAX_WORDS;
    let ops = match whole {
        true => vec![DiffOp::Replace {
            old_index: 0,
            old_len: x.len(),
            new_index: 0,
            new_len: y.len(),
        }],
        false => {
            let numbers = numbered(x.iter().chain(y));
            edits(&numbers[..x.len()], &numbers[x.len()..])
        }
    };
    let changes = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    let changes = changes.map(|op| {
        let (old, new) = (op.old_range(), op.new_range());
        let before = span(0, old.start, old.len());
        let after = span(1, new.start, new.len());
        Change {
            mark: mark(texts, [&before, &after]),
            before,
            after,
        }
    });
    changes.collect()
}

/// Returns a number for each word, the same one for equal words.
fn numbered<'w>(words: impl Iterator<Item = &'w String>) -> Vec<u64> {
    let mut numbers = HashMap::new();
    words
        .map(|word| {
            let next = numbers.len() as u64;
            *numbers.entry(word).or_insert(next)
        })
        .collect()
}

/// Returns the places of the words of a text: an ideograph, a run of other characters without white space, or
/// punctuation beside one.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut is_open = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        if c.is_whitespace() {
            is_open = false;
        } else if !c.is_ascii() && !c.is_alphabetic() || is_ideograph(c) {
            words.push(at..end);
            is_open = false;
        } else if is_open && let Some(last) = words.last_mut() {
            last.end = end;
        } else {
            words.push(at..end);
            is_open = true;
        }
    }
    // Punctuation at the end of a word is a word of its own, so that a full stop behind it makes no other word.
    let mut split = Vec::with_capacity(words.len());
    for word in words {
        let of_word =
            text[word.clone()].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '"', '\'']);
        let middle = word.start + of_word.len();
        split.extend(
            [word.start..middle, middle..word.end]
                .into_iter()
                .filter(|part| !part.is_empty()),
        );
    }
    split
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{ac00}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

const NEGATIONS: [&str; 12] = [
    "not", "no", "never", "none", "cannot", "without", "neither", "nor", "unless", "except",
    "disable", "disabled",
];

const NEGATIONS_ZH: [char; 10] = ['不', '没', '無', '无', '非', '未', '勿', '禁', '否', '别'];

/// The longest part of a text that counts as a negation, in bytes. A longer one has another meaning.
const LONGEST_NEGATION: usize = 24;

fn negates(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    text.contains(NEGATIONS_ZH)
        || words
            .any(|word| NEGATIONS.contains(&word) || word.ends_with("n't") || word.ends_with("n’t"))
}

/// Returns the kind of a difference.
fn mark(texts: [&str; 2], places: [&Range<usize>; 2]) -> Mark {
    let [a, b] = [0, 1].map(|side| &texts[side][places[side].clone()]);
    let both = || [a, b].into_iter();
    if !both().any(|text| text.contains(char::is_alphanumeric)) {
        return Mark::Punctuation;
    }
    if negates(a) != negates(b) && both().all(|text| text.len() <= LONGEST_NEGATION) {
        return Mark::Negation;
    }
    if both().any(|text| text.contains("://") || text.contains("www.")) {
        return Mark::Url;
    }
    let without_digits = |text: &str| text.replace(|c: char| c.is_ascii_digit() || c == '.', "");
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    if has_digit(a) && has_digit(b) && a.len().max(b.len()) < 40 {
        let is_version = |text: &str| {
            let numbers = text.split(|c: char| !c.is_ascii_digit() && c != '.');
            numbers
                .filter(|number| number.matches('.').count() > 1)
                .count()
                > 0
                || text.starts_with(['v', 'V'])
                    && text.chars().nth(1).is_some_and(|c| c.is_ascii_digit())
        };
        if both().any(is_version) {
            return Mark::Version;
        }
        if without_digits(a).eq_ignore_ascii_case(&without_digits(b)) {
            return Mark::Number;
        }
    }
    let is_of_number = |side: usize| {
        let (text, place) = (texts[side], places[side].clone());
        let (before, behind) = (&text[..place.start], &text[place.end..]);
        let is_within = before.ends_with(is_chinese_digit) || behind.starts_with(is_chinese_digit);
        text[place.clone()].chars().all(is_chinese_digit) && (!place.is_empty() || is_within)
    };
    if is_of_number(0) && is_of_number(1) {
        return Mark::Number;
    }
    let is_name = |side: usize| {
        let (text, place) = (texts[side], places[side].clone());
        let word = &text[place.clone()];
        let before = text[..place.start].trim_end().chars().next_back();
        let begins_sentence =
            before.is_none_or(|c| ['.', ':', '!', '?', '。', '：', '!'].contains(&c));
        let is_latin =
            !word.is_empty() && word.chars().all(|c| c.is_ascii() && !c.is_ascii_digit());
        let is_capital = word.starts_with(|c: char| c.is_uppercase()) && !begins_sentence;
        let is_in_ideographs = before.is_some_and(is_ideograph);
        is_latin
            && word.len() < 40
            && word.contains(char::is_alphabetic)
            && (is_capital || is_in_ideographs)
    };
    match is_name(0) && is_name(1) {
        true => Mark::Name,
        false => Mark::Words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;

    fn marked(before: &str, after: &str) -> Vec<String> {
        let changes = changes(before, after).into_iter();
        let told =
            changes.map(|c| format!("{:?} {}: {}", c.mark, &before[c.before], &after[c.after]));
        told.collect()
    }

    #[test]
    fn differences_have_their_kinds() {
        for [before, after, mark, from, to] in table(
            "Wait 30 seconds.            | Wait 60 seconds.            | Number      | 30      | 60
             It is on by default.        | It is not on by default.    | Negation    |         | not
             该功能支持多区域            | 该功能不支持多区域          | Negation    |         | 不
             Use v1.2 of it              | Use v1.3 of it              | Version     | v1.2    | v1.3
             see https://a.example/x now | see https://b.example/x now | Url         | https://a.example/x | https://b.example/x
             Open the Console now        | Open the Portal now         | Name        | Console | Portal
             请登录 Console 控制台       | 请登录 Portal 控制台        | Name        | Console | Portal
             press the big button        | press the red button        | Words       | big     | red
             press it now                | press it, now               | Punctuation |         | ,
             共 3 台主机                 | 共 5 台主机                 | Number      | 3       | 5
             每三个月更换一次            | 每六个月更换一次            | Number      | 三      | 六
             看看                        | 看一看                      | Words       |         | 一
             一样                        | 同样                        | Words       | 一      | 同",
        ) {
            let expected = [format!("{mark} {from}: {to}")];
            assert_eq!(marked(before, after), expected, "{after}");
        }
        let other = ["Number : 二", "Number 五: "];
        assert_eq!(marked("满十五天", "满二十天"), other);
        assert_eq!(marked("Same  Text", "same ｔext"), [""; 0]);
        assert_eq!(marked("v中1 a", "v中2 a").len(), 1);
        assert_eq!(marked("a b c d", "a x c y").len(), 2);
        let long = |n: usize| {
            (0..9000)
                .map(|at| format!("w{} ", at * n))
                .collect::<String>()
        };
        assert_eq!(marked(&long(1), &long(2)).len(), 1);
    }

    proptest::proptest! {
        #[test]
        fn any_texts_have_differences(
            before in "([a-zV中不１.，é \\n\u{202e}]|[0-9]){0,40}",
            after in "([a-zV中不１.，é \\n\u{202e}]|[0-9]){0,40}",
        ) {
            let (mut end, mut other) = (0, 0);
            for change in changes(&before, &after) {
                proptest::prop_assert!(change.before.start >= end && change.after.start >= other);
                (end, other) = (change.before.end, change.after.end);
                let _ = (&before[change.before], &after[change.after]);
            }
            proptest::prop_assert!(changes(&before, &before).is_empty());
        }
    }
}
