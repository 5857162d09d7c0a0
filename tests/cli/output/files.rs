//! Where a report goes: files, links, devices, pipes, and what an interrupted run leaves.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::env::{Args, Env, PARK, Report, Run, Says, formats};

#[test]
fn an_output_file_gets_what_standard_output_would() {
    let env = Env::parks();
    for format in formats() {
        let shown = env.run(["scan", "en", "zh", "-f", format]);
        let target = format!("report-{format}");
        let written = env.run(["scan", "en", "zh", "-f", format, "-o", &target]);
        assert_eq!(written.ok(), "", "{format}");
        assert_eq!(env.read(&target), shown.ok(), "{format}");
    }
    let shown = env.run("show --as fingerprint en");
    let list = env.run("show --as fingerprint en --output en/list");
    assert_eq!(list.ok(), "");
    assert_eq!(env.read("en/list"), shown.ok());
    assert_eq!(env.run("scan en -o -").ok(), env.run("scan en").ok());
}

#[test]
fn an_output_file_is_written_even_if_a_document_cannot_be_read() {
    let env = Env::parks().file("out", "old");
    let run = env.run("scan nowhere en -f json -o out");
    run.fails("nowhere: not found");
    let expected = [("nowhere", "not found")];
    assert_eq!(Report::of(&env.read("out")).skips(), expected);
}

#[test]
fn an_output_that_cannot_be_written_fails_before_the_work_begins() {
    let env = Env::parks();
    let before = env.entries();
    for (target, why) in [
        ("gone/out", "gone"),
        ("en", "it is a folder"),
        ("en/", "it is a folder"),
        (".", "it is a folder"),
        ("bread.md/out", "bread.md"),
    ] {
        let run = env.run(["scan", "nowhere", "-o", target]);
        run.fails(&format!("cannot write {target}: "));
        run.says(why);
        // Not even a look at the documents, or there would be an error about 'nowhere' too.
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        // The temporary file does not concern the user.
        run.omits(".tmp");
        assert_eq!(env.entries(), before);
    }
}

#[cfg(unix)]
#[test]
fn an_output_that_is_a_link_is_refused_and_a_link_to_a_pipe_is_not() {
    let env = Env::parks()
        .file("real.json", "mine")
        .link("link.json", "real.json");
    env.run("scan -f json -o link.json")
        .fails("cannot write link.json: it is a link, and no link is followed");
    assert_eq!(env.read("real.json"), "mine");
    let args = "scan en -f json -o";
    let piped = env.run((args, "/dev/stdout"));
    assert_eq!(Report::of(piped.ok()).summary.documents, 3);
    assert_eq!(env.run((args, "/dev/null")).ok(), "");
}

#[cfg(unix)]
#[test]
fn an_output_file_keeps_its_permissions() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    let env = Env::parks().file("out", "");
    fs::set_permissions(env.path("out"), Permissions::from_mode(0o640)).unwrap();
    assert_eq!(env.run("scan -o out").ok(), "");
    let mode = |name| fs::metadata(env.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("out"), 0o640);
    // A new one is as any new file, not as a temporary one.
    assert_eq!(env.run("scan -o new").ok(), "");
    assert_eq!(mode("new"), mode("bread.md"));
}

#[cfg(unix)]
#[test]
fn a_device_or_fifo_is_written_as_it_is() {
    let env = Env::parks().fifo("fifo");
    assert_eq!(env.run("scan -o /dev/null").ok(), "");
    let reader = std::thread::spawn({
        let path = env.path("fifo");
        move || std::fs::read_to_string(path).unwrap()
    });
    assert_eq!(env.run("scan en zh -o fifo").ok(), "");
    assert_eq!(reader.join().unwrap(), env.run("scan en zh").ok());
}

/// So many copies that their pairs are more text than a pipe holds.
fn many_copies() -> Env {
    (0..150).fold(Env::new(), |env, number| {
        env.file(format!("{number:03}.md"), PARK)
    })
}

/// Runs the program with a reader that goes away after the first line.
fn first_line_read(env: &Env, args: impl Args) -> Run {
    let mut program = env.std_command(&args);
    program
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert!(!line.is_empty(), "{args:?}");
    Run::from(child.wait_with_output().unwrap())
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let env = many_copies();
    for args in formats().map(|format| ["scan", "--format", format]) {
        let run = first_line_read(&env, args);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn a_gate_decides_and_files_are_written_if_the_reader_goes_away() {
    let env = many_copies();
    for format in formats() {
        let args = ["check", "--format", format, "--fail-on", "exact", "-q"];
        assert_eq!(first_line_read(&env, args).code, Some(1), "{format}");
    }
    for format in ["csv", "json", "table"] {
        let args = ["scan", "--format", format, "-f", "jsonl=out.jsonl"];
        first_line_read(&env, args).went_well();
        let last = env.read("out.jsonl").lines().last().map(str::to_owned);
        assert!(
            last.is_some_and(|line| line.starts_with("{\"type\":\"summary\"")),
            "{format}"
        );
    }
    first_line_read(&env, "query . . --format json").went_well();
}

/// When the FIFO can be opened for writing, the program is just reading it.
#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_nothing_behind() {
    use std::fs::File;
    use std::process::Command;
    use std::sync::mpsc;

    enum Event {
        Reads(File),
        Ended(std::process::Output),
    }
    for signal in ["INT", "TERM"] {
        let env = Env::parks().fifo("fifo").file("out", "old");
        let before = env.entries();
        let mut program = env.std_command("scan --files-from fifo -o out");
        program
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = program.spawn().unwrap();
        let id = child.id().to_string();
        let (send, events) = mpsc::channel();
        std::thread::spawn({
            let (send, path) = (send.clone(), env.path("fifo"));
            move || {
                send.send(Event::Reads(
                    File::options().write(true).open(path).unwrap(),
                ))
            }
        });
        std::thread::spawn(move || send.send(Event::Ended(child.wait_with_output().unwrap())));

        let Ok(Event::Reads(fifo)) = events.recv() else {
            panic!("it ended before it read the FIFO");
        };
        let killed = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(killed.unwrap().success());
        let Ok(Event::Ended(output)) = events.recv() else {
            panic!("it has no end");
        };
        drop(fifo);
        assert_eq!(output.status.code(), Some(130), "{signal}");
        assert!(output.stdout.is_empty() && output.stderr.is_empty());
        assert_eq!(env.entries(), before, "{signal}");
        assert_eq!(env.read("out"), "old", "{signal}");
    }
}

#[test]
fn what_an_earlier_run_wrote_into_the_folder_is_no_document() {
    let env = Env::parks();
    let documents = env.json("").summary.documents;
    for (name, args) in [
        ("r.json", "scan -f json"),
        ("r.jsonl", "scan -f jsonl"),
        ("r.csv", "scan -f csv"),
        ("excel.csv", "scan -f csv-excel"),
        ("r.sarif", "scan -f sarif"),
        ("r.html", "scan -f html"),
        ("r.md", "scan -f markdown"),
        ("r.txt", "scan -f list"),
        ("table.txt", "scan -f table"),
        ("plan.jsonl", "plan --drop near"),
        ("prints.jsonl", "show --as fingerprint"),
        ("reuse.json", "reuse -f json"),
    ] {
        env.run((args, ["-o", name])).went_well();
        assert!(!env.read(name).is_empty(), "{name}");
    }
    env.run("accept --all --baseline accepted.jsonl")
        .went_well();
    let report = env.json("");
    assert_eq!(report.summary.documents, documents);
    let skips = report.skips();
    assert_eq!(skips.len(), 13, "{skips:?}");
    assert!(
        skips.iter().all(|(_, reason)| *reason == "data"),
        "{skips:?}"
    );

    // A file that is named is read.
    assert_ne!(env.run("scan plan.jsonl").code, Some(0));
}
