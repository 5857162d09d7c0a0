//! Which pairs detectors find: the usual two, and those besides them.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use crate::env::{Args, BREAD, Env, PARK, Report, Says, formats, lines};

/// The sentences of a text in another order.
fn reordered(text: &str) -> String {
    let mut sentences: Vec<&str> = text.split_inclusive(". ").collect();
    sentences.reverse();
    sentences.concat()
}

fn parks() -> Env {
    Env::of("PARK: park.txt copy.txt")
        .file("reordered.txt", reordered(PARK))
        .file("one-word.txt", PARK.replace("runners", "joggers"))
        .file("bread.txt", BREAD)
}

/// The pairs that some detectors find, without the keys that are the same in all.
fn pairs(env: &Env, args: impl Args) -> Vec<(String, String)> {
    let report = env.json((".", args));
    let names = report.pairs.into_iter().map(|pair| (pair.a, pair.b));
    names.collect()
}

fn has(pairs: &[(String, String)], a: &str, b: &str) -> bool {
    let names = (format!("{a}.txt"), format!("{b}.txt"));
    pairs.contains(&names)
}

#[test]
fn every_format_has_what_was_counted() {
    let env = parks();
    let args = "--detectors super-shingle,i-match";
    let run = |format: &str| env.run((["scan", ".", "--format", format], args));
    let table = env.run(("scan . -f table", args));
    table
        .ok()
        .begins("relation  weighted  Jaccard  Hamming  super-shingles  I-Match  document");
    table
        .stdout
        .says("exact            -        -        -               6       11  copy.txt");
    let json = Report::of(run("json").ok());
    let best = &json.pairs[0];
    assert_eq!((best.super_shingles, best.i_match), (Some(6), Some(11)));
    assert_eq!(best.matched_by, ["super-shingle", "i-match"]);
    let mut those = json.pairs.iter();
    let edited = those.find(|pair| pair.relation == "near").unwrap();
    edited.because.says(" equal");
    run("csv").ok().says(",super-shingle+i-match,");
    for format in formats() {
        run(format).ok();
    }
}

/// 110 pages of words of their own; one has a tenth of another one.
fn rewritten() -> Env {
    let word = |page: usize, at: usize| format!("w{page}x{at}");
    let page = |page: usize, own: usize| {
        let words = (0..300).map(|at| word(if at < own { page } else { 0 }, at));
        words.collect::<Vec<_>>().join(" ")
    };
    let env = Env::new().file("rewritten.txt", page(200, 260));
    (0..110).fold(env, |env, at| {
        env.file(format!("page-{at:03}.txt"), page(at, 300))
    })
}

#[test]
fn rewritten_texts_are_found_by_rare_shingles() {
    let env = rewritten();
    let found = |args: &str| has(&pairs(&env, args), "page-000", "rewritten");
    assert!(!found(""));
    assert!(found("--rewritten"));
    assert!(found("--rewritten --min-jaccard 0.9"));
    let report = env.run("scan . --format csv --rewritten");
    report.ok().says(",weighted,");
    let settings = |args: &str| env.json(args).settings.min_weighted;
    assert_eq!((settings(""), settings("--rewritten")), (None, Some(0.05)));
    assert_eq!(settings("--min-weighted 0.06"), Some(0.06));
    assert!(!found("--rewritten --min-weighted 0.9"));
    // The configuration has the same words.
    let env = env.file("dupfind.toml", "rewritten = true\n");
    assert!(has(&pairs(&env, ""), "page-000", "rewritten"));
}

#[test]
fn rewritten_texts_cannot_be_told_among_few_documents() {
    let env = parks();
    let run = env.run("scan . -f json --rewritten");
    let report = Report::of(run.warns("--rewritten has no effect: it needs 100 documents"));
    assert_eq!(report.settings.min_weighted, None);
}

/// A part of each text of the corpus with the rest of the next one, so that pairs are alike to every degree, and its words in
/// another order.
fn texts_of_many_languages() -> Env {
    let mut env = Env::new();
    for folder in ["zh", "en", "other"] {
        let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/corpus");
        let entries = std::fs::read_dir(format!("{corpus}/{folder}")).unwrap();
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let texts = paths.iter();
        let texts = texts.filter_map(|path| std::fs::read_to_string(path).ok());
        let texts: Vec<String> = texts.filter(|text| text.len() > 600).collect();
        for (at, two) in texts.windows(2).enumerate() {
            let [a, b] = [0, 1].map(|side| two[side].chars().collect::<Vec<char>>());
            for tenths in [0, 2, 3, 5, 8] {
                let part = a[..a.len() * tenths / 10].iter();
                let page: String = part.chain(&b[b.len() * tenths / 10..]).collect();
                env = env.file(format!("{folder}/{at}-{tenths}.txt"), page);
            }
            let words: Vec<&str> = two[0].split_whitespace().rev().collect();
            env = env.file(format!("{folder}/{at}-reversed.txt"), words.join(" "));
        }
    }
    env
}

#[test]
fn the_report_has_the_defined_pairs_no_more_and_no_fewer() {
    let env = texts_of_many_languages();
    let shown: Vec<Value> = lines(env.run("show . --as shingles").ok());
    let documents = shown.iter().zip(env.fingerprints("."));
    let documents = documents.map(|(line, known)| {
        assert_eq!(line["path"], known.path);
        let bits = u64::from_str_radix(&known.fingerprint, 16).unwrap();
        let shingles = line["shingles"].as_array().unwrap().iter();
        (
            known.path,
            bits,
            shingles.filter_map(Value::as_str).collect(),
        )
    });
    let documents: Vec<(String, u64, HashSet<&str>)> = documents.collect();
    let (mut defined, mut by_one_alone) = (BTreeSet::new(), [0, 0]);
    for (at, (a, bits, shingles)) in documents.iter().enumerate() {
        for (b, other_bits, others) in &documents[at + 1..] {
            let shared = shingles.intersection(others).count();
            let is_alike = 5 * shared >= shingles.len() + others.len() - shared;
            let is_near = (bits ^ other_bits).count_ones() <= 3;
            if is_alike || is_near {
                by_one_alone[usize::from(is_near)] += usize::from(is_alike != is_near);
                defined.insert([a.clone(), b.clone()]);
            }
        }
    }
    assert!(
        by_one_alone.iter().all(|&count| count > 50),
        "{by_one_alone:?}"
    );
    let reported = |args: &str| -> BTreeSet<[String; 2]> {
        let in_order = |(a, b)| if a < b { [a, b] } else { [b, a] };
        pairs(&env, args).into_iter().map(in_order).collect()
    };
    let found = reported("");
    let odd: Vec<_> = found.symmetric_difference(&defined).take(9).collect();
    assert!(odd.is_empty(), "{odd:?}");
    // With other limits there are others.
    for args in ["--rewritten", "--min-jaccard 0.21", "--max-hamming 2"] {
        assert_ne!(reported(args), defined, "{args}");
    }
}

#[test]
fn scanned_texts_are_found_with_their_wrong_letters() {
    let wrong = |text: &str| {
        let letters = text.chars().enumerate();
        let read = letters.map(|(at, c)| if at % 11 == 5 { 'x' } else { c });
        read.collect::<String>()
    };
    let env = Env::new()
        .file("park.txt", PARK)
        .file("scan.txt", wrong(PARK))
        .file("bread.txt", BREAD);
    assert!(pairs(&env, "").is_empty());
    let expected = [("park.txt".into(), "scan.txt".into())];
    assert_eq!(pairs(&env, "--ocr"), expected);
    env.run("scan . --ocr --shingle-unit char")
        .fails("cannot be used with");
}
