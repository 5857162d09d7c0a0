//! `dupfind reuse --format html`: one page without a script, with its style in it. Nothing in it comes from the network, and
//! a policy forbids it.

mod groups;

use std::io::{self, Write};

use crate::formats::html::frame::Head;
use crate::language::phrase;
use crate::reuse::html::groups::write_groups;
use crate::reuse::model::{ReuseReport, percent};
use crate::say;
use crate::style::numbers::{amount, grouped};

const BODY: &str = include_str!("page.html");

const STYLE: &str = concat!(
    include_str!("../../formats/html/style/base.css"),
    include_str!("reuse.css")
);

/// The hash of the only style that the policy of the page allows (CSP, `style-src`). A test fails when it must be renewed.
const STYLE_HASH: &str = "sha256-/UfACznrqunQxmZtDxc2fJsoHD3POtXxu8YbcvBp6Ug=";

/// Writes the report as a page.
pub fn write_reuse_html(report: &ReuseReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let head = Head {
        title: phrase("dupfind: passages in several places"),
        style: STYLE,
        style_hash: STYLE_HASH,
        script_hash: None,
    };
    head.write_page(BODY, out, |_, out| content(report, out))
}

fn content(report: &ReuseReport<'_>, out: &mut dyn Write) -> io::Result<()> {
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
    write_groups(report, out)?;
    let skipped = summary.skipped;
    if skipped > 0 {
        writeln!(
            out,
            "<p class=\"note\">{}</p>",
            say!("{} not read", amount(skipped, "file"))
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
