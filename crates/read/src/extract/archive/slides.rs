//! Presentations of PowerPoint: slides in the order of the show, each with its notes for the speaker.
//!
//! The notes count: in many presentations they are the text, and the slides its headings. The labels of diagrams count
//! too. Text that is on every slide (the footer, the date, the number) does not count, and neither does a slide that is
//! left out of the show.

use crate::extract::archive::Refused;
use crate::extract::archive::flow::Flow;
use crate::extract::archive::parts::{Parts, Relations, main_part};
use crate::extract::archive::xml::{Xml, XmlPiece, XmlTag};

/// Kinds of parts of a slide that have text.
const BESIDE_A_SLIDE: [&str; 2] = ["diagramData", "notesSlide"];

/// Returns the text of a presentation.
pub(super) fn text(parts: &mut Parts<'_>) -> Result<String, Refused> {
    let main = main_part(parts)?;
    let presentation = parts.need(&main)?;
    let relations = Relations::of(parts, &main)?;
    let mut flow = Flow::new();
    let mut xml = Xml::new(&presentation);
    xml.expect("presentation")?;
    while let Some(tag) = xml.next_tag()? {
        let id = tag.prefixed("id").filter(|_| tag.name() == "sldId");
        let Some(slide) = id.and_then(|id| relations.by_id(&id, "slide")) else {
            continue;
        };
        if let Some(part) = parts.read(&slide)? {
            if is_hidden(&part)? {
                continue;
            }
            paragraphs(&part, &mut flow)?;
        }
        let relations = Relations::of(parts, &slide)?;
        for name in BESIDE_A_SLIDE.iter().flat_map(|kind| relations.all(kind)) {
            if let Some(part) = parts.read(&name)? {
                paragraphs(&part, &mut flow)?;
            }
        }
    }
    Ok(flow.finish())
}

/// Returns whether the show leaves a slide out.
fn is_hidden(slide: &str) -> Result<bool, Refused> {
    let tag = Xml::new(slide).next_tag()?;
    let show = tag.and_then(|tag| tag.value("show"));
    Ok(matches!(show.as_deref(), Some("0" | "false")))
}

/// Adds the text of a slide, of its notes or of a diagram.
fn paragraphs(part: &str, flow: &mut Flow) -> Result<(), Refused> {
    let mut xml = Xml::new(part);
    // In a diagram the element around the paragraphs has the name of the text in them.
    let (mut is_paragraph, mut is_text, mut shape) = (false, false, 1);
    while let Some(piece) = xml.next()? {
        match piece {
            XmlPiece::Start(tag) => match tag.name() {
                "Fallback" => xml.skip()?,
                "fld" if is_counted(&tag) => xml.skip()?,
                "sp" => shape = xml.depth(),
                "ph" if is_on_every_slide(&tag) => xml.leave(shape)?,
                "p" => {
                    is_paragraph = true;
                    flow.begin();
                }
                "br" => flow.push("\n"),
                "t" => is_text = is_paragraph,
                _ => {}
            },
            XmlPiece::End(end) => match end.name() {
                "p" => {
                    is_paragraph = false;
                    flow.end();
                }
                "t" => is_text = false,
                _ => {}
            },
            XmlPiece::Text(text) if is_text => flow.push(&text),
            XmlPiece::Text(_) => {}
        }
    }
    Ok(())
}

/// Returns whether a field is a number or a date that nobody wrote.
fn is_counted(field: &XmlTag<'_>) -> bool {
    let kind = field.value("type").unwrap_or_default();
    kind == "slidenum" || kind.starts_with("datetime")
}

fn is_on_every_slide(place: &XmlTag<'_>) -> bool {
    let kind = place.value("type").unwrap_or_default();
    ["dt", "ftr", "hdr", "sldNum"].contains(&kind.as_str())
}
