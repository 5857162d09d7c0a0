//! `dupfind compare`: two documents in every detail.

use proptest::prelude::*;
use serde::Deserialize;

use crate::env::{Args, BREAD, Env, PARK, PARK_EDITED, PARK_ZH, PARK_ZH_EDITED, Run, Says, table};
use crate::hostile::{assert_harmless, contents};
use crate::report::Tool;

/// The output of `dupfind compare --format json`: the documented keys, all of them and no others.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Report {
    schema_version: u32,
    tool: Tool,
    settings: Cut,
    verdict: Verdict,
    a: Document,
    b: Document,
    shared: Shared,
    passages: Vec<Passage>,
    only_a: Vec<Only>,
    only_b: Vec<Only>,
    #[serde(deserialize_with = "Option::deserialize")]
    files: Option<Files>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Files {
    same: bool,
    only_a: Vec<FileLine>,
    only_b: Vec<FileLine>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileLine {
    line: usize,
    text: String,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cut {
    shingle_size: usize,
    shingle_unit: String,
    among_others: bool,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Verdict {
    relation: String,
    rule: String,
    #[serde(default)]
    family: bool,
    because: String,
    #[serde(deserialize_with = "Option::deserialize")]
    container: Option<String>,
    jaccard: f64,
    weighted: f64,
    a_in_b: f64,
    b_in_a: f64,
    hamming: u32,
    matched_by: Vec<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    path: String,
    fingerprint: String,
    format: String,
    encoding: String,
    bytes: usize,
    lines: usize,
    units: usize,
    shingles: u32,
    tokens: u32,
    terms: u32,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shared {
    passages: usize,
    moved: usize,
    units: usize,
    share_of_a: f64,
    share_of_b: f64,
    swapped: Vec<Swapped>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Swapped {
    a: String,
    b: String,
    places: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Passage {
    a_lines: (usize, usize),
    b_lines: (usize, usize),
    a_units: usize,
    b_units: usize,
    same_units: usize,
    moved: bool,
    parts: Vec<Part>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    same: bool,
    a: String,
    b: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Only {
    lines: (usize, usize),
    units: usize,
    text: String,
}

impl Report {
    /// Reads a report and asserts what holds for every one of them.
    #[track_caller]
    fn of(text: &str) -> Self {
        let report: Self = serde_json::from_str(text).expect(text);
        assert_eq!(report.schema_version, 1);
        assert_eq!(report.tool.name, "dupfind");
        let Verdict {
            jaccard,
            a_in_b,
            b_in_a,
            hamming,
            ..
        } = report.verdict;
        assert!(jaccard <= a_in_b.min(b_in_a) && a_in_b.max(b_in_a) <= 1.0 && hamming <= 64);
        let passages = &report.passages;
        assert_eq!(report.shared.passages, passages.len());
        let moved = passages.iter().filter(|passage| passage.moved);
        assert_eq!(report.shared.moved, moved.count());
        let same: usize = passages.iter().map(|passage| passage.same_units).sum();
        assert_eq!(report.shared.units, same);
        let count = |passages: usize, only: &[Only]| {
            passages + only.iter().map(|only| only.units).sum::<usize>()
        };
        let in_a = passages.iter().map(|passage| passage.a_units).sum();
        let in_b = passages.iter().map(|passage| passage.b_units).sum();
        assert_eq!(count(in_a, &report.only_a), report.a.units);
        assert_eq!(count(in_b, &report.only_b), report.b.units);
        report
    }

    /// The changes, marked.
    fn changes(&self) -> Vec<(&str, &str)> {
        let parts = self.passages.iter().flat_map(|passage| &passage.parts);
        parts
            .filter(|part| !part.same)
            .map(|part| (part.a.as_str(), part.b.as_str()))
            .collect()
    }
}

fn compare(env: &Env, args: impl Args) -> Run {
    let mut command = env.std_command(("compare", args));
    command.env_remove("COLUMNS").output().unwrap().into()
}

/// As [`compare`], in a pipe of so many columns.
fn in_columns(env: &Env, args: impl Args, columns: usize) -> Run {
    let mut command = env.std_command(("compare", args));
    let command = command.env("COLUMNS", columns.to_string());
    command.output().unwrap().into()
}

#[track_caller]
fn json(env: &Env, args: impl Args) -> Report {
    Report::of(compare(env, (args, "--format json")).ok())
}

#[test]
fn the_measures_are_those_of_a_scan() {
    let env = Env::parks();
    let scan = env.json("--min-jaccard 0.01 --max-hamming 16");
    assert!(scan.pairs.len() > 3);
    for pair in &scan.pairs {
        let report = json(&env, [&pair.a, &pair.b]);
        assert_eq!((&report.a.path, &report.b.path), (&pair.a, &pair.b));
        assert_eq!(Some(report.verdict.jaccard), pair.jaccard);
        assert_eq!(Some(report.verdict.hamming), pair.hamming);
        let containment = report.verdict.a_in_b.max(report.verdict.b_in_a);
        assert_eq!(Some(containment), pair.containment);
        // By themselves all shingles of two documents weigh the same.
        assert!((report.verdict.weighted - report.verdict.jaccard).abs() < 1e-9);
        let among = json(&env, [&pair.a, &pair.b, "."]);
        assert_eq!(Some(among.verdict.weighted), pair.weighted);
        assert_eq!(among.verdict.relation, pair.relation);
        assert_eq!(among.verdict.because, pair.because);
        assert_eq!(among.verdict.container, pair.container);
        assert!(among.settings.among_others && !report.settings.among_others);
        let found = pair.jaccard >= Some(0.2) || pair.hamming <= Some(3);
        assert_eq!(found, !report.verdict.matched_by.is_empty());
    }
    let known = env.fingerprints("zh/park.md").remove(0);
    let Report { a, settings, .. } = json(&env, "zh/park.md bread.md");
    assert_eq!(a.format, known.format);
    assert_eq!(a.fingerprint, known.fingerprint);
    assert_eq!(a.tokens, known.tokens);
    assert_eq!(a.terms, known.terms);
    assert_eq!(a.shingles, known.shingles);
    assert_eq!(a.encoding, known.encoding);
    assert_eq!((a.bytes, a.lines), (PARK_ZH.len(), 3));
    assert_eq!(settings.shingle_size, 3);
    assert_eq!(settings.shingle_unit, "auto");
}

#[test]
fn changes_in_a_sentence_are_found_to_the_character_and_to_the_word() {
    let env = Env::parks();
    let report = json(&env, "zh/park.md zh/edited.md");
    assert_eq!(report.changes(), [("三", "四"), ("四", "五")]);
    assert!(report.only_a.is_empty() && report.only_b.is_empty());
    assert_eq!(report.passages.len(), 1);
    let text = report.passages[0].parts.iter().map(|p| p.b.as_str());
    let text: String = text.collect();
    assert_eq!(text, PARK_ZH_EDITED);
    let report = json(&env, "en/park.md en/edited.md");
    assert_eq!(report.changes(), [("thirty", "forty"), ("four", "five")]);

    let run = compare(&env, "zh/park.md zh/edited.md");
    let text = run.ok();
    text.says("\n  1      河边的老公园[-三-]十年前");
    text.says("\n      1  河边的老公园{+四+}十年前");
    text.says("\nA 1-3 = B 1-3: 91 units, 2 changes\n");
    text.says("\nJaccard similarity   0.8762\n");
    text.says("\nNo text is only in B\n");
}

#[test]
fn a_variant_names_the_words_that_are_swapped() {
    let words = |from: u32| {
        (from..from + 40)
            .map(|at| format!("word{at} "))
            .collect::<String>()
    };
    let page = |subject: &str| {
        let (first, second) = (words(0), words(40));
        format!("# Connect to {subject}\n\n{first}{subject} {second}{subject} end.\n")
    };
    let env = Env::new()
        .file("mysql.md", page("MySQL"))
        .file("postgres.md", page("PostgreSQL"));
    for subject in ["Oracle", "SQLite", "DuckDB", "MariaDB"] {
        env.write(format!("{subject}.md"), page(subject));
    }
    let pages = "mysql.md postgres.md .";
    let said = compare(&env, pages);
    for expected in ["\nvariant: ", "\n'MySQL' became 'PostgreSQL' in 3 places\n"] {
        said.ok().says(expected);
    }
    let report = json(&env, pages);
    let [swapped] = &report.shared.swapped[..] else {
        panic!("{:?}", report.shared)
    };
    assert_eq!(swapped.a, "MySQL");
    assert_eq!(swapped.b, "PostgreSQL");
    assert_eq!(swapped.places, 3);
}

#[test]
fn unreadable_files_among_others_are_reported() {
    let env = Env::parks().file("broken.jsonl", "{\"text\": \"one\"}\n{broken\n");
    let run = compare(&env, "zh/park.md zh/edited.md .");
    run.says("broken.jsonl#2");
    assert_eq!(run.code, Some(0));
    run.stdout.says("\nnear: 9");
}

#[test]
fn the_folder_of_a_configuration_or_the_repository_is_looked_at() {
    // Forty pages of one form: two of them alone look like near-duplicates.
    let page = |n: usize| {
        let words = crate::scale::words(n as u64, 30);
        format!("{PARK}\n{words}\n")
    };
    let env = (0..40).fold(Env::new(), |env, n| {
        env.file(format!("docs/{n:02}.md"), page(n))
    });
    let scan = env.json("docs");
    let mut all = scan.pairs.iter();
    let pair = all.find(|pair| pair.a == "docs/00.md").unwrap();
    assert_eq!(pair.relation, "template");
    let args = [&*pair.a, &*pair.b];
    let alone = compare(&env, args).stdout;
    alone.says("\nnear: ");
    alone.says("judged by themselves; among others this may be a variant or a template");
    // What is rare among others may make a pair of two texts that are not alike by themselves.
    let note = "among others they may be a pair: dupfind compare A B FOLDER tells";
    let page = env.read("docs/00.md");
    let words = |seed| crate::scale::words(seed, 400);
    env.write("docs/long.md", format!("{page}\n{}", words(700)));
    env.write("docs/other.md", words(701));
    for (other, may_be) in [("docs/long.md", true), ("docs/other.md", false)] {
        let text = compare(&env, ["docs/00.md", other]).stdout;
        text.says("no pair for a scan");
        assert_eq!(text.contains(note), may_be, "{text}");
        text.omits("may be a template");
        std::fs::remove_file(env.path(other)).unwrap();
    }
    // Copies are copies wherever they are.
    env.write("docs/copy.md", env.read("docs/00.md"));
    let copies = compare(&env, "docs/00.md docs/copy.md").stdout;
    copies.says("\nexact: ");
    copies.omits("judged by themselves");
    std::fs::remove_file(env.path("docs/copy.md")).unwrap();
    // Images are no text that would have to be read, however many there are.
    for n in 0..5 {
        let image = std::fs::File::create(env.path(format!("docs/{n}.png"))).unwrap();
        image.set_len(15 << 20).unwrap();
    }
    for (file, folder) in [("docs/dupfind.toml", "docs"), (".git/HEAD", ".")] {
        env.write(file, "");
        let found = json(&env, args);
        assert_eq!(found.verdict.relation, pair.relation);
        assert!(found.settings.among_others);
        assert_eq!(Some(found.verdict.weighted), pair.weighted);
        let text = compare(&env, args).stdout;
        text.says(format!("(among the documents of {folder})\n"));
        assert_eq!(json(&env, (args, args)).verdict.relation, "near");
        std::fs::remove_file(env.path(file)).unwrap();
    }
}

#[test]
fn paragraphs_in_another_order_are_shared() {
    let (first, second) = PARK_ZH.split_once("\n\n").unwrap();
    let env = Env::new()
        .file("a.md", PARK_ZH)
        .file("b.md", format!("{second}\n{BREAD}\n{first}\n"));
    let report = json(&env, "a.md b.md");
    let lines = report.passages.iter();
    let lines = lines.map(|passage| (passage.a_lines, passage.b_lines, passage.moved));
    let lines: Vec<_> = lines.collect();
    assert_eq!(lines, [((1, 1), (8, 8), true), ((3, 3), (1, 1), false)]);
    assert!(report.only_a.is_empty());
    assert_eq!(report.only_b.len(), 1);
    assert_eq!(report.only_b[0].lines, (3, 6));
    assert_eq!(report.only_b[0].text.trim(), BREAD.trim());
}

#[test]
fn texts_are_those_of_the_originals() {
    let full = "ＡＢＣ　ｄｅ，第１２章的ﬁrst chapter\r\n\r\nE\u{301}tude co\u{ad}operate，한글과 ｶﾞｷﾞ的㍿都在这里了。\r\n";
    let plain = "abc de, 第12章的first chapter\n\nÉtude cooperate, \u{1112}\u{1161}\u{11ab}글과 ガギ的株式会社都在这里了.\n";
    let env = Env::new().file("full", full).file("plain", plain);
    let report = json(&env, "full plain");
    assert!((report.verdict.jaccard - 1.0).abs() < f64::EPSILON);
    assert_eq!(report.passages.len(), 1);
    let part = &report.passages[0].parts;
    assert_eq!(part.len(), 1);
    assert_eq!((part[0].a.as_str(), part[0].b.as_str()), (full, plain));
    assert_eq!(report.passages[0].a_lines, (1, 3));
}

#[test]
fn a_document_is_one_passage_of_itself() {
    let env = Env::parks().file("one", "字");
    for name in ["zh/park.md", "one"] {
        let report = json(&env, [name, name]);
        assert_eq!(report.passages.len(), 1);
        assert!(report.changes().is_empty());
        assert_eq!(report.verdict.hamming, 0);
    }
    let run = compare(&env, "zh/park.md bread.md");
    run.ok().says("\nNo shared passages\n");
}

#[test]
fn the_files_of_copies_are_compared() {
    let (head, tail) = PARK.split_once('\n').unwrap();
    let linked = format!("<!-- \u{1b}[2J -->\n[{head}](park.html)\n{tail}");
    let env = Env::new()
        .file("a.md", PARK)
        .file("same.md", PARK.replace('\n', "\r\n"))
        .file("linked.md", linked)
        .file("edited.md", PARK_EDITED);
    let run = compare(&env, "a.md linked.md");
    let text = run.ok();
    assert_harmless(text);
    text.says("\nexact: the same text but for case, width and white space\nThe texts are the same, and the files are not.\n");
    text.says(format!(
            "\nNo text is only in A\n\nNo text is only in B\n\nOnly in the file of A: 1 line\n  1  {head}\n\n\
             Only in the file of B: 2 lines\n  1  <!-- \\u{{1b}}[2J -->\n  2  [{head}](park.html)\n"
        ));
    let line = |line, text: &str| FileLine {
        line,
        text: text.into(),
    };
    let expected = Some(Files {
        same: false,
        only_a: vec![
            line(1, "<!-- \u{1b}[2J -->"),
            line(2, &format!("[{head}](park.html)")),
        ],
        only_b: vec![line(1, head)],
    });
    assert_eq!(json(&env, "linked.md a.md").files, expected);
    let same = compare(&env, "a.md same.md");
    let text = same.ok();
    text.says("\nThe files are the same but for their encoding and white space.\n");
    text.omits("Only in the file");
    let files = json(&env, "a.md same.md").files.unwrap();
    assert!(files.same && files.only_a.is_empty() && files.only_b.is_empty());
    // Texts that differ are shown, and files are not.
    assert_eq!(json(&env, "a.md edited.md").files, None);
    compare(&env, "a.md edited.md").ok().omits("file");
}

#[test]
fn many_lines_of_a_file_are_shown_only_if_all_are_requested() {
    let comments: String = (0..60).map(|n| format!("<!-- {n} -->\n")).collect();
    let env = Env::new().file("a.md", PARK).file("b.md", comments + PARK);
    let some = compare(&env, "a.md b.md");
    some.ok()
        .says("<!-- 49 -->\n\n… and 10 more lines (--all shows them)\n");
    let all = compare(&env, "a.md b.md --all");
    assert!(all.ok().contains("<!-- 59 -->") && !all.ok().contains("more lines"));
}

#[test]
fn columns_line_up_for_chinese() {
    let env = Env::parks();
    let args = ["zh/park.md", "zh/edited.md"];
    let run = in_columns(&env, args, 80);
    let rows: Vec<&str> = run.ok().lines().filter(|line| line.contains('│')).collect();
    assert!(rows.len() >= 4, "{}", run.stdout);
    for row in rows {
        let (left, _) = row.split_once('│').unwrap();
        let width = |c: char| if c.is_ascii() { 1 } else { 2 };
        assert_eq!(left.chars().map(width).sum::<usize>(), 39, "{row}");
    }
    // Too narrow for two columns: one below the other, and wrapped.
    let run = in_columns(&env, args, 40);
    assert!(!run.ok().contains('│'));
    let texts = run.stdout.lines();
    let texts = texts.skip_while(|line| !line.starts_with("A 1-3"));
    assert!(texts.count() > 8, "{}", run.stdout);
}

#[test]
fn colours_take_the_place_of_marks() {
    let env = Env::parks();
    let run = compare(&env, "zh/park.md zh/edited.md --color always");
    let text = run.ok();
    text.says("河边的老公园\u{1b}[1m\u{1b}[31m三\u{1b}[0m十年");
    text.omits("[-");
}

#[test]
fn long_passages_are_shortened_unless_all_is_requested() {
    let long = |seed: u32| -> String {
        let words = (0..2000).map(|n: u32| format!("w{} ", n.wrapping_mul(seed) % 7919));
        words.collect()
    };
    let (a, b) = (long(31), long(4721));
    let env = Env::new()
        .file("a", format!("{a}\n{b}"))
        .file("b", format!("{a}\nnew\n{b}"))
        .file("c", &b);
    let run = compare(&env, "a b");
    assert!(run.ok().contains(" units more\n") && run.stdout.len() < 6000);
    let whole = compare(&env, "a b --all");
    assert!(!whole.ok().contains("more") && whole.stdout.len() > 20_000);
    let run = compare(&env, "a c");
    assert!(run.ok().contains("Only in A: ") && run.stdout.contains("units more"));
}

#[test]
fn records_are_named_as_in_the_report_of_a_scan() {
    let line =
        |id: &str, text: &str| serde_json::json!({ "id": id, "body": text }).to_string() + "\n";
    let lines = [
        line("x", PARK),
        line("x", BREAD),
        line("u/1#2", PARK_EDITED),
        "[]\n".into(),
    ];
    let env = Env::new()
        .file("r.jsonl", lines.concat())
        .file("park.md", PARK);
    let fields = "--text-field body --id-field id";
    let names = env.names(("r.jsonl -q", fields));
    assert_eq!(names, ["r.jsonl#u/1#2", "r.jsonl#x", "r.jsonl#x@2"]);
    for (name, text) in names.iter().zip([PARK_EDITED, PARK, BREAD]) {
        let report = json(&env, ([name, "park.md"], fields));
        assert_eq!((&report.a.path, report.a.bytes), (name, text.len()));
    }
    let report = json(&env, "r.jsonl#1 park.md --text-field body");
    assert!((report.verdict.jaccard - 1.0).abs() < f64::EPSILON);
    for (name, part) in [
        (
            "r.jsonl",
            "r.jsonl is a file of records: name one of them, r.jsonl#ID",
        ),
        ("r.jsonl#7", "r.jsonl#7: there is no such record in r.jsonl"),
        ("r.jsonl#4", "r.jsonl#4: malformed: "),
        ("park.md#1", "park.md#1: not found"),
    ] {
        let run = compare(&env, ["park.md", name, "--text-field", "body"]);
        run.fails(&format!("dupfind: error: {part}"));
    }
}

#[test]
fn documents_that_cannot_be_compared_are_errors() {
    let env = Env::parks()
        .file("logo.png", [0, 1, 2])
        .file("empty.md", "…\n")
        .file("large.md", "word ".repeat(300));
    for [name, part] in table(
        r"gone.md  | gone.md: not found\n
          logo.png | logo.png: binary: a NUL byte
          empty.md | empty.md: empty: there is no letter
          large.md | large.md: too large; --max-filesize allows more
          en       | en is a folder; to compare all its documents: dupfind scan en",
    ) {
        for args in [["bread.md", name], [name, "bread.md"]] {
            compare(&env, (args, "--max-filesize 1K")).fails(&format!("dupfind: error: {part}"));
        }
    }
    compare(&env, "bread.md").fails("<B>");
    let env = env.file("damaged.md", [PARK_ZH.as_bytes(), b"\xff"].concat());
    compare(&env, "damaged.md bread.md").warns("damaged.md: not valid UTF-8");
}

#[cfg(unix)]
#[test]
fn a_fifo_is_never_opened() {
    let env = Env::parks().fifo("pipe");
    compare(&env, "pipe bread.md").fails("pipe: not a regular file");
}

#[test]
fn the_result_can_go_to_a_file_but_not_over_a_document() {
    let record = serde_json::json!({ "text": PARK }).to_string();
    let env = Env::parks().file("r.jsonl", &record);
    let args = "en/park.md bread.md -f json";
    let printed = compare(&env, args).ok().to_owned();
    assert_eq!(compare(&env, (args, "-o out")).ok(), "");
    assert_eq!(env.read("out"), printed);
    compare(&env, "bread.md en/park.md -o en/park.md").fails("the report would replace");
    compare(&env, "bread.md r.jsonl#1 -o r.jsonl").fails("the report would replace");
    assert_eq!(env.read("en/park.md"), PARK);
    assert_eq!(env.read("r.jsonl"), record);
}

#[test]
fn nothing_in_a_document_acts_on_the_terminal() {
    let evil = "\u{1b}[2J\u{1b}]0;owned\u{7}词\u{202e}好\u{9b}5n\u{200b}\rx";
    let text = format!("{evil}\n{PARK_ZH}{evil}");
    let env = Env::new()
        .file("a.md", &text)
        .file("b.md", format!("{PARK_ZH_EDITED}\n{evil}{evil}"));
    for (args, columns) in [("", 80), ("--all", 40)] {
        let run = in_columns(&env, ("a.md b.md", args), columns);
        assert_harmless(run.ok());
        run.stdout.says("\\u{1b}");
    }
    let run = compare(&env, "a.md b.md -f json");
    let report = Report::of(run.ok());
    assert!(!run.stdout.contains(['\u{1b}', '\u{7}', '\r']));
    let texts = report.passages.iter().flat_map(|passage| &passage.parts);
    let whole: String = texts.map(|part| part.a.as_str()).collect();
    assert!(
        whole.contains(PARK_ZH.trim()) || whole.contains("河边"),
        "{whole}"
    );
    compare(&env, ["gone\u{1b}[2J", "b.md"]).fails("gone\\u{1b}[2J: not found");
}

#[test]
fn repetitive_documents_take_no_time() {
    let env = Env::new()
        .file("a", "啊".repeat(300_000))
        .file("b", format!("b{}c", "啊".repeat(290_000)))
        .file("ab", "a b ".repeat(200_000))
        .file("ba", "b a ".repeat(200_000));
    let report = json(&env, "a b");
    assert_eq!(report.shared.units, 290_000);
    let report = json(&env, "ab ba");
    assert_eq!((report.shared.units, report.passages.len()), (399_999, 1));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn any_bytes_are_compared_or_refused(
        a in contents(), b in contents(), width in 1_usize..120, unit in prop::sample::select(vec!["auto", "char", "word"]),
    ) {
        let both = [a.clone(), b"\n".to_vec(), b.clone()].concat();
        let env = Env::new().file("a", a).file("b", b).file("both", both);
        for (left, right) in [("a", "b"), ("b", "both")] {
            let run = compare(&env, [left, right, "-f", "json", "--shingle-unit", unit]);
            if run.code == Some(0) {
                Report::of(&run.stdout);
            } else {
                prop_assert_eq!(run.code, Some(2));
                prop_assert!(run.stderr.contains(": binary") || run.stderr.contains(": empty"), "{}", run.stderr);
            }
            let text = in_columns(&env, [left, right, "--shingle-unit", unit], width);
            prop_assert_eq!(text.code, run.code);
            assert_harmless(&text.stdout);
        }
    }
}
