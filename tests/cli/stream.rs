//! `dupfind stream`: the verdict on each record, and the memory for it.

use serde_json::{Value, json};

use crate::cases::random;
use crate::env::{BREAD, Env, PARK, PARK_EDITED, PARK_ZH, Run};
use crate::scale::words;

/// Runs it with little memory over some lines.
pub(crate) fn stream(env: &Env, lines: impl Into<Vec<u8>>, args: &[&str]) -> Run {
    stream_in("1M", env, lines, args)
}

/// Runs it with so much memory.
fn stream_in(memory: &str, env: &Env, lines: impl Into<Vec<u8>>, args: &[&str]) -> Run {
    env.run_with(lines, &[&["stream", "--memory", memory], args].concat())
}

/// Asserts that it went well, whatever its messages are, and returns standard output.
#[track_caller]
pub(crate) fn went(run: &Run) -> &str {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    &run.stdout
}

/// A record as a line.
pub(crate) fn line(id: &str, text: &str) -> String {
    json!({ "id": id, "text": text }).to_string() + "\n"
}

/// The verdicts of a run: id, share and whether it is a duplicate.
pub(crate) fn verdicts(run: &Run) -> Vec<(String, f64, bool)> {
    let verdict = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        let id = value["id"].as_str().unwrap_or("-").to_owned();
        let seen = value["seen"].as_f64().unwrap_or(-1.0);
        (id, seen, value["duplicate"].as_bool().unwrap())
    };
    went(run).lines().map(verdict).collect()
}

fn parks() -> String {
    [
        line("park", PARK),
        line("bread", BREAD),
        line("copy", &PARK.to_uppercase()),
        line("edited", PARK_EDITED),
        line("both", &format!("{PARK}{BREAD}")),
        line("zh", PARK_ZH),
    ]
    .concat()
}

#[test]
fn each_record_is_judged_by_those_before_it() {
    let env = Env::new();
    let run = stream(&env, parks(), &[]);
    let found = verdicts(&run);
    let ids: Vec<&str> = found.iter().map(|(id, ..)| &**id).collect();
    assert_eq!(ids, ["park", "bread", "copy", "edited", "both", "zh"]);
    let duplicates: Vec<bool> = found.iter().map(|(.., duplicate)| *duplicate).collect();
    assert_eq!(duplicates, [false, false, true, true, true, false]);
    assert_eq!((found[0].1, found[2].1), (0.0, 1.0));
    assert!((0.6..0.9).contains(&found[3].1), "{found:?}");
    // All but the shingles where one text meets the other.
    assert!((0.9..1.0).contains(&found[4].1), "{found:?}");
    assert!(run.stderr.contains("6 records: 3 duplicates, 3 new\n"));
    let run = stream(&env, parks(), &["--min-seen", "0.9", "-q"]);
    let duplicates = verdicts(&run).into_iter().filter(|found| found.2);
    assert_eq!(duplicates.count(), 2);
    assert_eq!(run.stderr, "");
}

#[test]
fn records_are_passed_on_as_they_came() {
    let env = Env::new();
    let first = "{\"n\": 1.50e3, \"text\":\"\\u6cb3\\u8fb9\\u7684\\u8001\\u516c\\u56ed\" } \r\n";
    let lines = [
        first,
        "\n",
        first,
        "{\"text\":\"another one of them\",\"n\":18446744073709551616}",
    ];
    let run = stream(&env, lines.concat(), &["--filter"]);
    assert_eq!(went(&run), [lines[0], lines[3]].concat());
    let run = stream(&env, lines.concat(), &[]);
    let judged: Vec<&str> = went(&run).lines().collect();
    let told = ",\"seen\":0.0000,\"duplicate\":false} ";
    assert_eq!(
        judged[0],
        first.trim_end().trim_end_matches('}').to_owned() + told
    );
    assert!(judged[2].contains("\"n\":18446744073709551616,\"seen\":0.0000,"));
    let run = stream(&env, lines.concat(), &["--verdicts", "--id-field", "n"]);
    assert_eq!(
        went(&run),
        "{\"line\":1,\"id\":\"1.50e3\",\"seen\":0.0000,\"duplicate\":false}\n\
         {\"line\":3,\"id\":\"1.50e3\",\"seen\":1.0000,\"duplicate\":true}\n\
         {\"line\":4,\"id\":\"18446744073709551616\",\"seen\":0.0000,\"duplicate\":false}\n"
    );
    stream(&env, "", &["--filter", "--verdicts"]).fails("cannot be used with");
}

#[test]
fn lines_without_a_record_are_reported_and_passed_over() {
    let env = Env::new();
    let long = line("long", &words(1, 300));
    let lines = [
        &*line("a", PARK),
        "not json\n",
        "[1]\n",
        "{\"id\":\"no text\"}\n",
        "\n",
        &*long,
        "{\"text\":\"...\",\"id\":\"empty\"}\n",
        "{\"text\":\"cut off",
    ]
    .concat();
    let run = stream(&env, &*lines, &["--max-filesize", "1K"]);
    let found = verdicts(&run);
    assert_eq!(
        found,
        [
            ("a".into(), 0.0, false),
            ("no text".into(), -1.0, false),
            ("empty".into(), -1.0, false)
        ]
    );
    for part in [
        "warning: line 2: malformed: ",
        "warning: line 3: malformed: ",
        "warning: line 4: malformed: no field 'text'",
        "warning: line 6: skipped: too large\n",
        "warning: line 8: malformed: EOF",
        "1 record: 0 duplicates, 1 new; 1 more without text to judge by; 1 more without a text field, passed on; 4 more that cannot be \
         read\n",
    ] {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
    // A record without a text was not seen.
    let run = stream(&env, &*lines, &["--filter", "-q"]);
    assert_eq!((went(&run).lines().count(), &*run.stderr), (4, ""));
    let run = stream(&env, "", &[]);
    assert_eq!(went(&run), "");
    assert!(run.stderr.contains("0 records"), "{}", run.stderr);
}

#[test]
fn records_without_the_text_field_are_passed_on_and_fail_if_no_record_has_it() {
    let env = Env::new();
    let other = "{\"id\":2, \"body\":\"no text here\"}\n";
    let lines = [&*line("a", PARK), other, &*line("b", PARK)].concat();
    let run = stream(&env, &*lines, &["--filter"]);
    assert_eq!(went(&run), [&*line("a", PARK), other].concat());
    assert!(
        run.stderr
            .contains("1 more without a text field, passed on")
    );
    // A text that cannot be decoded is damaged, and not missing.
    let damaged = "{\"id\":3,\"text\":\"\\ud83d one\"}\n";
    let run = stream(&env, &*[&*line("a", PARK), damaged].concat(), &["--filter"]);
    assert_eq!(went(&run), line("a", PARK));
    assert!(run.stderr.contains("malformed"), "{}", run.stderr);
    for args in [["--filter"].as_slice(), &["--verdicts"], &[]] {
        let args = [args, &["--text-field", "nope"]].concat();
        let run = stream(&env, &*lines, &args);
        assert_eq!((run.code, run.stdout.lines().count()), (Some(2), 3));
        let says = "no record has a text in the field 'nope': nothing was judged; the first one has 'id', 'text'";
        assert!(run.stderr.contains(says), "{}", run.stderr);
        assert!(!run.stderr.contains("0 duplicates, 3 new"));
    }
}

#[test]
fn verdicts_have_the_ids_of_their_records() {
    let env = Env::new();
    let lines = format!(
        "{}{{\"text\":\"a b c\",\"url\":\"/x\",\"id\":7}}\n",
        line("a", PARK)
    );
    let ids = |args: &[&str]| {
        let run = stream(&env, &*lines, &[&["--verdicts", "-q"], args].concat());
        let id = |line: &str| serde_json::from_str::<Value>(line).unwrap()["id"].clone();
        went(&run).lines().map(id).collect::<Vec<_>>()
    };
    assert_eq!(ids(&[]), [json!("a"), json!("7")]);
    assert_eq!(ids(&["--id-field", "url"]), [Value::Null, json!("/x")]);
}

#[test]
fn the_output_is_valid_json() {
    let env = Env::new();
    let lines = [
        &b"{\"text\":\"first\",\"other\":\"\xff\"}\n"[..],
        b"{\"te\\u0078t\":\"a second one\",\"se\\u0065n\":1,\"x\\u0041\":\"\\u00e9\"}\n",
        b"{\"text\":\"a third\",\"seen\":{\"seen\":1},\"duplicate\":[]}\n",
    ];
    let run = stream(&env, lines.concat(), &[]);
    assert_eq!(
        went(&run),
        "{\"te\\u0078t\":\"a second one\",\"x\\u0041\":\"\\u00e9\",\"seen\":0.0000,\"duplicate\":false}\n\
         {\"text\":\"a third\",\"seen\":0.0000,\"duplicate\":false}\n"
    );
    let refused = "warning: line 1: malformed: not valid UTF-8 at column 26\n";
    assert!(run.stderr.contains(refused), "{}", run.stderr);
    let run = stream(&env, lines.concat(), &["--filter"]);
    assert_eq!(went(&run).as_bytes(), lines[1..].concat());
}

#[test]
fn texts_are_read_as_in_a_scan() {
    let env = Env::new().file("dupfind.toml", "text-field = \"body\"\n");
    let record = |body: &str| json!({ "body": body }).to_string() + "\n";
    let lines = [
        record("<nav>menu of all</nav><main><p>舊城區的圖書館開放了</p></main>"),
        record("<main><p>旧城区的图书馆开放了</p></main>"),
    ];
    let run = stream(&env, lines.concat(), &["--record-format", "html"]);
    assert!(verdicts(&run)[1].2, "{}", run.stdout);
    let run = stream(&env, lines.concat(), &["--no-config"]);
    assert!(run.stderr.contains("no field 'text'"), "{}", run.stderr);
    let (bytes, ..) = encoding_rs::GB18030.encode(&lines[1]);
    let twice = [&bytes[..], &bytes[..]].concat();
    let run = stream(&env, &*twice, &["--encoding", "gbk", "--verdicts"]);
    assert!(verdicts(&run)[1].2, "{}", run.stderr);
    // The bytes are the record's own.
    let mut filter = env.command(&["stream", "--memory", "1M", "--filter", "-E", "gbk"]);
    let output = filter.write_stdin(twice.clone()).output().unwrap();
    assert_eq!(output.stdout, bytes[..]);
    let run = stream(&env, &*twice, &[]);
    assert!(run.stderr.contains("line 1: malformed"), "{}", run.stderr);
}

#[test]
fn compressed_or_utf_16_input_is_an_error() {
    let env = Env::new();
    for (stdin, args, part) in [
        (&b"\x1f\x8b\x08\0\0\0\0\0"[..], &[][..], "zcat"),
        (b"\xff\xfe{\0", &[], "iconv -f UTF-16LE"),
        (b"", &["-E", "utf-16be"], "iconv -f UTF-16BE"),
    ] {
        stream(&env, stdin, args).fails(part);
    }
}

#[test]
fn a_window_forgets_the_oldest() {
    let env = Env::new();
    let texts: Vec<String> = (0..30).map(|at| words(at, 60)).collect();
    let lines: String = (0..90)
        .map(|at| line("x", &texts[usize::try_from(random(3, at) % 30).unwrap()]))
        .collect();
    for window in [1, 7, 40, 1000] {
        let run = stream(&env, &*lines, &["--window", &window.to_string()]);
        let number = |at: u64| random(3, at) % texts.len() as u64;
        let expected: Vec<bool> = (0..90_u64)
            .map(|at| (at.saturating_sub(window)..at).any(|before| number(before) == number(at)))
            .collect();
        let found: Vec<bool> = verdicts(&run).into_iter().map(|found| found.2).collect();
        assert_eq!(found, expected, "{window}");
    }
    let long: String = (0..90).map(|at| line("x", &words(at, 200))).collect();
    let run = stream_in("64K", &env, long, &["--window", "80"]);
    let part = "documents have 193 shingles each, so that only the last 29 are remembered and not 80; --memory makes room";
    assert!(run.stderr.contains(part), "{}", run.stderr);
}

#[test]
fn nothing_depends_on_the_threads() {
    let env = Env::new();
    let lines: String = (0..600)
        .map(|at| line(&at.to_string(), &words(random(5, at) % 300, 40 + at % 7)))
        .collect();
    let run = |threads| stream(&env, &*lines, &["--threads", threads]);
    let one = run("1");
    assert_eq!(went(&one).lines().count(), 600);
    for threads in ["2", "7"] {
        assert_eq!(went(&run(threads)), went(&one));
    }
}

#[test]
fn verdicts_are_those_of_exact_sets_but_for_false_positives() {
    use std::collections::HashSet;

    let env = Env::new();
    let texts: Vec<Vec<String>> = (0..1500_u64)
        .map(|at| {
            let from = random(9, at) % 800;
            let text = words(from, 50) + &words(at << 8, at % 40);
            text.split_whitespace().map(Into::into).collect()
        })
        .collect();
    let lines: String = texts
        .iter()
        .map(|text| line("x", &text.join(" ")))
        .collect();
    let run = stream_in("128K", &env, &*lines, &[]);
    let mut known: HashSet<&[String]> = HashSet::new();
    let (mut wrong, mut unseen) = (0.0, 0.0);
    for (text, (_, share, duplicate)) in texts.iter().zip(verdicts(&run)) {
        let shingles: HashSet<&[String]> = text.windows(8).collect();
        let seen = shingles
            .iter()
            .filter(|shingle| known.contains(*shingle))
            .count();
        let exact = seen as f64 / shingles.len() as f64;
        // Shares are rounded down to a ten-thousandth.
        assert!(share >= exact - 0.0001, "{share} and not {exact}");
        assert!(duplicate || exact < 0.5);
        wrong += share - exact;
        unseen += 1.0 - exact;
        known.extend(shingles);
    }
    let rate = wrong / unseen;
    assert!(rate < 0.01, "{rate}");
}

#[test]
fn impossible_limits_are_errors_before_anything_is_read() {
    let env = Env::new();
    for (args, parts) in [
        (&["--memory", "1K"][..], &["at least 64K"][..]),
        (&["--window", "0"], &["1 or more"]),
        (&["--min-seen", "80"], &["did you mean 0.8?"]),
        (
            &["--memory", "900000G"],
            &["the shingles to remember need 900000G", "of memory"],
        ),
        (&["--save-every", "5x", "--state", "s"], &["30s, 10m or 1h"]),
        (&["--save-every", "5"], &["--state"]),
    ] {
        let run = env.run_with(parks(), &[&["stream"], args].concat());
        for part in parts {
            run.fails(part);
        }
        assert_eq!(run.stdout, "", "{args:?}");
    }
    assert!(env.entries().is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_no_stream_whatever_else_is_asked_for() {
    let env = Env::new().file("seen.state", "no state");
    let terminal = env
        .on_terminal("stream --state seen.state")
        .output()
        .unwrap();
    let said = String::from_utf8(terminal.stdout).unwrap();
    assert_eq!(terminal.status.code(), Some(2), "{said}");
    assert!(said.contains("and that is the terminal"), "{said}");
}

#[test]
fn a_filter_that_is_too_full_is_reported_once() {
    let env = Env::new();
    let lines: String = (0..3000).map(|at| line("x", &words(at, 60))).collect();
    let run = stream_in("64K", &env, &*lines, &["-q"]);
    assert_eq!(run.stderr, "");
    let run = stream_in("64K", &env, &*lines, &[]);
    let part = "documents of 53 shingles each the rate of false positives is 0.";
    assert_eq!(run.stderr.matches(part).count(), 1, "{}", run.stderr);
}
