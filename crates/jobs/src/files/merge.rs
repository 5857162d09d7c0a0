//! Puts the pairs of all tasks together: the outcome of a scan of all documents.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use crate::bytes::pairs::PairsOfTask;
use crate::cover::sets::JobSets;
use crate::files::frozen::Frozen;
use crate::files::part::{Part, read_sets};
use crate::job::{Job, JobDocument};
use dupfind_engine::Options;
use dupfind_engine::Result;
use dupfind_engine::join::inverted::distinct::SetKey;
use dupfind_engine::pairing::sink::PairSink;
use dupfind_engine::run::observer::{Observer, Stage};
use dupfind_engine::run::threads::in_pool;
use dupfind_scan::indexed::reading::reading;
use dupfind_scan::outcome::{Outcome, Source, Sources};
use dupfind_scan::{ScanJudge, ScanOptions};

/// Puts the pairs of all tasks together. `frequencies` is the file that was frozen, and `files` are those of features and
/// of pairs, in any order. The sink gets the pairs as a scan of all documents would give them, and the judge decides which
/// of them count.
///
/// # Errors
///
/// [`dupfind_engine::Error::TileFile`] and [`dupfind_engine::Error::TileJob`] if the files do not belong together, or a task is missing; and
/// those of [`dupfind_scan::scan`].
pub fn merge<'t>(
    options: &ScanOptions,
    (frequencies, files): (&Path, &[PathBuf]),
    observer: &dyn Observer,
    judge: Option<&'t mut (dyn ScanJudge + 't)>,
    sink: Option<&'t mut (dyn PairSink + 't)>,
) -> Result<Outcome> {
    let engine = &options.engine;
    in_pool(engine.threads, || {
        let frozen = Frozen::open(frequencies, engine)?;
        frozen.check_reading(frequencies, &reading(&options.read))?;
        let (mut parts, mut of_tasks) = (Vec::new(), Vec::new());
        for path in files {
            if PairsOfTask::is_at(path)? {
                of_tasks.push(path);
            } else {
                parts.push(Part::open(path, engine)?);
            }
        }
        let parts = frozen.in_order(parts)?;
        let mut job = Job::new(engine.clone(), frozen.sets);
        add_pairs(&mut job, &of_tasks)?;
        observer.stage(Stage::Read, None);
        let documents = documents(engine, &parts, observer)?;
        let load = |sets: &JobSets, ranks: &[u32]| load(engine, &parts, sets, ranks, observer);
        let (mut outcome, _) = job.finish(
            documents,
            &load,
            observer,
            options.cluster_on,
            (judge, sink),
        )?;
        for part in parts {
            outcome.skipped.extend(part.origins.skipped);
            outcome.notes.extend(part.origins.notes);
            outcome.warnings.extend(part.origins.warnings);
        }
        outcome.skipped.sort_unstable();
        outcome.notes.sort_unstable();
        Ok(outcome)
    })
}

/// Reads the pairs of all tasks.
fn add_pairs(job: &mut Job, paths: &[&PathBuf]) -> Result<()> {
    let plan = |job: &mut Job, tiles: u32| {
        job.cut(tiles);
        job.plan(&BTreeMap::new(), 1);
    };
    if paths.is_empty() {
        plan(job, 1);
    }
    for (at, path) in paths.iter().enumerate() {
        let found = PairsOfTask::read(path)?;
        if at == 0 {
            plan(job, found.tiles);
        }
        job.add_pairs(found)?;
    }
    job.check_is_whole()
}

/// Returns the documents of all parts without their sets, and their sources.
fn documents(
    options: &Options,
    parts: &[Part],
    observer: &dyn Observer,
) -> Result<(Vec<JobDocument>, Sources)> {
    let (mut documents, mut sources) = (Vec::new(), Sources::default());
    for part in parts {
        part.each_document(options, observer, |name, features| {
            documents.push(JobDocument {
                name,
                key: SetKey::of(&features.shingles),
                facts: features.facts,
            });
            Ok(())
        })?;
        let before = u32::try_from(sources.files.len()).unwrap_or(u32::MAX);
        let own = part.sources.iter().map(|source| Source {
            file: source.file.saturating_add(before),
            ..*source
        });
        sources.documents.extend(own);
        sources
            .files
            .extend(part.origins.files.iter().map(PathBuf::from));
    }
    Ok((documents, sources))
}

/// Returns the sets of some ranks, which ascend.
fn load(
    options: &Options,
    parts: &[Part],
    sets: &JobSets,
    ranks: &[u32],
    observer: &dyn Observer,
) -> Result<HashMap<u32, Vec<u64>>> {
    let mut found = HashMap::new();
    let (Some(&first), Some(&last)) = (ranks.first(), ranks.last()) else {
        return Ok(found);
    };
    read_sets(
        options,
        parts,
        sets,
        first..last + 1,
        observer,
        |rank, set| {
            if ranks.binary_search(&rank).is_ok() {
                found.insert(rank, set);
            }
        },
    )?;
    Ok(found)
}
