//! `dupfind show`: documents as they are read and compared.

use encoding_rs::GB18030;
use serde_json::{Value, json};

use crate::env::{Args, Env, PARK, Run, Says, lines};

fn show(env: &Env, args: impl Args) -> Run {
    env.run(("show", args))
}

#[test]
fn every_stage_is_shown() {
    let (bytes, ..) = GB18030.encode("# 旧城区\r\n图书馆，ＡＢ and\u{7}Tea 旧城区图\r\n");
    let env = Env::new().file("a.md", bytes);
    let text = "旧城区\n图书馆，ＡＢ and\u{7}Tea 旧城区图\n";
    for (args, expected) in [
        ("", text),
        ("--as text", text),
        ("--as normalized", "旧城区图书馆,ab and\u{7}tea 旧城区图\n"),
        (
            "--as units",
            "旧\n城\n区\n图\n书\n馆\nab\nand\ntea\n旧\n城\n区\n图\n",
        ),
        (
            "--as shingles --shingle-size 7",
            "旧 城 区 图 书 馆 ab\n城 区 图 书 馆 ab and\n区 图 书 馆 ab and tea\n\
             图 书 馆 ab and tea 旧\n书 馆 ab and tea 旧 城\n馆 ab and tea 旧 城 区\n\
             ab and tea 旧 城 区 图\n",
        ),
    ] {
        assert_eq!(show(&env, ("a.md", args)).ok(), expected, "{args:?}");
    }
    let words = show(&env, "a.md --as units --shingle-unit word");
    words.ok().says("\n图书馆\n");
    let tokens = show(&env, "a.md --as tokens");
    tokens.ok().says("\n图书馆\nab\nand\ntea\n");
}

#[test]
fn folders_and_files_of_records_are_shown_a_document_a_line() {
    let c_jsonl = "{\"id\":\"x\",\"text\":\"One Two\"}\n{\"id\":\"y\",\"text\":\"Three\"}\n";
    let env = Env::new()
        .file("docs/a.md", "# One\n\nTwo three.\n")
        .file("docs/sub/b.txt", "四五")
        .file("c.jsonl", c_jsonl);
    let all = lines::<Value>(show(&env, "docs").ok());
    let expected = [
        json!({"path": "docs/a.md", "text": "One\n\nTwo three.\n"}),
        json!({"path": "docs/sub/b.txt", "text": "四五"}),
    ];
    assert_eq!(all, expected);
    let all = lines::<Value>(show(&env, "c.jsonl --id-field id --as units").ok());
    let expected = [
        json!({"path": "c.jsonl#x", "units": ["one", "two"]}),
        json!({"path": "c.jsonl#y", "units": ["three"]}),
    ];
    assert_eq!(all, expected);
    let all = lines::<Value>(show(&env, "docs/a.md docs/sub/b.txt --as shingles").ok());
    assert_eq!(all[0]["shingles"], json!(["one two three"]));
    let piped = env.run_with("{\"text\":\"One Two\"}\n", "show - --as normalized");
    let expected = [json!({"path": "-#1", "normalized": "one two"})];
    assert_eq!(lines::<Value>(piped.ok()), expected);
}

#[test]
fn signatures_are_a_line_of_json() {
    let env = Env::new()
        .file("docs/a.txt", "雾岭春茶上市")
        .file("docs/b.txt", "雾岭春茶迟上市")
        .file("c.jsonl", "{\"text\":\"雾岭春茶上市\"}\n");
    let of = |args: &str| lines::<Value>(show(&env, ("--as signatures", args)).ok());
    let [a, b]: [Value; 2] = of("docs").try_into().unwrap();
    assert_eq!(of("docs/a.txt")[0], a);
    assert_eq!(of("c.jsonl#1")[0]["signatures"], a["signatures"]);
    assert_ne!(of("docs/a.txt --shingle-size 2")[0], a);
    let numbers = |of: &Value, key: &str| {
        let flat = of["signatures"][key].to_string().replace(['[', ']'], "");
        flat.split(',').map(str::to_owned).collect::<Vec<_>>()
    };
    let equal = |key: &str| {
        let both = numbers(&a, key).into_iter().zip(numbers(&b, key));
        both.filter(|(a, b)| a == b).count()
    };
    // The guide says so.
    let found = ["min_hashes", "super_shingles", "i_match"].map(equal);
    assert_eq!(found, [31, 0, 0]);
}

#[test]
fn a_file_without_a_document_is_an_error() {
    let env = Env::new()
        .file("docs/a.md", PARK)
        .file("b.jsonl", "{\"text\":\"One Two\"}\n")
        .file("c.bin", b"\x7fELF\0\0")
        .file("d.md", "...");
    for (name, part) in [
        ("b.jsonl#7", "no such record"),
        ("c.bin", "binary"),
        ("d.md", "empty"),
        ("e.md", "not found"),
    ] {
        show(&env, [name]).fails(part);
    }
    assert_eq!(show(&env, "b.jsonl#1").ok(), "One Two");
    show(&env, "docs/a.md --as words").fails("possible values: text, normalized");
    for target in ["docs/a.md", "docs"] {
        show(&env, [target, "-o", "docs/a.md"]).fails("would replace");
    }
}

#[test]
fn it_goes_to_a_file_and_takes_options_from_the_configuration() {
    let env = Env::new()
        .file("a.txt", "圖書館 Open")
        .file("dupfind.toml", "shingle-unit = \"char\"\n");
    assert_eq!(show(&env, "a.txt -o out.txt").ok(), "");
    assert_eq!(env.read("out.txt"), "圖書館 Open");
    let units = |args: &str| show(&env, ("a.txt --as units", args));
    assert_eq!(units("").ok(), "图\n书\n馆\no\np\ne\nn\n");
    assert_eq!(units("--no-config").ok(), "图\n书\n馆\nopen\n");
}
