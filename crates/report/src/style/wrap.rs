//! Where a line of a text ends in so many columns of a terminal. A Chinese character has two of them, and a line may end
//! beside it.

use unicode_width::UnicodeWidthChar;

use crate::style::escape::visible;

/// What happens to a word that is longer than a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LongWords {
    /// It goes on in the next line.
    Cut,
    /// It stays whole, and its line is longer.
    Whole,
}

/// Returns a text in lines of at most so many columns. Nothing in them acts on a terminal.
pub fn lines(text: &str, columns: usize, long: LongWords) -> Vec<String> {
    let chars: Vec<char> = visible(text).trim_end().chars().collect();
    let (mut lines, mut start) = (Vec::new(), 0);
    while start < chars.len() {
        let (end, next) = line_end(&chars, start, columns, long);
        lines.push(chars[start..end].iter().collect());
        start = next;
    }
    lines
}

/// Returns where a line that begins at `start` ends, and where the next one begins. Blanks at the end of a line are in
/// neither.
pub(crate) fn line_end(
    chars: &[char],
    start: usize,
    columns: usize,
    long: LongWords,
) -> (usize, usize) {
    let mut used = 0;
    // Where the next line begins if the rest does not fit.
    let mut next = None;
    for at in start..chars.len() {
        if at > start && may_break(chars[at - 1], chars[at]) {
            next = Some(at);
        }
        used += width(chars[at]);
        if used <= columns || chars[at] == ' ' {
            continue;
        }
        if next.is_some() || long == LongWords::Cut {
            let next = next.unwrap_or(at).max(start + 1);
            let end = chars[start..next].iter().rposition(|c| *c != ' ');
            return (end.map_or(start, |last| start + last + 1), next);
        }
    }
    (chars.len(), chars.len())
}

/// Returns how many columns a character has.
pub fn width(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// Whether a line may end between two characters: at white space, and beside a wide character, unless the next line
/// would begin with a closing mark or this one would end with an opening one.
fn may_break(before: char, after: char) -> bool {
    if width(after) == 0 || after == ' ' {
        return false;
    }
    let opens = "([{（［｛“‘「『《〈【〔".contains(before);
    let closes = ")]},.;:!?-+}）］｝”’」』》〉】〕、，。；：！？…".contains(after);
    before == ' ' || ((width(before) > 1 || width(after) > 1) && !opens && !closes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_end_between_words_and_between_chinese_characters() {
        let cut = |text: &str, columns| lines(text, columns, LongWords::Cut);
        assert_eq!(cut("one two three", 7), ["one two", "three"]);
        assert_eq!(cut("一二三四五。", 8), ["一二三四", "五。"]);
        // No full stop at the beginning of a line, no bracket at its end.
        assert_eq!(cut("一二三四。", 8), ["一二三", "四。"]);
        assert_eq!(cut("一二三（四）", 8), ["一二三", "（四）"]);
        assert_eq!(cut("abcdefghij kl", 4), ["abcd", "efgh", "ij", "kl"]);
        assert_eq!(cut("   ", 4), Vec::<String>::new());
        let whole = lines("in docs/getting-started.md 2", 8, LongWords::Whole);
        assert_eq!(whole, ["in", "docs/getting-started.md", "2"]);
    }

    proptest! {
        #[test]
        fn lines_fit_and_nothing_is_lost(text in "[a-z 中文。（）\u{301}]{0,60}", columns in 2_usize..20) {
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            for long in [LongWords::Cut, LongWords::Whole] {
                let shown = lines(&text, columns, long);
                prop_assert_eq!(bare(&shown.concat()), bare(&text));
                let width = |line: &String| line.chars().map(width).sum::<usize>();
                prop_assert!(long == LongWords::Whole || shown.iter().all(|line| width(line) <= columns));
            }
        }

        #[test]
        fn nothing_acts_on_the_terminal(text in any::<String>(), columns in 2_usize..90) {
            for line in lines(&text, columns, LongWords::Cut) {
                let acts = |c: char| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c);
                prop_assert!(!line.contains(acts));
            }
        }
    }
}
