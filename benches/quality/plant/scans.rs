//! Copies as a program for reading scans makes them: wrong letters, and lines of one width with words cut at their
//! ends.

use super::random::Random;
use super::{Page, Planted, original};

/// Characters on a line.
const WIDTH: usize = 64;

/// Letters, and what they are often read as.
const MISREAD: [(char, &str); 22] = [
    ('0', "o"),
    ('1', "l"),
    ('5', "s"),
    ('8', "b"),
    ('a', "o"),
    ('b', "h"),
    ('c', "e"),
    ('d', "cl"),
    ('e', "c"),
    ('f', "t"),
    ('g', "q"),
    ('h', "b"),
    ('i', "l"),
    ('l', "1"),
    ('m', "rn"),
    ('n', "u"),
    ('o', "0"),
    ('s', "f"),
    ('t', "f"),
    ('u', "n"),
    ('v', "y"),
    ('w', "vv"),
];

/// A scan of each page, and for each page the scan of another one as a pair that is different.
pub(super) fn scanned(mut pages: Vec<Page>, percent: usize, random: &mut Random) -> Planted {
    for page in &mut pages {
        // A scan is plain text, and so it is compared with plain text.
        page.name = page.name.replace(".md", "") + ".txt";
    }
    let mut planted = Planted::default();
    for (at, page) in pages.iter().enumerate() {
        let scan = |name: &str| format!("planted/scan-{name}");
        let next = &pages[(at + 1) % pages.len()].name;
        let text = wrapped(&misread(&page.text, percent, random));
        planted
            .documents
            .push((original(page), page.text.clone().into_bytes()));
        planted
            .documents
            .push((scan(&page.name), text.into_bytes()));
        let label = format!("scan-{percent}");
        planted
            .labels
            .push((original(page), scan(&page.name), label));
        planted
            .labels
            .push((original(page), scan(next), "different".into()));
    }
    planted
}

/// The text with so many percent of its letters, ideographs and digits read wrongly: half of those that are often
/// mistaken become what they are mistaken for, a sixth of the others is missing, and the rest is any other one of the
/// page.
pub(super) fn misread(text: &str, percent: usize, random: &mut Random) -> String {
    let letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if !c.is_alphanumeric() || random.below(100) >= percent {
            out.push(c);
            continue;
        }
        let lower = c.to_lowercase().next().unwrap_or(c);
        let often = MISREAD.iter().find(|(letter, _)| *letter == lower);
        match (often, random.below(6)) {
            (Some((_, read)), 0..3) => out.push_str(read),
            (_, 5) => {}
            _ => out.push(*random.pick(&letters)),
        }
    }
    out
}

/// The text in lines of one width. Words of Latin letters are cut with a hyphen.
fn wrapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for line in text.lines() {
        let letters: Vec<char> = line.chars().collect();
        for (at, part) in letters.chunks(WIDTH).enumerate() {
            if at > 0 {
                let is_cut = [letters[at * WIDTH - 1], part[0]]
                    .iter()
                    .all(char::is_ascii_alphabetic);
                out.push_str(if is_cut { "-\n" } else { "\n" });
            }
            out.extend(part);
        }
        out.push('\n');
    }
    out
}
