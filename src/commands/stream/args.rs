//! The arguments of `dupfind stream`.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dupfind_engine::join::threshold::Threshold;
use dupfind_scan::stream::memory::TextMemory;
use dupfind_scan::stream::no_lines;
use dupfind_scan::stream::seen::sizes::{MIN_MEMORY, Sizes};

use crate::args::config::ConfigArgs;
use crate::args::documents::reading::ContentArgs;
use crate::args::documents::text::TextArgs;
use crate::args::group::groups;
use crate::args::headings::{DETECTION, MEMORY, OUTPUT, RUNNING, STATE};
use crate::args::values::size;
use crate::config::Configured;
use dupfind_engine::run::threads::MAX_THREADS;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Input:      zcat crawl.jsonl.gz | dupfind stream --text-field body > judged.jsonl
  Text:       dupfind stream --shingle-size 12 < pages.jsonl
  Detection:  dupfind stream --min-seen 0.8 < pages.jsonl
  Memory:     dupfind stream --memory 8G < pages.jsonl
              dupfind stream --window 100000 --memory 2G < news.jsonl
  State:      dupfind stream --filter --state seen.state < today.jsonl > new.jsonl
  Output:     tail -f -n +1 feed.jsonl | dupfind stream --filter | ./index
              dupfind stream < pages.jsonl | jq -c 'select(.duplicate) | {id, seen}'
              dupfind stream --verdicts --id-field url < pages.jsonl
  Running:    dupfind stream --threads 1 --quiet < pages.jsonl

Exit status: 0 it ran to the end of the stream, 2 an error, 130 it was interrupted";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct StreamArgs {
    #[command(flatten)]
    pub(crate) content: ContentArgs,

    #[command(flatten)]
    pub(crate) text: TextArgs,

    /// Share of a record that must have been seen for it to be a duplicate
    ///
    /// Of its distinct shingles, wherever they were seen: a page put together from two earlier
    /// ones is one too.
    #[arg(long, value_name = "T", default_value_t = TextMemory::MIN_SEEN, help_heading = DETECTION)]
    pub(crate) min_seen: Threshold,

    /// Memory for the shingles that were seen [default: 256M]
    ///
    /// It is allocated at the beginning and never exceeded. A shingle needs 1.24 bytes, and a text of 600 words or
    /// Chinese characters about 750. If more is seen, more and more new shingles count as seen; a warning says so once.
    /// On top come about 50M, and the records at work. K, M and G are powers of 1024.
    #[arg(long, value_name = "SIZE", value_parser = memory, help_heading = MEMORY)]
    memory: Option<u64>,

    /// Forget all but the last N documents
    ///
    /// A shingle needs 11.4 bytes: counters instead of bits, and the queue of shingles to be forgotten. If the memory
    /// is too small for so many documents, fewer of them are remembered, with a warning.
    #[arg(long, value_name = "N", value_parser = size::count::<NonZeroU64>, help_heading = MEMORY)]
    window: Option<NonZeroU64>,

    /// Go on from what FILE remembers, if it is there, and save to it
    ///
    /// It is saved at the end, on an interrupt and now and then, and is always a whole state. Of the options about
    /// memory, those that are not given are as they were; others are an error.
    #[arg(long, value_name = "FILE", help_heading = STATE)]
    pub(crate) state: Option<PathBuf>,

    /// How often to save: after so many records, or so much time (30s, 10m, 1h)
    #[arg(long, value_name = "HOW OFTEN", value_parser = often, default_value = "10m", requires = "state", help_heading = STATE)]
    pub(crate) save_every: Often,

    /// Print only records that are no duplicates, as they came
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) filter: bool,

    /// Print verdicts without the records: line, id, seen, duplicate
    #[arg(long, conflicts_with = "filter", help_heading = OUTPUT)]
    pub(crate) verdicts: bool,

    /// Worker threads, up to 256; 0 is one for each core
    ///
    /// The result is the same for any number.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=MAX_THREADS as i64), help_heading = RUNNING)]
    pub(crate) threads: u16,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

impl StreamArgs {
    /// Returns the requested sizes.
    pub(crate) fn sizes(&self) -> Sizes {
        Sizes {
            memory: self.memory,
            window: self.window.map(NonZeroU64::get),
        }
    }

    /// Returns why the encoding is refused, if it is.
    pub(crate) fn refused_encoding(&self) -> Option<String> {
        let encoding = self.content.encoding?;
        // In these encodings the byte of a line end means nothing else.
        let has_lines = encoding.is_ascii_compatible() || encoding == encoding_rs::ISO_2022_JP;
        (!has_lines).then(|| format!("--encoding: {}", no_lines(encoding.name())))
    }
}

/// How often the state is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Often {
    /// After so many records.
    Records(NonZeroU64),
    /// After so much time.
    Time(Duration),
}

fn memory(text: &str) -> Result<u64, String> {
    match size::parse(text)? {
        bytes if bytes < MIN_MEMORY => Err("expected at least 64K".into()),
        bytes => Ok(bytes),
    }
}

fn often(text: &str) -> Result<Often, String> {
    let units = [("s", 1), ("m", 60), ("h", 3600)];
    let timed = units
        .iter()
        .find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, *seconds)));
    let (number, seconds) = timed.unwrap_or((text, 0));
    let number: NonZeroU64 = number.parse().map_err(
        |_| "expected a number of records, such as 100000, or a time, such as 30s, 10m or 1h",
    )?;
    Ok(match seconds {
        0 => Often::Records(number),
        _ => Often::Time(Duration::from_secs(number.get().saturating_mul(seconds))),
    })
}

groups!(StreamArgs: content, text, config);

impl Configured for StreamArgs {
    fn config(&mut self) -> &mut ConfigArgs {
        &mut self.config
    }

    fn start(&self) -> Option<&Path> {
        None
    }
}
