//! `dupfind compare`: two documents in every detail.

use serde_json::{Value, json};

use crate::env::{Args, Env, PARK, PARK_EDITED, PARK_ZH, PARK_ZH_EDITED, Run, Says, table, value};
use crate::hostile::assert_harmless;

/// The sum of a number of each part of a list.
fn sum(list: &Value, key: &str) -> u64 {
    let list = list.as_array().unwrap().iter();
    list.map(|part| part[key].as_u64().unwrap()).sum()
}

/// Reads the output of `dupfind compare --format json` and asserts what holds for each of them.
#[track_caller]
fn report_of(text: &str) -> Value {
    let report = value(text);
    assert_eq!(report["schema_version"], 1);
    assert_eq!(report["tool"]["name"], "dupfind");
    let verdict = &report["verdict"];
    let [jaccard, a_in_b, b_in_a] =
        ["jaccard", "a_in_b", "b_in_a"].map(|key| verdict[key].as_f64().unwrap());
    assert!(jaccard <= a_in_b.min(b_in_a) && a_in_b.max(b_in_a) <= 1.0);
    assert!(verdict["hamming"].as_u64().unwrap() <= 64);
    let passages = &report["passages"];
    let shared = &report["shared"];
    let all = passages.as_array().unwrap();
    assert_eq!(shared["passages"], all.len());
    let moved = all.iter().filter(|passage| passage["moved"] == true);
    assert_eq!(shared["moved"], moved.count());
    assert_eq!(shared["units"], sum(passages, "same_units"));
    for (side, units, only) in [("a", "a_units", "only_a"), ("b", "b_units", "only_b")] {
        let count = sum(passages, units) + sum(&report[only], "units");
        assert_eq!(report[side]["units"], count);
    }
    report
}

/// The changes of a report, marked.
fn changes(report: &Value) -> Vec<(&str, &str)> {
    let passages = report["passages"].as_array().unwrap().iter();
    let parts = passages.flat_map(|passage| passage["parts"].as_array().unwrap());
    let changed = parts.filter(|part| part["same"] == false);
    let texts = changed.map(|part| (part["a"].as_str().unwrap(), part["b"].as_str().unwrap()));
    texts.collect()
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
fn report(env: &Env, args: impl Args) -> Value {
    report_of(compare(env, (args, "--format json")).ok())
}

/// That the figures of a pair are those of a scan is in `doors`.
#[test]
fn what_is_said_of_a_document_is_what_is_shown_of_it() {
    let env = Env::parks();
    let known = env.fingerprints("zh/park.md").remove(0);
    let report = report(&env, "zh/park.md bread.md");
    let expected = json!({
        "path": "zh/park.md", "fingerprint": known.fingerprint, "format": known.format, "encoding": known.encoding,
        "bytes": PARK_ZH.len(), "lines": 3, "units": 93,
        "shingles": known.shingles, "tokens": known.tokens, "terms": known.terms,
    });
    assert_eq!(report["a"], expected);
    let expected = json!({"shingle_size": 3, "shingle_unit": "auto", "among_others": false});
    assert_eq!(report["settings"], expected);
    assert_eq!(report["verdict"]["matched_by"], json!([]));
    // By themselves all shingles of two documents weigh the same.
    let verdict = &self::report(&env, "en/park.md en/edited.md")["verdict"];
    assert_eq!(verdict["weighted"], verdict["jaccard"]);
}

#[test]
fn changes_in_a_sentence_are_found_to_the_character_and_to_the_word() {
    let env = Env::parks();
    let found = report(&env, "zh/park.md zh/edited.md");
    assert_eq!(changes(&found), [("三", "四"), ("四", "五")]);
    assert_eq!(
        (&found["only_a"], &found["only_b"]),
        (&json!([]), &json!([]))
    );
    let [passage] = &found["passages"].as_array().unwrap()[..] else {
        panic!("{found}")
    };
    let parts = passage["parts"].as_array().unwrap().iter();
    let text: String = parts.map(|part| part["b"].as_str().unwrap()).collect();
    assert_eq!(text, PARK_ZH_EDITED);
    let found = report(&env, "en/park.md en/edited.md");
    assert_eq!(changes(&found), [("thirty", "forty"), ("four", "five")]);

    let run = compare(&env, "zh/park.md zh/edited.md");
    let text = run.ok();
    text.says("\n  1      河边的老公园[-三-]十年前");
    text.says("\n      1  河边的老公园{+四+}十年前");
    text.says("\nA 1-3 = B 1-3: 91 units, 2 changes\n");
    text.says("\nJaccard similarity   0.8762\n");
    text.says("\nNo other text is only in B\n");
    let coloured = compare(&env, "zh/park.md zh/edited.md --color always").stdout;
    coloured.says("河边的老公园\u{1b}[1m\u{1b}[31m三\u{1b}[0m十年");
    // Beside each other only where there is room.
    for (columns, is_wide) in [(80, true), (40, false)] {
        let run = in_columns(&env, "zh/park.md zh/edited.md", columns);
        assert_eq!(run.ok().contains('│'), is_wide);
    }
    compare(&env, "zh/park.md bread.md")
        .ok()
        .says("\nNo shared passages\n");
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
    let expected = json!([{"a": "MySQL", "b": "PostgreSQL", "places": 3}]);
    assert_eq!(report(&env, pages)["shared"]["swapped"], expected);
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
        let found = report(&env, args);
        assert_eq!(found["verdict"]["relation"], pair.relation);
        assert_eq!(found["settings"]["among_others"], true);
        assert_eq!(found["verdict"]["weighted"].as_f64(), pair.weighted);
        let text = compare(&env, args).stdout;
        text.says(format!("(among the documents of {folder})\n"));
        assert_eq!(report(&env, (args, args))["verdict"]["relation"], "near");
        std::fs::remove_file(env.path(file)).unwrap();
    }
}

#[test]
fn the_files_of_copies_are_compared() {
    let (head, tail) = PARK.split_once('\n').unwrap();
    let linked = format!("<!-- \u{1b}[2J -->\n[{head}](park.html)\n{tail}");
    let env = Env::new()
        .file("a.md", PARK)
        .file("equal.md", PARK)
        .file("same.md", PARK.replace('\n', "\r\n"))
        .file("linked.md", linked)
        .file("edited.md", PARK_EDITED);
    let run = compare(&env, "a.md linked.md");
    let text = run.ok();
    assert_harmless(text);
    text.says("\nexact: the same text but for case, width and white space\nThe texts are the same, and the files are not.\n");
    text.says(format!(
            "\nNo other text is only in A\n\nNo other text is only in B\n\nOnly in the file of A: 1 line\n  1  {head}\n\n\
             Only in the file of B: 2 lines\n  1  <!-- \\u{{1b}}[2J -->\n  2  [{head}](park.html)\n"
        ));
    let expected = json!({
        "same": false,
        "only_a": [
            {"line": 1, "text": "<!-- \u{1b}[2J -->"},
            {"line": 2, "text": format!("[{head}](park.html)")},
        ],
        "only_b": [{"line": 1, "text": head}],
    });
    assert_eq!(report(&env, "linked.md a.md")["files"], expected);
    let equal = compare(&env, "a.md equal.md");
    equal
        .ok()
        .says("\nThe files are the same, byte for byte.\n");
    let same = compare(&env, "a.md same.md");
    let text = same.ok();
    text.says("\nThe files are the same but for their encoding and white space.\n");
    text.omits("Only in the file");
    let expected = json!({"same": true, "only_a": [], "only_b": []});
    assert_eq!(report(&env, "a.md same.md")["files"], expected);
    // Texts that differ are shown, and files are not.
    assert_eq!(report(&env, "a.md edited.md")["files"], Value::Null);
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
    report_of(run.ok());
    assert!(!run.stdout.contains(['\u{1b}', '\u{7}', '\r']));
    run.stdout.says("河边");
    compare(&env, ["gone\u{1b}[2J", "b.md"]).fails("gone\\u{1b}[2J: not found");
}
