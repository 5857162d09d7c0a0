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
use crate::extract::html::outline::{Outline, kept};
use crate::extract::html::page::{Context, Page, weight};

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
