//! Laws for every sequence of updates.

use std::collections::BTreeMap;
use std::fs;

use proptest::prelude::*;

use super::*;
use crate::query::Wanted;
use crate::segment::document::{KeptDocument, Origin};
use crate::update::Update;
use dupfind_engine::FeatureMaker;
use dupfind_engine::detect::measures::SignatureMeasures;
use dupfind_engine::join::threshold::Containment;
use dupfind_engine::join::weighted::Weighted;
use dupfind_engine::pairing::finder::DuplicateFinder;
use dupfind_engine::verdict::pair::Pair;
use dupfind_engine::verdict::{Rule, SetMeasures, pair as two_documents};

/// A step of the life of an index.
#[derive(Debug, Clone)]
enum Step {
    /// Adds or replaces documents, by number and text.
    Add(Vec<(u8, usize)>),
    Remove(Vec<u8>),
    Reweigh,
    /// A program is ended before it commits, and leaves a file.
    Crash(Vec<(u8, usize)>),
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    let texts = prop::collection::vec((0_u8..30, any::<prop::sample::Index>()), 1..8);
    let texts = texts.prop_map(|all| {
        let text = |(number, at): (u8, prop::sample::Index)| (number, at.index(TEXTS.len()));
        all.into_iter().map(text).collect::<Vec<_>>()
    });
    prop_oneof![
        6 => texts.clone().prop_map(Step::Add),
        2 => prop::collection::vec(0_u8..30, 1..12).prop_map(Step::Remove),
        1 => Just(Step::Reweigh),
        1 => texts.prop_map(Step::Crash),
        1 => Just(Step::Reopen),
    ]
}

const PARK: &str =
    "the old park by the river opened to the public thirty years ago today and it was repaired";

/// Texts, some of them alike, equal, contained in others, or too short.
static TEXTS: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(|| {
    let mut texts: Vec<String> = ["thirty", "fifty", "sixty"]
        .iter()
        .map(|years| PARK.replace("thirty", years))
        .collect();
    texts.push(PARK.to_uppercase());
    texts.push(format!(
        "{PARK} {PARK} and so on for a while, as long as anybody reads it"
    ));
    texts.push("图书馆明天上午九点开放，请读者带好证件，在一楼大厅排队入馆，谢谢配合".into());
    texts.push("图书馆明天上午十点开放，请读者带好证件，在一楼大厅排队入馆，谢谢配合".into());
    texts.push("two words".into());
    texts.push("...".into());
    for number in 0..20 {
        let words: Vec<String> = (number..number + 40)
            .map(|n| format!("w{}", n * n % 97))
            .collect();
        texts.push(words.join(" "));
    }
    texts
});

fn options() -> Options {
    Options {
        containment: Some(Containment {
            least: "0.7".parse().unwrap(),
            min_size: 5,
        }),
        threads: 1,
        ..Options::default()
    }
}

/// The pairs of all documents, by name, as the index finds them for each of its documents. `weighs` is whether measures
/// that depend on frequencies are kept.
fn by_index(index: &Index, texts: &BTreeMap<String, usize>, weighs: bool) -> Vec<Named> {
    let mut maker = FeatureMaker::new(index.options());
    let mut pairs = Vec::new();
    for (name, &text) in texts {
        let Some(features) = maker.features(&TEXTS[text]) else {
            continue;
        };
        for hit in index.hits(name, &features, Wanted::default()).unwrap() {
            if *name < hit.document.name {
                pairs.push(named(name, &hit.document.name, hit.pair, weighs));
            }
        }
    }
    pairs.sort();
    pairs
}

/// As [`by_index`], by comparing all documents. Which other documents the two are like does not count: an index does
/// not know it.
fn by_all(texts: &BTreeMap<String, usize>, weighs: bool) -> Vec<Named> {
    let mut finder = DuplicateFinder::new(options());
    for (name, &text) in texts {
        finder.add(name, TEXTS[text].clone()).unwrap();
    }
    let found = finder.finish().unwrap();
    let options = options().among(found.documents.len());
    let pairs = found.pairs.iter().map(|pair| {
        let signatures = SignatureMeasures {
            hamming: pair.hamming,
            agreeing: pair.agreeing,
        };
        let ids = [pair.a, pair.b];
        let documents = ids.map(|id| &found.documents[id.index()]);
        let alone = two_documents::pair(&options, ids, documents, (pair.sets, None), signatures);
        named(found.name(pair.a), found.name(pair.b), alone, weighs)
    });
    let mut pairs: Vec<Named> = pairs.collect();
    pairs.sort();
    pairs
}

type Named = (String, String, String);

fn named(a: &str, b: &str, mut pair: Pair, weighs: bool) -> Named {
    (pair.a, pair.b) = (0.into(), 1.into());
    if !weighs {
        pair.sets = pair.sets.map(|sets| SetMeasures {
            weighted: Weighted::default(),
            ..sets
        });
        pair.rule = Rule::NearWeighted;
    }
    (a.into(), b.into(), format!("{pair:?}"))
}

fn run(steps: &[Step]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.dupidx");
    let mut index = Index::create(&path, &options()).unwrap();
    let mut texts: BTreeMap<String, usize> = BTreeMap::new();
    let name = |number: u8| format!("{number:02}");
    for step in steps {
        match step {
            Step::Add(added) => {
                let new = added
                    .iter()
                    .map(|&(number, text)| (name(number), &TEXTS[text]));
                index.update(new.collect::<Vec<_>>()).unwrap();
                texts.extend(added.iter().map(|&(number, text)| (name(number), text)));
            }
            Step::Remove(gone) => {
                let before = texts.len();
                let empty = |text: usize| TEXTS[text] == "...";
                let mut there = 0;
                for number in gone {
                    if let Some(text) = texts.remove(&name(*number)) {
                        there += u64::from(!empty(text));
                    }
                }
                let removed = index
                    .remove(gone.iter().map(|&number| name(number)))
                    .unwrap();
                assert_eq!(removed, there, "{before}");
            }
            Step::Reweigh => {
                let mut update = Update::begin(&path, &options(), "").unwrap();
                update.reweigh();
                index.end(update).unwrap();
            }
            Step::Crash(added) => {
                let mut update = Update::begin(&path, &options(), "").unwrap();
                let mut maker = FeatureMaker::new(&options());
                for &(number, text) in added {
                    if let Some(features) = maker.features(&TEXTS[text]) {
                        let kept = KeptDocument {
                            name: name(number),
                            facts: features.facts,
                            content: 0,
                            origin: Origin::of_text(""),
                        };
                        update.add(0, kept, &features.shingles).unwrap();
                    }
                }
                update.remove_if(|_, _| true).unwrap();
                drop(update);
                fs::write(path.join("part-00000999"), "cut o").unwrap();
                fs::write(path.join(".abcdefghijkl.dupfind.tmp"), "cut").unwrap();
            }
            Step::Reopen => index = Index::open(&path, &options()).unwrap(),
        }
    }
    index.check().unwrap();
    assert!(index.segments().len() <= 9);
    assert_eq!(by_index(&index, &texts, false), by_all(&texts, false));
    // With frequencies of the documents that are there, everything is as in a scan of them.
    let mut update = Update::begin(&path, &options(), "").unwrap();
    update.reweigh();
    index.end(update).unwrap();
    assert!(index.segments().len() <= 1);
    assert_eq!(by_index(&index, &texts, true), by_all(&texts, true));
    let left: Vec<_> = fs::read_dir(&path).unwrap().collect();
    assert!(left.len() <= 4, "{left:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_sequence_of_updates_gives_the_pairs_of_a_cold_scan(
        steps in prop::collection::vec(step(), 1..14),
    ) {
        run(&steps);
    }
}

#[test]
fn many_small_updates_are_merged() {
    let steps = (0..25).map(|n| Step::Add(vec![(n, usize::from(n))]));
    run(&steps.collect::<Vec<_>>());
}

#[test]
fn a_reader_goes_on_with_the_index_that_it_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.dupidx");
    let mut index = Index::create(&path, &options()).unwrap();
    index.update([("a", PARK)]).unwrap();
    let before = Index::open(&path, &options()).unwrap();
    for number in 0..12 {
        let text = PARK.replace("thirty", &number.to_string());
        index.update([(number.to_string(), text)]).unwrap();
    }
    index.remove(["a"]).unwrap();
    assert_eq!(before.query(PARK).unwrap()[0].documents[1].name, "a");
    assert_eq!((before.documents(), index.documents()), (1, 12));
}

#[test]
fn an_index_is_made_with_its_options_and_refuses_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.dupidx");
    Index::create(&path, &options()).unwrap();
    let other = Options {
        shingle_size: 4.try_into().unwrap(),
        ..options()
    };
    let error = Index::open(&path, &other).unwrap_err().to_string();
    assert!(
        error.ends_with("the index was made with shingle_size 3, not 4"),
        "{error}"
    );
    assert!(Index::create(&path, &other).is_err());
    let strange = folder.path().join("strange");
    fs::create_dir(&strange).unwrap();
    fs::write(strange.join("a.md"), "a page").unwrap();
    let error = Index::create(&strange, &options()).unwrap_err().to_string();
    assert!(
        error.contains("it is no index, and it is in the place of one"),
        "{error}"
    );
    assert_eq!(fs::read_dir(&strange).unwrap().count(), 1);
}

#[test]
fn the_top_goes_below_the_thresholds() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = Index::create(folder.path().join("x"), &options()).unwrap();
    let other = "the old park by the river is mentioned once among very many other words of this page, \
                 which has nothing else to do with it and goes on about the weather of the coming week";
    index
        .update([("a", PARK), ("b", other), ("c", "no word of it")])
        .unwrap();
    let features = FeatureMaker::new(&options())
        .features("they say the old park by the river is closed now")
        .unwrap();
    assert!(
        index
            .hits("", &features, Wanted::default())
            .unwrap()
            .is_empty()
    );
    let top = index
        .hits(
            "",
            &features,
            Wanted {
                top: Some(5),
                is_new: false,
            },
        )
        .unwrap();
    let names: Vec<&str> = top.iter().map(|hit| hit.document.name.as_str()).collect();
    assert_eq!(names, ["b", "a"]);
    assert!(!top[0].is_pair && top[0].share > top[1].share && top[1].share > 4_000);
    let one = index
        .hits(
            "",
            &features,
            Wanted {
                top: Some(1),
                is_new: false,
            },
        )
        .unwrap();
    assert_eq!(one.len(), 1);
}

#[test]
fn pairs_that_share_enough_weight_are_found_as_among_all() {
    let words = |start: usize, step: usize| -> String {
        let word = |n| {
            if n % step == 0 {
                format!("x{start}n{n}")
            } else {
                format!("w{n}")
            }
        };
        let words: Vec<String> = (start..start + 120).map(word).collect();
        words.join(" ")
    };
    let options = Options {
        min_weighted: Some(Options::REWRITTEN),
        ..options()
    };
    // Of two rewritten texts every fourth word differs. Below 100 documents that is not enough.
    for (others, expected) in [(96, 0), (97, 0), (98, 1)] {
        let mut texts: BTreeMap<String, String> = (0..others)
            .map(|n| (format!("other {n:03}"), words(10_000 + 200 * n, 1_000)))
            .collect();
        texts.insert("a".into(), words(1, 1_000));
        texts.insert("b".into(), words(1, 4));
        let mut finder = DuplicateFinder::new(options.clone());
        for (name, text) in &texts {
            finder.add(name, text.clone()).unwrap();
        }
        let found = finder.finish().unwrap();
        assert_eq!(found.pairs.len(), expected, "{others}");
        let folder = tempfile::tempdir().unwrap();
        let mut index = Index::create(folder.path().join("x"), &options).unwrap();
        index.update(&texts).unwrap();
        let features = FeatureMaker::new(&options).features(&texts["b"]).unwrap();
        for is_known in [true, false] {
            if !is_known {
                index.remove(["b"]).unwrap();
            }
            let hits = index.hits("b", &features, Wanted::default()).unwrap();
            assert_eq!(hits.len(), expected, "{others} {is_known}");
            for (hit, pair) in hits.iter().zip(&found.pairs) {
                assert_eq!(hit.pair.found_by, pair.found_by);
            }
        }
    }
}
