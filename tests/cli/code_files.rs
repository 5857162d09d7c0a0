//! Files of code and data beside documents.

use crate::env::{BREAD, Env, PARK, PARK_EDITED, PARK_ZH, Says, formats_for_ci, records};

/// A folder with a copy among its pages, code that is alike, and a page with the text of a program.
fn site() -> Env {
    let program = crate::scale::words(7, 80);
    Env::of("PARK: docs/park.md docs/again.md")
        .file("docs/examples/one.js", &program)
        .file("docs/examples/two.js", &program)
        .file("docs/examples/deep/three.vue", &program)
        .file(
            "docs/listing.md",
            format!("# A program\n\n{BREAD}\n{program}\n"),
        )
        .file("docs/conf/a.yml", PARK_ZH)
        .file("docs/conf/b.yml", PARK_ZH)
}

#[test]
fn pairs_of_code_come_behind_the_documents_and_are_counted_apart() {
    let run = site().run("scan docs");
    let expected = "\
1.  2 copies of one text
    docs/again.md
    docs/park.md

code and data: 4 files that are alike, in docs
code and data: 3 files that are alike, in docs/examples
code and data: 2 files that are alike, in docs/conf

8 documents compared: 1 pair (1 exact), 2 documents in 1 cluster
7 more pairs of code and data files, set apart: -T code leaves them out, -t code compares only them
1 page may go: another page has the same text, and nothing leads to it
Next: dupfind plan docs -o plan.jsonl
";
    assert_eq!(run.ok(), expected);
    let listed = site().run("scan docs -f table");
    listed.ok().lines().nth(1).unwrap().says("docs/again.md");
    listed.stdout.omits("docs/examples");
}

#[test]
fn json_has_all_pairs_and_says_which_are_set_apart() {
    let env = site();
    let json = |args: &str| env.json(("docs", args));
    let report = json("");
    let apart = report.pairs.iter();
    let apart = apart.filter(|pair| pair.apart.as_deref() == Some("code"));
    assert_eq!((report.pairs.len(), apart.count()), (8, 7));
    assert_eq!(report.summary.apart, Some(7));
    assert_eq!(report.summary.documents_in_clusters, 2);
    for args in ["-t code,md", "-t js -t md,vue,yaml", "-g docs/**"] {
        let report = json(args);
        assert_eq!(report.pairs.len(), 8, "{args:?}");
        assert_eq!(report.summary.apart, None, "{args:?}");
        assert_eq!(report.pairs[0].apart, None);
    }
    for (args, documents) in [
        ("-T code", 3),
        ("-T js,vue", 5),
        ("-t code", 5),
        ("-t code -T yaml", 3),
    ] {
        assert_eq!(json(args).summary.documents, documents, "{args:?}");
    }
    assert_eq!(json("-T js").summary.apart, Some(1));
}

#[test]
fn code_fails_no_run_unless_it_is_asked_for() {
    let env = site();
    std::fs::remove_file(env.path("docs/again.md")).unwrap();
    let gate = |args: &str| env.check(("docs --fail-on any", args));
    gate("").ok();
    gate("-t code,md").trips("7 duplicate pairs (4 exact, 3 contains)");
    gate("-t js").trips("3 duplicate pairs (3 exact)");
    gate("docs/conf/a.yml docs/conf/b.yml").trips("1 duplicate pair (1 exact)");
    for format in formats_for_ci() {
        let run = env.check(["docs", "--fail-on", "any", "-f", format]);
        run.ok().omits("one.js");
    }
    // A baseline does not hold them, and needs no update because of them.
    env.run("accept --all docs");
    assert_eq!(env.read(".dupfind-baseline").lines().count(), 1);
    env.check("docs").ok();
    env.run("accept docs/conf/a.yml docs/conf/b.yml docs --reason x")
        .fails("set apart");
}

#[test]
fn code_is_in_no_plan_even_if_it_is_asked_for() {
    let env = site();
    let drops = |args: &str| {
        let run = env.run(("plan docs -q", args));
        run.ok().matches("\"type\":\"drop\"").count()
    };
    assert_eq!(drops(""), 1);
    assert_eq!(drops("-t code,md"), 1);
    assert_eq!(drops("-t yaml"), 0);
    env.run("plan -q docs/conf/a.yml docs/conf/b.yml")
        .ok()
        .says("it stays, as a program may read it");
    env.run("scan docs -t code").ok().omits("may go");
}

#[test]
fn data_tells_no_versions_of_pages() {
    let env = site()
        .file("docs/conf/v1/a.yml", "a: tea\n")
        .file("docs/conf/v2/a.yml", "a: tea\n")
        .file("docs/data/v1/a.json", "{\n  \"a\": \"tea\"\n}\n")
        .file("docs/data/v2/a.json", "{\n  \"a\": \"tea\"\n}\n");
    env.run("scan docs").ok().omits("versions");
    env.run("scan docs -t yaml,md")
        .ok()
        .says("2 versions (v1, v2)");
}

#[test]
fn drawings_of_graphviz_are_data() {
    let env = Env::of("PARK: docs/park.md").file("docs/a.dot", "digraph { tea -> pot }\n");
    let run = env.run("scan docs");
    assert_eq!((run.ok().contains("2 documents"), &*run.stderr), (true, ""));
}

#[test]
fn records_are_documents_and_tables_without_records_are_data() {
    let env = Env::new()
        .file("data/a.jsonl", records(&[PARK, PARK]))
        .file("data/x.csv", format!("name\n\"{PARK_EDITED}\"\n"))
        .file("data/y.csv", format!("name\n\"{PARK_EDITED}\"\n"));
    let report = env.json("data");
    let mut pairs = report.pairs.iter();
    let of_records = pairs.find(|pair| pair.a.contains('#') && pair.b.contains('#'));
    assert_eq!(of_records.unwrap().apart, None);
    // They are not of the type, which leaves out a table in JSON.
    let env = env.file("data/z.json", "{}");
    let summary = env.json("data -T code").summary;
    assert_eq!((summary.documents, summary.skipped), (4, 0));
}
