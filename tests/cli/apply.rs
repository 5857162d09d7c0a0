//! `dupfind apply`: carries out a plan and undoes it, and loses nothing whenever it is ended.

use std::collections::BTreeMap;
use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use crate::env::{BREAD, Env, PARK, PARK_EDITED, Run};

const ALL: &str = "--drop=exact,near,contains";

/// The state of a file: its content, its mode and its time.
type State = (Vec<u8>, u32, SystemTime);

/// All files of a folder, with their paths from it on.
fn files(folder: &Path) -> BTreeMap<PathBuf, State> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            if metadata.is_dir() {
                folders.push(path);
                continue;
            }
            let content = match metadata.is_symlink() {
                true => fs::read_link(&path)
                    .unwrap()
                    .into_os_string()
                    .into_encoded_bytes(),
                false => fs::read(&path).unwrap(),
            };
            let below = path.strip_prefix(folder).unwrap().to_owned();
            found.insert(
                below,
                (content, mode(&metadata), metadata.modified().unwrap()),
            );
        }
    }
    found
}

#[cfg(unix)]
fn mode(metadata: &fs::Metadata) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions())
}

#[cfg(not(unix))]
fn mode(metadata: &fs::Metadata) -> u32 {
    u32::from(metadata.permissions().readonly())
}

/// Pages with two copies and a revision, each with a time and a mode of its own, and their plan.
fn site() -> Env {
    let env = Env::new()
        .file("docs/a.md", PARK)
        .file("docs/bread.md", BREAD)
        .file("docs/copy.md", PARK)
        .file("docs/guide/edited.md", PARK_EDITED)
        .file("docs/upper.md", PARK.to_uppercase());
    for (number, name) in ["a", "bread", "copy", "guide/edited", "upper"]
        .iter()
        .enumerate()
    {
        let path = env.path(format!("docs/{name}.md"));
        let file = File::options().write(true).open(&path).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::new(1_000_000 + number as u64, 123_456_000);
        file.set_times(FileTimes::new().set_modified(time)).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = [0o644, 0o600, 0o640, 0o755, 0o444][number];
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
    }
    env.run(&[
        "plan",
        "docs",
        ALL,
        "--keep",
        "path",
        "-o",
        "plan.jsonl",
        "--quiet",
    ])
    .ok();
    env
}

fn apply(env: &Env, args: &[&str]) -> Run {
    env.run(&[&["apply", "plan.jsonl"], args].concat())
}

fn went_well(run: &Run) {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn without_yes_nothing_is_touched_and_prose_is_printed() {
    let env = site();
    let before = files(Path::new(env.root()));
    for (args, part) in [
        (&[][..], "docs/copy.md would go for docs/a.md"),
        (
            &["--delete"],
            "docs/copy.md would be deleted; docs/a.md stays for it",
        ),
        (
            &["--move", "old"],
            "docs/copy.md would be moved to old/docs/copy.md",
        ),
    ] {
        let run = apply(&env, args);
        went_well(&run);
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
        assert!(run.stderr.contains("nothing was touched"), "{}", run.stderr);
        // Nothing that a shell could run.
        for line in run.stderr.lines() {
            assert!(line.starts_with("dupfind: "), "{line}");
        }
        assert_eq!(files(Path::new(env.root())), before, "{args:?}");
    }
}

#[test]
fn changes_are_undone_with_every_byte_mode_and_time() {
    for args in [&["--delete"][..], &["--move", "../removed"]] {
        let env = site();
        let before = files(&env.path("docs"));
        let done = apply(&env, &[&["--yes"], args].concat());
        went_well(&done);
        assert!(
            done.stderr
                .contains("dupfind apply --undo plan.jsonl.undo undoes it"),
            "{}",
            done.stderr
        );
        let after = files(&env.path("docs"));
        assert_ne!(after, before, "{args:?}");
        // Files that were not named are untouched.
        let untouched = Path::new("bread.md");
        assert_eq!(after[untouched], before[untouched], "{args:?}");
        // Nothing is left to be done, and no journal is a document.
        let again = env.run(&["plan", ".", ALL, "--keep", "path", "--glob", "!plan.jsonl"]);
        assert_eq!(again.stdout.lines().count(), 1, "{}", again.stdout);
        went_well(&apply(&env, &[&["--yes"], args].concat()));
        let undone = env.run(&["apply", "--undo", "plan.jsonl.undo"]);
        went_well(&undone);
        assert_eq!(
            files(&env.path("docs")),
            before,
            "{args:?}: {}",
            undone.stderr
        );
        assert!(!env.path("plan.jsonl.undo").exists());
        fs::remove_dir_all(env.path("../removed")).ok();
    }
}

#[test]
fn a_file_that_was_changed_is_left_alone() {
    let env = site();
    env.write("docs/copy.md", "another text, written since");
    let run = apply(&env, &["--delete", "--yes"]);
    run.complains("docs/copy.md was changed since the plan was made");
    assert_eq!(env.read("docs/copy.md"), "another text, written since");
    assert!(!env.path("docs/guide/edited.md").exists());
    // The one that stays must be unchanged, too.
    let env = site();
    env.write("docs/a.md", "another text, written since");
    let before = files(&env.path("docs"));
    apply(&env, &["--delete", "--yes"]).complains("docs/a.md was changed since");
    assert_eq!(files(&env.path("docs")), before);
    // A plan that contradicts itself is not carried out at all.
    let env = site();
    let text = env.read("plan.jsonl");
    env.write(
        "plan.jsonl",
        format!("{text}{}\n", text.lines().nth(1).unwrap()),
    );
    let before = files(&env.path("docs"));
    apply(&env, &["--delete", "--yes"])
        .complains("plan.jsonl contradicts itself: nothing was done");
    assert_eq!(files(&env.path("docs")), before);
}

#[test]
fn undo_does_not_replace_what_came_since() {
    let env = site();
    went_well(&apply(&env, &["--delete", "--yes"]));
    env.write("docs/copy.md", "a new page");
    let undone = env.run(&["apply", "--undo", "plan.jsonl.undo"]);
    undone.complains("docs/copy.md: something else is there now, and stays");
    assert_eq!(env.read("docs/copy.md"), "a new page");
    assert_eq!(env.read("docs/guide/edited.md"), PARK_EDITED);
    // Once the way is free, it is restored. The files that others put into the folder stay.
    fs::remove_file(env.path("docs/copy.md")).unwrap();
    env.write("plan.jsonl.undo/mine", "mine");
    let undone = env.run(&["apply", "--undo", "plan.jsonl.undo"]);
    undone.complains("cannot remove plan.jsonl.undo");
    assert_eq!(env.read("docs/copy.md"), PARK);
    let left = files(&env.path("plan.jsonl.undo"));
    assert!(left.into_keys().eq([Path::new("mine")]));
    env.run(&["apply", "--undo", "plan.jsonl.undo"])
        .fails("cannot read the journal");
}

#[test]
fn a_file_is_not_moved_to_where_another_one_is() {
    let env = site().file("away/docs/copy.md", "of somebody else");
    let before = files(&env.path("docs"));
    for args in [&["--move", "away"][..], &["--move", "away", "--yes"]] {
        apply(&env, args)
            .fails("away/docs/copy.md is there already, and is not replaced; nothing was done");
    }
    assert_eq!(files(&env.path("docs")), before);
    assert_eq!(env.read("away/docs/copy.md"), "of somebody else");
}

#[test]
fn exchanged_names_lose_no_line_unseen() {
    let with = format!("---\nowner: ann\n---\n{PARK}");
    let env = Env::new().file("a.md", &with).file("b.md", PARK);
    env.run(&["plan", "--keep", "path", "-o", "plan.jsonl", "-q"])
        .ok();
    let swapped = env.read("plan.jsonl").replace(
        r#""keep":"a.md","drop":"b.md""#,
        r#""keep":"b.md","drop":"a.md""#,
    );
    env.write("plan.jsonl", &swapped);
    let words = "1 of these files has lines that the one that stays does not have";
    let run = apply(&env, &["--delete"]);
    assert!(run.stderr.contains(words), "{}", run.stderr);
}

/// In the place of the file there is something without content to compare: a link that leads nowhere.
#[cfg(unix)]
#[test]
fn undo_does_not_replace_links() {
    for args in [&["--delete"][..], &["--move", "old"]] {
        let env = site();
        went_well(&apply(&env, &[&["--yes"], args].concat()));
        let env = env.link("docs/copy.md", "nowhere");
        let undone = env.run(&["apply", "--undo", "plan.jsonl.undo"]);
        undone.complains("docs/copy.md: something else is there now");
        let link = fs::read_link(env.path("docs/copy.md"));
        assert_eq!(link.unwrap(), Path::new("nowhere"), "{args:?}");
        fs::remove_file(env.path("docs/copy.md")).unwrap();
        went_well(&env.run(&["apply", "--undo", "plan.jsonl.undo"]));
        assert_eq!(env.read("docs/copy.md"), PARK);
    }
}

#[cfg(unix)]
#[test]
fn nothing_goes_through_a_link_of_a_folder() {
    // The folder with a page became a link since.
    let env = site().folder("aside");
    fs::rename(env.path("docs/guide"), env.path("aside/guide")).unwrap();
    let env = env.link("docs/guide", "../aside/guide");
    let before = files(Path::new(env.root()));
    for args in [&["--delete"][..], &["--move", "old"]] {
        let run = apply(&env, &[&["--yes"], args].concat());
        run.fails("plan.jsonl: docs/guide is a symbolic link: no file is changed through it");
        assert_eq!(files(Path::new(env.root())), before);
    }
    // A folder that pages move to is one.
    let env = site().folder("aside").link("old/docs", "../aside");
    apply(&env, &["--move", "old", "--yes"]).fails("old/docs is a symbolic link");
    assert_eq!(files(&env.path("aside")).len(), 0);
    assert!(env.path("docs/copy.md").exists());
    // It became one when the page had moved.
    let env = site().folder("aside");
    went_well(&apply(&env, &["--move", "old", "--yes"]));
    fs::remove_dir(env.path("docs/guide")).unwrap();
    let env = env.link("docs/guide", "../aside");
    env.run(&["apply", "--undo", "plan.jsonl.undo"])
        .complains("docs/guide is a symbolic link");
    assert_eq!(files(&env.path("aside")).len(), 0);
    assert_eq!(env.read("old/docs/guide/edited.md"), PARK_EDITED);
}

#[test]
fn files_outside_of_the_folder_are_changed_only_if_it_was_named() {
    let env = Env::new()
        .file("here/x.md", BREAD)
        .file("site/a.md", PARK)
        .file("site/copy.md", PARK);
    let run = |args: &[&str]| env.run_in("here", args);
    let plan = [
        "plan",
        "../site",
        "--keep",
        "path",
        "-o",
        "plan.jsonl",
        "-q",
    ];
    run(&plan).ok();
    for args in [
        &["--delete", "--yes"][..],
        &["--delete"],
        &["--move", "old", "--yes"],
        &["--delete", "--yes", "--root", "../sit"],
    ] {
        let refused = run(&[&["apply", "plan.jsonl"], args].concat());
        refused.fails(
            "../site/copy.md is not below a folder whose files may be changed; --root names",
        );
        assert_eq!(env.read("site/copy.md"), PARK);
    }
    let done = run(&[
        "apply",
        "plan.jsonl",
        "--delete",
        "--yes",
        "--root",
        "../site",
    ]);
    went_well(&done);
    let undo = "dupfind apply --undo plan.jsonl.undo --root ../site undoes it";
    assert!(done.stderr.contains(undo), "{}", done.stderr);
    assert!(!env.path("site/copy.md").exists());
    run(&["apply", "--undo", "plan.jsonl.undo"]).complains("--root names the folder");
    went_well(&run(&[
        "apply",
        "--undo",
        "plan.jsonl.undo",
        "--root",
        "../site",
    ]));
    assert_eq!(env.read("site/copy.md"), PARK);
}

#[test]
fn a_journal_of_another_folder_is_undone_only_if_it_is_named() {
    let env = site();
    went_well(&apply(&env, &["--delete", "--yes"]));
    let env = env.folder("here");
    let undo = ["apply", "--undo", "../plan.jsonl.undo"];
    env.run_in("here", &undo)
        .fails("run this there, or with --root");
    assert!(!env.path("docs/copy.md").exists());
    let named = [&undo[..], &["--root", env.root()]].concat();
    went_well(&env.run_in("here", &named));
    assert_eq!(env.read("docs/copy.md"), PARK);
}

#[test]
fn one_run_at_a_time_changes_the_files_of_a_folder() {
    let env = site();
    let before = files(&env.path("docs"));
    // The lock of a run that goes on. It is given back by name: a program that another test starts
    // just now has the open file too, for a moment.
    let lock = env.path(".dupfind-apply.lock");
    let held = File::create(&lock).unwrap();
    held.lock().unwrap();
    let run = apply(&env, &["--delete", "--yes"]);
    run.fails("another dupfind apply changes files of");
    assert_eq!(files(&env.path("docs")), before);
    held.unlock().unwrap();
    went_well(&apply(&env, &["--delete", "--yes"]));
    assert!(!lock.exists());
    let held = File::create(&lock).unwrap();
    held.lock().unwrap();
    env.run(&["apply", "--undo", "plan.jsonl.undo"])
        .fails("another dupfind apply changes files of");
    held.unlock().unwrap();
    went_well(&env.run(&["apply", "--undo", "plan.jsonl.undo"]));
    assert_eq!(files(&env.path("docs")), before);
}

#[test]
fn opposite_plans_at_once_leave_one_of_each_pair() {
    // The folders of two runs, what their paths begin with, and what else is named.
    let root = (".", "docs/", vec![]);
    let below = ("docs", "", vec![]);
    let beside = ("other", "../docs/", vec!["--root", "../docs"]);
    for [one, two] in [
        [&root, &root],
        [&root, &below],
        [&below, &root],
        [&root, &beside],
        [&beside, &below],
    ] {
        let env = Env::new().folder("other");
        for number in 0..100 {
            let page = format!("{BREAD}\nPage {number}: {}", "word ".repeat(number));
            env.write(format!("docs/x/{number}.md"), &page);
            env.write(format!("docs/y/{number}.md"), &page);
        }
        let plans = [(one, "x.jsonl", "in:docs/x"), (two, "y.jsonl", "in:docs/y")];
        for ((folder, path, _), plan, keep) in plans {
            env.run(&["plan", "docs", "--keep", keep, "-o", plan, "-q"])
                .ok();
            let made = env.read(plan).replace("\"docs/", &format!("\"{path}"));
            env.write(Path::new(folder).join(plan), made);
        }
        let runs = plans.map(|((folder, _, named), plan, _)| {
            let args = [&["apply", plan, "--delete", "--yes", "-q"], &named[..]].concat();
            let mut command = env.std_command(&args);
            command.current_dir(env.path(folder)).stderr(Stdio::null());
            command.spawn().unwrap()
        });
        for mut run in runs {
            run.wait().unwrap();
        }
        let is_there = |number: &usize| {
            let mut pages = ["x", "y"].map(|folder| env.path(format!("docs/{folder}/{number}.md")));
            pages.iter_mut().filter(|page| page.exists()).count() == 1
        };
        let wrong: Vec<usize> = (0..100).filter(|number| !is_there(number)).collect();
        assert!(wrong.is_empty(), "{one:?} {two:?}: {wrong:?}");
    }
}

#[test]
fn no_run_begins_above_the_folder_of_another_one() {
    let env = site();
    let before = files(&env.path("docs"));
    // The lock of a run in a folder below.
    let held = File::open(env.path("")).unwrap();
    held.lock_shared().unwrap();
    let run = apply(&env, &["--delete", "--yes"]);
    run.fails("another dupfind apply changes files of");
    assert_eq!(files(&env.path("docs")), before);
}

#[test]
fn redirects_of_what_was_done_are_printed_too() {
    let env = site();
    let redirects = ["--redirects", "netlify", "--site-root", "docs"];
    let before = apply(&env, &redirects);
    assert_eq!(before.stdout.lines().count(), 3);
    went_well(&apply(&env, &["--move", "old", "--yes"]));
    let after = apply(&env, &redirects);
    assert_eq!(after.stdout, before.stdout);
    assert!(!after.stderr.contains("still there"), "{}", after.stderr);
    // The journal has it too, also when the plan is gone.
    let of_journal = env.run(&[&["apply", "plan.jsonl.undo"], &redirects[..]].concat());
    assert_eq!(of_journal.stdout, before.stdout);
    // A page that was written since has its own address.
    env.write("docs/copy.md", "A new page.");
    let new = apply(&env, &redirects);
    assert_eq!(new.stdout, "/guide/edited/ /a/ 301\n/upper/ /a/ 301\n");
    let own = ["--redirects", "{from:json} => {to}", "--site-root", "docs"];
    assert_eq!(
        apply(&env, &own).stdout,
        "\"/guide/edited/\" => /a/\n\"/upper/\" => /a/\n"
    );
    apply(&env, &["--redirects", "nginz"]).fails("netlify, nginx, apache");
}

#[test]
fn a_redirect_from_a_page_that_was_left_alone_is_warned_of() {
    let env = site();
    let redirects = ["--redirects", "netlify", "--site-root", "docs"];
    let copy = env.read("docs/copy.md");
    env.write("docs/copy.md", "Changed since the plan was made.");
    apply(&env, &["--move", "old", "--yes"]);
    env.write("docs/copy.md", copy);
    let run = apply(&env, &redirects);
    assert_eq!(run.stdout.lines().count(), 3);
    let warning = "docs/copy.md is still there: its redirect to docs/a.md would hide it";
    assert_eq!(run.stderr.matches("still there").count(), 1);
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    // A page without a redirect is not hidden.
    let elsewhere = ["--redirects", "netlify", "--site-root", "docs/guide"];
    let run = apply(&env, &elsewhere);
    assert!(run.stderr.contains("no redirect"), "{}", run.stderr);
    assert!(!run.stderr.contains("still there"), "{}", run.stderr);
    // The journal has the other two.
    let of_journal = env.run(&[&["apply", "plan.jsonl.undo"], &redirects[..]].concat());
    assert_eq!(of_journal.ok().lines().count(), 2);
    // The next run moves the page.
    let run = apply(
        &env,
        &[&redirects[..], &["--move", "old", "--yes"]].concat(),
    );
    assert!(!env.path("docs/copy.md").exists());
    assert!(!run.stderr.contains("still there"), "{}", run.stderr);
}

#[test]
fn redirects_are_for_other_programs() {
    let env = site();
    let run = apply(&env, &["--redirects", "netlify", "--site-root", "docs"]);
    assert_eq!(
        run.stdout,
        "/copy/ /a/ 301\n/guide/edited/ /a/ 301\n/upper/ /a/ 301\n"
    );
    let run = apply(
        &env,
        &["--redirects", "apache", "--site-root", "docs/guide"],
    );
    assert_eq!(run.stdout, "");
    assert!(
        run.stderr.contains("docs/copy.md: no redirect"),
        "{}",
        run.stderr
    );
    for (args, part) in [
        (&["--delete", "--move", "x"][..], "cannot be used with"),
        (&["--undo", "x"], "cannot be used with"),
    ] {
        apply(&env, args).fails(part);
    }
    env.run(&["apply"]).fails("PLAN");
    env.run(&["apply", "none.jsonl"])
        .fails("cannot read the plan");
}

/// How often the program is ended: a few times, or as often as a variable of the environment wants.
fn kills() -> u32 {
    let asked = std::env::var("DUPFIND_KILLS").ok();
    asked.and_then(|kills| kills.parse().ok()).unwrap_or(6)
}

#[test]
fn ended_at_any_moment_nothing_is_lost() {
    let env = Env::new();
    for number in 0..30 {
        let page = format!(
            "{BREAD}\nPage {number}: {}",
            PARK.replace("maples", &format!("maple{number}s"))
        );
        env.write(format!("docs/{number}.md"), &page);
        env.write(format!("docs/copies/{number}.md"), &page);
        let link = format!(
            "[{number}](../copies/{number}.md) and nothing that is said twice: {number}{number}\n"
        );
        env.write(format!("docs/links/{number}.md"), link);
    }
    env.run(&[
        "plan",
        "docs",
        "--keep",
        "shortest-path",
        "-o",
        "plan.jsonl",
        "--quiet",
    ])
    .ok();
    assert_eq!(env.read("plan.jsonl").lines().count(), 61);
    let before = files(&env.path("docs"));
    let kinds: [&[&str]; 2] = [&["--delete", "--rewrite-links"], &["--move", "removed"]];
    let mut longest = Duration::from_millis(20);
    let mut ended_within = 0;
    for number in 0..kills() {
        let args = [
            &["apply", "plan.jsonl", "--yes", "--quiet"],
            kinds[number as usize % 2],
        ]
        .concat();
        let start = Instant::now();
        let mut child = env
            .std_command(&args)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        if number >= 3 {
            // Spread over the whole run, by the golden ratio.
            let share = f64::from(number) * 0.618_034 % 1.0;
            sleep(longest.mul_f64(share));
            let _ = child.kill();
        }
        let status = child.wait().unwrap();
        if number < 3 {
            longest = longest.max(start.elapsed());
        }
        ended_within += u32::from(!status.success());
        let now = files(&env.path("docs"));
        for (path, (content, ..)) in &before {
            // Each file is as it was or as it was to become, or its content is where it was to go.
            let is_there = now
                .get(path)
                .is_some_and(|(now, ..)| now == content || now.ends_with(content));
            let moved = env.path("removed").join("docs").join(path);
            let is_kept = is_there || fs::read(&moved).is_ok_and(|moved| &moved == content) || {
                let kept = files(&env.path("plan.jsonl.undo"));
                kept.values().any(|(kept, ..)| kept == content)
            };
            assert!(is_kept, "{number}: {}", path.display());
        }
        if env.path("plan.jsonl.undo").exists() {
            went_well(&env.run(&["apply", "--undo", "plan.jsonl.undo"]));
        }
        assert_eq!(files(&env.path("docs")), before, "{number} {args:?}");
    }
    assert!(
        kills() < 100 || ended_within > kills() / 3,
        "{ended_within}"
    );
}
