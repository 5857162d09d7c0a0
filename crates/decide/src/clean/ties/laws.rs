//! The pairs that are looked for where fewer decide, against those of a whole scan.

use std::fs;
use std::path::Path;

use dupfind_engine::run::observer::Silent;
use dupfind_read::ReadOptions;
use dupfind_read::source::walk::WalkOptions;
use dupfind_scan::{ScanOptions, scan};
use proptest::prelude::*;

use super::*;

/// Documents of one form, with words of their own, so that there are pairs of every similarity.
fn texts() -> impl Strategy<Value = Vec<String>> {
    let text = (
        0_usize..4,
        20_usize..60,
        prop::collection::vec(0_usize..60, 0..12),
        0_u32..400,
    );
    let text = text.prop_map(|(form, length, changed, own)| {
        let word = |at: usize| match changed.contains(&at) {
            true => format!("own{own}x{at} "),
            false => format!("form{form}x{at} "),
        };
        (0..length).map(word).collect()
    });
    prop::collection::vec(text, 100..130)
}

/// The ties that a scan with these options collects, without those that let nothing go.
fn collected(folder: &Path, engine: Options, drops: Drops) -> (Vec<Tie>, Vec<Copies>) {
    let mut ties = Ties::new(drops, true, u64::MAX);
    let outcome = scan(&options(folder, engine), &Silent, Some(&mut ties)).unwrap();
    assert!(outcome.documents.len() >= 100);
    sorted(ties.finish())
}

fn options(folder: &Path, engine: Options) -> ScanOptions {
    ScanOptions {
        index: None,
        walk: WalkOptions::new(vec![folder.join("r.jsonl")], folder.to_owned()),
        read: ReadOptions::default(),
        engine,
    }
}

fn sorted(mut found: Collected) -> (Vec<Tie>, Vec<Copies>) {
    found.pairs.sort_unstable_by_key(|tie| (tie.a, tie.b));
    (found.pairs, found.copies)
}

/// Takes the pairs of all copies.
struct Each(Ties);

impl PairSink for Each {
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        self.0.take(documents, pairs)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn options_for_fewer_pairs_find_all_that_let_a_document_go(
        texts in texts(),
        least in 500_u16..10_000,
        by_similarity in any::<bool>(),
        relations in prop::sample::select(vec![
            Relations::NONE, Relations::EXACT, Relations::COPIES, Relations::DUPLICATES,
        ]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let lines = texts.iter().map(|text| serde_json::json!({ "text": text }).to_string() + "\n");
        fs::write(folder.path().join("r.jsonl"), lines.collect::<String>()).unwrap();
        let drops = Drops { relations, by_similarity, least, over_titles: true };
        let all = Options {
            min_jaccard: "0.01".parse().unwrap(),
            min_weighted: Some(Options::REWRITTEN),
            ..Options::default()
        };
        // The relations depend on the pairs that are found, similarities do not.
        let all = match Relations::EXACT.include(relations) {
            true => all,
            false => Options { min_jaccard: all.min_jaccard, ..Options::default() },
        };
        let whole = collected(folder.path(), all.clone(), drops);
        let found = drops.finding(all, false).unwrap();
        prop_assert_eq!(collected(folder.path(), found, drops), whole);
    }

    #[test]
    fn the_first_of_copies_stands_for_all(
        texts in texts(),
        copied in prop::collection::vec(0_usize..100, 0..200),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let all = texts.iter().chain(copied.iter().map(|&at| &texts[at]));
        let lines = all.map(|text| serde_json::json!({ "text": text }).to_string() + "\n");
        fs::write(folder.path().join("r.jsonl"), lines.collect::<String>()).unwrap();
        let drops = Drops { least: 3_000, ..Drops::RECORDS };
        let engine = Options::default();
        let mut each = Each(Ties::new(drops, true, u64::MAX));
        scan(&options(folder.path(), engine.clone()), &Silent, Some(&mut each)).unwrap();
        let each = sorted(each.0.finish());
        prop_assert_eq!(collected(folder.path(), engine, drops), each);
    }
}

#[test]
fn equal_texts_make_no_pairs() {
    struct Counting(Ties, usize);
    impl PairSink for Counting {
        fn begin(&mut self, documents: &[Document]) -> Vec<bool> {
            self.0.begin(documents)
        }

        fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
            self.1 += pairs.len();
            self.0.take(documents, pairs)
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let text = (0..30).map(|at| format!("word{at} ")).collect::<String>();
    let [copy, near] = [text.clone(), text + "and more"]
        .map(|text| serde_json::json!({ "text": text }).to_string() + "\n");
    let lines = [copy.repeat(20_000), near.repeat(500)].concat();
    fs::write(folder.path().join("r.jsonl"), lines).unwrap();
    let mut ties = Counting(Ties::new(Drops::RECORDS, true, u64::MAX), 0);
    scan(
        &options(folder.path(), Options::default()),
        &Silent,
        Some(&mut ties),
    )
    .unwrap();
    assert_eq!(ties.1, 1);
    let (pairs, copies) = sorted(ties.0.finish());
    assert_eq!(pairs.len(), 1);
    let sizes: Vec<usize> = copies.iter().map(|group| group.documents.len()).collect();
    assert_eq!(sizes, [20_000, 500]);
}
