//! `dupfind dedup`: the records of files without those that are in them already.

pub(crate) mod args;
mod compressed;
mod inputs;
mod stream;
mod summary;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use crate::commands::dedup::args::DedupArgs;
use crate::commands::dedup::compressed::CompressedOutput;
use crate::commands::dedup::inputs::{Inputs, check_read, field_of_media, files};
use crate::decision::keepers::{facts, too_many};
use crate::input::stdin;
use crate::process::exit::Status;
use crate::process::{current_folder, memory};
use crate::terminal::messages;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use dupfind_decide::clean::drops::finding_leaks;
use dupfind_decide::clean::keep::candidate::{Facts, values};
use dupfind_decide::clean::plan::make::Tied;
use dupfind_decide::clean::records::copy::{Copier, Counts};
use dupfind_decide::clean::records::verdict::Verdicts;
use dupfind_decide::clean::ties::{Collected, Ties};
use dupfind_decide::{Drops, Gate, Keep, KeepRule, PairScope};
use dupfind_engine::{DocId, Observer, Options};
use dupfind_read::ReadOptions;
#[cfg(feature = "parquet")]
use dupfind_read::format::Format;
#[cfg(feature = "parquet")]
use dupfind_read::records::parquet::copy::RowWriter;
use dupfind_read::records::raw::RawRecords;
use dupfind_read::{Fields, Kind};
use dupfind_read::{STDIN, WalkOptions};
use dupfind_scan::{Scan, ScanOptions, scan_joined};

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
    let listed = listed.map(|path| Output::open(Some(path))).next();
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
    let tying = Tying {
        args,
        options: &options,
        outcome: &outcome,
        keep: &keep,
    };
    let mut collected = ties.finish();
    let advised = |error: anyhow::Error| match error.downcast() {
        Ok(error) => too_many(error),
        Err(error) => error,
    };
    if collected.most_of_keepers.is_some() {
        let all = Progress::during(|progress| tying.with_similar(collected, drops, progress));
        collected = all.map_err(advised)?;
    }
    let left = collected.left;
    let settled = Progress::during(|progress| {
        collected.settled(&outcome, (drops, memory), progress, |collected| {
            let (tied, ids, facts) = tying.tied(collected)?;
            let verdicts = Verdicts::new(&tied.all, &keep, &facts);
            let going = verdicts.going().map(|(at, ..)| ids[at]).collect();
            let decisions = verdicts.into_decisions();
            Ok((going, (tied, facts, decisions)))
        })
    });
    let (tied, facts, decisions) = settled.map_err(advised)?;
    let verdicts = Verdicts::of(&tied.all, &keep, &facts, decisions);

    let copying = Copying {
        options: &options,
        outcome: &outcome,
        verdicts: &verdicts,
        inputs: &inputs,
    };
    let counts = copying.write(kept, outputs.folder.is_some())?;
    if let Some(listed) = listed {
        listed.write(|out| Ok(verdicts.write(out)?))?;
    }
    args.running.print_stats(&outcome)?;
    summary::print(args, &outcome, &verdicts, counts, left, drops);
    if args.unless_field.is_empty() && !drops.by_similarity && !has_sides {
        summary::warn_of_many(&verdicts, &options.read.fields.text);
    }
    let has_gone = verdicts.going().next().is_some();
    if has_gone && args.unless_field.is_empty() && !has_sides {
        let paths = options.walk.paths.iter();
        let mut beside = paths.filter_map(|path| field_of_media(options.walk.on_disk(path)));
        summary::warn_of_media(beside.next(), &options.read.fields.text);
    }
    summary::print_apart(&args.unless_field, tied.apart);
    summary::print_damaged(&tied.damaged);
    Ok(Status::Ok)
}

/// Records that are tied, and what keeps some of them.
struct TiedRecords<'c> {
    all: Tied<'c>,
    /// How many are like one of other values of `--unless-field`.
    apart: usize,
    /// The names of those that are like others, and whose text was not read whole.
    damaged: Vec<String>,
}

/// What turns ties into records that may go.
struct Tying<'c> {
    args: &'c DedupArgs,
    options: &'c ScanOptions,
    outcome: &'c Scan,
    keep: &'c Keep,
}

impl<'c> Tying<'c> {
    /// Adds the ties of the records that stay: see [`Collected::with_similar`].
    fn with_similar(
        &self,
        collected: Collected,
        drops: Drops,
        progress: &dyn Observer,
    ) -> Result<Collected> {
        let (options, keep) = (self.options, self.keep);
        let order = order(&options.walk, self.outcome);
        let place = |file: u32| order[file as usize];
        collected.with_similar(self.outcome, drops.least, progress, place, |all, _| {
            keep_damaged(all, self.outcome);
            let facts = facts(keep, &all.candidates, &options.read, &options.walk.base)?;
            Ok(keep.rank(&all.candidates, &facts))
        })
    }

    /// Returns the records that are tied, their ids, and the facts that the rules need.
    fn tied(&self, collected: Collected) -> Result<(TiedRecords<'c>, Vec<DocId>, Facts)> {
        let options = self.options;
        let order = order(&options.walk, self.outcome);
        let (mut all, ids) = Tied::of_scan(self.outcome, collected, |file| order[file as usize]);
        if !self.args.against.is_empty() {
            all.let_containers_go();
        }
        let apart = set_apart(&self.args.unless_field, &mut all, &options.read)?;
        let damaged = keep_damaged(&mut all, self.outcome);
        let facts = facts(
            self.keep,
            &all.candidates,
            &options.read,
            &options.walk.base,
        )?;
        facts.check_fields(self.keep)?;
        let tied = TiedRecords {
            all,
            apart,
            damaged,
        };
        Ok((tied, ids, facts))
    }
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

/// The files that records are to be written to.
#[derive(Default)]
struct Outputs {
    paths: Vec<PathBuf>,
    /// The folder that has one for each input; without one, the records of all inputs go to one file.
    folder: Option<PathBuf>,
}

impl Outputs {
    /// Returns those that an option names: a folder, if it is one or ends with a slash.
    ///
    /// # Errors
    ///
    /// Two inputs have one name.
    fn of(named: Option<&Path>, inputs: &[PathBuf]) -> Result<Self> {
        let Some(named) = named else {
            return Ok(Self::default());
        };
        let ends = named.as_os_str().as_encoded_bytes().last();
        if !named.is_dir() && ends.is_none_or(|end| *end != b'/') {
            return Ok(Self {
                paths: vec![named.to_owned()],
                folder: None,
            });
        }
        let mut names = HashSet::new();
        let output = |input: &PathBuf| {
            let name = input.file_name().filter(|_| input != Path::new(STDIN));
            let name = name.with_context(|| {
                format!("{} has no name for {}", input.display(), named.display())
            })?;
            if !names.insert(name.to_owned()) {
                bail!(
                    "two files are called {}, and {} has room for one: give each to a run of its own",
                    name.display(),
                    named.display()
                );
            }
            Ok(named.join(name))
        };
        Ok(Self {
            paths: inputs.iter().map(output).collect::<Result<_>>()?,
            folder: Some(named.to_owned()),
        })
    }

    fn open(&self) -> Result<Vec<CompressedOutput>> {
        if let Some(folder) = &self.folder {
            let failed = || format!("cannot make {}", folder.display());
            fs::create_dir_all(folder).with_context(failed)?;
        }
        let outputs = self.paths.iter().map(|path| CompressedOutput::open(path));
        outputs.collect()
    }
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

/// The records that are copied, and their outputs.
struct Copying<'c> {
    options: &'c ScanOptions,
    outcome: &'c Scan,
    verdicts: &'c Verdicts<'c>,
    inputs: &'c Inputs,
}

impl Copying<'_> {
    /// Writes the records that stay, if they were requested, and returns how many stay and how many go. If writing ends early,
    /// the output is as it was before.
    fn write(&self, mut outputs: Vec<CompressedOutput>, is_each: bool) -> Result<Counts> {
        let mut counts = Counts::default();
        let removals = self.removals();
        if is_each {
            // Every output is written, that of an empty file too.
            for (path, output) in self.options.walk.paths.iter().zip(&mut outputs) {
                let of_one = self.copy(&[path], output, &removals)?;
                counts.kept += of_one.kept;
                counts.removed += of_one.removed;
            }
        } else if let [output] = &mut *outputs {
            let files: Vec<&PathBuf> = self.files().collect();
            counts = self.copy(&files, output, &removals)?;
        } else {
            let going = self.verdicts.going().count() as u64;
            return Ok(Counts {
                kept: self.outcome.sources.own() as u64 - going,
                removed: going,
            });
        }
        self.inputs.check_unchanged()?;
        for output in outputs {
            let name = output.name.clone();
            output
                .finish()
                .with_context(|| format!("cannot write {name}"))?;
        }
        Ok(counts)
    }

    /// Copies the records of some files in their order.
    fn copy(
        &self,
        files: &[&PathBuf],
        kept: &mut CompressedOutput,
        removals: &HashMap<&Path, Vec<u64>>,
    ) -> Result<Counts> {
        let removals_of = |path: &Path| removals.get(path).map_or(&[][..], Vec::as_slice);
        #[cfg(feature = "parquet")]
        if self.inputs.format == Format::Parquet {
            return self.copy_rows(files, kept, removals_of);
        }
        let mut copier = Copier::new(kept);
        for path in files {
            let name = path.display();
            let place = self.options.walk.on_disk(path);
            let records = RawRecords::open(place, Kind::of(place), &self.options.read)
                .map_err(|(reason, detail)| anyhow!("{name}: {}: {detail}", reason.as_str()))?;
            copier
                .copy(records, removals_of(path))
                .with_context(|| format!("cannot copy the records of {name}"))?;
        }
        Ok(copier.counts)
    }

    /// Copies the rows of all files that stay to one file.
    #[cfg(feature = "parquet")]
    fn copy_rows<'r>(
        &self,
        files: &[&PathBuf],
        out: &mut CompressedOutput,
        removals_of: impl Fn(&Path) -> &'r [u64],
    ) -> Result<Counts> {
        let walk = &self.options.walk;
        let mut counts = Counts::default();
        let like = match files {
            [one] => walk.on_disk(one),
            _ => self.inputs.widest()?,
        };
        let mut writer = RowWriter::like(like, out)?;
        for path in files {
            let removals = removals_of(path);
            let stays = |row| removals.binary_search(&row).is_err();
            let rows = writer
                .copy(walk.on_disk(path), stays)
                .with_context(|| format!("cannot copy the records of {}", path.display()))?;
            let removed = removals.len() as u64;
            counts.removed += removed;
            counts.kept += rows - removed;
        }
        writer.finish()?;
        Ok(counts)
    }

    /// Returns the files that were read, in the order in which they were named. One that was named twice was read once.
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let mut seen = HashSet::new();
        let files = self.options.walk.paths.iter();
        files.filter(move |path| self.outcome.sources.files.contains(path) && seen.insert(*path))
    }

    /// Returns the records of each file that go, ascending.
    fn removals(&self) -> HashMap<&Path, Vec<u64>> {
        let mut by_file: HashMap<&Path, Vec<u64>> = HashMap::new();
        for (_, candidate, _) in self.verdicts.going() {
            let removals = by_file.entry(candidate.file).or_default();
            removals.push(candidate.source.record);
        }
        by_file
            .values_mut()
            .for_each(|removals| removals.sort_unstable());
        by_file
    }
}
