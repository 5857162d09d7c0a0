//! From the options about which pairs count to the scope that says it.

use std::path::Path;

use crate::engine::outcome::Outcome;
use crate::gate::Gate;
use crate::gate::scope::{Scope, ignore_file};
use crate::read::source::git::{Changes, GitError, Repository};
use crate::read::source::walk::WalkOptions;
use crate::scan::ScanOptions;
use anyhow::{Context, Result};

use crate::cli::args::ScanArgs;
use crate::cli::{ci, messages};

/// The scope that the options ask for.
pub(crate) fn open(args: &ScanArgs, settings: &ScanOptions) -> Result<Scope> {
    let walk = &settings.walk;
    let mut scope = Scope::new(walk);
    let base = args.config.base("skip-within")?;
    for glob in &args.scope.skip_within {
        scope.skip_within(glob, &base).context("--skip-within")?;
    }
    if let Some(used) = args.config.used() {
        scope.ignore(used.ignores.clone(), &used.folder)?;
    }
    for file in &args.scope.ignore_pairs {
        let rules = ignore_file::read(file).context("--ignore-pairs")?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let added = scope.ignore(rules, folder);
        added.with_context(|| format!("--ignore-pairs: {}", file.display()))?;
    }
    if let Some(reference) = &args.scope.changed_since {
        let (changes, warning) = changes(walk, reference).context("--changed-since")?;
        if let Some(warning) = warning.filter(|_| !args.run.quiet) {
            messages::warning(&warning);
        }
        scope.only_changed(changes);
    } else if ci::runs() && args.formats.iter().any(|to| to.format.is_for_ci()) {
        // A copy is to be annotated, and not what it was copied from. That nothing is known of it is no error.
        // Unasked, git is called in CI only: to compare files it runs the filters that a repository is configured
        // with, and elsewhere nobody may have looked at those.
        let known = ci::bases().find_map(|base| changes(walk, &base).ok());
        if let Some((changes, _)) = known {
            scope.note_changes(changes);
        }
    }
    Ok(scope)
}

/// What was changed since the current branch left a revision, and what to know about that.
fn changes(walk: &WalkOptions, reference: &str) -> Result<(Changes, Option<String>), GitError> {
    let repository = Repository::of(&walk.paths, &walk.base)?;
    let point = repository.branch_point(reference)?;
    let changes = repository.changes(&point)?;
    Ok((changes, point.warning))
}

/// Says which of the options about what counts had nothing to do.
pub(crate) fn report(args: &ScanArgs, outcome: &Outcome, gate: &Gate) {
    if args.run.quiet {
        return;
    }
    for unused in gate.scope().unused() {
        messages::warning(&unused);
    }
    let has_other_side = outcome.documents.iter().any(|document| document.is_against);
    if !args.scope.against.is_empty() && !has_other_side {
        messages::warning("--against: it has no document that the other paths do not have");
    }
}
