//! `dupfind reuse --format sarif`: a note for each group, at its odd wording if it has one.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::formats::ci::findings::location::FileLines;
use crate::reuse::model::{ReuseReport, changes};
use crate::style::escape::visible;
use crate::style::numbers::counted;
use dupfind_decide::reuse::finding::Finding;
use dupfind_decide::reuse::runs::Place;
use dupfind_read::source::name::plain;

/// The rules: a passage that stands in several places, and one of which a wording is probably a mistake.
const RULES: [(&str, &str); 2] = [
    ("reused-passage", "A passage stands in several places"),
    (
        "odd-wording",
        "One wording of a passage differs in what is probably a mistake",
    ),
];

/// How many other places a note names.
const MOST_RELATED: usize = 20;

/// Writes the report as SARIF 2.1.0.
pub fn write_reuse_sarif(report: &ReuseReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let rules = RULES.map(|(id, text)| json!({"id": id, "shortDescription": {"text": text}}));
    let results: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| result(report, finding))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "dupfind",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &log)?;
    out.write_all(b"\n")
}

fn result(report: &ReuseReport<'_>, finding: &Finding<'_>) -> Value {
    let group = finding.group;
    let odd = finding.wordings.iter().position(|wording| wording.is_odd);
    let at = odd.unwrap_or(0);
    let place = finding.first_place(at).unwrap_or(&group.places[0]);
    let others = group.places.iter().filter(|other| *other != place);
    let related: Vec<Value> = others
        .take(MOST_RELATED)
        .map(|place| location(report, place))
        .collect();
    let is_new = report.new.is_some_and(|new| new.contains(&finding.number));
    let mut text = format!(
        "This passage of {} units stands in {} of {}",
        group.units,
        counted(group.places.len() as u64, "place"),
        counted(group.pages() as u64, "document"),
    );
    let wordings = group.wordings.len();
    if wordings > 1 {
        text.push_str(&format!(", in {}", counted(wordings as u64, "wording")));
    }
    if let Some(odd) = odd {
        let change = changes(&finding.wordings[0].text, &finding.wordings[odd])
            .find(|change| !matches!(change.kind, "words" | "punctuation"));
        if let Some(change) = change {
            text.push_str(&format!(
                ". The others have '{}' here, and this one '{}' ({})",
                visible(change.before.trim()),
                visible(change.after.trim()),
                change.kind
            ));
        }
    }
    let hash = group.wordings[0]
        .hashes
        .iter()
        .fold(0_u64, |all, hash| all.rotate_left(7) ^ hash);
    json!({
        "ruleId": RULES[usize::from(odd.is_some())].0,
        "ruleIndex": usize::from(odd.is_some()),
        "level": if is_new { "warning" } else { "note" },
        "message": {"text": text},
        "locations": [location(report, place)],
        "relatedLocations": related,
        "partialFingerprints": {"passage/v1": format!("{hash:016x}")},
        "properties": {"unitsSaved": group.units_saved(), "copies": group.places.len(), "common": group.is_common, "whole": group.is_whole},
    })
}

fn location(report: &ReuseReport<'_>, place: &Place) -> Value {
    let record = report.place(place);
    let source = &report.pages.pages[place.page as usize].source;
    let has_lines = source.is_record() || source.format.keeps_lines();
    let file = FileLines {
        path: plain(&report.pages.entries[source.file as usize].typed),
        line: if has_lines { record.start_line } else { 1 },
        end: has_lines.then_some(record.end_line),
    };
    let mut region = json!({"startLine": file.line});
    if let Some(end) = file.end {
        region["endLine"] = json!(end);
    }
    json!({"physicalLocation": {"artifactLocation": {"uri": file.uri()}, "region": region}})
}
