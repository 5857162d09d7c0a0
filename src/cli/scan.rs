//! `dupfind scan`.

use std::io::Write;

use anyhow::Result;
use dupfind::report::{
    CsvPairs, JsonlPairs, TableStyle, model::Report, write_json, write_jsonl, write_table,
};
use dupfind::scan::outcome::{Outcome, Pair};
use dupfind::scan::sink::{Best, PairSink, SortedIfFew};
use dupfind::scan::{Settings, scan};

use crate::cli::args::{Format, ScanArgs};
use crate::cli::exit::Status;
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::{messages, settings, stats};

/// More pairs than this are not shown on a terminal, where nobody could read them.
const MOST_ON_TERMINAL: usize = 100_000;

/// How many are shown instead.
const TOP_ON_TERMINAL: usize = 100;

/// Compares the documents and reports the pairs.
pub(crate) fn run(args: &ScanArgs) -> Result<Status> {
    // Before anything is read: a wrong path fails at once.
    let mut output = Output::open(args.output.output.as_deref())?;
    let settings = settings::for_scan(args)?;
    let is_terminal = output.is_terminal();
    // Pairs that appear while the run goes on would be torn apart by the bar.
    let is_streamed = matches!(args.format, Format::Jsonl | Format::Csv);
    let may_show = args.run.shows_progress() && !(is_streamed && is_terminal);
    let run = Run {
        args,
        settings: &settings,
        progress: Progress::new(may_show),
        is_terminal,
        style: TableStyle {
            width: output.columns(),
            color: output.is_coloured(args.color),
            top: args.top,
        },
    };
    let outcome = output.write(|out| run.report(out))?;
    if args.run.stats {
        let (documents, pairs) = (outcome.documents.len(), outcome.pair_counts.total());
        stats::print(&outcome.stats, documents, Some(pairs))?;
    }
    Ok(Status::of(&outcome.skipped))
}

/// What a run needs.
struct Run<'a> {
    args: &'a ScanArgs,
    settings: &'a Settings,
    progress: Progress,
    is_terminal: bool,
    style: TableStyle,
}

impl Run<'_> {
    /// Scans and writes the report in the format asked for.
    fn report(&self, out: &mut (dyn Write + Send)) -> Result<Outcome> {
        match self.args.format {
            Format::Table => self.table(out),
            Format::Json => {
                let mut best = Best::all();
                let outcome = self.scan(&mut best)?;
                write_json(&self.of(&outcome, Some(&best.into_pairs())), out)?;
                Ok(outcome)
            }
            Format::Jsonl => {
                let mut lines = SortedIfFew::new(JsonlPairs(&mut *out));
                let outcome = self.scan(&mut lines)?;
                lines.finish(&outcome.documents)?;
                write_jsonl(&self.of(&outcome, None), out)?;
                Ok(outcome)
            }
            Format::Csv => {
                let mut rows = SortedIfFew::new(CsvPairs::new(out));
                let outcome = self.scan(&mut rows)?;
                rows.finish(&outcome.documents)?.finish()?;
                Ok(outcome)
            }
        }
    }

    fn table(&self, out: &mut dyn Write) -> Result<Outcome> {
        let most = match self.style.top {
            Some(top) => top,
            None if self.is_terminal => MOST_ON_TERMINAL,
            None => usize::MAX,
        };
        let mut best = Best::new(most);
        let outcome = self.scan(&mut best)?;
        let mut pairs = (!self.args.no_pairs).then(|| best.into_pairs());
        if let Some(pairs) = &mut pairs
            && self.style.top.is_none()
            && outcome.pair_counts.total() > most as u64
        {
            pairs.truncate(TOP_ON_TERMINAL);
            messages::too_many_pairs(
                self.args.run.quiet,
                outcome.pair_counts.total(),
                TOP_ON_TERMINAL,
            );
        }
        write_table(&self.of(&outcome, pairs.as_deref()), self.style, out)?;
        Ok(outcome)
    }

    /// Scans, and says what was not compared.
    fn scan(&self, sink: &mut dyn PairSink) -> Result<Outcome> {
        let sink = (!self.args.no_pairs).then_some(sink);
        let outcome = scan(self.settings, &self.progress, sink);
        self.progress.clear();
        let outcome = outcome?;
        messages::documents(
            self.args.run.quiet,
            &self.settings.walk,
            &outcome.skipped,
            &outcome.notes,
            &outcome.warnings,
        );
        Ok(outcome)
    }

    fn of<'r>(&'r self, outcome: &'r Outcome, pairs: Option<&'r [Pair]>) -> Report<'r> {
        Report {
            settings: self.settings,
            outcome,
            pairs,
        }
    }
}
