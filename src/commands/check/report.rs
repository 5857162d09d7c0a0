//! The reports of a check, each with its format and its place. They have the pairs that fail, and no others.

use anyhow::{Error, Result};
use dupfind_decide::{Gate, Tripped};
use dupfind_engine::{Pair, PairSink};
use dupfind_report::formats::Writer;
use dupfind_report::formats::findings::{Listing, write_list};
use dupfind_report::{Findings, Format, GITHUB, LIST, Report, TableStyle, say};
use dupfind_scan::{Scan, ScanOptions};

use crate::commands::check::{CheckArgs, usual_format};
use crate::commands::scan::ci::Ci;
use crate::commands::scan::next;
use crate::process::current_folder;
use crate::terminal::Output;

/// What a check found.
pub(super) struct Found<'f> {
    pub(super) outcome: &'f Scan,
    pub(super) pairs: &'f [Pair],
    pub(super) gate: &'f Gate,
    pub(super) tripped: Option<Tripped>,
}

/// The reports that were requested, with open outputs.
pub(super) struct Reports<'a> {
    args: &'a CheckArgs,
    ci: Ci,
    reports: Vec<(&'static Format, Output)>,
}

impl<'a> Reports<'a> {
    /// Opens the outputs of all reports.
    ///
    /// # Errors
    ///
    /// One of them cannot be written.
    pub(super) fn open(args: &'a CheckArgs) -> Result<Self> {
        Ok(Self {
            args,
            ci: Ci::new(&current_folder()?),
            reports: args.report.open(usual_format(), true)?,
        })
    }

    /// Writes all reports, and returns a line for each file: its path, and its content.
    ///
    /// # Errors
    ///
    /// A report cannot be written.
    pub(super) fn write(self, options: &ScanOptions, found: &Found<'_>) -> Result<Vec<String>> {
        let own = &self.args.report;
        let typed = next::Run {
            command: "check",
            comparing: &self.args.comparing,
            report: own,
            config: &self.args.running.config,
            options,
        };
        let typed = typed.typed(None)?;
        let fail_on = self.args.gate.fail_on.relations();
        let report = Report {
            pairs: Some(found.pairs),
            failing: fail_on,
            typed: &typed,
            ..Report::new(found.outcome, found.gate)
        };
        let listing = Listing {
            watched: fail_on,
            tripped: found.tripped,
            root: self.ci.root(),
            rest: self.ci.rest("dupfind check --format markdown"),
        };
        let findings = Findings::new(report, listing)?;
        let mut files = Vec::new();
        for (format, output) in self.reports {
            let file = output.file().map(|file| file.display().to_string());
            let style = own.style(&output, None);
            write_one(format, output, style, &findings)?;
            if format == &GITHUB {
                self.ci.add_to_summary(&findings);
            }
            if let Some(file) = file {
                files.push(say!(
                    "{} has {}",
                    file,
                    format.content(&report, findings.list.len())
                ));
            }
        }
        Ok(files)
    }
}

fn write_one(
    format: &Format,
    output: Output,
    style: TableStyle,
    findings: &Findings<'_>,
) -> Result<()> {
    let report = findings.report();
    output.write(|out| {
        match format.writer {
            _ if format == &LIST => write_list(findings, style, out)?,
            Writer::Streamed { pairs, rest } => {
                let mut rows = pairs(out, report.gate.standings.clone());
                rows.take(&report.outcome.documents, report.pairs.unwrap_or_default())?;
                rows.finish()?;
                if let Some(rest) = rest {
                    rest(report, out)?;
                }
            }
            Writer::Whole { write, .. } => write(report, style, out).map_err(Error::from)?,
            Writer::Findings(write) => write(findings, out)?,
        }
        Ok(())
    })
}
