//! Texts, spreadsheets and presentations of OpenOffice and its kin: all have their text in one part.
//!
//! Headers and footers are in another part. Comments and deleted text do not count, notes do.

use crate::extract::archive::flow::Flow;
use crate::extract::archive::parts::Parts;
use crate::extract::archive::xml::{Xml, XmlPiece, XmlTag};
use crate::extract::archive::{Refused, malformed};

/// Elements that do not count.
const SKIPPED: [&str; 6] = [
    "annotation",
    "binary-data",
    "note-citation",
    "ruby-text",
    "script",
    "tracked-changes",
];

/// Returns the text of a file.
pub(super) fn text(parts: &mut Parts<'_>) -> Result<String, Refused> {
    let manifest = parts.read("META-INF/manifest.xml")?.unwrap_or_default();
    if is_encrypted(&manifest)? {
        return malformed("it is encrypted; saved again without a password it can be read".into());
    }
    let content = parts.need("content.xml")?;
    let mut xml = Xml::new(&content);
    xml.expect("document-content")?;
    let mut flow = Flow::new();
    while let Some(piece) = xml.next()? {
        match piece {
            XmlPiece::Start(tag) if is_skipped(&tag) => xml.skip()?,
            XmlPiece::Start(tag) => match tag.name() {
                "p" | "h" => flow.begin(),
                "text-box" | "note-body" => flow.begin_beside(),
                "s" => flow.push(" "),
                "tab" => flow.push("\t"),
                "line-break" => flow.push("\n"),
                _ => {}
            },
            XmlPiece::End(end) => match end.name() {
                "p" | "h" => flow.end(),
                "text-box" | "note-body" => flow.end_beside(),
                _ => {}
            },
            XmlPiece::Text(text) => flow.push(&text),
        }
    }
    Ok(flow.finish())
}

/// Returns whether an element does not count. Drawings have titles and descriptions that no reader sees.
fn is_skipped(tag: &XmlTag<'_>) -> bool {
    let name = tag.name();
    SKIPPED.contains(&name) || (["title", "desc"].contains(&name) && tag.is_of("svg"))
}

fn is_encrypted(manifest: &str) -> Result<bool, Refused> {
    let mut xml = Xml::new(manifest);
    while let Some(tag) = xml.next_tag()? {
        if tag.name() == "encryption-data" {
            return Ok(true);
        }
    }
    Ok(false)
}
