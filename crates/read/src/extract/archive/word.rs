//! Documents of Word: the body, then the notes.
//!
//! Headers and footers are on every page and do not count. Comments, deleted text and hidden text do not count
//! either. A word may be cut into many runs, which belong together.

use crate::extract::archive::Refused;
use crate::extract::archive::flow::Flow;
use crate::extract::archive::parts::{Parts, Relations, main_part};
use crate::extract::archive::xml::{Xml, XmlPiece};

/// Elements that do not count: the formatting of paragraphs, text that was deleted or moved away, older forms of
/// drawings, and readings of ideographs.
const SKIPPED: [&str; 5] = ["pPr", "del", "moveFrom", "Fallback", "rt"];

/// Returns the text of a document.
pub(super) fn text(parts: &mut Parts<'_>) -> Result<String, Refused> {
    let main = main_part(parts)?;
    let mut flow = Flow::new();
    paragraphs(&parts.need(&main)?, "document", &mut flow)?;
    let relations = Relations::of(parts, &main)?;
    for kind in ["footnotes", "endnotes"] {
        for notes in relations.all(kind) {
            if let Some(notes) = parts.read(&notes)? {
                paragraphs(&notes, kind, &mut flow)?;
            }
        }
    }
    Ok(flow.finish())
}

/// Adds the text of a part, whose outermost element has a name.
fn paragraphs(part: &str, root: &str, flow: &mut Flow) -> Result<(), Refused> {
    let mut xml = Xml::new(part);
    xml.expect(root)?;
    let mut is_text = false;
    while let Some(piece) = xml.next()? {
        match piece {
            XmlPiece::Start(tag) => match tag.name() {
                name if SKIPPED.contains(&name) => xml.skip()?,
                "rPr" => {
                    // It is the first element in its run.
                    let run = xml.depth() - 1;
                    if is_hidden(&mut xml)? {
                        xml.leave(run)?;
                    }
                }
                "p" => flow.begin(),
                "txbxContent" => flow.begin_beside(),
                "t" => is_text = true,
                "tab" | "ptab" => flow.push("\t"),
                "br" | "cr" => flow.push("\n"),
                "noBreakHyphen" => flow.push("\u{2011}"),
                _ => {}
            },
            XmlPiece::End(end) => match end.name() {
                "p" => flow.end(),
                "txbxContent" => flow.end_beside(),
                "t" => is_text = false,
                _ => {}
            },
            XmlPiece::Text(text) if is_text => flow.push(&text),
            XmlPiece::Text(_) => {}
        }
    }
    Ok(())
}

/// Reads the formatting of a run to its end. Returns whether it hides the text of the run. The formatting before a
/// tracked change is in it as well, one level deeper, and does not count. Styles, which can hide text too, are in
/// another part that is not read.
fn is_hidden(xml: &mut Xml<'_>) -> Result<bool, Refused> {
    let looks = xml.depth();
    let mut is_hidden = false;
    while xml.depth() >= looks
        && let Some(piece) = xml.next()?
    {
        if let XmlPiece::Start(tag) = piece
            && xml.depth() == looks + 1
            && tag.name() == "vanish"
        {
            let value = tag.prefixed("val").or_else(|| tag.value("val"));
            is_hidden = !matches!(value.as_deref(), Some("false" | "0" | "off"));
        }
    }
    Ok(is_hidden)
}
