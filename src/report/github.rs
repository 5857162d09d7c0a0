//! Annotations of GitHub Actions: workflow commands, one a line.
//!
//! GitHub shows the first ten errors and the first ten warnings of a step. These are written; a notice
//! says how many more there are.

use std::io::{self, Write};

use crate::report::findings::words::{counted, title};
use crate::report::findings::{Finding, Findings, Gravity};

/// How many annotations of one level GitHub shows.
const SHOWN: usize = 10;

/// Takes findings and where people find those that are not annotated (`the job summary`), and writes the
/// annotations: errors for what makes the run fail, warnings for all else.
pub(crate) fn write_github(
    findings: &Findings<'_>,
    rest: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    if let Some(failure) = findings.nothing_compared() {
        let title = property("dupfind");
        writeln!(out, "::error title={title}::{}", data(failure))?;
    }
    let (errors, warnings): (Vec<_>, Vec<_>) = findings
        .list
        .iter()
        .partition(|finding| finding.gravity() == Gravity::Error);
    for (level, list) in [("error", &errors), ("warning", &warnings)] {
        for finding in list.iter().take(SHOWN) {
            annotation(findings, level, finding, out)?;
        }
    }
    let shown = errors.len().min(SHOWN) + warnings.len().min(SHOWN);
    match findings.list.len() - shown {
        0 => Ok(()),
        more => {
            let more = counted(more as u64, ("more document", "more documents"));
            let title = property("dupfind");
            writeln!(
                out,
                "::notice title={title}::{}",
                data(&format!("{more}: see {rest}"))
            )
        }
    }
}

fn annotation(
    findings: &Findings<'_>,
    level: &str,
    finding: &Finding,
    out: &mut dyn Write,
) -> io::Result<()> {
    let location = findings.location(finding);
    let (name, line) = (findings.name(finding.subject), location.line);
    let message = findings.message(finding);
    let next = findings.next_step(finding);
    let next = next.map_or(String::new(), |next| {
        format!("\nSee what they share: {next}")
    });
    let file = property(&location.name());
    let end = location
        .end
        .map_or(String::new(), |end| format!(",endLine={end}"));
    let title = property(title(finding.relation()));
    let text = data(&format!("{name}: {message}{next}"));
    writeln!(
        out,
        "::{level} file={file},line={line}{end},title={title}::{text}"
    )
}

/// Escapes the message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes the value of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
