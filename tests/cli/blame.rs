//! Which of two documents reports for CI point at.

use std::process::Command;

use crate::env::{Args, BREAD, Env, PARK, PARK_EDITED, Run, Says};

#[test]
fn a_copy_is_at_fault_and_not_what_it_was_copied_from() {
    let env = Env::new()
        .file("docs/bread.md", BREAD)
        .file("docs/park.md", PARK)
        .file("docs/edited.md", PARK_EDITED);
    let git = |args: &str| {
        let run = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
            .args(args.words())
            .current_dir(env.path("."))
            .output()
            .unwrap();
        assert!(run.status.success(), "{run:?}");
    };
    git("init --quiet --initial-branch=main");
    let baseline = ["docs", "--baseline", ".accepted"];
    env.run(("accept --all", baseline));
    git("add --all");
    git("commit --quiet --message=pages");
    // The copy comes first by name, and is as long.
    env.write("docs/a-copy.md", BREAD);
    let annotated = |base: Option<&str>| {
        let args = [&["check"], &baseline[..], &["--format", "github"]].concat();
        let mut command = env.command(&args);
        command.env("CI", "true");
        if let Some(base) = base {
            command.env("GITHUB_BASE_REF", base);
        }
        let run = Run::of(&mut command);
        run.trips("1 new duplicate").to_owned()
    };
    let expected = "::error file=docs/a-copy.md,";
    assert!(annotated(None).starts_with(expected), "{}", annotated(None));
    git("checkout --quiet -b change");
    git("add --all");
    git("commit --quiet --message=copy");
    let in_request = annotated(Some("main"));
    assert!(in_request.starts_with(expected), "{in_request}");
}

#[test]
fn without_a_base_the_baseline_says_since_when_and_a_shallow_clone_is_told() {
    let env = Env::new()
        .file("site/docs/bread.md", BREAD)
        .file("site/docs/park.md", PARK)
        .file("site/docs/edited.md", PARK_EDITED);
    let git = |folder: &str, args: &str| {
        let run = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
            .args(args.words())
            .current_dir(env.path(folder))
            .output()
            .unwrap();
        assert!(run.status.success(), "{run:?}");
    };
    let baseline = ["docs", "--baseline", ".accepted"];
    git("site", "init --quiet --initial-branch=main");
    env.run_in("site", ("accept --all", baseline));
    git("site", "add --all");
    git("site", "commit --quiet --message=pages");
    // Both are committed; the one that the baseline names is not the copy, whatever it is called.
    env.write("site/docs/a-copy.md", BREAD);
    env.write("site/docs/b-copy.md", PARK);
    git("site", "add --all");
    git("site", "commit --quiet --message=copies");
    let from = format!("file://{}/site", env.root());
    git(".", &format!("clone --quiet --depth=1 {from} shallow"));
    let gate = [&["check"], &baseline[..], &["--format", "github"]].concat();
    let annotated = |folder: &str, variables: &[(&str, &str)]| {
        let mut command = env.command(&gate);
        command
            .current_dir(env.path(folder))
            .envs(variables.iter().copied());
        Run::of(&mut command)
    };
    let blames = |run: &Run, page: &str| run.stdout.contains(&format!("::error file=docs/{page},"));
    for variables in [&[][..], &[("CI", "true")]] {
        let run = annotated("site", variables);
        assert!(
            blames(&run, "a-copy.md") && blames(&run, "b-copy.md"),
            "{run:?}"
        );
        assert!(
            !blames(&run, "bread.md") && !run.stderr.contains("shallow"),
            "{run:?}"
        );
    }
    for variables in [
        &[("CI", "true")][..],
        &[("CI", "true"), ("GITHUB_BASE_REF", "main")],
    ] {
        let run = annotated("shallow", variables);
        assert!(
            blames(&run, "b-copy.md") && !blames(&run, "park.md"),
            "{run:?}"
        );
        if variables.len() == 1 {
            run.says("warning: this clone is shallow");
            // The baseline names neither of these two, so that there is an entry at the copy in any case.
            let both = blames(&run, "a-copy.md") && blames(&run, "bread.md");
            assert!(
                both && run.stdout.matches("one of the two is new").count() == 2,
                "{run:?}"
            );
        }
    }
}
