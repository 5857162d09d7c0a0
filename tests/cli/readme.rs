//! The README is the contract: what it shows is what the program prints.
//!
//! A line `<!-- output of: dupfind ARGS -->` before a code block in the README means that the block
//! is exactly what the program prints to standard output for these arguments.

use std::process::Command;

use dupfind::document::SkipReason;

const README: &str = include_str!("../../README.md");

/// What the program prints for arguments given in one string.
fn printed(args: &str) -> String {
    let output = Command::new(crate::env::program())
        .args(args.split_whitespace())
        .env("COLUMNS", "100")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "dupfind {args}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The code blocks of the README that claim to be output, with their arguments.
fn claims() -> Vec<(&'static str, &'static str)> {
    let marker = "<!-- output of: dupfind ";
    let mut claims = Vec::new();
    for (at, _) in README.match_indices(marker) {
        let rest = &README[at + marker.len()..];
        let (args, rest) = rest.split_once(" -->\n").unwrap();
        let (_, block) = rest.split_once('\n').unwrap();
        let (block, _) = block.split_once("```\n").unwrap();
        claims.push((args, block));
    }
    claims
}

#[test]
fn blocks_show_what_the_program_prints() {
    let claims = claims();
    for command in [
        "scan -h",
        "fingerprint -h",
        "compare -h",
        "stream -h",
        "text -h",
    ] {
        assert!(
            claims.iter().any(|(args, _)| *args == command),
            "{command} is missing"
        );
    }
    for (args, block) in claims {
        // Trailing spaces do not survive editors.
        let lines = |text: &str| -> Vec<String> {
            text.trim_end()
                .lines()
                .map(|line| line.trim_end().to_owned())
                .collect()
        };
        assert_eq!(lines(&printed(args)), lines(block), "dupfind {args}");
    }
}

#[test]
fn every_key_of_the_reports_is_documented() {
    let json = printed("scan fixtures/corpus --format json");
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let mut keys = Vec::new();
    collect_keys(&value, &mut keys);
    let fingerprint = printed("fingerprint fixtures/corpus/zh --quiet");
    collect_keys(
        &serde_json::from_str(fingerprint.lines().next().unwrap()).unwrap(),
        &mut keys,
    );
    let (a, b) = ("zh/notice-lift.txt", "zh/notice-water.txt");
    let folder = "fixtures/corpus";
    let compared = printed(&format!("compare {folder}/{a} {folder}/{b} -f json"));
    collect_keys(&serde_json::from_str(&compared).unwrap(), &mut keys);
    keys.extend(["detail".into(), "note".into(), "type".into()]);
    assert!(keys.len() > 20);
    for key in keys {
        assert!(
            README.contains(&format!("`{key}`")),
            "the key {key} is not in the README"
        );
    }
}

fn collect_keys(value: &serde_json::Value, keys: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(object) => {
            for (key, value) in object {
                if !keys.contains(key) {
                    keys.push(key.clone());
                }
                collect_keys(value, keys);
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|item| collect_keys(item, keys)),
        _ => {}
    }
}

#[test]
fn every_reason_for_skipping_is_documented() {
    for reason in [
        SkipReason::Binary,
        SkipReason::Empty,
        SkipReason::TooLarge,
        SkipReason::NotAFile,
        SkipReason::Loop,
        SkipReason::Malformed,
        SkipReason::PreFailed,
        SkipReason::NotFound,
        SkipReason::Unreadable,
    ] {
        assert!(
            README.contains(&format!("`{}`", reason.as_str())),
            "{reason:?}"
        );
    }
}

#[test]
fn the_long_help_has_an_example_for_every_group() {
    for (command, groups) in [
        (
            "scan",
            vec![
                "Input",
                "Text",
                "Detection",
                "Scope",
                "Output",
                "Gate",
                "Running",
            ],
        ),
        ("fingerprint", vec!["Input", "Text", "Output", "Running"]),
        ("compare", vec!["Input", "Text", "Output"]),
        (
            "stream",
            vec![
                "Input",
                "Text",
                "Detection",
                "Memory",
                "State",
                "Output",
                "Running",
            ],
        ),
        ("text", vec!["Input", "Text", "Output"]),
    ] {
        let help = printed(&format!("{command} --help"));
        let (options, examples) = help.split_once("Examples:").unwrap();
        for group in groups {
            assert!(
                options.contains(&format!("\n{group}:\n")),
                "{command}: no group {group}"
            );
            assert!(
                examples.contains(&format!("  {group}: ")),
                "{command}: no example of {group}"
            );
        }
        assert!(examples.contains("Exit status"));
    }
}
