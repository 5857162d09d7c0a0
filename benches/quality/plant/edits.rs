//! Changes that leave the words of a page as they are, and pasting.

use std::collections::HashMap;

use dupfind_engine::text::han::fold;
use encoding_rs::GB18030;

use super::random::Random;

/// The paragraphs of a page: the text between blank lines.
pub(crate) fn paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.lines() {
        match paragraphs.last_mut() {
            Some(open) if !line.trim().is_empty() => open.push(line),
            Some(open) if open.is_empty() => {}
            _ => paragraphs.push(Vec::new()),
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs.iter().map(|lines| lines.join("\n")).collect()
}

/// The page with its paragraphs in another order.
pub(crate) fn shuffle(text: &str, random: &mut Random) -> String {
    let mut paragraphs = paragraphs(text);
    random.shuffle(&mut paragraphs);
    paragraphs.join("\n\n") + "\n"
}

/// The page without one of its paragraphs, and in every third case with the others in another order.
pub(crate) fn rearrange(text: &str, random: &mut Random) -> String {
    let mut paragraphs = paragraphs(text);
    if paragraphs.len() > 3 {
        paragraphs.remove(random.below(paragraphs.len()));
    }
    if random.below(3) == 0 {
        random.shuffle(&mut paragraphs);
    }
    paragraphs.join("\n\n") + "\n"
}

/// The page in GB18030, if that can be.
pub(crate) fn gb18030(text: &str) -> Option<Vec<u8>> {
    let (bytes, _, unmappable) = GB18030.encode(text);
    (!unmappable).then(|| bytes.into_owned())
}

/// The page in UTF-16LE with a byte order mark.
pub(crate) fn utf_16(text: &str) -> Vec<u8> {
    let units = [0xfeff].into_iter().chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

/// The first Traditional character of each Simplified one that has any.
pub(crate) fn traditional_characters() -> HashMap<char, char> {
    let mut characters = HashMap::new();
    for traditional in '\u{4e00}'..='\u{9fff}' {
        let mut folded = traditional.to_string();
        fold(&mut folded);
        let simplified = folded.chars().next().expect("one character");
        if simplified != traditional {
            characters.entry(simplified).or_insert(traditional);
        }
    }
    characters
}

/// The page with other white space, full-width punctuation and CRLF line ends.
pub(crate) fn white_space(text: &str, random: &mut Random) -> String {
    const SPACES: [&str; 5] = [" ", "  ", "\t", "\u{a0}", "\u{3000}"];
    let mut out = String::with_capacity(text.len() * 2);
    for line in text.lines() {
        for c in line.chars() {
            match c {
                ' ' => out.push_str(SPACES[random.below(SPACES.len())]),
                // Their full-width forms are in the same order.
                '!' | '(' | ')' | ',' | '.' | ':' | ';' | '?' => {
                    out.extend(char::from_u32(u32::from(c) + 0xfee0));
                }
                _ => out.push(c),
            }
        }
        out.push_str("\r\n");
    }
    out
}

/// The host with a third of the guest in its middle.
pub(crate) fn paste_third(host: &str, guest: &str, random: &mut Random) -> String {
    let third = guest.chars().count().div_ceil(3);
    // From the beginning of a line, if one leaves enough behind it.
    let starts = [0]
        .into_iter()
        .chain(guest.match_indices('\n').map(|(at, _)| at + 1));
    let starts: Vec<usize> = starts
        .filter(|&at| guest[at..].chars().count() >= third)
        .collect();
    let from = &guest[*random.pick(&starts)..];
    let pasted: String = from.chars().take(third).collect();
    let (before, after) = host.split_at(middle(host));
    format!("{before}\n{pasted}\n{after}")
}

/// The end of a line or, without one in the middle half of a page, a boundary of characters.
fn middle(text: &str) -> usize {
    let half = text.len() / 2;
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    let nearest = ends.min_by_key(|at| at.abs_diff(half));
    match nearest {
        Some(at) if at.abs_diff(half) <= text.len() / 4 => at,
        _ => (half..=text.len())
            .find(|&at| text.is_char_boundary(at))
            .unwrap_or(half),
    }
}
