//! Which pieces of a page are its article.
//!
//! A page may mark it, by an element `article` or `main`. Otherwise it is looked for among the [blocks](Outline) of the page,
//! from the whole page inwards, as long as one block has most of the paragraphs. Sections of one text, each in a block like the
//! others, stay together. Running text beside that block counts, too: what the author says about a long quotation.

use std::cmp::Reverse;
use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use crate::extract::has_any_case;
use crate::extract::html::elements::{is_beside, is_in_text};
use crate::extract::html::page::{Context, TextPiece, WebPage, weight};
use crate::extract::html::tokens::Tag;

/// The least text, in bytes, in which an article is looked for that the page does not mark.
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
    pub(super) fn of(page: &WebPage, outline: Outline) -> Self {
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
        if inside + in_links < LEAST {
            return Self::Inside;
        }
        Some(outline.article(page))
            .filter(|kept| is_enough(kept))
            .map_or(Self::Inside, Self::Pieces)
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

/// Returns the number of the outermost article with most text.
fn largest_article(page: &WebPage, weights: &[usize]) -> Option<u32> {
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

/// How many bytes of text a paragraph has at least. What is shorter is a label, a date, an item of a menu.
const PARAGRAPH: usize = 80;

/// The same for a paragraph that is beside the article and counts.
const RUNNING: usize = 60;

/// How many blocks are kept apart. Whatever a hostile page has more belongs to the one around it.
const MOST: usize = 1 << 20;

/// The page itself, among its [elements](Outline::elements).
const ROOT: usize = 0;

/// The blocks of a page, among which the one that has its article is looked for.
#[derive(Debug)]
pub(super) struct Outline {
    /// Each is behind its parent.
    elements: Vec<Element>,
    /// The open ones.
    open: Vec<usize>,
    /// The innermost element of each piece.
    of_piece: Vec<usize>,
}

#[derive(Debug, Default)]
struct Element {
    parent: usize,
    /// Whether its names, or those of an element around it, say that it is beside an article.
    is_beside: bool,
    /// Whether it is in a text, as a paragraph and a quotation are: no article by itself, however long it is.
    is_in_text: bool,
    /// Its name and its class, if it has one.
    class: Option<u64>,
    /// How much text of paragraphs it has.
    weight: usize,
    /// How much of that is running text.
    running: usize,
    /// Its heaviest child, or [`ROOT`].
    heaviest: usize,
    /// Whether its heaviest child has a sibling like it: they are sections of one text.
    is_divided: bool,
}

impl Default for Outline {
    fn default() -> Self {
        Self {
            elements: vec![Element::default()],
            open: Vec::new(),
            of_piece: Vec::new(),
        }
    }
}

impl Outline {
    /// Begins an element that is a block.
    pub(super) fn start(&mut self, tag: &Tag) {
        let parent = self.here();
        if self.elements.len() == MOST {
            self.open.push(parent);
            return;
        }
        let class = tag.get("class").filter(|class| !class.is_empty());
        self.open.push(self.elements.len());
        self.elements.push(Element {
            parent,
            is_beside: self.elements[parent].is_beside || is_beside(tag),
            is_in_text: is_in_text(&tag.name),
            class: class.map(|class| xxh3_64(&[&tag.name, class].join(&b' '))),
            ..Element::default()
        });
    }

    /// Ends the innermost element.
    pub(super) fn end(&mut self) {
        self.open.pop();
    }

    /// Begins a piece of the page.
    pub(super) fn mark(&mut self) {
        self.of_piece.push(self.here());
    }

    fn here(&self) -> usize {
        self.open.last().copied().unwrap_or(ROOT)
    }

    /// Returns which pieces are the article: those of the innermost element with most of the text of paragraphs, and running
    /// text below the headline and above it, or beside it.
    fn article(mut self, page: &WebPage) -> Vec<bool> {
        let is_running = self.weigh(page);
        let elements = &self.elements;
        let mut article = ROOT;
        while !elements[article].is_divided {
            let inner = elements[article].heaviest;
            let is_most = elements[inner].weight * 10 >= elements[ROOT].weight * 7;
            if inner == ROOT || elements[inner].is_in_text || !is_most {
                break;
            }
            article = inner;
        }
        let mut around = article;
        while around != ROOT && elements[around].running == elements[article].running {
            around = elements[around].parent;
        }
        let [is_inside, is_near] = [article, around].map(|of| self.pieces_in(of));
        let is_headline = |piece: &TextPiece| piece.context.headline && !piece.context.around;
        let headline = page.pieces.iter().position(is_headline);
        let begin = is_inside.iter().position(|&is_inside| is_inside);
        let above = headline.unwrap_or(0)..begin.unwrap_or(0);
        let pieces = page.pieces.iter().enumerate();
        pieces
            .map(|(at, piece)| {
                let is_beside = is_running[at] && (is_near[at] || above.contains(&at));
                (is_inside[at] || is_beside) && !piece.context.around
            })
            .collect()
    }

    /// Returns which pieces are in an element, and not beside the article.
    fn pieces_in(&self, element: usize) -> Vec<bool> {
        let mut is_in = vec![false; self.elements.len()];
        for (at, inner) in self.elements.iter().enumerate() {
            is_in[at] = (at == element || is_in[inner.parent]) && !inner.is_beside;
        }
        self.of_piece.iter().map(|&of| is_in[of]).collect()
    }

    /// Gives each element its weight, and what follows from it. Returns which pieces are of running text.
    fn weigh(&mut self, page: &WebPage) -> Vec<bool> {
        let mut is_running = Vec::with_capacity(page.pieces.len());
        let mut pieces = page.pieces();
        for paragraph in page.pieces.chunk_by(|_, next| !next.begins) {
            let element = &mut self.elements[self.of_piece[is_running.len()]];
            let (mut text, mut links, mut is_notice) = (0, 0, false);
            for (piece, words) in pieces.by_ref().take(paragraph.len()) {
                let Context { around, title, .. } = piece.context;
                if around || title || element.is_beside {
                    continue;
                }
                let sum = if piece.context.link {
                    &mut links
                } else {
                    &mut text
                };
                *sum += weight(words.as_bytes());
                is_notice |= has_any_case(words, "cookie");
            }
            let weight = weight_of_paragraph(text, links);
            let runs = text.saturating_sub(links) >= RUNNING && !is_notice;
            element.weight += weight;
            element.running += if runs { weight } else { 0 };
            is_running.resize(is_running.len() + paragraph.len(), runs);
        }
        for at in (1..self.elements.len()).rev() {
            let Element {
                parent,
                weight,
                running,
                ..
            } = self.elements[at];
            self.elements[parent].weight += weight;
            self.elements[parent].running += running;
            let heaviest = self.elements[parent].heaviest;
            if heaviest == ROOT || weight >= self.elements[heaviest].weight {
                self.elements[parent].heaviest = at;
            }
        }
        for at in 1..self.elements.len() {
            let Element {
                parent,
                class,
                weight,
                ..
            } = self.elements[at];
            let heaviest = &self.elements[self.elements[parent].heaviest];
            let is_like = class.is_some() && class == heaviest.class;
            if is_like && at != self.elements[parent].heaviest && weight * 10 >= heaviest.weight {
                self.elements[parent].is_divided = true;
            }
        }
        is_running
    }
}

/// Returns how much the text of a paragraph counts, by how much of it is in links.
fn weight_of_paragraph(text: usize, links: usize) -> usize {
    let rest = text.saturating_sub(links);
    if text < PARAGRAPH { rest / 4 } else { rest }
}
