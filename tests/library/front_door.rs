//! The front door: it has the result of a scan of files for their texts.

use std::fs;
use std::io;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use dupfind_engine::{
    Budget, Detector, DocId, Document, Error, Found, Observer, Options, Pair, PairSink, Relation,
    Silent, Stage, TopPairs, find_duplicates,
};
use dupfind_scan::{ScanOptions, read_texts, scan};
use tempfile::TempDir;

/// The names and texts of the fixtures, as a scan reads them.
fn texts(options: &ScanOptions) -> Vec<(String, String)> {
    let outcome = scan(options, &Silent, None).unwrap();
    let ids = (0..outcome.documents.len()).map(|at| DocId::new(at).unwrap());
    let texts = read_texts(options, &outcome, &ids.collect::<Vec<DocId>>());
    let names = outcome.documents.into_iter().map(|document| document.name);
    names.zip(texts.into_iter().map(Result::unwrap)).collect()
}

fn found(options: &Options, texts: &[(String, String)]) -> Found {
    // In any order.
    let texts = texts.iter().rev().map(|(name, text)| (name, text));
    find_duplicates(options, texts).unwrap()
}

/// The texts of the fixtures as files of plain text: the front door does not know which lines of a text are headings.
static PLAIN: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let fixtures = ScanOptions::for_paths(["fixtures/corpus"]);
    for (name, text) in texts(&fixtures) {
        let file = folder.path().join(format!("{name}.txt"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    folder
});

fn with(engine: Options) -> ScanOptions {
    ScanOptions {
        engine,
        ..ScanOptions::for_paths([PLAIN.path()])
    }
}

/// Options under which other detectors find other pairs.
fn options() -> Vec<Options> {
    let usual = Options::default();
    let all = Options {
        detectors: [
            Detector::Simhash,
            Detector::Shingle,
            Detector::SuperShingle,
            Detector::IMatch,
        ]
        .into_iter()
        .collect(),
        max_hamming: 6,
        min_jaccard: "0.1".parse().unwrap(),
        ..Options::default()
    };
    let fingerprints = Options {
        detectors: Detector::Simhash.into(),
        max_hamming: 8,
        ..Options::default()
    };
    let in_tiles = Options {
        budget: Budget {
            limit: Some(36 * 500),
            temp_dir: None,
        },
        ..Options::default()
    };
    vec![usual, all, fingerprints, in_tiles]
}

#[test]
fn a_scan_and_the_front_door_say_the_same() {
    let texts = texts(&with(Options::default()));
    for options in options() {
        let mut best = TopPairs::all();
        let scanned = scan(&with(options.clone()), &Silent, Some(&mut best)).unwrap();
        let found = found(&options, &texts);
        let pairs = best.into_pairs();
        assert!(!pairs.is_empty());
        assert_eq!(found.pairs, pairs);
        assert_eq!(found.clusters, scanned.clusters);
        assert_eq!(found.counts, scanned.pair_counts);
        assert_eq!(found.documents, scanned.documents);
    }
}

#[test]
fn every_pair_is_explained_and_every_other_one_is_none() {
    let texts = texts(&with(Options::default()));
    for options in options() {
        let found = found(&options, &texts);
        let count = u32::try_from(found.documents.len()).unwrap();
        let mut explained = Vec::new();
        for a in (0..count).map(DocId::from) {
            for b in (0..count).map(DocId::from).filter(|&b| a < b) {
                let why = found.explain(&options, b, a).unwrap();
                if why.is_pair {
                    assert!(why.to_string().starts_with(why.pair.relation().as_str()));
                    explained.push(why.pair);
                } else {
                    assert!(why.to_string().starts_with("no pair: "), "{why}");
                }
            }
        }
        let mut pairs = found.pairs.clone();
        pairs.sort_unstable_by_key(|pair| (pair.a, pair.b));
        assert_eq!(explained, pairs);
    }
}

#[test]
fn names_are_distinct_and_empty_texts_are_skipped() {
    let options = Options::default();
    let twice = [("a", "one"), ("b", "two"), ("a", "four")];
    let error = find_duplicates(&options, twice).unwrap_err();
    assert_eq!(error.to_string(), "there is a document named 'a' already");
    let found = find_duplicates(&options, [("b", " -- "), ("a", "one two three")]).unwrap();
    assert_eq!(found.documents.len(), 1);
    assert_eq!(found.empty, ["b"]);
    assert_eq!(found.id("a"), Some(DocId::from(0)));
    assert_eq!(found.id("b"), None);
}

/// Counts pairs, and fails at some of them.
struct Counting {
    pairs: usize,
    most: usize,
}

impl PairSink for Counting {
    fn take(&mut self, _documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        self.pairs += pairs.len();
        if self.pairs > self.most {
            return Err(io::Error::other("enough"));
        }
        Ok(())
    }
}

/// Asks the run to stop at some stage.
struct StopAt(Stage, AtomicUsize);

impl Observer for StopAt {
    fn stage(&self, stage: Stage, _total: Option<u64>) {
        if stage == self.0 {
            self.1.store(1, Ordering::Relaxed);
        }
    }

    fn advance(&self) {}

    fn is_stopped(&self) -> bool {
        self.1.load(Ordering::Relaxed) > 0
    }
}

#[test]
fn pairs_go_to_a_sink_and_a_run_can_be_stopped() {
    let options = with(Options::default());
    let expected = found(&options.engine, &texts(&options)).pairs.len();
    let mut sink = Counting {
        pairs: 0,
        most: usize::MAX,
    };
    let scanned = scan(&options, &Silent, Some(&mut sink)).unwrap();
    assert_eq!(sink.pairs, expected);
    assert_eq!(scanned.pair_counts.total(), expected as u64);

    let mut sink = Counting { pairs: 0, most: 0 };
    let error = scan(&options, &Silent, Some(&mut sink)).unwrap_err();
    assert!(matches!(error, Error::Sink(_)), "{error}");

    for stage in [Stage::Read, Stage::JaccardJoin] {
        let observer = StopAt(stage, AtomicUsize::new(0));
        let error = scan(&options, &observer, None).unwrap_err();
        assert!(matches!(error, Error::Stopped), "{error}");
    }
}

#[test]
fn two_texts_are_compared_without_a_collection() {
    let text = "the old park by the river opened to the public thirty years ago today";
    let why = dupfind_engine::compare(text, &text.replace("thirty", "fifty"));
    assert!(why.is_pair);
    assert_eq!(why.pair.relation(), Relation::Near);
    assert_eq!(why.pair.jaccard().unwrap().steps(), 6_000);
    let why = dupfind_engine::compare(text, "图书馆明天上午九点开放，欢迎光临");
    assert!(!why.is_pair);
    assert!(
        why.to_string()
            .starts_with("no pair: Jaccard similarity 0, Hamming distance ")
    );
    assert!(!dupfind_engine::compare("", "").is_pair);
}

#[test]
fn the_values_of_the_front_door_cross_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<Options>();
    crosses::<Found>();
    crosses::<dupfind_engine::Features>();
    crosses::<dupfind_engine::pairing::explanation::Explanation>();
}
