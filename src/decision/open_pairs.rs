//! The pairs that let documents go: those that are neither left out nor accepted.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::args::{ConfigArgs, ScopeArgs};
use crate::decision::gate::{of_file, scope};
use crate::process::memory;
use crate::terminal::messages;
use dupfind_decide::clean::keep::candidate::keep_homes;
use dupfind_decide::clean::tied::Tied;
use dupfind_decide::clean::ties::{Collected, Ties};
use dupfind_decide::{Drops, Gate, Keep, Standing, Standings};
use dupfind_engine::{DocId, Document, Pair, PairSink};
use dupfind_report::{amount, say};
use dupfind_scan::{Scan, ScanOptions};

/// Collects the ties of the pairs that are not accepted, and the documents of those that are.
pub(crate) struct OpenPairs {
    ties: Ties,
    standings: Standings,
    accepted: HashSet<DocId>,
}

impl OpenPairs {
    /// Returns a collection for the pairs that a gate lets through.
    pub(crate) fn new(gate: &Gate, drops: Drops) -> Self {
        Self {
            ties: Ties::new(drops, !gate.decides(), memory::total() / 2),
            standings: gate.standings.clone(),
            accepted: HashSet::new(),
        }
    }

    /// Returns what was collected, and the documents of the accepted pairs.
    pub(crate) fn finish(self) -> (Collected, HashSet<DocId>) {
        (self.ties.finish(), self.accepted)
    }
}

impl PairSink for OpenPairs {
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        let is_accepted = |pair: &Pair| self.standings.of(pair) == Some(Standing::Accepted);
        let (accepted, open): (Vec<Pair>, Vec<Pair>) = pairs.iter().copied().partition(is_accepted);
        // In a family a copy goes all the same.
        let listed = accepted.iter().filter(|pair| self.standings.lists(pair));
        self.accepted
            .extend(listed.flat_map(|pair| [pair.a, pair.b]));
        self.ties.take(documents, &open)
    }
}

/// Returns the gate of the pairs: which count, and which of them a file accepts. `is_named` is whether the user names the
/// file.
///
/// # Errors
///
/// A pattern or the file of accepted pairs cannot be read, or there are no pairs in a file that the user
/// names.
pub(crate) fn gate(
    args: &ScopeArgs,
    config: &ConfigArgs,
    options: &ScanOptions,
    accepted: Option<&Path>,
    is_named: bool,
) -> Result<Gate> {
    let scope = scope(args, config, options)?;
    let known = accepted.map(|path| of_file(path, &options.walk));
    let known = known.transpose()?.flatten();
    if let (Some(path), true, None) = (accepted, is_named, &known) {
        bail!(
            "--baseline: there are no accepted pairs in {}; dupfind accept makes the file",
            path.display()
        );
    }
    Ok(Gate::new(scope, known))
}

/// Returns the documents that are tied by pairs. Those of accepted pairs stay.
pub(crate) fn tied<'s>(
    outcome: &'s Scan,
    collected: Collected,
    accepted: &HashSet<DocId>,
) -> Tied<'s> {
    let (mut tied, ids) = Tied::of_scan(outcome, collected, u64::from);
    for (candidate, id) in tied.candidates.iter_mut().zip(&ids) {
        candidate.is_accepted = accepted.contains(id);
        candidate.stays |= candidate.is_accepted;
    }
    tied
}

/// Returns the pages of a scan with equal texts, and the rules of a plan without options. `named` are the paths that the user
/// typed.
///
/// # Errors
///
/// There is no memory for the pairs.
pub(crate) fn copies<'s>(
    scan: &'s Scan,
    pairs: &[Pair],
    gate: &Gate,
    named: &[PathBuf],
) -> Result<(Tied<'s>, Keep)> {
    let mut open = OpenPairs::new(gate, Drops::COPIES);
    open.take(&scan.documents, pairs)?;
    let (collected, accepted) = open.finish();
    let mut tied = tied(scan, collected, &accepted);
    let base = &scan.options.walk.base;
    keep_homes(&mut tied.candidates, &scan.sources.files, named, base);
    let keep = Keep::new(Vec::new(), base, scan.has_sides())?;
    Ok((tied, keep))
}

/// Prints how many pairs are accepted, and where.
pub(crate) fn print_accepted(pairs: u64, file: Option<&Path>) {
    if let Some(file) = file.filter(|_| pairs > 0) {
        messages::note(&say!(
            "accepted in {}, so their documents stay: {}",
            file.display(),
            amount(pairs, "pair")
        ));
    }
}
