//! `dupfind reuse --format html`: one page without a script, with its style in it. Nothing in it comes from the network, and
//! a policy forbids it.

mod groups;
pub(crate) mod pages;
mod views;

use std::io::{self, Write};

use crate::formats::html::embed::html;
use crate::formats::html::frame::Head;
use crate::language::phrase;
use crate::reuse::html::groups::write_groups;
use crate::reuse::html::pages::{PageTexts, write_pages};
use crate::reuse::html::views::{write_folders, write_translation};
use crate::reuse::model::{ReuseReport, percent};
use crate::say;
use crate::style::numbers::{amount, grouped};

const BODY: &str = include_str!("page.html");

const STYLE: &str = concat!(
    include_str!("../../formats/html/style/base.css"),
    include_str!("reuse.css")
);

/// The hash of the only style that the policy of the page allows (CSP, `style-src`). A test fails when it must be renewed.
const STYLE_HASH: &str = "sha256-DumuvLCIzPzWKGiGAROoADGt7Vx0JaKDeIlXCco1N/4=";

/// Writes the report as a page.
pub fn write_reuse_html(
    report: &ReuseReport<'_>,
    texts: &PageTexts,
    out: &mut dyn Write,
) -> io::Result<()> {
    let head = Head {
        title: phrase("dupfind: passages in several places"),
        style: STYLE,
        style_hash: STYLE_HASH,
        script_hash: None,
    };
    head.write_page(BODY, out, |_, out| content(report, texts, out))
}

fn content(report: &ReuseReport<'_>, texts: &PageTexts, out: &mut dyn Write) -> io::Result<()> {
    let summary = report.summary();
    writeln!(out, "<main>\n<div class=\"figures\">")?;
    let figures = [
        (grouped(summary.documents as u64), phrase("documents")),
        (
            grouped(summary.groups as u64),
            phrase("passages in several places"),
        ),
        (
            percent(summary.units_saved, summary.units),
            phrase("of all units are copies"),
        ),
        (grouped(summary.units_saved), phrase("units would be saved")),
    ];
    for (figure, words) in figures {
        writeln!(out, "<div><b>{figure}</b><span>{words}</span></div>")?;
    }
    writeln!(out, "</div>")?;
    let views = [
        ("groups", phrase("Passages")),
        ("folders", phrase("Folders")),
        ("translation", phrase("Translation")),
        ("pages", phrase("Pages")),
    ];
    let views = views.map(|(id, name)| format!("<a href=\"#{id}\">{name}</a>"));
    let label = phrase("Views");
    let views = views.concat();
    writeln!(
        out,
        "<nav class=\"views\" aria-label=\"{label}\">{views}</nav>"
    )?;
    write_groups(report, out)?;
    write_folders(report, out)?;
    write_translation(report, out)?;
    write_pages(report, texts, out)?;
    let skipped = summary.skipped;
    if skipped > 0 {
        writeln!(
            out,
            "<p class=\"note\">{}</p>",
            say!("{} not read", amount(skipped, "file"))
        )?;
    }
    if let Some(hint) = report.hint() {
        writeln!(
            out,
            "<p class=\"note\">{}</p>",
            say!(
                "To share a passage in {}: {}",
                hint.tool,
                format!("<code>{}</code>", html(phrase(hint.text)))
            )
        )?;
    }
    writeln!(out, "</main>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest, Sha256};

    #[test]
    fn the_policy_allows_the_style() {
        let hash = STANDARD.encode(Sha256::digest(STYLE.replace("\r\n", "\n")));
        assert_eq!(STYLE_HASH, format!("sha256-{hash}"));
        assert!(!STYLE.contains("</"));
    }
}
