//! The Chinese pages say what the English pages say: they have the same code blocks and the same sections,
//! and each section has the same code, numbers and links.

use crate::env::Says;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};

use super::joined;
use super::page::{Page, pages, root};

/// Parts that are the same in every language.
#[derive(Default)]
struct Section {
    level: Option<HeadingLevel>,
    heading: String,
    /// Its text without code, to find the numbers.
    text: String,
    code: BTreeSet<String>,
    /// The pages that it links to, in English.
    links: BTreeSet<PathBuf>,
}

/// Returns the English page that a Chinese page translates.
pub(super) fn original(name: &Path) -> Option<PathBuf> {
    if name == Path::new("README.zh-CN.md") {
        return Some("README.md".into());
    }
    let name = Path::new("docs").join(name.strip_prefix("docs/zh").ok()?);
    // The page on algorithms is Chinese alone: docs/how-it-works.md has them in English.
    root().join(&name).exists().then_some(name)
}

/// Returns whether a page is in Chinese.
pub(super) fn is_chinese(name: &Path) -> bool {
    name == Path::new("README.zh-CN.md") || name.starts_with("docs/zh")
}

/// Returns the sections of a page. The first one is the text before the first heading.
fn sections(page: &Page) -> Vec<Section> {
    let mut sections = vec![Section::default()];
    let mut in_block = false;
    for (event, _) in page.events() {
        if let Event::Start(Tag::Heading { level, .. }) = event {
            let level = Some(level);
            sections.push(Section {
                level,
                ..Section::default()
            });
        }
        let section = sections.last_mut().unwrap();
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_block = true,
            Event::End(TagEnd::CodeBlock) => in_block = false,
            Event::End(TagEnd::Heading(_)) => section.heading = section.text.trim().to_owned(),
            Event::Start(Tag::Link { dest_url, .. }) if !dest_url.contains("://") => {
                let path = dest_url.split('#').next().unwrap();
                let linked = match path {
                    "" => page.name.clone(),
                    path => joined(page.name.parent().unwrap(), path),
                };
                section.links.insert(original(&linked).unwrap_or(linked));
            }
            Event::Code(code) => drop(section.code.insert(code.to_string())),
            Event::Text(text) if !in_block => section.text.push_str(&text),
            // A break, or the end of a cell.
            _ => section.text.push(' '),
        }
    }
    sections
}

/// Returns the numbers of a text: `4.5 million` and `450 万` are both 4500000.
fn numbers(text: &str) -> BTreeSet<String> {
    let mut numbers = BTreeSet::new();
    let mut rest = text;
    while let Some(begin) = rest.find(|c: char| c.is_ascii_digit()) {
        let text = &rest[begin..];
        let end = text.find(|c: char| !(c.is_ascii_digit() || ".,".contains(c)));
        let (number, after) = text.split_at(end.unwrap_or(text.len()));
        rest = after;
        let number = number.trim_end_matches(['.', ',']).replace(',', "");
        // The number of a version has two points.
        let Ok(number) = number.parse::<f64>() else {
            continue;
        };
        let factors = [("million", 1e6), ("万", 1e4)];
        let mut all = factors.iter();
        let factor = all.find(|(word, _)| after.trim_start().starts_with(word));
        numbers.insert((number * factor.map_or(1.0, |(_, factor)| *factor)).to_string());
    }
    numbers
}

/// Returns the code blocks of a page with their languages. They come without what is in another language: sessions without
/// what the program prints, which is compared with the program in the language of the page, the others without their
/// comments.
fn blocks(page: &Page) -> Vec<(String, String)> {
    let blocks = page.code_blocks().into_iter().map(|(language, range)| {
        let block = page.text[range].to_owned();
        if language == "console" {
            let commands = block.lines().filter(|line| line.starts_with("$ "));
            let commands: Vec<&str> = commands.collect();
            return (language, commands.join("\n"));
        }
        let lines = block.lines().map(|line| match line.strip_prefix("# ") {
            Some(_) => "",
            None => line.split(" # ").next().unwrap().trim_end(),
        });
        (language, lines.collect::<Vec<_>>().join("\n"))
    });
    blocks.collect()
}

#[test]
fn chinese_pages_say_what_the_english_ones_say() {
    let mut count = 0;
    for page in pages() {
        let Some(original) = original(&page.name) else {
            continue;
        };
        count += 1;
        let english = Page::read(original);
        let names = format!("{}, {}", page.name.display(), english.name.display());
        let both = [&page, &english].map(blocks);
        let expected = both[1].len();
        assert_eq!(both[0].len(), expected, "{names}: the number of blocks");
        for (chinese, original) in both[0].iter().zip(&both[1]) {
            assert_eq!(chinese, original, "{names}: other blocks");
        }

        let sections = [&page, &english].map(sections);
        let levels = sections
            .each_ref()
            .map(|sections| sections.iter().map(|section| section.level));
        let [chinese_levels, english_levels] = levels;
        assert!(chinese_levels.eq(english_levels), "{names}: other headings");

        let [chinese, original] = &sections;
        for (chinese, original) in chinese.iter().zip(original) {
            let place = format!("{names}: the section '{}'", chinese.heading);
            assert_eq!(chinese.links, original.links, "{place}: other links");
            let missing: Vec<_> = original.code.difference(&chinese.code).collect();
            assert!(missing.is_empty(), "{place} lacks the code {missing:?}");
            let [here, there] = [chinese, original].map(|section| numbers(&section.text));
            let missing: Vec<_> = there.difference(&here).collect();
            assert!(missing.is_empty(), "{place} lacks the numbers {missing:?}");
            // Beside Chinese punctuation, asterisks may stay what they are.
            chinese.text.omits("**");
            // Output that only the Chinese page explains.
            for code in chinese.code.difference(&original.code) {
                let is_shown = page.shows(code);
                assert!(is_shown, "{place}: {code} is in no block");
            }
        }
    }
    assert_eq!(count, 4);
}
