//! GitLab Code Quality: a JSON array of findings.

use std::io::{self, Write};

use serde::Serialize;

use crate::report::findings::{Findings, Gravity, Repeats};

/// One finding.
#[derive(Debug, Serialize)]
struct Issue {
    description: String,
    check_name: String,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Debug, Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Debug, Serialize)]
struct Lines {
    begin: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<u64>,
}

/// Writes findings as an array, one a line. Fingerprints come from the texts, so that a merge request that
/// renames a document neither adds nor fixes anything; GitLab drops one that it has seen before in the
/// same report, so further documents with the same text are numbered.
pub(crate) fn write_gitlab(findings: &Findings<'_>, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "[")?;
    let mut repeats = Repeats::default();
    let mut separator = "\n";
    for finding in &findings.list {
        let location = findings.location(finding);
        let name = findings.name(finding.subject);
        let hash = findings.content_hash(finding);
        let issue = Issue {
            description: format!("{name}: {}", findings.message(finding)),
            check_name: format!("dupfind/{}", finding.relation().as_str()),
            fingerprint: match repeats.number(&hash) {
                1 => hash,
                number => format!("{hash}-{number}"),
            },
            severity: match finding.gravity() {
                Gravity::Error => "major",
                Gravity::Warning => "minor",
                Gravity::Note => "info",
            },
            location: Location {
                path: location.name(),
                lines: Lines {
                    begin: location.line,
                    end: location.end,
                },
            },
        };
        write!(out, "{separator}  ")?;
        serde_json::to_writer(&mut *out, &issue)?;
        separator = ",\n";
    }
    let end = if separator == "\n" { "]" } else { "\n]" };
    writeln!(out, "{end}")
}
