//! The scope of a scan: which pairs count at all.

use std::fs;
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
    if args.scope.changed_since.is_none() && args.formats.iter().any(|to| to.format.is_for_ci()) {
        // Annotations belong to the copy, and not to the page it was copied from.
        note_changes(args, walk, &mut scope);
    }
    Ok(scope)
}

/// Notes what git says was changed: in CI since the base of the checked change, otherwise since the baseline was written.
/// Without git annotations go to either document, which is no error. Outside of CI git is called only if there is a
/// baseline, which says since when.
fn note_changes(args: &ScanArgs, walk: &WalkOptions, scope: &mut Scope) {
    let baseline = args.gate.baseline.as_deref();
    let mut known = None;
    if runs_in_ci() {
        known = ci::bases().find_map(|base| Some((changes(walk, &base).ok()?.0, base)));
    }
    let is_of_base = matches!(&known, Some((_, base)) if base != ci::LAST);
    let known = known.map(|(changes, _)| changes);
    let Some(baseline) = baseline.filter(|_| !is_of_base) else {
        known
            .into_iter()
            .for_each(|changes| scope.note_changes(changes));
        return;
    };
    let Ok(repository) = repository(walk) else {
        return;
    };
    let written = fs::canonicalize(baseline).ok();
    let written = written.and_then(|file| repository.last_change(&file).ok()?);
    let since = written.and_then(|commit| {
        let point = repository.branch_point(&commit).ok()?;
        repository.changes(&point).ok()
    });
    if since.is_none() && repository.is_shallow() {
        scope.note_lack_of_history();
        if !args.run.quiet {
            messages::warning(
                "this clone is shallow, so git cannot tell which of two documents is the copy: it is taken to be the \
                 one that the baseline does not name, and if it names neither, both are listed; git fetch --unshallow \
                 gets the history, and actions/checkout fetches it with fetch-depth: 0",
            );
        }
    }
    since
        .or(known)
        .into_iter()
        .for_each(|changes| scope.note_changes(changes));
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
    for (name, pattern, is_across) in [
        ("within", &args.within, false),
        ("across", &args.across, true),
    ] {
        if let Some(pattern) = pattern {
            let divided = scope.divide(pattern, &config.base(name)?, is_across);
            divided.with_context(|| format!("--{name}"))?;
        }
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
