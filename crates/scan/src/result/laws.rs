//! A scan with higher thresholds is equal to a new scan, for every combination of options.

use proptest::prelude::*;

use crate::rows::RowScan;
use crate::sources::Sources;
use crate::{Scan, ScanJudge, ScanOptions};
use dupfind_engine::{
    Containment, Detector, Detectors, DocId, Document, Judge, Options, Pair, Relation, Silent,
    Threshold,
};

/// Returns the options of a scan of rows.
fn of_rows(engine: Options) -> ScanOptions {
    ScanOptions {
        engine,
        ..ScanOptions::for_paths([""; 0])
    }
}

/// Compares the documents of two sides, if there are two.
struct Sides(Vec<bool>);

impl ScanJudge for Sides {
    fn documents(&mut self, _: &[Document], sources: &Sources) -> bool {
        self.0 = sources
            .documents
            .iter()
            .map(|source| source.is_against)
            .collect();
        true
    }
}

impl Judge for Sides {
    fn compares(&self, a: DocId, b: DocId) -> bool {
        !self.0.contains(&true) || self.0[a.index()] != self.0[b.index()]
    }

    fn counts(&mut self, _: &[Document], pair: &Pair, _: u64) -> bool {
        self.compares(pair.a, pair.b)
    }
}

/// A name and a text.
type Page = (String, String);

/// Scans pages, or compares them with those of the other side if that has any.
fn scanned(pages: &[Page], others: &[Page], options: &Options) -> Scan {
    let mut rows = RowScan::new(of_rows(options.clone()));
    for (side, is_against) in [(pages, false), (others, true)] {
        let named = side
            .iter()
            .map(|(name, text)| (Some(name.clone()), Some(text)));
        rows.add(named, is_against, &Silent).unwrap();
    }
    rows.finish(&Silent, Some(&mut Sides(Vec::new()))).unwrap()
}

prop_compose! {
    /// Texts of few words, so that some differ in a word or two, some hold others, and some have like fingerprints only. Their
    /// names are those of pages of a site with versions, some of which have copies.
    fn texts()(
        seeds in prop::collection::vec((0_usize..4, 0_usize..40, 0_usize..40, 0_usize..3), 4..24),
        names in Just(names()).prop_shuffle(),
    ) -> Vec<Page> {
        let text = |(topic, from, length, changes): (usize, usize, usize, usize)| -> String {
            let mut words: Vec<String> =
                (from / 8..from / 8 + 12 + length).map(|word| format!("w{topic}x{word}")).collect();
            for change in 0..changes {
                let at = (from * 7 + change * 5) % words.len();
                words[at] = format!("changed{from}");
            }
            words.join(" ")
        };
        names.into_iter().zip(seeds.into_iter().map(text)).collect()
    }
}

fn names() -> Vec<String> {
    let folders = ["v1", "v2", "v3", "v1/old", "v2/old", "notes"];
    let pages = ["a", "b", "c", "d"].iter();
    pages
        .flat_map(|page| folders.map(|folder| format!("{folder}/{page}.md")))
        .collect()
}

/// How many bits may be different, and the least Jaccard similarity and containment in hundredths.
fn thresholds() -> impl Strategy<Value = (u32, u64, Option<u64>)> {
    let jaccard = prop::sample::select(vec![20, 35, 50, 67, 80, 100]);
    (0_u32..=6, jaccard, prop::option::of(50_u64..=100))
}

/// The copies of two versions of a page are these versions, though each is more like its copy.
#[test]
fn copies_of_two_versions_are_no_variants() {
    let pages = |places: &[(&str, usize)]| -> Vec<Page> {
        let words = |from: usize| (from..from + 90).map(|word| format!("w{word} ")).collect();
        places
            .iter()
            .map(|(name, from)| ((*name).to_owned(), words(*from)))
            .collect()
    };
    let counts = |pages: &[Page], others: &[Page]| {
        let scan = scanned(pages, others, &Options::default());
        let again = scan.with_thresholds(&of_rows(Options::default())).unwrap();
        assert_eq!(scan.pair_counts, again.pair_counts);
        [Relation::Exact, Relation::Near, Relation::Variant]
            .map(|relation| scan.pair_counts.of(relation))
    };
    let copies = [("v1/page.md", 0), ("notes/a.md", 0), ("notes/b.md", 40)];
    let versions = pages(&[&copies[..], &[("v2/page.md", 40)]].concat());
    assert_eq!(counts(&versions, &[]), [2, 4, 0]);
    let subjects = pages(&[&copies[..], &[("v2/other.md", 40)]].concat());
    assert_eq!(counts(&subjects, &[]), [2, 0, 4]);
    // Copies of one side are no pair.
    let published = pages(&[("v1/page.md", 0), ("notes/a.md", 0), ("notes/c.md", 30)]);
    let drafts = pages(&[("v2/page.md", 40), ("drafts/d.md", 10)]);
    assert_eq!(counts(&drafts, &published), [0, 5, 1]);
}

proptest! {
    #[test]
    fn higher_thresholds_are_a_new_scan(
        texts in texts(),
        [one, other] in [thresholds(), thresholds()],
        detectors in prop::sample::subsequence(Detector::ALL.to_vec(), 1..=Detector::ALL.len()),
    ) {
        let detectors: Detectors = detectors.into_iter().collect();
        let options = |(max_hamming, jaccard, containment): (u32, u64, Option<u64>)| Options {
            min_jaccard: Threshold::new(jaccard, 100).unwrap(),
            max_hamming,
            containment: containment.filter(|_| detectors.need_shingles()).map(|least| Containment {
                least: Threshold::new(least, 100).unwrap(),
                min_size: 5,
            }),
            detectors,
            threads: 1,
            ..Options::default()
        };
        // A detector of containment that was off cannot be on later.
        let contained = [one.2, other.2];
        let low = options((one.0.max(other.0), one.1.min(other.1), contained.into_iter().flatten().min()));
        let high = options((one.0.min(other.0), one.1.max(other.1), contained[0].max(contained[1])));
        let narrowed = scanned(&texts, &[], &low).with_thresholds(&of_rows(high.clone())).unwrap();
        let again = scanned(&texts, &[], &high);
        prop_assert_eq!(&narrowed.pairs, &again.pairs);
        prop_assert_eq!(&narrowed.clusters, &again.clusters);
        prop_assert_eq!(narrowed.pair_counts, again.pair_counts);
    }
}
