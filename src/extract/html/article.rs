//! Which pieces of a page are its article.
//!
//! A port of Readability says so, from a tree that it takes apart. Its result has no lines, so it is asked
//! about an [outline](Outline) of the page in which the pieces carry their numbers.

use dom_smoothie::{Config, Readability};

use crate::contained::contained;
use crate::extract::html::outline::{Outline, kept};
use crate::extract::html::page::{Is, Page};

/// Pages with less text than this, in bytes, have nothing to choose from.
const LEAST: usize = 400;

/// An article has at least this part of what is neither navigation nor the like: one in so many bytes. Links do
/// not count for that, since old sites are full of them and mark nothing.
const PART: usize = 4;

/// What counts of a page.
#[derive(Debug)]
pub(super) enum Article {
    /// These pieces, and the titles.
    Pieces(Vec<bool>),
    /// All that is not the site's.
    Inside,
    /// Everything: the page has nothing but what looks like the site's.
    All,
}

impl Article {
    /// Takes a page and its outline.
    pub(super) fn of(page: &Page, outline: Outline) -> Self {
        let mut weights = Vec::with_capacity(page.pieces.len());
        let mut in_links = 0;
        for (piece, text) in page.pieces() {
            let counts = !piece.is.around && !piece.is.title;
            let weight = if counts { weight(text) } else { 0 };
            if piece.is.link {
                in_links += weight;
            }
            weights.push(if piece.is.link { 0 } else { weight });
        }
        let inside: usize = weights.iter().sum();
        if inside + in_links == 0 {
            return Self::All;
        }
        if inside + in_links < LEAST {
            return Self::Inside;
        }
        let Some(kept) = outline.html().and_then(|html| ask(html, weights.len())) else {
            return Self::Inside;
        };
        let article: usize = kept
            .iter()
            .zip(&weights)
            .filter(|(kept, _)| **kept)
            .map(|(_, weight)| weight)
            .sum();
        if article * PART < inside {
            return Self::Inside;
        }
        Self::Pieces(kept)
    }

    /// Whether a piece counts, by its number and what it is.
    pub(super) fn has(&self, piece: usize, is: Is) -> bool {
        match self {
            Self::All => true,
            Self::Inside => !is.around,
            Self::Pieces(kept) => kept[piece] || (is.title && !is.around),
        }
    }
}

/// How much a text says: a Chinese character has three bytes and says half of what an English word does, which
/// has six.
fn weight(text: &str) -> usize {
    text.bytes().filter(|b| !b.is_ascii_whitespace()).count()
}

/// Asks which pieces are the article.
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
