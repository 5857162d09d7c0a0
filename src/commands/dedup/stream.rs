//! `dupfind dedup --stream`: passes on the records of an endless stream that were not seen before.

use std::io::{self, IsTerminal, Write};
use std::num::NonZeroU64;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use dupfind_engine::Options;
use dupfind_engine::join::threshold::Threshold;
use dupfind_read::records::Refused;
use dupfind_read::skipped::{SkipReason, Skipped};
use dupfind_report::language::{filled, phrase};
use dupfind_report::say;
use dupfind_report::style::numbers::amount;
use dupfind_scan::stream::memory::TextMemory;
use dupfind_scan::stream::{Event, LineCutter, LineParts, Stream, UTF_16};
use encoding_rs::{UTF_16BE, UTF_16LE};

use crate::commands::dedup::args::DedupArgs;
use crate::process::exit::Status;
use crate::process::{interrupt, memory};
use crate::terminal::messages;
use crate::terminal::output::Output;

/// How many lines that cannot be compared are named.
const NAMED: u64 = 5;

/// Whether the memory has become too small is looked at after every so many records.
const CHECK_EVERY: u64 = 1024;

/// Runs the command.
pub(super) fn run(args: &DedupArgs) -> Result<Status> {
    let is_standard = |path: &Path| path == Path::new("-");
    if !args.paths.iter().all(|path| is_standard(path))
        || !args.output.iter().all(|path| is_standard(path))
    {
        bail!(
            "--stream reads standard input and writes standard output: dupfind dedup --stream < pages.jsonl > kept.jsonl"
        );
    }
    let stdin = io::stdin();
    if stdin.is_terminal() {
        bail!(
            "it reads JSON Lines from standard input, and that is the terminal; pipe them in, as in \
             'zcat pages.jsonl.gz | dupfind dedup --stream'"
        );
    }
    // In UTF-16 the byte of a line end may be a part of any character.
    let mut encoding = args.content.encoding.iter();
    if encoding.any(|encoding| [UTF_16LE, UTF_16BE].contains(encoding)) {
        bail!("--encoding: {UTF_16}");
    }
    let options = args.text.added_to(Options {
        shingle_size: TextMemory::SHINGLE_SIZE,
        threads: args.running.run.threads(),
        ..Options::default()
    });
    let window = args.window.map(NonZeroU64::get);
    let given = args.running.memory.given();
    let memory = TextMemory::new(&options, given, window, memory::total())?;
    let cutter = LineCutter::new(&options, args.content.options())?;
    let least = least(args)?;
    let stream = Stream::open(stdin, args.content.max_filesize())?;
    interrupt::on_first(stream.stop());
    let mut passing = Passing {
        memory,
        least,
        out: Output::open(None)?,
        counts: Counts::default(),
    };
    let status = passing.run(&stream, &cutter);
    status.map_err(|error| passing.out.explained(error))
}

/// Returns the share of a record from which on it was seen.
fn least(args: &DedupArgs) -> Result<Threshold> {
    let Some(given) = args.keep.min_similarity() else {
        return Ok(TextMemory::MIN_SIMILARITY);
    };
    Threshold::from_number(given).map_err(|words| anyhow!("--min-similarity: {words}"))
}

/// Passes on what was not seen.
struct Passing {
    memory: TextMemory,
    least: Threshold,
    out: Output,
    counts: Counts,
}

/// What was in the stream.
#[derive(Debug, Default)]
struct Counts {
    lines: u64,
    records: u64,
    seen: u64,
    /// Lines that are no records, or have no text to compare by.
    others: u64,
    /// Those that are no records.
    malformed: u64,
    /// The first of these.
    first: Option<String>,
    has_warned: bool,
}

impl Passing {
    fn run(&mut self, stream: &Stream, cutter: &LineCutter) -> Result<Status> {
        let status = loop {
            match stream.wait() {
                Event::Lines(lines) => self.lines(cutter.cut(&lines))?,
                Event::TooLarge(bytes, is_first) => {
                    if is_first {
                        self.counts.lines += 1;
                        self.note_other((SkipReason::TooLarge, String::new()));
                    }
                    self.out.write_all(&bytes)?;
                }
                Event::Failed((reason, detail)) => {
                    let reason = match detail.as_str() {
                        "" => reason.as_str(),
                        detail => detail,
                    };
                    bail!("cannot read on from standard input: {reason}");
                }
                Event::End => break Status::Ok,
                Event::Stopped => break Status::Interrupted,
            }
            // The reader gets all of it before this waits for more.
            self.out.flush()?;
        };
        self.sum_up()?;
        Ok(status)
    }

    fn lines(&mut self, lines: Vec<(&[u8], LineParts)>) -> Result<()> {
        for (line, parts) in lines {
            self.counts.lines += 1;
            let is_seen = match parts {
                Ok(parts) => {
                    let share = self.memory.take_parts(&parts);
                    self.counts.records += 1;
                    share.is_at_least(self.least)
                }
                Err(_) if line.trim_ascii().is_empty() => false,
                Err(refused) => {
                    self.note_other(refused);
                    false
                }
            };
            if is_seen {
                self.counts.seen += 1;
            } else {
                self.out.write_all(line)?;
            }
            if self.counts.records.is_multiple_of(CHECK_EVERY) {
                self.warn();
            }
        }
        Ok(())
    }

    /// Counts a line that cannot be compared. The first ones are named.
    fn note_other(&mut self, (reason, detail): Refused) {
        self.counts.others += 1;
        if matches!(reason, SkipReason::Empty | SkipReason::OptedOut) {
            return;
        }
        let name = format!("line {}", self.counts.lines);
        let skipped = Skipped::new(name, reason, detail);
        self.counts.malformed += 1;
        if self.counts.malformed <= NAMED {
            messages::passed_over(&skipped);
        }
        self.counts
            .first
            .get_or_insert_with(|| messages::in_words(&skipped));
    }

    /// Warns once if the memory is too small.
    fn warn(&mut self) {
        if self.counts.has_warned {
            return;
        }
        if let Some(shortage) = self.memory.shortage() {
            self.counts.has_warned = true;
            messages::warning(&format!("{shortage}; a larger --memory-limit makes room"));
        }
    }

    /// Prints the summary.
    ///
    /// # Errors
    ///
    /// There were lines, and none of them is a record: the name of the text field is probably misspelt.
    fn sum_up(&mut self) -> Result<()> {
        self.warn();
        let Counts {
            records,
            seen,
            others,
            ..
        } = self.counts;
        if let (0, Some(first)) = (records, &self.counts.first) {
            bail!(
                "no line is a record with a text, and all {others} were passed on; the first: {first}; --text-field names \
                 the field"
            );
        }
        let mut words = say!(
            "{}: {} passed on, {} seen before",
            amount(records, "record"),
            records - seen,
            seen
        );
        if others > 0 {
            let text = phrase("; {} more that could not be compared, passed on as they came");
            words.push_str(&filled(text, &[&amount(others, "line")]));
        }
        messages::note(&words);
        Ok(())
    }
}
