//! The reports of one scan, each with its format and its place.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::io::{self, IsTerminal};

use anyhow::{Error, Result};
use dupfind_decide::gate::Gate;
use dupfind_engine::features::document::Document;
use dupfind_engine::pairing::sink::{PairSink, SortingSink, TopPairs};
use dupfind_engine::run::threads::in_pool;
use dupfind_engine::verdict::Relations;
use dupfind_engine::verdict::pair::Pair;
use dupfind_report::formats::findings::{Findings, Listing};
use dupfind_report::formats::format::{Format, PairWriter, Writer};
use dupfind_report::formats::{GITHUB, TABLE};
use dupfind_report::model::Report;
use dupfind_report::model::typed::Typed;
use dupfind_report::say;
use dupfind_report::style::TableStyle;
use dupfind_scan::ScanOptions;
use dupfind_scan::outcome::Outcome;

use crate::args::format::FormatTo;
use crate::commands::scan::args::ScanArgs;
use crate::commands::scan::ci::Ci;
use crate::commands::scan::gate::tripped;
use crate::commands::scan::kept_pairs;
use crate::commands::scan::kept_pairs::{KeptPairs, LEAST_ROOM, MAX_IN_TABLE};
use crate::commands::scan::{next, page};
use crate::process::current_folder;
use crate::terminal::messages;
use crate::terminal::output::Output;

/// How much more memory a pair needs while a worklist is made of it.
const IN_WORKLIST: usize = 4;

/// The results of a scan, and the reports that were written about it.
pub(crate) struct Written {
    pub(crate) outcome: Outcome,
    /// The pairs that were kept: all of them if they are needed for a baseline.
    pub(crate) pairs: Vec<Pair>,
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
        let usual = [FormatTo {
            format: &TABLE,
            file: None,
        }];
        let formats = match args.report.format.as_slice() {
            [] => &usual,
            formats => formats,
        };
        let has_more = formats.len() > 1 || args.gate.may_fail() || args.gate.update_baseline;
        let open = |to: &FormatTo| {
            let file = to.file.as_deref().or(args.report.output.as_deref());
            let output = Output::open(file)?;
            Ok((to.format, output.going_on(has_more)))
        };
        let reports = formats.iter().map(open).collect::<Result<_>>()?;
        let ci = Ci::new(&current_folder()?);
        Ok(Self { args, ci, reports })
    }

    /// Returns whether pairs are printed to a terminal during the scan. A progress bar would damage them.
    pub(crate) fn stream_to_terminal(&self) -> bool {
        let mut reports = self.reports.iter();
        reports.any(|(format, output)| format.is_streamed() && output.is_terminal())
    }

    /// Returns whether one of the reports shows all pairs to people on standard output.
    pub(crate) fn show_pairs(&self) -> bool {
        let mut reports = self.reports.iter();
        let lists_all = self.args.report.verbose || !io::stdout().is_terminal();
        !self.args.report.no_pairs
            && lists_all
            && self.args.report.top.is_none()
            && reports.any(|(format, output)| *format == &TABLE && output.is_stdout())
    }

    /// Calls `scan` with the gate and the sink of the pairs, and writes all reports. All pairs are kept if `keeps_pairs`.
    ///
    /// # Errors
    ///
    /// The scan fails, or a report cannot be written.
    pub(crate) fn write(
        mut self,
        options: &ScanOptions,
        gate: &mut Gate,
        keeps_pairs: bool,
        scan: impl for<'t> FnOnce(&'t mut Gate, Option<&'t mut (dyn PairSink + 't)>) -> Result<Outcome>,
    ) -> Result<Written> {
        let room = kept_pairs::room(options.engine.budget.limit);
        let kept = self.kept(keeps_pairs, gate, room);
        let shown = self.shown();
        let mut sinks = Sinks {
            best: kept.as_ref().map(KeptPairs::sink),
            shown,
            keeps_all: keeps_pairs,
            writers: Vec::new(),
        };
        for (format, output) in self
            .reports
            .iter_mut()
            .filter(|_| !self.args.report.no_pairs)
        {
            if let Writer::Streamed { pairs, .. } = format.writer {
                let writer = pairs(output, gate.standings().clone());
                sinks.writers.push(SortingSink::new(writer));
            }
        }
        let sink =
            (!self.args.report.no_pairs || keeps_pairs).then_some(&mut sinks as &mut dyn PairSink);
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
        // Sorting uses the threads of the scan.
        let sorted = |best: TopPairs| in_pool(options.engine.threads, || Ok(best.into_pairs()));
        let pairs = pairs.map(sorted).transpose()?;
        let findings = OnceCell::new();
        let words = &self.args.typed;
        let has_accepted = gate.accepted() > 0;
        // A plan does not know the pairs of a revision, and its documents would go.
        let is_planned = !has_accepted || self.args.gate.baseline_from.is_none();
        let plan = |words| next::plan(words, &outcome, has_accepted);
        let typed = Typed {
            plan: Some(words).filter(|_| is_planned).and_then(plan),
            compare: self.args.compare.as_deref().and_then(next::compare),
            accept: next::accept(words),
            head: Some(page::head(self.args, words, options)),
        };
        // An update of a baseline needs pairs that are not shown, too.
        let listed: Option<Cow<'_, [Pair]>> = pairs.as_deref().map(|pairs| {
            if pairs.iter().all(|pair| shown.have(pair.relation)) {
                return Cow::Borrowed(pairs);
            }
            let listed = pairs.iter().filter(|pair| shown.have(pair.relation));
            Cow::Owned(listed.copied().collect())
        });
        let mut files = Vec::new();
        for (format, output) in self.reports {
            let pairs = listed.as_deref().filter(|_| !self.args.report.no_pairs);
            let report = Report {
                shown,
                failing: self.args.gate.conditions().fail_on,
                typed: &typed,
                ..Report::new(options, &outcome, pairs, gate)
            };
            let file = output.file().map(|file| file.display().to_string());
            write_one(self.args, &self.ci, format, output, report, &findings)?;
            if let Some(file) = file {
                let at_fault = findings
                    .get()
                    .map_or(0, |found: &Findings<'_>| found.list.len());
                files.push(say!("{} has {}", file, format.content(&report, at_fault)));
            }
        }
        Ok(Written {
            outcome,
            pairs: pairs.unwrap_or_default(),
            files,
        })
    }

    /// Returns the pairs that must be kept for the reports after the scan; none if no report needs them. `room` is how
    /// many there is memory for.
    fn kept(&self, keeps_pairs: bool, gate: &Gate, room: usize) -> Option<KeptPairs> {
        let kept = |(format, output): &(&Format, Output)| match format.writer {
            Writer::Streamed { .. } => None,
            _ if self.args.report.no_pairs => None,
            // The best pairs may be accepted ones, which these reports show last or not at all.
            _ if gate.baseline().is_some() => Some(KeptPairs::of_format(format.name, room)),
            Writer::Whole { .. } if *format == &TABLE => Some(KeptPairs::Best(
                match (self.args.report.verbose, self.args.report.top) {
                    (false, _) if output.is_terminal() => LEAST_ROOM,
                    (false, _) => MAX_IN_TABLE.min((room / IN_WORKLIST).max(LEAST_ROOM)),
                    (true, Some(top)) => top,
                    (true, None) => MAX_IN_TABLE.min(room),
                },
            )),
            Writer::Whole {
                most_pairs: usize::MAX,
                ..
            }
            | Writer::Findings(_) => Some(KeptPairs::of_format(format.name, room)),
            Writer::Whole { most_pairs, .. } => Some(KeptPairs::Best(most_pairs)),
        };
        let of_update = keeps_pairs.then(|| KeptPairs::of_baseline("--update-baseline", room));
        let of_reports = self.reports.iter().filter_map(kept);
        of_reports.chain(of_update).reduce(KeptPairs::and)
    }

    /// Returns the relations whose pairs are shown. Reports for CI systems also list pairs that make the run fail.
    fn shown(&self) -> Relations {
        let conditions = self.args.gate.conditions();
        let fails = self.reports.iter().any(|(format, _)| format.is_for_ci());
        let failing = conditions.fail_on.iter().filter(|_| fails);
        self.args.report.shown().iter().chain(failing).collect()
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

/// Returns how the table looks in an output.
fn style(args: &ScanArgs, output: &Output) -> TableStyle {
    TableStyle {
        width: output.columns(),
        is_terminal: output.is_terminal(),
        color: output.is_coloured(args.report.color.when()),
        top: args.report.top,
        lists_pairs: args.report.verbose,
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
                tripped: tripped(&args.gate, report.outcome, report.gate),
                root: ci.root(),
                rest: ci.rest(),
            };
            let found = Findings::new(report, listing)?;
            anyhow::Ok(findings.get_or_init(|| found))
        }
    };
    let style = style(args, &output);
    output.write(|out| {
        match format.writer {
            Writer::Streamed { rest, .. } => {
                if let Some(rest) = rest {
                    rest(&report, out)?;
                }
            }
            Writer::Whole { write, .. } => {
                let counts_rest = style.lists_pairs && style.top.is_some();
                if format == &TABLE && !counts_rest {
                    warn_of_the_rest(&report, style);
                }
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

/// Returns the relations that reports for CI systems list: those that `--show` names, else the usual ones.
fn watched(args: &ScanArgs) -> Relations {
    let usual = args.gate.watched();
    match args.report.shown() {
        shown if shown == Relations::ALL => usual,
        shown => shown
            .iter()
            .chain(args.gate.conditions().fail_on.iter())
            .collect(),
    }
}

/// Prints that a table is not made of all pairs, if they are too many.
fn warn_of_the_rest(report: &Report<'_>, style: TableStyle) {
    let (count, kept) = (report.open_pairs(), report.pairs.map(<[Pair]>::len));
    let Some(kept) = kept.filter(|&kept| count > kept as u64) else {
        return;
    };
    let made = match style.lists_pairs {
        true => format!("and the table lists the {kept} most similar"),
        false => format!("and the table is made of the {kept} most similar"),
    };
    messages::warning(&format!(
        "{count} pairs were found, {made}; --format csv and jsonl list all"
    ));
}

/// The sinks of the pairs of one scan.
struct Sinks<'o> {
    best: Option<TopPairs>,
    /// The relations whose pairs are shown.
    shown: Relations,
    /// Whether pairs that are not shown are kept too.
    keeps_all: bool,
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
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        let shown = match self.shown == Relations::ALL {
            true => Cow::Borrowed(pairs),
            false => {
                let shown = pairs.iter().filter(|pair| self.shown.have(pair.relation));
                Cow::Owned(shown.copied().collect())
            }
        };
        if let Some(best) = &mut self.best {
            best.take(documents, if self.keeps_all { pairs } else { &shown })?;
        }
        for writer in &mut self.writers {
            writer.take(documents, &shown)?;
        }
        Ok(())
    }
}
