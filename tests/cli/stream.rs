//! `dupfind dedup --stream`: what is passed on, when, and the memory for it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use serde_json::json;

use crate::env::{Args, BREAD, Env, PARK, PARK_EDITED, PARK_ZH, Run, Says, named_record, table};
use crate::scale::words;

/// The command with as little memory as there may be.
const STREAM: [&str; 4] = ["dedup", "--stream", "--memory-limit", "16M"];

fn stream(env: &Env, lines: impl Into<Vec<u8>>, args: impl Args) -> Run {
    env.run_with(lines, (STREAM, args))
}

#[test]
fn records_that_were_seen_are_left_out() {
    let env = Env::new();
    let both = format!("{PARK}{BREAD}");
    let copy = PARK.to_uppercase();
    let [park, bread, copy, edited, both, zh] = [
        ("park", PARK),
        ("bread", BREAD),
        ("copy", &*copy),
        ("edited", PARK_EDITED),
        ("both", &*both),
        ("zh", PARK_ZH),
    ]
    .map(|(id, text)| named_record(id, text));
    let lines = [&*park, &bread, &copy, &edited, &both, &zh].concat();
    let run = stream(&env, &*lines, "");
    assert_eq!(run.went_well(), [&*park, &bread, &zh].concat());
    let told = "dupfind: 6 records: 3 passed on, 3 seen before\n";
    assert_eq!(run.stderr, told);
    let run = stream(&env, &*lines, "--min-similarity 0.9 -q");
    assert_eq!(run.went_well(), [&*park, &bread, &edited, &zh].concat());
    assert_eq!(run.stderr, "");
    assert!(env.entries().is_empty());
}

#[test]
fn lines_are_passed_on_as_they_came_and_none_that_cannot_be_compared_is_lost() {
    let env = Env::new();
    let first = "{\"n\": 1.50e3, \"text\":\"\\u6cb3\\u8fb9\\u7684\\u8001\\u516c\\u56ed\" } \r\n";
    let long = named_record("long", words(1, 300));
    let others = [
        "not json\n".as_bytes(),
        b"[1]\n",
        b"{\"id\":\"no text\"}\n",
        b"\n",
        long.as_bytes(),
        b"{\"text\":\"...\",\"id\":\"empty\"}\n",
        b"{\"text\":\"\xff\"}\n",
        b"{\"text\":\"cut off",
    ]
    .concat();
    let lines = [first.as_bytes(), first.as_bytes(), &others].concat();
    let mut command = env.command((STREAM, "--max-filesize 1K"));
    let output = command.write_stdin(lines).output().unwrap();
    assert_eq!(output.stdout, [first.as_bytes(), &others].concat());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    said.says("warning: line 3: malformed: ");
    said.says("warning: line 4: malformed: ");
    said.says("warning: line 5: malformed: no field 'text'");
    said.says("warning: line 7: skipped: too large\n");
    said.says("2 records: 1 passed on, 1 seen before; 7 lines more that could not be compared, passed on as they came\n");
    assert_eq!(said.matches("warning: ").count(), 5, "{said}");
}

#[test]
fn a_line_larger_than_what_is_read_at_a_time_goes_through() {
    let env = Env::new();
    let (large, park) = (
        named_record("large", words(3, 120_000)),
        named_record("park", PARK),
    );
    let lines = [&*park, &large, &park, &large, &named_record("bread", BREAD)].concat();
    let run = stream(&env, &*lines, "--max-filesize 100K -q");
    let expected = [&*park, &large, &large, &named_record("bread", BREAD)].concat();
    assert!(run.went_well() == expected);
    let run = stream(&env, &*lines, "-q");
    assert!(run.went_well() == [&*park, &large, &named_record("bread", BREAD)].concat());
}

#[test]
fn it_fails_if_no_line_is_a_record_with_a_text() {
    let env = Env::new();
    let lines = named_record("a", PARK).repeat(2);
    let run = stream(&env, &*lines, "--text-field nope");
    assert_eq!((run.code, &*run.stdout), (Some(2), &*lines));
    let says =
        "no line is a record with a text, and all 2 were passed on; --text-field names the field";
    run.says(says);
    run.says("line 1: malformed: no field 'nope'");
    for nothing in ["", "\n"] {
        assert_eq!(stream(&env, nothing, "").went_well(), nothing);
    }
}

#[test]
fn texts_are_read_as_in_a_scan() {
    let env = Env::new().file("dupfind.toml", "text-field = \"body\"\n");
    let record = |body: &str| json!({ "body": body }).to_string() + "\n";
    let lines = [
        record("舊城區的圖書館開放了，歡迎大家來看書"),
        record("旧城区的图书馆开放了，欢迎大家来看书"),
    ];
    assert_eq!(stream(&env, lines.concat(), "-q").went_well(), lines[0]);
    let (bytes, ..) = encoding_rs::GB18030.encode(&lines[1]);
    let twice = [&bytes[..], &bytes[..]].concat();
    // The bytes are the record's own.
    let mut command = env.command((STREAM, "-E gbk"));
    let output = command.write_stdin(twice).output().unwrap();
    assert_eq!(output.stdout, bytes[..]);
}

#[test]
fn what_cannot_be_is_an_error_before_anything_is_read() {
    let env = Env::new().file("r.jsonl", named_record("park", PARK));
    for [args, part] in table(
        "--window 0          | 1 or more
         --memory-limit 1K   | at least 16M
         --min-similarity 80 | a number from 0 to 1
         --drop exact        | cannot be used with
         -E utf-16le         | iconv -f UTF-16
         r.jsonl             | dupfind dedup --stream < pages.jsonl > kept.jsonl
         -o k.jsonl          | dupfind dedup --stream < pages.jsonl > kept.jsonl",
    ) {
        let run = env.run_with(named_record("park", PARK), ("dedup --stream", args));
        run.fails(part);
    }
    let run = env.run_with("", "dedup --stream --memory-limit 900000G");
    run.fails("the shingles to remember need");
    for (stdin, part) in [
        (&b"\x1f\x8b\x08\0\0\0\0\0"[..], "gzip -dc"),
        (b"\xff\xfe{\0", "iconv -f UTF-16"),
    ] {
        stream(&env, stdin, "").fails(part);
    }
    assert_eq!(env.entries(), ["r.jsonl"]);
}

#[test]
fn a_window_without_room_is_smaller() {
    // The numbers of so many records leave no room for their shingles.
    let lines = named_record("a", PARK) + &named_record("b", BREAD);
    let run = stream(&Env::new(), lines, "--window 4194304");
    let told = "only the last 1 records are remembered and not 4194304; a larger --memory-limit makes room";
    assert_eq!(run.stderr.matches(told).count(), 1, "{}", run.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_no_stream() {
    let terminal = Env::new().on_terminal("dedup --stream").output().unwrap();
    let said = String::from_utf8(terminal.stdout).unwrap();
    assert_eq!(terminal.status.code(), Some(2), "{said}");
    said.says("dupfind dedup --stream < pages.jsonl");
}

/// A stream that waits for more, and its output.
struct Running {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Running {
    fn start(env: &Env) -> Self {
        let mut command = env.std_command(STREAM);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self { child, out }
    }

    fn send(&mut self, bytes: &str) {
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(bytes.as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    /// Sends bytes, and returns the next line that is printed.
    fn next(&mut self, bytes: &str) -> String {
        self.send(bytes);
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line
    }

    /// Waits for the end; the exit status, and standard error.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.out);
        let stdin = self.child.stdin.take();
        let output = self.child.wait_with_output().unwrap();
        drop(stdin);
        let stderr = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), stderr)
    }
}

#[test]
fn each_record_is_passed_on_before_the_next_one_comes() {
    let env = Env::new();
    let mut stream = Running::start(&env);
    for bytes in [
        named_record("a", PARK),
        named_record("b", BREAD),
        "bad\n".into(),
    ] {
        let (one, other) = bytes.split_at(bytes.len() / 2);
        stream.send(one);
        assert_eq!(stream.next(other), bytes);
    }
    drop(stream.child.stdin.take());
    assert_eq!(stream.end().0, Some(0));
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_in_order() {
    for signal in ["INT", "TERM"] {
        let env = Env::new();
        let mut stream = Running::start(&env);
        stream.next(&named_record("park", PARK));
        let id = stream.child.id().to_string();
        let killed = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(killed.unwrap().success());
        let (code, stderr) = stream.end();
        assert_eq!(code, Some(130), "{stderr}");
        stderr.says("1 record: 1 passed on");
    }
}

#[cfg(unix)]
#[test]
fn nobody_has_to_read_it_to_the_end() {
    let env = Env::new();
    let mut stream = Running::start(&env);
    stream.next(&named_record("park", PARK));
    let Running { mut child, out } = stream;
    drop(out);
    let mut stdin = child.stdin.take().unwrap();
    // Until it ends, which closes the pipe.
    while stdin.write_all(b"no record\n").is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stderr).unwrap().omits("error");
}
