//! Which pairs count, as the arguments and the configuration decide.

use anyhow::{Context, Result};
use dupfind_decide::gate::scope::PairScope;
use dupfind_read::source::git;
use dupfind_read::source::git::{Changes, Repository};
use dupfind_read::source::walk::WalkOptions;
use dupfind_scan::ScanOptions;

use crate::args::config::ConfigArgs;
use crate::args::pairs::scope::ScopeArgs;
use crate::args::values::globs::Pattern;
use crate::process::interrupt;
use crate::terminal::messages;

/// Returns the scope that the arguments about it and the configuration ask for.
///
/// # Errors
///
/// A pattern or a git revision cannot be read.
pub(crate) fn scope(
    args: &ScopeArgs,
    config: &ConfigArgs,
    options: &ScanOptions,
) -> Result<PairScope> {
    let walk = &options.walk;
    let mut scope = PairScope::new(walk);
    if let Some(Pattern(pattern)) = &args.within.within {
        let divided = scope.divide(pattern, &config.base("within")?);
        divided.context("--within")?;
    }
    if let Some(used) = &config.used {
        scope.ignore(&used.ignores, &used.folder)?;
    }
    if let Some(reference) = &args.changed_since {
        let (changes, warning) = changes(walk, reference).context("--changed-since")?;
        if let Some(warning) = warning {
            messages::warning(&warning);
        }
        scope.only_changed(changes);
    }
    Ok(scope)
}

/// Returns the changes since the current branch left a revision, and a warning about them.
///
/// # Errors
///
/// There is no repository, or no such revision in it.
pub(crate) fn changes(walk: &WalkOptions, reference: &str) -> Result<(Changes, Option<String>)> {
    let repository = repository(walk)?;
    let point = repository.branch_point(reference)?;
    let changes = repository.changes(&point)?;
    Ok((changes, point.warning))
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
