//! `dupfind scan --index`: the same report, reading only changed documents.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Instant;

use dupfind_engine::Options;
use dupfind_index::Index;

use crate::env::{BREAD, Env, PARK, PARK_EDITED, PARK_ZH, PARK_ZH_EDITED, program};
use crate::scale::words;

/// A folder with all kinds of documents, and with files that are not compared.
fn site() -> Env {
    let records = format!(
        "{{\"id\":\"x\",\"text\":{PARK:?}}}\nno JSON\n{{\"id\":\"x\",\"text\":{BREAD:?}}}\n{{\"id\":\"y\",\"text\":\"...\"}}\n"
    );
    Env::new()
        .file("docs/park.md", PARK)
        .file("docs/sub/edited.md", PARK_EDITED)
        .file("docs/zh.md", PARK_ZH)
        .file("docs/zh-edited.txt", PARK_ZH_EDITED)
        .file("docs/bread.html", format!("<html><body><p>{BREAD}</p></body></html>"))
        .file("docs/copy.md", PARK.to_uppercase())
        .file("docs/out.md", format!("---\ndupfind: ignore - a draft\n---\n{PARK}"))
        .file("docs/logo.png", b"\x89PNG\r\n\x1a\n\0\0")
        .file("docs/empty.md", "...")
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
fn same(env: &Env, args: &[&str]) {
    same_in(env, args, &FORMATS);
}

#[track_caller]
fn same_in(env: &Env, args: &[&str], formats: &[&str]) {
    for format in formats {
        let cold = env.run(&[&["scan", "docs", "-f", format][..], args].concat());
        let with = ["scan", "docs", "-f", format, "--index", "site.dupidx"];
        let warm = env.run(&[&with[..], args].concat());
        let mut lines = warm.stdout.lines().zip(cold.stdout.lines());
        let other = lines.find(|(warm, cold)| warm != cold);
        assert!(warm.stdout == cold.stdout, "{format} {args:?}: {other:?}");
        assert_eq!(
            (warm.code, &warm.stderr),
            (cold.code, &cold.stderr),
            "{format}"
        );
    }
    whole(env);
}

fn index(env: &Env) -> Index {
    Index::open(env.path("site.dupidx"), &Options::default()).unwrap()
}

#[track_caller]
fn whole(env: &Env) {
    index(env).check().unwrap();
}

#[test]
fn a_scan_with_an_index_prints_the_same_whatever_has_changed() {
    let env = site();
    same(&env, &["--id-field", "id"]);
    same_in(&env, &["--id-field", "id"], &MORE_FORMATS);
    let step = |change: &dyn Fn()| {
        change();
        same(&env, &["--id-field", "id"]);
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
        env.write(
            "docs/r.jsonl",
            format!("{{\"id\":\"z\",\"text\":{PARK_ZH:?}}}\n{records}"),
        );
    });
    step(&|| {
        env.write(
            "docs/r.jsonl",
            records
                .replace("\"y\"", "\"x\"")
                .replace("...", PARK_EDITED),
        );
    });
    step(&|| env.write("docs/r.jsonl", "[not records"));
    // Other thresholds ask the same index.
    same(&env, &["--id-field", "id", "--min-jaccard", "0.5"]);
    same(&env, &["--id-field", "id", "--within", "docs/{*}/"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_only_looks_unchanged_is_read_again() {
    let env = site();
    same(&env, &[]);
    let file = env.path("docs/park.md");
    let time = fs::metadata(&file).unwrap().modified().unwrap();
    env.write("docs/park.md", PARK.replace("willow", "poplar"));
    let options = fs::File::options().write(true).open(&file).unwrap();
    options.set_modified(time).unwrap();
    same(&env, &[]);
}

/// The files of the index but the lock.
fn content(env: &Env) -> Vec<(PathBuf, Vec<u8>)> {
    let files = fs::read_dir(env.path("site.dupidx")).unwrap();
    let files = files.map(|entry| entry.unwrap().path());
    let mut all: Vec<_> = files
        .filter(|path| !path.ends_with("lock"))
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    all.sort();
    all
}

#[test]
fn pages_that_another_folder_has_named_are_reported() {
    let env = Env::new()
        .file("docs/park.md", PARK)
        .file("docs/bread.md", BREAD)
        .file("more/zh.md", PARK_ZH);
    let scan = ["scan", "docs", "--index", "site.dupidx"];
    env.run(&["scan", "more", "--index", "site.dupidx", "-q"])
        .ok();
    env.run(&scan).ok();
    env.run_in("docs", &["scan", ".", "--index", "../new.dupidx"])
        .ok();
    let again = env.run(&["scan", "docs", "--index", "new.dupidx"]);
    again.warns("the index has 2 files that are not there, such as bread.md");
    let inside = env.run_in("docs", &["scan", "park.md", "--index", "../site.dupidx"]);
    inside.warns("the index has 3 files that are not there, such as docs/bread.md");
    fs::remove_file(env.path("more/zh.md")).unwrap();
    env.run(&scan)
        .warns("the index has 2 files that are not there, such as more/zh.md");
}

#[test]
fn other_options_are_refused_by_name() {
    let env = site();
    env.run(&SCAN).ok();
    let before = content(&env);
    for (args, part) in [
        (
            &["--shingle-size", "4"][..],
            "the index was made with shingle_size 3, not 4",
        ),
        (
            &["--web-part", "all"],
            "the index was made with web_part main, not all",
        ),
        (
            &["--detectors", "shingle"],
            "made with detectors simhash,shingle, not shingle",
        ),
        (
            &["--max-filesize", "1M"],
            "the index was made with max_filesize 16777216, not 1048576",
        ),
    ] {
        let run = env.run(&[&SCAN[..], args].concat());
        run.fails(part);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    }
    assert_eq!(content(&env), before);
}

#[test]
fn a_damaged_index_is_refused_in_one_line() {
    let env = site();
    env.run(&["scan", "docs", "--index", "docs"])
        .fails("it is no index, and it is in the place of one");
    env.run(&SCAN).ok();
    for (path, good) in content(&env) {
        let mut random = 12_345_usize;
        for round in 0..9 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let at = (random >> 20) % good.len();
            let mut damaged = good.clone();
            match round % 3 {
                0 => damaged.truncate(at),
                1 => damaged[at] ^= 1 << (round % 8),
                _ => damaged.push(b'x'),
            }
            fs::write(&path, &damaged).unwrap();
            // Only a check reads everything.
            let opened = Index::open(env.path("site.dupidx"), &Options::default());
            assert!(opened.and_then(|index| index.check()).is_err(), "{path:?}");
            let run = env.run(&SCAN);
            let advice = "; remove site.dupidx/manifest, and a scan with --index makes it anew";
            let is_told = run.code == Some(2) && run.stderr.contains(advice);
            assert!(run.code == Some(0) || is_told, "{path:?} {at}: {run:?}");
            fs::write(&path, &good).unwrap();
        }
    }
    whole(&env);
    let manifest = env.read("site.dupidx/manifest");
    env.write(
        "site.dupidx/manifest",
        manifest.replacen("index ", "index 9", 1),
    );
    env.run(&SCAN).fails("site.dupidx/manifest: it is damaged");
    fs::remove_file(env.path("site.dupidx/manifest")).unwrap();
    env.run(&SCAN).ok();
    whole(&env);
}

#[cfg(unix)]
#[test]
fn a_full_disk_and_another_writer_leave_the_index_as_it_was() {
    let env = site();
    env.run(&SCAN).ok();
    let before = content(&env);
    for number in 0..40 {
        env.write(format!("docs/{number}.md"), words(number, 400));
    }
    // Files of at most 8 KB.
    let script = format!(
        "ulimit -f 16; exec '{}' scan docs --index site.dupidx",
        program()
    );
    let mut limited = Command::new("sh");
    let output = limited
        .args(["-c", &script])
        .env("LC_ALL", "C")
        .current_dir(env.root())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("cannot write site.dupidx/part-"), "{said}");
    assert_eq!(content(&env), before);
    // Another program has the lock.
    let lock = fs::File::create(env.path("site.dupidx/lock")).unwrap();
    lock.lock().unwrap();
    env.run(&SCAN).fails("is writing to the index");
    // Who reads does not wait.
    whole(&env);
    drop(lock);
    whole(&env);
}

fn spawn(env: &Env) -> Child {
    let mut command = env.std_command(&SCAN);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().unwrap()
}

/// `DUPFIND_KILLS` is how many updates are killed.
#[test]
fn a_killed_update_leaves_the_index_as_before_or_as_after() {
    let kills = std::env::var("DUPFIND_KILLS").map_or(6, |kills| kills.parse().unwrap());
    let env = Env::new();
    for number in 0..60 {
        env.write(format!("docs/{number}.md"), words(number % 50, 300));
    }
    let start = Instant::now();
    assert!(spawn(&env).wait().unwrap().success());
    let time = start.elapsed();
    let mut now = 60;
    for kill in 0..kills {
        let before = now;
        // Some come, some change, some go.
        for number in 0..10 {
            env.write(
                format!("docs/{kill}-{number}.md"),
                words(kill * 10 + number, 300),
            );
            env.write(format!("docs/{number}.md"), words(kill + number, 280));
        }
        now += 10;
        if kill % 3 == 2 {
            for number in 0..10 {
                fs::remove_file(env.path(format!("docs/{}-{number}.md", kill - 1))).unwrap();
            }
            now -= 10;
        }
        let mut child = spawn(&env);
        thread::sleep(time * u32::try_from((kill * 618 + 377) % 1000).unwrap() / 1000);
        child.kill().unwrap();
        child.wait().unwrap();
        whole(&env);
        let found = index(&env).documents();
        assert!(
            [before, now].contains(&found),
            "{kill}: {found} of {before} and {now}"
        );
        // The next one goes on.
        assert!(spawn(&env).wait().unwrap().success());
        assert_eq!(index(&env).documents(), now, "{kill}");
        let left = fs::read_dir(env.path("site.dupidx")).unwrap().count();
        assert!(left <= 13, "{kill}: {left} files");
    }
    same_pairs(&env);
}

fn same_pairs(env: &Env) {
    let cold = env.run(&["scan", "docs", "-f", "json"]);
    let warm = env.run(&["scan", "docs", "-f", "json", "--index", "site.dupidx"]);
    assert_eq!(cold.ok(), warm.ok());
}
