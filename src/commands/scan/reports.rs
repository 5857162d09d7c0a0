//! The reports of one scan, each with its format and its place.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::io;

use anyhow::{Error, Result};
use dupfind_decide::Gate;
use dupfind_engine::pairing::sink::SortingSink;
use dupfind_engine::{Document, Pair, PairSink, Relations, TopPairs, in_pool};
use dupfind_report::formats::findings::Listing;
use dupfind_report::formats::{PairWriter, Writer};
use dupfind_report::{Findings, Format, GITHUB, LIST, Report, TABLE, say};
use dupfind_scan::{Scan, ScanOptions};

use crate::commands::scan::ci::Ci;
use crate::commands::scan::{ScanArgs, next};
use crate::decision::kept_pairs::{KeptPairs, MAX_IN_TABLE};
use crate::process::current_folder;
use crate::terminal::{Output, messages};

/// How much more memory a pair needs while a worklist is made of it.
const IN_WORKLIST: usize = 4;

/// The results of a scan, and the reports that were written about it.
pub(crate) struct Written {
    pub(crate) outcome: Scan,
    /// A line for each file that was written: its path, and its content.
    pub(crate) files: Vec<String>,
}

/// The reports that were requested, with open outputs.
pub(crate) struct Reports<'a> {
    args: &'a ScanArgs,
    ci: Ci,
    reports: Vec<(&'static Format, Output)>,
}

impl<'a> Reports<'a> {
    /// Opens the outputs of all reports.
    ///
    /// # Errors
    ///
    /// One of them cannot be written.
    pub(crate) fn open(args: &'a ScanArgs) -> Result<Self> {
        let reports = args.report.open(&LIST, false)?;
        let ci = Ci::new(&current_folder()?);
        Ok(Self { args, ci, reports })
    }

    /// Returns whether pairs are printed to a terminal during the scan. A progress bar would damage them.
    pub(crate) fn stream_to_terminal(&self) -> bool {
        let mut reports = self.reports.iter();
        reports.any(|(format, output)| format.is_streamed() && output.is_terminal())
    }

    /// Calls `scan` with the gate and the sink of the pairs, and writes all reports.
    ///
    /// # Errors
    ///
    /// The scan fails, or a report cannot be written.
    pub(crate) fn write(
        mut self,
        options: &ScanOptions,
        gate: &mut Gate,
        scan: impl for<'t> FnOnce(&'t mut Gate, Option<&'t mut (dyn PairSink + 't)>) -> Result<Scan>,
    ) -> Result<Written> {
        let room = TopPairs::room(options.engine.budget.limit);
        let kept = self.kept(room);
        let shown = self.args.list.shown();
        let mut sinks = Sinks {
            best: kept.as_ref().map(KeptPairs::sink),
            shown,
            lists_copies: self.reports.iter().any(|(format, _)| format.lists_copies()),
            writers: Vec::new(),
        };
        for (format, output) in self.reports.iter_mut().filter(|_| !self.args.list.no_pairs) {
            if let Writer::Streamed { pairs, .. } = format.writer {
                let writer = pairs(output, gate.standings.clone());
                sinks.writers.push(SortingSink::new(writer));
            }
        }
        let sink = (!self.args.list.no_pairs).then_some(&mut sinks as &mut dyn PairSink);
        let finished = scan(gate, sink).and_then(|outcome| {
            let best = sinks.finish(&outcome.documents)?;
            Ok((outcome, best))
        });
        let (outcome, pairs) = match finished {
            Ok(finished) => finished,
            Err(error) => {
                let error = kept.iter().fold(error, |error, kept| kept.explained(error));
                return Err(self.explained(error));
            }
        };
        let left_out = pairs.as_ref().map_or(0, TopPairs::left_out);
        // Sorting uses the threads of the scan.
        let sorted = |best: TopPairs| in_pool(options.engine.threads, || Ok(best.into_pairs()));
        let pairs = pairs.map(sorted).transpose()?;
        let findings = OnceCell::new();
        let typed = next::Run {
            command: "scan",
            comparing: &self.args.comparing,
            report: &self.args.report,
            config: &self.args.running.config,
            options,
        };
        let typed = typed.typed(Some((&outcome, pairs.as_deref().unwrap_or_default())))?;
        let mut files = Vec::new();
        for (format, output) in self.reports {
            let report = Report {
                pairs: pairs.as_deref().filter(|_| !self.args.list.no_pairs),
                shown,
                typed: &typed,
                ..Report::new(&outcome, gate)
            };
            let file = output.file().map(|file| file.display().to_string());
            let is_of_all = format == &LIST || format == &TABLE && self.args.list.top.is_none();
            if left_out > 0 && is_of_all {
                warn_of_the_rest(&report, format);
            }
            write_one(self.args, &self.ci, format, output, report, &findings)?;
            if let Some(file) = file {
                let at_fault = findings
                    .get()
                    .map_or(0, |found: &Findings<'_>| found.list.len());
                files.push(say!("{} has {}", file, format.content(&report, at_fault)));
            }
        }
        Ok(Written { outcome, files })
    }

    /// Returns the pairs that must be kept for the reports after the scan; none if no report needs them. `room` is how
    /// many there is memory for.
    fn kept(&self, room: usize) -> Option<KeptPairs> {
        let kept = |(format, output): &(&Format, Output)| match format.writer {
            Writer::Streamed { .. } => None,
            _ if self.args.list.no_pairs => None,
            Writer::Whole { .. } if *format == &LIST => {
                Some(KeptPairs::Best(match output.is_terminal() {
                    true => TopPairs::LEAST_ROOM,
                    false => MAX_IN_TABLE.min((room / IN_WORKLIST).max(TopPairs::LEAST_ROOM)),
                }))
            }
            Writer::Whole { .. } if *format == &TABLE => {
                let most = || MAX_IN_TABLE.min(room);
                Some(KeptPairs::Best(self.args.list.top.unwrap_or_else(most)))
            }
            Writer::Whole {
                most_pairs: usize::MAX,
                ..
            }
            | Writer::Findings(_) => Some(KeptPairs::of_format(format.name, room)),
            Writer::Whole { most_pairs, .. } => Some(KeptPairs::Best(most_pairs)),
        };
        self.reports.iter().filter_map(kept).reduce(KeptPairs::and)
    }

    /// Returns an error with the name of the report, if a report could not be written.
    fn explained(&self, error: Error) -> Error {
        let mut outputs = self.reports.iter().map(|(_, output)| output);
        match outputs.find(|output| output.has_failed()) {
            Some(output) => output.explained(error),
            None => error,
        }
    }
}

/// Writes one report. `findings` are computed once for all reports that need them.
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
            let listing = Listing {
                watched: watched(args),
                tripped: None,
                root: ci.root(),
                rest: ci.rest("dupfind scan --format markdown"),
            };
            let found = Findings::new(report, listing)?;
            anyhow::Ok(findings.get_or_init(|| found))
        }
    };
    let style = args.report.style(&output, args.list.top);
    output.write(|out| {
        match format.writer {
            Writer::Streamed { rest, .. } => {
                if let Some(rest) = rest {
                    rest(&report, out)?;
                }
            }
            Writer::Whole { write, .. } => {
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

/// Returns the relations that reports for CI systems list: those that `--show` names, else those of duplicates.
fn watched(args: &ScanArgs) -> Relations {
    match args.list.show.is_empty() {
        true => Relations::DUPLICATES,
        false => args.list.shown(),
    }
}

/// Prints that a list or a table is not made of all pairs, if they are too many.
fn warn_of_the_rest(report: &Report<'_>, format: &Format) {
    let (count, name) = (report.open_pairs(), format.name);
    let kept = report.pairs.map_or(0, <[Pair]>::len);
    messages::warning(&format!(
        "{count} pairs were found, and the {name} is made of the {kept} most similar; --format csv and jsonl list all"
    ));
}

/// The sinks of the pairs of one scan.
struct Sinks<'o> {
    best: Option<TopPairs>,
    /// The relations whose pairs are shown.
    shown: Relations,
    /// Whether a report lists every pair.
    lists_copies: bool,
    writers: Vec<SortingSink<Box<dyn PairWriter + 'o>>>,
}

impl Sinks<'_> {
    /// Writes the pairs that are held back, and returns those that are kept.
    fn finish(self, documents: &[Document]) -> Result<Option<TopPairs>> {
        for writer in self.writers {
            writer.finish(documents)?.finish()?;
        }
        Ok(self.best)
    }
}

impl PairSink for Sinks<'_> {
    fn lists_copies(&self) -> bool {
        self.lists_copies
    }

    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        let shown = match self.shown == Relations::ALL {
            true => Cow::Borrowed(pairs),
            false => {
                let shown = pairs.iter().filter(|pair| self.shown.have(pair.relation()));
                Cow::Owned(shown.copied().collect())
            }
        };
        if let Some(best) = &mut self.best {
            best.take(documents, &shown)?;
        }
        for writer in &mut self.writers {
            writer.take(documents, &shown)?;
        }
        Ok(())
    }
}
