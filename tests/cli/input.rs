//! What is named on the command line: roots, single files, lists of files, limits, what cannot be
//! read.

use crate::env::{Env, Report, Says};

#[test]
fn a_named_file_is_always_read() {
    let env = Env::with(".hidden.md ignored.md excluded.txt .dir/a.md")
        .folder(".git")
        .file(".gitignore", "ignored.md\n");
    let files = [".hidden.md", "ignored.md", "excluded.txt", ".dir/a.md"];
    let rules = "-g !*.md --exclude *.txt -T md";
    assert_eq!(env.names("."), ["excluded.txt"]);
    let expected = [".dir/a.md", ".hidden.md", "excluded.txt", "ignored.md"];
    assert_eq!(env.names((files, rules)), expected);
    let list = files.join("\n");
    let run = env.run_with(list, ("scan --format json --files-from -", rules));
    assert_eq!(Report::of(run.ok()).summary.documents, 4);
}

#[test]
fn files_above_the_size_limit_are_skipped() {
    let env = Env::new()
        .file("small.md", "word ".repeat(200))
        .file("large.md", "word ".repeat(210));
    for (limit, skipped) in [("1049", 1), ("1050", 0), ("1K", 1), ("2kb", 0), ("0", 2)] {
        let report = env.json(["--max-filesize", limit]);
        assert_eq!(report.summary.skipped, skipped, "{limit}");
        assert_eq!(report.summary.documents, 2 - skipped, "{limit}");
        assert!(report.skipped.iter().all(|s| s.reason == "too large"));
    }
    let report = env.json("--max-filesize 1K large.md -q");
    assert_eq!(report.skips(), [("large.md", "too large")]);
    assert_eq!(report.skipped[0].detail, "1050 bytes, the limit is 1024");
}

#[test]
fn an_empty_list_is_no_documents_and_not_the_current_folder() {
    let env = Env::with("a.md b.md").file("list", "\n");
    assert!(env.names("--files-from list").is_empty());
    assert_eq!(env.names("--files-from list a.md"), ["a.md"]);
    env.write("list", "b.md\n");
    assert_eq!(env.names("--files-from list a.md"), ["a.md", "b.md"]);
}

#[test]
fn a_list_that_cannot_be_read_is_an_error() {
    let env = Env::with("a.md").folder("folder");
    for list in ["nowhere", "folder"] {
        env.run(["scan", ".", "--files-from", list])
            .fails(&format!("cannot read the list of files {list}: "));
    }
}

#[test]
fn a_missing_path_is_an_error_and_the_others_are_compared() {
    let env = Env::parks();
    for quiet in [&[][..], &["--quiet"]] {
        let run = env.scan(("nowhere en nowhere zh/gone.md", quiet));
        let report = Report::of(run.complains("dupfind: error: nowhere: not found"));
        run.says("zh/gone.md");
        assert_eq!(run.stderr.lines().count(), 2, "{}", run.stderr);
        assert_eq!(report.summary.documents, 3);
        assert_eq!(report.pairs[0].names(), ("en/copy.md", "en/park.md"));
        let expected = [("nowhere", "not found"), ("zh/gone.md", "not found")];
        assert_eq!(report.skips(), expected);
    }
    let table = env.run("scan nowhere en");
    let table = table.complains("nowhere").to_owned();
    table.says("3 documents compared (1 skipped: 1 not found)");
    let list = env.run("show --as fingerprint nowhere en");
    assert_eq!(list.complains("nowhere").lines().count(), 3);
}

/// Unlike permissions, this holds for root too.
#[cfg(unix)]
#[test]
fn what_the_system_refuses_is_unreadable_and_the_others_are_compared() {
    let env = Env::parks().link("ring", "ring");
    let long = "n".repeat(300);
    let run = env.scan(["en", "ring", &long]);
    let report = Report::of(run.complains("dupfind: error: ring: unreadable: "));
    assert_eq!(run.stderr.lines().count(), 2, "{}", run.stderr);
    let expected = [(&*long, "unreadable"), ("ring", "unreadable")];
    assert_eq!(report.skips(), expected);
    assert_eq!(report.summary.documents, 3);
}

#[cfg(unix)]
#[test]
fn fifos_sockets_and_devices_are_never_opened() {
    let env = Env::with("docs/a.md")
        .fifo("docs/fifo")
        .link("docs/null", "/dev/null");
    let _socket = std::os::unix::net::UnixListener::bind(env.path("docs/socket")).unwrap();
    let special = [
        ("docs/fifo", "not a regular file"),
        ("docs/socket", "not a regular file"),
    ];
    let report = env.json("docs");
    assert_eq!(report.skips(), special);
    assert_eq!(report.summary.documents, 1);

    let named = env.json("docs/fifo docs/socket docs/null -q");
    let expected = [special[0], ("docs/null", "not a regular file"), special[1]];
    assert_eq!(named.skips(), expected);
    assert_eq!(env.json("docs -L").skips(), named.skips());
}

#[cfg(unix)]
#[test]
fn a_list_may_come_from_a_fifo() {
    let env = Env::parks().fifo("list");
    let path = env.path("list");
    let writer = std::thread::spawn(move || std::fs::write(path, "en/park.md\nen/copy.md\n"));
    let report = env.json("--files-from list");
    writer.join().unwrap().unwrap();
    assert_eq!(report.pair_names(), [("en/copy.md", "en/park.md")]);
}

#[test]
fn no_documents_or_one_is_an_empty_report() {
    for (files, table) in [
        (
            &[][..],
            "0 documents compared: there was nothing to compare\n",
        ),
        (
            &["a.md"],
            "1 document compared: there was nothing to compare with\n",
        ),
    ] {
        let env = Env::with(files);
        let report = env.json("");
        assert_eq!(report.summary.documents, files.len());
        assert!(report.pairs.is_empty() && report.clusters.is_empty());
        assert!(report.skipped.is_empty() && report.notes.is_empty());
        assert_eq!(env.run("scan").ok(), table);
        let csv = env.run("scan --format csv");
        let expected = "a,b,jaccard,hamming,matched_by,containment,weighted,relation,container,standing,prose,apart\n";
        assert_eq!(csv.ok(), expected);
        assert_eq!(env.run("scan --format jsonl").ok().lines().count(), 1);
        assert_eq!(env.fingerprints("").len(), files.len());
    }
}

#[test]
fn a_named_file_that_is_no_document_is_warned_about() {
    let env = Env::with("a.md")
        .file("logo.png", b"\x89PNG\0\0")
        .file("empty.md", "");
    let run = env.scan("a.md logo.png empty.md");
    run.warns("dupfind: warning: logo.png: skipped: binary\n");
    run.warns("dupfind: warning: empty.md: skipped: empty\n");
    assert_eq!(env.scan(".").stderr, "");
    assert_eq!(env.scan("logo.png --quiet").stderr, "");
}

#[test]
fn input_that_is_not_read_is_a_warning() {
    let env = Env::parks();
    let record = "{\"text\":\"the old park by the river\"}\n";
    let warning =
        "standard input is not read, and the current folder is compared: 'dupfind scan -'";
    env.run_with_waiting(record, "scan").warns(warning);
    assert_eq!(env.run_with_waiting(record, "scan -q").stderr, "");
    for (stdin, args) in [("", "scan"), (record, "scan en"), (record, "scan -")] {
        env.run_with_waiting(stdin, args).omits("standard input");
    }
}

#[test]
fn a_glob_in_place_of_a_path_is_explained() {
    Env::parks().scan("en/**/*.md").complains(
        "en/**/*.md: not found: a path is no glob; -g 'en/**/*.md' reads the files that match",
    );
    assert_eq!(Env::parks().json("-g en/**/*.md").summary.documents, 3);
}

#[test]
fn without_the_other_side_no_report_says_that_nothing_is_alike() {
    let env = Env::parks().folder("empty");
    let ends = |args: &[&str], end: &str| {
        env.run(("scan", args)).stdout.ends(end);
    };
    let nothing = "there was nothing to compare with\n";
    ends(&["en", "--against", "nowhere"], nothing);
    ends(&["en", "--against", "empty"], nothing);
    ends(
        &["empty", "--against", "en"],
        ": there was nothing to compare\n",
    );
    ends(&["bread.md", "--against", "en"], ": no near-duplicates\n");
}
