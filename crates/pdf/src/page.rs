//! Lines to the text of a page, and to the title.

use crate::line::Line;

/// Returns the text of a page: its lines, with an empty line between blocks. If the page ends with a sentence, an empty line
/// is behind it, too. A word that is cut at the end of a line is one word.
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

/// Returns the title on the first page: its largest lines, if these are a few words and clearly larger than the others.
pub(crate) fn title(page: &[Line]) -> Option<String> {
    let letters = |line: &&Line| line.text.chars().filter(|c| c.is_alphabetic()).count();
    let words = || page.iter().filter(|line| letters(line) > 1);
    let mut sizes: Vec<f64> = words().map(|line| line.size).collect();
    sizes.sort_by(f64::total_cmp);
    let (usual, largest) = (sizes.get(sizes.len() / 2)?, sizes.last()?);
    let of_title = words().filter(|line| line.size > largest * SAME_SIZE);
    let of_title: Vec<Line> = of_title.cloned().collect();
    let title = text(&of_title);
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    (*largest > usual * LARGER && title.len() <= LONGEST_TITLE).then_some(title)
}

/// How much larger a title is than the usual line, and how alike the sizes of its lines are.
const LARGER: f64 = 1.15;
const SAME_SIZE: f64 = 0.97;

/// How long a title may be, in bytes.
const LONGEST_TITLE: usize = 240;

/// The signs at the end of a sentence.
const ENDS: [char; 8] = ['.', ':', '!', '?', '。', '：', '！', '？'];

/// The signs at the end of a line that cut a word.
const HYPHENS: [char; 3] = ['-', '\u{2010}', '\u{ad}'];
