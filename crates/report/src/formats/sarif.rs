//! SARIF 2.1.0 (OASIS), for code scanning on GitHub and other viewers.
//!
//! There is one result for each document at fault and not one for each cluster: GitHub shows a result in a
//! pull request only if its location is among the lines that were changed, and a cluster's representative
//! hardly ever is. The other documents are related locations, which the message links, since GitHub shows no
//! others.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::formats::findings::location::FileLines;
use crate::formats::findings::words::words;
use crate::formats::findings::{Finding, Findings, Gravity, Repeats};
use crate::formats::json::JsonObject;
use crate::formats::{Format, Writer};
use crate::language::english;
use crate::model::{PairRecord, ToolRecord};
use crate::style::escape::{uri_of, visible};
use crate::style::{counted, place_in};
use dupfind_engine::{Relation, Relations};
use dupfind_read::Skipped;

pub(crate) static SARIF: Format = Format {
    name: "sarif",
    endings: &["sarif"],
    help: "SARIF 2.1.0, for code scanning: the documents at fault",
    writer: Writer::Findings(write_sarif),
};

/// The most results. GitHub refuses a report with more of them.
const MAX_RESULTS: usize = 25_000;

/// The most unread entries that are named.
const MAX_UNREAD: usize = 100;

/// The most passages that a message links.
const LINKED: usize = 3;

/// Positions of the kinds of notifications in [`DESCRIPTORS`].
const UNREAD: usize = 0;
const LEFT_OUT: usize = 1;
const EMPTY: usize = 2;

/// Identifiers and descriptions of the kinds of notifications.
const DESCRIPTORS: [(&str, &str); 3] = [
    (
        "dupfind/unread",
        "Something that should be compared could not be read",
    ),
    (
        "dupfind/left-out",
        "There are more findings than a report may hold",
    ),
    ("dupfind/empty", "There was nothing to compare"),
];

/// Writes findings as a SARIF log with one run, every result on a line of its own. Results beyond the limit of GitHub
/// are counted in a notification.
fn write_sarif(findings: &Findings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let ToolRecord { name, version } = ToolRecord::THIS;
    let rules: Vec<Value> = findings.listing.watched.iter().map(rule).collect();
    let descriptor =
        |(id, text): (&str, &str)| json!({"id": id, "shortDescription": {"text": text}});
    let driver = json!({
        "name": name,
        "version": version,
        "semanticVersion": version,
        "rules": rules,
        "notifications": DESCRIPTORS.map(descriptor),
    });
    let schema = "https://json.schemastore.org/sarif-2.1.0.json";
    let root = json!({ROOT: {"description": {"text": "The root of the repository"}}});
    write!(
        out,
        "{{\n\"$schema\": \"{schema}\",\n\"version\": \"2.1.0\",\n\"runs\": [{{\n\"tool\": {},\n\
         \"originalUriBaseIds\": {root}",
        json!({"driver": driver})
    )?;
    let mut run = JsonObject::begun(out);
    run.list("invocations", [invocation(findings)].into_iter())?;
    let mut repeats = Repeats::default();
    let results = findings.list.iter().take(MAX_RESULTS);
    run.list(
        "results",
        results.map(|finding| result(findings, finding, &mut repeats)),
    )?;
    writeln!(out, "\n}}]\n}}")
}

/// Returns the notifications of the run: the entries that could not be read, and the number of results that the report
/// leaves out.
fn invocation(findings: &Findings<'_>) -> Value {
    let notification = |kind: usize, level: &str, message: String| {
        json!({
            "descriptor": {"id": DESCRIPTORS[kind].0, "index": kind},
            "level": level,
            "message": {"text": plain(&message)},
        })
    };
    let skipped = findings.report.outcome.skipped.iter();
    let unread: Vec<&Skipped> = skipped
        .filter(|skipped| skipped.reason.is_error())
        .collect();
    let mut notifications: Vec<Value> = unread
        .iter()
        .take(MAX_UNREAD)
        .map(|skipped| {
            let (path, reason) = (visible(&skipped.path), skipped.reason.as_str());
            let detail = match skipped.detail.as_str() {
                "" => String::new(),
                detail => format!(": {}", visible(detail)),
            };
            notification(UNREAD, "error", format!("{path}: {reason}{detail}"))
        })
        .collect();
    if unread.len() > MAX_UNREAD {
        let more = counted(unread.len() - MAX_UNREAD, "more entry");
        let text = format!("{more} could not be read");
        notifications.push(notification(UNREAD, "error", text));
    }
    if findings.list.len() > MAX_RESULTS {
        let more = counted(findings.list.len() - MAX_RESULTS, "finding");
        let text =
            format!("{more} left out, the least similar ones: a report may hold {MAX_RESULTS}");
        notifications.push(notification(LEFT_OUT, "warning", text));
    }
    let failure = findings.nothing_compared();
    notifications.extend(failure.map(|text| notification(EMPTY, "error", text.into())));
    json!({
        "executionSuccessful": unread.is_empty() && failure.is_none(),
        "toolExecutionNotifications": notifications,
    })
}

fn result(findings: &Findings<'_>, finding: &Finding, repeats: &mut Repeats) -> Value {
    let relation = finding.relation();
    let hash = findings.content_hash(finding);
    let number = repeats.number(&hash);
    let pair = PairRecord::new(&findings.report.outcome.documents, finding.best());
    let (related, passages) = related_locations(findings, finding);
    let name = plain(&findings.name(finding.subject));
    let best = findings.about_best(english, finding, |other| {
        format!("[{}](1)", plain(&findings.name(other)))
    });
    let more = match finding.count - 1 {
        0 => String::new(),
        more => format!(" and {}", counted(more, "more document")),
    };
    let others = others(findings, finding);
    let next = findings.next_step(english, finding);
    let next = next.map_or(String::new(), |next| format!("\n{}", plain(&next)));
    // The same keys as in `--format json`.
    let mut properties = json!({
        "jaccard": pair.jaccard,
        "weighted": pair.weighted,
        "containment": pair.containment,
        "hamming": pair.hamming,
        "pairs": finding.count,
    });
    if let Some(standing) = finding.standing {
        properties["standing"] = standing.as_str().into();
    }
    let watched = findings.listing.watched.iter();
    json!({
        "ruleId": id(relation),
        "ruleIndex": watched.take_while(|&other| other < relation).count(),
        "level": finding.gravity(),
        "message": {"text": format!("{name}: {best}{more}.{others}{passages}{next}")},
        "locations": [{"physicalLocation": location(&findings.location(finding))}],
        "relatedLocations": related,
        // GitHub recognises alerts by this name. It wants a number behind a hash that may come again.
        "partialFingerprints": {"primaryLocationLineHash": format!("{hash}:{number}")},
        "properties": properties,
    })
}

/// Returns links to the other documents but the best one. Their locations have the numbers from 2 on.
fn others(findings: &Findings<'_>, finding: &Finding) -> String {
    let links: Vec<String> = finding
        .others()
        .enumerate()
        .skip(1)
        .map(|(at, id)| format!("[{}]({})", plain(&findings.name(id)), at + 1))
        .collect();
    match (links.len(), finding.count - finding.pairs.len() as u64) {
        (0, _) => String::new(),
        (_, 0) => format!(" The others: {}.", links.join(", ")),
        (_, more) => format!(" Among the others: {} and {more} more.", links.join(", ")),
    }
}

/// Returns the locations of the other documents, numbered from 1, then those of the longest passages in the
/// best one, and a sentence that links the passages.
fn related_locations(findings: &Findings<'_>, finding: &Finding) -> (Vec<Value>, String) {
    let numbered = |number: usize, lines: FileLines, message: String| {
        json!({
            "id": number,
            "physicalLocation": location(&lines),
            "message": {"text": message},
        })
    };
    let mut related: Vec<Value> = finding
        .others()
        .enumerate()
        .map(|(at, id)| {
            let lines = findings.location_of_other(finding, id);
            numbered(at + 1, lines, plain(&findings.name(id)))
        })
        .collect();
    let best = finding.other(finding.best());
    let passages = match &finding.shared {
        // If there is one passage only, the locations of the documents are enough.
        Some(shared)
            if let [first, _, ..] = shared.passages.as_slice()
                && findings.has(finding.subject, first[0])
                && findings.has(best, first[1]) =>
        {
            shared.passages.as_slice()
        }
        _ => return (related, String::new()),
    };
    let mut links = Vec::new();
    for places in passages {
        let [here, there] = places.map(|place| place_in(english, place));
        let number = related.len() + 1;
        links.push(format!("{here} ([{there}]({number}) there)"));
        let lines = findings.place(best, Some(places[1]));
        related.push(numbered(number, lines, format!("shared with {here}")));
    }
    let more = links.len().saturating_sub(LINKED);
    links.truncate(LINKED);
    let more = match more {
        0 => String::new(),
        more => format!(", and {}", counted(more, "more passage")),
    };
    (related, format!(" Shared: {}{more}.", links.join(", ")))
}

/// Returns text for a message, with brackets that make no links and braces that are no placeholders.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '[' | ']' => plain.extend(['\\', c]),
            '{' | '}' => plain.extend([c, c]),
            c => plain.push(c),
        }
    }
    plain
}

/// The base of relative URIs: the root of the repository.
const ROOT: &str = "%SRCROOT%";

/// Returns lines of a file as a physical location.
fn location(lines: &FileLines) -> Value {
    let mut file = json!({"uri": uri_of(&lines.path)});
    if lines.is_relative() {
        file["uriBaseId"] = ROOT.into();
    }
    let mut region = json!({"startLine": lines.line});
    if let Some(end) = lines.end {
        region["endLine"] = end.into();
    }
    json!({"artifactLocation": file, "region": region})
}

/// Advice for all of them.
const HELP: &str = "Keep one of the documents and let the others link to it, or merge what differs. If both are \
    meant to be there, accept the pair in the baseline or leave it out with a reason. 'dupfind compare A B' shows \
    what two documents share, passage by passage.";

/// Returns the identifier of the rule of a relation.
fn id(relation: Relation) -> String {
    format!("dupfind/{}", relation.as_str())
}

fn rule(relation: Relation) -> Value {
    let words = words(relation);
    let (gravity, severity) = match Relations::DUPLICATES.have(relation) {
        true => (Gravity::Warning, "warning"),
        false => (Gravity::Note, "recommendation"),
    };
    json!({
        "id": id(relation),
        "name": words.rule,
        "shortDescription": {"text": words.title},
        "fullDescription": {"text": words.meaning},
        "help": {"text": HELP},
        "defaultConfiguration": {"level": gravity},
        "properties": {"tags": ["documentation", "duplicate"], "problem.severity": severity},
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::style::TableStyle;
    use crate::tests::{canned, copies, empty, written, written_with};
    use dupfind_decide::Tripped;

    fn run(text: &str) -> Value {
        let mut log: Value = serde_json::from_str(text).unwrap();
        log["runs"][0].take()
    }

    #[test]
    fn messages_hold_names_that_are_no_links() {
        assert_eq!(plain("[a](1) {0} \\.md"), "\\[a\\](1) {{0}} \\\\.md");
    }

    #[test]
    fn results_beyond_the_limit_of_github_are_counted() {
        let most = u32::try_from(MAX_RESULTS).unwrap();
        let whole = written(&copies(most + 1), &SARIF);
        assert!(!whole.contains("left out"));
        let cut = written(&copies(most + 4), &SARIF);
        assert_eq!(cut.matches("\"ruleId\":").count(), MAX_RESULTS);
        let (_, notification) = cut.split_once("\"toolExecutionNotifications\":").unwrap();
        assert!(
            notification.contains("3 findings left out"),
            "{notification}"
        );
    }

    #[test]
    fn an_empty_run_has_a_notification() {
        for (tripped, expected) in [(None, None), (Some(Tripped::Empty), Some("dupfind/empty"))] {
            let style = TableStyle::default();
            let run = run(&written_with(&empty(), &SARIF, style, tripped));
            let invocation = &run["invocations"][0];
            assert_eq!(invocation["executionSuccessful"], expected.is_none());
            let notification = &invocation["toolExecutionNotifications"][0];
            assert_eq!(notification["descriptor"]["id"].as_str(), expected);
        }
    }

    #[test]
    fn unread_entries_have_notifications() {
        let run = run(&written(&canned(), &SARIF));
        let invocation = &run["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
        let found = &invocation["toolExecutionNotifications"][0]["message"]["text"];
        assert_eq!(found, "docs/secret.md: unreadable: Permission denied");
    }
}
