//! Which of two documents reports for CI point at.

use crate::env::{BREAD, Env, PARK, Run, Says};

#[test]
fn a_copy_is_at_fault_and_not_what_it_was_copied_from() {
    let env = Env::of("BREAD: docs/bread.md; PARK: docs/park.md; PARK_EDITED: docs/edited.md");
    env.git("init --quiet");
    let baseline = ["docs", "--baseline", ".accepted"];
    env.run(("accept --all", baseline));
    env.commit();
    // The copy comes first by name, and is as long.
    env.write("docs/a-copy.md", BREAD);
    let annotated = |base: Option<&str>| {
        let mut command = env.command(("check --format github", baseline));
        command.env("CI", "true");
        if let Some(base) = base {
            command.env("GITHUB_BASE_REF", base);
        }
        Run::of(&mut command).trips("1 duplicate pair").to_owned()
    };
    let expected = "::error file=docs/a-copy.md,";
    annotated(None).begins(expected);
    env.git("checkout --quiet -b change");
    env.commit();
    annotated(Some("main")).begins(expected);
}

#[test]
fn without_a_base_the_baseline_says_since_when_and_a_shallow_clone_is_told() {
    let env = Env::of(
        "BREAD: site/docs/bread.md; PARK: site/docs/park.md; PARK_EDITED: site/docs/edited.md",
    );
    let baseline = ["docs", "--baseline", ".accepted"];
    env.git_in("site", "init --quiet");
    env.run_in("site", ("accept --all", baseline));
    env.commit_at("site", "2024-01-01T00:00:00Z");
    // Both are committed; the one that the baseline names is not the copy, whatever it is called.
    env.write("site/docs/a-copy.md", BREAD);
    env.write("site/docs/b-copy.md", PARK);
    env.commit_at("site", "2024-01-01T00:00:00Z");
    let from = format!("file://{}/site", env.root());
    env.git(format!("clone --quiet --depth=1 {from} shallow"));
    let annotated = |folder: &str, variables: &[(&str, &str)]| {
        let mut command = env.command(("check --format github", baseline));
        command
            .current_dir(env.path(folder))
            .envs(variables.iter().copied());
        Run::of(&mut command)
    };
    let blames = |run: &Run, page: &str| run.stdout.contains(&format!("::error file=docs/{page},"));
    for variables in [&[][..], &[("CI", "true")]] {
        let run = annotated("site", variables);
        assert!(blames(&run, "a-copy.md"), "{run:?}");
        assert!(blames(&run, "b-copy.md"), "{run:?}");
        assert!(!blames(&run, "bread.md"), "{run:?}");
        run.stderr.omits("shallow");
    }
    for variables in [
        &[("CI", "true")][..],
        &[("CI", "true"), ("GITHUB_BASE_REF", "main")],
    ] {
        let run = annotated("shallow", variables);
        assert!(blames(&run, "b-copy.md"), "{run:?}");
        assert!(!blames(&run, "park.md"), "{run:?}");
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
