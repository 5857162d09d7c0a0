//! `--format sarif`: as GitHub reads it. tests/adoption validates the same logs against the
//! published schema.

use serde_json::Value;

use crate::ci::hostile_names;
use crate::env::{Args, BREAD, Env, PARK, PARK_EDITED, Run, Says, value};

/// Keeps a log where the gate finds it, which validates all of them against the published schema.
fn keep(log: &str) {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/sarif");
    std::fs::create_dir_all(folder).unwrap();
    let hash = xxhash_rust::xxh3::xxh3_64(log.as_bytes());
    std::fs::write(format!("{folder}/{hash:016x}.json"), log).unwrap();
}

/// Returns the one run of a log that holds to what GitHub asks beyond the schema.
#[track_caller]
fn log(run: &Run) -> Value {
    let mut log = value(&run.stdout);
    keep(&run.stdout);
    let run = log["runs"][0].take();
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let mut fingerprints = Vec::new();
    for result in run["results"].as_array().unwrap() {
        let rule = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[rule]["id"], result["ruleId"]);
        let related = result["relatedLocations"].as_array().unwrap();
        for (at, location) in related.iter().enumerate() {
            assert_eq!(location["id"], at + 1);
        }
        for id in links(result["message"]["text"].as_str().unwrap()) {
            assert!((1..=related.len()).contains(&id));
        }
        assert!(uris(result).iter().all(|uri| uri.is_ascii()));
        fingerprints.push(fingerprint(result));
    }
    let count = fingerprints.len();
    fingerprints.sort_unstable();
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), count, "not unique");
    run
}

/// The results of `scan` with these arguments.
#[track_caller]
fn results(env: &Env, args: impl Args) -> Vec<Value> {
    let run = env.run(("scan -f sarif", args));
    log(&run)["results"].as_array().unwrap().clone()
}

fn fingerprint(result: &Value) -> String {
    let hash = &result["partialFingerprints"]["primaryLocationLineHash"];
    hash.as_str().unwrap().to_owned()
}

/// The locations that a message links: the numbers of `[text](1)`, where no bracket is escaped.
fn links(message: &str) -> Vec<usize> {
    let bytes = message.as_bytes();
    let mut links = Vec::new();
    for (at, _) in message.match_indices("](") {
        let escapes = bytes[..at].iter().rev().take_while(|&&b| b == b'\\');
        if escapes.count() % 2 == 0 {
            let number = message[at + 2..].split(')').next().unwrap();
            links.push(number.parse().expect(message));
        }
    }
    links
}

/// The URIs of a result: its own, and those of the related locations.
fn uris(result: &Value) -> Vec<&str> {
    let own = result["locations"].as_array().unwrap();
    let related = result["relatedLocations"].as_array().unwrap();
    own.iter()
        .chain(related)
        .map(|at| {
            let uri = &at["physicalLocation"]["artifactLocation"]["uri"];
            uri.as_str().unwrap()
        })
        .collect()
}

#[test]
fn each_document_at_fault_is_one_result() {
    let env = Env::parks();
    let results = results(&env, "");
    let found = results.iter().map(|result| {
        let [rule, level] = ["ruleId", "level"].map(|key| result[key].as_str().unwrap());
        format!("{rule} {level} {}", uris(result)[0])
    });
    let expected = [
        "dupfind/exact warning en/park.md",
        "dupfind/exact warning zh/%E5%A4%8D%E5%88%B6%20copy.md",
        "dupfind/near warning zh/park.md",
        "dupfind/near warning en/edited.md",
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let text = results[0]["message"]["text"].as_str().unwrap();
    let expected = "en/park.md: copy of [en/copy.md](1) (the same text but for case, width and white space).\n\
                    See what they share: dupfind compare en/park.md en/copy.md .";
    assert_eq!(text, expected);
    let text = results[3]["message"]["text"].as_str().unwrap();
    let expected = "en/edited.md: near-duplicate of [en/copy.md](1) (90 % of it is there, 90 % of that page is here; \
                    lines 1-5) and 1 more document. The others: [en/park.md](2).";
    text.begins(expected);
    assert_eq!(results[3]["properties"]["pairs"], 2);
}

#[test]
fn passages_are_linked_with_their_lines() {
    let middle =
        "Nobody knows yet who will write the third chapter of this long story about harbours.\n";
    let env = Env::new()
        .file("a.md", format!("{PARK}\n{middle}\n{BREAD}"))
        .file("b.md", format!("{BREAD}\n{PARK}"));
    let results = results(&env, "");
    assert_eq!(results.len(), 1);
    let result = &results[0];
    let text = result["message"]["text"].as_str().unwrap();
    text.says("Shared: lines 1-4 ([lines 9-12](2) there), lines 6-10 ([lines 1-5](3) there).");
    let lines = |location: &Value| {
        let region = &location["physicalLocation"]["region"];
        (region["startLine"].as_u64(), region["endLine"].as_u64())
    };
    let related = result["relatedLocations"].as_array().unwrap();
    assert_eq!(uris(result), ["b.md", "a.md", "a.md", "a.md"]);
    assert_eq!(lines(&result["locations"][0]), (Some(1), Some(10)));
    assert_eq!(lines(&related[1]), (Some(9), Some(12)));
    assert_eq!(lines(&related[2]), (Some(1), Some(5)));
}

#[test]
fn a_workspace_replaces_a_missing_repository() {
    let env = Env::new().file("site/a.md", PARK).file("site/b.md", PARK);
    for variable in ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"] {
        let mut command = env.command("scan -f sarif");
        command
            .current_dir(env.path("site"))
            .env(variable, env.root());
        let log = log(&Run::of(&mut command));
        assert_eq!(uris(&log["results"][0]), ["site/b.md", "site/a.md"]);
    }
    assert_eq!(uris(&results(&env, "site")[0]), ["site/b.md", "site/a.md"]);
}

#[test]
fn alerts_survive_renames() {
    let env = Env::of("PARK: a.md b.md c.md; PARK_EDITED: edited.md");
    let before: Vec<String> = results(&env, "").iter().map(fingerprint).collect();
    assert_eq!(before.len(), 3);
    std::fs::rename(env.path("b.md"), env.path("z.md")).unwrap();
    std::fs::rename(env.path("edited.md"), env.path("moved.md")).unwrap();
    let after: Vec<String> = results(&env, "").iter().map(fingerprint).collect();
    assert_eq!(before, after);
    env.write("moved.md", PARK_EDITED.replace("runners", "cyclists"));
    let edited: Vec<String> = results(&env, "").iter().map(fingerprint).collect();
    assert_eq!(before[..2], edited[..2]);
    assert_ne!(before[2], edited[2]);
}

#[test]
fn records_of_several_lines_are_all_of_them() {
    let park = |text: &str| text.replace(' ', "\n");
    let table = format!(
        "id,text\nx,\"{}\"\ny,\"{}\"\n",
        park(PARK),
        park(PARK_EDITED)
    );
    let region = |env: &Env| {
        results(env, "--id-field id")[0]["locations"][0]["physicalLocation"]["region"].clone()
    };
    let (first, last) = (3 + park(PARK).matches('\n').count(), table.lines().count());
    let env = Env::new().file("pages.csv", table);
    let expected = serde_json::json!({"startLine": first, "endLine": last});
    assert_eq!(region(&env), expected);
    let annotated = env.report("--id-field id --format github");
    let place = format!("file=pages.csv,line={first},endLine={last},");
    annotated.ok().says(&place);
    let objects = [("x", PARK), ("y", PARK_EDITED)]
        .map(|(id, text)| serde_json::json!({"id": id, "text": text}));
    let array = serde_json::to_string_pretty(&objects).unwrap();
    let env = Env::new().file("pages.json", array);
    let expected = serde_json::json!({"startLine": 6, "endLine": 9});
    assert_eq!(region(&env), expected);
}

#[test]
fn every_relation_and_no_document_hold_to_the_schema() {
    let fixtures = Env::new();
    let corpus = std::fs::canonicalize("fixtures/corpus").unwrap();
    let run = fixtures.run(("check -f sarif --fail-on short", [corpus.to_str().unwrap()]));
    let corpus = log(&run);
    let rules = corpus["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), 7);
    assert!(corpus["results"].as_array().unwrap().len() > 10);
    assert!(log(&Env::new().run("scan -f sarif"))["results"] == Value::Array(vec![]));
    // A file that cannot be read is an error and in the report.
    let run = Env::new().run("scan -f sarif gone.md");
    run.complains("gone.md");
    let invocation = &log(&run)["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notification = &invocation["toolExecutionNotifications"][0];
    notification["message"]["text"]
        .as_str()
        .unwrap()
        .begins("gone.md: not found");
}

#[cfg(unix)]
#[test]
fn hostile_names_are_escaped() {
    let env = hostile_names();
    let results = results(&env, "");
    for result in &results {
        let text = result["message"]["text"].as_str().unwrap();
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\r']), "{text}");
    }
    let names = results.iter().map(|result| uris(result)[0].to_owned());
    let mut names: Vec<String> = names.collect();
    names.push(uris(&results[0])[1].to_owned());
    let decoded = names
        .iter()
        .map(|uri| percent_encoding::percent_decode_str(uri));
    let decoded = decoded.map(|name| name.decode_utf8().unwrap().into());
    let mut names: Vec<String> = decoded.collect();
    names.sort_unstable();
    assert_eq!(names, env.entries());
}

#[test]
fn all_relations_by_their_names_are_all() {
    let env = Env::new();
    env.write("docs/create-user.md", format!("# Create a user\n\n{PARK}"));
    env.write(
        "docs/drop-user.md",
        format!("# Drop a user\n\n{PARK_EDITED}"),
    );
    for (show, count) in [
        ("", 0),
        (" --show all", 1),
        (
            " --show exact,near,contains,variant,related,template,short",
            1,
        ),
    ] {
        let run = env.run(format!("scan docs -f sarif{show}"));
        let results = log(&run)["results"].as_array().unwrap().len();
        assert_eq!(results, count, "{show}");
    }
}
