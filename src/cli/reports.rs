//! The reports of one scan: each format with the place it goes to.

use std::cell::OnceCell;

use crate::engine::outcome::{Document, Outcome, Pair};
use crate::engine::sink::{Best, PairSink, SortedIfFew};
use crate::gate::Gate;
use crate::report::findings::Findings;
use crate::report::format::{Format, PairWriter, Writer};
use crate::report::model::Report;
use crate::report::table::TableStyle;
use crate::report::{GITHUB, TABLE};
use crate::scan::{ScanOptions, in_pool};
use anyhow::{Error, Result};

use crate::cli::args::ScanArgs;
use crate::cli::ci::Ci;
use crate::cli::format::FormatTo;
use crate::cli::output::Output;
use crate::cli::{current_folder, messages};

/// More pairs than this are not shown on a terminal, where nobody could read them.
const MOST_ON_TERMINAL: usize = 100_000;

/// How many are shown instead.
const TOP_ON_TERMINAL: usize = 100;

/// The reports asked for, open.
pub(crate) struct Reports<'a> {
    args: &'a ScanArgs,
    ci: Ci,
    reports: Vec<(&'static Format, Output)>,
}

impl<'a> Reports<'a> {
    /// Opens the places of all reports, before anything is read: a wrong path fails at once.
    pub(crate) fn open(args: &'a ScanArgs) -> Result<Self> {
        let usual = [FormatTo {
            format: &TABLE,
            file: None,
        }];
        let formats = match args.formats.as_slice() {
            [] => &usual,
            formats => formats,
        };
        let open = |to: &FormatTo| {
            let file = to.file.as_deref().or(args.output.output.as_deref());
            Ok((to.format, Output::open(file)?))
        };
        let reports = formats.iter().map(open).collect::<Result<_>>()?;
        let ci = Ci::new(&current_folder()?);
        Ok(Self { args, ci, reports })
    }

    /// Whether a progress bar would tear pairs apart that appear while the run goes on.
    pub(crate) fn stream_to_terminal(&self) -> bool {
        let mut reports = self.reports.iter();
        reports.any(|(format, output)| format.is_streamed() && output.is_terminal())
    }

    /// Whether one of them tells people on standard output which pairs there are.
    pub(crate) fn show_pairs(&self) -> bool {
        let mut reports = self.reports.iter();
        !self.args.no_pairs
            && self.args.top.is_none()
            && reports.any(|(format, output)| *format == &TABLE && output.is_stdout())
    }

    /// Scans with `scan`, which is given who takes the pairs, and writes all reports. Returns what was
    /// found, and the pairs if they were kept.
    pub(crate) fn write(
        mut self,
        settings: &ScanOptions,
        gate: &mut Gate,
        keeps_pairs: bool,
        scan: impl for<'t> FnOnce(&'t mut Gate, Option<&'t mut (dyn PairSink + 't)>) -> Result<Outcome>,
    ) -> Result<(Outcome, Vec<Pair>)> {
        let most = self.most_kept(keeps_pairs, gate);
        let mut taking = Taking {
            best: most.map(Best::new),
            ..Taking::default()
        };
        // Without pairs in the reports they may be wanted all the same.
        for (format, output) in self.reports.iter_mut().filter(|_| !self.args.no_pairs) {
            if let Writer::Streamed { pairs, .. } = format.writer {
                let writer = pairs(output, gate.standings().clone());
                taking.writers.push(SortedIfFew::new(writer));
            }
        }
        let sink = (!self.args.no_pairs || keeps_pairs).then_some(&mut taking as &mut dyn PairSink);
        let finished = scan(gate, sink).and_then(|outcome| {
            let best = taking.finish(&outcome.documents)?;
            Ok((outcome, best))
        });
        let (outcome, pairs) = match finished {
            Ok(finished) => finished,
            Err(error) => return Err(self.explained(error)),
        };
        // Sorting takes all threads that it is allowed to.
        let sorted = |best: Best| in_pool(settings, || Ok(best.into_pairs()));
        let pairs = pairs.map(sorted).transpose()?;
        let findings = OnceCell::new();
        for (format, output) in self.reports {
            let shown = pairs.as_deref().filter(|_| !self.args.no_pairs);
            let report = Report {
                settings,
                outcome: &outcome,
                pairs: shown,
                gate,
            };
            write_one(self.args, &self.ci, format, output, report, &findings)?;
        }
        Ok((outcome, pairs.unwrap_or_default()))
    }

    /// How many pairs the reports that come after the scan need; none if there is no such report.
    fn most_kept(&self, keeps_pairs: bool, gate: &Gate) -> Option<usize> {
        let kept = |(format, output): &(&Format, Output)| match format.writer {
            Writer::Streamed { .. } => None,
            // The best of all pairs may be accepted ones, which a report does not show, or shows last.
            _ if gate.baseline().is_some() => Some(usize::MAX),
            Writer::Whole { .. } if *format == &TABLE => Some(match self.args.top {
                Some(top) => top,
                None if output.is_terminal() => MOST_ON_TERMINAL,
                None => usize::MAX,
            }),
            Writer::Whole { most_pairs, .. } => Some(most_pairs),
            Writer::Findings(_) => Some(usize::MAX),
        };
        let most = self.reports.iter().filter_map(kept).max();
        if keeps_pairs { Some(usize::MAX) } else { most }
    }

    /// Says which of the reports could not be written, if that is what went wrong.
    fn explained(&self, error: Error) -> Error {
        let mut outputs = self.reports.iter().map(|(_, output)| output);
        match outputs.find(|output| output.has_failed()) {
            Some(output) => output.explained(error),
            None => error,
        }
    }
}

/// Writes one report. What several of them need is found once.
fn write_one<'r>(
    args: &ScanArgs,
    ci: &'r Ci,
    format: &Format,
    output: Output,
    report: Report<'r>,
    findings: &OnceCell<Findings<'r>>,
) -> Result<()> {
    let findings = || match findings.get() {
        Some(found) => Ok(found),
        None => {
            let found = ci.findings(args, report)?;
            anyhow::Ok(findings.get_or_init(|| found))
        }
    };
    let style = TableStyle {
        width: output.columns(),
        color: output.is_coloured(args.color.when),
        top: args.top,
    };
    let is_terminal = output.is_terminal();
    output.write(|out| {
        match format.writer {
            Writer::Streamed { rest, .. } => {
                if let Some(rest) = rest {
                    rest(&report, out)?;
                }
            }
            Writer::Whole { write, .. } => {
                let report = match is_terminal && format == &TABLE && style.top.is_none() {
                    true => cut_for_terminal(report, args.run.quiet),
                    false => report,
                };
                write(&report, style, out)?;
            }
            Writer::Findings(write) => {
                write(findings()?, out)?;
                if format == &GITHUB {
                    ci.add_to_summary(findings()?);
                }
            }
        }
        Ok(())
    })
}

/// Returns a report with the first pairs only, if nobody could read all of them on a terminal.
fn cut_for_terminal<'r>(mut report: Report<'r>, is_quiet: bool) -> Report<'r> {
    let total = report.open_pairs();
    if let Some(pairs) = report.pairs
        && total > MOST_ON_TERMINAL as u64
    {
        let mut open = (1..)
            .zip(pairs)
            .filter(|(_, pair)| report.gate.is_open(pair));
        let end = open
            .nth(TOP_ON_TERMINAL - 1)
            .map_or(pairs.len(), |(end, _)| end);
        report.pairs = Some(&pairs[..end]);
        messages::too_many_pairs(is_quiet, total, TOP_ON_TERMINAL);
    }
    report
}

/// Everybody who takes pairs while a scan goes on.
#[derive(Default)]
struct Taking<'o> {
    best: Option<Best>,
    writers: Vec<SortedIfFew<Box<dyn PairWriter + 'o>>>,
}

impl Taking<'_> {
    /// Takes all documents, writes what is held back, and returns the pairs that are kept.
    fn finish(self, documents: &[Document]) -> Result<Option<Best>> {
        for writer in self.writers {
            writer.finish(documents)?.finish()?;
        }
        Ok(self.best)
    }
}

impl PairSink for Taking<'_> {
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> std::io::Result<()> {
        if let Some(best) = &mut self.best {
            best.take(documents, pairs)?;
        }
        for writer in &mut self.writers {
            writer.take(documents, pairs)?;
        }
        Ok(())
    }
}
