//! Files that are no documents, arguments, and what other programs print.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;
use std::sync::LazyLock;

use crate::documents::words;
use crate::mutate::mutated;
use crate::random::Random;
use crate::run::{Fault, Site, words_of};
use crate::seeds;

/// How many runs a round makes.
const RUNS: usize = 6;

const SCAN: &str = "scan docs -j1 --detectors shingle --format json";

/// Some documents, two of them alike.
pub(crate) fn with_documents(site: &Site) {
    for name in ["a.md", "b.md", "sub/c.md"] {
        site.write(&format!("docs/{name}"), seeds::TEXT);
    }
    site.write("docs/d.jsonl", seeds::JSON_LINES);
}

/// Makes runs on one folder, each with one input: `run` puts it there and runs the program.
fn runs(
    site: &Site,
    random: &mut Random,
    run: impl Fn(&Site, &mut Random) -> Fault,
) -> (usize, Fault) {
    with_documents(site);
    let mut faults = (0..RUNS).map(|_| run(site, random));
    (RUNS, faults.find_map(|fault| fault))
}

/// A configuration that is found: it reaches nothing outside.
pub(crate) fn configuration(site: &Site, random: &mut Random) -> (usize, Fault) {
    let _ = symlink("../outside", site.path("link"));
    let _ = symlink("../../outside/secret.md", site.path("docs/link.md"));
    fs::create_dir_all(site.path(".git")).unwrap();
    site.write("list", seeds::LIST);
    runs(site, random, |site, random| {
        let seed = [seeds::CONFIG, seeds::CONFIG_FILES][random.below(2)];
        site.write("dupfind.toml", mutated(seed, words::TOML, random));
        match random.below(2) {
            0 => site.run(&["show", "--as", "fingerprint", "-j1"], b"", &[]),
            _ => site.run(&["scan", "-j1", "--detectors", "shingle"], b"", &[]),
        }
    })
}

pub(crate) fn ignore_files(site: &Site, random: &mut Random) -> (usize, Fault) {
    let names = [".gitignore", "docs/.ignore", "docs/sub/.dupfindignore"];
    let name = names[random.below(names.len())];
    runs(site, random, |site, random| {
        site.write(name, mutated(seeds::IGNORE, words::GLOBS, random));
        site.run(&words_of(SCAN), b"", &[])
    })
}

/// A baseline that the program has written, for checks and for updates.
pub(crate) fn baseline(site: &Site, random: &mut Random) -> (usize, Fault) {
    with_documents(site);
    let update = words_of("accept --all . -j1 --baseline accepted");
    let family = words_of("accept --family docs --reason why --baseline accepted");
    for args in [&update, &family] {
        if let Some(fault) = site.run(args, b"", &[]) {
            return (1, Some(fault));
        }
    }
    let right = fs::read(site.path("accepted")).unwrap();
    let words = r#"{¦"a":¦"b":¦"family":¦**¦{a,[!¦<<<<<<< x⏎¦=======⏎¦>>>>>>> y⏎¦"reason":¦"version":9¦null"#;
    let check = ["check", ".", "-j1", "--baseline", "accepted"];
    runs(site, random, |site, random| {
        site.write("accepted", mutated(&right, words, random));
        let args = match random.below(2) {
            0 => &update[..],
            _ => &check,
        };
        site.run(args, b"", &[])
    })
}

pub(crate) fn stream(site: &Site, random: &mut Random) -> (usize, Fault) {
    runs(site, random, |site, random| {
        let lines = mutated(seeds::JSON_LINES, words::JSON, random);
        let args = [&["--window", "9"][..], &[]][random.below(2)];
        let stream = ["dedup", "--stream", "--memory-limit", "16M"];
        site.run(&[&stream[..], args].concat(), &lines, &[])
    })
}

pub(crate) fn list(site: &Site, random: &mut Random) -> (usize, Fault) {
    runs(site, random, |site, random| {
        let list = mutated(seeds::LIST, "docs/¦␀¦..¦-", random);
        // A line that names a folder of the machine is obeyed: it would read all of it.
        let mut lines = list.split(|byte| b"\0\r\n".contains(byte));
        let leaves = |line: &[u8]| {
            let line = line.trim_ascii();
            line.starts_with(b"/") || line.windows(5).any(|part| part == b"../..")
        };
        if lines.any(leaves) {
            return None;
        }
        site.write("list", list);
        let args = [&words_of(SCAN)[..], &["--files-from", "list"]];
        site.run(&args.concat(), b"", &[])
    })
}

/// Values of options that are parsed.
pub(crate) fn arguments(site: &Site, random: &mut Random) -> (usize, Fault) {
    const OPTIONS: [(&str, &str); 14] = [
        ("--min-jaccard", "0.25"),
        ("--min-containment", "0.8"),
        ("--max-filesize", "16M"),
        ("--memory-limit", "64M"),
        ("--max-hamming", "3"),
        ("--shingle-size", "7"),
        ("--encoding", "gbk"),
        ("--glob", "docs/*.md"),
        ("--exclude", "!docs/{a,b}"),
        ("--text-field", "a.b"),
        ("--format", "csv=x.csv"),
        ("--within", "docs/{*}/"),
        ("--type-not", "md,code"),
        ("--show", "near,contains"),
    ];
    runs(site, random, |site, random| {
        let (option, value) = OPTIONS[random.below(OPTIONS.len())];
        let value = mutated(value.as_bytes(), words::GLOBS, random);
        // Bytes that no command line can hold.
        let value: String = String::from_utf8_lossy(&value).replace('\0', "");
        let value: String = value.chars().take(10_000).collect();
        // Files are written where the user wants them.
        let is_place = option == "--format" && value.contains("..");
        if is_place {
            return None;
        }
        let argument = format!("{option}={value}");
        let args = [&words_of(SCAN)[..5], &[&argument]].concat();
        site.run(&args, b"", &[])
    })
}

/// The answers of git, recorded once, and played again with something wrong in one of them.
pub(crate) fn git(site: &Site, random: &mut Random) -> (usize, Fault) {
    static REAL: LazyLock<bool> =
        LazyLock::new(|| Command::new("git").arg("version").output().is_ok());
    if !*REAL {
        return (0, None);
    }
    with_documents(site);
    site.write("docs/a.md", "changed");
    let git = |args: &[&str]| {
        let ran = Command::new("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@b.c"])
            .args(args)
            .env_remove("GIT_DIR")
            .env_remove("GIT_INDEX_FILE")
            .current_dir(site.path(""))
            .output();
        assert!(ran.unwrap().status.success(), "{args:?}");
    };
    git(&["init", "--quiet"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "-m", "x"]);
    site.write("docs/a.md", seeds::TEXT);
    site.write("docs/new \u{e9}\n.md", seeds::TEXT);
    site.write("docs/d.jsonl", seeds::CSV);
    // The number of a call is the number of its answer.
    let script = "#!/bin/sh\n\
        n=$(ls \"$CALLS\" | wc -l); : > \"$CALLS/$n\"\n\
        if [ -e \"$ANSWERS/$n\" ]; then cat >/dev/null; cat \"$ANSWERS/$n\"; exit 0; fi\n\
        PATH=$REAL_PATH git \"$@\" | tee \"$RECORDED/$n\"\n";
    let folder = site.path(".fake");
    for name in ["bin", "calls", "recorded", "answers"] {
        fs::create_dir_all(folder.join(name)).unwrap();
    }
    let fake = folder.join("bin/git");
    fs::write(&fake, script).unwrap();
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let real = std::env::var("PATH").unwrap();
    let (calls, recorded, answers) = (at("calls"), at("recorded"), at("answers"));
    let path = format!("{}:{real}", at("bin"));
    let variables = [
        ("PATH", path.as_str()),
        ("REAL_PATH", &real),
        ("CALLS", &calls),
        ("RECORDED", &recorded),
        ("ANSWERS", &answers),
    ];
    let args = ["check", ".", "-j1", "--since", "HEAD"];
    if let Some(fault) = site.run(&args, b"", &variables) {
        return (1, Some(fault));
    }
    let count = fs::read_dir(&recorded).unwrap().count();
    assert!(count > 0, "git is asked");
    for _ in 0..RUNS / 2 {
        for (name, at) in [("calls", &calls), ("answers", &answers)] {
            fs::remove_dir_all(at).unwrap();
            fs::create_dir(folder.join(name)).unwrap();
        }
        let broken = random.below(count);
        for call in 0..count {
            let mut answer = fs::read(folder.join("recorded").join(call.to_string())).unwrap();
            if call == broken {
                answer = mutated(
                    &answer,
                    "␀¦M␀¦R100␀¦@@ -1 +1,9 @@⏎¦@@ -99999999999 +0 @@¦../outside/secret.md␀",
                    random,
                );
            }
            fs::write(folder.join("answers").join(call.to_string()), answer).unwrap();
        }
        if let Some(fault) = site.run(&args, b"", &variables) {
            return (RUNS, Some(fault));
        }
    }
    (RUNS, None)
}

/// The file of an index.
pub(crate) fn index(site: &Site, random: &mut Random) -> (usize, Fault) {
    with_documents(site);
    let made = site.run(&words_of(INDEX), b"", &[]);
    let mut faults = (0..RUNS).map(|_| {
        let file = site.path("x.dupidx");
        let whole = fs::read(&file).unwrap();
        fs::write(&file, mutated(&whole, words::JSON, random)).unwrap();
        let asked = match random.below(2) {
            0 => "query docs docs/a.md --index x.dupidx --top 3 --detectors shingle",
            _ => INDEX,
        };
        let fault = site.run(&words_of(asked), b"", &[]);
        fs::write(&file, whole).unwrap();
        fault
    });
    (RUNS, made.or_else(|| faults.find_map(|fault| fault)))
}

const INDEX: &str = "scan docs --index x.dupidx -q --detectors shingle";
