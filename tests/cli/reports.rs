//! Several reports of one scan.

use crate::env::Env;

#[test]
fn one_scan_writes_several_reports() {
    let env = Env::parks();
    let run = env
        .report("--format list --format json=all.json --format csv=pairs.csv -f jsonl=lines.jsonl");
    let table = run.ok();
    let files = ["all.json", "pairs.csv", "lines.jsonl"];
    let written = files.map(|file| env.read(file));
    // They would be documents now.
    for file in files {
        std::fs::remove_file(env.path(file)).unwrap();
    }
    for (written, format) in written.into_iter().zip(["json", "csv", "jsonl"]) {
        assert_eq!(written, env.report(["--format", format]).ok(), "{format}");
    }
    assert_eq!(table, env.report("").ok());
}

#[test]
fn files_that_were_written_are_named_with_what_they_hold() {
    let env = Env::parks();
    let args = "-f json=all.json -f csv=pairs.csv -f sarif=ci.sarif -o table.txt -f list";
    let run = env.report(args);
    let expected = [
        "dupfind: all.json has 6 pairs and 2 clusters",
        "dupfind: pairs.csv has 6 pairs",
        "dupfind: ci.sarif has 4 documents at fault",
        "dupfind: table.txt has 6 pairs and 2 clusters",
    ];
    assert_eq!(run.stderr.lines().collect::<Vec<&str>>(), expected);
    assert_eq!(env.report((args, "-q")).stderr, "");
    // Standard output is no file.
    assert_eq!(env.report("-f json").stderr, "");
}

#[test]
fn formats_in_each_other_s_way_are_explained() {
    let env = Env::parks();
    for (args, part) in [
        ("-f json -f csv", "json and csv both go to standard output"),
        ("-f list -f json=-", "both go to standard output"),
        ("-f json=x -f csv=./x", "both go to"),
        ("-f json=x -f csv -o x", "json and csv both go to x"),
        ("-f json=x -o y", "--output names a file for nothing"),
        ("-f json=", "names no file"),
        ("-f jsn=x", "a similar value exists: 'json'"),
        ("-f json=missing/x", "there is no folder"),
    ] {
        env.report(args).fails(part);
        assert_eq!(env.entries(), ["bread.md", "en", "zh"]);
    }
}

#[test]
fn a_report_that_fails_is_named_and_the_others_are_not_left_behind() {
    let env = Env::parks();
    let run = env.report("-f json=all.json -f csv=/dev/full");
    run.fails("cannot write /dev/full");
    assert_eq!(env.entries(), ["bread.md", "en", "zh"]);
}
