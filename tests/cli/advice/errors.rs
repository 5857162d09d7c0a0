//! Commands in errors and in messages of failed runs, and wrong values.

use crate::advice::{advised, follow, refused, texts};
use crate::env::{BREAD, Env, PARK, PARK_EDITED, PARK_ZH, Says, record, records, table};

#[test]
fn records_that_were_to_be_planned_are_removed_as_advised() {
    let bodies = records(&[PARK, PARK, PARK_EDITED]).replace("\"text\"", "\"body\"");
    let env = Env::new()
        .file("r.jsonl", records(&[BREAD, PARK, PARK]))
        .file("bodies.jsonl", bodies)
        .file("my test.jsonl", record(PARK));
    for (scan, kept) in [
        ("dupfind plan r.jsonl", 2),
        ("dupfind plan r.jsonl --against 'my test.jsonl'", 1),
        (
            "dupfind plan bodies.jsonl --text-field body --keep longest",
            1,
        ),
    ] {
        let printed = follow(&env, &format!("{scan} || true"));
        let line = advised(&printed, "those that stay: ").unwrap();
        follow(&env, &line);
        assert_eq!(env.read("kept.jsonl").lines().count(), kept, "{line}");
        assert_eq!(env.read("my test.jsonl"), record(PARK));
        // The next one names another output.
        refused(&env, scan).says("-o kept-2.jsonl");
        std::fs::remove_file(env.path("kept.jsonl")).unwrap();
    }
}

#[test]
fn no_command_is_named_that_fails_or_does_something_else() {
    let two = records(&[PARK, PARK]);
    let wide: Vec<u8> = format!("\u{feff}{two}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let array = format!("[{}]", two.trim_end().replace('\n', ","));
    let table = format!("text\n\"{PARK}\"\n");
    let env = Env::new()
        .file("wide.jsonl", wide)
        .file("array.json", array)
        .file("mixed/a.jsonl", &two)
        .file("mixed/b.csv", table)
        .file("within/v1/p.jsonl", &two)
        .file("within/v2/p.jsonl", &two);
    for plan in [
        "array.json",
        "wide.jsonl",
        "mixed",
        "mixed/a.jsonl --against array.json",
        "mixed/a.jsonl --keep newest",
        "within --within 'within/{*}/'",
    ] {
        let printed = refused(&env, &format!("dupfind plan {plan}"));
        printed.says("all documents are records; dupfind dedup removes records");
    }
    for scan in [
        "within --within 'within/{*}/'",
        "mixed/a.jsonl --against array.json",
    ] {
        follow(&env, &format!("dupfind scan {scan}")).omits("dupfind dedup");
    }
}

#[test]
fn records_are_removed_only_where_they_can_be_copied() {
    let json = serde_json::json!([{"text": PARK}, {"text": PARK}]).to_string();
    let table = format!("text\n\"{PARK}\"\n\"{PARK}\"\n");
    let env = Env::new().file("a.csv", &table).file("a.json", json);
    let next =
        |env: &Env, files: &str| advised(&follow(env, &format!("dupfind scan {files}")), "Next: ");
    let line = next(&env, "a.json").unwrap();
    line.begins("dupfind compare");
    follow(&env, &line);
    follow(&env, &next(&env, "a.csv").unwrap());
    assert_eq!(env.read("kept.csv").trim_end(), format!("text\n\"{PARK}\""));
    assert_eq!(env.read("a.csv"), table);
    // Where they cannot, another step is advised.
    let wide: Vec<u8> = format!("\u{feff}{table}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let (chinese, ..) = encoding_rs::GBK.encode(PARK_ZH);
    let chinese = [b"text\n\"", &*chinese, b"\"\n"].concat();
    let env = env.file("wide.csv", wide).file("chinese.csv", chinese);
    let env = env.file("more.csv", format!("text,more\n\"{PARK}\",1\n"));
    for files in ["wide.csv", "a.csv chinese.csv", "a.csv more.csv"] {
        let line = next(&env, files).unwrap();
        line.begins("dupfind compare");
        follow(&env, &line);
    }
    // The columns of the first one have those of the second.
    follow(&env, &next(&env, "more.csv a.csv").unwrap());
}

#[test]
fn errors_that_name_a_command_name_one_that_works() {
    let env = Env::of("PARK: docs/a.md docs/b.md")
        .file("docs of all/a.md", PARK)
        .file("draft.md", PARK_EDITED)
        .file("r.jsonl", records(&[PARK, BREAD]));
    for [line, mark] in table(
        "dupfind compare docs docs/a.md          | to compare all its documents:
         dupfind compare 'docs of all' docs/a.md | to compare all its documents:
         dupfind compare r.jsonl#9 docs/a.md     | this lists them:",
    ) {
        let printed = refused(&env, line);
        let advice = advised(&printed, &format!("{mark} ")).unwrap_or_else(|| panic!("{printed}"));
        follow(&env, &advice);
    }
}

#[test]
fn wrong_values_of_options_that_decide_are_reported_and_change_nothing() {
    let env = Env::of("PARK: docs/a.md docs/b.md").file("r.jsonl", records(&[PARK, PARK]));
    follow(&env, "dupfind plan docs -o plan.jsonl");
    let before = texts(&env.path("."));
    for [line, message] in table(
        "plan docs --keep linke                      | 'linke' is no rule: expected in:GLOB, linked, newest
         plan docs --keep field:                     | 'field:' is no rule
         plan docs --drop nearly                     | possible values: exact, near
         plan nothing                                | nothing: not found
         scan docs --web-part maybe                  | [possible values: main, all, raw]
         scan docs --within 'docs/{*}{*}'            | has one {*}
         dedup r.jsonl -o k.csv                      | so the output is jsonl too
         dedup r.jsonl --against docs -o k.jsonl     | docs is a folder: name its files
         dedup r.jsonl --min-similarity 2 -o k.jsonl | a number from 0 to 1
         query none docs/a.md                        | none
         query docs docs/a.md --index docs/a.md      | docs/a.md
         reuse docs --top x                          | expected a whole number",
    ) {
        refused(&env, &format!("dupfind {line}")).says(message);
        assert_eq!(before, texts(&env.path(".")), "{line}");
    }
}

#[test]
fn what_names_no_document_and_no_plan_says_how_to_go_on() {
    let env = Env::new()
        .file("my docs/a.md", PARK)
        .file("my docs/b.md", PARK);
    let env = env.file("my docs/r.jsonl", format!("{{\"text\":{PARK:?}}}\n"));
    let printed = refused(&env, "dupfind compare 'my docs/r.jsonl' 'my docs/a.md'");
    let line = advised(&printed, "this lists them: ").unwrap();
    assert_eq!(line, "dupfind show 'my docs/r.jsonl' --as fingerprint");
    follow(&env, &line).says("my docs/r.jsonl#1");
    std::fs::remove_file(env.path("my docs/r.jsonl")).unwrap();
    let printed = refused(&env, "dupfind apply 'my docs/a.md'");
    let line = advised(&printed, "this makes one: ").unwrap();
    follow(&env, &line.replace("FOLDER", "'my docs'"));
    follow(&env, "dupfind apply plan.jsonl");
    let printed = refused(
        &env,
        "dupfind accept 'my docs/a.md' './my docs/a.md' 'my docs' --reason x",
    );
    let line = advised(&printed, "a pair has two documents: ").unwrap();
    let [a, b] = ["'my docs/a.md'", "'my docs/b.md' 'my docs' --reason x"];
    follow(&env, &line.replace('A', a).replace('B', b));
    let printed = refused(&env, "dupfind plan 'my docs' --baseline no.jsonl");
    printed.says("dupfind accept makes the file");
    follow(
        &env,
        "dupfind plan 'my docs' --baseline .dupfind-baseline -o plan.jsonl",
    );
    env.read("plan.jsonl").omits("\"drop\":\"my docs");
}

/// The commands of a sentence: in quotes, or up to the next comma or semicolon.
fn commands(sentence: &str) -> Vec<String> {
    const BEGINNINGS: [&str; 4] = ["dupfind ", "git ls-files ", "TMPDIR=", "watchexec "];
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = BEGINNINGS
        .iter()
        .filter_map(|beginning| Some(at + sentence[at..].find(beginning)?))
        .min()
    {
        let end = match sentence[..start].ends_with('\'') {
            true => sentence[start..].find('\''),
            false => sentence[start..].find([',', ';']),
        };
        let end = end.map_or(sentence.len(), |end| start + end);
        found.push(sentence[start..end].trim().to_owned());
        at = end;
    }
    found
}

#[test]
fn commands_that_guesses_name_work() {
    let env = Env::of(
        "PARK: docs/a.md docs/old/b.md docs/AGENTS.md a.md page.md draft.md; \
         PARK_EDITED: docs/draft.md b.md",
    )
    .file("pages.jsonl", records(&[PARK, PARK]))
    .file("dupfind.toml", "min-jaccard = 0.3\n");
    // What a change adds, and what a plan moved.
    follow(
        &env,
        "git init -q -b main && git add docs && git -c user.name=A -c user.email=a@b commit -qm x \
         && git update-ref refs/remotes/origin/main HEAD && mkdir scratch \
         && dupfind plan docs -o plan.jsonl && dupfind apply plan.jsonl --yes",
    );
    let table = include_str!("../../../src/guesses.txt");
    let sentences = table.lines().filter(|line| !line.starts_with('#'));
    let sentences = sentences.filter_map(|line| line.split_once(" : "));
    let mut count = 0;
    let all = sentences.flat_map(|(_, sentence)| commands(sentence));
    // Only an editor ends its server in order.
    for command in all.filter(|command| command != "dupfind lsp") {
        count += 1;
        // Not every machine has these, nor that folder.
        let line = command
            .replace(" | man -l -", "")
            .replace(" | jq -r .path", "")
            .replace("watchexec -e md ", "")
            .replace("=/scratch", "=scratch");
        // A server ends with its input. A check may find something. What is read must be something.
        let printed = follow(
            &env,
            &format!("({line}) </dev/null || test $? = 1 && echo ran"),
        );
        printed.trim_end().ends("ran");
        printed.omits("dupfind: error: ");
        printed.omits("dupfind: nothing to compare");
        printed.omits("0 documents compared");
    }
    assert!(count > 40, "{count}");
    // Where Python is meant, it has that name.
    let names = include_str!("../../../python/dupfind/spark/__init__.py");
    let (_, named) = table.split_once("from dupfind.spark import ").unwrap();
    names.says(format!("\"{}\"", named.lines().next().unwrap()));
}
