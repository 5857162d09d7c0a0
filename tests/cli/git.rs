//! Changes since a revision, in real repositories.

use std::path::Path;
use std::process::Command;

use crate::env::{
    BREAD, Env, PARK, PARK_EDITED, PARK_ZH, PARK_ZH_EDITED, Report, Run, formats_for_ci,
};

/// Runs git in a folder, without any configuration of a user, and returns its output.
#[track_caller]
pub(crate) fn git_in(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        .args([
            "-c",
            "init.defaultBranch=main",
            "-c",
            "protocol.file.allow=always",
        ])
        .args(args)
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
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {args:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// Git in the folder of an environment.
trait Git {
    fn git(&self, args: &[&str]) -> String;
    fn commit(&self);
    fn repository(self) -> Self;
}

impl Git for Env {
    #[track_caller]
    fn git(&self, args: &[&str]) -> String {
        git_in(Path::new(self.root()), args)
    }

    /// Commits everything there is.
    #[track_caller]
    fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", "x"]);
    }

    /// Makes a repository of it, with one commit of all there is.
    fn repository(self) -> Self {
        self.git(&["init", "--quiet"]);
        self.commit();
        self
    }
}

/// The pairs that count, as `a b`.
#[track_caller]
fn pairs(run: &Run) -> Vec<String> {
    let report = Report::of(run.ok());
    let names = report.pair_names();
    names.iter().map(|(a, b)| format!("{a} {b}")).collect()
}

#[track_caller]
fn since(env: &Env, reference: &str) -> Vec<String> {
    pairs(&env.scan(&["--changed-since", reference]))
}

/// Two English copies, two Chinese ones, and nothing changed.
fn parks() -> Env {
    Env::new()
        .file("bread.md", BREAD)
        .file("en/a.md", PARK)
        .file("en/b.md", PARK)
        .file("zh/a.md", PARK_ZH)
        .file("zh/b.md", PARK_ZH)
        .repository()
}

#[test]
fn only_pairs_with_a_changed_document_count() {
    let env = parks();
    assert!(since(&env, "HEAD").is_empty());
    // In the working tree, staged, and committed.
    env.write("en/b.md", PARK_EDITED);
    let changed = ["en/a.md en/b.md"];
    assert_eq!(since(&env, "HEAD"), changed);
    env.git(&["add", "en/b.md"]);
    assert_eq!(since(&env, "HEAD"), changed);
    env.commit();
    assert!(since(&env, "HEAD").is_empty());
    assert_eq!(since(&env, "HEAD~1"), changed);
    let report = env.json(&["--changed-since", "HEAD~1"]);
    assert_eq!((report.summary.pairs, report.clusters.len()), (1, 1));
    assert_eq!(report.summary.documents, 5);
}

#[test]
fn new_documents_are_changed_also_if_git_ignores_them() {
    let env = parks().file(".gitignore", "*.tmp.md\n");
    env.commit();
    env.write("zh/新 页面\".md", PARK_ZH_EDITED);
    env.write("x.tmp.md", PARK);
    assert_eq!(
        since(&env, "HEAD"),
        ["zh/a.md zh/新 页面\".md", "zh/b.md zh/新 页面\".md"]
    );
    let all = env.scan(&["--changed-since", "HEAD", "--no-ignore"]);
    assert!(pairs(&all).contains(&"en/a.md x.tmp.md".into()), "{all:?}");
    env.write("build/x/y.tmp.md", PARK_EDITED);
    let named = ["en", "build/x/y.tmp.md", "--changed-since", "HEAD"];
    let gate = env.run(&[&["scan", "--fail-on", "near"][..], &named].concat());
    assert_eq!(gate.code, Some(1), "{gate:?}");
    std::fs::remove_dir_all(env.path("build")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let odd = std::ffi::OsStr::from_bytes(b"zh/\xff\n.md");
        std::fs::remove_file(env.path("zh/新 页面\".md")).unwrap();
        env.write(odd, PARK_ZH);
        assert_eq!(since(&env, "HEAD").len(), 2);
    }
}

#[test]
fn a_rename_alone_is_no_change() {
    let env = parks();
    env.git(&["mv", "en/b.md", "en/c.md"]);
    env.git(&["mv", "zh/b.md", "zh/c.md"]);
    assert!(since(&env, "HEAD").is_empty());
    env.commit();
    assert!(since(&env, "HEAD~1").is_empty());
    env.write("en/c.md", PARK_EDITED);
    assert_eq!(since(&env, "HEAD~1"), ["en/a.md en/c.md"]);
    // A further copy is.
    env.write("zh/d.md", PARK_ZH);
    assert_eq!(since(&env, "HEAD").len(), 1 + 2);
}

#[test]
fn a_deletion_makes_up_for_one_new_file() {
    let env = Env::new().file("docs/a.md", PARK).repository();
    std::fs::rename(env.path("docs/a.md"), env.path("docs/c.md")).unwrap();
    env.write("docs/d.md", PARK);
    env.git(&["add", "--all"]);
    assert_eq!(since(&env, "HEAD"), ["docs/c.md docs/d.md"]);
}

#[cfg(unix)]
#[test]
fn nothing_of_a_foreign_repository_runs() {
    use std::os::unix::fs::PermissionsExt;
    let env = parks();
    env.write(".gitattributes", "*.md filter=x\n");
    env.write(".git/hooks/post-index-change", "#!/bin/sh\n: > HOOKED\n");
    let anybody = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(env.path(".git/hooks/post-index-change"), anybody).unwrap();
    env.git(&["config", "filter.x.clean", ": > PWNED; cat"]);
    env.write("en/b.md", PARK_EDITED);
    for format in formats_for_ci() {
        env.run(&["scan", "en", "-f", format]).ok();
        assert!(!env.path("PWNED").exists(), "{format}");
    }
    // Git runs in CI, and for these options.
    for key in ["filter.x.smudge", "filter.x.process"] {
        env.git(&["config", key, ": > PWNED; cat"]);
    }
    env.git(&["config", "filter.x.required", "true"]);
    for args in ASKING {
        ask(&env, args).ok();
        assert_eq!(traces(&env), [""; 0], "{args:?}");
    }
    // By a file that the configuration includes, and without a word in the documents.
    env.git(&["config", "--unset", "filter.x.clean"]);
    env.write(
        ".git/more",
        "[filter \"y.z\"]\n clean = : > PWNED; cat\n smudge = : > PWNED; cat\n",
    );
    env.git(&["config", "include.path", "more"]);
    env.write(".gitattributes", "");
    env.write(
        ".git/info/attributes",
        "*.md filter=y.z\nen/b.md filter=y\n",
    );
    env.git(&["config", "filter.y.clean", ": > PWNED; cat"]);
    for args in ASKING {
        ask(&env, args).ok();
        assert_eq!(traces(&env), [""; 0], "{args:?}");
    }
    // A name that cannot be switched off.
    env.git(&["config", "filter.a=b.clean", ": > PWNED; cat"]);
    env.scan(&["--changed-since", "HEAD"])
        .fails("a filter named 'a=b'");
    assert_eq!(traces(&env), [""; 0]);
}

/// Runs that ask git.
#[cfg(unix)]
const ASKING: [&[&str]; 3] = [
    &["-f", "github"],
    &["-f", "json", "--changed-since", "HEAD"],
    &["-f", "json", "--baseline-from", "HEAD"],
];

/// Runs a scan in CI.
#[cfg(unix)]
fn ask(env: &Env, args: &[&str]) -> Run {
    let mut command = env.command(&[&["scan", "en"], args].concat());
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
        let env = parks();
        env.git(&["config", "remote.origin.url", url]);
        env.git(&["config", key, "always"]);
        env.git(&["config", "core.sshCommand", ": > PWNED; false"]);
        env.git(&["config", "remote.origin.uploadpack", ": > PWNED; false"]);
        env.git(&["config", "remote.origin.promisor", "true"]);
        env.git(&["config", "core.repositoryFormatVersion", "1"]);
        env.git(&["config", "extensions.partialClone", "origin"]);
        // The committed text is not here.
        let blob = env.git(&["rev-parse", "HEAD:en/a.md"]);
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
    let inner = parks();
    let env = Env::new().file("en/c.md", PARK).repository();
    env.git(&["submodule", "--quiet", "add", inner.root(), "sub"]);
    env.commit();
    let trace = env.path("PWNED");
    let filter = format!(": > '{}'; cat", trace.display());
    git_in(&env.path("sub"), &["config", "filter.x.clean", &filter]);
    env.write(".git/modules/sub/info/attributes", "*.md filter=x\n");
    env.write("sub/en/a.md", PARK_EDITED);
    assert!(since(&env, "HEAD").is_empty());
    assert!(!trace.exists());
}

#[test]
fn a_configuration_that_was_found_does_not_make_a_run_ask_git() {
    for key in ["changed-since", "baseline-from"] {
        let env = parks();
        env.write("dupfind.toml", format!("{key} = 'HEAD'\n"));
        env.scan(&[]).fails(&format!(
            "dupfind.toml:1: {key}: a configuration that was found may not make a run ask git"
        ));
        env.scan(&["--config", "dupfind.toml"]).ok();
        env.scan(&["--changed-since", "HEAD"]).ok();
        env.scan(&["--no-config"]).ok();
    }
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
    let env = parks().folder("tmp").file("bin/git", WAITING_GIT);
    let anybody = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(env.path("bin/git"), anybody).unwrap();
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
            .std_command(&["scan", "en", "--baseline-from", "HEAD"])
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
    let env = parks();
    env.git(&["checkout", "--quiet", "-b", "topic"]);
    env.write("zh/b.md", PARK_ZH_EDITED);
    env.commit();
    env.git(&["checkout", "--quiet", "main"]);
    env.write("en/b.md", PARK_EDITED);
    env.commit();
    env.git(&["tag", "-a", "v1", "-m", "x"]);
    env.git(&["checkout", "--quiet", "topic"]);
    for reference in ["main", "v1", "refs/heads/main"] {
        assert_eq!(since(&env, reference), ["zh/a.md zh/b.md"], "{reference}");
    }
    // Without a common ancestor, from the revision itself.
    env.git(&["checkout", "--quiet", "--orphan", "other"]);
    env.commit();
    assert_eq!(since(&env, "main").len(), 2);
}

#[test]
fn all_records_of_a_changed_file_are_changed() {
    let record =
        |id: &str, text: &str| format!("{}\n", serde_json::json!({"id": id, "text": text}));
    let old = [record("a", PARK), record("b", PARK)].concat();
    let env = Env::new()
        .file("r.jsonl", &old)
        .file("s.jsonl", record("a", PARK_EDITED))
        .repository();
    let run = || pairs(&env.scan(&["--changed-since", "HEAD", "--id-field", "id"]));
    assert!(run().is_empty());
    env.write("s.jsonl", record("a", PARK_EDITED) + &record("b", BREAD));
    assert_eq!(run(), ["r.jsonl#a s.jsonl#a", "r.jsonl#b s.jsonl#a"]);
    env.write("r.jsonl", old + &record("c", BREAD));
    assert_eq!(run().len(), 4);
}

#[test]
fn piped_records_count_as_changed() {
    let record = |text: &str| format!("{}\n", serde_json::json!({ "text": text }));
    let env = Env::new()
        .file("a.md", PARK)
        .file("b.md", PARK)
        .repository();
    let args = ["scan", "-f", "json", "-", ".", "--changed-since", "HEAD"];
    let run = env.run_with(record(PARK_EDITED) + &record(BREAD), &args);
    assert_eq!(pairs(&run), ["-#1 a.md", "-#1 b.md"]);
    // A file of that name is one like any other.
    env.write("-", PARK);
    env.commit();
    assert!(since(&env, "HEAD").is_empty());
}

#[test]
fn from_a_subfolder_and_with_other_paths() {
    let env = parks();
    env.write("en/b.md", PARK_EDITED);
    let scan = |folder: &str, path: &str| {
        pairs(&env.run_in(
            folder,
            &["scan", "-f", "json", path, "--changed-since", "HEAD"],
        ))
    };
    assert_eq!(scan("en", "."), ["a.md b.md"]);
    assert_eq!(scan("zh", "../en"), ["../en/a.md ../en/b.md"]);
    assert_eq!(scan("zh", env.path("en").to_str().unwrap()).len(), 1);
    assert!(scan("en", "../zh").is_empty());
    // The current folder need not be in the repository.
    let outside = Env::new();
    let run = outside.scan(&[env.root(), "--changed-since", "HEAD"]);
    assert_eq!(pairs(&run).len(), 1);
}

#[test]
fn the_environment_of_a_hook_does_not_lead_astray() {
    let env = parks();
    env.write("en/b.md", PARK_EDITED);
    for variables in [
        &[("GIT_DIR", ".git"), ("GIT_INDEX_FILE", ".git/index.lock")][..],
        &[("GIT_DIR", "/nowhere"), ("GIT_WORK_TREE", "/")],
        &[("GIT_INDEX_FILE", "/dev/null"), ("GIT_PREFIX", "en/")],
    ] {
        let mut command = env.command(&["scan", "-f", "json", ".", "--changed-since", "HEAD"]);
        command
            .current_dir(env.path("en"))
            .envs(variables.iter().copied());
        assert_eq!(
            pairs(&Run::of(&mut command)),
            ["a.md b.md"],
            "{variables:?}"
        );
    }
}

/// A real hook, with all that git gives it.
#[cfg(unix)]
#[test]
fn in_a_hook_before_a_commit() {
    use std::os::unix::fs::PermissionsExt;
    let env = parks();
    let hook = format!(
        "#!/bin/sh\ncd en && exec '{}' scan .. -f csv -q --changed-since HEAD --fail-on near\n",
        crate::env::program()
    );
    env.write(".git/hooks/pre-commit", hook);
    let file = env.path(".git/hooks/pre-commit");
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
    env.write("bread.md", format!("{BREAD}\nOr longer.\n"));
    env.git(&["commit", "--quiet", "-m", "passes", "bread.md"]);
    env.write("zh/c.md", PARK_ZH);
    env.git(&["add", "zh/c.md"]);
    let failed = std::panic::catch_unwind(|| env.git(&["commit", "-m", "fails", "-a"]));
    assert!(failed.is_err());
}

#[test]
fn in_another_working_tree_and_a_submodule() {
    let env = parks();
    let trees = Env::new();
    let tree = trees.path("tree");
    env.git(&[
        "worktree",
        "add",
        "--quiet",
        tree.to_str().unwrap(),
        "-b",
        "topic",
    ]);
    trees.write("tree/zh/b.md", PARK_ZH_EDITED);
    let run = trees.run_in("tree", &["scan", "-f", "json", "--changed-since", "main"]);
    assert_eq!(pairs(&run), ["zh/a.md zh/b.md"]);

    // All documents of a submodule are changed when its commit is.
    let outer = Env::new().file("en/c.md", PARK).repository();
    outer.git(&["submodule", "--quiet", "add", env.root(), "sub"]);
    outer.commit();
    assert!(since(&outer, "HEAD").is_empty());
    outer.write("sub/bread.md", "another one");
    assert!(since(&outer, "HEAD").is_empty());
    git_in(
        &outer.path("sub"),
        &["commit", "--quiet", "--all", "-m", "x"],
    );
    assert_eq!(since(&outer, "HEAD").len(), 2 + 1 + 1);
    // By itself it is a repository like any other.
    let inner = outer.scan(&["sub", "--changed-since", "HEAD"]);
    assert!(pairs(&inner).is_empty());
    let both = outer.scan(&["sub", "en", "--changed-since", "HEAD"]);
    both.fails("name paths of one repository");
}

#[test]
fn what_git_cannot_do_is_explained() {
    let env = parks();
    for (reference, part) in [
        (
            "nowhere",
            "git knows no revision 'nowhere': git fetch gets the branches",
        ),
        ("--output=x", "such as origin/main, v1.2 or HEAD~1"),
        ("", "such as origin/main"),
        ("HEAD:bread.md", "git knows no revision"),
    ] {
        let run = env.scan(&[&format!("--changed-since={reference}")]);
        run.fails(part);
        run.fails("--changed-since");
    }
    assert!(!env.path("x").exists());

    let plain = Env::parks().scan(&["--changed-since", "HEAD"]);
    plain.fails("git gives no working tree for ");
    let mut without = env.command(&["scan", "--changed-since", "HEAD"]);
    Run::of(without.env("PATH", "/nowhere")).fails("git, which must be installed");

    // A clone without history, and one with another name for the branch.
    env.write("en/c.md", BREAD);
    env.commit();
    let clones = Env::new();
    let from = format!("file://{}", env.root());
    clones.git(&["clone", "--quiet", "--depth=1", &from, "shallow"]);
    clones.git(&["clone", "--quiet", &from, "full"]);
    let run = |folder: &str, reference: &str| {
        clones.run_in(
            folder,
            &["scan", "-f", "json", "--changed-since", reference],
        )
    };
    run("shallow", "HEAD~1").fails("fetch-depth: 0");
    run("full", "HEAD~1").ok();
    git_in(
        &clones.path("full"),
        &["checkout", "--quiet", "-b", "topic"],
    );
    git_in(&clones.path("full"), &["branch", "--quiet", "-D", "main"]);
    run("full", "main").fails("did you mean origin/main?");
}
