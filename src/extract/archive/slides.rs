//! Presentations of PowerPoint: slides in the order of the show, each with its notes for the speaker.
//!
//! The notes count: in many presentations they are the text, and the slides its headings. What stands on every
//! slide, the footer, the date and the number, does not.

use std::io::{Read, Seek};

use crate::extract::archive::Refusal;
use crate::extract::archive::flow::Flow;
use crate::extract::archive::package::{Relations, main_part};
use crate::extract::archive::parts::Parts;
use crate::extract::archive::xml::{Piece, Tag, Xml};

/// Places for what stands on every slide.
const ON_EVERY_SLIDE: [&str; 4] = ["dt", "ftr", "hdr", "sldNum"];

/// Takes the parts of a presentation and returns its text.
pub(super) fn text<R: Read + Seek>(parts: &mut Parts<R>) -> Result<String, Refusal> {
    let main = main_part(parts)?;
    let presentation = parts.need(&main)?;
    let relations = Relations::of(parts, &main)?;
    let mut flow = Flow::new();
    let mut xml = Xml::new(&presentation);
    xml.expect("presentation")?;
    while let Some(piece) = xml.next()? {
        let Piece::Start(tag) = piece else { continue };
        let id = tag.prefixed("id").filter(|_| tag.name() == "sldId");
        let Some(slide) = id.and_then(|id| relations.by_id(&id, "slide")) else {
            continue;
        };
        if let Some(part) = parts.read(&slide)? {
            paragraphs(&part, &mut flow)?;
        }
        for notes in Relations::of(parts, &slide)?.all("notesSlide") {
            if let Some(part) = parts.read(&notes)? {
                paragraphs(&part, &mut flow)?;
            }
        }
    }
    Ok(flow.finish())
}

/// Takes a slide, or the notes on it, and adds its text.
fn paragraphs(part: &str, flow: &mut Flow) -> Result<(), Refusal> {
    let mut xml = Xml::new(part);
    let (mut is_text, mut shape) = (false, 1);
    while let Some(piece) = xml.next()? {
        match piece {
            Piece::Start(tag) => match tag.name() {
                "Fallback" => xml.skip()?,
                "fld" if is_counted(&tag) => xml.skip()?,
                "sp" => shape = xml.depth(),
                "ph" if is_on_every_slide(&tag) => xml.leave(shape)?,
                "p" => flow.begin(),
                "br" => flow.push("\n"),
                "t" => is_text = true,
                _ => {}
            },
            Piece::End(end) => match end.name() {
                "p" => flow.end(),
                "t" => is_text = false,
                _ => {}
            },
            Piece::Text(text) if is_text => flow.push(&text),
            Piece::Text(_) => {}
        }
    }
    Ok(())
}

/// Whether a field is a number or a date that nobody wrote.
fn is_counted(field: &Tag<'_>) -> bool {
    let kind = field.value("type").unwrap_or_default();
    kind == "slidenum" || kind.starts_with("datetime")
}

fn is_on_every_slide(place: &Tag<'_>) -> bool {
    let kind = place.value("type").unwrap_or_default();
    ON_EVERY_SLIDE.contains(&kind.as_str())
}
