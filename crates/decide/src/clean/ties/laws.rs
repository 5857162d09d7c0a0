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
    let options = ScanOptions {
        index: None,
        walk: WalkOptions::new(vec!["r.jsonl".into()], folder.to_owned()),
        read: ReadOptions::default(),
        engine,
    };
    let mut ties = Ties::new(drops, true, u64::MAX);
    scan(&options, &Silent, Some(&mut ties)).unwrap();
    let mut found = ties.finish();
    found.pairs.sort_unstable_by_key(|tie| (tie.a, tie.b));
    (found.pairs, found.copies)
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
        let drops = Drops { relations, by_similarity, least };
        let all = Options {
            min_jaccard: "0.01".parse().unwrap(),
            min_weighted: MinWeighted::From(500),
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
}
