//! The arguments of `dupfind stream`.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ValueEnum};
use dupfind_engine::join::threshold::Threshold;
use dupfind_scan::stream::memory::TextMemory;
use dupfind_scan::stream::no_lines;
use dupfind_scan::stream::seen::asked::{Asked, LEAST_MEMORY, Rate};
use dupfind_scan::stream::seen::parts;

use crate::args::config::ConfigArgs;
use crate::args::headings::{DETECTION, MEMORY, OUTPUT, RUNNING, STATE};
use crate::args::reading::ContentArgs;
use crate::args::size;
use crate::args::text::CutArgs;
use dupfind_engine::pairing::threads::MAX_THREADS;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Input:      zcat crawl.jsonl.gz | dupfind stream --text-field body > judged.jsonl
  Text:       dupfind stream --shingle-size 12 --fold-han < pages.jsonl
  Detection:  dupfind stream --by paragraph --min-seen 0.8 < pages.jsonl
  Memory:     dupfind stream --expected-documents 10000000 --parts-per-document 300 < pages.jsonl
              dupfind stream --window 100000 --memory 2G < news.jsonl
  State:      dupfind stream --filter --state seen.state < today.jsonl > new.jsonl
  Output:     tail -f -n +1 feed.jsonl | dupfind stream --filter | ./index
              dupfind stream < pages.jsonl | jq -c 'select(.duplicate) | {id, seen}'
              dupfind stream --verdicts --id-field url < pages.jsonl
  Running:    dupfind stream --threads 1 --quiet < pages.jsonl

Exit status: 0 it ran to the end of the stream, 2 an error, 130 it was interrupted";

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("max_filesize", of_records),
    mut_arg("encoding", of_stream),
    mut_arg("text_fields", of_lines)
)]
#[command(mut_arg("id_field", of_verdicts), mut_arg("shingle_size", longer))]
pub(crate) struct StreamArgs {
    #[command(flatten)]
    pub(crate) content: ContentArgs,

    #[command(flatten)]
    pub(crate) cut: CutArgs,

    /// What of a record is looked for among earlier ones
    #[arg(long, value_enum, value_name = "PART", default_value_t = By::Shingle, help_heading = DETECTION)]
    pub(crate) by: By,

    /// Share of a record that must have been seen for it to be a duplicate
    ///
    /// Of its distinct shingles or paragraphs, wherever they were seen: a page put together from two earlier
    /// ones is one too.
    #[arg(long, value_name = "T", default_value_t = TextMemory::MIN_SEEN, help_heading = DETECTION)]
    pub(crate) min_seen: Threshold,

    /// Memory for what was seen [default: as expected, or 256M]
    ///
    /// It is taken at the beginning and never exceeded. On top come about 50M, and the records at work. K, M and G are
    /// powers of 1024.
    #[arg(long, value_name = "SIZE", value_parser = memory, help_heading = MEMORY)]
    memory: Option<u64>,

    /// Documents to be remembered, to take as much memory as they need
    ///
    /// If --memory is given too, it is an error if they do not fit. There may be more in the end: then the rate of false
    /// positives rises, which is said once.
    #[arg(long, value_name = "N", value_parser = size::count::<NonZeroU64>, help_heading = MEMORY)]
    expected_documents: Option<NonZeroU64>,

    /// Share of unseen shingles that may be taken for seen [default: 0.01]
    ///
    /// A new record has about so much of it taken for seen. The filter is made for it, and it is exceeded
    /// when there are more documents than it was made for.
    #[arg(long, value_name = "P", help_heading = MEMORY)]
    false_positive_rate: Option<Rate>,

    /// Distinct shingles or paragraphs of a document [default: 600 shingles, 20 paragraphs]
    ///
    /// What sizes are reckoned with; the message at the end tells how many there were. 600 shingles are those of
    /// a text of about 600 words or Chinese characters.
    #[arg(long, value_name = "N", value_parser = size::count::<NonZeroU64>, help_heading = MEMORY)]
    parts_per_document: Option<NonZeroU64>,

    /// Forget all but the last N documents
    ///
    /// Takes about nine times the memory for each document: counters instead of bits, and the queue of what is to
    /// be forgotten. If documents have more shingles than was reckoned with, fewer of them are remembered, which is said.
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

    /// No summary and no warnings; errors are still printed
    #[arg(short, long, help_heading = RUNNING)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

impl StreamArgs {
    /// Returns what is asked for about memory.
    pub(crate) fn asked(&self) -> Asked {
        Asked {
            memory: self.memory,
            documents: self.expected_documents.map(NonZeroU64::get),
            rate: self.false_positive_rate,
            parts: self.parts_per_document.map(NonZeroU64::get),
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

/// The parts of a record that are looked for in earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// Its shingles: finds records that were edited
    Shingle,
    /// Its paragraphs, each line one: finds passages that are repeated as they are
    Paragraph,
}

impl From<By> for parts::By {
    fn from(by: By) -> Self {
        match by {
            By::Shingle => Self::Shingle,
            By::Paragraph => Self::Paragraph,
        }
    }
}

fn memory(text: &str) -> Result<u64, String> {
    match size::parse(text)? {
        bytes if bytes < LEAST_MEMORY => Err("expected at least 64K".into()),
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

fn longer(arg: Arg) -> Arg {
    arg.default_value(TextMemory::SHINGLE_SIZE.to_string()).long_help(
        "Units in a shingle\n\n\
         More than for a scan: among many records about one subject, most short shingles of a new one were seen \
         somewhere.",
    )
}

fn of_records(arg: Arg) -> Arg {
    arg.help("Pass over records larger than this")
        .long_help("Pass over records larger than this\n\nK, M and G are powers of 1024.")
}

fn of_stream(arg: Arg) -> Arg {
    arg.help("Encoding of the stream, such as gb18030 [default: utf-8]").long_help(
        "Encoding of the stream, such as gb18030 [default: utf-8]\n\n\
         A name of the WHATWG standard: gbk, big5, shift_jis, euc-kr, windows-1251, ... It is not found out: that \
         would take waiting for more of the stream. UTF-16 has to be made UTF-8 first, by iconv.",
    )
}

fn of_verdicts(arg: Arg) -> Arg {
    arg.help("Field with the id of a record, for --verdicts [default: id]")
}

fn of_lines(arg: Arg) -> Arg {
    arg.help("Field with the text of a record [default: text] (repeatable)").long_help(
        "Field with the text of a record [default: text] (repeatable)\n\n\
         'meta.title' leads into objects, 'messages.content' through lists; the texts of several fields (also \
         'title,body') are joined by a blank line.",
    )
}
