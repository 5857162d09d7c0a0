//! `dupfind stream`.

pub(crate) mod args;
mod keeper;
mod lock;
mod print;

use std::io::{self, IsTerminal, Write};

use crate::document::SkipReason;
use crate::stream::seen::Seen;
use crate::stream::seen::parts::{By, Part, PartOptions};
use crate::stream::seen::plan::Layout;
use crate::stream::seen::settings::SeenOptions;
use crate::stream::seen::state::{Position, State};
use crate::stream::{self, Event, Records, Stream};
use anyhow::{Result, anyhow, bail};

use crate::cli::exit::Status;
use crate::cli::output::Output;
use crate::cli::stream::args::StreamArgs;
use crate::cli::stream::keeper::Keeper;
use crate::cli::stream::print::{Form, Verdict};
use crate::cli::{interrupt, memory, messages};

/// Judges the records of standard input.
pub(crate) fn run(args: &StreamArgs) -> Result<Status> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        bail!(
            "it reads JSON Lines from standard input, and that is the terminal; pipe them in, as in \
             'zcat pages.jsonl.gz | dupfind stream'"
        );
    }
    if let Some(refused) = args.refused_encoding() {
        bail!(refused);
    }
    let cutting = PartOptions {
        by: args.by.into(),
        han: args.cut.han(),
        unit: args.cut.shingle_unit.into(),
        size: args.cut.shingle_size,
    };
    let asked = args.asked();
    let settings = SeenOptions::new(cutting, &asked);
    let (state, keeper) = match &args.state {
        None => (None, None),
        Some(path) => {
            let (state, keeper) = Keeper::open(path, args.save_every, &settings, args.quiet)?;
            (state, Some(keeper))
        }
    };
    let state = match state {
        Some(state) => state,
        None => State {
            seen: made(&Layout::plan(&asked, cutting.by)?)?,
            settings,
            position: Position::default(),
        },
    };
    let settings = stream::StreamOptions {
        ingest: args.content.settings(),
        cutting,
        threads: usize::from(args.threads),
    };
    let stream = Stream::open(stdin, settings)?;
    interrupt::asks(stream.stop())?;
    let mut judge = Judge {
        args,
        form: Form::of(args),
        state: State {
            position: Position {
                line: 0,
                is_end: false,
                ..state.position
            },
            ..state
        },
        keeper,
        out: Output::open(None)?,
        tally: Tally::default(),
    };
    let status = judge.judge(&stream);
    let status = status.map_err(|error| judge.out.explained(error))?;
    if !args.quiet {
        judge.sum_up();
    }
    judge.out.finish()?;
    Ok(status)
}

/// Takes how large everything is, and makes it if this machine can.
fn made(layout: &Layout) -> Result<Seen> {
    Seen::new(layout, memory::total()).map_err(|no_room| {
        anyhow!(
            "{no_room}: fewer documents, a higher --false-positive-rate or --by paragraph take less"
        )
    })
}

/// Judges records and prints them.
struct Judge<'a> {
    args: &'a StreamArgs,
    form: Form,
    state: State,
    keeper: Option<Keeper>,
    out: Output,
    tally: Tally,
}

/// What is counted for the summary, of this stream alone.
#[derive(Debug, Default)]
struct Tally {
    records: u64,
    duplicates: u64,
    parts: u64,
    /// Records without a part.
    without: u64,
    /// Lines that are no records.
    passed_over: u64,
    has_warned_of_rate: bool,
    has_warned_of_window: bool,
}

/// After so many records it is looked at how full the filter is.
const LOOK_EVERY: u64 = 1024;

impl Judge<'_> {
    /// Judges all records there are, and saves what is to be saved.
    fn judge(&mut self, stream: &Stream) -> Result<Status> {
        let end = loop {
            let event = match stream.waiting() {
                Some(event) => event,
                None => {
                    // Whoever reads has everything before this waits.
                    self.out.flush()?;
                    let position = self.state.position;
                    let patience = self
                        .keeper
                        .as_ref()
                        .and_then(|keeper| keeper.patience(position));
                    match stream.wait(patience) {
                        Some(event) => event,
                        None => {
                            self.save_when_due()?;
                            continue;
                        }
                    }
                }
            };
            match event {
                Event::Records(records) => self.records(&records)?,
                Event::End => break Ok(Status::Ok),
                Event::Stopped => break Ok(Status::Interrupted),
                Event::Failed(failure) => break Err(failure),
            }
        };
        self.out.flush()?;
        self.state.position.is_end = matches!(end, Ok(Status::Ok));
        if let Some(keeper) = &mut self.keeper {
            keeper.save(&self.state)?;
        }
        match end {
            Ok(status) => Ok(status),
            Err((reason, detail)) => {
                let reason = match detail.as_str() {
                    "" => reason.as_str(),
                    detail => detail,
                };
                bail!("cannot read on from standard input: {reason}")
            }
        }
    }

    fn records(&mut self, records: &Records) -> Result<()> {
        for (line, prepared) in records.iter() {
            if let (Some(note), false) = (&prepared.note, self.args.quiet) {
                messages::warning(&format!("{}: {}", note.path, note.note));
            }
            let verdict = match &prepared.parts {
                Ok(parts) => self.verdict(parts),
                Err(skipped) => match skipped.reason {
                    SkipReason::Empty | SkipReason::OptedOut => {
                        self.tally.without += 1;
                        Verdict {
                            seen: None,
                            is_duplicate: false,
                        }
                    }
                    _ => {
                        self.tally.passed_over += 1;
                        if !self.args.quiet {
                            messages::passed_over(skipped);
                        }
                        self.state.position.line = line.number;
                        continue;
                    }
                },
            };
            self.form
                .print(line, prepared.id.as_deref(), verdict, &mut self.out)?;
            self.state.position.line = line.number;
            self.save_when_due()?;
        }
        Ok(())
    }

    /// Judges a record by its parts, and remembers them.
    fn verdict(&mut self, parts: &[Part]) -> Verdict {
        let all = u32::try_from(parts.len()).expect("fewer than a record has bytes");
        let seen = self.state.seen.take(parts);
        let is_duplicate = self.args.min_seen.admits(seen, all);
        let count = parts.len() as u64;
        let position = &mut self.state.position;
        position.records += 1;
        position.duplicates += u64::from(is_duplicate);
        position.parts += count;
        self.tally.records += 1;
        self.tally.duplicates += u64::from(is_duplicate);
        self.tally.parts += count;
        if self.tally.records.is_multiple_of(LOOK_EVERY) {
            self.warn();
        }
        Verdict {
            seen: Some((seen, all)),
            is_duplicate,
        }
    }

    /// Saves if it is time. What is remembered must have been printed: a stream that goes on from there would
    /// take it for seen.
    fn save_when_due(&mut self) -> Result<()> {
        let position = self.state.position;
        if let Some(keeper) = &mut self.keeper
            && keeper.is_due(position)
        {
            self.out.flush()?;
            keeper.try_save(&self.state);
        }
        Ok(())
    }

    /// Says once when more is remembered than there is room for.
    fn warn(&mut self) {
        let (rate, highest) = (self.state.seen.filter().rate(), self.state.highest_rate());
        let parts = self.parts_per_document();
        if rate > highest && !self.tally.has_warned_of_rate && !self.args.quiet {
            self.tally.has_warned_of_rate = true;
            messages::warning(&format!(
                "after {} documents of {parts} {}s each the rate of false positives is {rate:.4}, above {highest}: \
                 new records look more and more seen; --memory, or --expected-documents with \
                 --parts-per-document {parts}, makes a larger filter",
                self.state.position.records,
                self.by(),
            ));
        }
        let window = self.state.seen.window();
        let short = window.filter(|window| window.is_short());
        if let (Some(window), false, false) =
            (short, self.tally.has_warned_of_window, self.args.quiet)
        {
            self.tally.has_warned_of_window = true;
            // Those at hand: earlier ones may have had fewer.
            let parts = window.parts().div_ceil(window.documents().max(1));
            messages::warning(&format!(
                "documents have {parts} {}s each, so that only the last {} are remembered and not {}; --memory, or \
                 --parts-per-document {parts}, makes room",
                self.by(),
                window.documents(),
                window.limits().documents,
            ));
        }
    }

    /// What a part is called.
    fn by(&self) -> &'static str {
        By::from(self.args.by).as_str()
    }

    /// How many parts a document has on average, rounded up.
    fn parts_per_document(&self) -> u64 {
        let Position { records, parts, .. } = self.state.position;
        parts.div_ceil(records.max(1))
    }

    /// Says how it went.
    fn sum_up(&mut self) {
        self.warn();
        let Tally {
            records,
            duplicates,
            without,
            passed_over,
            ..
        } = self.tally;
        let s = |count: u64| if count == 1 { "" } else { "s" };
        let mut text = format!(
            "{records} record{}: {duplicates} duplicate{}, {} new",
            s(records),
            s(duplicates),
            records - duplicates
        );
        for (count, what) in [
            (without, "without text to judge by"),
            (passed_over, "that cannot be read"),
        ] {
            if count > 0 {
                text.push_str(&format!("; {count} more {what}"));
            }
        }
        messages::note(&text);
        let filter = self.state.seen.filter();
        let remembered = match self.state.seen.window() {
            Some(window) => format!("the last {} of ", window.documents()),
            None => String::new(),
        };
        messages::note(&format!(
            "remembers {remembered}{} documents of {} {}s each; filter {:.1}% full, rate of false positives {:.4} \
             (asked for: {})",
            self.state.position.records,
            self.parts_per_document(),
            self.by(),
            filter.fill() * 100.0,
            filter.rate(),
            self.state.highest_rate()
        ));
    }
}
