//! Judges the records of a stream, prints the verdicts and saves the state.

use std::io::Write;

use anyhow::{Result, bail};
use dupfind_read::skipped::{SkipReason, Skipped};
use dupfind_report::language::{filled, phrase};
use dupfind_report::say;
use dupfind_report::style::numbers::amount;
use dupfind_scan::stream::seen::parts::Part;
use dupfind_scan::stream::seen::sizes::RATE;
use dupfind_scan::stream::seen::state::{Position, State};
use dupfind_scan::stream::{Event, Records, Stream};

use crate::commands::stream::args::StreamArgs;
use crate::commands::stream::keeper::Keeper;
use crate::commands::stream::print::{Form, RecordVerdict};
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::output::Output;

/// Judges the records of one stream.
pub(crate) struct Judge<'a> {
    args: &'a StreamArgs,
    form: Form,
    state: State,
    keeper: Option<Keeper>,
    out: Output,
    counts: Counts,
}

/// The counts of this stream, for the summary. The state also counts earlier streams.
#[derive(Debug, Default)]
struct Counts {
    records: u64,
    duplicates: u64,
    parts: u64,
    /// Records without a part.
    without: u64,
    /// Objects that have no text in the text fields.
    without_field: u64,
    /// The fields of the first of them.
    fields: Vec<String>,
    /// Lines that are no records.
    skipped: u64,
    has_warned_of_rate: bool,
    has_warned_of_window: bool,
}

/// The filter is checked for being too full after every so many records.
const CHECK_EVERY: u64 = 1024;

/// How many records without a text field are named.
const NAMED: u64 = 5;

impl<'a> Judge<'a> {
    /// Returns a judge that goes on from a state. `keeper` saves the state, if it is to be saved.
    ///
    /// # Errors
    ///
    /// Standard output cannot be opened.
    pub(crate) fn new(args: &'a StreamArgs, state: State, keeper: Option<Keeper>) -> Result<Self> {
        // Lines are counted anew in every stream.
        let position = Position {
            line: 0,
            is_end: false,
            ..state.position
        };
        Ok(Self {
            args,
            form: Form::of(args),
            state: State { position, ..state },
            keeper,
            out: Output::open(None)?,
            counts: Counts::default(),
        })
    }

    /// Judges all records, prints the summary and saves the state.
    ///
    /// # Errors
    ///
    /// The stream cannot be read to its end, or something cannot be written.
    pub(crate) fn run(mut self, stream: &Stream) -> Result<Status> {
        let status = self.judge(stream);
        let status = status.map_err(|error| self.out.explained(error))?;
        self.sum_up();
        let checked = self.check_fields();
        self.out.finish()?;
        checked?;
        Ok(status)
    }

    fn judge(&mut self, stream: &Stream) -> Result<Status> {
        let end = loop {
            let event = match stream.waiting() {
                Some(event) => event,
                None => {
                    // The reader gets all verdicts before this waits for more records.
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
        for (line, record) in records.iter() {
            if let Some(note) = &record.note {
                messages::warning(&format!("{}: {}", note.path, note.note));
            }
            let verdict = match &record.parts {
                Ok(parts) => self.verdict(parts),
                Err(skipped) => match (skipped.reason, &record.fields) {
                    (SkipReason::Empty | SkipReason::OptedOut, _) => {
                        self.counts.without += 1;
                        RecordVerdict::UNJUDGED
                    }
                    // It goes on as it came: nothing is known against it.
                    (_, Some(fields)) => {
                        self.note_without_field(skipped, fields);
                        RecordVerdict::UNJUDGED
                    }
                    _ => {
                        self.counts.skipped += 1;
                        messages::passed_over(skipped);
                        self.state.position.line = line.number;
                        continue;
                    }
                },
            };
            self.form
                .print(line, record.id.as_deref(), verdict, &mut self.out)?;
            self.state.position.line = line.number;
            self.save_when_due()?;
        }
        Ok(())
    }

    /// Counts a record without a text field. The first ones are named.
    fn note_without_field(&mut self, skipped: &Skipped, fields: &[String]) {
        if self.counts.without_field == 0 {
            self.counts.fields = fields.to_vec();
        }
        self.counts.without_field += 1;
        if self.counts.without_field <= NAMED {
            messages::passed_over(skipped);
        }
    }

    /// Returns an error if there were records, and none of them could be read, or none had a text field: its name is probably
    /// misspelt.
    fn check_fields(&self) -> Result<()> {
        let counts = &self.counts;
        if counts.records + counts.without > 0 {
            return Ok(());
        }
        if counts.without_field == 0 {
            match counts.skipped {
                0 => return Ok(()),
                _ => {
                    bail!("no record could be read: nothing was judged, and none is in the output")
                }
            }
        }
        let names = |names: &[String]| {
            let names = names.iter().map(|name| format!("'{name}'"));
            names.collect::<Vec<_>>()
        };
        let wanted = self.args.content.options().fields.text;
        let fields = match names(&counts.fields).as_slice() {
            [] => "nothing".to_owned(),
            fields => fields.join(", "),
        };
        bail!(
            "no record has a text in the field {}: nothing was judged; the first one has {fields}, and --text-field \
             names the field",
            names(&wanted).join(" or ")
        )
    }

    /// Judges a record by its parts, and adds them to the state.
    fn verdict(&mut self, parts: &[Part]) -> RecordVerdict {
        let all = u32::try_from(parts.len()).expect("fewer than a record has bytes");
        let seen = self.state.seen.take(parts);
        let is_duplicate = self.args.min_seen.admits(seen, all);
        let count = parts.len() as u64;
        let position = &mut self.state.position;
        position.records += 1;
        position.duplicates += u64::from(is_duplicate);
        position.parts += count;
        self.counts.records += 1;
        self.counts.duplicates += u64::from(is_duplicate);
        self.counts.parts += count;
        if self.counts.records.is_multiple_of(CHECK_EVERY) {
            self.warn();
        }
        RecordVerdict {
            seen: Some((seen, all)),
            is_duplicate,
        }
    }

    /// Saves the state if it is time. All records in the state must have been printed before, because the next stream
    /// skips them.
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

    /// Warns once if the memory is too small for the records.
    fn warn(&mut self) {
        let rate = self.state.seen.filter().rate();
        if rate > RATE && !self.counts.has_warned_of_rate {
            self.counts.has_warned_of_rate = true;
            messages::warning(&format!(
                "after {} documents of {} shingles each the rate of false positives is {rate:.4}, above {RATE}: \
                 new records look more and more seen; --memory makes a larger filter",
                self.state.position.records,
                self.parts_per_document(),
            ));
        }
        let window = self.state.seen.window();
        let seen = self.state.position.records;
        let short =
            window.filter(|window| window.documents() < seen.min(window.limits().documents));
        if let (Some(window), false) = (short, self.counts.has_warned_of_window) {
            self.counts.has_warned_of_window = true;
            // Of the documents in the window: earlier ones may have had fewer parts.
            let parts = window.parts().div_ceil(window.documents().max(1));
            messages::warning(&format!(
                "documents have {parts} shingles each, so that only the last {} are remembered and not {}; --memory \
                 makes room",
                window.documents(),
                window.limits().documents,
            ));
        }
    }

    /// Returns the mean number of parts of a document, rounded up.
    fn parts_per_document(&self) -> u64 {
        let Position { records, parts, .. } = self.state.position;
        parts.div_ceil(records.max(1))
    }

    /// Prints the summary.
    fn sum_up(&mut self) {
        self.warn();
        let Counts {
            records,
            duplicates,
            without,
            without_field,
            skipped,
            ..
        } = self.counts;
        let mut text = say!(
            "{}: {}, {} new",
            amount(records, "record"),
            amount(duplicates, "duplicate"),
            records - duplicates
        );
        for (count, what) in [
            (without, "; {} more without text to judge by"),
            (without_field, "; {} more without a text field, passed on"),
            (skipped, "; {} more that cannot be read"),
        ] {
            if count > 0 {
                text.push_str(&filled(phrase(what), &[&count]));
            }
        }
        messages::note(&text);
        let filter = self.state.seen.filter();
        let remembered = match self.state.seen.window() {
            Some(window) => say!("the last {} of ", window.documents()),
            None => String::new(),
        };
        messages::note(&say!(
            "remembers {}{} of {} shingles each; filter {}% full, rate of false positives {}",
            remembered,
            amount(self.state.position.records, "document"),
            self.parts_per_document(),
            format!("{:.1}", filter.fill() * 100.0),
            format!("{:.4}", filter.rate())
        ));
    }
}
