//! Which pairs a scan leaves out.

use std::fs;

use anyhow::Result;
use dupfind_decide::gate::scope::PairScope;
use dupfind_read::source::walk::WalkOptions;
use dupfind_scan::ScanOptions;

use crate::commands::scan::args::ScanArgs;
use crate::commands::scan::ci;
use crate::decision::scope::{changes, repository, scope};
use crate::process::ci::runs as runs_in_ci;
use crate::terminal::messages;

/// Returns the scope that the arguments ask for.
///
/// # Errors
///
/// A pattern or a git revision cannot be read.
pub(crate) fn open(args: &ScanArgs, options: &ScanOptions) -> Result<PairScope> {
    let walk = &options.walk;
    let mut scope = scope(&args.scope, &args.running.config, options)?;
    if args.scope.changed_since.is_none()
        && args.report.format.iter().any(|to| to.format.is_for_ci())
    {
        // Annotations belong to the copy, and not to the page it was copied from.
        note_changes(args, walk, &mut scope);
    }
    Ok(scope)
}

/// Notes the changes that git reports: in CI since the base of the checked change, otherwise since the baseline was written.
/// Without git annotations go to either document, which is no error. Outside of CI git is called only if there is a
/// baseline, which has the date.
fn note_changes(args: &ScanArgs, walk: &WalkOptions, scope: &mut PairScope) {
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
        messages::warning(
            "this clone is shallow, so git cannot tell which of two documents is the copy: it is taken to be the \
             one that the baseline does not name, and if it names neither, both are listed; git fetch --unshallow \
             gets the history, and actions/checkout fetches it with fetch-depth: 0",
        );
    }
    since
        .or(known)
        .into_iter()
        .for_each(|changes| scope.note_changes(changes));
}
