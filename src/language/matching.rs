//! Finds the text of a table that a sentence was made of.

use std::cmp::Reverse;

use crate::language::zh::Texts;
use crate::language::{counted, filled};

/// What stands between the parts of a sentence that were made one by one, and the same in Chinese.
const JOINTS: [(&str, &str); 2] = [("; ", "；"), (": ", "：")];

/// The longest sentence that is translated, in bytes. A sentence can hold what a file contains, such as a name.
const LONGEST: usize = 4096;

/// How many sentences may be within each other. What is deeper stays English.
const DEEPEST: usize = 16;

/// The texts of a table.
#[derive(Debug)]
pub(super) struct Patterns {
    /// Those with most letters first: they say most precisely what a sentence is.
    patterns: Vec<Pattern>,
    /// Nouns behind their numbers.
    nouns: &'static Texts,
}

/// A text of a table.
#[derive(Debug)]
struct Pattern {
    /// What stands around the holes.
    parts: Vec<String>,
    letters: usize,
    translation: &'static str,
}

impl Patterns {
    pub(super) fn new(tables: &[&'static Texts], nouns: &'static Texts) -> Self {
        let texts = tables.iter().copied().flatten();
        let mut patterns: Vec<Pattern> = texts
            .map(|(text, translation)| Pattern::new(text, translation))
            .filter(Pattern::is_of_sentences)
            .collect();
        patterns.sort_by_key(|pattern| Reverse(pattern.letters));
        Self { patterns, nouns }
    }

    /// Returns a number with its noun.
    fn counted(&self, text: &str) -> Option<String> {
        let (number, _) = text.split_once(' ')?;
        let number: u64 = number.parse().ok()?;
        let mut nouns = self.nouns.iter();
        let is_meant = |noun: &str| counted(number, noun.trim_start_matches("{} ")) == text;
        let (_, translation) = nouns.find(|(noun, _)| is_meant(noun))?;
        Some(filled(translation, &[&number]))
    }

    /// Returns a sentence with all that is in the table in the language of the table. A very long one is returned as it
    /// is.
    pub(super) fn translated(&self, sentence: &str) -> String {
        match sentence.len() > LONGEST {
            true => sentence.to_owned(),
            false => self.translated_within(sentence, 0),
        }
    }

    /// Returns the same of a sentence that is so deep within others.
    fn translated_within(&self, sentence: &str, depth: usize) -> String {
        if depth > DEEPEST {
            return sentence.to_owned();
        }
        if let Some(text) = self.counted(sentence) {
            return text;
        }
        for pattern in &self.patterns {
            if let Some(values) = pattern.values(sentence) {
                let values: Vec<String> = values
                    .iter()
                    .map(|v| self.translated_within(v, depth + 1))
                    .collect();
                let values: Vec<_> = values.iter().map(|value| value as _).collect();
                return filled(pattern.translation, &values);
            }
        }
        for (joint, translation) in JOINTS {
            if let Some((before, behind)) = sentence.split_once(joint) {
                let [first, rest] =
                    [before, behind].map(|part| self.translated_within(part, depth + 1));
                // Between a place and what is wrong there, all stays as it is.
                let is_same = first == before && rest == behind;
                let joint = if is_same { joint } else { translation };
                return format!("{first}{joint}{rest}");
            }
        }
        sentence.to_owned()
    }
}

impl Pattern {
    fn new(text: &str, translation: &'static str) -> Self {
        // A part is matched without the joint before it.
        let (mut rest, translation) = JOINTS
            .iter()
            .find_map(|(joint, chinese)| {
                let text = text.strip_prefix(joint)?;
                Some((text, translation.trim_start_matches(chinese)))
            })
            .unwrap_or((text, translation));
        let mut parts = vec![String::new()];
        while let Some((before, behind)) = rest.split_once('{') {
            let last = parts.last_mut().expect("it is never empty");
            last.push_str(before);
            rest = match behind.strip_prefix('{') {
                Some(behind) => {
                    last.push('{');
                    behind
                }
                None => {
                    parts.push(String::new());
                    behind.split_once('}').map_or("", |(_, behind)| behind)
                }
            };
        }
        parts.last_mut().expect("it is never empty").push_str(rest);
        for part in &mut parts {
            *part = part.replace("}}", "}");
        }
        let letters = parts.iter().flat_map(|part| part.chars());
        Self {
            letters: letters.filter(|c| c.is_alphabetic()).count(),
            parts,
            translation,
        }
    }

    /// Whether it says so much that no name is taken for a sentence that was made of it.
    fn is_of_sentences(&self) -> bool {
        match self.parts.as_slice() {
            [words] => words.contains(' '),
            [first, ..] => self.letters >= if first.is_empty() { 8 } else { 3 },
            [] => false,
        }
    }

    /// Returns what stands in the holes of a sentence that was made of this text.
    fn values<'s>(&self, sentence: &'s str) -> Option<Vec<&'s str>> {
        let (first, others) = self.parts.split_first()?;
        let mut rest = sentence.strip_prefix(first.as_str())?;
        let Some((last, middle)) = others.split_last() else {
            return rest.is_empty().then(Vec::new);
        };
        let mut values = Vec::with_capacity(others.len());
        for part in middle {
            let (value, behind) = rest.split_once(part.as_str())?;
            values.push(value);
            rest = behind;
        }
        values.push(rest.strip_suffix(last.as_str())?);
        Some(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_matched_with_texts() {
        let patterns = Patterns::new(
            &[&[
                ("cannot read {}", "无法读取 {}"),
                ("there is no folder {name}", "没有文件夹 {}"),
                ("{} pairs are made of {}", "{1} 的 {0} 对"),
                ("{} has {}", "{} 有 {}"),
                ("not found", "找不到"),
                ("empty", "空"),
            ]],
            &[("{} copy", "{} 份")],
        );
        for (english, chinese) in [
            ("cannot read a.md", "无法读取 a.md"),
            ("a.md: not found", "a.md：找不到"),
            ("empty: not found", "empty：找不到"),
            ("a.md: it: is odd", "a.md: it: is odd"),
            ("3 pairs are made of a.md", "a.md 的 3 对"),
            ("a has b: c.md", "a has b: c.md"),
            ("3 pairs are made of 2 copies", "2 份 的 3 对"),
            (
                "cannot read a.md: there is no folder b",
                "无法读取 a.md：没有文件夹 b",
            ),
        ] {
            assert_eq!(patterns.translated(english), chinese, "{english}");
        }
        for joint in [": ", "; ", " has ", "cannot read "] {
            let hostile = joint.repeat(1_000_000);
            assert_eq!(patterns.translated(&hostile), hostile);
            patterns.translated(&joint.repeat(LONGEST / joint.len()));
        }
    }
}
