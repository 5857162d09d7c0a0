//! Compares two documents: how similar they are, and where.
//!
//! The measures are those of a scan, from the same shingles, terms and fingerprints. A comparison also finds the
//! passages that the documents share, the changes in them, and the text that only one of the documents has. Units are
//! matched in normalised text. Each unit has its place in the original text, which is shown.
//!
//! ```text
//! text ─> normalise, keeping places     ─> units ─┬─> shingle sets ─> Jaccard similarity, containment
//!                                                ├─> tiles, lines ─> passages ─> the rest of either document
//!                                   tokens ──────┴─> fingerprints
//! ```

pub mod document;
pub mod passages;
pub(crate) mod refine;
pub mod search;
pub mod side;
pub mod sources;
mod tiling;

use crate::compare::document::Document;
use crate::compare::passages::Shared;
use crate::compare::search::find_passages;
use crate::compare::side::Side;
use dupfind_engine::{Explanation, FeatureMaker, Features, Options, Result};

/// One of the documents.
#[derive(Debug)]
pub struct Compared<'t> {
    /// The document.
    pub document: &'t Document,
    /// Its text and units.
    pub side: Side<'t>,
}

/// The result of a comparison.
#[derive(Debug)]
pub struct Comparison<'t> {
    /// How similar they are for a scan with the same options.
    pub verdict: Explanation,
    /// The first document.
    pub a: Compared<'t>,
    /// The second document.
    pub b: Compared<'t>,
    /// The passages that they share, and the text outside of them.
    pub shared: Shared,
}

/// Compares two documents. `judge` gets the features of both, with their names, and returns what the two are to each other,
/// by themselves or among others. A document without units has no passages.
///
/// # Errors
///
/// Those of `judge`.
pub fn compare<'t>(
    a: &'t Document,
    b: &'t Document,
    options: &Options,
    judge: impl FnOnce([(String, &Features); 2]) -> Result<Explanation>,
) -> Result<Comparison<'t>> {
    let sides = [a, b].map(|Document { read, .. }| Side::of_file(&read.text, read.format, options));
    let shared = find_passages(&sides[0], &sides[1]);
    let mut maker = FeatureMaker::new(options);
    let features = [a, b].map(|document| maker.features_of_any(document.read.titled()));
    let verdict = judge([
        (a.name.clone(), &features[0]),
        (b.name.clone(), &features[1]),
    ])?;
    let [side_a, side_b] = sides;
    let compared = |document, side| Compared { document, side };
    Ok(Comparison {
        a: compared(a, side_a),
        b: compared(b, side_b),
        verdict,
        shared,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::side::LEAST;
    use dupfind_engine::text::blocks::Layout;
    use dupfind_engine::verdict::pair::measure;
    use dupfind_engine::{Relation, Resemblance};
    use dupfind_read::{Format, Ingested};
    use proptest::prelude::*;
    use std::ops::Range;

    fn document(text: &str) -> Document {
        let read = Ingested {
            text: text.to_owned().into(),
            title: None,
            layout: Layout::default(),
            format: Format::Text,
            encoding: "UTF-8",
            is_repaired: false,
            opt_out: None,
            is_generated: false,
            leads_elsewhere: false,
            source: None,
            bytes: text.len(),
        };
        let name = "a.md".into();
        Document { name, read }
    }

    fn compared<'t>(a: &'t Document, b: &'t Document) -> Comparison<'t> {
        let options = Options::default();
        let alone = |features: [(String, &Features); 2]| {
            let (documents, pair) = measure(&options, features, None);
            Ok(Explanation::new(documents, pair))
        };
        compare(a, b, &options, alone).unwrap()
    }

    fn steps(found: &Comparison<'_>) -> u64 {
        found.verdict.pair.jaccard().map_or(0, Resemblance::steps)
    }

    /// Asserts the laws of every comparison.
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
        for passage in &found.shared.passages {
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
        let [only_a, only_b] = &found.shared.only;
        only_a.iter().for_each(|only| count(only, &(0..0)));
        only_b.iter().for_each(|only| count(&(0..0), only));
        assert!(in_a.iter().chain(&in_b).all(|&count| count == 1));
        assert!(
            found
                .shared
                .passages
                .is_sorted_by_key(|passage| passage.a.start)
        );
    }

    #[test]
    fn measures_are_those_of_the_definition() {
        let (a, b) = (document("一二三四五六"), document("一二三四五七八"));
        let found = compared(&a, &b);
        // 123 234 345 of 4 and 5 shingles.
        assert_eq!(found.verdict.pair.jaccard(), Resemblance::new(3, 6));
        let [a, b] = &found.verdict.documents;
        assert_eq!((a.shingles, b.shingles), (4, 5));
        let fingerprints = a.fingerprint().zip(b.fingerprint());
        let expected = fingerprints.map(|(a, b)| (a ^ b).count_ones());
        assert_eq!(found.verdict.pair.hamming.map(u32::from), expected);
    }

    #[test]
    fn shuffled_paragraphs_are_shared_and_marked_as_moved() {
        let one = "河边的老公园三十年前向市民开放。\n";
        let two = "去年城市沿着北边的小路种了四百棵枫树，并更换了所有的木头长椅。\n";
        let (a, b) = (format!("{one}{two}"), format!("{two}{one}"));
        let (a, b) = (document(&a), document(&b));
        let found = compared(&a, &b);
        let moved: Vec<bool> = found.shared.passages.iter().map(|p| p.is_moved).collect();
        assert_eq!(moved, [true, false]);
        assert!(found.shared.only.iter().all(Vec::is_empty));
    }

    #[test]
    fn documents_without_units_share_nothing() {
        let (empty, other) = (document("…"), document("字"));
        let found = compared(&empty, &other);
        assert!(found.shared.passages.is_empty());
        let expected = std::iter::once(0..1).collect::<Vec<_>>();
        assert_eq!(found.shared.only[1], expected);
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
            prop_assert_eq!(found.shared.passages.len(), usize::from(units > 0));
            prop_assert!(found.shared.passages.iter().all(|p| p.parts.len() == 1 && !p.is_moved));
            prop_assert!(found.shared.only.iter().all(Vec::is_empty));
            prop_assert_eq!(steps(&found), if units > 0 { 10_000 } else { 0 });
            prop_assert_eq!(found.verdict.pair.hamming, Some(0));
            prop_assert_eq!(found.verdict.pair.relation(), Relation::Exact);
        }
    }
}
