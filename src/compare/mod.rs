//! Everything about two documents: how similar they are, and where.
//!
//! The measures are those of a scan, from the same shingles, terms and fingerprints. Beyond them a
//! comparison says which passages the documents share, what was changed in them and what only one of the
//! documents has, in the words of the originals: units are matched in normalised text, and every unit
//! remembers where it came from.
//!
//! ```text
//! text ─> normalise, with the way back ─> units ─┬─> shingle sets ─> Jaccard similarity, containment
//!                                                ├─> tiles, lines ─> passages ─> the rest of either document
//!                                   tokens ──────┴─> fingerprints, shared terms
//! ```

pub mod document;
mod lines;
pub mod passages;
mod refine;
pub mod side;
pub mod terms;
mod tiling;
mod trim;

use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::Range;
use std::sync::Arc;

use crate::compare::document::Document;
use crate::compare::passages::{Passage, passages, rest};
use crate::compare::side::Side;
use crate::compare::terms::{SharedTerm, Words, shared_terms};
use crate::document::DocId;
use crate::engine::Options;
use crate::engine::detectors::{Detector, Detectors};
use crate::engine::outcome::{Agreeing, Document as Scanned, Pair, Place, Resemblance};
use crate::engine::relation::Relation;
use crate::error::Result;
use crate::fingerprint::idf::Idf;
use crate::fingerprint::shingles::Shingler;
use crate::fingerprint::simhash::Width;
use crate::join::pairwise::overlap;
use crate::join::weighted::Weighted;
use crate::scan::features::{fingerprint, text_hash};
use crate::text::han::Han;
use crate::text::normalize::normalize;
use crate::text::segmenter::Segmenter;
use crate::text::tokenize::has_han;
use crate::text::units::ShingleUnit;

/// What decides the result of a comparison.
#[derive(Debug, Clone)]
pub struct CompareOptions {
    /// What becomes of Traditional characters.
    pub han: Han,
    /// Units in a shingle.
    pub shingle_size: NonZeroUsize,
    /// What a unit is.
    pub shingle_unit: ShingleUnit,
    /// The weights of terms.
    pub idf: Idf,
    /// How many shared terms are wanted.
    pub terms: usize,
}

/// What a scan with the usual thresholds would say of the two documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The documents, as far as reports on a scan need them.
    pub documents: [Scanned; 2],
    /// Their measures and their relation.
    pub pair: Pair,
}

/// What is known of one of the documents.
#[derive(Debug)]
pub struct Compared<'t> {
    /// The document.
    pub document: &'t Document,
    /// Its text and units.
    pub side: Side<'t>,
    /// Its SimHash fingerprint.
    pub fingerprint: u64,
    /// How many distinct shingles it has.
    pub shingles: u32,
    /// How many tokens it has.
    pub tokens: u32,
    /// How many distinct terms.
    pub terms: u32,
    /// The stretches of its units that are in no passage, in order.
    pub only: Vec<Range<usize>>,
}

/// Everything about two documents.
#[derive(Debug)]
pub struct Comparison<'t> {
    /// How similar they are.
    pub verdict: Verdict,
    /// The first document.
    pub a: Compared<'t>,
    /// The second document.
    pub b: Compared<'t>,
    /// The terms that weigh most among those both have.
    pub terms: Vec<SharedTerm>,
    /// The passages they share, in the order of the first document.
    pub passages: Vec<Passage>,
}

/// Takes two documents, the settings, the segmenters and how to weigh two shingle sets, and compares the
/// documents. One without units, which [`Document::read`] refuses, shares nothing.
///
/// [`Among`](crate::scan::among::Among) weighs: the sets by themselves, or among those of a folder.
///
/// # Errors
///
/// What weighing says.
pub fn compare<'t>(
    a: &'t Document,
    b: &'t Document,
    settings: &CompareOptions,
    segmenter: &Arc<Segmenter>,
    weigh: impl FnOnce(&[u64], &[u64]) -> Result<Weighted>,
) -> Result<Comparison<'t>> {
    let (unit, han) = (settings.shingle_unit, settings.han);
    let sides = [a, b].map(|document| Side::new(&document.text, unit, han, segmenter));
    if sides.iter().any(|side| has_han(side.runs())) {
        // Loaded while passages are looked for.
        segmenter.request();
    }
    let passages = passages(&sides[0], &sides[1]);
    let sets = sets(&sides, settings.shingle_size);
    let (jaccard, shingles) = resemblance(&sets);
    let weighted = weigh(&sets[0], &sets[1])?;
    drop(sets);

    let words = sides.each_ref().map(|side| Words::of(side, segmenter));
    let [fingerprint_a, fingerprint_b] = words.each_ref().map(|words| {
        let (terms, tokens) = (words.counter.terms(), words.counter.tokens());
        let (size, idf) = (settings.shingle_size, &settings.idf);
        fingerprint(terms, tokens, size, idf, Width::Bits64).0
    });
    let terms = shared_terms(&words[0], &words[1], &settings.idf, settings.terms);
    let counts = words.each_ref().map(|words| {
        let terms = u32::try_from(words.counter.terms().len()).unwrap_or(u32::MAX);
        (words.counter.tokens(), terms)
    });
    drop(words);

    let in_b = {
        let mut places: Vec<_> = passages.iter().map(|passage| passage.b.clone()).collect();
        places.sort_unstable_by_key(|place| place.start);
        places
    };
    let in_a = passages.iter().map(|passage| passage.a.clone());
    let [side_a, side_b] = sides;
    let compared =
        |document, side: Side<'t>, fingerprint, shingles, counts: (u32, u32), only| Compared {
            document,
            side,
            fingerprint,
            shingles,
            tokens: counts.0,
            terms: counts.1,
            only,
        };
    let only_a = rest(in_a, side_a.units().len());
    let only_b = rest(in_b.into_iter(), side_b.units().len());
    let a = compared(a, side_a, fingerprint_a, shingles[0], counts[0], only_a);
    let b = compared(b, side_b, fingerprint_b, shingles[1], counts[1], only_b);
    Ok(Comparison {
        verdict: verdict([&a, &b], jaccard, weighted),
        a,
        b,
        terms,
        passages,
    })
}

/// What a scan would say of two documents.
fn verdict(compared: [&Compared<'_>; 2], jaccard: Resemblance, weighted: Weighted) -> Verdict {
    let documents = compared.map(|compared| {
        let mut words = Vec::new();
        let unfolded = normalize(&compared.document.text);
        let unfolded_hash = text_hash(&unfolded, &mut words);
        let text_hash = text_hash(compared.side.normal(), &mut words);
        Scanned {
            name: compared.document.name.clone(),
            place: Place::of_file(0),
            is_against: false,
            length: words.len(),
            text_hash,
            unfolded_hash,
            format: compared.document.format,
            encoding: compared.document.encoding,
            fingerprint: Some(compared.fingerprint),
            fingerprint_high: None,
            tokens: compared.tokens,
            terms: compared.terms,
            shingles: compared.shingles,
        }
    });
    let [a, b] = &documents;
    let hamming = (compared[0].fingerprint ^ compared[1].fingerprint).count_ones();
    let is_similar = Options::MIN_JACCARD.admits(jaccard.overlap, jaccard.union.get());
    let pair = Pair {
        a: DocId::from(0),
        b: DocId::from(1),
        hamming: u8::try_from(hamming).ok(),
        jaccard: Some(jaccard),
        weighted: Some(weighted),
        relation: if a.text_hash == b.text_hash {
            Relation::Exact
        } else {
            Relation::of_sets(jaccard, weighted, a.shingles, b.shingles)
        },
        found_by: Detectors::NONE
            .with(Detector::Simhash, hamming <= Options::MAX_HAMMING)
            .with(Detector::Shingle, is_similar),
        agreeing: Agreeing::default(),
    };
    Verdict { documents, pair }
}

/// The shingle sets of two documents, ascending.
fn sets(sides: &[Side<'_>; 2], size: NonZeroUsize) -> [Vec<u64>; 2] {
    let mut shingler = Shingler::new();
    sides.each_ref().map(|side| {
        let mut set = shingler.set(side.units(), size).to_vec();
        set.sort_unstable();
        set
    })
}

/// The Jaccard similarity of two sets, and their sizes.
fn resemblance(sets: &[Vec<u64>; 2]) -> (Resemblance, [u32; 2]) {
    let [a, b] = sets;
    let overlap = overlap(a, b);
    let sizes = [a, b].map(|set| u32::try_from(set.len()).unwrap_or(u32::MAX));
    let union = sizes[0].saturating_add(sizes[1] - overlap);
    // Two documents without units would have no similarity at all.
    let union = NonZeroU32::new(union).unwrap_or(NonZeroU32::MIN);
    (Resemblance { overlap, union }, sizes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::passages::LEAST;
    use crate::read::format::Format;
    use crate::scan::among::Among;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    fn document(text: &str) -> Document {
        Document {
            name: "a.md".into(),
            text: text.into(),
            bytes: text.len(),
            format: Format::Text,
            encoding: "UTF-8",
            is_repaired: false,
        }
    }

    /// Compares with one segmenter for all tests: loading jieba takes longer than they do.
    fn compared<'t>(a: &'t Document, b: &'t Document) -> Comparison<'t> {
        static SEGMENTER: LazyLock<Arc<Segmenter>> = LazyLock::new(Arc::default);
        let alone = |a: &[u64], b: &[u64]| Ok(Among::themselves(a, b).measure());
        compare(a, b, &settings(), &SEGMENTER, alone).unwrap()
    }

    fn steps(found: &Comparison<'_>) -> u64 {
        found.verdict.pair.jaccard.unwrap().steps()
    }

    fn settings() -> CompareOptions {
        CompareOptions {
            han: Han::Kept,
            shingle_size: NonZeroUsize::new(3).unwrap(),
            shingle_unit: ShingleUnit::Auto,
            idf: Idf::dictionary(),
            terms: 10,
        }
    }

    /// Asserts what holds for every comparison.
    #[track_caller]
    fn assert_lawful(a: &str, b: &str) {
        let (document_a, document_b) = (document(a), document(b));
        let found = compared(&document_a, &document_b);
        let (units_a, units_b) = (found.a.side.units(), found.b.side.units());
        let (mut in_a, mut in_b) = (vec![0; units_a.len()], vec![0; units_b.len()]);
        let mut count = |a: &Range<usize>, b: &Range<usize>| {
            in_a[a.clone()].iter_mut().for_each(|count| *count += 1);
            in_b[b.clone()].iter_mut().for_each(|count| *count += 1);
        };
        for passage in &found.passages {
            count(&passage.a, &passage.b);
            let (mut end_a, mut end_b) = (passage.a.start, passage.b.start);
            let mut is_same_before = None;
            for part in &passage.parts {
                assert_eq!((part.a.start, part.b.start), (end_a, end_b));
                (end_a, end_b) = (part.a.end, part.b.end);
                assert_ne!(is_same_before, Some(part.is_same));
                is_same_before = Some(part.is_same);
                let (old, new) = (&units_a[part.a.clone()], &units_b[part.b.clone()]);
                assert_eq!(part.is_same, old == new);
                assert!(!(old.is_empty() && new.is_empty()));
            }
            assert_eq!((end_a, end_b), (passage.a.end, passage.b.end));
            let (first, last) = (&passage.parts[0], &passage.parts[passage.parts.len() - 1]);
            assert!(first.is_same || (first.a.start, first.b.start) == (0, 0));
            let ends = (units_a.len(), units_b.len());
            assert!(last.is_same || (last.a.end, last.b.end) == ends);
            let least = LEAST.min(units_a.len()).min(units_b.len());
            // A line that both documents have may be that short.
            assert!(passage.same() >= least.min(2));
            let texts = passage.texts(&found.a.side, &found.b.side);
            for (places, (side, whole)) in texts
                .iter()
                .zip([(&found.a.side, &passage.a), (&found.b.side, &passage.b)])
            {
                let text: String = places.iter().map(|p| &side.text()[p.clone()]).collect();
                assert_eq!(text, side.text()[side.stretch(whole)]);
            }
        }
        found.a.only.iter().for_each(|only| count(only, &(0..0)));
        found.b.only.iter().for_each(|only| count(&(0..0), only));
        assert!(in_a.iter().chain(&in_b).all(|&count| count == 1));
        assert!(found.passages.is_sorted_by_key(|passage| passage.a.start));
    }

    #[test]
    fn measures_are_those_of_the_definition() {
        let (a, b) = (document("一二三四五六"), document("一二三四五七八"));
        let found = compared(&a, &b);
        // 123 234 345 of 4 and 5 shingles.
        assert_eq!(found.verdict.pair.jaccard, Resemblance::new(3, 6));
        assert_eq!((found.a.shingles, found.b.shingles), (4, 5));
        assert_eq!(
            found.verdict.pair.hamming.map(u32::from),
            Some((found.a.fingerprint ^ found.b.fingerprint).count_ones())
        );
    }

    #[test]
    fn shared_terms_are_words_by_their_weight() {
        let a = document("清华大学的图书馆，清华大学的操场");
        let b = document("清华大学的食堂的图书馆");
        let found = compared(&a, &b);
        let terms: Vec<(&str, [u32; 2])> = found
            .terms
            .iter()
            .map(|term| (term.term.as_str(), term.counts))
            .collect();
        assert_eq!(
            terms,
            [("清华大学", [2, 1]), ("图书馆", [1, 1]), ("的", [2, 2])]
        );
    }

    #[test]
    fn shuffled_paragraphs_are_shared_and_said_to_be_moved() {
        let one = "河边的老公园三十年前向市民开放。\n";
        let two = "去年城市沿着北边的小路种了四百棵枫树，并更换了所有的木头长椅。\n";
        let (a, b) = (format!("{one}{two}"), format!("{two}{one}"));
        let (a, b) = (document(&a), document(&b));
        let found = compared(&a, &b);
        let moved: Vec<bool> = found.passages.iter().map(|p| p.is_moved).collect();
        assert_eq!(moved, [true, false]);
        assert!(found.a.only.is_empty() && found.b.only.is_empty());
    }

    #[test]
    fn documents_without_units_share_nothing() {
        let (empty, other) = (document("…"), document("字"));
        let found = compared(&empty, &other);
        assert!(found.passages.is_empty());
        assert_eq!(found.b.only, std::iter::once(0..1).collect::<Vec<_>>());
        assert_eq!(steps(&compared(&empty, &empty)), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn the_laws_hold(
            a in "[ab中文，\n ㍿ﷺ]{0,120}", b in "[ab中文，\n ㍿ﷺ]{0,120}", any_a in any::<String>(), any_b in any::<String>(),
        ) {
            assert_lawful(&a, &b);
            assert_lawful(&any_a, &any_b);
            assert_lawful(&format!("{any_a}{b}{a}"), &format!("{a}{any_b}{b}"));
        }

        #[test]
        fn the_laws_hold_for_edited_texts(
            words in prop::collection::vec("[a-e]{1,2}|[一-五]{1,3}", 1..150),
            edits in prop::collection::vec((any::<prop::sample::Index>(), "[a-z一-十]{0,3}"), 0..12),
            turn in any::<prop::sample::Index>(),
        ) {
            let mut edited = words.clone();
            for (at, word) in &edits {
                let at = at.index(edited.len());
                edited[at].clone_from(word);
            }
            edited.rotate_left(turn.index(words.len()));
            assert_lawful(&words.join(" "), &edited.join(" "));
        }

        #[test]
        fn a_document_is_one_passage_of_itself(text in "[ab中文，\n ㍿ﷺ]{0,60}|\\PC{0,60}") {
            let text = document(&text);
            let found = compared(&text, &text);
            let units = found.a.side.units().len();
            prop_assert_eq!(found.passages.len(), usize::from(units > 0));
            prop_assert!(found.passages.iter().all(|p| p.parts.len() == 1 && !p.is_moved));
            prop_assert!(found.a.only.is_empty() && found.b.only.is_empty());
            prop_assert_eq!(steps(&found), if units > 0 { 10_000 } else { 0 });
            prop_assert_eq!(found.verdict.pair.hamming, Some(0));
            prop_assert_eq!(found.verdict.pair.relation, Relation::Exact);
        }
    }
}
