//! Pages with many variants: each is the page with some words replaced, some paragraphs left out and some in another
//! order. Many documents have the text that all variants share.

use super::random::Random;
use super::words::{self, Pieces, Vocabulary};
use super::{Page, Planted, edits, original};

/// How many pages have variants.
const FAMILIES: usize = 12;

/// How many percent of the words of a variant are replaced.
const PERCENTS: [usize; 5] = [2, 5, 10, 15, 20];

/// So many variants of some pages, and the other pages as they are. Two variants of one page belong together, and two
/// of different pages do not.
pub(super) fn varied(pages: &[Page], count: usize, random: &mut Random) -> Planted {
    let pieces = pages.iter().map(|page| words::cut(&page.text));
    let pieces: Vec<Pieces<'_>> = pieces.collect();
    let vocabulary = Vocabulary::of(&pieces);
    let mut planted = Planted::default();
    let mut families: Vec<Vec<String>> = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        if at >= FAMILIES {
            let content = page.text.clone().into_bytes();
            planted.documents.push((original(page), content));
            continue;
        }
        let names = (0..count).map(|number| format!("planted/variant-{number:02}-{}", page.name));
        let names: Vec<String> = names.collect();
        for name in &names {
            let percent = *random.pick(&PERCENTS);
            let text = vocabulary.replace(at, &pieces[at], percent, random);
            let text = edits::rearrange(&text, random);
            planted.documents.push((name.clone(), text.into_bytes()));
        }
        for (x, a) in names.iter().enumerate() {
            let others = names[x + 1..].iter();
            let labels = others.map(|b| (a.clone(), b.clone(), "variant".into()));
            planted.labels.extend(labels);
            let strangers = families.iter().map(|family| random.pick(family).clone());
            let labels = strangers.map(|b| (a.clone(), b, "different".into()));
            planted.labels.extend(labels);
        }
        families.push(names);
    }
    planted
}
