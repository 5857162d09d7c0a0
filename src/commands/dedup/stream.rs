//! `dupfind dedup --stream`: passes on the records of an endless stream that were not seen before.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Error, Result, bail};
use dupfind_engine::run::pool;
use dupfind_engine::{Options, Threshold};
use dupfind_read::{SkipReason, Skipped};
use dupfind_report::language::filled;
use dupfind_report::{amount, phrase, say};
use dupfind_scan::TextMemory;
use dupfind_scan::stream::{LineCutter, LineReader, Piece, UTF_16};
use encoding_rs::{UTF_16BE, UTF_16LE};

use crate::commands::dedup::DedupArgs;
use crate::process::{Status, interrupt, memory};
use crate::terminal::{Output, messages};

/// How many lines that cannot be compared are named.
const NAMED: u64 = 5;

/// Whether somebody has asked to stop.
static IS_STOPPED: AtomicBool = AtomicBool::new(false);

/// Runs the command.
pub(super) fn run(args: &DedupArgs) -> Result<Status> {
    let mut files = args.paths.iter().chain(&args.output);
    if files.any(|path| path.as_os_str() != "-") || io::stdin().is_terminal() {
        bail!(
            "--stream reads standard input and writes standard output: dupfind dedup --stream < pages.jsonl > kept.jsonl"
        );
    }
    let mut encoding = args.content.encoding.iter();
    if encoding.any(|encoding| [UTF_16LE, UTF_16BE].contains(encoding)) {
        bail!("--encoding: {UTF_16}");
    }
    let options = args.text.added_to(Options {
        shingle_size: TextMemory::SHINGLE_SIZE,
        threads: args.running.run.threads(),
        ..Options::default()
    });
    let window = args.window.map(u64::from);
    let limit = args.running.memory.memory_limit;
    let least = args.keep.min_similarity.map(Threshold::from_number);
    let least = least.transpose().map_err(Error::msg)?;
    let mut passing = Passing {
        memory: TextMemory::new(&options, limit, window, memory::total())?,
        least: least.unwrap_or(TextMemory::MIN_SIMILARITY),
        cutter: LineCutter::new(&options, args.content.options()),
        out: Output::open(None)?,
        lines: 0,
        seen: 0,
        others: 0,
        malformed: 0,
        has_warned: false,
    };
    let workers = pool(options.threads)?;
    interrupt::on_first(|| IS_STOPPED.store(true, Ordering::SeqCst));
    let reader = LineReader::new(io::stdin(), args.content.max_filesize());
    let status = workers.install(|| passing.run(reader));
    let status = status.map_err(|error| passing.out.explained(error))?;
    passing.sum_up()?;
    Ok(status)
}

/// Passes on what was not seen.
struct Passing {
    memory: TextMemory,
    least: Threshold,
    cutter: LineCutter,
    out: Output,
    lines: u64,
    /// Records that were seen.
    seen: u64,
    /// Lines that are no records, or have no text to compare by.
    others: u64,
    /// Those of them that are no records.
    malformed: u64,
    has_warned: bool,
}

impl Passing {
    fn run(&mut self, mut reader: LineReader<io::Stdin>) -> Result<Status> {
        let mut is_in_large = false;
        // What was read is passed on before it stops, and before it waits for more.
        while !IS_STOPPED.load(Ordering::SeqCst) {
            if !has_come() {
                continue;
            }
            match reader.read() {
                Ok(Some(Piece::Lines(lines))) => self.lines(&lines)?,
                Ok(Some(Piece::TooLarge(bytes))) => {
                    if !is_in_large {
                        self.lines += 1;
                        self.note_other(SkipReason::TooLarge, String::new());
                    }
                    is_in_large = !bytes.ends_with(b"\n");
                    self.out.write_all(&bytes)?;
                }
                Ok(None) => return Ok(Status::Ok),
                Err((_, words)) => bail!("cannot read on from standard input: {words}"),
            }
            self.out.flush()?;
        }
        Ok(Status::Interrupted)
    }

    fn lines(&mut self, lines: &[u8]) -> Result<()> {
        for (line, parts) in self.cutter.cut(lines) {
            self.lines += 1;
            match parts {
                Ok(parts) => {
                    let (seen, all) = self.memory.take_parts(&parts);
                    if self.least.admits(seen, all) {
                        self.seen += 1;
                        continue;
                    }
                }
                Err((reason, detail)) if !line.trim_ascii().is_empty() => {
                    self.note_other(reason, detail);
                }
                Err(_) => {}
            }
            self.out.write_all(line)?;
        }
        if !self.has_warned
            && let Some(shortage) = self.memory.shortage()
        {
            self.has_warned = true;
            messages::warning(&format!("{shortage}; a larger --memory-limit makes room"));
        }
        Ok(())
    }

    /// Counts a line that cannot be compared. The first ones that are no records are named.
    fn note_other(&mut self, reason: SkipReason, detail: String) {
        self.others += 1;
        if matches!(reason, SkipReason::Empty | SkipReason::OptedOut) {
            return;
        }
        self.malformed += 1;
        if self.malformed <= NAMED {
            let name = format!("line {}", self.lines);
            messages::passed_over(&Skipped::new(name, reason, detail));
        }
    }

    /// Prints the summary.
    ///
    /// # Errors
    ///
    /// There were lines, and none of them is a record: the name of the field is probably misspelt.
    fn sum_up(&self) -> Result<()> {
        let (records, seen) = (self.memory.texts(), self.seen);
        if records == 0 && self.malformed > 0 {
            bail!(
                "no line is a record with a text, and all {} were passed on; --text-field names the field",
                self.others
            );
        }
        let all = amount(records, "record");
        let mut words = say!(
            "{}: {} passed on, {} seen before",
            all,
            records - seen,
            seen
        );
        if self.others > 0 {
            let text = phrase("; {} more that could not be compared, passed on as they came");
            words.push_str(&filled(text, &[&amount(self.others, "line")]));
        }
        messages::note(&words);
        Ok(())
    }
}

/// Waits for input, for a moment. Returns whether there is some, or its end.
fn has_come() -> bool {
    #[cfg(unix)]
    {
        use nix::{errno::Errno, poll};
        use std::os::fd::AsFd;

        let stdin = io::stdin();
        let mut wanted = [poll::PollFd::new(stdin.as_fd(), poll::PollFlags::POLLIN)];
        !matches!(poll::poll(&mut wanted, 100_u8), Ok(0) | Err(Errno::EINTR))
    }
    #[cfg(not(unix))]
    true
}
