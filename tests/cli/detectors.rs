//! Which pairs detectors find: the usual two, and those besides them.

use crate::env::{Args, BREAD, Env, PARK, Report, Says, formats};

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
