//! The tokens of a page, and their places in the source.
//!
//! The tokenizer is that of the HTML standard. Two things that it leaves to the builder of a tree are done here: which
//! elements hold text instead of markup, and where names and `CDATA` are those of SVG and MathML.

use std::convert::Infallible;
use std::fmt;

use html5gum::{Emitter, Error, Readable, Reader, State, Tokenizer};

use crate::extract::has_word;

/// Receives the tokens of a page, in their order.
pub(super) trait Sink {
    /// A start tag, and where it ends.
    fn start(&mut self, tag: &Tag, end: usize);

    /// An end tag with this name.
    fn end(&mut self, _name: &[u8]) {}

    /// Some text, decoded. A character may be cut in two: the next text has the rest of it then.
    fn text(&mut self, _text: &Text<'_>) {}

    /// Whether the next tokens are SVG or MathML.
    fn is_foreign(&self) -> bool {
        false
    }
}

/// A sink that looks at start tags alone.
impl<F: FnMut(&Tag)> Sink for F {
    fn start(&mut self, tag: &Tag, _end: usize) {
        self(tag);
    }
}

/// A start tag.
#[derive(Debug, Default)]
pub(super) struct Tag {
    /// Its name, in lower case.
    pub(super) name: Vec<u8>,
    /// Whether the element ends with its tag: the tag ends with `/>`, which has that meaning here.
    pub(super) is_closed: bool,
    /// Names and values of the attributes that matter, all in one.
    attributes: Vec<u8>,
    /// Where in it each name and each value ends.
    ends: Vec<(usize, usize)>,
}

impl Tag {
    /// Returns the value of an attribute, if the tag has it. The value may be empty.
    pub(super) fn get(&self, name: &str) -> Option<&[u8]> {
        let mut start = 0;
        for &(middle, end) in &self.ends {
            if &self.attributes[start..middle] == name.as_bytes() {
                return Some(&self.attributes[middle..end]);
            }
            start = end;
        }
        None
    }

    fn clear(&mut self) {
        self.name.clear();
        self.is_closed = false;
        self.attributes.clear();
        self.ends.clear();
    }
}

/// Some text of a page.
#[derive(Debug)]
pub(super) struct Text<'s> {
    /// The text.
    pub(super) bytes: &'s [u8],
    /// Where in the source it begins.
    pub(super) start: usize,
    /// Whether it has the same bytes in the source. Its line ends are those of the source then.
    pub(super) is_literal: bool,
}

/// The attributes that any sink reads.
const ATTRIBUTES: &str = "alt aria-hidden aria-label aria-modal class content encoding hidden href http-equiv id name open rel role shadowroot shadowrootmode style x";

/// The longest value that is kept, in bytes. Longer ones are data in URLs.
const LONGEST: usize = 1 << 12;

/// How a page is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// As HTML, unless it declares that it is XML.
    Html,
    /// As XML, in which a start tag can close any element: a chapter of a book, a file with such a name.
    Xml,
}

/// Reads the source of a page, or of a part of one, and gives its tokens to a sink.
pub(super) fn tokens(source: &str, syntax: Syntax, sink: &mut dyn Sink) {
    let emitter = Tokens {
        source: source.as_bytes(),
        is_xml: syntax == Syntax::Xml || declares_xml(source),
        position: 0,
        is_end: false,
        tag: Tag::default(),
        attribute: Attribute::None,
        name: Vec::new(),
        last_start: Vec::new(),
        sink,
    };
    // It gives nothing but pauses: the tokens went to the sink.
    Tokenizer::new_with_emitter(PausingSource::new(source), emitter).for_each(drop);
}

fn declares_xml(source: &str) -> bool {
    let start = source.trim_start_matches('\u{feff}').trim_start();
    start.starts_with("<?xml")
}

/// The part of an attribute that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attribute {
    None,
    /// The name.
    Name,
    /// The value, if some sink reads it.
    Value,
    /// Any other value.
    Other,
}

struct Tokens<'s> {
    source: &'s [u8],
    is_xml: bool,
    /// How many bytes of the source were read.
    position: usize,
    /// Whether the current tag is an end tag.
    is_end: bool,
    tag: Tag,
    attribute: Attribute,
    /// The name of the current attribute.
    name: Vec<u8>,
    /// The name of the last start tag. In an element of text only this one can be closed.
    last_start: Vec<u8>,
    /// Not of a type of its own: the tokenizer is compiled once for all sinks.
    sink: &'s mut dyn Sink,
}

impl Tokens<'_> {
    /// Begins the value of an attribute, if some sink reads it and it is the first with its name.
    fn end_name(&mut self) {
        if self.attribute != Attribute::Name {
            return;
        }
        let matters = !self.is_end && has_word(ATTRIBUTES, &self.name);
        let is_new = || str::from_utf8(&self.name).is_ok_and(|name| self.tag.get(name).is_none());
        self.attribute = if matters && is_new() {
            self.tag.attributes.extend_from_slice(&self.name);
            let middle = self.tag.attributes.len();
            self.tag.ends.push((middle, middle));
            Attribute::Value
        } else {
            Attribute::Other
        };
    }

    /// Returns how the content of an element is read, if not as markup.
    fn content(&self) -> Option<State> {
        if self.tag.is_closed || self.sink.is_foreign() {
            return None;
        }
        match self.tag.name.as_slice() {
            b"textarea" | b"title" => Some(State::RcData),
            b"script" => Some(State::ScriptData),
            b"style" | b"iframe" | b"xmp" | b"noembed" | b"noframes" | b"noscript" => {
                Some(State::RawText)
            }
            b"plaintext" => Some(State::PlainText),
            _ => None,
        }
    }
}

impl Emitter for Tokens<'_> {
    type Token = Infallible;

    fn set_last_start_tag(&mut self, last_start_tag: Option<&[u8]>) {
        self.last_start = last_start_tag.unwrap_or_default().to_vec();
    }

    fn emit_eof(&mut self) {}

    fn emit_error(&mut self, _error: Error) {}

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn pop_token(&mut self) -> Option<Self::Token> {
        None
    }

    fn emit_string(&mut self, bytes: &[u8]) {
        let start = self.position.saturating_sub(bytes.len());
        self.sink.text(&Text {
            bytes,
            start,
            is_literal: self.source.get(start..self.position) == Some(bytes),
        });
    }

    fn init_start_tag(&mut self) {
        self.tag.clear();
        self.is_end = false;
        self.attribute = Attribute::None;
    }

    fn init_end_tag(&mut self) {
        self.init_start_tag();
        self.is_end = true;
    }

    fn init_comment(&mut self) {}

    fn emit_current_tag(&mut self) -> Option<State> {
        self.end_name();
        if self.is_end {
            self.sink.end(&self.tag.name);
            return None;
        }
        // In HTML itself `/>` means nothing.
        let is_of_xml = self.is_xml || self.sink.is_foreign();
        self.tag.is_closed &= is_of_xml || matches!(self.tag.name.as_slice(), b"svg" | b"math");
        let content = self.content();
        if content.is_some() {
            self.last_start.clone_from(&self.tag.name);
        } else {
            self.last_start.clear();
        }
        self.sink.start(&self.tag, self.position);
        content
    }

    fn emit_current_comment(&mut self) {}

    fn emit_current_doctype(&mut self) {}

    fn set_self_closing(&mut self) {
        self.tag.is_closed = true;
    }

    fn set_force_quirks(&mut self) {}

    fn push_tag_name(&mut self, name: &[u8]) {
        self.tag.name.extend_from_slice(name);
    }

    fn push_comment(&mut self, _text: &[u8]) {}

    fn push_doctype_name(&mut self, _name: &[u8]) {}

    fn init_doctype(&mut self) {}

    fn init_attribute(&mut self) {
        self.end_name();
        self.attribute = Attribute::Name;
        self.name.clear();
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        self.name.extend_from_slice(name);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        self.end_name();
        if self.attribute != Attribute::Value {
            return;
        }
        let Some((middle, end)) = self.tag.ends.last_mut() else {
            return;
        };
        let room = LONGEST.saturating_sub(*end - *middle);
        let kept = &value[..value.len().min(room)];
        self.tag.attributes.extend_from_slice(kept);
        *end += kept.len();
    }

    fn set_doctype_public_identifier(&mut self, _value: &[u8]) {}

    fn set_doctype_system_identifier(&mut self, _value: &[u8]) {}

    fn push_doctype_public_identifier(&mut self, _value: &[u8]) {}

    fn push_doctype_system_identifier(&mut self, _value: &[u8]) {}

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end && !self.last_start.is_empty() && self.last_start == self.tag.name
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.is_xml || self.sink.is_foreign()
    }

    #[inline]
    fn move_position(&mut self, offset: isize) {
        self.position = self.position.saturating_add_signed(offset);
    }
}

/// After how many values there is a pause.
const VALUES: usize = 32;

/// The source of a page, with pauses.
///
/// html5gum calls the states of an attribute within those of the one before, as long as values stand between double
/// quotes: a tag of many attributes would need a stack as deep as it is long. An error of its reader ends all of these
/// calls. The tokenizer is in the state of a value then, and goes on from there.
struct PausingSource<'s> {
    bytes: <&'s [u8] as Readable<'s>>::Reader,
    /// How many values there were since the last pause.
    values: usize,
}

impl<'s> PausingSource<'s> {
    fn new(source: &'s str) -> Self {
        Self {
            bytes: source.as_bytes().to_reader(),
            values: 0,
        }
    }
}

/// A pause: nothing was read, and the tokenizer can go on.
#[derive(Debug)]
struct Pause;

impl fmt::Display for Pause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pause")
    }
}

impl std::error::Error for Pause {}

impl From<Infallible> for Pause {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl Reader for PausingSource<'_> {
    type Error = Pause;

    #[inline(always)]
    fn read_byte(&mut self) -> Result<Option<u8>, Pause> {
        Ok(self.bytes.read_byte()?)
    }

    #[inline(always)]
    fn try_read_string(&mut self, text: &[u8], case_sensitive: bool) -> Result<bool, Pause> {
        Ok(self.bytes.try_read_string(text, case_sensitive)?)
    }

    #[inline(always)]
    fn read_until<'b>(
        &'b mut self,
        needle: &[u8],
        buffer: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, Pause> {
        // Only in a value between double quotes (and in a document type) the quote is looked for first.
        if needle.first() == Some(&b'"') {
            self.values += 1;
            if self.values > VALUES {
                self.values = 0;
                return Err(Pause);
            }
        }
        Ok(self.bytes.read_until(needle, buffer)?)
    }
}
