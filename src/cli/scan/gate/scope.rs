//! The scope of a scan: which pairs count at all.

use std::path::Path;

use crate::gate::Gate;
use crate::gate::scope::{Scope, ignore_file};
use crate::read::source::git::Changes;
use crate::read::source::walk::WalkOptions;
use crate::report::TABLE;
use crate::scan::ScanOptions;
use crate::scan::outcome::Outcome;
use anyhow::{Context, Result};

use crate::cli::args::config::ConfigArgs;
use crate::cli::process::ci::runs as runs_in_ci;
use crate::cli::scan::args::ScanArgs;
use crate::cli::scan::args::scope::ScopeArgs;
use crate::cli::scan::ci;
use crate::cli::scan::gate::messages::left_out;
use crate::cli::scan::gate::repository;
use crate::cli::terminal::messages;

/// Returns the scope that the arguments ask for.
///
/// # Errors
///
/// A glob, a file of ignored pairs or a git revision cannot be read.
pub(crate) fn open(args: &ScanArgs, options: &ScanOptions) -> Result<Scope> {
    let walk = &options.walk;
    let mut scope = asked_for(&args.scope, &args.config, args.run.quiet, options)?;
    if args.scope.changed_since.is_none()
        && runs_in_ci()
        && args.formats.iter().any(|to| to.format.is_for_ci())
    {
        // Annotations belong to the copy, and not to the page it was copied from. Without git they go to either, which
        // is no error. Outside of CI git is called only if the user asks for it.
        let known = ci::bases().find_map(|base| changes(walk, &base).ok());
        if let Some((changes, _)) = known {
            scope.note_changes(changes);
        }
    }
    Ok(scope)
}

/// Returns the scope that the arguments about it and the configuration ask for.
///
/// # Errors
///
/// A glob, a file of ignored pairs or a git revision cannot be read.
pub(crate) fn asked_for(
    args: &ScopeArgs,
    config: &ConfigArgs,
    is_quiet: bool,
    options: &ScanOptions,
) -> Result<Scope> {
    let walk = &options.walk;
    let mut scope = Scope::new(walk);
    let base = config.base("skip-within")?;
    for glob in &args.skip_within {
        scope.skip_within(glob, &base).context("--skip-within")?;
    }
    if let Some(used) = &config.used {
        scope.ignore(used.ignores.clone(), &used.folder)?;
    }
    for file in &args.ignore_pairs {
        let rules = ignore_file::read(file).context("--ignore-pairs")?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let added = scope.ignore(rules, folder);
        added.with_context(|| format!("--ignore-pairs: {}", file.display()))?;
    }
    if let Some(reference) = &args.changed_since {
        let (changes, warning) = changes(walk, reference).context("--changed-since")?;
        if let Some(warning) = warning.filter(|_| !is_quiet) {
            messages::warning(&warning);
        }
        scope.only_changed(changes);
    }
    Ok(scope)
}

/// Returns what was changed since the current branch left a revision, and a warning about it.
fn changes(walk: &WalkOptions, reference: &str) -> Result<(Changes, Option<String>)> {
    let repository = repository(walk)?;
    let point = repository.branch_point(reference)?;
    let changes = repository.changes(&point)?;
    Ok((changes, point.warning))
}

/// Prints which rules left out pairs, if the report is a table, and which arguments about the scope had no effect.
pub(crate) fn report(args: &ScanArgs, outcome: &Outcome, gate: &Gate) {
    if args.run.quiet {
        return;
    }
    if args.formats.is_empty() || args.formats.iter().any(|to| to.format == &TABLE) {
        gate.left_out_by().iter().for_each(left_out);
    }
    for unused in gate.scope().unused() {
        messages::warning(&unused);
    }
    let mut sources = outcome.sources.documents.iter();
    let has_other_side = sources.any(|source| source.is_against);
    if !args.scope.against.is_empty() && !has_other_side {
        messages::warning("--against: it has no document that the other paths do not have");
    }
}
