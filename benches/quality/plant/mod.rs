//! Plants copies that were made in known ways among pages of a folder:
//!
//! ```text
//! cargo bench --bench quality -- --plant SOURCE DEST [--seed N] [--pages N] [--scans PERCENT | --variants N]
//! ```
//!
//! `DEST/docs/original/` gets the pages, `DEST/docs/planted/` the copies, and `DEST/labels.tsv` the pairs that belong
//! together, with the reason. Pairs of two originals have no label: nothing was done to them. With `--scans` all copies
//! are scans of so many wrong letters ([`scans`]), with `--variants` some pages have so many variants ([`variants`]).
//! The same pages and seed give the same bytes.

use std::path::Path;

use deck::Deck;
use random::Random;
use template::Template;
use words::{Pieces, Vocabulary};

mod deck;
mod edits;
mod folder;
pub(crate) mod random;
mod rewrite;
mod scans;
mod template;
mod variants;
mod words;

/// The number of pages that the numbers of copies below are meant for; with fewer pages there are fewer
/// copies in proportion.
pub(crate) const PAGES: usize = 400;

/// How many percent of the words of a copy are replaced.
const PERCENTS: [usize; 7] = [1, 2, 5, 10, 20, 30, 50];

/// How many copies there are of each percentage.
const REPLACED: usize = 30;
const SHUFFLED: usize = 30;
const ENCODED: usize = 20;
const SPACED: usize = 20;
const PASTED: usize = 30;
const TEMPLATES: usize = 20;
const REWRITTEN: usize = 30;
const REPHRASED: usize = 30;
const MERGED: usize = 30;
const TRADITIONAL: usize = 30;
const SCANNED: usize = 30;

/// How many percent of the words of a rewritten page are other ones.
const REWORDED: [usize; 3] = [10, 20, 30];

/// How many percent of the different words of a page have a synonym wherever they stand.
const SYNONYMS: [usize; 4] = [10, 20, 30, 40];

/// How many percent of the letters of a page are read wrongly.
const MISREAD: [usize; 3] = [2, 5, 10];

/// What is planted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// Copies of pages with edits of all kinds.
    Edits,
    /// Scans with so many percent of wrong letters.
    Scans(usize),
    /// So many variants of some pages.
    Variants(usize),
}

/// A text of the folder.
#[derive(Debug)]
struct Page {
    name: String,
    text: String,
}

/// What is written.
#[derive(Debug, Default)]
struct Planted {
    /// Names within `docs/` and contents.
    documents: Vec<(String, Vec<u8>)>,
    /// Two names and a label.
    labels: Vec<(String, String, String)>,
}

/// Makes a labelled folder, which must not exist, of a folder of texts.
pub(crate) fn plant(source: &Path, dest: &Path, seed: u64, most: usize, kind: Kind) {
    let mut random = Random::new(seed);
    let pages = folder::read(source, most, &mut random);
    assert!(
        pages.len() >= 2,
        "{}: fewer than two pages",
        source.display()
    );
    let planted = match kind {
        Kind::Edits => edited(&pages, random),
        Kind::Scans(percent) => scans::scanned(pages, percent, &mut random),
        Kind::Variants(count) => variants::varied(&pages, count, &mut random),
    };
    folder::write(&planted, dest).expect("a new folder that can be written");
}

/// Copies of pages with edits of all kinds.
fn edited(pages: &[Page], random: Random) -> Planted {
    let pieces: Vec<Pieces<'_>> = pages.iter().map(|page| words::cut(&page.text)).collect();
    let vocabulary = Vocabulary::of(&pieces);
    let mut planter = Planter {
        pages,
        deck: Deck::new(pages.len()),
        random,
        planted: Planted::default(),
    };
    planter.originals();
    // Those that not every page is fit for come first.
    planter.shuffled();
    planter.templates();
    planter.replaced(&pieces, &vocabulary);
    planter.encoded();
    planter.spaced();
    planter.pasted();
    planter.rewritten(&pieces, &vocabulary);
    planter.rephrased(&pieces, &vocabulary);
    planter.merged();
    planter.traditional();
    planter.misread();
    planter.planted
}

struct Planter<'t> {
    pages: &'t [Page],
    deck: Deck,
    random: Random,
    planted: Planted,
}

impl<'t> Planter<'t> {
    fn originals(&mut self) {
        for page in self.pages {
            let content = page.text.clone().into_bytes();
            self.planted.documents.push((original(page), content));
        }
    }

    /// So many of 400 pages as a share of those there are, at least the least.
    fn scaled(&self, count: usize, least: usize) -> usize {
        (count * self.pages.len() / PAGES).clamp(least, count.max(least))
    }

    fn deal(&mut self, will_do: impl Fn(&str) -> bool) -> Option<usize> {
        let pages = self.pages;
        self.deck
            .deal(&mut self.random, |at| will_do(&pages[at].text))
    }

    /// Adds a planted document and returns its name.
    fn add(&mut self, kind: &str, number: usize, page: &Page, content: Vec<u8>) -> String {
        let name = format!("planted/{kind}-{number:02}-{}", page.name);
        self.planted.documents.push((name.clone(), content));
        name
    }

    fn label(&mut self, a: String, b: String, label: &str) {
        self.planted.labels.push((a, b, label.to_owned()));
    }

    /// Adds a copy of a page and its label.
    fn copy(&mut self, label: &str, number: usize, page: &Page, content: Vec<u8>) {
        let name = self.add(label, number, page, content);
        self.label(original(page), name, label);
    }

    fn replaced(&mut self, pieces: &[Pieces<'t>], vocabulary: &Vocabulary<'t>) {
        for percent in PERCENTS {
            for number in 0..self.scaled(REPLACED, 1) {
                let Some(at) = self.deal(|_| true) else { break };
                let text = vocabulary.replace(at, &pieces[at], percent, &mut self.random);
                let label = format!("words-{percent}");
                self.copy(&label, number, &self.pages[at], text.into_bytes());
            }
        }
    }

    fn rewritten(&mut self, pieces: &[Pieces<'t>], vocabulary: &Vocabulary<'t>) {
        for percent in REWORDED {
            for number in 0..self.scaled(REWRITTEN, 1) {
                let Some(at) = self.deal(|_| true) else { break };
                let text = vocabulary.replace(at, &pieces[at], percent, &mut self.random);
                let text = rewrite::rearranged(&text, &mut self.random);
                let label = format!("rewritten-{percent}");
                self.copy(&label, number, &self.pages[at], text.into_bytes());
            }
        }
    }

    fn rephrased(&mut self, pieces: &[Pieces<'t>], vocabulary: &Vocabulary<'t>) {
        for percent in SYNONYMS {
            for number in 0..self.scaled(REPHRASED, 1) {
                let Some(at) = self.deal(|_| true) else { break };
                let text = vocabulary.with_synonyms(at, &pieces[at], percent, &mut self.random);
                let label = format!("synonyms-{percent}");
                self.copy(&label, number, &self.pages[at], text.into_bytes());
            }
        }
    }

    fn merged(&mut self) {
        for number in 0..self.scaled(MERGED, 1) {
            let Some(at) = self.deal(|_| true) else { break };
            let first = &self.pages[at];
            let Some(at) = self.deal(|text| text != first.text) else {
                break;
            };
            let second = &self.pages[at];
            let text = format!("{}\n{}", first.text, second.text);
            let name = self.add("merged", number, first, text.into_bytes());
            self.label(original(first), name.clone(), "merged-first");
            self.label(original(second), name, "merged-second");
        }
    }

    fn traditional(&mut self) {
        let characters = edits::traditional_characters();
        for number in 0..self.scaled(TRADITIONAL, 1) {
            let Some(at) = self.deal(words::is_chinese) else {
                break;
            };
            let page = &self.pages[at];
            let other = |c: char| characters.get(&c).copied().unwrap_or(c);
            let text: String = page.text.chars().map(other).collect();
            self.copy("other-script", number, page, text.into_bytes());
        }
    }

    fn misread(&mut self) {
        for percent in MISREAD {
            for number in 0..self.scaled(SCANNED, 1) {
                let Some(at) = self.deal(|_| true) else { break };
                let page = &self.pages[at];
                let text = scans::misread(&page.text, percent, &mut self.random);
                self.copy(
                    &format!("misread-{percent}"),
                    number,
                    page,
                    text.into_bytes(),
                );
            }
        }
    }

    fn shuffled(&mut self) {
        for number in 0..self.scaled(SHUFFLED, 1) {
            let Some(at) = self.deal(|text| edits::paragraphs(text).len() >= 4) else {
                break;
            };
            let page = &self.pages[at];
            let text = edits::shuffle(&page.text, &mut self.random);
            self.copy("shuffled", number, page, text.into_bytes());
        }
    }

    fn encoded(&mut self) {
        for number in 0..self.scaled(ENCODED, 1) {
            let Some(at) = self.deal(|_| true) else { break };
            let page = &self.pages[at];
            let chinese = words::is_chinese(&page.text);
            match edits::gb18030(&page.text).filter(|_| chinese) {
                Some(bytes) => self.copy("gb18030", number, page, bytes),
                None => self.copy("utf-16", number, page, edits::utf_16(&page.text)),
            }
        }
    }

    fn spaced(&mut self) {
        for number in 0..self.scaled(SPACED, 1) {
            let Some(at) = self.deal(|_| true) else { break };
            let page = &self.pages[at];
            let text = edits::white_space(&page.text, &mut self.random);
            self.copy("white-space", number, page, text.into_bytes());
        }
    }

    fn pasted(&mut self) {
        for number in 0..self.scaled(PASTED, 1) {
            let Some(at) = self.deal(|_| true) else { break };
            let host = &self.pages[at];
            let Some(at) = self.deal(|text| text != host.text) else {
                break;
            };
            let guest = &self.pages[at];
            let text = edits::paste_third(&host.text, &guest.text, &mut self.random);
            let name = self.add("pasted", number, host, text.into_bytes());
            self.label(original(host), name.clone(), "host-of-pasted");
            self.label(original(guest), name, "pasted-third");
        }
    }

    fn templates(&mut self) {
        // Prose of the usual length.
        let usual = |text: &str| {
            let size = template::size(text);
            size <= 4000
                && size * 2 >= text.chars().count()
                && template::content(text) * 3 >= size * 2
        };
        let Some(skeleton) = self.deal(usual) else {
            return;
        };
        let skeleton = &self.pages[skeleton].text;
        let template = Template::of(skeleton, &mut self.random);
        // Enough to fill half of the skeleton without saying anything twice, where there are such pages.
        let enough = template::size(skeleton) / 2;
        let rich = |text: &str| text != skeleton && template::content(text) >= enough;
        let mut names: Vec<String> = Vec::new();
        for number in 0..self.scaled(TEMPLATES, 2) {
            let dealt = self
                .deal(rich)
                .or_else(|| self.deal(|text| text != skeleton));
            let Some(at) = dealt else { break };
            let page = &self.pages[at];
            let text = template.fill(&page.text, &mut self.random);
            let name = self.add("template", number, page, text.into_bytes());
            for other in &names {
                let labels = &mut self.planted.labels;
                labels.push((
                    other.clone(),
                    name.clone(),
                    "different-same-template".into(),
                ));
            }
            names.push(name);
        }
    }
}

fn original(page: &Page) -> String {
    format!("original/{}", page.name)
}
