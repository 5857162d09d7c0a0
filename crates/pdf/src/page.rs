//! Lines to the text of a page.

use crate::line::Line;

/// Returns the text of a page: its lines, with an empty line between blocks, and behind a page that
/// ends with a sentence. A word that is cut at the end of a line is one
/// word.
pub(crate) fn text(lines: &[Line]) -> String {
    let mut text = String::new();
    for line in lines {
        let words = line.text.trim();
        if words.is_empty() {
            continue;
        }
        let mut last = text.chars().rev();
        let is_cut = last.next().is_some_and(|c| HYPHENS.contains(&c))
            && last
                .next()
                .is_some_and(|c| c.is_alphabetic() || c == '\u{ad}')
            && words.starts_with(char::is_lowercase);
        if is_cut || text.ends_with('\u{ad}') {
            text.pop();
        } else if !text.is_empty() {
            text.push_str(if line.is_first { "\n\n" } else { "\n" });
        }
        text.push_str(words);
    }
    if !text.is_empty() {
        // A paragraph may go on on the next page.
        text.push_str(if text.ends_with(ENDS) { "\n\n" } else { "\n" });
    }
    text.retain(|c| c != '\u{ad}');
    text
}

/// The signs at the end of a sentence.
const ENDS: [char; 8] = ['.', ':', '!', '?', '。', '：', '！', '？'];

/// The signs at the end of a line that cut a word.
const HYPHENS: [char; 3] = ['-', '\u{2010}', '\u{ad}'];
