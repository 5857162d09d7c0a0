//! The outputs of a run do not harm its inputs, and it shows the texts that it compared.

use crate::env::{BREAD, Env, PARK, PARK_EDITED, Run, Says, formats, table};
use crate::hostile::assert_harmless;

#[test]
fn a_report_does_not_replace_a_document() {
    let env = Env::new().file("docs/a.txt", PARK).file("docs/b.txt", PARK);
    for args in [
        "docs -o docs/a.txt",
        "docs -o ./docs/../docs/a.txt",
        "-f json=docs/a.txt",
        "docs -f list -f html=docs/a.txt",
        "docs/b.txt --against docs -o docs/a.txt",
    ] {
        let run = env.report(args);
        run.fails("the report would replace ");
        run.says("write to another file");
        assert_eq!(env.read("docs/a.txt"), PARK, "{args:?}");
    }
    for args in ["show docs", "compare docs/b.txt docs/a.txt"] {
        let run = env.run((args, "-o docs/a.txt"));
        run.fails("the report would replace docs/a.txt");
        assert_eq!(env.read("docs/a.txt"), PARK);
    }
    #[cfg(unix)]
    {
        std::fs::hard_link(env.path("docs/a.txt"), env.path("hard.txt")).unwrap();
        env.report("docs -o hard.txt")
            .fails("the report would replace ");
        assert_eq!(env.read("docs/a.txt"), PARK);
    }
    env.write("dupfind.toml", "output = 'docs/a.txt'");
    env.report("docs").fails("the report would replace ");
    assert_eq!(env.read("docs/a.txt"), PARK);
    // A file that is not compared may be replaced.
    env.report("docs -o docs/a.txt --exclude a.txt").ok();
    assert_ne!(env.read("docs/a.txt"), PARK);
}

#[test]
fn the_report_of_an_earlier_run_is_replaced() {
    let env = Env::new().file("a.txt", PARK).file("b.txt", PARK);
    for format in formats() {
        env.report(["-f", format, "-o", "report"]).ok();
        let first = env.read("report");
        // Another format does not know it as its own.
        env.report("-f json -o report").ok();
        env.report(["-f", format, "-o", "report"]).ok();
        assert_eq!(env.read("report"), first, "{format}");
    }
    for command in ["reuse -f json", "show --as fingerprint"] {
        let args = (command, "-o report");
        env.run(args).ok();
        let first = env.read("report");
        env.run(args).ok();
        assert_eq!(env.read("report"), first, "{command:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_page_shows_no_text_that_was_not_compared() {
    use std::os::unix::fs::PermissionsExt;
    let env = Env::of("PARK: docs/a.md docs/d.md; PARK_EDITED: docs/b.md docs/c.md; BREAD: docs/late.slow")
        .file("secret", "nobody should see this secret page")
        // When this file is read, the others were. Some are replaced then.
        .file(
            "slow",
            "#!/bin/sh\nsleep 2\nln -sf ../secret docs/a.md\nrm docs/d.md\nmkfifo docs/d.md\ncat \"$1\"\n",
        );
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(env.path("slow"), executable).unwrap();
    let run = env.report(("docs --pre *.slow=./slow", "-f html"));
    let page = run.ok();
    page.omits("nobody should see");
    // It still shows those that have not changed.
    page.says("forty years ago");
}

#[cfg(unix)]
#[test]
fn no_name_acts_in_a_format_for_people() {
    let name = |at: u32| format!("{at}\u{1b}[31m\u{9b}2J\u{202e}.md");
    let env = Env::new()
        .file(name(1), PARK)
        .file(name(2), PARK_EDITED)
        .file(name(3), BREAD);
    let env = env.file("\u{1b}[0m\u{202e}empty.md", "");
    // A program reads what these have in JSON and CSV.
    let of_programs = ["json", "jsonl", "csv", "html"];
    for format in formats().filter(|format| !of_programs.contains(format)) {
        let run = env.report(["-f", format]);
        assert_harmless(run.ok());
    }
    let (one, two) = (name(1), name(2));
    assert_harmless(env.run(["compare", &one, &two]).ok());
}

#[cfg(target_os = "linux")]
#[test]
fn help_on_a_full_disk_is_an_error() {
    let env = Env::of("PARK: a.md b.md");
    for args in [
        "scan --stats",
        "show --stats",
        "--help",
        "--version",
        "scan -h",
        "help scan",
        "completions man",
    ] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let run = Run::from(env.std_command(args).stdout(full).output().unwrap());
        run.fails("cannot write standard output: No space left on device");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_file_sizes_is_an_error_that_leaves_nothing() {
    let env = Env::new().file("a.md", PARK).file("b.md", PARK);
    for [limit, args, error] in table(
        "-f 1 | scan . -q -f html -o page.html   | page.html: File too large
         -f 0 | accept --all . --baseline file | cannot write file: File too large",
    ) {
        let run = Run::from(env.limited(limit, args).output().unwrap());
        run.fails(error);
        assert_eq!(env.entries(), ["a.md", "b.md"], "{args}");
    }
}

#[cfg(unix)]
#[test]
fn a_warning_does_not_quote_a_file_outside() {
    let env = Env::new()
        .file("secret", "[z-a]hunter2\n")
        .file("docs/a.md", PARK)
        .file("docs/sub/b.md", PARK)
        .file("docs/sub/.ignore", "[z-a]mine\n")
        .link("docs/.ignore", "../secret");
    let run = env.report("docs");
    run.warns(".ignore: line 1: it is not valid");
    run.omits("hunter2");
    run.says("[z-a]mine");
}
