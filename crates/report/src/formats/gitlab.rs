//! GitLab Code Quality: a JSON array of findings.

use std::io::{self, Write};

use serde_json::json;

use crate::formats::findings::{Findings, Gravity, Repeats};
use crate::formats::json::write_list;
use crate::formats::{Format, Writer};
use crate::language::english;

pub(crate) static GITLAB: Format = Format {
    name: "gitlab",
    endings: &[],
    help: "GitLab Code Quality",
    writer: Writer::Findings(write_gitlab),
};

/// Writes findings as an array, one a line. Fingerprints come from the texts, so that a merge request
/// that renames a document neither adds nor fixes anything. GitLab drops a fingerprint that it has seen
/// before in the same report, so further documents with the same text are numbered.
fn write_gitlab(findings: &Findings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut repeats = Repeats::default();
    let issues = findings.list.iter().map(|finding| {
        let location = findings.location(finding);
        let name = findings.name(finding.subject);
        let hash = findings.content_hash(finding);
        let mut lines = json!({"begin": location.line});
        if let Some(end) = location.end {
            lines["end"] = end.into();
        }
        json!({
            "description": format!("{name}: {}", findings.message(english, finding)),
            "check_name": format!("dupfind/{}", finding.relation().as_str()),
            "fingerprint": match repeats.number(&hash) {
                1 => hash,
                number => format!("{hash}-{number}"),
            },
            "severity": match finding.gravity() {
                Gravity::Error => "major",
                Gravity::Warning => "minor",
                Gravity::Note => "info",
            },
            "location": {"path": location.name(), "lines": lines},
        })
    });
    write_list(issues, out)?;
    writeln!(out)
}
