//! Which documents a change touches, if nobody says since when: annotations belong to the copy, and not to the page that it
//! was copied from.

use std::fs;
use std::path::Path;

use dupfind_decide::PairScope;
use dupfind_read::{Changes, Repository, WalkOptions};

use crate::commands::scan::ci;
use crate::decision::scope::repository;
use crate::process::ci::runs as runs_in_ci;
use crate::terminal::messages;

/// Notes the changes that git reports: in CI since the base of the checked change, otherwise since the baseline was written.
/// Without git annotations go to either document, which is no error. Outside of CI git is called only if there is a
/// baseline, which has the date.
pub(super) fn note(baseline: Option<&Path>, walk: &WalkOptions, scope: &mut PairScope) {
    let mut known = None;
    if runs_in_ci() {
        known = repository(walk).ok().and_then(|repository| {
            ci::bases().find_map(|base| Some((changes(&repository, &base)?, base)))
        });
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
    let since = written.and_then(|commit| changes(&repository, &commit));
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

/// Returns the changes since the current branch left a revision, if git can tell.
fn changes(repository: &Repository, reference: &str) -> Option<Changes> {
    let point = repository.branch_point(reference).ok()?;
    repository.changes(&point).ok()
}
