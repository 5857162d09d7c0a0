//! Which of two documents reports for CI point at.

use std::process::Command;

use crate::env::{BREAD, Env, PARK, PARK_EDITED, Run};

#[test]
fn a_copy_is_at_fault_and_not_what_it_was_copied_from() {
    let env = Env::new()
        .file("docs/bread.md", BREAD)
        .file("docs/park.md", PARK)
        .file("docs/edited.md", PARK_EDITED);
    let git = |args: &[&str]| {
        let run = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
            .args(args)
            .current_dir(env.path("."))
            .output()
            .unwrap();
        assert!(run.status.success(), "{run:?}");
    };
    git(&["init", "--quiet", "--initial-branch=main"]);
    let baseline = ["docs", "--baseline", ".accepted"];
    env.report(&[&baseline[..], &["--update-baseline"]].concat());
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message=pages"]);
    // The copy comes first by name, and is as long.
    env.write("docs/a-copy.md", BREAD);
    let annotated = |base: Option<&str>| {
        let args = [
            &["scan"],
            &baseline[..],
            &["--fail-on-new", "--format", "github"],
        ]
        .concat();
        let mut command = env.command(&args);
        command.env("CI", "true");
        if let Some(base) = base {
            command.env("GITHUB_BASE_REF", base);
        }
        let run = Run::of(&mut command);
        run.trips("1 pair that the baseline does not accept")
            .to_owned()
    };
    let expected = "::error file=docs/a-copy.md,";
    assert!(annotated(None).starts_with(expected), "{}", annotated(None));
    git(&["checkout", "--quiet", "-b", "change"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message=copy"]);
    let in_request = annotated(Some("main"));
    assert!(in_request.starts_with(expected), "{in_request}");
}
