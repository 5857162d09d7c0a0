//! Puts the pairs of all tasks together: the outcome of a scan of all documents.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use crate::engine::collection::store::sets::{Blocks, SetPlace, SetWriter, Sets};
use crate::engine::collection::{Gathered, Gathering};
use crate::engine::observer::{Observer, Stage};
use crate::engine::pairing::document_pairs::PairHandlers;
use crate::engine::pairing::find_pairs;
use crate::engine::pairing::judge::Judge;
use crate::engine::pairing::known_join::{KnownJoin, KnownPairs, SetPairs, SetsToJoin};
use crate::engine::pairing::sink::PairSink;
use crate::engine::stats::Stats;
use crate::engine::threads::in_pool;
use crate::error::{Error, Result};
use crate::join::index::SetPair;
use crate::join::pairwise::{overlap, sorted};
use crate::scan::indexed::reading::reading;
use crate::scan::outcome::{Outcome, Source, Sources};
use crate::scan::{ScanJudge, ScanOptions};
use crate::tiles::cover::{MOST_TILES, Task, Tiles};
use crate::tiles::frozen::Frozen;
use crate::tiles::order::InOrder;
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
    (mut judge, sink): (
        Option<&'t mut (dyn ScanJudge + 't)>,
        Option<&'t mut (dyn PairSink + 't)>,
    ),
) -> Result<Outcome> {
    observer.stage(Stage::Read, None);
    let gathering = Gathering::new(&options.engine, false);
    let documents = documents(options, parts, &gathering)?;
    let (mut gathered, mut sources, mut rank_of) = (Vec::new(), Vec::new(), Vec::new());
    for document in documents {
        gathered.push((document.name, document.gathered));
        sources.push(document.source);
        rank_of.push(document.rank);
    }
    let mut collection = gathering.collect(gathered, observer, Stats::default())?;
    let sources = Sources {
        documents: sources,
        files: parts.iter().flat_map(|part| part.files.clone()).collect(),
        rows: None,
    };
    if let Some(judge) = &mut judge {
        judge.documents(&collection.documents, &sources);
    }
    let judge = judge.map(|judge| judge as &mut dyn Judge);
    let mut joined = JoinedInTasks {
        options,
        frozen,
        parts,
        rank_of,
        pairs,
    };
    let handlers = PairHandlers { judge, sink };
    let engine = &options.engine;
    let found = find_pairs(
        engine,
        observer,
        &mut collection,
        handlers,
        Some(&mut joined),
    )?;
    let mut skipped: Vec<_> = parts.iter().flat_map(|part| part.skipped.clone()).collect();
    skipped.sort_unstable();
    let mut notes: Vec<_> = parts.iter().flat_map(|part| part.notes.clone()).collect();
    notes.sort_unstable();
    Ok(Outcome {
        documents: collection.documents,
        sources,
        pair_counts: found.counts,
        clusters: found.clusters,
        unshared: found.unshared,
        skipped,
        notes,
        warnings: parts
            .iter()
            .flat_map(|part| part.warnings.clone())
            .collect(),
        stats: collection.stats,
    })
}

/// A document of a part.
struct PartDocument {
    name: String,
    gathered: Gathered,
    source: Source,
    /// The rank of its set.
    rank: u32,
}

/// Returns the documents of all parts, by name, without their sets.
fn documents(
    options: &ScanOptions,
    parts: &[Part],
    gathering: &Gathering,
) -> Result<Vec<PartDocument>> {
    let mut worker = gathering.worker();
    let mut documents = Vec::new();
    let mut read = vec![0_usize; parts.len()];
    let files_before =
        |part: usize| -> usize { parts[..part].iter().map(|part| part.files.len()).sum() };
    let before: Vec<usize> = (0..parts.len()).map(files_before).collect();
    for ranked in InOrder::new(parts, &options.engine)? {
        let ranked = ranked?;
        let mut source = parts[ranked.part].sources[read[ranked.part]];
        read[ranked.part] += 1;
        let file = before[ranked.part] + source.file as usize;
        source.file = u32::try_from(file).unwrap_or(u32::MAX);
        documents.push(PartDocument {
            name: ranked.name,
            gathered: worker.add_features(ranked.features),
            source,
            rank: ranked.rank,
        });
    }
    documents.sort_unstable_by(|x, y| x.name.cmp(&y.name));
    Ok(documents)
}

/// What the tasks found, in the place of what is known from a run before.
struct JoinedInTasks<'j> {
    options: &'j ScanOptions,
    frozen: &'j Frozen,
    parts: &'j [Part],
    /// The rank of the set of each document.
    rank_of: Vec<u32>,
    /// All pairs, ordered.
    pairs: Vec<SetPair>,
}

impl KnownJoin for JoinedInTasks<'_> {
    fn identify(&mut self, _sets: &Sets) -> Result<()> {
        Ok(())
    }

    fn are_equal(&self, a: u32, b: u32) -> bool {
        self.rank_of[a as usize] == self.rank_of[b as usize]
    }

    fn pairs_of(&mut self, _sets: &SetsToJoin<'_>) -> Result<Option<SetPairs>> {
        Ok(Some(SetPairs {
            pairs: self.pairs.clone(),
            unshared: self.frozen.unshared.clone(),
        }))
    }

    fn overlaps(&mut self, pairs: &[(u32, u32)]) -> Result<Vec<u32>> {
        let known = |&(x, y): &(u32, u32)| {
            let found = self
                .pairs
                .binary_search_by_key(&(x, y), |pair| (pair.x, pair.y));
            found.ok().map(|at| self.pairs[at].overlap)
        };
        let mut overlaps: Vec<Option<u32>> = pairs.iter().map(known).collect();
        let unknown = || {
            pairs
                .iter()
                .zip(&overlaps)
                .filter(|(_, known)| known.is_none())
        };
        let mut ranks: Vec<u32> = unknown().flat_map(|(&(x, y), _)| [x, y]).collect();
        if !ranks.is_empty() {
            ranks.sort_unstable();
            ranks.dedup();
            let (places, sets) = self.load(&ranks)?;
            for (&(x, y), known) in pairs.iter().zip(&mut overlaps) {
                if known.is_none() {
                    let set = |rank: u32| Ok::<_, Error>(sorted(&sets.load(&[places[&rank]])?));
                    *known = Some(overlap(&set(x)?, &set(y)?));
                }
            }
        }
        Ok(overlaps
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect())
    }

    fn add_known_sets(&mut self, sets: Sets) -> Result<Sets> {
        Ok(sets)
    }

    fn keep(&mut self, _firsts: &[u32], _pairs: KnownPairs) {}
}

impl JoinedInTasks<'_> {
    /// Reads the sets of some ranks, which ascend. Returns the position of each, and the sets.
    fn load(&self, ranks: &[u32]) -> Result<(HashMap<u32, u32>, Sets)> {
        let engine = &self.options.engine;
        let blocks = Blocks::new(engine.budget.clone());
        let mut writer = SetWriter::new(&blocks);
        let mut positions = HashMap::new();
        let mut places: Vec<SetPlace> = Vec::new();
        for ranked in InOrder::new(self.parts, engine)? {
            let ranked = ranked?;
            if ranked.is_first && ranks.binary_search(&ranked.rank).is_ok() {
                let position = u32::try_from(places.len()).expect("sets are numbered by 32 bits");
                positions.insert(ranked.rank, position);
                places.push(writer.write(&ranked.features.shingles));
            }
        }
        drop(writer);
        Ok((positions, blocks.into_sets(places)?))
    }
}
