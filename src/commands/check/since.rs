//! What a change adds: the pairs that were not there where the branch left a git revision.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use dupfind_decide::{Baseline, Gate, PairScope, Standing};
use dupfind_engine::{DocId, Observer, Pair, Relations, TopPairs};
use dupfind_read::source::git::BranchPoint;
use dupfind_read::{Changes, Repository, WalkOptions};
use dupfind_scan::{Scan, ScanJudge, ScanOptions};

use crate::commands::check::revision::scan_revision;
use crate::commands::scan::ci;
use crate::decision::gate::repository;
use crate::decision::kept_pairs::KeptPairs;
use crate::terminal::messages;

/// The commit where the branch left a revision, and what has changed since.
pub(super) struct Since {
    repository: Repository,
    point: BranchPoint,
    changes: Changes,
    /// The relations of the pairs that fail.
    fail_on: Relations,
}

impl Since {
    /// Asks git for the changes.
    ///
    /// # Errors
    ///
    /// There is no repository, or no way to the revision: the message has the command that fetches it.
    pub(super) fn open(reference: &str, fail_on: Relations, walk: &WalkOptions) -> Result<Self> {
        let found = || {
            let repository = repository(walk)?;
            let point = repository.branch_point(reference)?;
            let changes = repository.changes(&point)?;
            anyhow::Ok((repository, point, changes))
        };
        let (repository, point, changes) = found().context("--since")?;
        Ok(Self {
            repository,
            point,
            changes,
            fail_on,
        })
    }

    /// Returns the files that have changed.
    pub(super) fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Keeps those of the pairs of a scan that were not there before, or were weaker. A pair with a page that was nowhere
    /// before is new, so that most changes need no scan of the documents as they were.
    ///
    /// # Errors
    ///
    /// Git fails, or the scan fails.
    pub(super) fn retain_new(
        &self,
        options: &ScanOptions,
        outcome: &Scan,
        pairs: &mut Vec<Pair>,
        observer: &dyn Observer,
    ) -> Result<()> {
        let sources = &outcome.sources;
        let added = self.changes.added(&sources.files, &options.walk.base);
        let is_added = |id: DocId| {
            let source = sources.of(id);
            !source.is_record() && added[source.file as usize]
        };
        let is_new = |pair: &Pair| is_added(pair.a) || is_added(pair.b);
        if pairs.iter().all(is_new) {
            return Ok(());
        }
        let before = self.before(options, observer)?;
        let mut gate = Gate::new(PairScope::default(), Some(before));
        gate.documents(&outcome.documents, sources);
        pairs.retain(|pair| is_new(pair) || gate.standing(pair).is_some_and(Standing::is_open));
        Ok(())
    }

    /// Returns the pairs that were there before.
    fn before(&self, options: &ScanOptions, observer: &dyn Observer) -> Result<Baseline> {
        let room = TopPairs::room(options.engine.budget.limit);
        let kept = KeptPairs::of_baseline("--since", room);
        let mut sink = kept.sink();
        let git = (&self.repository, &self.point);
        let scanned = scan_revision(options, git, &self.changes, observer, &mut sink);
        let outcome = scanned.map_err(|error| kept.explained(error))?;
        let pairs = sink.into_pairs();
        let sides = outcome.sources;
        // Neither side of `--against` is compared with itself.
        let counts = |pair: &Pair| {
            let [a, b] = [pair.a, pair.b].map(|id| sides.of(id).is_against);
            self.fail_on.have(pair.relation()) && (options.walk.against.is_empty() || a != b)
        };
        let pairs: Vec<Pair> = pairs.into_iter().filter(counts).collect();
        Ok(Baseline::from_run(&outcome.documents, &pairs, self.fail_on))
    }
}

/// Notes which documents a change touches, if nobody says since when: reports blame the copy, and not the page that it was
/// copied from. Git reports the changes: since the base of the checked change that CI names, otherwise since the baseline was
/// written, and those that are not committed yet. Without git other rules decide, which is no error.
pub(super) fn note_changes(baseline: Option<&Path>, walk: &WalkOptions, scope: &mut PairScope) {
    let Ok(repository) = repository(walk) else {
        return;
    };
    let known = ci::bases().find_map(|base| Some((changes_since(&repository, &base)?, base)));
    let is_of_base = matches!(&known, Some((_, base)) if base != ci::LAST);
    if let Some(baseline) = baseline.filter(|_| !is_of_base) {
        let written = fs::canonicalize(baseline).ok();
        let written = written.and_then(|file| repository.last_change(&file).ok()?);
        let since = written.and_then(|commit| changes_since(&repository, &commit));
        if since.is_none() && repository.is_shallow() {
            scope.note_lack_of_history();
            messages::warning(
                "this clone is shallow, so git cannot tell which of two documents is the copy: it is taken to be the \
                 one that the baseline does not name, and if it names neither, both are listed; git fetch --unshallow \
                 gets the history, and actions/checkout fetches it with fetch-depth: 0",
            );
        }
        since
            .into_iter()
            .for_each(|changes| scope.note_changes(changes));
    }
    // What is not committed yet is later than what is.
    known
        .into_iter()
        .for_each(|(changes, _)| scope.note_changes(changes));
}

/// Returns the changes since the current branch left a revision, if git can tell.
fn changes_since(repository: &Repository, reference: &str) -> Option<Changes> {
    let point = repository.branch_point(reference).ok()?;
    repository.changes(&point).ok()
}
