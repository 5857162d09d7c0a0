//! The law of scans with an index: they find the same as a cold scan, after every sequence of changes.

use std::path::Path;
use std::result::Result;
use std::{fs, io};

use proptest::prelude::*;

use super::*;
use crate::{Scan, scan};
use dupfind_engine::join::inverted::distinct::SetKey;
use dupfind_engine::{Containment, Document, FeatureMaker, Pair, PairSink, Silent};

/// A document: the number of its own text, and that of a block that other documents have too.
type Text = (u16, u8);

/// Changes of some documents between two scans; `None` removes one.
type Step = Vec<(usize, Option<Text>)>;

/// Documents at the beginning. Weights make pairs from 100 on.
const DOCUMENTS: u16 = 130;

fn text((own, block): Text) -> String {
    let own = (0..90).map(|at| format!("own{own}x{at}"));
    let block = (0..14).map(|at| format!("block{block}x{at}"));
    own.chain(block).collect::<Vec<_>>().join(" ")
}

/// Collects the pairs as they come.
#[derive(Default)]
struct AllPairs(Vec<Pair>);

impl PairSink for AllPairs {
    fn take(&mut self, _: &[Document], pairs: &[Pair]) -> io::Result<()> {
        self.0.extend_from_slice(pairs);
        Ok(())
    }
}

fn options(folder: &Path, has_containment: bool) -> ScanOptions {
    let mut options = ScanOptions::for_paths([folder.join("docs.jsonl")]);
    options.engine.threads = 1;
    options.engine.containment = has_containment.then(|| Containment {
        least: "0.6".parse().unwrap(),
        min_size: 20,
    });
    options
}

/// Scans with and without the index, and checks that both find the same.
fn check(options: &ScanOptions, index: &IndexOptions) -> Result<(), TestCaseError> {
    let found = |index: Option<&IndexOptions>| -> (Scan, Vec<Pair>) {
        let mut options = options.clone();
        options.index = index.cloned();
        let mut pairs = AllPairs::default();
        let outcome = scan(&options, &Silent, Some(&mut pairs)).unwrap();
        (outcome, pairs.0)
    };
    let ((cold, cold_pairs), (warm, warm_pairs)) = (found(None), found(Some(index)));
    prop_assert_eq!(cold_pairs, warm_pairs);
    prop_assert_eq!(cold.documents, warm.documents);
    prop_assert_eq!(cold.clusters, warm.clusters);
    prop_assert_eq!(cold.pair_counts, warm.pair_counts);
    Ok(())
}

/// Runs the steps.
fn run(steps: &[Step]) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.dupidx");
    let index = IndexOptions::File(path.clone());
    let texts = (0..DOCUMENTS).map(|own| Some((own / 2 * 2, u8::try_from(own % 40).unwrap())));
    let mut texts: Vec<Option<Text>> = texts.collect();
    for (at, step) in [vec![]].iter().chain(steps).enumerate() {
        for &(number, text) in step {
            if number >= texts.len() {
                texts.resize(number + 1, None);
            }
            texts[number] = text;
        }
        let lines = (0..).zip(&texts).filter_map(|(number, text_of)| {
            let text = text((*text_of)?);
            Some(format!("{{\"id\":\"d{number}\",\"text\":{text:?}}}\n"))
        });
        fs::write(folder.path().join("docs.jsonl"), lines.collect::<String>()).unwrap();
        let options = options(folder.path(), at % 8 > 5);
        check(&options, &index)?;
        if at % 5 == 3 {
            let reading = reading(&options.read);
            let (open, warning) = Index::of_files(&path, &options.engine, &reading).unwrap();
            prop_assert_eq!(warning, None);
            check(&options, &IndexOptions::Open(open))?;
        }
    }
    Ok(())
}

fn step() -> impl Strategy<Value = Step> {
    let text = (0_u16..160, 0_u8..40);
    let change = (0_usize..150, prop::option::weighted(0.7, text));
    prop::collection::vec(change, 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn every_sequence_of_changes_gives_the_result_of_a_cold_scan(
        steps in prop::collection::vec(step(), 1..14),
    ) {
        run(&steps)?;
    }
}

#[test]
fn pairs_come_and_go_by_weight_alone() {
    // Four documents have block 7. Of two of them it weighs enough to make a pair, of four it does not.
    let add = |number: usize, own: u16| vec![(number, Some((own, 7)))];
    let steps = [
        vec![(7, None), (47, None), (87, None), (127, None)],
        add(200, 1001),
        add(201, 1003),
        add(202, 1005),
        add(203, 1007),
        vec![(200, None)],
        vec![(201, None)],
        vec![(203, Some((1007, 8)))],
    ];
    run(&steps).unwrap();
}

#[test]
fn a_text_in_which_two_characters_changed_places_is_another_one() {
    let folder = tempfile::tempdir().unwrap();
    let index = IndexOptions::File(folder.path().join("x.dupidx"));
    let of = |first: char, last: char| {
        format!(
            "图书馆明天上午九点开放请读者带好证件在{first}大厅排队入馆谢谢配合每周二闭馆整理图书读者须知以{last}为准"
        )
    };
    let options = options(folder.path(), false);
    let texts = [of('中', '乍'), of('乍', '中')];
    let mut maker = FeatureMaker::new(&options.engine);
    let sets = texts
        .each_ref()
        .map(|text| maker.features(text).unwrap().shingles);
    // The key by which sets are ordered is the same.
    assert_eq!(SetKey::of(&sets[0]), SetKey::of(&sets[1]));
    let write = |first: &str| {
        let others = (0..20).map(|own| text((own, 1)));
        let all = [first.to_owned(), of('中', '乍'), of('大', '小')].into_iter();
        let lines = all.chain(others);
        let lines = lines.map(|text| format!("{{\"text\":{text:?}}}\n"));
        fs::write(folder.path().join("docs.jsonl"), lines.collect::<String>()).unwrap();
    };
    write(&texts[0]);
    check(&options, &index).unwrap();
    write(&texts[1]);
    check(&options, &index).unwrap();
    write(&texts[0]);
    check(&options, &index).unwrap();
}
