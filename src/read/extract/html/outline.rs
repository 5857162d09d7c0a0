//! A page written down again for whoever looks for the article in it: what may belong to one, in few elements,
//! each closed in its turn, never deep.
//!
//! That makes it safe to hand to a parser that builds a tree: elements nested without end, and formatting that
//! is left open and opened again in every paragraph, do not get into it. Every piece begins with a character
//! of a private plane that stands for its number. Whatever is done with the tree, these characters say which
//! pieces were kept.

use crate::read::extract::html::blocks::is_outlined;
use crate::read::extract::html::elements::Name;
use crate::read::extract::html::page::Is;
use crate::read::extract::html::tokens::Tag;

/// The first of the characters that stand for numbers.
const FIRST: u32 = 0xf_0000;

/// How many of them there are: a plane without its last two, which are no characters.
const MOST_PIECES: usize = 0xfffe;

/// How deep elements are nested at most. What is nested deeper goes into the deepest one.
const DEEPEST: usize = 64;

/// How large an outline may become, in bytes. Articles are smaller, and whoever looks for one needs some time
/// for each byte and each level.
const LARGEST: usize = 2 << 20;

/// How much of a class or an id says what it is.
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
    /// A start tag, and whether what is in it is no part of an article. Says whether the element is a part of the
    /// outline, so that its end has to be told.
    pub(super) fn start(&mut self, tag: &Tag, is_out: bool) -> bool {
        let name = tag.name.as_slice();
        // Links stand for other pages.
        let is_known = name == b"a" || is_outlined(name);
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

    /// The end of the last element that is a part of it.
    pub(super) fn end(&mut self) {
        if let Some((name, _)) = self.open.pop() {
            self.html.extend_from_slice(b"</");
            self.html.extend_from_slice(&name);
            self.html.push(b'>');
        }
    }

    /// An element without content, and whether it is no part of an article.
    pub(super) fn void(&mut self, tag: &Tag, is_out: bool) {
        if !is_out && tag.name == b"br" && !self.is_full() {
            self.html.extend_from_slice(b"<br>");
        }
    }

    /// The beginning of a piece. Titles count anyway, and so are no part of it.
    pub(super) fn mark(&mut self, piece: usize, is: Is) {
        if is.around || is.title || self.is_full() {
            return;
        }
        match u32::try_from(piece) {
            Ok(number) if piece < MOST_PIECES => {
                let mark = char::from_u32(FIRST + number).unwrap_or(' ');
                let mut bytes = [0; 4];
                self.html.push(b' ');
                self.html
                    .extend_from_slice(mark.encode_utf8(&mut bytes).as_bytes());
            }
            _ => self.is_too_large = true,
        }
    }

    /// Text of the last piece.
    pub(super) fn text(&mut self, bytes: &[u8], is: Is) {
        if !is.around && !is.title && !self.is_full() {
            self.escaped(bytes);
        }
    }

    /// Its HTML, unless the page is too large for one.
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
                // With this byte begin the characters that stand for numbers, and others that mean nothing.
                0xf3 => self.html.push(0xf2),
                byte => self.html.push(byte),
            }
        }
    }
}

/// Takes what was made of an outline, and how many pieces its page has; returns for each whether it was kept.
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
