//! `dupfind text`: a document as it is compared, stage by stage.

use encoding_rs::GB18030;

use crate::env::{Env, PARK, Run};

fn text(env: &Env, args: &[&str]) -> Run {
    env.run(&[&["text"], args].concat())
}

#[test]
fn every_stage_is_shown() {
    let (bytes, ..) = GB18030.encode("# 旧城区\r\n图书馆，ＡＢ and\u{7}Tea 旧城区图\r\n");
    let env = Env::new().file("a.md", bytes);
    for (args, expected) in [
        (
            &["--extracted"][..],
            "旧城区\n图书馆，ＡＢ and\u{7}Tea 旧城区图\n",
        ),
        (&[], "旧城区\n图书馆,ab and\u{7}tea 旧城区图\n"),
        (
            &["--units"],
            "旧\n城\n区\n图\n书\n馆\nab\nand\ntea\n旧\n城\n区\n图\n",
        ),
        (
            &["--shingles", "--shingle-size", "7"],
            "旧 城 区 图 书 馆 ab\n城 区 图 书 馆 ab and\n区 图 书 馆 ab and tea\n\
             图 书 馆 ab and tea 旧\n书 馆 ab and tea 旧 城\n馆 ab and tea 旧 城 区\n\
             ab and tea 旧 城 区 图\n",
        ),
    ] {
        let run = text(&env, &[&["a.md"], args].concat());
        assert_eq!(run.ok(), expected, "{args:?}");
    }
    let words = text(&env, &["a.md", "--units", "--shingle-unit", "word"]);
    assert!(words.ok().contains("\n图书馆\n"), "{}", words.stdout);
    let tokens = text(&env, &["a.md", "--tokens"]);
    assert!(
        tokens.ok().contains("\n图书馆\nab\nand\ntea\n"),
        "{}",
        tokens.stdout
    );
}

#[test]
fn shingles_are_as_many_as_a_scan_says() {
    let env = Env::parks();
    for (name, args) in [
        ("en/park.md", &[][..]),
        ("zh/park.md", &[]),
        ("zh/edited.md", &["--shingle-size", "5"]),
    ] {
        let told = &env.fingerprints(&[&[name], args].concat())[0];
        let shingles = text(&env, &[&[name, "--shingles"], args].concat());
        assert_eq!(
            shingles.ok().lines().count(),
            told.shingles as usize,
            "{name}"
        );
        let tokens = text(&env, &[&[name, "--tokens"], args].concat());
        assert_eq!(tokens.ok().lines().count(), told.tokens as usize, "{name}");
    }
}

#[test]
fn a_file_without_a_document_is_an_error() {
    let env = Env::new()
        .file("docs/a.md", PARK)
        .file("b.jsonl", "{\"text\":\"One Two\"}\n")
        .file("c.bin", b"\x7fELF\0\0")
        .file("d.md", "...");
    for (name, part) in [
        ("docs", "docs is a folder"),
        ("b.jsonl", "is a file of records"),
        ("b.jsonl#7", "no such record"),
        ("c.bin", "binary"),
        ("d.md", "empty"),
        ("e.md", "not found"),
    ] {
        text(&env, &[name]).fails(part);
    }
    assert_eq!(text(&env, &["b.jsonl#1"]).ok(), "one two");
    text(&env, &["docs/a.md", "--units", "--tokens"]).fails("cannot be used with");
    text(&env, &["docs/a.md", "-o", "docs/a.md"]).fails("would replace");
}

#[test]
fn it_goes_to_a_file_and_takes_options_from_the_configuration() {
    let env = Env::new()
        .file("a.txt", "圖書館 Open")
        .file("dupfind.toml", "shingle-unit = \"char\"\n");
    assert_eq!(text(&env, &["a.txt", "-o", "out.txt"]).ok(), "");
    assert_eq!(env.read("out.txt"), "图书馆 open");
    let units = |args: &[&str]| text(&env, &[&["a.txt", "--units"], args].concat());
    assert_eq!(units(&[]).ok(), "图\n书\n馆\no\np\ne\nn\n");
    assert_eq!(units(&["--no-config"]).ok(), "图\n书\n馆\nopen\n");
    assert_eq!(text(&env, &["a.txt", "--extracted"]).ok(), "圖書館 Open");
}

#[cfg(unix)]
#[test]
fn nobody_has_to_read_it_to_the_end() {
    use std::process::Stdio;

    let env = Env::new().file("a.txt", PARK.repeat(5_000));
    let mut command = env.std_command(&["text", "a.txt", "--units"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{:?}", output.stderr);
}
