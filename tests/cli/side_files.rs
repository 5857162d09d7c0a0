//! Whatever a run writes or reads beside the documents, with something else in its place: a link, a link that leads
//! nowhere, a pipe, a folder, a second name of another file. It is refused with a message, or the file is written and
//! nothing outside is touched. Nothing waits.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use dupfind_report::FORMATS;

use crate::env::{Env, PARK, PARK_EDITED, Run, table};

/// Things that may be in the place of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Attack {
    Link,
    DanglingLink,
    Fifo,
    Folder,
    HardLink,
}

const ATTACKS: [Attack; 5] = [
    Attack::Link,
    Attack::DanglingLink,
    Attack::Fifo,
    Attack::Folder,
    Attack::HardLink,
];

/// A run and the files that are attacked, below the folder `site` where it runs.
struct Row {
    /// The runs that make the files that the run needs, each as a line of arguments.
    before: &'static str,
    /// The configuration that is found, if there is one.
    config: &'static str,
    run: &'static str,
    attacked: &'static str,
}

fn rows() -> Vec<Row> {
    let formats = FORMATS
        .iter()
        .map(|format| format!("| | scan docs -q -f {} -o r | r\n", format.name));
    let named = FORMATS.iter().take(2);
    let named = named.map(|format| format!("| | scan docs -q -f {}=r | r\n", format.name));
    let others = "| output = 'r'        | scan docs -q                                | r
         | format = 'json=r'   | scan docs -q                                | r
         scan docs -q --index e.dupidx || scan docs more -q --index e.dupidx | e.dupidx
         scan docs -q --index e.dupidx | index = 'e.dupidx' | scan docs more -q | e.dupidx
         query docs docs/a.md -q --index e.dupidx || query docs more/d.md -q --index e.dupidx | e.dupidx
         || scan docs -q --index e.dupidx | e.dupidx
         accept --all docs -q --baseline b || accept --all docs more -q --baseline b | b b.lock
         accept --all docs -q --baseline b || check docs -q --baseline b | b b.lock
         accept --all docs -q --baseline b | baseline = 'b' | accept --all docs more -q | b b.lock
         accept --all more -q --baseline b || accept docs/a.md docs/b.md docs -q --reason x --baseline b | b b.lock
         || plan docs -q -o plan | plan
         plan docs -q -o plan || apply plan --delete --yes -q | plan .dupfind-apply.lock
         plan docs -q -o plan || apply plan --yes -q | plan plan.removed plan.removed/docs plan.removed/docs/c.md
         plan docs -q -o plan || apply plan --yes -q | plan.removed/.dupfind-removed.jsonl plan.removed/.gitignore
         plan docs -q -o plan & apply plan --yes -q || apply plan --undo -q | plan.removed plan.removed/docs docs/c.md
         plan docs -q -o plan & apply plan --yes -q || apply plan --undo -q | plan.removed/.dupfind-removed.jsonl plan.removed/.gitignore
         plan docs -q -o plan || apply plan --redirects {from}={to} -o l -q | l
         || dedup r.jsonl -q -o kept --verdicts v | kept v
         || dedup r.jsonl -q -o kept.jsonl.gz | kept.jsonl.gz
         || reuse docs -q -o r | r
         || show docs -o r | r
         || compare docs/a.md docs/b.md -o r | r";
    let text: String = formats.chain(named).chain([others.to_owned()]).collect();
    let row = |[before, config, run, attacked]: [&'static str; 4]| Row {
        before,
        config,
        run,
        attacked,
    };
    table(&text).into_iter().map(row).collect()
}

const RECORDS: &str = "{\"id\":1,\"text\":\"the ferry leaves the harbour at seven in the morning\"}\n\
                       {\"id\":2,\"text\":\"the ferry leaves the harbour at seven in the morning\"}\n";

fn run(env: &Env, args: &str) -> Run {
    let mut command = env.command(args);
    command.current_dir(env.path("site"));
    Run::of(
        command
            .write_stdin(RECORDS)
            .timeout(Duration::from_secs(60)),
    )
}

/// The files that must stay as they are: all that are outside of the folder.
fn outside(env: &Env) -> Vec<(PathBuf, String)> {
    let mut files: Vec<_> = ["", "precious"]
        .iter()
        .flat_map(|folder| fs::read_dir(env.path(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), fs::read_to_string(&path).unwrap_or_default()))
        .collect();
    files.sort();
    files
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// A folder with what the run needs.
fn prepared(row: &Row) -> Env {
    let env = Env::new()
        .file("victim", "mine")
        .file("precious/file", "mine")
        .folder("site/.git")
        .file("site/docs/a.md", PARK)
        .file("site/docs/b.md", PARK_EDITED)
        .file("site/docs/c.md", PARK)
        .file("site/more/d.md", format!("{PARK}More about it."))
        .file("site/r.jsonl", RECORDS);
    if !row.config.is_empty() {
        env.write("site/dupfind.toml", row.config);
    }
    for args in row.before.split(" & ").filter(|args| !args.is_empty()) {
        run(&env, args).went_well();
    }
    env
}

fn put(env: &Env, attack: Attack, name: &str) {
    let path = env.path("site").join(name);
    if path.is_dir() {
        fs::remove_dir_all(&path).unwrap();
    } else {
        let _ = fs::remove_file(&path);
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    match attack {
        Attack::Link => symlink(env.path("victim"), path).unwrap(),
        Attack::DanglingLink => symlink(env.path("nowhere"), path).unwrap(),
        Attack::Fifo => {
            let made = std::process::Command::new("mkfifo").arg(path).status();
            assert!(made.unwrap().success());
        }
        Attack::Folder => {
            fs::create_dir(&path).unwrap();
            fs::write(path.join("file"), "mine").unwrap();
        }
        Attack::HardLink => fs::hard_link(env.path("victim"), path).unwrap(),
    }
}

/// Runs a row under each attack. Returns the faults, and counts the cells.
fn attacked(row: &Row, cells: &AtomicUsize) -> Vec<String> {
    let ready = prepared(row);
    let fresh = || {
        // A list of files that went is of one folder.
        if row.run.contains("--undo") {
            return prepared(row);
        }
        let env = Env::new();
        copy(&ready.path(""), &env.path(""));
        env
    };
    let mut wrong = Vec::new();
    let usual = fresh();
    let run_of_usual = run(&usual, row.run);
    if !matches!(run_of_usual.code, Some(0 | 1)) {
        wrong.push(format!("{}: without an attack: {run_of_usual:?}", row.run));
    }
    for name in row.attacked.split(' ') {
        for attack in ATTACKS {
            cells.fetch_add(1, Ordering::Relaxed);
            let env = fresh();
            put(&env, attack, name);
            let before = outside(&env);
            let run = run(&env, row.run);
            let cell = format!("{} {:?} {attack:?} {name}", row.run, row.config);
            match run.code {
                Some(0 | 1) => {}
                Some(2) if !run.stderr.trim().is_empty() => {}
                _ => wrong.push(format!("{cell}: {run:?}")),
            }
            if outside(&env) != before {
                wrong.push(format!("{cell}: something outside is another one"));
            }
            let inner = env.path("site").join(name).join("file");
            let is_kept = fs::read_to_string(inner).is_ok_and(|text| text == "mine");
            if attack == Attack::Folder && !is_kept {
                wrong.push(format!("{cell}: the folder is another one"));
            }
        }
    }
    wrong
}

#[test]
fn nothing_is_written_or_waited_for_in_the_place_of_a_side_file() {
    let rows = Mutex::new(rows());
    let (cells, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        // Most of the time a run waits for the other end of a pipe.
        for _ in 0..32 {
            scope.spawn(|| {
                while let Some(row) = { rows.lock().unwrap().pop() } {
                    let found = attacked(&row, &cells);
                    wrong.lock().unwrap().extend(found);
                }
            });
        }
    });
    let (cells, wrong) = (cells.into_inner(), wrong.into_inner().unwrap());
    println!("{cells} cells, {} wrong", wrong.len());
    assert!(cells > 200, "{cells} cells");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
