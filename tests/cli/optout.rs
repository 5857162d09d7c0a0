//! Documents that ask not to be compared.

use crate::env::{BREAD, Env, PARK, PARK_EDITED, Report, Says, records};

fn with_front_matter(block: &str, text: &str) -> String {
    format!("---\ntitle: A page\n{block}\n---\n\n{text}")
}

#[test]
fn a_document_opts_out_with_a_reason() {
    let b_md = with_front_matter("dupfind: ignore - the legal text", PARK);
    let d_md = format!("+++\ndupfind = \"ignore: 法律文本\"\n+++\n{PARK}");
    let env = Env::new()
        .file("a.md", PARK)
        .file("b.md", b_md)
        .file("c.md", with_front_matter("dupfind: ignore", PARK))
        .file("d.md", d_md)
        .file("e.md", PARK_EDITED)
        .file(
            "f.md",
            format!("{PARK}<!-- dupfind: ignore - as in a.md -->\n"),
        );
    let report = env.json("");
    assert_eq!(report.pair_names(), [("a.md", "e.md")]);
    let skipped = report.skipped.iter();
    let skipped = skipped.map(|s| (s.path.as_str(), s.reason.as_str(), s.detail.as_str()));
    let skipped: Vec<_> = skipped.collect();
    let skip = |path, detail| (path, "opted out", detail);
    let expected = [
        skip("b.md", "the legal text"),
        skip("c.md", ""),
        skip("d.md", "法律文本"),
        skip("f.md", "as in a.md"),
    ];
    assert_eq!(skipped, expected);
    // A file that is named is left out all the same, with a message.
    let run = env.scan("a.md b.md e.md");
    let report = Report::of(run.warns("b.md: opted out: the legal text"));
    assert_eq!(report.summary.documents, 2);
    // To compare the two was asked for by name.
    env.run("compare a.md b.md").ok().says("exact");
    assert_eq!(env.names("."), ["a.md", "e.md"]);
}

#[test]
fn a_mark_that_is_shown_as_code_is_no_mark() {
    for (end, shown) in [
        ("md", "`<!-- dupfind: off -->`"),
        ("md", "```\n<!-- dupfind: off -->\n```"),
        ("md", "    <!-- dupfind: off -->"),
        ("mdx", "```\n{/* dupfind: off */}\n```"),
        ("adoc", "`<!-- dupfind: off -->`"),
        ("rst", "``<!-- dupfind: off -->``"),
        ("html", ""),
        ("txt", ""),
    ] {
        let names = ["a", "b"].map(|name| format!("{name}.{end}"));
        let env = Env::new();
        for name in &names {
            env.write(name, format!("Write this:\n\n{shown}\n\n{PARK}\n"));
        }
        let text = env.run(["show", "--as", "normalized", &names[0]]);
        text.ok().says("northern path");
        // A mark behind it is one.
        let page = format!("{shown}\n\nOne, two.\n");
        let (off, on) = match end {
            "adoc" => ("// dupfind: off", "// dupfind: on"),
            "mdx" => ("{/* dupfind: off */}", "{/* dupfind: on */}"),
            "rst" => (".. dupfind: off", ".. dupfind: on"),
            _ => ("<!-- dupfind: off -->", "<!-- dupfind: on -->"),
        };
        env.write(&names[0], format!("{page}\n{off}\n\n{PARK}\n\n{on}\n"));
        let text = env.run(["show", "--as", "normalized", &names[0]]);
        text.ok().says("one, two");
        text.ok().omits("northern");
    }
}

#[test]
fn a_record_opts_out_too() {
    let left_out = with_front_matter("dupfind: ignore", PARK);
    let env = Env::new().file("r.jsonl", records(&[PARK, &left_out, PARK]));
    let report = env.json("");
    assert_eq!(report.pair_names(), [("r.jsonl#1", "r.jsonl#3")]);
    assert_eq!(report.skips(), [("r.jsonl#2", "opted out")]);
}

/// Of two records, each text counts as a whole: a mark would hide what is behind it.
#[test]
fn a_record_has_no_marks() {
    let text = |text| format!("Write <!-- dupfind: off --> before a block.\n{text}");
    let env = Env::new().file("r.jsonl", records(&[PARK, BREAD].map(text)));
    env.run("dedup r.jsonl -q -o kept.jsonl").ok();
    assert_eq!(env.read("kept.jsonl"), env.read("r.jsonl"));
}
