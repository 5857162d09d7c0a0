//! The files of two documents of the same text, and the lines that only one of the files has. Targets of links, pictures,
//! comments, scripts and front matter are not part of a text, so that copies can differ in them.

use std::collections::HashMap;
use std::path::Path;

use dupfind_read::source::pre::kind_of;
use dupfind_read::{ReadOptions, as_written};

/// A line of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceLine<'s> {
    /// Its number, from 1.
    pub number: usize,
    /// What is in it, without the white space at its ends.
    pub text: &'s str,
}

/// Two files as they are written: decoded, with all that does not count as their texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sources {
    texts: [String; 2],
    is_same: bool,
}

impl Sources {
    /// Returns the sources of two files that were decoded.
    pub fn new(texts: [String; 2]) -> Self {
        let [a, b] = [0, 1].map(|which: usize| texts[which].chars().filter(|c| !c.is_whitespace()));
        Self {
            is_same: a.eq(b),
            texts,
        }
    }

    /// Reads two files that are one document each. Returns nothing if one of them cannot be read, or has no lines that
    /// people write, as a PDF.
    pub fn read(paths: [&Path; 2], options: &ReadOptions) -> Option<Self> {
        let read = |path| as_written(path, kind_of(path, options.pre.as_ref()), options).ok()?;
        let [a, b] = paths.map(read);
        Some(Self::new([a?, b?]))
    }

    /// Whether they are the same but for white space.
    pub fn are_same(&self) -> bool {
        self.is_same
    }

    /// Returns the lines that only the first one (0) or only the second one (1) has, in their order. Blank lines and white
    /// space at the ends of lines do not count. Of a line that one has more often, the last ones are returned. If the two
    /// are the same but for white space, there are none.
    pub fn only_in(&self, which: usize) -> impl Iterator<Item = SourceLine<'_>> {
        let [own, other] = [which, 1 - which].map(|which| match self.is_same {
            true => "",
            false => &self.texts[which],
        });
        let mut shared: HashMap<&str, usize> = HashMap::new();
        for line in lines(other) {
            *shared.entry(line.text).or_default() += 1;
        }
        lines(own).filter(move |line| match shared.get_mut(line.text) {
            Some(left @ 1..) => {
                *left -= 1;
                false
            }
            _ => true,
        })
    }
}

/// Returns the lines of a source that are not blank.
fn lines(source: &str) -> impl Iterator<Item = SourceLine<'_>> {
    let numbered = (1..).zip(source.lines());
    let trimmed = numbered.map(|(number, text)| SourceLine {
        number,
        text: text.trim(),
    });
    trimmed.filter(|line| !line.text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that only one of two sources has, as `number:text`.
    fn only(a: &str, b: &str) -> [Vec<String>; 2] {
        let sources = Sources::new([a.into(), b.into()]);
        [0, 1].map(|which| {
            let lines = sources.only_in(which);
            lines
                .map(|line| format!("{}:{}", line.number, line.text))
                .collect()
        })
    }

    #[test]
    fn lines_of_one_source_are_found_with_their_numbers() {
        assert_eq!(
            only("one\n\n[two](a.md)\n", "one\n<!-- x -->\n\n[two](b.md)"),
            [
                vec!["3:[two](a.md)".to_owned()],
                vec!["2:<!-- x -->".into(), "4:[two](b.md)".into()],
            ]
        );
        // As often as the other one does not have it.
        assert_eq!(only("x\ny\nx\nx", "x\ny"), [vec!["3:x", "4:x"], vec![]]);
        // In another order.
        let swapped = Sources::new(["x\ny".into(), "y\nx".into()]);
        assert!(!swapped.are_same());
        assert_eq!(only("x\ny", "y\nx"), [vec![""; 0], vec![]]);
    }

    #[test]
    fn white_space_is_no_difference() {
        for (a, b) in [
            ("one two\nthree", "one\r\n\ttwo three\r\n"),
            ("一二\n三", "一二三"),
            ("", " \n"),
        ] {
            assert!(Sources::new([a.into(), b.into()]).are_same(), "{a:?}");
            assert_eq!(only(a, b), [vec![""; 0], vec![]], "{a:?}");
        }
        // Other lines are told, and these lines differ in nothing that counts.
        assert_eq!(only("  one\r\ntwo", "one \nTwo"), [["2:two"], ["2:Two"]]);
    }
}
