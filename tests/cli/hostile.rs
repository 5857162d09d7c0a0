//! Names and contents made to do harm, and sizes nobody expects.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::env::{Args, BREAD, Env, PARK, Report, Run, Says};

/// File names that mean something to terminals, shells, CSV or JSON. Windows allows none of them.
#[cfg(unix)]
const NAMES: [&str; 14] = [
    "new\nline.md",
    "tab\tand\rreturn.md",
    "red\u{1b}[31m.md",
    "title\u{1b}]0;owned\u{7}.md",
    "bidi\u{202e}dm.md",
    "zero\u{200b}width.md",
    "quotes\"and'.md",
    "comma,semicolon;.md",
    "percent%s%n.md",
    "back\\slash\\x41.md",
    "-x",
    "--help",
    "=1+1.md",
    " spaces .md ",
];

/// Nothing in a text acts on a terminal.
#[track_caller]
pub(crate) fn assert_harmless(text: &str) {
    for line in text.lines() {
        let acts = |c: char| c.is_control() || matches!(c, '\u{202e}' | '\u{200b}');
        assert!(!line.contains(acts), "{line:?}");
    }
}

#[cfg(unix)]
fn hostile_names() -> Env {
    NAMES
        .iter()
        .fold(Env::new(), |env, name| env.file(name, PARK))
}

#[cfg(unix)]
#[test]
fn json_has_names_as_they_are() {
    let env = hostile_names();
    let mut names = NAMES;
    names.sort_unstable();
    assert_eq!(env.json("").clusters[0].documents, names);
    assert_eq!(env.names(""), names);
    for format in ["json", "jsonl"] {
        let run = env.run(["scan", "-f", format]);
        assert!(
            !run.ok().contains(['\u{1b}', '\t', '\r', '\u{7}']),
            "{format}"
        );
    }
}

#[cfg(unix)]
#[test]
fn messages_have_names_that_cannot_act() {
    let env = NAMES.iter().fold(Env::new(), |env, name| {
        env.file(name, [crate::env::PARK_ZH.as_bytes(), b"\xff"].concat())
    });
    let run = env.run("scan .");
    assert_harmless(run.warns("new\\nline.md: not valid UTF-8"));
    assert_harmless(&run.stderr);
    assert_eq!(run.stderr.lines().count(), NAMES.len());

    let gone = "gone\u{1b}[2J\n.md";
    for args in [
        &["scan", gone][..],
        &["scan", "--files-from", gone],
        &["scan", "-g", "[\u{1b}\n"],
        &["scan", "-o", "gone\u{1b}\n/out"],
        &["scan", "--format", "gone\u{1b}"],
        &["gone\u{1b}"],
        &["check", "--max-pairs", "\u{202e}1"],
        &["scan", "--encoding=\u{1b}[2J\u{200b}"],
    ] {
        let run = env.run(args);
        run.complains("");
        assert_harmless(&run.stderr);
        assert_harmless(&run.stdout);
    }
}

#[cfg(unix)]
#[test]
fn hostile_names_can_be_named() {
    let env = hostile_names();
    let list = Env::new().file("list", NAMES.join("\0"));
    let list = list.path("list");
    let listed = env.json(["--files-from", list.to_str().unwrap()]);
    assert_eq!(listed.clusters[0].documents.len(), NAMES.len());

    assert_eq!(env.json("./-x ./--help").pair_names(), [("--help", "-x")]);
    assert_eq!(env.json("-- -x --help").pair_names(), [("--help", "-x")]);
    let run = env.run_with("-x\n--help\n", "scan -f json --files-from -");
    assert_eq!(Report::of(run.ok()).pair_names(), [("--help", "-x")]);
}

/// On Linux a name may have any bytes; macOS wants UTF-8.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_utf8_are_escaped() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let name = OsStr::from_bytes(b"caf\xe9 \xff.md");
    let env = Env::new().file(name, PARK).file("z.md", PARK);
    let shown = "caf\\xe9 \\xff.md";
    assert_eq!(env.json("").pair_names(), [(shown, "z.md")]);
    assert_eq!(env.names(""), [shown, "z.md"]);
    let run = env.run("scan");
    run.ok().says(shown);

    let list = b"caf\xe9 \xff.md\nz.md\n";
    let run = env.run_with(&list[..], "scan -f json --files-from -");
    assert_eq!(Report::of(run.ok()).pair_names(), [(shown, "z.md")]);

    let mut command = env.command("scan -f json");
    let run = Run::of(command.arg(name).arg(OsStr::from_bytes(b"gone\xfe")));
    let report = Report::of(run.complains("dupfind: error: gone\\xfe: not found"));
    assert_eq!(report.summary.documents, 1);
    assert_eq!(report.skips(), [("gone\\xfe", "not found")]);
}

/// What CI systems run: at the beginning of a line, and anywhere in it.
#[cfg(unix)]
const COMMANDS: [&str; 6] = [
    "::error file=x::gone",
    "::add-mask::the",
    "::stop-commands::x",
    "##[error]gone",
    "##vso[task.setvariable variable=x]y",
    "##teamcity[buildProblem]",
];

/// Nothing in a text acts on the log of a CI system but annotations of `github`.
#[cfg(unix)]
#[track_caller]
fn assert_inert(text: &str, args: impl Args) {
    for line in text.lines() {
        let own = ["error", "warning", "notice"].map(|level| format!("::{level} "));
        let words = args.words();
        let annotates = words[0] == "check" || words.contains(&"github".into());
        let is_own = annotates && own.iter().any(|own| line.starts_with(own));
        let begins = line.trim_start().starts_with("::") && !is_own;
        let has = COMMANDS[3..].iter().any(|command| line.contains(command));
        assert!(!begins && !has, "{args:?}: {line}");
    }
}

#[cfg(unix)]
#[test]
fn nothing_acts_in_the_log_of_a_ci_system() {
    let lines = COMMANDS.map(|command| format!("The {command} river\n{command}\n   {command}\n\n"));
    let text = format!("{PARK}\n{}{BREAD}", lines.concat());
    let draft = format!("{text}\n::warning::one ##[more] word\n");
    let mut env = Env::new().file("draft.md", draft);
    for (at, command) in COMMANDS.iter().enumerate() {
        // Two that are alike, and one that is read with a warning.
        let text = format!("{text}\n{}\n", "Some words that differ. ".repeat(at));
        env = env.file(format!("docs/{command}.md"), &text);
        env = env.file(format!("docs/{at} {command}.txt"), &text);
        env = env.file(
            format!("docs/bad/{command}.md"),
            [text.as_bytes(), b"\xff"].concat(),
        );
    }
    let (a, b) = ("docs/##[error]gone.md", "docs/::add-mask::the.md");
    for args in [
        &["scan", "docs"][..],
        &["scan", "docs", "-f", "table"],
        &["scan", "docs", "-f", "markdown"],
        &["scan", "docs", "-f", "github"],
        &["check", "docs", "-f", "list"],
        &["check", "docs", "-f", "github"],
        &["scan", "##[error]nothing", "::error::nothing"],
        &["scan", "--##[error]"],
        &["compare", a, b],
        &["compare", a, "draft.md"],
        &["compare", a, "##[error]nothing"],
        &["reuse", "docs"],
        &["query", "docs", "draft.md"],
        &["plan", "docs", "-o", "plan.jsonl"],
        &["apply", "plan.jsonl"],
        &["accept", a, b, "--reason", "##[group]"],
        &["##[error]"],
    ] {
        let mut command = env.command(args);
        command.env("CI", "true").env("GITHUB_ACTIONS", "true");
        let run = Run::of(&mut command);
        assert!(run.code.is_some(), "{args:?}");
        assert_inert(&run.stdout, args);
        assert_inert(&run.stderr, args);
        assert!(run.stdout.len() + run.stderr.len() > 0, "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn formats_for_programs_do_not_act_on_a_terminal() {
    let env = Env::new()
        .file("c1\u{9b}31m.md", PARK)
        .file("red\u{1b}[31m\rx\u{202e}.md", PARK);
    for format in ["json", "jsonl", "csv"] {
        let shown = env.on_terminal(&format!("scan -f {format}")).output();
        let shown = String::from_utf8(shown.unwrap().stdout).unwrap();
        assert_harmless(&shown.replace("\r\n", "\n"));
        shown.says("c1\\u009b31m.md");
    }
}

#[test]
fn a_text_that_normalisation_makes_many_times_larger_is_too_large() {
    // One character of three bytes has 33 in normal form.
    let text = "\u{fdfa} ".repeat(10_000);
    let record = format!("{{\"text\":\"{text}\"}}\n");
    let env = Env::new().file("a.md", &text).file("b.jsonl", record);
    let report = env.json("--max-filesize 100K --quiet");
    assert_eq!(report.summary.documents, 0);
    let expected = [("a.md", "too large"), ("b.jsonl#1", "too large")];
    assert_eq!(report.skips(), expected);
    let detail = &report.skipped[1].detail;
    assert_eq!(detail, "in normal form it has more than 160000 bytes");
    assert_eq!(env.json("--max-filesize 400K").summary.documents, 2);
}

#[test]
fn a_character_repeated_a_hundred_thousand_times_is_a_document() {
    let texts = ["a", "啊", "あ", "가", "ก", "7", "a ", "啊\n", "ﷺ"];
    for text in texts.into_iter().chain(["a\u{301}", "\u{1f600}a"]) {
        let repeated = text.repeat(100_000);
        let env = Env::new()
            .file("1", &repeated)
            .file("2", &repeated)
            .file("3", PARK);
        let report = env.json("");
        assert_eq!(report.pair_names(), [("1", "2")], "{text:?}");
        assert_eq!(report.pairs[0].jaccard, Some(1.0), "{text:?}");
    }
    // Without a letter there is nothing to compare, however much of it.
    for text in [" ", "-", "。", "\u{1f600}", "\u{fffd}"] {
        let env = Env::new().file("1", text.repeat(100_000));
        assert_eq!(env.json("").skips(), [("1", "empty")], "{text:?}");
    }
}

/// Bytes of all kinds: any, text of any script, and text with bytes broken.
fn contents() -> impl Strategy<Value = Vec<u8>> {
    let bytes = vec(any::<u8>(), 0..400);
    let text = vec(any::<char>(), 0..200).prop_map(|chars| String::from_iter(chars).into_bytes());
    let park = (0..PARK.len(), any::<u8>()).prop_map(|(at, byte)| {
        let mut bytes = PARK.as_bytes().to_vec();
        bytes[at] = byte;
        bytes
    });
    let legacy = vec(0x81_u8..=0xfe, 0..300);
    let marked = vec(any::<u8>(), 0..300).prop_map(|bytes| [&b"\xff\xfe"[..], &bytes].concat());
    prop_oneof![bytes, text, park, legacy, marked]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(16) })]

    #[test]
    fn any_bytes_are_compared_or_skipped(
        files in vec(contents(), 1..8),
        unit in prop::sample::select(vec!["auto", "char", "word"]),
    ) {
        let mut env = Env::new();
        for (number, content) in files.iter().enumerate() {
            env = env.file(format!("{number}.md"), content);
        }
        let run = env.scan(["--shingle-unit", unit]);
        prop_assert_eq!(run.code, Some(0), "{}", run.stderr);
        let report = Report::of(&run.stdout);
        prop_assert_eq!(report.summary.documents + report.summary.skipped, files.len());
        for skipped in &report.skipped {
            prop_assert!(matches!(&*skipped.reason, "binary" | "empty"), "{:?}", skipped);
        }
        prop_assert_eq!(run.stderr.lines().count(), report.notes.len(), "{}", run.stderr);
        let again = env.scan(["--shingle-unit", unit, "--threads", "1"]);
        prop_assert_eq!(again.stdout, run.stdout);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_look_alike_are_told_apart_in_the_same_way_every_time() {
    use std::os::unix::ffi::OsStrExt;

    let raw = std::ffi::OsStr::from_bytes(b"a\xff.md");
    let env = Env::new()
        .file(raw, PARK)
        .file("a\\xff.md", BREAD)
        .file("b.md", PARK);
    let first = env.scan("-j 4").ok().to_owned();
    let report = Report::of(&first);
    assert_eq!(report.summary.documents, 3);
    assert!(report.pairs.iter().all(|pair| pair.a < pair.b));
    for _ in 0..4 {
        assert_eq!(env.scan("-j 4").ok(), first);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf8_is_taken_as_reports_print_it() {
    use std::os::unix::ffi::OsStrExt;

    // A name in GBK, as older archives have it.
    let raw = std::ffi::OsStr::from_bytes(b"docs/\xb2\xe2.md");
    let shown = "docs/\\xb2\\xe2.md";
    let env = Env::new().file("docs/a.md", PARK).file(raw, PARK);
    let message = env.run("scan docs -q -f github");
    let printed = format!("dupfind compare docs/a.md '{shown}' docs");
    message.ok().says(&printed);
    let compared = env.run(["compare", "docs/a.md", shown, "docs"]);
    compared
        .ok()
        .begins("A  docs/a.md\nB  docs/测.md\n\nexact: ");
    env.run(["show", "--as", "normalized", shown])
        .ok()
        .says("river");
    // A line of a plan has the name as text. The file is there, and so nothing was done before.
    env.write("docs/b.md", PARK);
    env.run("plan docs --keep in:docs/a.md -o p.jsonl -q").ok();
    let plan = env.read("p.jsonl");
    env.write(
        "p.jsonl",
        plan.replace("docs/b.md", "docs/\\\\xb2\\\\xe2.md"),
    );
    let applied = env.run("apply p.jsonl --delete --yes");
    applied.complains("p.jsonl:2: the name of docs/\\xb2\\xe2.md is not UTF-8");
    applied.omits("done before");
    assert!(env.path(raw).exists());
}
