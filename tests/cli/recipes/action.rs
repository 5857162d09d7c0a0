//! The scan of the action: its inputs, its outputs, and how it ends.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::env::{PARK, Run, Says};

use super::repository::{KILN, Repository, of_project, run};

/// A run of the action.
struct Acted {
    ran: Run,
    outputs: BTreeMap<String, String>,
    summary: String,
}

/// Runs the script with inputs, called as in `action.yml`.
fn act(repository: &Repository, inputs: &[(&str, &str)]) -> Acted {
    act_with(repository, inputs, &[])
}

/// Does the same with variables of GitHub.
fn act_with(repository: &Repository, inputs: &[(&str, &str)], variables: &[(&str, &str)]) -> Acted {
    let [output, summary] = ["output", "summary"].map(|name| repository.beside(name));
    fs::write(&output, "").unwrap();
    fs::write(&summary, "").unwrap();
    let mut command = repository.command("bash");
    command
        .arg(of_project(".github/actions/dupfind/run.sh"))
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_OUTPUT", &output)
        .env("GITHUB_STEP_SUMMARY", &summary)
        .env("INPUT_REPORTS", "sarif html markdown");
    for (name, value) in inputs {
        let name = name.to_uppercase().replace('-', "_");
        command.env(format!("INPUT_{name}"), value);
    }
    command.envs(variables.iter().copied());
    let ran = run(&mut command);
    let outputs = fs::read_to_string(&output).unwrap();
    let outputs = outputs.lines().map(|line| {
        let (name, value) = line.split_once('=').unwrap();
        (name.to_owned(), value.to_owned())
    });
    Acted {
        ran,
        outputs: outputs.collect(),
        summary: fs::read_to_string(&summary).unwrap(),
    }
}

impl Acted {
    /// An output, or nothing.
    fn output(&self, name: &str) -> &str {
        self.outputs.get(name).map_or("", String::as_str)
    }

    /// The JSON report.
    fn report(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(self.output("json")).unwrap()).unwrap()
    }

    /// Asserts how it ended, and that the output has it too.
    #[track_caller]
    fn ended_with(&self, status: i32) {
        assert_eq!(self.ran.code, Some(status), "{:?}", self.ran);
        assert_eq!(self.output("exit-code"), status.to_string());
    }
}

#[test]
fn a_copied_page_fails_and_is_annotated() {
    let repository = Repository::with_copy();
    let acted = act(&repository, &[("paths", "docs"), ("fail-on", "contains")]);
    acted.ended_with(1);
    assert_eq!(acted.output("pairs"), "1");
    assert_eq!(acted.output("clusters"), "1");
    assert_eq!(acted.report()["pairs"][0]["a"], "docs/copy.md");
    for report in ["sarif", "html", "markdown"] {
        let text = fs::read_to_string(acted.output(report)).unwrap();
        text.says("docs/copy.md");
    }
    let annotations = acted.ran.stdout.lines();
    let annotations = annotations.filter(|line| line.starts_with("::"));
    let annotations: Vec<&str> = annotations.collect();
    assert!(
        annotations
            .iter()
            .any(|line| line.contains("file=docs/copy.md")),
        "{annotations:?}"
    );
    acted.summary.says("docs/copy.md");
    acted.ran.says("dupfind: failed: 1 duplicate pair");
}

#[test]
fn a_foreign_pull_request_brings_no_rules() {
    let repository = Repository::new();
    repository.page("dupfind.toml", "fail-on = \"near\"\n");
    repository.page("docs/old.md", PARK);
    repository.page("docs/old copy.md", PARK);
    // Rules may have any name, and are where the base has them.
    let accept = "dupfind accept --all docs --baseline 'ci/known pairs' -q";
    fs::create_dir(repository.beside("site/ci")).unwrap();
    repository.shell(accept, 0);
    repository.commit("The rules");
    repository.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let pull = |head: &'static str| {
        [
            ("GITHUB_EVENT_NAME", "pull_request"),
            ("GITHUB_REPOSITORY", "owner/site"),
            ("GITHUB_BASE_REF", "main"),
            ("HEAD_REPOSITORY", head),
        ]
    };
    let told = "::notice title=dupfind::the pull request comes from another repository";
    let ends_with = |inputs: &[(&str, &str)], head, status, is_told| {
        let acted = act_with(&repository, inputs, &pull(head));
        acted.ended_with(status);
        assert_eq!(acted.ran.stdout.contains(told), is_told, "{:?}", acted.ran);
        acted
    };
    let inputs = [("baseline", "ci/known pairs"), ("paths", "docs")];
    ends_with(&inputs, "stranger/site", 0, false);
    // A copy, and whatever would let it pass.
    repository.page("docs/copy.md", KILN);
    repository.page("docs/dupfind.toml", "exclude = [\"copy.md\"]\n");
    repository.shell(accept, 0);
    repository.commit("A copy");
    for head in ["stranger/site", ""] {
        assert_eq!(ends_with(&inputs, head, 1, true).output("pairs"), "1");
        repository.git(["checkout", "--quiet", "--", "."]);
    }
    let acted = ends_with(&inputs, "owner/site", 0, false);
    assert_eq!(acted.output("pairs"), "0");
    // Also a configuration that the inputs name.
    let named = [
        (
            "args",
            "--config=docs/dupfind.toml\n--baseline=ci/known pairs",
        ),
        ("paths", "docs"),
    ];
    ends_with(&named, "stranger/site", 2, true);
    repository.git(["checkout", "--quiet", "--", "."]);
    // Without the target nobody can tell.
    repository.git(["update-ref", "-d", "refs/remotes/origin/main"]);
    let acted = ends_with(&inputs, "stranger/site", 2, false);
    acted.ran.stdout.says("fetch-depth: 0");
}

#[test]
fn an_error_is_no_verdict_and_is_shown() {
    for inputs in [
        [("paths", "dcos"), ("fail-on", "contains")],
        [("paths", "docs"), ("fail-on", "everything")],
        [("paths", "docs"), ("reports", "sarif pdf")],
        [("paths", "docs"), ("since", "nowhere")],
        [("paths", "docs"), ("args", "--no-such-option")],
    ] {
        let acted = act(&Repository::with_copy(), &inputs);
        acted.ended_with(2);
        let errors = acted.ran.stdout.lines();
        let errors = errors.filter(|line| line.starts_with("::error"));
        // A path that is not there is an error, and there was nothing to compare.
        let count = if inputs[0].1 == "dcos" { 2 } else { 1 };
        assert_eq!(errors.count(), count, "{inputs:?}: {:?}", acted.ran);
    }
}

#[test]
fn only_the_reports_asked_for_are_outputs() {
    let repository = Repository::with_copy();
    for (asked, given) in [
        ("", vec![]),
        ("html", vec!["html"]),
        ("markdown,sarif", vec!["sarif", "markdown"]),
        ("html\nsarif\n", vec!["sarif", "html"]),
    ] {
        let acted = act(&repository, &[("reports", asked)]);
        acted.ended_with(1);
        let reports = ["sarif", "html", "markdown"].into_iter();
        let found = reports.filter(|name| !acted.output(name).is_empty());
        assert_eq!(found.collect::<Vec<&str>>(), given, "{asked:?}");
    }
}

#[test]
fn two_runs_of_one_job_keep_their_reports() {
    let repository = Repository::with_copy();
    let first = act(&repository, &[]);
    repository.page("docs/third.md", KILN);
    let second = act(&repository, &[]);
    assert_eq!(first.report()["summary"]["pairs"], 1);
    assert_eq!(second.report()["summary"]["pairs"], 3);
}

#[test]
fn inputs_are_arguments_and_nothing_else() {
    let repository = Repository::new();
    let hostile = "docs/$(touch marker) `touch marker`; touch marker & *.md";
    repository.page(hostile, KILN);
    repository.page("-rf --help", KILN);
    let paths = format!("\n  {hostile}\n-rf --help\n\n");
    let acted = act(&repository, &[("paths", &paths)]);
    acted.ended_with(1);
    let pair = &acted.report()["pairs"][0];
    let expected = (&"-rf --help".into(), &hostile.into());
    assert_eq!((&pair["a"], &pair["b"]), expected);
    assert!(!repository.beside("site/marker").exists());
    // A name that GitHub would read as a command of its own.
    for name in ["fail-on", "baseline", "since", "reports"] {
        let acted = act(
            &repository,
            &[(name, "$(touch marker)%0A\n::set-output name=pairs::9")],
        );
        acted.ended_with(2);
        let commands = acted.ran.stdout.lines();
        let commands = commands.filter(|line| line.starts_with("::"));
        assert!(commands.clone().count() >= 1, "{name}: {:?}", acted.ran);
        let mut commands = commands;
        assert!(
            commands.all(|line| line.starts_with("::error title=dupfind::")),
            "{:?}",
            acted.ran
        );
        assert!(!repository.beside("site/marker").exists());
    }
}

#[test]
fn further_options_stand_one_on_a_line() {
    let repository = Repository::with_copy();
    let args = "--exclude=docs/no such *\n\n  --exclude=docs/copy*\n--max-pairs=0";
    let acted = act(&repository, &[("args", args), ("fail-on", "exact")]);
    acted.ended_with(0);
    assert_eq!(acted.report()["summary"]["documents"], 2);
}
