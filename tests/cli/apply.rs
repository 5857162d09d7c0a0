//! `dupfind apply`: carries out a plan and undoes it, and loses nothing whenever it is ended.

use std::collections::BTreeMap;
use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use crate::env::{Args, BREAD, Env, PARK, PARK_EDITED, Run, Says, table};

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
    let env = Env::of(
        "PARK: docs/a.md docs/copy.md; BREAD: docs/bread.md; PARK_EDITED: docs/guide/edited.md",
    )
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
    plan(&env);
    env
}

/// Writes the plan of all pages.
fn plan(env: &Env) {
    let words = ["plan", "docs", ALL, "--keep", "path", "-o", "plan.jsonl"];
    env.run((words, "-q")).ok();
}

fn apply(env: &Env, args: impl Args) -> Run {
    env.run(("apply plan.jsonl", args))
}

#[test]
fn without_yes_nothing_is_touched_and_prose_is_printed() {
    let env = site();
    let before = files(Path::new(env.root()));
    for [args, part, end] in table(
        " | docs/copy.md would be moved to plan.removed/docs/copy.md; docs/a.md stays for it | nothing was touched; --yes does it
         --to old | docs/copy.md would be moved to old/docs/copy.md | nothing was touched; --yes does it
         --delete | docs/copy.md would be deleted; docs/a.md stays for it | --yes does it, and nothing brings these files back",
    ) {
        let run = apply(&env, args);
        run.went_well();
        run.says(part);
        run.says(end);
        // Nothing that a shell could run.
        for line in run.stderr.lines() {
            line.begins("dupfind: ");
        }
        assert_eq!(files(Path::new(env.root())), before, "{args:?}");
    }
}

/// A folder on another file system, if the machine has one.
#[cfg(unix)]
fn elsewhere() -> Option<tempfile::TempDir> {
    use std::os::unix::fs::MetadataExt;
    let folder = tempfile::tempdir_in("/dev/shm").ok()?;
    let device = |path: &Path| fs::metadata(path).unwrap().dev();
    (device(folder.path()) != device(&std::env::temp_dir())).then_some(folder)
}

#[cfg(not(unix))]
fn elsewhere() -> Option<tempfile::TempDir> {
    None
}

#[test]
fn files_move_and_move_back_with_every_byte_mode_and_time() {
    let other = elsewhere();
    let other = other.iter().map(|folder| folder.path().to_str().unwrap());
    for to in ["plan.removed", "some/where"].into_iter().chain(other) {
        let args = match to {
            "plan.removed" => String::new(),
            to => format!(" --to {to}"),
        };
        let env = site();
        let before = files(Path::new(env.root()));
        let done = apply(&env, ("--yes", &args));
        done.went_well();
        let words =
            format!("3 files moved to {to}; dupfind apply plan.jsonl --undo{args} moves them back");
        done.says(&words);
        let after = files(&env.path("docs"));
        assert!(
            after
                .into_keys()
                .eq(["a.md", "bread.md"].map(PathBuf::from))
        );
        let away = files(&env.path(to));
        for name in ["docs/copy.md", "docs/guide/edited.md", "docs/upper.md"] {
            let name = Path::new(name);
            assert_eq!(away[name], before[name], "{to}");
        }
        // Nothing is left to be done.
        apply(&env, ("--yes", &args)).went_well();
        let undo = ("apply plan.jsonl --undo", &args);
        let undone = env.run(undo);
        undone.went_well();
        assert_eq!(files(Path::new(env.root())), before, "{to}");
        assert!(!env.path(to).exists());
        env.run(undo).fails("there is nothing to undo: ");
    }
}

#[test]
fn no_scan_reads_files_that_went() {
    let env = site();
    apply(&env, "--yes --to docs/old").went_well();
    let all = ["docs/a.md", "docs/bread.md"];
    env.write(".dupfindignore", "!*.md\n");
    for options in ["", "--no-ignore --hidden", "--glob *.md"] {
        assert_eq!(env.names(("docs", options)), all);
    }
    // A shell names it, as in `dupfind docs/*`.
    let run = env.run("scan docs/old docs/a.md -f json");
    run.warns("docs/old: not read: dupfind apply has moved its files there");
    run.stdout.says("\"documents\":1,");
    env.git("init --quiet");
    let status = env.git("status --porcelain --untracked-files=all");
    status.omits("old");
}

#[test]
fn what_is_deleted_is_gone() {
    let env = site();
    let run = apply(&env, "--delete --yes");
    run.went_well();
    run.says("3 files deleted; nothing brings them back but git");
    assert!(!env.path("docs/copy.md").exists());
    apply(&env, "--undo").fails("there is nothing to undo: plan.removed");
}

#[test]
fn a_file_that_was_changed_is_left_alone() {
    for kind in [&["--yes", "--delete"][..], &["--yes"]] {
        let env = site();
        env.write("docs/copy.md", "another text, written since");
        apply(&env, kind).complains("docs/copy.md was changed since the plan was made");
        assert_eq!(env.read("docs/copy.md"), "another text, written since");
        assert!(!env.path("docs/guide/edited.md").exists());
        // The one that stays must be unchanged, too.
        let env = site();
        env.write("docs/a.md", "another text, written since");
        let before = files(&env.path("docs"));
        apply(&env, kind).complains("docs/a.md was changed since");
        assert_eq!(files(&env.path("docs")), before);
        // A plan that contradicts itself is not carried out at all.
        let env = site();
        let text = env.read("plan.jsonl");
        let content = format!("{text}{}\n", text.lines().nth(1).unwrap());
        env.write("plan.jsonl", content);
        let before = files(Path::new(env.root()));
        apply(&env, kind).complains("plan.jsonl contradicts itself: nothing was done");
        assert_eq!(files(Path::new(env.root())), before);
    }
}

#[test]
fn undo_does_not_replace_what_came_since() {
    let env = site();
    apply(&env, "--yes").went_well();
    env.write("docs/copy.md", "a new page");
    let undone = apply(&env, "--undo");
    undone.complains("docs/copy.md: something else is there now; it is still at plan.removed/docs");
    assert_eq!(env.read("docs/copy.md"), "a new page");
    assert_eq!(env.read("docs/guide/edited.md"), PARK_EDITED);
    // Once the way is free, it is restored. The files that others put into the folder stay.
    fs::remove_file(env.path("docs/copy.md")).unwrap();
    env.write("plan.removed/mine", "mine");
    apply(&env, "--undo").went_well();
    assert_eq!(env.read("docs/copy.md"), PARK);
    let left = files(&env.path("plan.removed"));
    assert!(left.into_keys().eq([Path::new("mine")]));
}

#[test]
fn what_is_moved_back_has_the_hash_of_the_list() {
    let env = site();
    apply(&env, "--yes").went_well();
    env.write("plan.removed/docs/copy.md", "another text");
    apply(&env, "--undo").complains("docs/copy.md: it was changed at plan.removed/docs/copy.md");
    assert!(!env.path("docs/copy.md").exists());
    assert_eq!(env.read("docs/guide/edited.md"), PARK_EDITED);
    fs::remove_file(env.path("plan.removed/docs/copy.md")).unwrap();
    apply(&env, "--undo").complains("docs/copy.md: it is not at plan.removed/docs/copy.md");
}

#[test]
fn a_file_is_not_moved_to_where_another_one_is() {
    let env = site();
    apply(&env, "--yes").went_well();
    // One that was made since, as another text, and its plan.
    env.write("docs/copy.md", format!("{PARK}\nA line more.\n"));
    plan(&env);
    let before = files(Path::new(env.root()));
    for args in ["", "--yes"] {
        apply(&env, args)
            .fails("plan.removed/docs/copy.md is there already, and is not replaced: name another");
    }
    // Folders of somebody else.
    for to in ["docs", ".", ".."] {
        apply(&env, ["--yes", "--to", to]).fails("has other files: name a new folder with --to");
    }
    apply(&env, "--yes --to docs/a.md").fails("is no folder");
    assert_eq!(files(Path::new(env.root())), before);
    apply(&env, "--yes --to again").went_well();
    apply(&env, "--undo --to again").went_well();
    assert_eq!(files(Path::new(env.root())), before);
}

#[cfg(unix)]
#[test]
fn nothing_goes_through_a_link_of_a_folder() {
    // The folder with a page became a link since.
    let env = site().folder("aside");
    fs::rename(env.path("docs/guide"), env.path("aside/guide")).unwrap();
    let env = env.link("docs/guide", "../aside/guide");
    let before = files(Path::new(env.root()));
    for args in ["--delete", "--to old"] {
        let run = apply(&env, ("--yes", &args));
        run.fails("docs/guide/edited.md: a link is on the way, and no link is followed");
        assert_eq!(files(Path::new(env.root())), before);
    }
    // A folder that pages move to is one.
    let env = site();
    apply(&env, "--yes").went_well();
    apply(&env, "--undo").went_well();
    let env = site().folder("aside").link("plan.removed", "aside");
    let refused = "plan.removed is a link, and no link is followed: --to plan.removed names it";
    for args in ["--yes", "--undo"] {
        apply(&env, [args]).fails(refused);
    }
    // The user may name one.
    apply(&env, "--yes --to plan.removed").went_well();
    assert_eq!(env.read("aside/docs/copy.md"), PARK);
    apply(&env, "--undo --to plan.removed").went_well();
    assert_eq!(env.read("docs/copy.md"), PARK);
    // Folders became links when the pages had moved.
    let env = site().folder("aside");
    apply(&env, "--yes").went_well();
    fs::remove_dir(env.path("docs/guide")).unwrap();
    let env = env.link("docs/guide", "../aside");
    apply(&env, "--undo").complains("docs/guide/edited.md: a link is on the way");
    assert_eq!(files(&env.path("aside")).len(), 0);
    assert_eq!(env.read("plan.removed/docs/guide/edited.md"), PARK_EDITED);
    fs::remove_file(env.path("docs/guide")).unwrap();
    fs::rename(env.path("plan.removed/docs/guide"), env.path("aside/guide")).unwrap();
    let env = env.link("plan.removed/docs/guide", "../../aside/guide");
    apply(&env, "--undo").complains("plan.removed/docs/guide/edited.md: a link is on the way");
    assert!(!env.path("docs/guide").exists());
}

/// The hash of a file as plans have it.
fn hash(text: &str) -> String {
    dupfind_decide::clean::plan::line::bytes_hash(text.as_bytes())
}

#[test]
fn only_files_below_the_current_folder_are_touched() {
    let env = Env::of(
        "BREAD: here/x.md; PARK: here/a.md here/.git/hooks/commit-msg here/sub/.GIT/config site/copy.md",
    );
    let before = files(Path::new(env.root()));
    let absolute = env.path("site/copy.md").display().to_string();
    for (path, why) in [
        ("../site/copy.md", "it is not below "),
        ("sub/../../site/copy.md", "it is not below "),
        (&absolute, "it is not below "),
        (".git/hooks/commit-msg", "it is in a folder .git"),
        ("./sub/.GIT/config", "it is in a folder .git"),
    ] {
        let hash = hash(PARK);
        let line = serde_json::json!({
            "type": "drop", "keep": "a.md", "drop": path, "relation": "exact", "keep_hash": hash, "drop_hash": hash,
        });
        let plan = env.path("plan.jsonl").display().to_string();
        env.write("plan.jsonl", line.to_string());
        for kind in [&["--delete"][..], &["--to", "old"], &[]] {
            let args = [&["apply", &plan, "--yes"], kind].concat();
            env.run_in("here", &args).fails(why);
        }
        fs::remove_file(env.path("plan.jsonl")).unwrap();
        assert_eq!(files(Path::new(env.root())), before, "{path}");
    }
    // An absolute path that is below it is one like others.
    let here = env.path("here").display().to_string();
    let env = env.file("here/b.md", PARK);
    env.run(("plan --keep path -q -o p", [&here])).ok();
    let below = format!("{}/here/", env.root());
    env.write("here/p", env.read("p").replace("here/", &below));
    env.run_in("here", "apply p --yes").went_well();
    assert_eq!(env.read("here/p.removed/b.md"), PARK);
}

#[test]
fn a_list_from_somebody_else_writes_nothing_elsewhere() {
    let env = Env::new().file("here/plan.jsonl", "").folder("aside");
    let evil = "#!/bin/sh\necho evil\n";
    let here = env.path("here").display().to_string();
    let absolute = env.path("aside/x").display().to_string();
    for (root, path, why) in [
        (&*here, ".git/hooks/pre-commit", "it is in a folder .git"),
        (
            &here,
            "docs/.Git/hooks/pre-commit",
            "it is in a folder .git",
        ),
        (&here, "../aside/x", "it is not below "),
        (&here, &absolute, "it is not below "),
        (".", "x", "has files of .: run this there"),
        ("/elsewhere", "x", "has files of /elsewhere: run this there"),
    ] {
        let header = serde_json::json!({"type": "removed", "schema_version": 1, "root": root});
        let moved = serde_json::json!({"type": "moved", "path": path, "hash": hash(evil)});
        let text = format!("{header}\n{moved}\n");
        env.write("here/plan.removed/.dupfind-removed.jsonl", text);
        let name = Path::new("here/plan.removed").join(path);
        if !path.starts_with("..") && path != absolute {
            env.write(&name, evil);
        }
        let before = files(Path::new(env.root()));
        env.run_in("here", "apply plan.jsonl --undo").complains(why);
        assert_eq!(files(Path::new(env.root())), before, "{path}");
        fs::remove_dir_all(env.path("here/plan.removed")).unwrap();
    }
}

#[test]
fn what_is_named_since_the_plan_was_made_stays_unless_the_user_says_so() {
    let env = Env::of("PARK: docs/a.md docs/b.md docs/c.md");
    plan(&env);
    env.write("docs/x.md", format!("{BREAD}\n[the park](b.md)\n"));
    let refusal = "docs/b.md stays, as it is named in docs/x.md:";
    let run = apply(&env, "--yes");
    run.says(refusal);
    assert_eq!(run.code, Some(2));
    assert!(env.path("docs/b.md").exists() && !env.path("docs/c.md").exists());
    apply(&env, "--yes --even-if-linked").went_well();
    assert!(!env.path("docs/b.md").exists());
}

#[test]
fn a_plan_lets_no_page_go_that_apply_refuses() {
    // A bare name may mean any page of that name, but the one that stays for it.
    let env = Env::of("PARK: a/poem.md b/poem.md")
        .file("a/out.md", format!("{PARK}\n{BREAD}\nSee poem.md.\n"))
        .file("page.md", "Create a file called _poem.md_ and so on.\n");
    env.write("n.md", "[out](a/out.md)\n");
    let made = env.run("plan . --drop exact,contains,near --keep in:out.md -o plan.jsonl");
    assert_eq!(made.code, Some(0));
    let run = env.run("apply plan.jsonl --yes");
    run.went_well();
    for name in ["a/poem.md", "b/poem.md", "a/out.md"] {
        assert!(env.path(name).exists(), "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_plan_names_no_file_whose_name_is_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let name = |end: &[u8]| PathBuf::from(std::ffi::OsStr::from_bytes(&[b"docs/", end].concat()));
    let env = Env::of("PARK: docs/b.md; BREAD: docs/c.md")
        .file(name(b"a\xff.md"), PARK)
        .file(name(b"cc\xff.md"), BREAD);
    let made = env.run("plan docs --keep path -o plan.jsonl");
    made.says("nothing goes; unresolved, and kept: 2");
    let plan = env.read("plan.jsonl");
    plan.says("it stays, as no plan can name docs/a\\\\xff.md, whose name is not UTF-8");
    plan.says("it stays, as no plan can name docs/cc\\\\xff.md, whose name is not UTF-8");
    apply(&env, "--yes").went_well();
}

#[cfg(unix)]
#[test]
fn a_run_that_moves_nothing_leaves_no_folder() {
    let env = Env::new();
    // With the folder in it, the path is longer than the system takes.
    let mut deep = String::from("docs");
    while env.root().len() + deep.len() < 4_080 {
        let room = 4_085 - env.root().len() - deep.len();
        deep = format!("{deep}/{}", "d".repeat(room.min(200)));
    }
    let env = env
        .file(format!("{deep}/b.md"), PARK)
        .file("docs/a.md", PARK);
    env.run("plan docs --keep path -o plan.jsonl -q").ok();
    let away = env.path("away");
    let run = apply(&env, ["--yes", "--to", away.to_str().unwrap()]);
    assert_eq!(run.code, Some(2));
    run.says("it was left alone");
    run.stderr.omits("moved");
    assert!(!away.exists());
}

#[test]
fn one_run_at_a_time_changes_the_files_of_a_folder() {
    let env = site();
    let before = files(&env.path("docs"));
    // The lock of a run that goes on. It is given back by name: a program that another test starts
    // just now has the open file too, for a moment.
    let lock = env.path(".dupfind-apply.lock");
    for args in ["--yes", "--undo"] {
        let held = File::create(&lock).unwrap();
        held.lock().unwrap();
        apply(&env, args).fails("another dupfind apply changes files of");
        held.unlock().unwrap();
        apply(&env, args).went_well();
        assert!(!lock.exists());
    }
    assert_eq!(files(&env.path("docs")), before);
}

#[test]
fn opposite_plans_at_once_leave_one_of_each_pair() {
    // The folders of two runs, and what their paths begin with.
    let root = (".", "docs/");
    let below = ("docs", "");
    for [one, two] in [[&root, &root], [&root, &below], [&below, &root]] {
        let env = Env::new();
        for number in 0..40 {
            let page = format!("{BREAD}\nPage {number}: {}", "word ".repeat(number));
            env.write(format!("docs/x/{number}.md"), &page);
            env.write(format!("docs/y/{number}.md"), &page);
        }
        let plans = [(one, "x.jsonl", "in:docs/x"), (two, "y.jsonl", "in:docs/y")];
        for ((folder, path), plan, keep) in plans {
            env.run(["plan", "docs", "--keep", keep, "-o", plan, "-q"])
                .ok();
            let made = env.read(plan).replace("\"docs/", &format!("\"{path}"));
            env.write(Path::new(folder).join(plan), made);
        }
        let runs = plans.map(|((folder, _), plan, _)| {
            let mut command = env.std_command(["apply", plan, "--delete", "--yes", "-q"]);
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
        let wrong: Vec<usize> = (0..40).filter(|number| !is_there(number)).collect();
        assert!(wrong.is_empty(), "{one:?} {two:?}: {wrong:?}");
    }
}

const NETLIFY: [&str; 2] = ["--redirects", "{from} {to} 301"];

#[test]
fn redirects_of_what_was_done_are_printed_too() {
    let env = site();
    let before = apply(&env, NETLIFY);
    let expected = "/copy/ /a/ 301\n/guide/edited/ /a/ 301\n/upper/ /a/ 301\n";
    assert_eq!(before.stdout, expected);
    apply(&env, "--yes").went_well();
    let after = apply(&env, NETLIFY);
    assert_eq!(after.stdout, before.stdout);
    after.omits("still there");
    // A page that was written since has its own address.
    env.write("docs/copy.md", "A new page.");
    let new = apply(&env, NETLIFY);
    assert_eq!(new.stdout, "/guide/edited/ /a/ 301\n/upper/ /a/ 301\n");
}

#[test]
fn a_redirect_from_a_page_that_was_left_alone_is_warned_of() {
    let env = site();
    let before = files(&env.path("docs"));
    let copy = env.read("docs/copy.md");
    env.write("docs/copy.md", "Changed since the plan was made.");
    apply(&env, "--yes");
    env.write("docs/copy.md", copy);
    let run = apply(&env, NETLIFY);
    assert_eq!(run.stdout.lines().count(), 3);
    let warning = "docs/copy.md is still there: its redirect to docs/a.md would hide it";
    assert_eq!(run.stderr.matches("still there").count(), 1);
    run.says(warning);
    // The next run moves the page too, and all come back.
    let run = apply(&env, (NETLIFY, "--yes"));
    assert!(!env.path("docs/copy.md").exists());
    run.omits("still there");
    apply(&env, "--undo").went_well();
    assert!(files(&env.path("docs")).keys().eq(before.keys()));
}

#[test]
fn arguments_that_do_not_go_together_are_refused() {
    let env = site();
    for (args, part) in [
        ("--delete --to x", "cannot be used with"),
        ("--undo --delete", "cannot be used with"),
        ("--redirects netlify", "'{from} {to} 301'"),
    ] {
        apply(&env, args).fails(part);
    }
    env.run("apply").fails("PLAN");
    env.run("apply none.jsonl").fails("cannot read the plan");
}

/// How often the program is ended: a few times, or as often as a variable of the environment wants.
fn kills() -> u32 {
    let asked = std::env::var("DUPFIND_KILLS").ok();
    asked.and_then(|kills| kills.parse().ok()).unwrap_or(8)
}

/// Runs a command, and ends it after a time if there is one. Returns how long it ran, and whether it came to its end.
fn ended(env: &Env, args: &[&str], after: Option<Duration>) -> (Duration, bool) {
    let start = Instant::now();
    let mut command = env.std_command(args);
    let mut child = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    if let Some(after) = after {
        sleep(after);
        let _ = child.kill();
    }
    let status = child.wait().unwrap();
    (start.elapsed(), status.success())
}

#[test]
fn ended_at_any_moment_nothing_is_lost() {
    let other = elsewhere();
    let other = other.iter().map(|folder| folder.path().join("x"));
    let env = Env::new();
    for number in 0..30 {
        let page = format!(
            "{BREAD}\nPage {number}: {}",
            PARK.replace("maples", &format!("maple{number}s"))
        );
        env.write(format!("docs/{number}.md"), &page);
        env.write(format!("docs/copies/{number}.md"), &page);
    }
    let plan = "plan docs --keep shortest-path -o plan.jsonl -q";
    env.run(plan).ok();
    assert_eq!(env.read("plan.jsonl").lines().count(), 31);
    let before = files(&env.path("docs"));
    let places = [env.path("plan.removed")].into_iter().chain(other);
    let places: Vec<PathBuf> = places.collect();
    let mut whole_run = Duration::MAX;
    let mut ended_within = 0;
    for number in 0..kills() {
        let removed = &places[number as usize / 2 % places.len()];
        let to = removed.to_str().unwrap();
        let apply = ["apply", "plan.jsonl", "--yes", "--quiet", "--to", to];
        let undo = ["apply", "plan.jsonl", "--undo", "--quiet", "--to", to];
        // Each file is in its place or in the folder, and no other file is half of one.
        let check = || {
            let now = files(&env.path("docs"));
            let away = match removed.exists() {
                true => files(removed),
                false => BTreeMap::new(),
            };
            for (path, state) in &before {
                let moved = away.get(&Path::new("docs").join(path));
                let mut found = [now.get(path), moved].into_iter().flatten();
                let is_whole = found.all(|found| found == state);
                let is_kept = now.contains_key(path) || moved.is_some();
                assert!(is_kept && is_whole, "{number}: {}", path.display());
            }
        };
        // Spread over the whole run, by the golden ratio.
        let share = f64::from(number) * 0.618_034 % 1.0;
        let after = |of: u32| (number >= 4 && number % 2 == of).then(|| whole_run.mul_f64(share));
        let (of_apply, of_undo) = (after(0), after(1));
        let (time, is_whole) = ended(&env, &apply, of_apply);
        check();
        if removed.join(".dupfind-removed.jsonl").exists() {
            let (_, undone) = ended(&env, &undo, of_undo);
            check();
            ended_within += u32::from(!is_whole || !undone);
        }
        if number < 4 {
            whole_run = whole_run.min(time);
        }
        if removed.join(".dupfind-removed.jsonl").exists() {
            env.run(undo).went_well();
        }
        let is_whole = |name: &Path| !name.to_str().unwrap().ends_with(".dupfind.tmp");
        if *removed != places[0] {
            // A run that is killed while it copies from another file system leaves the copy that was not whole.
            let now = files(&env.path("docs"));
            for name in now.keys().filter(|name| !is_whole(name)) {
                fs::remove_file(env.path("docs").join(name)).unwrap();
            }
        }
        assert_eq!(files(&env.path("docs")), before, "{number}");
        // A run that was ended before its list was there has left an empty folder at most.
        let is_left = removed.exists() && files(removed).keys().any(|name| is_whole(name));
        assert!(!is_left, "{number}: {:?}", files(removed).keys());
    }
    assert!(
        kills() < 100 || ended_within > kills() / 3,
        "{ended_within}"
    );
}
