//! Which pieces of a page are its article.
//!
//! A page may mark it, by an element `article` or `main`. Otherwise a port of Readability finds it in a tree of the
//! page. Its result has no lines, so it is given an [outline](Outline) of the page in which the pieces carry their
//! numbers. It chooses the best block and similar ones, and so loses sections of manuals that are wrapped each in
//! blocks of their own. So it is not used where the page marks its main part.

use std::cmp::Reverse;
use std::collections::HashMap;

use dom_smoothie::{Config, Readability};

use crate::contained::contained;
use crate::extract::html::elements::{Name, Properties};
use crate::extract::html::page::{Context, Page, weight};
use crate::extract::html::tokens::Tag;

/// The least text, in bytes, in which an article is looked for.
const LEAST: usize = 400;

/// An article has at least one in so many bytes of the text that is not around it. Otherwise the choice was wrong. Links do not
/// count for that: old sites are full of them and mark nothing.
const PART: usize = 4;

/// The part of a page that counts.
#[derive(Debug)]
pub(super) enum Article {
    /// These pieces, and the titles.
    Pieces(Vec<bool>),
    /// Everything but the parts around the article.
    Inside,
    /// Everything: the page has nothing but such parts.
    All,
}

impl Article {
    /// Chooses the part that counts, from a page and its outline.
    pub(super) fn of(page: &Page, outline: Outline) -> Self {
        let mut weights = Vec::with_capacity(page.pieces.len());
        let mut in_links = 0;
        for (piece, text) in page.pieces() {
            let counts = !piece.context.around && !piece.context.title;
            let weight = if counts { weight(text.as_bytes()) } else { 0 };
            if piece.context.link {
                in_links += weight;
            }
            weights.push(if piece.context.link { 0 } else { weight });
        }
        let inside: usize = weights.iter().sum();
        if inside + in_links == 0 {
            return Self::All;
        }
        if inside + in_links < LEAST {
            return Self::Inside;
        }
        let weigh = |kept: &[bool]| -> usize {
            let both = kept.iter().zip(&weights);
            both.filter(|(kept, _)| **kept).map(|(_, w)| w).sum()
        };
        let marked = |is_kept: &dyn Fn(Context) -> bool| -> Vec<bool> {
            let pieces = page.pieces.iter();
            pieces
                .map(|piece| !piece.context.around && is_kept(piece.context))
                .collect()
        };
        let is_enough = |kept: &[bool]| kept.contains(&true) && weigh(kept) * PART >= inside;
        let main = Some(marked(&|context| context.main)).filter(|main| is_enough(main));
        if let Some(article) = largest_article(page, &weights) {
            let kept = marked(&|context| context.article == article);
            // Shorter articles are teasers. Those of the same length are answers, and as much a part of the page.
            let all = main
                .as_deref()
                .map_or_else(|| weigh(&marked(&|context| context.article > 0)), weigh);
            if is_enough(&kept) && weigh(&kept) * 3 >= all * 2 {
                return Self::Pieces(kept);
            }
        }
        if let Some(main) = main {
            return Self::Pieces(main);
        }
        match outline.html().and_then(|html| ask(html, weights.len())) {
            Some(kept) if is_enough(&kept) => Self::Pieces(without_holes(page, kept)),
            _ => Self::Inside,
        }
    }

    /// Returns whether a piece counts.
    pub(super) fn has(&self, piece: usize, context: Context) -> bool {
        match self {
            Self::All => true,
            Self::Inside => !context.around,
            Self::Pieces(kept) => kept[piece] || (context.title && !context.around),
        }
    }
}

/// Returns the pieces of an article with those between them, but for the parts around the article and links: text
/// between two blocks, sections that are wrapped otherwise.
fn without_holes(page: &Page, mut kept: Vec<bool>) -> Vec<bool> {
    let ends = (
        kept.iter().position(|kept| *kept),
        kept.iter().rposition(|kept| *kept),
    );
    if let (Some(first), Some(last)) = ends {
        for (kept, piece) in kept.iter_mut().zip(&page.pieces).take(last).skip(first) {
            *kept = *kept || !(piece.context.around || piece.context.link);
        }
    }
    kept
}

/// Returns the number of the outermost article with most text.
fn largest_article(page: &Page, weights: &[usize]) -> Option<u32> {
    let mut sums: HashMap<u32, usize> = HashMap::new();
    for (piece, weight) in page.pieces.iter().zip(weights) {
        if piece.context.article > 0 {
            *sums.entry(piece.context.article).or_default() += weight;
        }
    }
    let best = sums
        .into_iter()
        .max_by_key(|&(number, weight)| (weight, Reverse(number)));
    best.map(|(number, _)| number)
}

/// Asks Readability which pieces are the article.
fn ask(outline: String, pieces: usize) -> Option<Vec<bool>> {
    contained(move || {
        let config = Config {
            disable_json_ld: true,
            ..Config::default()
        };
        let mut page = Readability::new(outline, None, Some(config)).ok()?;
        let article = page.parse().ok()?;
        Some(kept(&article.content, pieces))
    })?
}

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

/// The outline of a page: HTML of few elements, each closed in its turn, in which the article of the page is looked for.
///
/// A parser that builds a tree can read it safely: elements nested without end are not in it, and neither is formatting
/// that is left open and opened again in every paragraph. Every piece begins with a character of a private plane that
/// represents its number. These characters show which pieces are left in the result.
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
    fn html(mut self) -> Option<String> {
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
fn kept(html: &str, pieces: usize) -> Vec<bool> {
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
