//! `dupfind dedup`: the records of files without those that are in them already.

mod inputs;
mod outputs;
mod stream;
mod summary;

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use dupfind_decide::clean::drops::finding_leaks;
use dupfind_decide::clean::keep::candidate::values;
use dupfind_decide::clean::records::verdict::Verdicts;
use dupfind_decide::clean::tied::Tied;
use dupfind_decide::clean::ties::Ties;
use dupfind_decide::{Drops, Gate, Keep, KeepRule, PairScope};
use dupfind_engine::Options;
use dupfind_read::{Fields, ReadOptions, WalkOptions};
use dupfind_scan::{Scan, ScanOptions, scan_joined};

pub(crate) use crate::commands::dedup::outputs::can_be_copied;

use crate::args::{ContentArgs, DECISION, KeepArgs, OUTPUT, RunningArgs, TextArgs, values};
use crate::commands::dedup::inputs::{Inputs, check_read, field_of_media, files};
use crate::commands::dedup::outputs::{CompressedOutput, Copying, Outputs};
use crate::decision::keepers::{facts, too_many};
use crate::input::stdin;
use crate::process::{Status, current_folder, memory};
use crate::terminal::{Progress, messages};

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

/// Runs the command.
pub(crate) fn run(args: &DedupArgs) -> Result<Status> {
    if args.stream {
        return stream::run(args);
    }
    let has_sides = !args.against.is_empty();
    let drops = args.keep.drops().or(Drops::usual(true, has_sides));
    let mut options = options(args, drops)?;
    let base = options.walk.base.clone();
    let keep = Keep::new(args.keep.rules(), &base, has_sides)?;
    let _stdin = stdin::spool_with_pipes(&mut options)?;
    let outputs = Outputs::of(args.output.as_deref(), &options.walk.paths)?;
    let inputs = Inputs::new(&options.walk, outputs.paths.iter().chain(&args.verdicts))?;
    inputs.check_outputs(&outputs.paths)?;
    let kept = outputs.open()?;
    let listed = args.verdicts.iter();
    let listed = listed.map(|path| CompressedOutput::open(path)).next();
    let listed = listed.transpose()?;
    if let Some(rule) = keep.unmatched(args.paths.iter().map(|path| &**path)).next() {
        bail!("--keep {rule}: no file matches the glob");
    }
    let dates = [KeepRule::Newest, KeepRule::Oldest];
    if let ([file], Some(rule)) = (
        &*options.walk.paths,
        dates.iter().find(|rule| keep.asks(rule)),
    ) {
        bail!(
            "--keep {rule}: all records of {} have its date; --keep field:NAME compares a field, such as their own dates",
            file.display()
        );
    }

    let mut gate = Gate::new(PairScope::new(&options.walk), None);
    let memory = memory::total() / 2;
    let mut ties = Ties::new(drops, !gate.decides(), memory).pruned();
    // Of records with other values in a field more than those that stay must be known.
    if args.unless_field.is_empty() {
        ties = ties.by_keepers();
    }
    let outcome = Progress::during(|progress| {
        scan_joined(&options, progress, Some(&mut gate), Some(&mut ties))
    });
    let outcome = outcome.map_err(too_many)?;
    messages::of_scan(&options.walk, &outcome);
    check_read(&options, &outcome)?;
    let mut sources = outcome.sources.documents.iter();
    if has_sides && !sources.any(|source| source.is_against) {
        messages::warning("--against has no record: there was nothing to compare with");
    }
    let order = order(&options.walk, &outcome);
    let place = |file: u32| order[file as usize];
    let (mut apart, mut damaged) = (0, Vec::new());
    let mut collected = ties.finish();
    let settled = Progress::during(|progress| {
        let limits = (drops, memory);
        collected.settled(&outcome, &keep, limits, progress, place, |tied, _| {
            apart = set_apart(&args.unless_field, tied, &options.read)?;
            damaged = keep_damaged(tied, &outcome);
            facts(&keep, &tied.candidates, &options.read, &base)
        })
    });
    let settled = settled.map_err(|error: anyhow::Error| match error.downcast() {
        Ok(error) => too_many(error),
        Err(error) => error,
    });
    let (tied, _, facts, decisions) = settled?;
    let left = collected.left;
    let verdicts = Verdicts::of(&tied, &keep, &facts, decisions);

    let copying = Copying {
        options: &options,
        outcome: &outcome,
        verdicts: &verdicts,
        inputs: &inputs,
    };
    let counts = copying.write(kept, outputs.folder.is_some(), listed)?;
    args.running.print_stats(&outcome)?;
    let all = counts.kept + counts.removed;
    summary::print(args, &outcome, &verdicts, counts, left, drops);
    if args.unless_field.is_empty() && !drops.by_similarity && !has_sides {
        summary::warn_of_many(&verdicts, all, &options.read.fields.text);
    }
    let has_gone = verdicts.going().next().is_some();
    if has_gone && args.unless_field.is_empty() && !has_sides {
        let paths = options.walk.paths.iter();
        let mut beside = paths.filter_map(|path| field_of_media(options.walk.on_disk(path)));
        summary::warn_of_media(beside.next(), &options.read.fields.text);
    }
    summary::print_apart(&args.unless_field, apart);
    summary::print_damaged(&damaged);
    Ok(Status::Ok)
}

/// Lets records go only for those that have the same values in these fields. Returns how many are like one of other values.
fn set_apart(fields: &[String], tied: &mut Tied<'_>, options: &ReadOptions) -> Result<usize> {
    if fields.is_empty() || tied.candidates.is_empty() {
        return Ok(0);
    }
    let mut all = vec![Vec::new(); tied.candidates.len()];
    for field in fields {
        let values = values(field, &tied.candidates, options);
        if values.iter().all(Option::is_none) {
            bail!("--unless-field {field}: no record has such a field");
        }
        for (all, value) in all.iter_mut().zip(values) {
            all.push(value);
        }
    }
    Ok(tied.set_values_apart(&all))
}

/// Keeps all records whose text was not read as it is: they may differ in what was not. Returns the names of those that are
/// like others.
fn keep_damaged(tied: &mut Tied<'_>, outcome: &Scan) -> Vec<String> {
    let noted: HashSet<&str> = outcome.notes.iter().map(|note| &*note.path).collect();
    let mut names = Vec::new();
    for candidate in &mut tied.candidates {
        if noted.contains(candidate.name()) && !candidate.source.is_against {
            candidate.stays = true;
            names.push(candidate.name().to_owned());
        }
    }
    names
}

fn options(args: &DedupArgs, drops: Drops) -> Result<ScanOptions> {
    let cwd = current_folder()?;
    let content = args.content.options();
    let outputs = args
        .running
        .config
        .file()
        .map(Path::to_owned)
        .into_iter()
        .collect();
    let mut engine = args.text.added_to(Options {
        threads: args.running.run.threads(),
        budget: args.running.memory.budget(),
        ..Options::default()
    });
    let has_sides = !args.against.is_empty();
    if has_sides {
        engine = finding_leaks(engine);
    }
    let engine = drops.finding(engine, has_sides);
    let engine = engine.map_err(|reason| anyhow!("--min-similarity: {reason}"))?;
    let read = ReadOptions {
        max_documents: memory::max_documents(),
        fields: Fields {
            // A table without a text is no document.
            is_named: true,
            ..content.fields
        },
        ..content
    };
    Ok(ScanOptions {
        index: None,
        walk: WalkOptions {
            outputs,
            against: args.against.clone(),
            ..WalkOptions::new(files(&args.paths, &cwd, &read)?, cwd)
        },
        read,
        engine,
    })
}

/// Returns the place of each file of a scan in the order in which the files were named.
fn order(walk: &WalkOptions, outcome: &Scan) -> Vec<u64> {
    // For a file that was named twice, the first place counts.
    let named = (0..).zip(&walk.paths).collect::<Vec<(u64, &PathBuf)>>();
    let places: HashMap<&Path, u64> = named
        .into_iter()
        .rev()
        .map(|(at, path)| (&**path, at))
        .collect();
    let files = outcome.sources.files.iter();
    files
        .map(|file| places.get(&**file).copied().unwrap_or(u64::MAX))
        .collect()
}
