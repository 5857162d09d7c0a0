//! XML as a stream: tags and text, one after the other.
//!
//! Names are compared without their prefixes, which a writer may choose. Entities of a document type are never
//! expanded, so that they cannot multiply. They are left out.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesEnd, BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;

use crate::decode::xml_label;
use crate::extract::archive::{Refused, malformed};

/// How many bytes of a part are searched for its declaration.
const DECLARATION: usize = 256;

/// Returns the text of a part: in the encoding of its byte order mark, of its declaration, or in UTF-8. Bytes that
/// mean nothing in it are replaced.
pub(super) fn decode(bytes: &[u8]) -> String {
    let encoding = match bytes {
        [b'<', 0, ..] => UTF_16LE,
        [0, b'<', ..] => UTF_16BE,
        bytes => declared(bytes).unwrap_or(UTF_8),
    };
    encoding.decode(bytes).0.into_owned()
}

/// Returns the encoding in the declaration, if there is one: `<?xml version="1.0" encoding="GB2312"?>`.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let label = xml_label(&bytes[..bytes.len().min(DECLARATION)])?;
    // It is read byte by byte, so it cannot be UTF-16, whatever its declaration names.
    let known = Encoding::for_label_no_replacement(label);
    known.map(|encoding| encoding.output_encoding())
}

/// A part that is being read.
pub(super) struct Xml<'x> {
    reader: Reader<&'x [u8]>,
    depth: usize,
}

/// Its content.
pub(super) enum XmlPiece<'x> {
    /// An element begins.
    Start(XmlTag<'x>),
    /// An element ends.
    End(End<'x>),
    /// Text, or a part of it.
    Text(Cow<'x, str>),
}

/// The beginning of an element.
pub(super) struct XmlTag<'x>(BytesStart<'x>);

/// The end of an element.
pub(super) struct End<'x>(BytesEnd<'x>);

impl<'x> Xml<'x> {
    /// Begins to read the text of a part.
    pub(super) fn new(part: &'x str) -> Self {
        let mut reader = Reader::from_str(part);
        let config = reader.config_mut();
        // An empty element has a beginning and an end as any other.
        config.expand_empty_elements = true;
        config.allow_dangling_amp = true;
        Self { reader, depth: 0 }
    }

    /// Returns the next piece, or nothing at the end.
    pub(super) fn next(&mut self) -> Result<Option<XmlPiece<'x>>, Refused> {
        loop {
            let event = match self.reader.read_event() {
                Ok(event) => event,
                Err(error) => return self.broken(&error.to_string()),
            };
            return Ok(Some(match event {
                Event::Start(start) => {
                    self.depth += 1;
                    XmlPiece::Start(XmlTag(start))
                }
                Event::End(end) => {
                    self.depth -= 1;
                    XmlPiece::End(End(end))
                }
                Event::Text(text) => XmlPiece::Text(text.xml10_content()),
                Event::CData(text) => XmlPiece::Text(text.xml10_content()),
                Event::GeneralRef(reference) => XmlPiece::Text(referred(&reference)),
                Event::Eof if self.depth > 0 => return self.broken("it ends in the middle"),
                Event::Eof => return Ok(None),
                _ => continue,
            }));
        }
    }

    /// Returns the tag of the next element that begins, or nothing if none does.
    pub(super) fn next_tag(&mut self) -> Result<Option<XmlTag<'x>>, Refused> {
        while let Some(piece) = self.next()? {
            if let XmlPiece::Start(tag) = piece {
                return Ok(Some(tag));
            }
        }
        Ok(None)
    }

    /// Returns how many elements are open.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Goes on behind the element that began last.
    pub(super) fn skip(&mut self) -> Result<(), Refused> {
        self.leave(self.depth)
    }

    /// Goes on behind the end of the open element at a depth.
    pub(super) fn leave(&mut self, depth: usize) -> Result<(), Refused> {
        while self.depth >= depth && self.next()?.is_some() {}
        Ok(())
    }

    /// Reads the tag of the outermost element, which should have this name.
    pub(super) fn expect(&mut self, name: &str) -> Result<(), Refused> {
        let Some(tag) = self.next_tag()? else {
            return malformed("its main part is empty".into());
        };
        if tag.name() == name {
            return Ok(());
        }
        let found: String = tag.name().chars().take(40).collect();
        malformed(format!("its main part is a '{found}' and no '{name}'"))
    }

    fn broken<T>(&self, what: &str) -> Result<T, Refused> {
        let at = self.reader.error_position();
        let what: String = what.chars().take(200).collect();
        malformed(format!("a part of it is no XML ({what}, at byte {at})"))
    }
}

impl XmlTag<'_> {
    /// Returns its name without a prefix.
    pub(super) fn name(&self) -> &str {
        self.0.name().local_name().into_inner()
    }

    /// Returns whether it has this prefix.
    pub(super) fn is_of(&self, prefix: &str) -> bool {
        let own = self.0.name().prefix();
        own.is_some_and(|own| own.into_inner() == prefix)
    }

    /// Returns the value of an attribute without a prefix.
    pub(super) fn value(&self, name: &str) -> Option<String> {
        self.find(|prefixed, local| !prefixed && local == name)
    }

    /// Returns the value of an attribute with any prefix: `r:id` beside `id`.
    pub(super) fn prefixed(&self, name: &str) -> Option<String> {
        self.find(|prefixed, local| prefixed && local == name)
    }

    fn find(&self, is_wanted: impl Fn(bool, &str) -> bool) -> Option<String> {
        let mut attributes = self.0.attributes();
        // A search for repeated attributes would need time by the square of their number.
        let mut known = attributes.with_checks(false).map_while(Result::ok);
        let found = known.find(|attribute| {
            let prefixed = attribute.key.prefix().is_some();
            is_wanted(prefixed, attribute.key.local_name().into_inner())
        })?;
        let value = found.normalized_value(XmlVersion::Implicit1_0).ok()?;
        Some(value.into_owned())
    }
}

impl End<'_> {
    /// Returns its name without a prefix.
    pub(super) fn name(&self) -> &str {
        self.0.name().local_name().into_inner()
    }
}

/// Returns the text that a reference represents.
pub(in crate::extract) fn referred(reference: &BytesRef<'_>) -> Cow<'static, str> {
    match reference.resolve_char_ref() {
        Ok(Some(character)) => Cow::Owned(character.into()),
        Ok(None) => Cow::Borrowed(resolve_predefined_entity(reference).unwrap_or_default()),
        Err(_) => Cow::Borrowed(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::GBK;

    const TEXT: &str = "<?xml version='1.0' encoding='gb2312'?><p>旧城区</p>";

    /// All text of a part.
    fn text(part: &str) -> Result<String, Refused> {
        let (mut xml, mut text) = (Xml::new(part), String::new());
        while let Some(piece) = xml.next()? {
            if let XmlPiece::Text(piece) = piece {
                text.push_str(&piece);
            }
        }
        Ok(text)
    }

    #[test]
    fn parts_in_other_encodings() {
        let utf16 =
            |unit: fn(u16) -> [u8; 2]| -> Vec<u8> { TEXT.encode_utf16().flat_map(unit).collect() };
        let marked: Vec<u8> = [&[0xff, 0xfe][..], &utf16(u16::to_le_bytes)].concat();
        for bytes in [
            GBK.encode(TEXT).0.into_owned(),
            utf16(u16::to_le_bytes),
            utf16(u16::to_be_bytes),
            marked,
            format!("\u{feff}{TEXT}").into_bytes(),
        ] {
            assert_eq!(decode(&bytes), TEXT);
        }
        // It cannot be in the encoding that it declares.
        let lying = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><p>旧城区</p>";
        assert_eq!(decode(lying.as_bytes()), lying);
    }

    #[test]
    fn references_and_sections() {
        for (part, expected) in [
            ("<p>a &amp; b&#x4e2d;&#20013;&lt;</p>", "a & b中中<"),
            ("<p><![CDATA[<b>]]>x<!-- y --></p>", "<b>x"),
            (
                "<!DOCTYPE p [<!ENTITY e \"text\">]><p>a&e;b&nbsp;c</p>",
                "abc",
            ),
            ("<p>&#0;&#xd800;&#x110000;&#;AT&T</p>", "AT&T"),
        ] {
            assert_eq!(text(part).as_deref(), Ok(expected), "{part}");
        }
        for part in ["<p>", "<p></q>", "<p><", "<p", "</p>"] {
            assert!(text(part).is_err(), "{part}");
        }
    }

    #[test]
    fn attributes_with_and_without_a_prefix() {
        let mut xml = Xml::new("<a:x id='1' r:id='&quot;2&quot;' b><y/>z</a:x>");
        let Ok(Some(XmlPiece::Start(tag))) = xml.next() else {
            panic!("no element");
        };
        assert!(tag.name() == "x" && tag.is_of("a") && !tag.is_of("r"));
        assert_eq!(tag.value("id").as_deref(), Some("1"));
        assert_eq!(tag.prefixed("id").as_deref(), Some("\"2\""));
        assert_eq!(tag.value("b"), None);
        xml.skip().unwrap();
        assert!(xml.depth() == 0 && xml.next().unwrap().is_none());
    }
}
