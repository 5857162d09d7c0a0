//! `dupfind scan --index`: the same report, reading only changed documents.

use std::fs;

use crate::env::{Args, BREAD, Env, PARK, PARK_EDITED, PARK_ZH, Run};
use crate::scale::words;

/// A folder with all kinds of documents, and with files that are not compared.
fn site() -> Env {
    let records = format!(
        "{{\"id\":\"x\",\"text\":{PARK:?}}}\nno JSON\n{{\"id\":\"x\",\"text\":{BREAD:?}}}\n{{\"id\":\"y\",\"text\":\"...\"}}\n"
    );
    Env::of("PARK: docs/park.md; PARK_EDITED: docs/sub/edited.md; PARK_ZH: docs/zh.md; \
             PARK_ZH_EDITED: docs/zh-edited.txt")
        .file("docs/bread.html", format!("<html><body><p>{BREAD}</p></body></html>"))
        .file("docs/copy.md", PARK.to_uppercase())
        .file("docs/out.md", format!("---\ndupfind: ignore - a draft\n---\n{PARK}"))
        .file("docs/logo.png", b"\x89PNG\r\n\x1a\n\0\0")
        .file("docs/empty.md", "...")
        .file("docs/one.js", words(7, 80))
        .file("docs/two.js", words(7, 80))
        .file("docs/damaged.txt", b"a page with \xff\xfe damaged characters in the old river park")
        .file("docs/gbk.txt", b"\xba\xd3\xb1\xdf\xb5\xc4\xc0\xcf\xb9\xab\xd4\xb0\xc8\xfd\xca\xae\xc4\xea\xc7\xb0\xcf\xf2\xca\xd0\xc3\xf1\xbf\xaa\xb7\xc5")
        .file("docs/r.jsonl", records)
}

/// Makes an index, or brings it up to date.
const SCAN: [&str; 5] = ["scan", "docs", "--index", "site.dupidx", "-q"];

/// The formats in which every step is compared, and those of the first one.
const FORMATS: [&str; 2] = ["json", "list"];
const MORE_FORMATS: [&str; 3] = ["jsonl", "csv", "sarif"];

/// Checks that a scan with the index prints what a scan without one prints.
#[track_caller]
fn same(env: &Env, args: impl Args) {
    same_in(env, args, &FORMATS);
}

#[track_caller]
fn same_in(env: &Env, args: impl Args, formats: &[&str]) {
    for format in formats {
        let cold = env.run((["scan", "docs", "-f", format], &args));
        let with = ["scan", "docs", "-f", format, "--index", "site.dupidx"];
        let warm = env.run((with, &args));
        let mut lines = warm.stdout.lines().zip(cold.stdout.lines());
        let other = lines.find(|(warm, cold)| warm != cold);
        assert!(warm.stdout == cold.stdout, "{format} {args:?}: {other:?}");
        assert_eq!(warm.code, cold.code, "{format}");
        assert_eq!(warm.stderr, cold.stderr, "{format}");
    }
}

#[test]
fn other_options_make_it_anew() {
    let framed = format!("<html><body><nav>{PARK}</nav><main><p>{BREAD}</p></main></body></html>");
    let env = site().file("docs/framed.html", framed);
    // Neighbours differ in one option.
    for args in [
        "",
        "--web-part all",
        "",
        "--shingle-size 4",
        "",
        "--detectors shingle",
    ] {
        same(&env, args);
    }
}

#[test]
fn a_scan_with_an_index_prints_the_same_whatever_has_changed() {
    let env = site();
    same(&env, "--id-field id");
    same_in(&env, ["--id-field", "id"], &MORE_FORMATS);
    let step = |change: &dyn Fn()| {
        change();
        same(&env, "--id-field id");
    };
    step(&|| env.write("docs/park.md", format!("{PARK}\nA new line.")));
    step(&|| fs::remove_file(env.path("docs/copy.md")).unwrap());
    step(&|| fs::rename(env.path("docs/zh.md"), env.path("docs/sub/moved.md")).unwrap());
    step(&|| env.write("docs/sub/new.md", BREAD));
    step(&|| env.write("docs/out.md", PARK));
    step(&|| env.write("docs/zh-edited.txt", b"\0\0 no text any more"));
    // Records that move, change, come and go.
    let records = env.read("docs/r.jsonl");
    step(&|| {
        let content = format!("{{\"id\":\"z\",\"text\":{PARK_ZH:?}}}\n{records}");
        env.write("docs/r.jsonl", content);
    });
    step(&|| {
        let text = records
            .replace("\"y\"", "\"x\"")
            .replace("...", PARK_EDITED);
        env.write("docs/r.jsonl", text);
    });
    step(&|| env.write("docs/r.jsonl", "[not records"));
    // Other thresholds ask the same index.
    same(&env, "--id-field id --min-jaccard 0.5");
    same(&env, "--id-field id --within docs/{*}/");
}

#[cfg(unix)]
#[test]
fn a_file_that_only_looks_unchanged_is_read_again() {
    let env = site();
    same(&env, "");
    let file = env.path("docs/park.md");
    let time = fs::metadata(&file).unwrap().modified().unwrap();
    env.write("docs/park.md", PARK.replace("willow", "poplar"));
    let options = fs::File::options().write(true).open(&file).unwrap();
    options.set_modified(time).unwrap();
    same(&env, "");
}

#[test]
fn pages_that_another_folder_has_named_are_reported() {
    let env = Env::of("PARK: docs/park.md; BREAD: docs/bread.md; PARK_ZH: more/zh.md");
    let scan = "scan docs --index site.dupidx";
    env.run("scan more --index site.dupidx -q").ok();
    env.run(scan).ok();
    env.run_in("docs", "scan . --index ../new.dupidx").ok();
    let again = env.run("scan docs --index new.dupidx");
    again.warns("the index has 2 files that are not there, such as bread.md");
    let inside = env.run_in("docs", "scan park.md --index ../site.dupidx");
    inside.warns("the index has 3 files that are not there, such as docs/bread.md");
    fs::remove_file(env.path("more/zh.md")).unwrap();
    env.run(scan)
        .warns("the index has 2 files that are not there, such as more/zh.md");
}

#[test]
fn a_damaged_index_is_made_anew_and_another_file_is_left_alone() {
    let env = site();
    env.run("scan docs --index docs/park.md")
        .fails("it is no index, and it is in the place of one");
    assert_eq!(env.read("docs/park.md"), PARK);
    // Nobody loses anything by it.
    env.write("empty.dupidx", "");
    env.run("scan docs --index empty.dupidx")
        .warns("the index is damaged");
    env.run(SCAN).ok();
    let good = fs::read(env.path("site.dupidx")).unwrap();
    for damaged in [
        good[..good.len() / 2].to_vec(),
        [&good[..], b"x"].concat(),
        [b"dupfind index 14 0.0.0\n", &good[23..]].concat(),
    ] {
        env.write("site.dupidx", damaged);
        env.run("scan docs --index site.dupidx")
            .warns("it is made anew");
        same(&env, "");
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_index_as_it_was() {
    let env = site();
    env.run(SCAN).ok();
    let before = fs::read(env.path("site.dupidx")).unwrap();
    for number in 0..40 {
        env.write(format!("docs/{number}.md"), words(number, 400));
    }
    // Files of at most 8 KB.
    let mut limited = env.limited("-f 16", "scan docs --index site.dupidx");
    Run::from(limited.output().unwrap()).fails("cannot write site.dupidx");
    assert_eq!(fs::read(env.path("site.dupidx")).unwrap(), before);
}
