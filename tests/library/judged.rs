//! Scans with a judge: what does not count is gone from pairs, counts and clusters, and nothing else is.

use std::collections::{BTreeMap, BTreeSet};

use dupfind_decide::{Gate, PairScope};
use dupfind_engine::{
    Detector, Detectors, DocId, Document, Judge, Options, Pair, PairSink, Relations, Silent,
    TopPairs,
};
use dupfind_scan::{Scan, ScanJudge, ScanOptions, Source, Sources, read_texts, scan, scan_judged};

/// Lets those pairs count whose number of shared letters, so to speak, is no multiple of some number.
struct Every {
    leaves_out: u64,
    documents: usize,
    seen: u64,
}

impl Every {
    fn admits(leaves_out: u64, pair: &Pair) -> bool {
        let number = pair.a.index() as u64 * 31 + pair.b.index() as u64;
        leaves_out == 0 || !number.is_multiple_of(leaves_out)
    }
}

impl ScanJudge for Every {
    fn documents(&mut self, documents: &[Document], sources: &Sources) -> bool {
        assert_eq!(self.seen, 0);
        assert_eq!(documents.len(), sources.documents.len());
        let is_there = |source: &Source| (source.file as usize) < sources.files.len();
        assert!(sources.documents.iter().all(is_there));
        self.documents = documents.len();
        true
    }
}

impl Judge for Every {
    fn counts(&mut self, documents: &[Document], pair: &Pair, _: u64) -> bool {
        assert_eq!(documents.len(), self.documents);
        assert!(pair.a < pair.b);
        self.seen += 1;
        Self::admits(self.leaves_out, pair)
    }
}

fn settings(detectors: Detectors, limit: Option<u64>) -> ScanOptions {
    let mut settings = ScanOptions {
        engine: Options {
            detectors,
            max_hamming: 12,
            ..Options::default()
        },
        ..ScanOptions::for_paths(["fixtures/corpus"])
    };
    settings.engine.budget.limit = limit;
    settings
}

fn judged(settings: &ScanOptions, leaves_out: u64) -> (Vec<Pair>, Scan, u64) {
    let mut best = TopPairs::all();
    let mut judge = Every {
        leaves_out,
        documents: 0,
        seen: 0,
    };
    let outcome = scan_judged(settings, &Silent, Some(&mut judge), Some(&mut best)).unwrap();
    (best.into_pairs(), outcome, judge.seen)
}

/// The components of some pairs, from the definition.
fn components(pairs: &[&Pair]) -> BTreeSet<Vec<DocId>> {
    let mut component: BTreeMap<DocId, BTreeSet<DocId>> = BTreeMap::new();
    for pair in pairs {
        let mut joined = BTreeSet::from([pair.a, pair.b]);
        for id in [pair.a, pair.b] {
            joined.extend(component.get(&id).into_iter().flatten().copied());
        }
        for id in joined.clone() {
            component.insert(id, joined.clone());
        }
    }
    let sorted = component.into_values();
    sorted.map(|ids| ids.into_iter().collect()).collect()
}

#[test]
fn a_judge_decides_about_every_pair_and_nothing_else() {
    let signatures = [Detector::SuperShingle, Detector::IMatch];
    for detectors in [
        Detectors::USUAL,
        Detector::Simhash.into(),
        Detector::Shingle.into(),
        signatures.into_iter().collect(),
    ] {
        // Sets of shingles alone are compared in tiles.
        let tiled = Some(36 * 500).filter(|_| detectors.have(Detector::Shingle));
        for limit in [None]
            .into_iter()
            .chain([tiled].into_iter().filter(Option::is_some))
        {
            let settings = settings(detectors, limit);
            let mut best = TopPairs::all();
            let unjudged = scan(&settings, &Silent, Some(&mut best)).unwrap();
            let all = best.into_pairs();
            assert!(all.len() > 15, "{}", all.len());
            for leaves_out in [0, 1, 3] {
                let (pairs, outcome, seen) = judged(&settings, leaves_out);
                let expected = all.iter().filter(|pair| Every::admits(leaves_out, pair));
                let expected: Vec<Pair> = expected.copied().collect();
                assert_eq!(seen, all.len() as u64);
                assert_eq!(pairs, expected, "{leaves_out}");
                assert_eq!(outcome.pair_counts.total(), expected.len() as u64);
                let edges: Vec<&Pair> = pairs
                    .iter()
                    .filter(|pair| Relations::DUPLICATES.have(pair.relation()))
                    .collect();
                let clusters = outcome.clusters.iter().map(|c| c.documents.clone());
                assert_eq!(clusters.collect::<BTreeSet<_>>(), components(&edges));
                if leaves_out == 0 {
                    assert_eq!(outcome.clusters, unjudged.clusters);
                    assert_eq!(outcome.pair_counts, unjudged.pair_counts);
                }
                // The same without a sink.
                let mut judge = Every {
                    leaves_out,
                    documents: 0,
                    seen: 0,
                };
                let counted = scan_judged(&settings, &Silent, Some(&mut judge), None).unwrap();
                assert_eq!(counted.pair_counts, outcome.pair_counts);
                assert_eq!(counted.clusters, outcome.clusters);
            }
        }
    }
}

#[test]
fn texts_are_read_again_as_they_stand_in_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &str| std::fs::write(folder.path().join(name), content);
    file("a.md", "# A title\n\nA Text with CASE.\n").unwrap();
    file(
        "b.jsonl",
        "{\"text\":\"the first record\"}\n\n{\"text\":\"one more\"}\nbroken\n{\"text\":\"the last\"}\n",
    )
    .unwrap();
    file("gone.md", "a page that goes away").unwrap();
    let settings = ScanOptions::for_paths([folder.path()]);
    let outcome = scan(&settings, &Silent, None).unwrap();
    std::fs::remove_file(folder.path().join("gone.md")).unwrap();
    let ids = (0..outcome.documents.len()).rev().chain([0]);
    let ids: Vec<DocId> = ids.map(|id| DocId::new(id).unwrap()).collect();
    let texts = read_texts(&settings, &outcome, &ids);
    let texts: Vec<Option<&str>> = texts.iter().map(|text| text.as_deref().ok()).collect();
    let expected = [
        None,
        Some("the last"),
        Some("one more"),
        Some("the first record"),
        Some("A title\n\nA Text with CASE.\n"),
        Some("A title\n\nA Text with CASE.\n"),
    ];
    assert_eq!(texts, expected);
}

/// Keeps all pairs, or of many copies those with the first one.
fn of_copies(
    paths: &[&std::path::Path],
    against: &[&std::path::Path],
    lists: bool,
) -> (Scan, Vec<Pair>) {
    let best = TopPairs::all();
    let mut best = if lists { best } else { best.of_first_copies() };
    let outcome = into(&mut best, paths, against);
    (outcome, best.into_pairs())
}

fn into(sink: &mut dyn PairSink, paths: &[&std::path::Path], against: &[&std::path::Path]) -> Scan {
    let mut options = ScanOptions::for_paths(paths);
    options.walk.against = against.iter().map(|path| path.into()).collect();
    let mut gate = Gate::new(PairScope::new(&options.walk), None);
    scan_judged(&options, &Silent, Some(&mut gate), Some(sink)).unwrap()
}

#[test]
fn many_copies_are_paired_with_the_first_one_and_all_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let text = "The ferry leaves at seven from the old harbour, and returns at nine in the evening, with forty people \
                and some goats on board, while the captain sings to the wind.";
    for (set, count) in [("own", 60), ("other", 30)] {
        let place = folder.path().join(set);
        std::fs::create_dir(&place).unwrap();
        for at in 0..count {
            std::fs::write(place.join(format!("{at:02}.md")), text).unwrap();
        }
        std::fs::write(place.join("near.md"), format!("{text} It rains.")).unwrap();
    }
    let [own, other] = ["own", "other"].map(|set| folder.path().join(set));
    for (paths, against) in [
        (vec![&*own], vec![]),
        (vec![&*own, &*other], vec![]),
        (vec![&*own], vec![&*other]),
    ] {
        let (all, every) = of_copies(&paths, &against, true);
        let (star, first) = of_copies(&paths, &against, false);
        assert_eq!(every.len() as u64, all.pair_counts.total());
        assert_eq!(star.pair_counts, all.pair_counts);
        assert_eq!(star.clusters, all.clusters);
        assert!(first.len() * 5 < every.len());
        assert!(first.iter().all(|pair| every.contains(pair)));
        let with = |pairs: &[Pair], relation| -> BTreeSet<DocId> {
            let own = pairs.iter().filter(|pair| pair.relation() == relation);
            own.flat_map(|pair| [pair.a, pair.b])
                .filter(|&id| !all.sources.of(id).is_against)
                .collect()
        };
        for relation in Relations::ALL.iter() {
            let expected = with(&every, relation);
            assert_eq!(with(&first, relation), expected, "{relation:?}");
        }
    }
}
