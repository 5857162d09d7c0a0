//! Which pairs count: versions, two sides.

use crate::env::{Env, PARK, Report, Run, Says, record};

/// The pairs of a report, as `a b`.
#[track_caller]
fn pairs(run: &Run) -> Vec<String> {
    let report = Report::of(run.went_well());
    let names = report.pair_names();
    names.iter().map(|(a, b)| format!("{a} {b}")).collect()
}

fn copies() -> Env {
    Env::of("PARK: docs/a.md docs/b.md docs/legal/c.md; PARK_ZH: docs/zh.md")
}

#[test]
fn options_that_leave_out_pairs_are_named_with_how_many() {
    let env = copies().file("other/d.md", PARK);
    let args = ["scan", "docs", "--within", "docs/{*}"];
    let said = "dupfind: 3 pairs left out by --within 'docs/{*}'\n";
    assert_eq!(env.run(args).stderr, said);
    assert_eq!(env.run("scan docs -q").stderr, "");
    let report = env.json(&args[1..]);
    let left_out = |report: &Report| -> Vec<(String, usize)> {
        let options = report.summary.left_out.iter().cloned();
        options.map(|by| (by.rule, by.count)).collect()
    };
    assert_eq!(left_out(&report), [("--within 'docs/{*}'".into(), 3)]);
    let markdown = env.report("docs -f markdown --within docs/{*}");
    let named = "3 pairs left out by `--within 'docs/{*}'`";
    markdown.ok().says(named);
    // Sides too: a configuration may name one.
    env.write("dupfind.toml", "against = [\"other\"]\n");
    let report = env.json("docs");
    assert_eq!(left_out(&report), [("--against".into(), 3)]);
    env.write("dupfind.toml", "");
    assert_eq!(left_out(&env.json("docs")), []);
}

#[test]
fn two_sides_are_compared_with_each_other_only() {
    let env = Env::of(
        "PARK: drafts/a.md drafts/b.md other/e.md; PARK_EDITED: published/c.md published/d.md; \
         BREAD: other/bread.md",
    );
    let run = env.scan("drafts --against published");
    let expected = "drafts/a.md published/c.md, drafts/a.md published/d.md, drafts/b.md \
                    published/c.md, drafts/b.md published/d.md";
    run.ok();
    assert_eq!(pairs(&run).join(", "), expected);
    let report = env.json("drafts/a.md --against other --against published");
    assert_eq!((report.pairs.len(), report.summary.documents), (3, 5));
    // A document that both sides have belongs to the first.
    let report = env.json("drafts published/c.md --against published");
    assert_eq!(report.pairs.len(), 3);
    env.scan("drafts --against drafts")
        .warns("--against: it has no document");
    env.scan("drafts --against nowhere")
        .complains("nowhere: not found");
    let env = env.folder("empty");
    env.check("empty --against published")
        .fails("nothing to compare");
    let run = env.scan("drafts --against published/c.md -o published/c.md");
    run.fails("the report would replace");
}

#[test]
fn a_twin_on_its_own_side_does_not_hide_a_copy() {
    // Two hundred words. Every so many of them are others.
    let text = |every: &[usize]| {
        let is_other = |at: usize| every.iter().find(|&&step| at % step == step - 1);
        let word = |at: usize| match is_other(at) {
            Some(step) => format!("other{step}in{at}"),
            None => format!("word{at}"),
        };
        (0..200).map(word).collect::<Vec<_>>().join(" ")
    };
    let env = Env::new()
        .file("own/page.md", text(&[]))
        .file("own/twin.md", text(&[100]))
        .file("theirs/page.md", text(&[12]))
        .file("theirs/twin.md", text(&[12, 90]));
    let relation = |args: &str| {
        let report = env.json(args);
        let mut pairs = report.pairs.iter();
        let copy = pairs.find(|pair| pair.a == "own/page.md" && pair.b == "theirs/page.md");
        copy.unwrap().relation.clone()
    };
    assert_eq!(relation("."), "variant");
    assert_eq!(relation("own --against theirs"), "near");
    // What a check advises tells the same.
    let compare = "compare own/page.md theirs/page.md";
    let advised = format!("dupfind {compare} own --against theirs\n");
    env.check("own --against theirs").stdout.says(&advised);
    for (among, expected) in [
        ("own --against theirs", "near"),
        (
            "own/twin.md --against theirs/twin.md theirs/page.md",
            "near",
        ),
        ("own theirs", "variant"),
    ] {
        let compared = env.run(format!("{compare} {among} -f json"));
        let compared: serde_json::Value = serde_json::from_str(compared.ok()).unwrap();
        assert_eq!(compared["verdict"]["relation"], expected, "{among}");
    }
    // Nor does a twin in another part hide one.
    let parts = Env::new()
        .file("own/page.md", text(&[]))
        .file("own/copy.md", text(&[12]))
        .file("theirs/twin.md", text(&[100]))
        .file("theirs/other.md", text(&[12, 90]));
    for (among, expected) in [(".", "variant"), (". --within {*}/", "near")] {
        let args = format!("own/page.md own/copy.md {among} -f json");
        let compared = parts.run(("compare", &args));
        let compared: serde_json::Value = serde_json::from_str(compared.ok()).unwrap();
        assert_eq!(compared["verdict"]["relation"], expected, "{among}");
    }
    env.run(format!("{compare} --against theirs"))
        .fails("required");
    // The options of the gate do not change the relation of a pair.
    let run = env.check(". --fail-on variant -f json");
    run.stdout.says("\"relation\":\"variant\"");
    env.check("own --against theirs --fail-on near")
        .trips("4 duplicate pairs (4 near)");
}

#[test]
fn a_placeholder_divides_the_documents() {
    let env = Env::of("PARK: docs/v1/a.md docs/v1/copy.md docs/v2/a.md docs/index.md docs/home.md");
    let run = env.scan("docs --within docs/{*}/");
    assert_eq!(
        pairs(&run),
        ["docs/home.md docs/index.md", "docs/v1/a.md docs/v1/copy.md"]
    );
    let says =
        "--within 'docs/{*}/': 2 documents do not match; they are compared with each other only";
    run.says(says);
    env.scan("docs --within nowhere/{*}/")
        .warns("--within 'nowhere/{*}/' matches no document");
    env.scan("docs --within docs/v1").fails("expected {*}");
    // In a configuration the pattern is relative to its folder.
    env.write("docs/dupfind.toml", "within = \"{*}/\"");
    let run = env.run_in("docs/v1", "scan --format json ..");
    let expected = ["../home.md ../index.md", "../v1/a.md ../v1/copy.md"];
    assert_eq!(pairs(&run), expected);
}

#[test]
fn files_are_chosen_by_type_and_extension_and_data_is_no_document() {
    let city = format!("[{}0]", r#"{"x":1.5,"y":2.25,"city":"Rome"},"#.repeat(40));
    let env = Env::of("PARK: docs/a.md docs/b.txt docs/c.rst docs/logo.svg docs/Cargo.lock")
        .file("docs/city.json", city);
    assert_eq!(env.names("docs -t md"), ["docs/a.md"]);
    assert_eq!(env.names("docs -t md,txt"), ["docs/a.md", "docs/b.txt"]);
    assert_eq!(env.names("docs -T md -T rst,svg"), ["docs/b.txt"]);
    assert_eq!(env.names("docs -t svg"), ["docs/logo.svg"]);
    assert_eq!(env.names("docs -g *.lock"), ["docs/Cargo.lock"]);
    let expected = ["docs/a.md", "docs/logo.svg"];
    assert_eq!(env.names("docs/logo.svg docs/a.md"), expected);
    let report = env.json("docs");
    assert_eq!(report.summary.documents, 3);
    let expected = [
        ("docs/Cargo.lock", "data"),
        ("docs/city.json", "data"),
        ("docs/logo.svg", "data"),
    ];
    assert_eq!(report.skips(), expected);
    for args in ["docs/city.json", "docs -g *.json", "docs -t json"] {
        assert_eq!(env.names(args), ["docs/city.json"]);
    }
    env.scan("docs -t nothing")
        .fails("--type: unrecognized file type: nothing");
    env.scan("docs -T nothing")
        .fails("-g '*.END' takes files by their ending");
}

/// Returns an article of 160 words of its own, in a copy with other words in place of some.
fn article(number: usize, copy: Option<usize>) -> String {
    let word = |at: usize| match copy {
        Some(copy) if (at + copy).is_multiple_of(6) => format!("other{copy}n{at}"),
        _ => format!("word{number}n{at}"),
    };
    let mut paragraphs: Vec<String> = (0..8)
        .map(|paragraph| {
            let words = (0..20).map(|at| word(paragraph * 20 + at));
            words.collect::<Vec<_>>().join(" ")
        })
        .collect();
    let title = copy.map_or(format!("Article {number}"), |copy| {
        paragraphs.rotate_left(copy % 8);
        format!("Headline of a copy, the {copy}th of another source")
    });
    format!("{title}\n\n{}\n", paragraphs.join("\n\n"))
}

#[test]
fn many_copies_of_one_article_do_not_make_it_common() {
    let env = Env::new();
    let mut records = [String::new(), String::new()];
    for number in 0..3 {
        let own = article(number, None);
        records[0] += &record(&own);
        env.write(format!("published/{number}.md"), own);
        for copy in 1..10 {
            let text = article(number, Some(copy));
            records[1] += &record(&text);
            env.write(format!("found/{number}-{copy}.md"), text);
        }
    }
    env.check("found --against published")
        .trips("27 duplicate pairs (27 near)");
    let report = env.json("found --against published");
    let relations: Vec<&str> = report.pairs.iter().map(|pair| &*pair.relation).collect();
    assert_eq!(relations, ["near"; 27]);
    // A text that is compared alone has the same measures.
    let alone = env.json("found/1-5.md --against published");
    let with_others = report.pairs.iter().find(|pair| pair.a == "found/1-5.md");
    assert_eq!(alone.pairs[0].weighted, with_others.unwrap().weighted);
    // Records too.
    let env = env
        .file("published.jsonl", &records[0])
        .file("found.jsonl", &records[1]);
    let args = "dedup found.jsonl --against published.jsonl";
    let kept = env.run((args, "-o kept.jsonl"));
    kept.says("0 kept, 27 removed");
}
