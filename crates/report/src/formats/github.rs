//! Annotations of GitHub Actions: workflow commands, one a line.
//!
//! GitHub shows the first ten errors and the first ten warnings of a step. These are written; a notice has the number
//! of others.

use std::io::{self, Write};

use crate::formats::findings::words::words;
use crate::formats::findings::{ANNOTATIONS, Finding, Findings, Gravity};
use crate::formats::{Format, Writer};
use crate::language::english;
use crate::style::counted;
use crate::style::escape::inert;

/// Annotations of GitHub Actions.
pub static GITHUB: Format = Format {
    name: "github",
    endings: &[],
    help: "Annotations of GitHub Actions, and a summary of the job",
    writer: Writer::Findings(write_github),
};

/// Writes errors for findings that make the run fail, and warnings for all others.
fn write_github(findings: &Findings<'_>, out: &mut dyn Write) -> io::Result<()> {
    if let Some(failure) = findings.nothing_compared() {
        writeln!(out, "::error title=dupfind::{}", data(failure))?;
    }
    let (errors, warnings): (Vec<_>, Vec<_>) = findings
        .list
        .iter()
        .partition(|finding| finding.gravity() == Gravity::Error);
    for (level, list) in [("error", &errors), ("warning", &warnings)] {
        for finding in list.iter().take(ANNOTATIONS) {
            write_annotation(findings, level, finding, out)?;
        }
    }
    let shown = errors.len().min(ANNOTATIONS) + warnings.len().min(ANNOTATIONS);
    match findings.list.len() - shown {
        0 => Ok(()),
        more => {
            let more = counted(more, "more document");
            let notice = format!("{more}: see {}", findings.listing.rest);
            writeln!(out, "::notice title=dupfind::{}", data(&notice))
        }
    }
}

fn write_annotation(
    findings: &Findings<'_>,
    level: &str,
    finding: &Finding,
    out: &mut dyn Write,
) -> io::Result<()> {
    let location = findings.location(finding);
    let file = property(&location.name());
    let line = location.line;
    let end = location
        .end
        .map_or(String::new(), |end| format!(",endLine={end}"));
    let title = property(words(finding.relation()).title);
    let (name, message) = (
        findings.name(finding.subject),
        findings.message(english, finding),
    );
    let next = findings.next_step(english, finding);
    let next = next.map_or(String::new(), |next| format!("\n{next}"));
    let text = data(&format!("{name}: {message}{next}"));
    writeln!(
        out,
        "::{level} file={file},line={line}{end},title={title}::{text}"
    )
}

/// Escapes the message of a command.
fn data(text: &str) -> String {
    inert(text)
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes the value of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
