//! The formats that CI systems read: annotations, Code Quality and Markdown.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use crate::env::{Env, PARK, Run, Says, value};
use crate::hostile::assert_harmless;

/// The documents at fault of those that all tests have.
const PLACES: &str = "en/park.md, zh/复制 copy.md, zh/park.md, en/edited.md";

/// Copies whose names mean something to one of the formats. Windows allows none of them.
#[cfg(unix)]
pub(crate) fn hostile_names() -> Env {
    [
        "new\n::error::owned.md",
        "::error file=x,line=1::owned.md",
        "%0A::set-env name=x::y.md",
        "a,b:c%2C.md",
        "[x](2) {0}.md",
        "]] ![i](j).md",
        "@everyone <script>alert(1).md",
        "a|b`c`.md",
        "\\|`www.example.com <!-- -->.md",
        "]]> & \"quotes\" '.md",
        "red\u{1b}[31m\r\t\u{9b}\u{202e}\u{fffe}.md",
        " -x ",
    ]
    .iter()
    .fold(Env::new(), |env, name| env.file(name, PARK))
}

/// A name as reports show it: what acts on a terminal is written as an escape.
#[cfg(unix)]
fn visible(name: &str) -> String {
    let escaped = |c: char| match c {
        '\n' | '\r' | '\t' => c.escape_default().to_string(),
        '\u{202e}' => c.escape_unicode().to_string(),
        _ if c.is_control() => c.escape_unicode().to_string(),
        _ => c.to_string(),
    };
    name.chars().map(escaped).collect()
}

/// A workflow command, as the runner of GitHub Actions reads it.
#[derive(Debug)]
struct Command {
    name: String,
    properties: BTreeMap<String, String>,
    message: String,
}

/// Reads a line as the runner does; none if it is no command.
fn command(line: &str) -> Option<Command> {
    let data = |text: &str| {
        text.replace("%0D", "\r")
            .replace("%0A", "\n")
            .replace("%25", "%")
    };
    let property = |text: &str| {
        let text = text.replace("%0D", "\r").replace("%0A", "\n");
        text.replace("%3A", ":")
            .replace("%2C", ",")
            .replace("%25", "%")
    };
    let (head, message) = line.strip_prefix("::")?.split_once("::")?;
    let (name, properties) = head.split_once(' ').unwrap_or((head, ""));
    let properties = properties.split(',');
    let properties = properties.filter_map(|part| part.split_once('='));
    Some(Command {
        name: name.into(),
        properties: properties
            .map(|(key, value)| (key.into(), property(value)))
            .collect(),
        message: data(message),
    })
}

/// The commands of a run; every line is one.
#[track_caller]
fn commands(run: &Run) -> Vec<Command> {
    run.stdout
        .lines()
        .map(|line| command(line).expect(line))
        .collect()
}

#[test]
fn annotations_name_file_line_and_what_to_do() {
    let env = Env::parks();
    let run = env.run("scan -f github");
    let found = commands(&run);
    let edited = &found[3];
    assert_eq!(edited.name, "warning");
    assert_eq!(edited.properties["file"], "en/edited.md");
    assert_eq!(edited.properties["line"], "1");
    assert_eq!(edited.properties["endLine"], "5");
    let expected = "Near-duplicate of another document";
    assert_eq!(edited.properties["title"], expected);
    assert!(
        edited
            .message
            .starts_with("en/edited.md: near-duplicate of en/copy.md (")
            && edited.message.contains(" % of it is there, "),
        "{edited:?}"
    );
    edited
        .message
        .ends("\nSee what they share: dupfind compare en/edited.md en/copy.md .");
    assert_eq!(found.len(), 4);
    let failed = env.check("-f github --fail-on near");
    assert_eq!(failed.code, Some(1));
    for command in &commands(&failed) {
        assert_eq!(command.name, "error", "{command:?}");
    }
}

#[cfg(unix)]
#[test]
fn no_name_makes_a_command() {
    let env = hostile_names();
    let run = env.run("scan -f github");
    let found = commands(&run);
    assert_harmless(&run.stdout);
    // Two colons at the beginning of a line would make a command.
    let shown = |name: &String| match visible(name) {
        name if name.starts_with("::") => name.replacen(':', "\\u{3a}", 1),
        name => name,
    };
    let names: HashSet<String> = env.entries().iter().map(shown).collect();
    assert_eq!(found.len(), 11);
    for command in &found[..10] {
        assert_eq!(command.name, "warning");
        assert!(names.contains(&command.properties["file"]), "{command:?}");
        assert_eq!(command.properties.len(), 3);
        assert_harmless(&command.message);
    }
    assert_eq!(found[10].name, "notice");
}

#[test]
fn the_rest_goes_to_the_summary_of_the_job() {
    let env = (0..40).fold(Env::new(), |env, at| {
        env.file(format!("docs/{at:02}.md"), PARK)
    });
    env.write("summary.md", "# Mine\n");
    let summary = env.path("summary.md");
    let with_summary = |path: &std::path::Path| {
        let mut command = env.command("scan docs -f github");
        Run::of(command.env("GITHUB_STEP_SUMMARY", path))
    };
    let run = with_summary(&summary);
    let message = commands(&run).pop().unwrap().message;
    assert_eq!(message, "29 more documents: see the job summary");
    run.ok();
    let text = env.read("summary.md");
    let markdown = env.run("scan docs -f markdown");
    assert_eq!(text, format!("# Mine\n{}", markdown.ok()));
    // Beyond its limit GitHub would show nothing of it.
    let full = "x".repeat((1 << 20) - 100);
    env.write("summary.md", &full);
    with_summary(&summary).warns("cannot write the job summary");
    assert_eq!(env.read("summary.md"), full);
    with_summary(&env.path("gone/summary.md")).warns("cannot write the job summary");
}

/// The issues of a Code Quality report that is as GitLab documents it.
#[track_caller]
fn issues(run: &Run) -> Vec<Value> {
    let Value::Array(issues) = value(&run.stdout) else {
        panic!("no array: {}", run.stdout);
    };
    let mut fingerprints = HashSet::new();
    for issue in &issues {
        for key in ["description", "check_name", "fingerprint", "severity"] {
            assert!(
                issue[key].as_str().is_some_and(|text| !text.is_empty()),
                "{key}: {issue}"
            );
        }
        let severities = ["info", "minor", "major", "critical", "blocker"];
        assert!(severities.contains(&issue["severity"].as_str().unwrap()));
        let path = issue["location"]["path"].as_str().unwrap();
        assert!(!path.starts_with(['/', '.']), "{path}");
        let lines = &issue["location"]["lines"];
        let begin = lines["begin"].as_u64().unwrap();
        assert!(
            begin >= 1 && lines["end"].as_u64().is_none_or(|end| end >= begin),
            "{issue}"
        );
        assert!(fingerprints.insert(issue["fingerprint"].clone()), "{issue}");
    }
    issues
}

#[test]
fn code_quality_is_as_documented() {
    let env = Env::parks();
    let found = issues(&env.run("scan -f gitlab"));
    let places: Vec<&str> = found
        .iter()
        .map(|issue| issue["location"]["path"].as_str().unwrap())
        .collect();
    assert_eq!(places.join(", "), PLACES);
    assert_eq!(found[0]["check_name"], "dupfind/exact");
    assert_eq!(found[0]["severity"], "minor");
    let failing = issues(&env.check("-f gitlab --fail-on exact"));
    assert_eq!(failing[0]["severity"], "major");
    assert_eq!(failing[0]["fingerprint"], found[0]["fingerprint"]);
    assert!(issues(&Env::new().run("scan -f gitlab")).is_empty());
}

#[test]
fn no_report_looks_well_if_nothing_was_compared() {
    // Documents that are only there to be compared with do not count.
    let env = Env::new().file("published/park.md", PARK).folder("new");
    let report = |format: &str| {
        let run = env.check(["-f", format, "new", "--against", "published"]);
        run.complains("nothing to compare");
        run
    };
    let found = commands(&report("github"));
    assert_eq!((found.len(), found[0].name.as_str()), (1, "error"));
    found[0].message.begins("nothing was compared");
    let markdown = report("markdown").stdout;
    markdown.says("### dupfind: nothing was compared\n");
    let sarif = value(&report("sarif").stdout);
    let invocation = &sarif["runs"][0]["invocations"][0];
    let found = &invocation["toolExecutionNotifications"][0]["level"];
    assert_eq!(found, "error");
}
