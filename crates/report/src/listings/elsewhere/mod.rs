//! The passages of a page that other documents have, in words: for agents and editors.

mod advice;

use serde::Serialize;

use dupfind_decide::Elsewhere;
use dupfind_decide::elsewhere::{Lines, Passage, Place, Twin};
use dupfind_engine::verdict::pair::Share;

pub use crate::listings::elsewhere::advice::{Asked, advice, is_well, is_whole, verdict};

/// A passage of a page that is elsewhere too.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PassageRecord {
    /// Its first and last line in the page.
    pub my_lines: Lines,
    /// Its share of the page, from 0 to 1.
    pub share: f64,
    /// The document that has most of it.
    pub page: String,
    /// Where it is in that document.
    pub lines: Lines,
    /// The relation of the two, or `passage` if they only share passages.
    pub verdict: &'static str,
    /// The other documents that have it too, or half of it and more.
    pub also_in: Places,
    /// Documents that have less of it.
    pub partly_in: Places,
    /// Advice in a sentence.
    pub advice: String,
}

/// More documents that have a passage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Places {
    /// How many there are.
    pub total: usize,
    /// The names of the first ones.
    pub pages: Vec<String>,
}

impl PassageRecord {
    /// Returns the records of a passage. The names of more documents in each of them have no more than `room` characters together,
    /// unless it is one name.
    pub fn parts(found: &Elsewhere, passage: &Passage, asked: Asked<'_>, room: usize) -> Vec<Self> {
        let (first, others) = passage.twins.split_first().expect("a passage is elsewhere");
        let also = passage.copies() - 1;
        let places = || {
            let [mut also_in, mut partly_in] = [Places::default(), Places::default()];
            (also_in.total, partly_in.total) = (also, others.len() - also);
            [also_in, partly_in]
        };
        let mut parts = vec![places()];
        let mut left = room;
        for (at, twin) in others.iter().enumerate() {
            let name = &found.place(twin).page;
            let length = name.chars().count() + 3;
            if length > left {
                parts.push(places());
                left = room;
            }
            left = left.saturating_sub(length);
            let [also_in, partly_in] = parts.last_mut().expect("there is one");
            let of = if at < also { also_in } else { partly_in };
            of.pages.push(name.clone());
        }
        let part = |[also_in, partly_in]: [Places; 2]| Self {
            my_lines: passage.mine,
            share: rounded(passage.share),
            page: found.place(first).page.clone(),
            lines: first.its,
            verdict: verdict(found, passage, asked),
            also_in,
            partly_in,
            advice: advice(found, passage, asked),
        };
        parts.into_iter().map(part).collect()
    }
}

/// Returns a share with two decimals, rounded down.
pub fn rounded(share: Share) -> f64 {
    // A percentage has no more than 53 bits.
    share.percent() as f64 / 100.0
}

/// Returns a line of Markdown that names a place, for a page of this name.
pub fn link(page: &str, place: &Place, twin: &Twin) -> String {
    let heading = twin.heading.as_ref().map(|heading| &heading.words);
    let name = heading.or(place.title.as_ref()).unwrap_or(&place.page);
    let name: String = name.chars().filter(|c| !"[]`".contains(*c)).collect();
    let own: Vec<&str> = page.split('/').collect();
    let its: Vec<&str> = place.page.split('/').collect();
    let folders = own.len().min(its.len()) - 1;
    let common = (0..folders).take_while(|&at| own[at] == its[at]).count();
    let up = "../".repeat(own.len() - 1 - common);
    let target = encoded(&its[common..].join("/"));
    format!("[{name}]({up}{target}{})", fragment(place, twin))
}

/// Returns the address of a passage: its page, with the last heading before it if the page is Markdown.
fn anchor(place: &Place, twin: &Twin) -> String {
    place.page.clone() + &fragment(place, twin)
}

/// Returns the part of an address that names the heading of a passage, with its sign; nothing for the title of the page.
fn fragment(place: &Place, twin: &Twin) -> String {
    let is_markdown = [".md", ".mdx", ".markdown"];
    let is_markdown = is_markdown.iter().any(|end| place.page.ends_with(end));
    match &twin.heading {
        Some(heading) if is_markdown && place.title.as_ref() != Some(&heading.words) => {
            format!("#{}", heading.slug)
        }
        _ => String::new(),
    }
}

/// Returns a path as a target in Markdown: special characters are encoded as in a URL.
fn encoded(path: &str) -> String {
    let mut text = String::new();
    for c in path.chars() {
        match c {
            '\0'..='\x7f' if !c.is_ascii_alphanumeric() && !"/-_.~".contains(c) => {
                text.push_str(&format!("%{:02X}", u32::from(c)));
            }
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;
    use dupfind_decide::elsewhere::Heading;
    use dupfind_read::Extent;

    #[test]
    fn a_link_is_relative_to_its_page() {
        for [page, other, expected] in table(
            "a.md     | b.md        | [Opening](b.md#opening)
             x/a.md   | x/b.md      | [Opening](b.md#opening)
             x/y/a.md | x/z/b.md    | [Opening](../z/b.md#opening)
             x/a.md   | b.txt       | [Opening](../b.txt)
             a.md     | x/b (c)#.md | [Opening](x/b%20%28c%29%23.md#opening)",
        ) {
            let place = Place {
                page: other.into(),
                title: None,
                pair: None,
                share: Share::ALL,
            };
            let twin = Twin {
                place: 0,
                its: (3, 4),
                extent: Extent::Lines(3, 4),
                heading: Some(Heading {
                    words: "Opening".into(),
                    slug: "opening".into(),
                }),
                units: 30,
                run: 0,
                text: String::new(),
                is_all_of_its_lines: true,
                tells_other: false,
            };
            assert_eq!(link(page, &place, &twin), expected);
        }
    }
}
