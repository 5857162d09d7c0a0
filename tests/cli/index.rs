//! `dupfind index` and `dupfind scan --index`: the same report, reading only changed documents.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Instant;

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

#[track_caller]
fn whole(env: &Env) {
    let checked = env.run(&["index", "check", "site.dupidx"]);
    assert!(
        checked.ok().contains("every checksum is right"),
        "{}",
        checked.stdout
    );
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

fn documents(env: &Env) -> u64 {
    let info = env.run(&["index", "info", "site.dupidx"]);
    let info: serde_json::Value = serde_json::from_str(info.ok()).unwrap();
    info["documents"].as_u64().unwrap()
}

#[test]
fn documents_are_removed_by_name_and_when_their_files_are_gone() {
    let env = Env::parks()
        .file("docs/a.md", PARK)
        .file("docs/old/b.md", BREAD);
    let run = env.run(&["index", "docs", "-o", "site.dupidx"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        run.stderr
            .contains("site.dupidx: 2 documents, 2 written and 0 removed"),
        "{}",
        run.stderr
    );
    let again = env.run(&["index", "docs", "-o", "site.dupidx"]);
    assert!(
        again.stderr.contains("0 written and 0 removed"),
        "{}",
        again.stderr
    );
    let removed = env.run(&["index", "-o", "site.dupidx", "--remove", "docs/old/*"]);
    assert!(
        removed
            .stderr
            .contains("1 documents, 0 written and 1 removed"),
        "{}",
        removed.stderr
    );
    env.run(&["index", "docs", "-o", "site.dupidx", "-q"]).ok();
    assert_eq!(documents(&env), 2);
    fs::remove_file(env.path("docs/old/b.md")).unwrap();
    env.run(&["index", "docs", "-o", "site.dupidx", "-q"]).ok();
    assert_eq!(documents(&env), 2);
    env.run(&["index", "docs", "-o", "site.dupidx", "-q", "--prune"])
        .ok();
    assert_eq!(documents(&env), 1);
    env.run(&["index", "-o", "site.dupidx", "-q", "--reweigh"])
        .ok();
    whole(&env);
    let run = env.run(&["index", "-o", "site.dupidx", "--remove", "nothing*"]);
    assert!(
        run.stderr
            .contains("no document of site.dupidx matches nothing*")
    );
    // The folder of an index is no folder of documents.
    let json = env.json(&["."]);
    assert!(json.skipped.is_empty(), "{:?}", json.skipped.len());
}

#[test]
fn pages_that_another_folder_has_named_are_reported() {
    let env = Env::new()
        .file("docs/park.md", PARK)
        .file("docs/bread.md", BREAD)
        .file("more/zh.md", PARK_ZH);
    let scan = ["scan", "docs", "--index", "site.dupidx"];
    env.run(&["index", "more", "-o", "site.dupidx", "-q"]).ok();
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
fn the_content_of_an_index_is_reported() {
    let env = site();
    env.run(&["index", "docs", "-o", "site.dupidx", "-q"]).ok();
    let info = env.run(&["index", "info", "site.dupidx"]);
    for part in [
        "\"documents\":",
        "\"frequencies\":",
        "[\"shingle_size\",\"3\"]",
        "[\"web_part\",\"main\"]",
    ] {
        assert!(info.ok().contains(part), "{part}: {}", info.stdout);
    }
    for number in 0..12 {
        env.write(
            format!("docs/{number}.md"),
            format!("{PARK} {}", words(number, 30)),
        );
    }
    env.run(&["index", "docs", "-o", "site.dupidx", "-q"]).ok();
    let info = env.run(&["index", "info", "site.dupidx"]);
    let info: serde_json::Value = serde_json::from_str(info.ok()).unwrap();
    assert_eq!(info["changes"], 12);
}

#[test]
fn other_options_are_refused_by_name() {
    let env = site();
    env.run(&["index", "docs", "-o", "site.dupidx", "-q"]).ok();
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
        for command in [&["index", "docs", "-o"][..], &["scan", "docs", "--index"]] {
            let run = env.run(&[command, &["site.dupidx"], args].concat());
            run.fails(part);
            assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        }
    }
    assert_eq!(content(&env), before);
}

#[test]
fn a_damaged_or_missing_index_is_refused_in_one_line() {
    let env = site();
    env.run(&["index", "info", "docs"])
        .fails("docs: it is no index");
    env.run(&["index", "info", "gone"])
        .fails("gone: there is no such index");
    env.run(&["index", "docs", "-o", "docs"])
        .fails("it is no index, and it is in the place of one");
    env.run(&["index", "docs"]).fails("which index is missing");
    env.run(&["index", "docs", "-o", "site.dupidx", "-q"]).ok();
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
            for args in [
                &["index", "check", "site.dupidx"][..],
                &["query", "site.dupidx", "docs/park.md"],
            ] {
                let run = env.run(args);
                assert_ne!(run.code, None, "{path:?} {at} {round}");
                assert_ne!(run.code, Some(101), "{path:?} {at} {round}: {}", run.stderr);
                // Only a check reads everything.
                if args[1] == "check" {
                    assert_eq!(run.code, Some(2), "{path:?} {at} {round}");
                    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
                }
            }
            fs::write(&path, &good).unwrap();
        }
    }
    whole(&env);
    let manifest = env.read("site.dupidx/manifest");
    env.write(
        "site.dupidx/manifest",
        manifest.replacen("index 6", "index 7", 1),
    );
    env.run(&["query", "site.dupidx", "docs/park.md"])
        .fails("site.dupidx: it is damaged");
}

#[cfg(unix)]
#[test]
fn a_full_disk_and_another_writer_leave_the_index_as_it_was() {
    let env = site();
    env.run(&["index", "docs", "-o", "site.dupidx", "-q"]).ok();
    let before = content(&env);
    for number in 0..40 {
        env.write(format!("docs/{number}.md"), words(number, 400));
    }
    // Files of at most 8 KB.
    let script = format!(
        "ulimit -f 16; exec '{}' index docs -o site.dupidx",
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
    env.run(&["index", "docs", "-o", "site.dupidx", "--reweigh", "-q"])
        .fails("is writing to the index");
    // Who reads does not wait.
    env.run(&["query", "site.dupidx", "docs/park.md", "-q"])
        .ok();
    drop(lock);
    whole(&env);
}

#[cfg(unix)]
#[test]
fn a_read_only_index_is_asked_and_not_written() {
    use std::os::unix::fs::PermissionsExt;

    let env = site();
    env.run(&["index", "docs", "-o", "site.dupidx", "-q"]).ok();
    let before = content(&env);
    let folder = env.path("site.dupidx");
    let set = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    let lock = folder.join("lock");
    set(0o555);
    env.write("docs/new.md", PARK_ZH);
    let is_root = fs::File::create(&lock).is_ok();
    if !is_root {
        env.run(&["index", "docs", "-o", "site.dupidx"])
            .fails("cannot lock site.dupidx/lock");
    }
    env.run(&["query", "site.dupidx", "docs/new.md", "-q"]).ok();
    set(0o755);
    assert_eq!(content(&env), before);
}

fn spawn(env: &Env) -> Child {
    let mut command = env.std_command(&["index", "docs", "-o", "site.dupidx", "-q", "--prune"]);
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
        let found = documents(&env);
        assert!(
            [before, now].contains(&found),
            "{kill}: {found} of {before} and {now}"
        );
        // The next one goes on.
        assert!(spawn(&env).wait().unwrap().success());
        assert_eq!(documents(&env), now, "{kill}");
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

#[test]
fn an_index_is_asked_and_not_compared_with() {
    let env = site();
    env.run(&["index", "docs", "-o", "site.dupidx", "-q"]).ok();
    env.run(&["scan", "docs", "--against", "site.dupidx"])
        .fails("'dupfind query site.dupidx DRAFT' compares a draft with it");
}
