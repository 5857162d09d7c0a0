//! The pairs that are looked for where fewer decide, against those of a whole scan.

use std::fmt::Debug;
use std::fs;
use std::path::Path;

use dupfind_engine::{Error, Options, Silent, TopPairs};
use dupfind_read::{ReadOptions, WalkOptions};
use dupfind_scan::{ScanOptions, scan, scan_joined};
use proptest::prelude::*;

use super::*;
use crate::clean::drops::{ChosenDrops, Drops};
use crate::clean::stars::{Decision, Partner, stars};
use crate::clean::tied::Tied;
use crate::finished_scan::{of_files, select};

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

/// Fewer cases than usual: each is a scan or two. `PROPTEST_CASES` makes more of these, too.
fn few() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig {
        cases: usual.cases / 32,
        ..usual
    }
}

/// Takes the pairs of all copies.
struct Each(Ties);

impl PairSink for Each {
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        self.0.take(documents, pairs)
    }
}

proptest! {
    #![proptest_config(few())]

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
    fn those_that_stay_find_all_that_go(
        texts in texts(),
        copied in prop::collection::vec(0_usize..100, 0..40),
        least in 3_000_u16..9_500,
        places in Just((0_u32..170).collect::<Vec<u32>>()).prop_shuffle(),
        stays in prop::collection::vec(prop::bool::weighted(0.1), 170),
    ) {
        let folder = tempfile::tempdir().unwrap();
        // Some copies have the same shingles and another text.
        let copies = copied.iter().map(|&at| format!("{}{}", texts[at], if at % 2 > 0 { "!" } else { "" }));
        let all: Vec<String> = texts.iter().cloned().chain(copies).collect();
        write(folder.path(), &all);
        let relations = Relations::from_iter([]);
        let drops = Drops { relations, by_similarity: true, least, over_titles: true };
        let engine = drops.finding(Options::default(), false).unwrap();
        let options = options(folder.path(), engine);
        let decided = |ties: Ties| {
            let mut ties = ties;
            let outcome = scan_joined(&options, &Silent, None, Some(&mut ties)).unwrap();
            let place = |file: u32| file.into();
            let found = ties.finish().with_similar(&outcome, least, &Silent, place, |all, _| {
                let marked = all.candidates.iter_mut().zip(&stays);
                marked.for_each(|(candidate, stays)| candidate.stays = *stays);
                Ok::<_, Error>(places[..all.candidates.len()].to_vec())
            });
            let (ties, copies) = sorted(found.unwrap());
            let documents = outcome.documents.len();
            (ties.len(), stars(&places[..documents], &ties, &copies, &stays[..documents]))
        };
        let (all, expected) = decided(Ties::new(drops, true, u64::MAX));
        let (fewer, found) = decided(Ties::new(drops, true, u64::MAX).by_keepers());
        prop_assert!(fewer <= all);
        let going = |decisions: &[Decision]| -> Vec<Option<Partner>> {
            let partner = |it: &Decision| match it {
                Decision::Drop(partner) => Some(*partner),
                _ => None,
            };
            decisions.iter().map(partner).collect()
        };
        prop_assert_eq!(going(&found), going(&expected));
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
fn of_records_of_one_form_only_the_first_looks() {
    let folder = tempfile::tempdir().unwrap();
    let form: String = (0..60).map(|word| format!("form{word} ")).collect();
    let texts: Vec<String> = (0..400).map(|own| format!("{form}own{own}")).collect();
    write(folder.path(), &texts);
    let drops = Drops {
        relations: Relations::NONE,
        by_similarity: true,
        least: 8_000,
        over_titles: true,
    };
    let engine = drops.finding(Options::default(), false).unwrap();
    let options = options(folder.path(), engine);
    let found = |memory: u64| {
        let mut ties = Ties::new(drops, true, memory).by_keepers();
        let outcome = scan_joined(&options, &Silent, None, Some(&mut ties)).unwrap();
        let rank = |all: &mut Tied<'_>, _: &[DocId]| {
            let places = (0..).take(all.candidates.len());
            Ok::<Vec<u32>, Error>(places.collect())
        };
        let found = ties.finish();
        found.with_similar(&outcome, 8_000, &Silent, u64::from, rank)
    };
    assert_eq!(found(u64::MAX).unwrap().pairs.len(), 399);
    assert_eq!(found(OF_TIE * 399).unwrap().pairs.len(), 399);
    assert!(matches!(found(OF_TIE * 398), Err(Error::Sink(_))));
}

/// Adds documents that are like no others, so that pairs are pruned: where most documents are in question all are found.
fn among_others(texts: &[String]) -> Vec<String> {
    let other = |at: usize| (0..40).map(|word| format!("other{at}x{word} ")).collect();
    let others = (0..texts.len() * 2).map(other);
    texts.iter().cloned().chain(others).collect()
}

fn write(folder: &Path, texts: &[String]) {
    let lines = texts.iter();
    let lines = lines.map(|text| serde_json::json!({ "text": text }).to_string() + "\n");
    fs::write(folder.join("r.jsonl"), lines.collect::<String>()).unwrap();
}

/// The position of a document among the texts that were written.
fn record(scan: &Scan, id: DocId) -> usize {
    usize::try_from(scan.sources.of(id).record).unwrap() - 1
}

/// The pairs by their texts.
fn by_text(scan: &Scan, texts: &[String], pairs: &[Pair]) -> Vec<impl Ord + Debug + use<>> {
    let facts = |pair: &Pair| {
        let mut two = [pair.a, pair.b].map(|id| texts[record(scan, id)].clone());
        two.sort_unstable();
        (
            two,
            pair.relation(),
            pair.jaccard().map(Resemblance::steps),
            pair.weighted(),
        )
    };
    let mut all: Vec<_> = pairs.iter().map(facts).collect();
    all.sort_unstable();
    all
}

/// The texts that stay.
fn kept(texts: &[String], chosen: ChosenDrops) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), texts);
    let scan = of_files(options(folder.path(), Options::default()), &Silent).unwrap();
    let selection = select(&scan, Vec::new(), chosen, &|_| unreachable!("no fields")).unwrap();
    let mut rows: Vec<_> = selection.kept.iter().map(|&id| record(&scan, id)).collect();
    rows.sort_unstable();
    rows.into_iter().map(|row| texts[row].clone()).collect()
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn pruning_changes_no_relation(texts in texts(), least in 2_001_u16..9_500, by_similarity in any::<bool>()) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &among_others(&texts));
        let drops = Drops { least, by_similarity, ..Drops::RECORDS };
        let mut pruned = Ties::new(drops, true, u64::MAX).pruned();
        let outcome = scan(&options(folder.path(), Options::default()), &Silent, Some(&mut pruned)).unwrap();
        prop_assert!(outcome.documents.len() >= 100);
        let similar = pruned.left.similar;
        prop_assert_eq!(sorted(pruned.finish()), collected(folder.path(), Options::default(), drops));
        let mut all = Each(Ties::new(drops, true, u64::MAX));
        scan(&options(folder.path(), Options::default()), &Silent, Some(&mut all)).unwrap();
        prop_assert!(similar.total() <= all.0.left.similar.total());
    }

    #[test]
    fn what_is_left_is_as_if_the_rest_had_never_been_there(
        texts in texts(),
        gone in prop::collection::vec(any::<bool>(), 130),
    ) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &texts);
        let scan = of_files(options(folder.path(), Options::default()), &Silent).unwrap();
        let ids = (0..scan.documents.len()).map(|at| DocId::new(at).unwrap());
        let are_gone: Vec<bool> = ids.map(|id| gone[record(&scan, id)]).collect();
        let mut left = TopPairs::all();
        prop_assert!(scan.without(&are_gone, &Silent, &mut left).unwrap());
        let left = by_text(&scan, &texts, &left.into_pairs());
        let rest = texts.iter().zip(&gone).filter(|(_, gone)| !**gone);
        let rest: Vec<String> = rest.map(|(text, _)| text.clone()).collect();
        write(folder.path(), &rest);
        let again = of_files(options(folder.path(), Options::default()), &Silent).unwrap();
        prop_assert_eq!(left, by_text(&again, &rest, &again.pairs));
    }

    #[test]
    fn what_stays_stays_when_it_is_looked_at_again(texts in texts(), least in 3_000_u16..9_000) {
        let chosen = ChosenDrops { least: Some(least), ..ChosenDrops::default() };
        let once = kept(&texts, chosen);
        prop_assert_eq!(kept(&once, chosen), once);
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
