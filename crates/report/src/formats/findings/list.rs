//! The list of what fails, for people: each page with its twin, the lines, and the commands that go on.

use std::io::{self, Write};

use crate::formats::findings::Findings;
use crate::style::TableStyle;
use crate::style::inert::Lines;
use crate::style::paint::{painted, relation_style};

/// Writes a paragraph for each document at fault; nothing if there is none.
/// Nothing in a name acts on a terminal or in the log of a CI system.
pub fn write_list(
    findings: &Findings<'_>,
    style: TableStyle,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut out = Lines::new(out);
    for (at, finding) in findings.list.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        let (name, message) = (findings.name(finding.subject), findings.message(finding));
        let color = relation_style(finding.relation());
        writeln!(out, "{}: {message}", painted(color, &name, style.color))?;
        if let Some(next) = findings.next_step(finding) {
            for line in next.lines() {
                writeln!(out, "  {line}")?;
            }
        }
    }
    out.finish()
}
