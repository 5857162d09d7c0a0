//! The arguments of `dupfind dedup`.

use std::num::NonZeroU64;
use std::path::PathBuf;

use crate::args::comparing::TextArgs;
use crate::args::keep::KeepArgs;
use crate::args::reading::ContentArgs;
use crate::args::running::RunningArgs;
use crate::args::{DECISION, OUTPUT, values};

const STREAM: &str = "Stream";

pub(crate) const EXAMPLES: &str = "\
Examples:
  Input:      dupfind dedup pages.jsonl --text-field body --id-field url -o kept.jsonl
              dupfind dedup part-1.jsonl.gz part-2.jsonl.gz -o kept.jsonl.gz
  Text:       dupfind dedup novels.jsonl --shingle-size 5 -o kept.jsonl
  Decision:   dupfind dedup pages.jsonl --drop similar --min-similarity 0.8 -o kept.jsonl
              dupfind dedup train.jsonl --against test.jsonl -o clean.jsonl --verdicts why.jsonl
              dupfind dedup pages.jsonl --keep field:score,longest -o kept.jsonl
              dupfind dedup reviews.jsonl --unless-field label -o kept.jsonl
  Output:     dupfind dedup pages.parquet -o kept.parquet
  Stream:     tail -f -n +1 feed.jsonl | dupfind dedup --stream > new.jsonl
              zcat crawl.jsonl.gz | dupfind dedup --stream --window 100000 --memory-limit 2G > new.jsonl
  Running:    dupfind dedup pages.jsonl -o kept.jsonl --threads 1 --memory-limit 2G

Exit status:
  0  it ran, whether or not there was anything to remove
  2  an error: a wrong option, a file that cannot be read, no record with the text field; then no
     output is written
  130  --stream was ended by Ctrl-C or SIGTERM; what it has read is written";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct DedupArgs {
    /// Files of records: JSON Lines, CSV, TSV or Parquet, all of one kind ('-': JSON Lines on standard input)
    ///
    /// They may be compressed, and a folder stands for its files of records. They are only read.
    #[arg(
        id = "own_paths",
        value_name = "PATH",
        required_unless_present = "stream"
    )]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) content: ContentArgs,
    #[command(flatten)]
    pub(crate) text: TextArgs,

    #[command(flatten)]
    pub(crate) keep: KeepArgs,

    /// Remove only the records that FILE has, such as a test set that must not be in training data (repeatable)
    ///
    /// A record goes if it is a copy of a record of FILE, near to one or a variant of one, and if it holds one or is within
    /// one: this changes the defaults of --drop and --min-similarity. Records of FILE are only read. Records
    /// that are like each other stay: a second run without --against removes them.
    #[arg(id = "own_against", long = "against", value_name = "FILE", help_heading = DECISION)]
    pub(crate) against: Vec<PathBuf>,

    /// Keep records that are alike but differ in this field, such as a label (repeatable)
    ///
    /// A record then goes only for one that has the same value, or also lacks it.
    #[arg(long, value_name = "FIELD", help_heading = DECISION)]
    pub(crate) unless_field: Vec<String>,

    /// Write the records that stay to FILE, as they are and in their order ('-' is standard output)
    ///
    /// Lines that cannot be compared stay too: those without a text, and those that are no JSON. A name that ends in .gz
    /// or .zst is compressed. The file is replaced when the result is complete, and untouched if the run fails. A
    /// folder (DIR/) gets a file for each input, of the same name.
    #[arg(id = "own_output", short = 'o', long = "output", value_name = "FILE", required_unless_present_any = ["verdicts", "stream"], help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    /// Write for each record that goes which one stays for it, with the measures of the two, as JSON Lines
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) verdicts: Option<PathBuf>,

    /// Read JSON Lines from standard input without end, and pass on at once the records that were not seen
    ///
    /// A record goes if earlier records, all together, have half of its shingles: --min-similarity is another share. Its
    /// line is passed on as it came, and so is a line that cannot be compared. The shingles are kept in a Bloom filter of a
    /// fixed size, 256M or --memory-limit. It never forgets one, and takes at most 1 % of the new ones for old ones, until
    /// there are too many for it; a warning says so once.
    #[arg(long, conflicts_with_all = ["own_against", "unless_field", "keep", "drop", "verdicts"], help_heading = STREAM)]
    pub(crate) stream: bool,

    /// Forget all but the last N records of the stream
    ///
    /// A shingle then needs 11.4 bytes and not 1.24: counters in place of bits, and the queue of shingles to be forgotten. If
    /// the memory is too small for so many records, fewer are remembered, with a warning.
    #[arg(long, value_name = "N", value_parser = values::count::<NonZeroU64>, requires = "stream", help_heading = STREAM)]
    pub(crate) window: Option<NonZeroU64>,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
