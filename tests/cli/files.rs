//! `dupfind scan --files`: what would be read.

use encoding_rs::GB18030;
use serde_json::{Value, json};

use crate::env::{Env, PARK, PARK_ZH, lines};

fn folder() -> Env {
    let (gb18030, ..) = GB18030.encode(PARK_ZH);
    Env::new()
        .file("a.md", PARK)
        .file("b/记录.jsonl", "{\"text\":\"one\"}\n{\"text\":\"two\"}\n")
        .file("b/旧.txt", gb18030)
        .file("c.html", format!("<p>{PARK}</p>"))
        .file("image.png", b"\x89PNG\0\0")
        .file("stars.txt", "* * *")
        .file(
            "terms.md",
            format!("---\ndupfind: ignore - terms\n---\n{PARK}"),
        )
}

#[test]
fn files_are_listed_with_format_and_encoding() {
    let env = folder();
    let run = env.run(&["scan", "--files"]);
    let expected = "\
markdown  UTF-8  a.md
text      GBK    b/旧.txt
jsonl     -      b/记录.jsonl
html      UTF-8  c.html
";
    assert_eq!(run.ok(), expected);
    assert_eq!(env.run(&["scan", "--files", "-j", "1"]).ok(), expected);
    assert_eq!(env.run(&["scan", "--files", "-o", "out.txt"]).ok(), "");
    assert_eq!(env.read("out.txt"), expected);
}

#[test]
fn they_are_the_documents_of_a_scan() {
    let env = folder();
    let listed: Vec<Value> = lines(env.run(&["scan", "--files", "--format", "jsonl"]).ok());
    let bytes = std::fs::metadata(env.path("b/记录.jsonl")).unwrap().len();
    let records =
        json!({"path": "b/记录.jsonl", "format": "jsonl", "encoding": null, "bytes": bytes});
    assert_eq!(listed[2], records);
    let names = listed.iter().map(|file| file["path"].as_str().unwrap());
    let names: Vec<&str> = names.filter(|name| !name.ends_with("jsonl")).collect();
    let read = env.fingerprints(&[]);
    let compared: Vec<&str> = read
        .iter()
        .map(|document| document.path.as_str())
        .filter(|name| !name.contains('#'))
        .collect();
    assert_eq!(names, compared);
    for document in &read {
        let file = listed.iter().find(|file| file["path"] == *document.path);
        let Some(file) = file else { continue };
        assert_eq!(file["format"], *document.format);
        assert_eq!(file["encoding"], *document.encoding);
    }
}

#[test]
fn what_would_not_be_read_is_said_as_in_a_scan() {
    let env = folder();
    let run = env.run(&["scan", "--files", "a.md", "image.png", "missing.md"]);
    let list = run.complains("missing.md: not found");
    assert_eq!(list, "markdown  UTF-8  a.md\n");
    assert!(
        run.stderr.contains("image.png: skipped: binary"),
        "{}",
        run.stderr
    );
    let quiet = env.run(&["scan", "--files", "a.md", "image.png", "--quiet"]);
    assert_eq!(quiet.ok(), "markdown  UTF-8  a.md\n");
    let globs = env.run(&["scan", "--files", "--glob", "*.html", "--stats"]);
    assert_eq!(globs.stdout, "html  UTF-8  c.html\n");
    assert!(
        globs.stderr.ends_with("\n1 html; 1 UTF-8\n"),
        "{}",
        globs.stderr
    );
}

#[test]
fn nothing_is_compared_so_nothing_can_fail() {
    let env = folder();
    for (args, part) in [
        (&["--fail-on", "near"][..], "--fail-on <RELATION>"),
        (&["--baseline", "accepted.jsonl"], "--baseline <FILE>"),
        (&["--top", "3"], "--top <N>"),
        (&["--format", "csv"], "csv is for pairs"),
        (
            &["--format", "table", "--format", "jsonl=out"],
            "one --format",
        ),
    ] {
        let run = env.run(&[&["scan", "--files"], args].concat());
        run.fails(part);
    }
    // What stands in the configuration is for scans.
    env.write("dupfind.toml", "fail-on = \"near\"\nformat = [\"csv\"]\n");
    assert!(env.run(&["scan", "--files"]).ok().contains("a.md"));
    env.write("dupfind.toml", "files = true\n");
    env.run(&["scan"]).fails("files");
}

#[test]
fn names_do_not_act_on_a_terminal() {
    let env = Env::new().file("a\u{1b}[31m\u{202e}.md", PARK);
    let list = env.run(&["scan", "--files"]);
    assert_eq!(list.ok(), "markdown  UTF-8  a\\u{1b}[31m\\u{202e}.md\n");
}

#[test]
fn standard_input_is_listed_as_the_file_of_records_it_is() {
    let env = Env::new().file("a.md", PARK);
    let record = json!({ "text": PARK }).to_string() + "\n";
    let run = env.run_with(record.clone(), &["scan", "--files", "-", "a.md"]);
    assert_eq!(run.ok(), "jsonl     -      -\nmarkdown  UTF-8  a.md\n");
    let run = env.run_with(&*record, &["scan", "--files", "-", "--format", "jsonl"]);
    let listed: Vec<Value> = lines(run.ok());
    assert_eq!(
        listed,
        [json!({"path": "-", "format": "jsonl", "encoding": null, "bytes": record.len()})]
    );
}
