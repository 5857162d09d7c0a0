//! Which pairs count, and the file of accepted pairs.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use dupfind_decide::gate::baseline::content::{BaselineContent, Damage, LARGEST};
use dupfind_decide::gate::baseline::names::Names;
use dupfind_decide::{Baseline, PairScope};
use dupfind_files::folder;
use dupfind_read::{Repository, WalkOptions};
use dupfind_scan::ScanOptions;

use crate::args::{ConfigArgs, ScopeArgs};

/// Returns the bytes of a file, if it exists.
pub(crate) fn bytes(path: &Path) -> Result<Option<Vec<u8>>> {
    let failed = || format!("cannot read the baseline {}", path.display());
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(failed),
        Ok(metadata) if metadata.is_dir() => bail!("{}: it is a folder", failed()),
        Ok(metadata) if !metadata.is_file() => bail!("{}: it is no regular file", failed()),
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(failed)?;
    let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
    read.with_context(failed)?;
    if bytes.len() as u64 > LARGEST {
        bail!("{}: it is larger than {} MB", failed(), LARGEST >> 20);
    }
    Ok(Some(bytes))
}

/// Parses the bytes of a baseline.
pub(crate) fn content(path: &Path, bytes: &[u8]) -> Result<BaselineContent> {
    BaselineContent::read(bytes)
        .map_err(|Damage { line, reason }| anyhow!("{}:{line}: {reason}", path.display()))
}

/// Returns the names that the documents below some paths have in a baseline.
pub(crate) fn names(path: &Path, walk: &WalkOptions) -> Result<Names> {
    let paths = walk.paths.iter().chain(&walk.against);
    let names = Names::from_folder(&walk.base, folder(path), paths);
    names.with_context(|| format!("cannot tell where {} is", path.display()))
}

/// Returns the accepted pairs of a file, if it exists and is not empty.
///
/// # Errors
///
/// The file cannot be read, or is damaged.
pub(crate) fn of_file(path: &Path, walk: &WalkOptions) -> Result<Option<Baseline>> {
    let bytes = bytes(path)?.filter(|bytes| !bytes.trim_ascii().is_empty());
    let baseline = |bytes: Vec<u8>| Ok(Baseline::new(content(path, &bytes)?, names(path, walk)?));
    bytes.map(baseline).transpose()
}

/// Returns the scope that the arguments about it ask for.
///
/// # Errors
///
/// A pattern cannot be read.
pub(crate) fn scope(
    args: &ScopeArgs,
    config: &ConfigArgs,
    options: &ScanOptions,
) -> Result<PairScope> {
    let walk = &options.walk;
    let mut scope = PairScope::new(walk);
    if let Some(pattern) = &args.within.within {
        let divided = scope.divide(pattern, &config.base("within")?);
        divided.context("--within")?;
    }
    Ok(scope)
}

/// Returns the repository that the documents lie in.
///
/// # Errors
///
/// There is none, or git fails.
pub(crate) fn repository(walk: &WalkOptions) -> Result<Repository> {
    Ok(Repository::of(&walk.paths, &walk.base)?)
}
