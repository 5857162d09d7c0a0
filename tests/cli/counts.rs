//! Counts and clusters that are found without a look at every pair are those of the pairs.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::env::{Env, PARK, PARK_EDITED, PARK_ZH, PARK_ZH_EDITED, Report, Says, value};

/// Copies, texts with equal shingles or equal words but different letters, and stubs, several of each.
fn folder() -> Env {
    let words = "one two three four five six seven eight nine ten eleven twelve";
    let turned: Vec<&str> = words.split(' ').rev().collect();
    let mut texts = vec![
        PARK.to_owned(),
        PARK.replace('.', " -"),
        PARK_EDITED.to_owned(),
        format!("{PARK}\n{PARK_ZH}"),
        PARK_ZH.to_owned(),
        PARK_ZH_EDITED.to_owned(),
        words.to_owned(),
        words.replace(' ', ", "),
        turned.join(" "),
        "# Crane\n\nTODO: write this page".to_owned(),
        "# Winch\n\nTODO: write this page".to_owned(),
    ];
    let short = "你好|你好！|hello|Hello?|la la la la|la, la, la, la, la|la la la la oh|tick tock tick tock|tock tick tock tick\
                 |5 1.5 7|-5 1.5 7|书店周末照常营业|书店周日照常营业。";
    texts.extend(short.split('|').map(str::to_owned));
    let env = texts
        .iter()
        .enumerate()
        .fold(Env::new(), |env, (at, text)| {
            // One, two or three of each.
            let copies = (0..=at % 3).map(|copy| format!("{at:02}/{copy}"));
            copies.fold(env, |env, name| env.file(name, text))
        });
    // Pages of a template.
    let page = |at: u32| {
        format!("Ticket {at} was closed because the customer did not answer our mail in time.")
    };
    let env = (0..40).fold(env, |env, at| env.file(format!("ticket {at}"), page(at)));
    env.file("blank", "...").file("binary", b"\0")
}

#[test]
fn counting_equals_listing() {
    let env = folder();
    let mut relations = BTreeSet::new();
    for options in [
        "",
        "--min-jaccard 1 --max-hamming 0",
        "--min-jaccard 0.01 --min-containment 0.5",
        "--shingle-unit char",
        "--detectors simhash",
        "--detectors simhash --max-hamming 16",
        "--detectors simhash --max-hamming 0",
        "--detectors shingle",
        "--detectors shingle --min-jaccard 1 --shingle-size 1",
    ] {
        let text = env.scan(options).ok().to_owned();
        let report = Report::of(&text);

        let mut listed = value(&text);
        listed["pairs"] = Value::Array(Vec::new());
        // They come with the pairs.
        listed["documents"] = Value::Array(Vec::new());
        let counted = env.scan((options, "--no-pairs"));
        assert_eq!(value(counted.ok()), listed, "{options}");
        relations.extend(report.pairs.into_iter().map(|pair| pair.relation));
    }
    assert_eq!(relations.len(), 6, "{relations:?}");
    env.run("scan --no-pairs").ok().begins("Cluster 1: ");
    let lines = env.run("scan --no-pairs -f jsonl");
    lines.ok().omits(r#""type":"pair""#);
}
