//! XML: the text between its tags, whatever the elements mean.
//!
//! A tag separates words. Entities of a document type are never expanded, so that they cannot multiply.

use quick_xml::events::Event;
use quick_xml::reader::Reader;

use crate::extract::Extracted;
use crate::extract::archive::xml::referred;
use crate::extract::lined::Lined;
use dupfind_engine::text::blocks::Layout;

/// How much of a section with text is its marks.
const SECTION: (usize, usize) = ("<![CDATA[".len(), "]]>".len());

/// Returns the text of a document. What is behind a fault counts as it is written.
pub(super) fn extract(content: &str) -> Extracted<'_> {
    let mut reader = Reader::from_str(content);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    let mut text = Lined::beside(content);
    let mut start = 0;
    loop {
        let event = reader.read_event();
        let end = usize::try_from(reader.buffer_position()).unwrap_or(content.len());
        match event {
            Ok(Event::Text(_)) => text.copy(start, end),
            Ok(Event::CData(_)) => text.copy(start + SECTION.0, end - SECTION.1),
            Ok(Event::GeneralRef(reference)) => {
                text.reach(start);
                text.push(&referred(&reference));
            }
            Ok(Event::Start(_) | Event::End(_) | Event::Empty(_)) => text.separate(),
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(_) => {
                text.copy(start, content.len());
                break;
            }
        }
        start = end;
    }
    Extracted {
        text: text.finish().text.into(),
        layout: Layout::Paragraphs,
        title: None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::extract::{WebPart, extract};
    use crate::format::Format;

    fn text(source: &str) -> String {
        extract(source, Format::Xml, WebPart::Main)
            .text
            .into_owned()
    }

    #[test]
    fn the_text_between_tags_counts() {
        for (source, expected) in [
            (
                "<?xml version='1.0'?>\n<book><title>Ferries</title><para a='b'>They\n<b>leave</b>.</para></book>",
                "Ferries They leave .",
            ),
            ("<a>x</a><b/>y<!-- hidden --><c>z</c>", "x y z"),
            ("<p>a &amp; b&#20013;&lt;&none;</p>", "a & b中<"),
            ("<p><![CDATA[if <para> & x]]></p>", "if <para> & x"),
            (
                "<!DOCTYPE book PUBLIC 'x' [\n<!ENTITY a '<b>hidden[1]</b>'>\n] >\n<book>b</book>",
                "b",
            ),
            // Broken ones.
            ("<a>x</b>y", "x y"),
            ("<a>x\n<b y", "x <b y"),
            ("plain words & more", "plain words & more"),
            ("", ""),
        ] {
            let read = text(source);
            let words: Vec<&str> = read.split_whitespace().collect();
            assert_eq!(words.join(" "), expected, "{source}");
        }
    }

    proptest! {
        #[test]
        fn every_word_keeps_its_line(
            pieces in prop::collection::vec("<[abc!?/]|>|<!--|-->|<!\\[CDATA\\[|\\]\\]>|&|&amp;|;|'|\n|\r\n|[a-z中]{1,3}| ", 0..60),
        ) {
            let source = pieces.concat();
            let read = text(&source);
            prop_assert_eq!(read.matches('\n').count(), source.matches('\n').count());
            for (line, source) in read.split('\n').zip(source.split('\n')) {
                let mut letters = source.chars();
                let shown = line.chars().filter(|c| c.is_alphabetic());
                for shown in shown {
                    prop_assert!(letters.any(|letter| letter == shown), "{} of {}", line, source);
                }
            }
        }
    }
}
