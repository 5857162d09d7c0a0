//! Lines to the text of a page, and to the title.

use std::collections::HashMap;

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
    (*largest > usual * LARGER && title.len() <= 240).then_some(title)
}

/// How much larger a title is than the usual line, and how alike the sizes of its lines are.
const LARGER: f64 = 1.15;
const SAME_SIZE: f64 = 0.97;

/// The signs at the end of a sentence.
const ENDS: [char; 8] = ['.', ':', '!', '?', '。', '：', '！', '？'];

/// The signs at the end of a line that cut a word.
const HYPHENS: [char; 3] = ['-', '\u{2010}', '\u{ad}'];

/// How many lines at the top and at the bottom of a page may be heads and feet.
const LINES: usize = 3;

/// On how many pages the same line is a head or a foot. A number alone is one on fewer.
const PAGES: usize = 3;
const PAGES_OF_NUMBERS: usize = 2;

/// How far apart two lines may be that are at the same place, in points.
const SAME_PLACE: f64 = 3.0;

/// The words of a line without its numbers, and where it is.
type Key = (String, i64);

/// Removes lines at the same place of many pages.
pub(crate) fn remove_repeated(pages: &mut [Vec<Line>]) {
    let mut counts: HashMap<Key, usize> = HashMap::new();
    for page in pages.iter() {
        let mut keys: Vec<Key> = outermost(page)
            .into_iter()
            .map(|at| key(&page[at]))
            .collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            *counts.entry(key).or_default() += 1;
        }
    }
    for page in pages {
        let is_repeated = |line: &Line| {
            let key = key(line);
            let most = if key.0 == "#" {
                PAGES_OF_NUMBERS
            } else {
                PAGES
            };
            counts.get(&key).is_some_and(|&count| count >= most)
        };
        let mut repeated: Vec<usize> = outermost(page);
        repeated.retain(|&at| is_repeated(&page[at]));
        for at in repeated.into_iter().rev() {
            let removed = page.remove(at);
            if let Some(next) = page.get_mut(at) {
                next.is_first |= removed.is_first;
            }
        }
    }
}

/// Returns the numbers of the lines at the top and at the bottom of a page, sorted.
fn outermost(page: &[Line]) -> Vec<usize> {
    let mut upright: Vec<usize> = (0..page.len()).filter(|&at| page[at].turns == 0).collect();
    upright.sort_by(|&a, &b| page[a].base.total_cmp(&page[b].base));
    let below = upright
        .len()
        .saturating_sub(LINES)
        .max(LINES.min(upright.len()));
    let mut outermost = upright[..LINES.min(upright.len())].to_vec();
    outermost.extend(&upright[below..]);
    outermost.sort_unstable();
    outermost
}

fn key(line: &Line) -> Key {
    #[expect(clippy::cast_possible_truncation, reason = "places on a page")]
    let place = (line.base / SAME_PLACE).round() as i64;
    let is_number = |word: &str| {
        let digits = word.trim_matches(|c: char| !c.is_alphanumeric());
        !digits.is_empty()
            && (digits.bytes().all(|b| b.is_ascii_digit())
                || digits.bytes().all(|b| b"ivxlc".contains(&b)))
    };
    let words = line.text.split_whitespace();
    let words = words.map(|word| if is_number(word) { "#" } else { word });
    (words.collect::<Vec<_>>().join(" "), place)
}
