//! Puts the pairs of all tasks together: the outcome of a scan of all documents.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use crate::engine::Options;
use crate::engine::collection::Gathering;
use crate::engine::observer::{Observer, Stage};
use crate::engine::pairing::sink::PairSink;
use crate::engine::threads::in_pool;
use crate::error::{Error, Result};
use crate::join::index::SetPair;
use crate::scan::indexed::reading::reading;
use crate::scan::outcome::Outcome;
use crate::scan::{ScanJudge, ScanOptions};
use crate::tiles::cover::{MOST_TILES, Task, Tiles};
use crate::tiles::frozen::Frozen;
use crate::tiles::order::InOrder;
use crate::tiles::outcome::{FoundInTasks, JobDocument, outcome};
use crate::tiles::pairs::PairsOfTask;
use crate::tiles::part::Part;
use crate::tiles::refused;

/// The files of a job whose tasks are done.
#[derive(Debug)]
pub struct DoneJob<'j> {
    /// What was frozen.
    pub frozen: &'j Frozen,
    /// The file of what was frozen.
    pub frozen_at: &'j Path,
    /// The files of features and of pairs, in any order.
    pub files: &'j [PathBuf],
}

/// Puts the pairs of all tasks together. The sink gets the pairs as a scan of all documents would give them, and the judge
/// decides which of them count.
///
/// # Errors
///
/// [`Error::TileFile`] and [`Error::TileJob`] if the files do not belong together, or a task is missing; and those of
/// [`crate::scan::scan`].
pub fn merge<'t>(
    options: &ScanOptions,
    job: &DoneJob<'_>,
    observer: &dyn Observer,
    judge: Option<&'t mut (dyn ScanJudge + 't)>,
    sink: Option<&'t mut (dyn PairSink + 't)>,
) -> Result<Outcome> {
    in_pool(&options.engine, || {
        let frozen = job.frozen;
        frozen.check_reading(job.frozen_at, &reading(&options.read))?;
        let (mut parts, mut of_tasks) = (Vec::new(), Vec::new());
        for path in job.files {
            if PairsOfTask::is_at(path)? {
                of_tasks.push(path);
            } else {
                parts.push(Part::open(path, &options.engine)?);
            }
        }
        let parts = frozen.in_order(parts)?;
        let pairs = read_pairs(options, frozen, &of_tasks)?;
        put_together(options, (frozen, &parts), pairs, observer, (judge, sink))
    })
}

/// Reads the pairs of all tasks, and checks that every task is there once. Returns the pairs, ordered.
fn read_pairs(options: &ScanOptions, frozen: &Frozen, paths: &[&PathBuf]) -> Result<Vec<SetPair>> {
    let mut tiles: Option<Tiles> = None;
    let mut done: BTreeMap<Task, PathBuf> = BTreeMap::new();
    let mut pairs = Vec::new();
    let sets = u32::try_from(frozen.sets()).expect("sets are numbered by 32 bits");
    for path in paths {
        let mut of_task = PairsOfTask::read(path)?;
        let (path, task) = (&of_task.path, of_task.task);
        if of_task.frozen != frozen.number {
            return Err(refused(
                path,
                "its pairs were found with other frequencies than these",
            ));
        }
        let tiles =
            tiles.get_or_insert_with(|| Tiles::cut(&frozen.sizes, of_task.tiles.min(MOST_TILES)));
        if of_task.tiles != tiles.count() {
            return Err(refused(
                path,
                format!(
                    "it is of a job of {} tiles, and others are of {}",
                    of_task.tiles,
                    tiles.count()
                ),
            ));
        }
        tiles.check(task)?;
        if let Some(other) = done.insert(task, path.clone()) {
            let Task { earlier, later } = task;
            let other = other.display();
            return Err(refused(
                path,
                format!("it is of the task {earlier},{later}, as is {other}"),
            ));
        }
        let ranks = (tiles.ranks(task.later), tiles.ranks(task.earlier));
        let is_of_task = |pair: &SetPair| ranks.0.contains(&pair.x) && ranks.1.contains(&pair.y);
        if !of_task
            .pairs
            .iter()
            .all(|pair| is_of_task(pair) && pair.y < pair.x && pair.x < sets)
        {
            return Err(refused(path, "it has pairs of another task"));
        }
        pairs.append(&mut of_task.pairs);
    }
    let tiles = tiles.unwrap_or_else(|| Tiles::cut(&frozen.sizes, 1));
    let tasks = tiles.tasks(frozen, &options.engine);
    let missing: Vec<&Task> = tasks
        .iter()
        .filter(|task| !done.contains_key(task))
        .collect();
    if let Some(Task { earlier, later }) = missing.first() {
        return Err(Error::TileJob(format!(
            "{} of {} tasks are missing, the first one is {earlier},{later}",
            missing.len(),
            tasks.len()
        )));
    }
    pairs.sort_unstable();
    Ok(pairs)
}

/// Returns the outcome of a scan of which these are the pairs of sets.
fn put_together<'t>(
    options: &ScanOptions,
    (frozen, parts): (&Frozen, &[Part]),
    pairs: Vec<SetPair>,
    observer: &dyn Observer,
    handlers: (
        Option<&'t mut (dyn ScanJudge + 't)>,
        Option<&'t mut (dyn PairSink + 't)>,
    ),
) -> Result<Outcome> {
    observer.stage(Stage::Read, None);
    let engine = &options.engine;
    let gathering = Gathering::new(engine, false);
    let found = FoundInTasks {
        frozen,
        documents: documents(engine, parts, &gathering)?,
        files: parts.iter().flat_map(|part| part.files.clone()).collect(),
        pairs,
        load: &|ranks| load(engine, parts, ranks),
    };
    let (mut outcome, _) = outcome(engine, gathering, found, observer, handlers)?;
    for part in parts {
        outcome.skipped.extend(part.skipped.iter().cloned());
        outcome.notes.extend(part.notes.iter().cloned());
        outcome.warnings.extend(part.warnings.iter().cloned());
    }
    outcome.skipped.sort_unstable();
    outcome.notes.sort_unstable();
    Ok(outcome)
}

/// Returns the documents of all parts, by name, without their sets.
fn documents(engine: &Options, parts: &[Part], gathering: &Gathering) -> Result<Vec<JobDocument>> {
    let mut worker = gathering.worker();
    let mut documents = Vec::new();
    let mut read = vec![0_usize; parts.len()];
    let files_before =
        |part: usize| -> usize { parts[..part].iter().map(|part| part.files.len()).sum() };
    let before: Vec<usize> = (0..parts.len()).map(files_before).collect();
    for ranked in InOrder::new(parts, engine)? {
        let ranked = ranked?;
        let mut source = parts[ranked.part].sources[read[ranked.part]];
        read[ranked.part] += 1;
        let file = before[ranked.part] + source.file as usize;
        source.file = u32::try_from(file).unwrap_or(u32::MAX);
        documents.push(JobDocument {
            name: ranked.name,
            gathered: worker.add_features(ranked.features),
            source,
            rank: ranked.rank,
        });
    }
    documents.sort_unstable_by(|x, y| x.name.cmp(&y.name));
    Ok(documents)
}

/// Returns the sets of some ranks, which ascend.
fn load(engine: &Options, parts: &[Part], ranks: &[u32]) -> Result<HashMap<u32, Vec<u64>>> {
    let mut sets = HashMap::new();
    for ranked in InOrder::new(parts, engine)? {
        let ranked = ranked?;
        if ranked.is_first && ranks.binary_search(&ranked.rank).is_ok() {
            sets.insert(ranked.rank, ranked.features.shingles);
        }
    }
    Ok(sets)
}
