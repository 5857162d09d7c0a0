//! `dupfind stream --state`: it goes on tomorrow, and nothing is lost on the way.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use crate::env::{BREAD, Env, PARK};
use crate::scale::words;
use crate::stream::{line, stream, verdicts, went};

const STATE: [&str; 2] = ["--state", "seen.state"];

#[test]
fn a_stream_goes_on_where_it_was() {
    let env = Env::new();
    let first = [line("park", PARK), line("other", &words(1, 50))].concat();
    let run = stream(&env, first, &STATE);
    assert!(run.stderr.contains("seen.state: saved after line 2\n"));
    assert_eq!(env.entries(), ["seen.state"]);
    // An option that is not typed again is as it was.
    let second = [line("bread", BREAD), line("park", PARK)].concat();
    let run = env.run_with(second, &[&["stream"][..], &STATE].concat());
    let found: Vec<bool> = verdicts(&run).into_iter().map(|found| found.2).collect();
    assert_eq!(found, [false, true]);
    let part = "seen.state: goes on after 2 records; the last stream was read to its end\n";
    assert!(run.stderr.contains(part), "{}", run.stderr);
    assert!(
        run.stderr.contains("remembers 4 documents"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_state_is_kept_in_a_file() {
    let env = Env::new();
    let run = stream(&env, line("park", PARK), &["--state", "-"]);
    run.fails("--state -: a state is kept in a file");
    assert_eq!(run.stdout, "");
    assert!(env.entries().is_empty());
}

#[test]
fn streams_one_after_the_other_are_as_one() {
    let text = |at: u64| words(at * 7 % 40, 30 + at % 5);
    let lines: Vec<String> = (0..120).map(|at| line("x", &text(at))).collect();
    for args in [&[][..], &["--window", "25"]] {
        let env = Env::new();
        let whole = stream(&env, lines.concat(), &[args, &["--verdicts"]].concat());
        let mut parts = Vec::new();
        for part in lines.chunks(50) {
            let run = stream(
                &env,
                part.concat(),
                &[args, &STATE, &["--verdicts"]].concat(),
            );
            parts.extend(verdicts(&run));
        }
        assert_eq!(parts, verdicts(&whole), "{args:?}");
    }
}

#[test]
fn a_state_that_does_not_fit_is_left_as_it_is() {
    let env = Env::new();
    let windowed = [&STATE[..], &["--window", "9"]].concat();
    went(&stream(&env, line("park", PARK), &windowed));
    let good = fs::read(env.path("seen.state")).unwrap();
    let mut damaged = good.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 4;
    let newer = [b"dupfind-state 9\n", &good[16..]].concat();
    for (bytes, args, parts) in [
        (&good, &["--window", "8"][..], &["window 9, not 8"][..]),
        (
            &good,
            &["--memory", "2M", "--window", "9"],
            &["memory 1M, not 2M"],
        ),
        (&good, &["--memory", "1048575"], &["memory 1M, not 1048575"]),
        (
            &good,
            &["--shingle-size", "4", "--shingle-unit", "word"],
            &["shingle_unit auto, not word, and shingle_size 8, not 4"],
        ),
        (&newer, &[], &["version 9", "knows version 3"]),
        (&damaged, &[], &["damaged"]),
        (&good[..middle].to_vec(), &[], &["damaged"]),
        (&b"my notes\n".to_vec(), &[], &["no state of a stream"]),
        (&Vec::new(), &[], &["no state of a stream"]),
    ] {
        env.write("seen.state", bytes);
        let run = env.run_with(line("x", BREAD), &[&["stream"], &STATE[..], args].concat());
        for part in [parts, &["seen.state", "left as it is"]].concat() {
            run.fails(part);
        }
        assert_eq!(run.stdout, "");
        assert_eq!(
            &fs::read(env.path("seen.state")).unwrap(),
            bytes,
            "{args:?}"
        );
        assert_eq!(env.entries(), ["seen.state"]);
    }
    let env = Env::new().folder("seen.state");
    stream(&env, "", &STATE).fails("cannot write seen.state: it is a folder");
    stream(&env, "", &["--state", "gone/seen.state"]).fails("gone/seen.state");
}

/// A stream that waits for more, and its output.
struct Running {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Running {
    fn start(env: &Env, args: &[&str]) -> Self {
        let args = [&["stream", "--memory", "1M", "--verdicts"], args].concat();
        let mut command = env.std_command(&args);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self { child, out }
    }

    /// Sends bytes, and returns the next line that is printed.
    fn next(&mut self, bytes: &str) -> String {
        self.send(bytes);
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line
    }

    fn send(&mut self, bytes: &str) {
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(bytes.as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        let killed = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(killed.unwrap().success());
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
fn each_record_is_answered_before_the_next_one_comes() {
    let env = Env::new();
    let mut stream = Running::start(&env, &[]);
    for (bytes, part) in [
        (line("a", PARK), "\"line\":1,"),
        (line("b", BREAD), "\"line\":2,"),
        (line("c", PARK), "\"duplicate\":true"),
    ] {
        let (one, other) = bytes.split_at(bytes.len() / 2);
        stream.send(one);
        assert!(stream.next(other).contains(part));
    }
    drop(stream.child.stdin.take());
    assert_eq!(stream.end().0, Some(0));
}

#[cfg(unix)]
#[test]
fn an_interrupt_saves_first() {
    for signal in ["INT", "TERM"] {
        let env = Env::new();
        let mut stream = Running::start(&env, &STATE);
        stream.next(&line("park", PARK));
        stream.next(&line("bread", BREAD));
        stream.signal(signal);
        let (code, stderr) = stream.end();
        assert_eq!(code, Some(130), "{stderr}");
        assert!(stderr.contains("saved after line 2\n"), "{stderr}");
        assert_eq!(env.entries(), ["seen.state"]);
        let mut stream = Running::start(&env, &STATE);
        assert!(stream.next(&line("park", PARK)).contains("true"));
        drop(stream.child.stdin.take());
        let (_, stderr) = stream.end();
        let part = "goes on after 2 records; the last stream was left after line 2: tail -n +3 has what follows\n";
        assert!(stderr.contains(part), "{stderr}");
    }
}

#[cfg(unix)]
#[test]
fn a_killed_stream_goes_on_from_its_last_save() {
    let env = Env::new();
    let lines: Vec<String> = (0..10).map(|at| line("x", &words(at, 40))).collect();
    let often = [&STATE[..], &["--save-every", "4"]].concat();
    let mut stream = Running::start(&env, &often);
    for line in &lines {
        assert!(stream.next(line).contains("\"duplicate\":false"));
    }
    stream.signal("KILL");
    let (code, stderr) = stream.end();
    assert_eq!(code, None);
    assert!(stderr.contains("saved after line 8\n"), "{stderr}");
    let rest = lines[8..].concat() + &lines[7];
    let run = env.run_with(rest, &[&["stream"], &STATE[..]].concat());
    let found: Vec<bool> = verdicts(&run).into_iter().map(|found| found.2).collect();
    assert_eq!(found, [false, false, true]);
    let part = "goes on after 8 records; the last stream was left after line 8: tail -n +9";
    assert!(run.stderr.contains(part), "{}", run.stderr);
}

#[test]
fn it_is_saved_when_the_time_has_come_and_nothing_else_does() {
    let env = Env::new();
    let mut stream = Running::start(&env, &[&STATE[..], &["--save-every", "1s"]].concat());
    stream.next(&line("park", PARK));
    while !env.path("seen.state").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    drop(stream.child.stdin.take());
    let (_, stderr) = stream.end();
    assert_eq!(
        stderr.matches("saved after line 1\n").count(),
        2,
        "{stderr}"
    );
}

#[test]
fn two_streams_do_not_save_to_one_file() {
    let env = Env::new();
    let env = env.folder("folder");
    #[cfg(unix)]
    let env = env.link("linked", "folder/..");
    went(&stream(&env, "", &STATE));
    let mut first = Running::start(&env, &STATE);
    first.next(&line("park", PARK));
    stream(&env, line("bread", BREAD), &STATE).fails("another stream is saving to seen.state");
    // By whatever name.
    let others = [
        "./seen.state",
        #[cfg(unix)]
        "linked/seen.state",
    ];
    for other in others {
        let run = stream(&env, line("bread", BREAD), &["--state", other]);
        run.fails(&format!("another stream is saving to {other}"));
    }
    drop(first.child.stdin.take());
    assert_eq!(first.end().0, Some(0));
    went(&stream(&env, line("park", PARK), &STATE));
}

#[cfg(unix)]
#[test]
fn nobody_has_to_read_it_to_the_end() {
    let env = Env::new();
    let mut stream = Running::start(&env, &STATE);
    stream.next(&line("park", PARK));
    let Running { mut child, out } = stream;
    drop(out);
    let mut stdin = child.stdin.take().unwrap();
    // Until it ends, which closes the pipe.
    while stdin.write_all(line("x", BREAD).as_bytes()).is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(
        output.stderr.is_empty(),
        "{:?}",
        String::from_utf8(output.stderr)
    );
    // Records that nobody has read are not remembered.
    assert!(env.entries().is_empty());
}
