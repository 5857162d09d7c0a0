//! The shares of the pages, and the pages with most shared passages as a whole.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use crate::formats::html::embed::html;
use crate::language::phrase;
use crate::reuse::html::groups::shown;
use crate::reuse::model::{ReuseReport, percent};
use crate::say;
use crate::style::escape::visible;
use dupfind_engine::text::blocks::blocks;
use dupfind_read::ReadOptions;
use dupfind_scan::pages::read_again;

/// How many pages are listed.
const MOST_LISTED: usize = 500;

/// How many pages are shown as a whole.
const MOST_SHOWN: usize = 40;

/// How many bytes of a page are shown.
const MOST_TEXT: usize = 60_000;

/// The blocks of the pages that are shown, by the position of the page. Each block has its text and its number in the page.
#[derive(Debug, Default)]
pub struct PageTexts {
    blocks: HashMap<usize, Vec<(u32, String)>>,
}

impl PageTexts {
    /// Reads the pages with most shared units again.
    pub fn read(report: &ReuseReport<'_>, options: &ReadOptions) -> Self {
        let numbers: HashMap<(u32, u64), usize> = most_shared(report)
            .take(MOST_SHOWN)
            .map(|page| {
                let source = &report.pages.pages[page].source;
                ((source.file, source.record), page)
            })
            .collect();
        let wanted: HashSet<(u32, u64)> = numbers.keys().copied().collect();
        let read = read_again(
            &report.pages.entries,
            options,
            &wanted,
            |page, text, layout| {
                let mut room = MOST_TEXT;
                let blocks = blocks(text, layout).into_iter().zip(0..);
                let shown = blocks.take_while(|(block, _)| {
                    let is_shown = room > 0;
                    room = room.saturating_sub(block.text.len());
                    is_shown
                });
                let cut = |text: &str| text.chars().take(MOST_TEXT).collect::<String>();
                (
                    numbers[&page],
                    shown
                        .map(|(block, number)| (number, cut(block.text)))
                        .collect(),
                )
            },
        );
        Self {
            blocks: read.into_iter().collect(),
        }
    }
}

/// Returns the positions of the pages with shared units, those with most of them first.
fn most_shared(report: &ReuseReport<'_>) -> impl Iterator<Item = usize> {
    let shares = report.shares;
    let mut pages: Vec<usize> = (0..shares.len())
        .filter(|&page| shares[page].shared > 0)
        .collect();
    pages.sort_by_key(|&page| (std::cmp::Reverse(shares[page].shared), page));
    pages.into_iter()
}

pub(super) fn write_pages(
    report: &ReuseReport<'_>,
    texts: &PageTexts,
    out: &mut dyn Write,
) -> io::Result<()> {
    let legend = [
        ("shared", phrase("in other places too")),
        ("common", phrase("of a template")),
        ("own", phrase("here only")),
    ];
    let legend =
        legend.map(|(class, text)| format!("<span><i class=\"{class}\"></i>{text}</span>"));
    let heads = [
        "units",
        "unique",
        "shared",
        "common",
        "near pages",
        "closest",
        "of its units",
    ];
    let heads = heads.map(|head| {
        let class = if head == "closest" {
            " class=\"path\""
        } else {
            ""
        };
        format!("<th scope=\"col\"{class}>{}</th>", phrase(head))
    });
    writeln!(
        out,
        "<section id=\"pages\"><h2>{}</h2><p class=\"legend\">{}</p>\
         <div class=\"scroll pages\"><table><thead><tr><th scope=\"col\"></th>{}</tr></thead><tbody>",
        phrase("Pages"),
        legend.concat(),
        heads.concat(),
    )?;
    for page in most_shared(report).take(MOST_LISTED) {
        let shares = &report.shares[page];
        let name = html(&visible(&report.pages.pages[page].name));
        let name = match texts.blocks.contains_key(&page) {
            true => format!("<a href=\"#p{page}\">{name}</a>"),
            false => name,
        };
        let closest = shares.closest.map_or_else(
            || ("&middot;".to_owned(), String::new()),
            |(closest, units)| {
                (
                    html(&visible(report.name(closest))),
                    percent(units, shares.units),
                )
            },
        );
        writeln!(
            out,
            "<tr><th scope=\"row\">{name}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"path\">{}</td><td>{}</td></tr>",
            shares.units,
            percent(shares.unique, shares.units),
            percent(shares.shared, shares.units),
            percent(shares.common, shares.units),
            shares.near,
            closest.0,
            closest.1,
        )?;
    }
    writeln!(out, "</tbody></table></div>")?;
    for page in most_shared(report).take(MOST_SHOWN) {
        if let Some(blocks) = texts.blocks.get(&page) {
            whole(report, page, blocks, out)?;
        }
    }
    writeln!(out, "</section>")
}

/// Writes a page with its shared passages coloured.
fn whole(
    report: &ReuseReport<'_>,
    page: usize,
    blocks: &[(u32, String)],
    out: &mut dyn Write,
) -> io::Result<()> {
    let listed: HashSet<usize> = report
        .findings
        .iter()
        .map(|finding| finding.number)
        .collect();
    let passages = report.cut[page].passages().iter();
    let group_of: HashMap<u32, Option<u32>> = passages
        .map(|passage| passage.block)
        .zip(report.found.group_of[page].iter().copied())
        .collect();
    let shares = &report.shares[page];
    writeln!(
        out,
        "<details id=\"p{page}\"><summary><span class=\"number\"></span><span class=\"saves\">{}</span><span class=\"start\">{}</span>\
         <span class=\"facts\">{}</span></summary><div class=\"page\">",
        percent(shares.shared, shares.units),
        html(&visible(&report.pages.pages[page].name)),
        say!("of {} units are shared", shares.units),
    )?;
    for (number, text) in blocks {
        let text = html(&shown(text));
        match group_of.get(number).copied().flatten() {
            None => writeln!(out, "<p>{text}</p>")?,
            Some(group) => {
                let number = group as usize;
                let class = match report.found.groups[number].is_common {
                    true => "common",
                    false => "shared",
                };
                let link = match listed.contains(&number) {
                    true => format!(
                        "<a href=\"#g{}\">{}</a>",
                        number + 1,
                        say!("passage {}", number + 1)
                    ),
                    false => String::new(),
                };
                writeln!(out, "<p class=\"{class}\">{link}{text}</p>")?;
            }
        }
    }
    writeln!(out, "</div></details>")
}
