//! The commands that the program prints for people to go on with. Each is run in a shell as it was printed, on a case like
//! its own, and no text is lost.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::env::{BREAD, Env, PARK, PARK_EDITED, PARK_ZH, program};

/// Returns the command behind `mark` in what a command line printed.
fn advised(printed: &str, mark: &str) -> Option<String> {
    let at = printed.rfind(mark)? + mark.len();
    printed[at..].lines().next().map(str::to_owned)
}

/// Runs a command line in a shell and returns what it printed, errors too.
fn follow(env: &Env, line: &str) -> String {
    let folder = env.path(".bin");
    if !folder.exists() {
        std::fs::create_dir(&folder).unwrap();
        std::os::unix::fs::symlink(Path::new(program()), folder.join("dupfind")).unwrap();
    }
    let path = format!("{}:/usr/bin:/bin", folder.display());
    let run = Command::new("sh")
        .args(["-c", &format!("{{ {line}\n}} 2>&1")])
        .env("PATH", path)
        .env("LC_ALL", "C")
        .current_dir(env.root())
        .output()
        .unwrap();
    let printed = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success(), "{line}: {printed}");
    printed
}

/// Follows `Next:` of a scan, and what a plan prints then. A plan that was looked at is carried out. Returns the commands.
fn follow_all(env: &Env, scan: &str) -> Vec<String> {
    let mut followed = Vec::new();
    let mut printed = follow(env, scan);
    let mut mark = "Next: ";
    while let Some(line) = advised(&printed, mark) {
        let before = texts(&env.path("."));
        printed = follow(env, &line);
        assert!(
            before.is_subset(&texts(&env.path("."))),
            "{line}: a text is gone"
        );
        mark = "look at it, then: ";
        followed.push(line);
    }
    if printed.contains("--move DIR or --delete say what is to be done, and --yes does it") {
        follow(
            env,
            &format!("{} --delete --yes", followed[followed.len() - 1]),
        );
    }
    followed
}

/// Returns the texts of all files of a folder, and of all records.
fn texts(folder: &Path) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap() == ".bin" {
            continue;
        }
        if path.is_dir() {
            texts.extend(self::texts(&path));
            continue;
        }
        let content = std::fs::read_to_string(&path).unwrap();
        match path.extension().is_some_and(|end| end == "jsonl") {
            true => texts.extend(content.lines().map(|line| {
                let record: serde_json::Value = serde_json::from_str(line).unwrap();
                record["text"].as_str().unwrap_or_default().to_owned()
            })),
            false => drop(texts.insert(content)),
        }
    }
    texts
}

fn lines(texts: &[&str]) -> String {
    let line = |text: &&str| serde_json::json!({ "text": text }).to_string() + "\n";
    texts.iter().map(line).collect()
}

#[test]
fn a_plan_keeps_every_text() {
    for (case, scan) in [
        "dupfind scan .",
        "dupfind scan 'the docs'",
        "dupfind scan . -g '*.md' --min-jaccard 0.5",
        "dupfind scan . -t md",
        "dupfind scan . -e .txt -e .md --shingle-size 5",
        "dupfind scan 'the docs' --detectors shingle",
        "dupfind scan . --show exact,near",
        "dupfind scan . --exclude none.md --lang en",
    ]
    .into_iter()
    .enumerate()
    {
        let env = Env::new()
            .file("the docs/park.md", PARK)
            .file("the docs/it's a copy.md", PARK)
            .file("the docs/edited.md", PARK_EDITED)
            .file("the docs/bread.md", BREAD)
            .file("the docs/zh/公园.md", PARK_ZH)
            .file("the docs/zh/公园 2.md", PARK_ZH);
        let before = texts(&env.path("."));
        let followed = follow_all(&env, scan);
        assert_eq!(followed.len(), 2, "{case}: {followed:?}");
        assert!(followed[0].starts_with("dupfind plan "), "{followed:?}");
        assert!(followed[1].starts_with("dupfind apply "), "{followed:?}");
        assert!(
            before.is_subset(&texts(&env.path("."))),
            "{scan}: a text is gone"
        );
        assert!(env.path("the docs/edited.md").exists(), "{scan}");
        let copies = ["park.md", "it's a copy.md"].map(|name| env.path("the docs").join(name));
        let left = copies.iter().filter(|path| path.exists()).count();
        assert_eq!(left, 1, "{scan}: one of two copies goes");
    }
}

#[test]
fn a_plan_against_a_collection_leaves_that_as_it_is() {
    let env = Env::new()
        .file("published/park.md", PARK)
        .file("published/again.md", PARK)
        .file("drafts/park.md", PARK)
        .file("drafts/bread.md", BREAD);
    let followed = follow_all(&env, "dupfind scan drafts --against published");
    assert_eq!(
        followed,
        [
            "dupfind plan drafts --against published -o plan.jsonl",
            "dupfind apply plan.jsonl"
        ]
    );
    assert!(env.path("published/park.md").exists() && env.path("published/again.md").exists());
    assert!(!env.path("drafts/park.md").exists() && env.path("drafts/bread.md").exists());
}

#[test]
fn without_copies_two_documents_are_compared() {
    let env = Env::new().file("a park.md", PARK).file("b.md", PARK_EDITED);
    let printed = follow(&env, "dupfind scan .");
    let line = advised(&printed, "Next: ").unwrap();
    assert_eq!(line, "dupfind compare 'a park.md' b.md --among .");
    assert!(
        follow(&env, &line).contains("forty"),
        "what was changed is shown"
    );
}

#[test]
fn a_comparison_says_what_the_scan_says_with_its_options() {
    let mut env = Env::new().file("a.md", PARK).file(".b.md", PARK_EDITED);
    // Among these the text of the park is common.
    for at in 0..9_u8 {
        let own = crate::scale::words(at.into(), 40);
        let letter = char::from(b'c' + at);
        env = env.file(format!("n{letter}.txt"), format!("{PARK}\n{own}\n"));
        env = env.file(format!("zh{letter}.md"), format!("{PARK_ZH}\n{own}\n"));
    }
    let mut said = BTreeSet::new();
    for options in [
        "",
        "-t md",
        "-t md --hidden",
        "-e md",
        "-g '*.md' -g '.*.md'",
        "--exclude '*.txt'",
        "--min-jaccard 0.05 --max-hamming 9",
        "--min-containment 0.5",
        "--shingle-size 2",
        "--shingle-unit char",
        "--ocr",
        "--detectors shingle",
        "--simhash-bits 128",
        "--cluster-on exact",
    ] {
        let scan = format!("dupfind scan . {options}");
        let printed = follow(&env, &scan);
        let line =
            advised(&printed, "See what they share: ").or_else(|| advised(&printed, "Next: "));
        let line = line.unwrap_or_else(|| panic!("{printed}"));
        assert!(line.starts_with("dupfind compare "), "{line}");
        let read = |line: &str| -> serde_json::Value {
            serde_json::from_str(&follow(&env, line)).unwrap()
        };
        let report = read(&format!("{scan} -q -f json"));
        let compared = read(&format!("{line} -f json"));
        let names = ["a", "b"].map(|side| compared[side]["path"].as_str().unwrap());
        let is_it = |pair: &&serde_json::Value| {
            let [a, b] = ["a", "b"].map(|side| pair[side].as_str().unwrap());
            [a, b] == names || [b, a] == names
        };
        let pair = report["pairs"]
            .as_array()
            .unwrap()
            .iter()
            .find(is_it)
            .unwrap();
        let verdict = &compared["verdict"];
        let keys = ["relation", "because", "weighted", "container"];
        for key in keys.iter().filter(|_| !pair["jaccard"].is_null()) {
            assert_eq!(verdict[key], pair[key], "{line}");
        }
        let turned = pair["a"] != names[0];
        let shares = [&pair["a_in_b"], &pair["b_in_a"]];
        assert_eq!(&verdict["a_in_b"], shares[usize::from(turned)], "{line}");
        assert_eq!(&verdict["b_in_a"], shares[usize::from(!turned)], "{line}");
        // The list and the comparison print the same numbers.
        let percent =
            shares.map(|share| format!("{} %", (share.as_f64().unwrap() * 100.0 + 1e-6).floor()));
        let shown = follow(&env, &line);
        let listed = printed.lines().next().unwrap();
        for text in percent {
            assert!(shown.contains(&text), "{text}: {shown}");
            let is_of_two = listed.contains("the other way");
            assert!(!is_of_two || listed.contains(&text), "{text}: {printed}");
        }
        said.insert(verdict["relation"].as_str().unwrap().to_owned());
    }
    assert!(said.len() > 1, "{said:?}");
}

#[test]
fn records_are_written_without_their_copies() {
    let env = Env::new()
        .file("a.jsonl", lines(&[PARK, BREAD, PARK]))
        .file("b.jsonl", lines(&[PARK_EDITED, BREAD]));
    let before = texts(&env.path("."));
    let followed = follow_all(&env, "dupfind scan a.jsonl b.jsonl");
    assert_eq!(
        followed,
        ["dupfind dedup a.jsonl b.jsonl -o kept.jsonl --removed removed.jsonl"]
    );
    assert_eq!(env.read("kept.jsonl"), lines(&[PARK, BREAD]));
    assert_eq!(
        env.read("removed.jsonl"),
        lines(&[PARK, PARK_EDITED, BREAD])
    );
    assert_eq!(before, texts(&env.path(".")));
}

#[test]
fn training_records_lose_those_of_the_test_set() {
    let holds = format!("{BREAD}\n{PARK}");
    let env = Env::new()
        .file(
            "train.jsonl",
            lines(&[PARK, PARK_ZH, BREAD, &holds, PARK_EDITED, BREAD]),
        )
        .file("test.jsonl", lines(&[PARK, PARK]));
    let followed = follow_all(&env, "dupfind scan train.jsonl --against test.jsonl");
    assert_eq!(
        followed,
        ["dupfind dedup train.jsonl --against test.jsonl -o kept.jsonl --removed removed.jsonl"]
    );
    // What is like the test set goes. The two records that are like each other stay.
    assert_eq!(env.read("kept.jsonl"), lines(&[PARK_ZH, BREAD, BREAD]));
    assert_eq!(
        env.read("removed.jsonl"),
        lines(&[PARK, &holds, PARK_EDITED])
    );
    assert_eq!(env.read("test.jsonl"), lines(&[PARK, PARK]));
}

#[test]
fn what_came_through_a_pipe_is_not_named_again() {
    let env = Env::new()
        .file("a.md", PARK)
        .file("piped.jsonl", lines(&[PARK]));
    for scan in [
        "dupfind scan a.md - < piped.jsonl",
        "dupfind scan - --against a.md < piped.jsonl",
    ] {
        let printed = follow(&env, scan);
        assert!(
            printed.contains("2 documents compared: 1 pair"),
            "{printed}"
        );
        assert_eq!(advised(&printed, "Next: "), None, "{printed}");
    }
}

#[test]
fn records_that_were_to_be_planned_are_removed_as_advised() {
    let record = |text: &str| serde_json::json!({ "text": text }).to_string();
    let env = Env::new()
        .file(
            "r.jsonl",
            [record(BREAD), record(PARK), record(PARK)].join("\n"),
        )
        .file("my test.jsonl", record(PARK));
    for (scan, kept) in [
        ("dupfind plan r.jsonl", 2),
        ("dupfind plan r.jsonl --against 'my test.jsonl'", 1),
    ] {
        let printed = follow(&env, &format!("{scan} || true"));
        let line = advised(&printed, "those that stay: ").unwrap();
        follow(&env, &line);
        assert_eq!(env.read("kept.jsonl").lines().count(), kept, "{line}");
        assert_eq!(env.read("my test.jsonl"), record(PARK));
    }
}

/// Runs a command line that ends with a status other than 0, and returns what it printed, errors too.
fn refused(env: &Env, line: &str) -> String {
    follow(env, &format!("! {line}"))
}

#[test]
fn what_a_failed_check_says_accepts_the_pair_or_the_family() {
    let notes = |name: &str| format!("# {name}\n\n{}", PARK.replace("thirty", name));
    let env = Env::new()
        .file("the docs/notes/release-1.0.md", notes("Apple"))
        .file("the docs/notes/release-1.1.md", notes("Birch"))
        .file("the docs/notes/release-1.2.md", notes("Cedar"))
        .file("the docs/bread.md", BREAD)
        .file("the docs/bread 2.md", format!("{BREAD} More.\n"));
    let check = "dupfind scan 'the docs' --fail-on contains --max-hamming 2 -f github";
    let mut followed = BTreeSet::new();
    // Each time one line of what is left is followed.
    for _ in 0..4 {
        let printed = follow(&env, &format!("{check} || true")).replace("%0A", "\n");
        let line = advised(&printed, "A family? ").or_else(|| advised(&printed, "Wanted? "));
        let Some(line) = line else { break };
        followed.insert(line.split(' ').nth(2).unwrap().to_owned());
        follow(&env, &line.replace("\"...\"", "'one for each'"));
    }
    follow(&env, check);
    assert!(
        followed.contains("--family") && followed.len() == 2,
        "{followed:?}"
    );
}

#[test]
fn the_message_of_a_failed_run_has_the_command_for_two_documents() {
    let env = Env::new()
        .file("docs/a.md", PARK)
        .file("docs/b.md", PARK_EDITED);
    let check = "dupfind scan docs --fail-on contains";
    let printed = refused(&env, check);
    let line = advised(&printed, "wanted? ").unwrap();
    let line = line.replacen(" A B ", " docs/a.md docs/b.md ", 1);
    follow(&env, &line.replace("\"...\"", "'two products'"));
    follow(&env, check);
}

#[test]
fn options_that_the_summary_names_do_what_it_says() {
    let env = Env::new()
        .file("docs/v1/park.md", PARK)
        .file("docs/v2/park.md", PARK_EDITED)
        .file("docs/v2/again.md", PARK_EDITED)
        .file("docs/v2/a.js", BREAD)
        .file("docs/v2/b.js", BREAD);
    let printed = follow(&env, "dupfind scan docs");
    assert!(printed.contains("3 pairs (1 exact, 2 near)"), "{printed}");
    assert!(
        printed.contains("1 more pair of code and data files"),
        "{printed}"
    );
    let skipped = follow(&env, "dupfind scan docs --code-files skip");
    assert!(!skipped.contains("code and data"), "{skipped}");
    let counted = follow(&env, "dupfind scan docs --code-files count");
    assert!(counted.contains("4 pairs (2 exact, 2 near)"), "{counted}");
    let option = advised(&printed, "): ").unwrap();
    let option = option.split(" compares").next().unwrap();
    assert_eq!(option, "--within 'docs/{*}/'");
    let within = follow(&env, &format!("dupfind scan docs {option}"));
    assert!(within.contains("1 pair (1 exact)"), "{within}");
    follow(&env, "dupfind scan docs --init");
    let again = follow(&env, "dupfind scan");
    assert!(again.contains("1 pair (1 exact)"), "{again}");
}

#[test]
fn undo_is_printed_and_restores_files_and_links() {
    let env = Env::new()
        .file("docs/a.md", PARK)
        .file("docs/b.md", PARK)
        .file(
            "docs/links.md",
            format!("{BREAD}\n[the park](b.md), [again](./a.md#top)\n"),
        );
    let before = |name: &str| env.read(name);
    let (a, links) = (before("docs/a.md"), before("docs/links.md"));
    follow(&env, "dupfind plan docs -o plan.jsonl");
    let printed = follow(
        &env,
        "dupfind apply plan.jsonl --delete --rewrite-links --yes",
    );
    let gone = ["a.md", "b.md"].map(|name| !env.path("docs").join(name).exists());
    assert_eq!(gone.iter().filter(|&&gone| gone).count(), 1, "{printed}");
    assert_ne!(env.read("docs/links.md"), links);
    let at = printed.find("dupfind apply --undo ").unwrap();
    let line = printed[at..].split(" takes it back").next().unwrap();
    follow(&env, &format!("{line} --yes"));
    assert_eq!(
        (env.read("docs/a.md"), env.read("docs/b.md")),
        (a.clone(), a)
    );
    assert_eq!(env.read("docs/links.md"), links);
}

#[test]
fn errors_that_name_a_command_name_one_that_works() {
    let env = Env::new()
        .file("docs/a.md", PARK)
        .file("docs/b.md", PARK)
        .file("draft.md", PARK_EDITED)
        .file("r.jsonl", lines(&[PARK, BREAD]));
    for (line, mark) in [
        ("dupfind docs", "to compare its documents: "),
        (
            "dupfind compare docs docs/a.md",
            "to compare all its documents: ",
        ),
        (
            "dupfind compare r.jsonl#9 docs/a.md",
            "no such record in r.jsonl (",
        ),
    ] {
        let printed = refused(&env, line);
        let advice = advised(&printed, mark).unwrap_or_else(|| panic!("{printed}"));
        follow(&env, advice.split(" lists").next().unwrap());
    }
    follow(&env, "dupfind index docs -o site.dupidx");
    let printed = refused(&env, "dupfind scan draft.md --against site.dupidx");
    let advice = advised(&printed, "it is an index; '").unwrap();
    let advice = advice
        .split('\'')
        .next()
        .unwrap()
        .replace("DRAFT", "draft.md");
    assert!(follow(&env, &advice).contains("docs/a.md"), "{advice}");
}
