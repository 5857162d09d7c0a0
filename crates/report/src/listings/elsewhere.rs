//! The other documents with text of a page, in words: for agents and editors.

use serde::Serialize;

use crate::language::phrase;
use crate::say;
use dupfind_decide::elsewhere::{Lines, Place};
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::Share;

/// The most stretches of lines that are named.
const MAX_STRETCHES: usize = 3;

/// The share of a page from which on it is another one's text as a whole.
const MOST_OF_IT: u64 = 50;

/// Another document that has text of a page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlaceRecord {
    /// Its name.
    pub page: String,
    /// Its title; `null` if it has none.
    pub title: Option<String>,
    /// The relation of the two, or `passage` if they only share passages.
    pub verdict: &'static str,
    /// How much of the page is there, from 0 to 1.
    pub share_of_mine: f64,
    /// The first and the last line of each passage in the page: the longest three.
    pub my_lines: Vec<Lines>,
    /// Where these are in the other document.
    pub its_lines: Vec<Lines>,
    /// Advice in a sentence.
    pub advice: String,
}

impl PlaceRecord {
    /// Returns the record of a place.
    #[must_use]
    pub fn new(place: &Place) -> Self {
        let mut longest: Vec<_> = place.passages.iter().collect();
        longest.sort_by_key(|passage| std::cmp::Reverse(passage.units));
        longest.truncate(MAX_STRETCHES);
        longest.sort_by_key(|passage| passage.mine);
        Self {
            page: place.page.clone(),
            title: place.title.clone(),
            verdict: verdict(place),
            share_of_mine: rounded(place.share),
            my_lines: longest.iter().map(|passage| passage.mine).collect(),
            its_lines: longest.iter().map(|passage| passage.its).collect(),
            advice: advice(place),
        }
    }
}

/// Returns a share with two decimals, rounded down.
#[must_use]
pub fn rounded(share: Share) -> f64 {
    // A percentage has no more than 53 bits.
    share.percent() as f64 / 100.0
}

/// Returns the name of the relation of a page and a place; `passage` if they are no pair.
#[must_use]
pub fn verdict(place: &Place) -> &'static str {
    place
        .pair
        .map_or("passage", |pair| pair.relation().as_str())
}

/// Returns advice about a page whose text is in a place, too.
#[must_use]
pub fn advice(place: &Place) -> String {
    let anchor = anchor(place);
    let page = &place.page;
    match place.pair.map(|pair| pair.relation()) {
        Some(Relation::Exact) => say!(
            "Keep one of the two, and link to it: {} is the same text",
            page
        ),
        Some(Relation::Near) => say!(
            "Merge the two, or say in this page only what is new and link to {}",
            anchor
        ),
        Some(Relation::Contains) if place.share.percent() < MOST_OF_IT => {
            say!(
                "Most of {} is in this page: move here what only it has, and make it a link to this page",
                page
            )
        }
        Some(Relation::Variant) => say!(
            "Keep both if they are for two subjects, else merge them: {} is this page for another one",
            page
        ),
        Some(Relation::Template) => {
            phrase("Nothing to do: the two have one form, and other texts").into()
        }
        Some(Relation::Short) => phrase("Nothing to do, unless you expected a longer text").into(),
        Some(Relation::Contains | Relation::Related) | None => {
            say!("Link to {} instead of saying it again", anchor)
        }
    }
}

/// Returns a line of Markdown that names a place, for a page of this name.
#[must_use]
pub fn link(page: &str, place: &Place) -> String {
    let names = [&place.heading, &place.title];
    let name = names.into_iter().flatten().next().unwrap_or(&place.page);
    let name: String = name.chars().filter(|c| !"[]`".contains(*c)).collect();
    let own: Vec<&str> = page.split('/').collect();
    let its: Vec<&str> = place.page.split('/').collect();
    let folders = own.len().min(its.len()) - 1;
    let common = (0..folders).take_while(|&at| own[at] == its[at]).count();
    let up = "../".repeat(own.len() - 1 - common);
    let target = encoded(&its[common..].join("/"));
    format!("[{name}]({up}{target}{})", fragment(place))
}

/// Returns the address of the passage in a place: its page, with the last heading before it if the page is Markdown.
fn anchor(place: &Place) -> String {
    place.page.clone() + &fragment(place)
}

/// Returns the part of an address that names the heading of a place, with its sign; nothing if it names none.
fn fragment(place: &Place) -> String {
    let is_markdown = [".md", ".mdx", ".markdown"];
    let is_markdown = is_markdown.iter().any(|end| place.page.ends_with(end));
    match &place.heading {
        Some(heading) if is_markdown => format!("#{}", slug(heading)),
        _ => String::new(),
    }
}

/// Returns the name of a heading in an address, as most renderers of Markdown make it.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter_map(|c| match c {
        ' ' | '-' => Some('-'),
        '_' => Some(c),
        _ if c.is_alphanumeric() => Some(c),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
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

    #[test]
    fn a_link_is_relative_to_its_page() {
        for (page, other, expected) in [
            ("a.md", "b.md", "[Opening](b.md#opening)"),
            ("x/a.md", "x/b.md", "[Opening](b.md#opening)"),
            ("x/y/a.md", "x/z/b.md", "[Opening](../z/b.md#opening)"),
            ("x/a.md", "b.txt", "[Opening](../b.txt)"),
            (
                "a.md",
                "x/b (c)#.md",
                "[Opening](x/b%20%28c%29%23.md#opening)",
            ),
        ] {
            let place = Place {
                page: other.into(),
                title: None,
                heading: Some("Opening".into()),
                pair: None,
                share: Share::ALL,
                its_share: Share::ALL,
                passages: Vec::new(),
            };
            assert_eq!(link(page, &place), expected);
        }
    }

    #[test]
    fn headings_become_addresses() {
        for (heading, expected) in [
            ("Opening hours", "opening-hours"),
            ("What's new? (2024)", "whats-new-2024"),
            ("开放时间", "开放时间"),
            ("a_b  c", "a_b--c"),
        ] {
            assert_eq!(slug(heading), expected);
        }
    }
}
