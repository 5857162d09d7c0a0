//! Which pairs count, as the arguments decide.

use anyhow::{Context, Result};
use dupfind_decide::PairScope;
use dupfind_read::source::git;
use dupfind_read::{Repository, WalkOptions};
use dupfind_scan::ScanOptions;

use crate::args::gate::ScopeArgs;
use crate::args::running::ConfigArgs;
use crate::process::interrupt;

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

/// Returns the repository that the documents lie in. An interrupt ends git.
///
/// # Errors
///
/// There is none, or git fails.
pub(crate) fn repository(walk: &WalkOptions) -> Result<Repository> {
    interrupt::ends_programs(git::stop);
    Ok(Repository::of(&walk.paths, &walk.base)?)
}
