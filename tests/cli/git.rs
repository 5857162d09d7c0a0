//! Changes since a revision, in real repositories.

use std::path::Path;
use std::process::Command;

use crate::baseline::BICYCLE;
use crate::env::{
    Args, BREAD, Env, PARK, PARK_EDITED, PARK_ZH, PARK_ZH_EDITED, Report, Run, Says,
    formats_for_ci, named_record, records, table,
};
use crate::scale::words;

/// Runs git in a folder, without any configuration of a user, and returns its output. What is committed was committed at
/// the date, if there is one.
#[track_caller]
fn git_at(date: Option<&str>, folder: &Path, args: impl Args) -> String {
    let args = args.words();
    let mut command = Command::new("git");
    command
        .args("-c init.defaultBranch=main -c protocol.file.allow=always".split(' '))
        .args(&args)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    for variable in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
        command.env_remove(variable);
    }
    for who in ["AUTHOR", "COMMITTER"] {
        command
            .env(format!("GIT_{who}_NAME"), "A B")
            .env(format!("GIT_{who}_EMAIL"), "a@example.org");
    }
    command.envs(date.map(|date| ("GIT_COMMITTER_DATE", date)));
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {args:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// Git in the folder of an environment, and below it.
impl Env {
    /// Runs git, which must succeed, and returns its output.
    #[track_caller]
    pub(crate) fn git(&self, args: impl Args) -> String {
        self.git_in("", args)
    }

    /// The same in a subfolder.
    #[track_caller]
    pub(crate) fn git_in(&self, folder: &str, args: impl Args) -> String {
        git_at(None, &self.path(folder), args)
    }

    /// Commits everything there is.
    #[track_caller]
    pub(crate) fn commit(&self) {
        self.git("add --all");
        self.git("commit --quiet --allow-empty -m x");
    }

    /// Commits everything there is in a subfolder, at a date.
    #[track_caller]
    pub(crate) fn commit_at(&self, folder: &str, date: &str) {
        self.git_in(folder, "add --all");
        git_at(Some(date), &self.path(folder), "commit --quiet -m x");
    }

    /// Makes a repository of it, with one commit of all there is.
    pub(crate) fn repository(self) -> Self {
        self.git("init --quiet");
        self.commit();
        self
    }
}

/// The pairs that fail a check, as `a b`.
#[track_caller]
fn pairs(run: &Run) -> Vec<String> {
    let report = Report::of(&run.stdout);
    let names = report.pair_names();
    assert_eq!(run.code, Some(i32::from(!names.is_empty())), "{run:?}");
    names.iter().map(|(a, b)| format!("{a} {b}")).collect()
}

#[track_caller]
fn since(env: &Env, reference: &str) -> Vec<String> {
    pairs(&env.check(["-f", "json", "--since", reference]))
}

/// Pages that have nothing to do with each other, and nothing changed.
fn pages() -> Env {
    Env::of("BREAD: bread.md; PARK: en/a.md")
        .file("en/b.md", BICYCLE)
        .file("zh/a.md", PARK_ZH)
        .file("zh/b.md", words(1, 60))
        .repository()
}

/// Two English copies, two Chinese ones, and nothing changed.
fn copies() -> Env {
    Env::of("BREAD: bread.md; PARK: en/a.md en/b.md; PARK_ZH: zh/a.md zh/b.md").repository()
}

#[test]
fn only_pairs_with_a_changed_document_count() {
    let env = pages();
    assert!(since(&env, "HEAD").is_empty());
    // In the working tree, staged, and committed.
    env.write("en/b.md", PARK_EDITED);
    let changed = ["en/a.md en/b.md"];
    assert_eq!(since(&env, "HEAD"), changed);
    env.git("add en/b.md");
    assert_eq!(since(&env, "HEAD"), changed);
    env.commit();
    assert!(since(&env, "HEAD").is_empty());
    assert_eq!(since(&env, "HEAD~1"), changed);
    let run = env.check("--since HEAD~1");
    run.trips("1 new duplicate pair (1 near): 5 pages compared, 1 changed, ");
}

#[test]
fn pairs_that_were_there_before_are_not_new_unless_they_were_too_weak() {
    let env = copies();
    env.write("en/b.md", PARK_EDITED);
    env.write("zh/a.md", PARK_ZH_EDITED);
    assert!(since(&env, "HEAD").is_empty());
    // The pair of the page that was near is a copy now, and was no copy before. It fails also if it was accepted.
    env.commit();
    env.write("en/b.md", PARK);
    assert_eq!(since(&env, "HEAD"), ["en/a.md en/b.md"]);
    env.check("--since HEAD --fail-on exact")
        .trips("1 new duplicate pair (1 exact)");
    env.check("--since HEAD~1 --fail-on exact").ok();
    assert!(since(&env, "HEAD~1").is_empty());
    env.write("en/b.md", PARK_EDITED);
    env.run("accept en/a.md en/b.md --reason x").went_well();
    env.write("en/b.md", PARK);
    let run = env.check("--since HEAD");
    run.trips("1 new duplicate pair (1 exact)")
        .says("became more similar since it was accepted");
}

#[test]
fn a_copy_that_is_moved_into_the_check_is_new() {
    for [from, to, args] in table(
        "drafts/b.md | docs/b.md   | docs
         docs/.b.md  | docs/b.md   | docs
         docs/b.txt  | docs/b.md   | docs -g *.md
         other/b.md  | drafts/b.md | drafts --against docs
         docs/b.md   | drafts/b.md | drafts --against docs",
    ) {
        let env = Env::of("PARK: docs/a.md; BREAD: drafts/c.md").file(from, PARK);
        let env = env.repository();
        env.git(["mv", from, to]);
        let run = env.check((args, "--since HEAD"));
        run.trips("1 new duplicate pair (1 exact)");
    }
    // All pages of a folder that is new were moved with it.
    let env = copies();
    env.git("mv en docs");
    env.write("docs/c.md", BICYCLE);
    env.check("docs --since HEAD").ok();
    env.check("--since HEAD").ok();
    env.write("docs/c.md", PARK);
    let run = env.check("docs --since HEAD");
    run.trips("2 new duplicate pairs (2 exact)");
}

#[test]
fn before_the_first_commit_all_is_new() {
    let env = Env::of("BREAD: bread.md; PARK: a.md");
    env.git("init --quiet");
    env.git("add --all");
    assert_eq!(since(&env, "HEAD"), [""; 0]);
    env.write("b.md", PARK);
    assert_eq!(since(&env, "HEAD"), ["a.md b.md"]);
}

#[test]
fn new_documents_are_changed_also_if_git_ignores_them() {
    let env = pages().file(".gitignore", "*.tmp.md\n");
    env.commit();
    env.write("zh/新 页面\".md", PARK_ZH_EDITED);
    env.write("x.tmp.md", PARK);
    assert_eq!(since(&env, "HEAD"), ["zh/a.md zh/新 页面\".md"]);
    let all = env.check("-f json --since HEAD --no-ignore");
    assert!(pairs(&all).contains(&"en/a.md x.tmp.md".into()), "{all:?}");
    env.write("build/x/y.tmp.md", PARK_EDITED);
    env.check("en build/x/y.tmp.md --since HEAD")
        .trips("1 new duplicate pair (1 near)");
    std::fs::remove_dir_all(env.path("build")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let odd = std::ffi::OsStr::from_bytes(b"zh/\xff\n.md");
        std::fs::remove_file(env.path("zh/新 页面\".md")).unwrap();
        env.write(odd, PARK_ZH);
        assert_eq!(since(&env, "HEAD").len(), 1);
    }
}

#[test]
fn a_renamed_page_is_the_page_that_it_was() {
    let env = copies();
    env.git("mv en/b.md en/c.md");
    env.git("mv zh/b.md zh/c.md");
    assert!(since(&env, "HEAD").is_empty());
    // Also if it is edited, and if git was not told.
    env.write("en/c.md", PARK_EDITED);
    assert!(since(&env, "HEAD").is_empty());
    std::fs::rename(env.path("zh/c.md"), env.path("zh/e.md")).unwrap();
    assert!(since(&env, "HEAD").is_empty());
    env.commit();
    assert!(since(&env, "HEAD~1").is_empty());
    // A further copy is new.
    env.write("zh/d.md", PARK_ZH);
    assert_eq!(since(&env, "HEAD").len(), 2);
}

#[test]
fn a_new_version_adds_no_pair_that_another_version_has() {
    let both = |folder: &str, text: &str| {
        ["a", "b"].map(|page| (format!("docs/{folder}/{page}.md"), text.to_owned()))
    };
    let mut env = Env::new().file("docs/1.1/c.md", PARK_ZH);
    for (name, text) in [both("1.0", PARK), both("1.1", PARK)].concat() {
        env = env.file(name, text);
    }
    let env = env.repository();
    let write = |folder: &str, text: &str| {
        for (name, text) in both(folder, text) {
            env.write(name, text);
        }
    };
    write("1.2", PARK);
    assert!(since(&env, "HEAD").is_empty());
    // Another page, pages of another text, and two new versions with the same new pair.
    env.write("docs/1.2/c.md", PARK);
    let with_c = ["docs/1.2/a.md docs/1.2/c.md", "docs/1.2/b.md docs/1.2/c.md"];
    assert_eq!(since(&env, "HEAD"), with_c);
    let check = env.check("docs -q -f json");
    std::fs::remove_file(env.path("docs/1.2/c.md")).unwrap();
    assert_eq!(pairs(&check).len(), 5);
    write("1.2", BREAD);
    assert_eq!(since(&env, "HEAD"), ["docs/1.2/a.md docs/1.2/b.md"]);
    write("1.3", BREAD);
    assert_eq!(since(&env, "HEAD").len(), 2);
    // The pages of the other version have changed, too.
    write("1.1", BREAD);
    assert_eq!(since(&env, "HEAD").len(), 2);
    // The pair is accepted.
    env.git("checkout -q .");
    std::fs::remove_dir_all(env.path("docs/1.2")).unwrap();
    std::fs::remove_dir_all(env.path("docs/1.3")).unwrap();
    env.run("accept docs/1.1/a.md docs/1.1/b.md docs --reason x -q")
        .ok();
    let check = || pairs(&env.check("docs -q -f json"));
    write("1.2", PARK);
    assert!(check().is_empty());
    env.write("docs/1.2/c.md", PARK);
    assert_eq!(check(), with_c);
}

#[test]
fn a_deletion_makes_up_for_one_new_file() {
    let env = Env::new().file("docs/a.md", PARK).repository();
    std::fs::rename(env.path("docs/a.md"), env.path("docs/c.md")).unwrap();
    env.write("docs/d.md", PARK);
    for _ in 0..2 {
        assert_eq!(since(&env, "HEAD"), ["docs/c.md docs/d.md"]);
        env.git("add --all");
    }
}

#[test]
fn a_copy_that_is_not_committed_is_at_fault() {
    // It comes first by name, and is as long. One is new, one was another page.
    for [page, git] in table(
        "docs/a.md | status
         docs/a.md | add --all
         docs/f.md | status
         docs/f.md | add --all",
    ) {
        let env = Env::of("BREAD: docs/f.md; PARK: docs/m.md").repository();
        env.write(page, PARK);
        env.git(git);
        for format in formats_for_ci().chain(["list"]) {
            let run = env.check(["-f", format]);
            let report = run.trips("1 duplicate pair (1 exact)");
            let [fault, other] = [page, "docs/m.md"].map(|name| report.find(name).expect(report));
            assert!(fault < other, "{page} {git} {format}: {report}");
        }
    }
}

#[test]
fn of_two_pages_since_the_baseline_the_one_that_is_not_committed_is_at_fault() {
    let env = Env::of("PARK: docs/park.md; PARK_EDITED: docs/edited.md").repository();
    env.run("accept --all docs").went_well();
    env.commit();
    env.write("docs/m.md", BREAD);
    env.commit();
    env.write("docs/a.md", BREAD);
    let run = env.check("docs");
    let list = run.trips("1 duplicate pair (1 exact)");
    list.begins("docs/a.md: copy of docs/m.md");
}

#[cfg(unix)]
#[test]
fn nothing_of_a_foreign_repository_runs() {
    use std::os::unix::fs::PermissionsExt;
    let env = copies();
    env.write(".gitattributes", "*.md filter=x\n");
    env.write(".git/hooks/post-index-change", "#!/bin/sh\n: > HOOKED\n");
    let anybody = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(env.path(".git/hooks/post-index-change"), anybody).unwrap();
    env.git(["config", "filter.x.clean", ": > PWNED; cat"]);
    env.write("en/b.md", PARK_EDITED);
    let nothing_runs = || {
        for args in ASKING {
            let run = ask(&env, args);
            assert_ne!(run.code, Some(2), "{run:?}");
            assert_eq!(traces(&env), [""; 0], "{args:?}");
        }
    };
    for format in formats_for_ci() {
        env.run(["scan", "en", "-f", format]).ok();
        assert!(!env.path("PWNED").exists(), "{format}");
    }
    // Git runs in a check that names the copy, and with this option.
    for key in ["filter.x.smudge", "filter.x.process"] {
        env.git(["config", key, ": > PWNED; cat"]);
    }
    env.git("config filter.x.required true");
    nothing_runs();
    // By a file that the configuration includes, and without a word in the documents.
    env.git("config --unset filter.x.clean");
    let text = "[filter \"y.z\"]\n clean = : > PWNED; cat\n smudge = : > PWNED; cat\n";
    env.write(".git/more", text);
    env.git("config include.path more");
    env.write(".gitattributes", "");
    let text = "*.md filter=y.z\nen/b.md filter=y\n";
    env.write(".git/info/attributes", text);
    env.git(["config", "filter.y.clean", ": > PWNED; cat"]);
    nothing_runs();
    // A name that cannot be switched off.
    env.git(["config", "filter.a=b.clean", ": > PWNED; cat"]);
    env.check("--since HEAD").fails("a filter named 'a=b'");
    assert_eq!(traces(&env), [""; 0]);
}

/// Runs that ask git. The pair of the edited copy was there before, which only the committed documents show.
#[cfg(unix)]
const ASKING: [&[&str]; 3] = [&[], &["-f", "github"], &["--since", "HEAD"]];

/// Runs a check in CI.
#[cfg(unix)]
fn ask(env: &Env, args: impl Args) -> Run {
    let mut command = env.command(("check en", args));
    Run::of(command.env("CI", "1"))
}

/// Files that programs have left behind.
#[cfg(unix)]
fn traces(env: &Env) -> Vec<String> {
    let mut all = env.entries();
    all.retain(|name| ["PWNED", "HOOKED"].contains(&name.as_str()));
    all
}

#[cfg(unix)]
#[test]
fn nothing_is_fetched_from_where_a_foreign_repository_says() {
    for (url, key) in [
        ("ext::sh -c :>PWNED", "protocol.ext.allow"),
        ("ssh://host.invalid/x", "protocol.ssh.allow"),
        ("/", "protocol.file.allow"),
    ] {
        let env = copies();
        env.git(["config", "remote.origin.url", url]);
        env.git(["config", key, "always"]);
        env.git(["config", "core.sshCommand", ": > PWNED; false"]);
        env.git(["config", "remote.origin.uploadpack", ": > PWNED; false"]);
        env.git("config remote.origin.promisor true");
        env.git("config core.repositoryFormatVersion 1");
        env.git("config extensions.partialClone origin");
        // The committed text is not here.
        let blob = env.git("rev-parse HEAD:en/a.md");
        let blob = blob.trim();
        std::fs::remove_file(env.path(format!(".git/objects/{}/{}", &blob[..2], &blob[2..])))
            .unwrap();
        env.write("en/a.md", PARK_EDITED);
        for args in ASKING {
            let run = ask(&env, args);
            assert_eq!(traces(&env), [""; 0], "{url} {args:?}: {}", run.stderr);
        }
    }
}

#[cfg(unix)]
#[test]
fn nothing_of_a_submodule_runs() {
    let inner = pages();
    let env = Env::new().file("en/c.md", PARK).repository();
    env.git(["submodule", "--quiet", "add", inner.root(), "sub"]);
    env.commit();
    let trace = env.path("PWNED");
    let filter = format!(": > '{}'; cat", trace.display());
    env.git_in("sub", ["config", "filter.x.clean", &filter]);
    env.write(".git/modules/sub/info/attributes", "*.md filter=x\n");
    env.write("sub/en/a.md", PARK_EDITED);
    assert!(since(&env, "HEAD").is_empty());
    assert!(!trace.exists());
}

/// A git that waits at a step until somebody ends it. It writes its number, as a sign that it runs.
#[cfg(unix)]
const WAITING_GIT: &str = "#!/bin/sh
case \" $* \" in
*\" $STEP \"*) echo $$ > \"$SIGN.new\"; mv \"$SIGN.new\" \"$SIGN\"; exec sleep 600;;
esac
PATH=$USUAL
exec git \"$@\"
";

#[cfg(unix)]
#[test]
fn an_interrupt_ends_git_and_leaves_no_checkout() {
    use std::os::unix::fs::PermissionsExt;
    let env = copies().folder("tmp").file("bin/git", WAITING_GIT);
    let anybody = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(env.path("bin/git"), anybody).unwrap();
    env.write("en/b.md", PARK_EDITED);
    let usual = std::env::var("PATH").unwrap();
    let wait_for = |is_so: &dyn Fn() -> bool, what: &str| {
        let mut patience = 0..3_000;
        while !is_so() {
            assert!(patience.next().is_some(), "{what}");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    };
    for step in ["read-tree", "checkout-index"] {
        let child = env
            .std_command("check en --since HEAD")
            .env("TMPDIR", env.path("tmp"))
            .env("PATH", format!("{}:{usual}", env.path("bin").display()))
            .envs([("USUAL", usual.as_str()), ("STEP", step)])
            .env("SIGN", env.path(step))
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        wait_for(&|| env.path(step).exists(), step);
        let folders = || std::fs::read_dir(env.path("tmp")).unwrap();
        for folder in folders() {
            let metadata = folder.unwrap().metadata().unwrap();
            assert_eq!(metadata.permissions().mode() & 0o777, 0o700);
        }
        assert!(folders().next().is_some(), "{step}");
        let id = child.id().to_string();
        let killed = Command::new("kill").args(["-s", "INT", &id]).status();
        assert!(killed.unwrap().success());
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(130), "{step}");
        assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
        assert!(folders().next().is_none(), "{step}");
        let git = env.read(step);
        let is_gone = || {
            let mut list = Command::new("ps");
            let listed = list.args(["-o", "stat=", "-p", git.trim()]).output();
            let listed = listed.unwrap().stdout;
            matches!(listed.first(), None | Some(b'Z'))
        };
        wait_for(&is_gone, "git goes on");
    }
}

#[test]
fn changes_count_from_where_the_branch_left() {
    let env = pages();
    env.git("checkout --quiet -b topic");
    env.write("zh/b.md", PARK_ZH_EDITED);
    env.commit();
    env.git("checkout --quiet main");
    env.write("en/b.md", PARK_EDITED);
    env.commit();
    env.git("tag -a v1 -m x");
    env.git("checkout --quiet topic");
    for reference in ["main", "v1", "refs/heads/main"] {
        assert_eq!(since(&env, reference), ["zh/a.md zh/b.md"], "{reference}");
    }
    env.git("checkout --quiet --orphan other");
    env.commit();
    env.check("--since main")
        .fails("the branch and main have no commit in common");
}

#[test]
fn all_records_of_a_changed_file_are_changed() {
    let old = [named_record("a", PARK), named_record("b", PARK)].concat();
    let env = Env::new()
        .file("r.jsonl", &old)
        .file("s.jsonl", named_record("a", BREAD))
        .repository();
    let run = || pairs(&env.check("-f json --since HEAD --id-field id"));
    assert!(run().is_empty());
    // Records that stay as they are do not become new because of another one in their file.
    env.write("r.jsonl", old.clone() + &named_record("c", BICYCLE));
    assert!(run().is_empty());
    env.write("s.jsonl", named_record("a", PARK_EDITED));
    assert_eq!(run(), ["r.jsonl#a s.jsonl#a", "r.jsonl#b s.jsonl#a"]);
    env.write("r.jsonl", old + &named_record("d", PARK_EDITED));
    assert_eq!(run().len(), 5);
}

#[test]
fn piped_records_count_as_changed() {
    let env = Env::of("PARK: a.md b.md").repository();
    let args = "check -f json - . --since HEAD";
    let run = env.run_with(records(&[PARK_EDITED, BREAD]), args);
    assert_eq!(pairs(&run), ["-#1 a.md", "-#1 b.md"]);
    // A file of that name is one like any other.
    env.write("-", PARK);
    env.commit();
    assert!(since(&env, "HEAD").is_empty());
}

#[test]
fn from_a_subfolder_and_with_other_paths() {
    let env = pages();
    env.write("en/b.md", PARK_EDITED);
    let check = |folder: &str, path: &str| {
        pairs(&env.run_in(folder, ["check", "-f", "json", path, "--since", "HEAD"]))
    };
    assert_eq!(check("en", "."), ["a.md b.md"]);
    assert_eq!(check("zh", "../en"), ["../en/a.md ../en/b.md"]);
    assert_eq!(check("zh", env.path("en").to_str().unwrap()).len(), 1);
    assert!(check("en", "../zh").is_empty());
    // The current folder need not be in the repository.
    let outside = Env::new();
    let run = outside.check(["-f", "json", env.root(), "--since", "HEAD"]);
    assert_eq!(pairs(&run).len(), 1);
}

/// Documents of a revision are called as those of now, wherever the run is, with its options.
#[test]
fn old_pairs_are_known_from_every_folder_and_the_repository_stays_as_it_is() {
    let env = copies();
    env.write("en/sub/c.draft", PARK);
    env.write("en/.dupfindignore", "x.md\n");
    env.commit();
    env.write("en/.dupfindignore", "*.draft\n");
    env.write(".gitignore", "*.md\n");
    env.write("en/b.md", PARK_EDITED);
    env.write("zh/c.md", PARK_ZH_EDITED);
    env.git("add --force zh/c.md");
    let index = || std::fs::read(env.path(".git/index")).unwrap();
    let before = index();
    let absolute = env.path("en").display().to_string();
    for (folder, path) in [
        (".", "en"),
        (".", "./en/"),
        ("en", "."),
        ("zh", "../en"),
        ("zh", &absolute),
    ] {
        for options in ["--no-ignore", "--no-ignore --glob *.md"] {
            let args = (["check", "-f", "json", path, "--since", "HEAD"], options);
            assert_eq!(
                pairs(&env.run_in(folder, args)),
                [""; 0],
                "{folder} {path} {options}"
            );
        }
    }
    assert_eq!(index(), before);
}

#[test]
fn the_environment_of_a_hook_does_not_lead_astray() {
    let env = pages();
    env.write("en/b.md", PARK_EDITED);
    for variables in [
        &[("GIT_DIR", ".git"), ("GIT_INDEX_FILE", ".git/index.lock")][..],
        &[("GIT_DIR", "/nowhere"), ("GIT_WORK_TREE", "/")],
        &[("GIT_INDEX_FILE", "/dev/null"), ("GIT_PREFIX", "en/")],
    ] {
        let mut command = env.command("check -f json . --since HEAD");
        command
            .current_dir(env.path("en"))
            .envs(variables.iter().copied());
        let expected = ["a.md b.md"];
        assert_eq!(pairs(&Run::of(&mut command)), expected, "{variables:?}");
    }
}

#[test]
fn in_another_working_tree_and_a_submodule() {
    let env = pages();
    let trees = Env::new();
    let tree = trees.path("tree");
    env.git(("worktree add --quiet -b topic", [tree.to_str().unwrap()]));
    trees.write("tree/zh/b.md", PARK_ZH_EDITED);
    let run = trees.run_in("tree", "check -f json --since main");
    assert_eq!(pairs(&run), ["zh/a.md zh/b.md"]);

    // All documents of a submodule are changed when its commit is.
    let outer = Env::new().file("en/c.md", PARK).repository();
    outer.git(["submodule", "--quiet", "add", env.root(), "sub"]);
    outer.commit();
    assert!(since(&outer, "HEAD").is_empty());
    outer.write("sub/bread.md", "another one");
    assert!(since(&outer, "HEAD").is_empty());
    outer.git_in("sub", "commit --quiet --all -m x");
    assert_eq!(since(&outer, "HEAD"), ["en/c.md sub/en/a.md"]);
    // By itself it is a repository like any other.
    outer.check("sub --since HEAD").ok();
    let both = outer.check("sub en --since HEAD");
    both.fails("name paths of one repository");
}

#[test]
fn what_git_cannot_do_is_explained() {
    let env = pages();
    env.check("--since nowhere").fails(
        "git knows no revision 'nowhere': 'git branch --all' and 'git tag' list what it knows",
    );
    env.git("remote add origin https://example.org/pages.git");
    for [reference, part] in table(
        "nowhere       | 'git fetch origin nowhere:refs/remotes/origin/nowhere' gets it as origin/nowhere
         origin/next   | 'git fetch origin next:refs/remotes/origin/next' gets it
         --output=x    | such as origin/main, v1.2 or HEAD~1
                       | such as origin/main
         HEAD:bread.md | git knows no revision",
    ) {
        let run = env.check([&format!("--since={reference}")]);
        run.fails(part);
        run.fails("--since");
    }
    assert!(!env.path("x").exists());

    let plain = Env::parks().check("--since HEAD");
    plain.fails("git gives no working tree for ");
    let mut without = env.command("check --since HEAD");
    Run::of(without.env("PATH", "/nowhere")).fails("git, which must be installed");

    // A clone without history, and one with another name for the branch.
    env.write("en/c.md", BREAD);
    env.commit();
    let clones = Env::new();
    let from = format!("file://{}", env.root());
    clones.git(["clone", "--quiet", "--depth=1", &from, "shallow"]);
    clones.git(["clone", "--quiet", &from, "full"]);
    let run =
        |folder: &str, reference: &str| clones.run_in(folder, ["check", "--since", reference]);
    run("shallow", "HEAD~1").fails("fetch-depth: 0");
    // A clone of another branch: what is printed leads to the end.
    env.git("branch --quiet topic");
    let clone = "clone --quiet --depth=1 --branch=topic";
    clones.git((clone, [&*from, "one"]));
    let fetch = "fetch --unshallow origin main:refs/remotes/origin/main";
    run("one", "main").fails(&format!("'git {fetch}' gets it as origin/main, and so"));
    clones.git_in("one", fetch);
    run("one", "main").fails("did you mean origin/main?");
    run("one", "origin/main").ok();
    run("full", "HEAD~1").trips("1 new duplicate pair (1 exact)");
    clones.git_in("full", "checkout --quiet -b topic");
    clones.git_in("full", "branch --quiet -D main");
    run("full", "main").fails("did you mean origin/main?");
}
