//! What is shown where scripts do not run: the first entries of the worklist, or without one the first pairs, as a
//! plain table.

use std::io::{self, Write};

use crate::formats::html::data::{Data, PairItem};
use crate::formats::html::embed::html;
use crate::formats::html::worklist::EntryItem;
use crate::language::phrase;
use crate::say;

/// How many entries and how many pairs are listed.
const SHOWN: usize = 100;

/// How many documents of an entry are named.
const NAMED: usize = 10;

pub(super) fn write_noscript(data: &Data, out: &mut dyn Write) -> io::Result<()> {
    let pairs = data.pairs.as_deref().unwrap_or_default();
    let text = say!(
        "This report needs JavaScript to show documents side by side. {} documents were compared and {} pairs found; what to look at first, and the first {} pairs are listed here.",
        data.summary.documents,
        data.summary.pairs,
        pairs.len().min(SHOWN),
    );
    writeln!(out, "<p>{text}</p>")?;
    write_entries(data, out)?;
    let heads = ["relation", "document", "other document", "why"];
    let heads = heads.map(|head| format!("<th>{}</th>", phrase(head)));
    writeln!(out, "<table>\n<tr>{}</tr>", heads.concat())?;
    for PairItem(a, b, relation, .., because, _, _) in pairs.iter().take(SHOWN) {
        writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            phrase(relation.as_str()),
            html(data.name(*a)),
            html(data.name(*b)),
            html(because),
        )?;
    }
    out.write_all(b"</table>\n")
}

fn write_entries(data: &Data, out: &mut dyn Write) -> io::Result<()> {
    let entries = data.worklist.as_deref().unwrap_or_default();
    if entries.is_empty() {
        return Ok(());
    }
    out.write_all(b"<ol>\n")?;
    for EntryItem(_, first, _, _, sentence, members) in entries.iter().take(SHOWN) {
        write!(out, "<li>{}", html(sentence))?;
        let documents = members.iter().map(|(document, _)| document);
        for &document in [first].into_iter().chain(documents).take(NAMED) {
            write!(out, "<br>{}", html(data.name(document)))?;
        }
        let left = (members.len() + 1).saturating_sub(NAMED);
        if left > 0 {
            write!(out, "<br>{}", say!("and {} more", left))?;
        }
        out.write_all(b"</li>\n")?;
    }
    out.write_all(b"</ol>\n")
}
