//! The outline of a page: HTML of few elements, each closed in its turn, in which the article of the page is looked
//! for.
//!
//! A parser that builds a tree can read it safely: elements nested without end are not in it, and neither is formatting
//! that is left open and opened again in every paragraph. Every piece begins with a character of a private plane that
//! represents its number. These characters show which pieces are left in the result.

use crate::extract::html::elements::{Name, Properties};
use crate::extract::html::page::Context;
use crate::extract::html::tokens::Tag;

/// The first character that represents a number.
const FIRST: u32 = 0xf_0000;

/// How many of them there are: a plane without its last two, which are no characters.
const MAX_PIECES: usize = 0xfffe;

/// How deep elements are nested at most. The deepest one has the content of all deeper ones.
const DEEPEST: usize = 64;

/// How large an outline may become, in bytes. Articles are smaller, and each byte costs some time.
const LARGEST: usize = 2 << 20;

/// How many bytes of a class or an id are kept.
const LONGEST: usize = 200;

const LINK: Name = Name::new(b"a");

/// The outline of a page.
#[derive(Debug, Default)]
pub(super) struct Outline {
    html: Vec<u8>,
    /// The names of the open elements.
    open: Vec<(Vec<u8>, Name)>,
    is_too_large: bool,
}

impl Outline {
    /// Adds an element, unless its content belongs to no article. Returns whether it was added: then [`Self::end`] has
    /// to be called at its end.
    pub(super) fn start(&mut self, tag: &Tag, properties: Properties, is_out: bool) -> bool {
        let name = tag.name.as_slice();
        // Links lead to other pages.
        let is_known = name == b"a" || properties.has(Properties::IN_OUTLINE);
        if is_out || !is_known || self.open.len() == DEEPEST || self.is_full() {
            return false;
        }
        if name == b"a" {
            let is_in_link = self.open.iter().any(|open| open.1 == LINK);
            if is_in_link || tag.get("href").is_none() {
                return false;
            }
        }
        self.html.push(b'<');
        self.html.extend_from_slice(name);
        for attribute in ["class", "id"] {
            if let Some(value) = tag.get(attribute) {
                self.html.push(b' ');
                self.html.extend_from_slice(attribute.as_bytes());
                self.html.extend_from_slice(b"=\"");
                self.escaped(&value[..value.len().min(LONGEST)]);
                self.html.push(b'"');
            }
        }
        if name == b"a" {
            self.html.extend_from_slice(b" href=\"/\"");
        }
        self.html.push(b'>');
        self.open.push((name.to_vec(), Name::new(name)));
        true
    }

    /// Ends the innermost element.
    pub(super) fn end(&mut self) {
        if let Some((name, _)) = self.open.pop() {
            self.html.extend_from_slice(b"</");
            self.html.extend_from_slice(&name);
            self.html.push(b'>');
        }
    }

    /// Adds an element without content, unless it belongs to no article.
    pub(super) fn void(&mut self, tag: &Tag, is_out: bool) {
        if !is_out && tag.name == b"br" && !self.is_full() {
            self.html.extend_from_slice(b"<br>");
        }
    }

    /// Begins a piece. Titles count anyway, so they are left out.
    pub(super) fn mark(&mut self, piece: usize, context: Context) {
        if context.around || context.title || self.is_full() {
            return;
        }
        match u32::try_from(piece) {
            Ok(number) if piece < MAX_PIECES => {
                let mark = char::from_u32(FIRST + number).unwrap_or(' ');
                let mut bytes = [0; 4];
                self.html.push(b' ');
                self.html
                    .extend_from_slice(mark.encode_utf8(&mut bytes).as_bytes());
            }
            _ => self.is_too_large = true,
        }
    }

    /// Adds text of the last piece.
    pub(super) fn text(&mut self, bytes: &[u8], context: Context) {
        if !context.around && !context.title && !self.is_full() {
            self.escaped(bytes);
        }
    }

    /// Returns its HTML, unless the page is too large for one.
    pub(super) fn html(mut self) -> Option<String> {
        if self.is_full() {
            return None;
        }
        while !self.open.is_empty() {
            self.end();
        }
        let html = String::from_utf8_lossy(&self.html);
        Some(format!("<!doctype html><html><body>{html}</body></html>"))
    }

    fn is_full(&mut self) -> bool {
        self.is_too_large |= self.html.len() > LARGEST;
        self.is_too_large
    }

    fn escaped(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match byte {
                b'&' => self.html.extend_from_slice(b"&amp;"),
                b'<' => self.html.extend_from_slice(b"&lt;"),
                b'"' => self.html.extend_from_slice(b"&quot;"),
                // The first byte of all characters that represent numbers.
                0xf3 => self.html.push(0xf2),
                byte => self.html.push(byte),
            }
        }
    }
}

/// Returns for each piece of a page whether it remains in the result of its outline.
pub(super) fn kept(html: &str, pieces: usize) -> Vec<bool> {
    let mut kept = vec![false; pieces];
    for c in html.chars() {
        let number = u32::from(c).checked_sub(FIRST);
        let number = number.and_then(|number| usize::try_from(number).ok());
        if let Some(kept) = number.and_then(|number| kept.get_mut(number)) {
            *kept = true;
        }
    }
    kept
}
