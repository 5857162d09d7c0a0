//! The file of `--baseline`. It is read before the scan, and written after it if that is requested.

use std::path::Path;

use anyhow::{Result, bail};
use dupfind_decide::gate::baseline::Baseline;
use dupfind_decide::gate::baseline::accepted_pair::AcceptedPair;
use dupfind_decide::gate::baseline::content::{BaselineContent, LARGEST};
use dupfind_engine::run::observer::Observer;
use dupfind_engine::verdict::pair::Pair;
use dupfind_engine::verdict::{Relation, Relations};
use dupfind_scan::ScanOptions;
use dupfind_scan::outcome::Outcome;

use crate::commands::scan::args::ScanArgs;
use crate::commands::scan::gate::revision::scan_revision;
use crate::decision::baseline::{bytes, content, names};
use crate::decision::messages;
use crate::terminal::output;
use crate::terminal::output::Output;
use dupfind_files::lock::Lock;

/// A baseline that is written after the scan.
pub(crate) struct BaselineUpdate<'a> {
    path: &'a Path,
    output: Output,
    /// The content of the file now; empty if there is no file.
    old: Vec<u8>,
    relations: Relations,
    /// Nobody else updates the file until this update is written.
    _lock: Option<Lock>,
}

/// Returns the baseline that the arguments name, if any, and its update, if that is requested.
///
/// # Errors
///
/// The file cannot be read, is damaged, holds fewer relations than are requested, or is also a report.
pub(crate) fn open<'a>(
    args: &'a ScanArgs,
    options: &ScanOptions,
) -> Result<(Option<Baseline>, Option<BaselineUpdate<'a>>)> {
    let Some(path) = args.gate.baseline.as_deref() else {
        return Ok((None, None));
    };
    refuse_reports(args, path)?;
    let watched = args.gate.watched();
    let is_update = args.gate.update_baseline;
    let place = match is_update {
        true => output::written(path)?,
        false => None,
    };
    let lock = place.map(|place| {
        let waits = || messages::waits(path);
        Lock::wait_for(&place, waits)
    });
    let old = bytes(path)?;
    let content = match &old {
        Some(bytes) if !(is_update && bytes.trim_ascii().is_empty()) => content(path, bytes)?,
        _ if is_update => BaselineContent::new(watched, Vec::new()),
        _ => bail!(
            "--baseline: there is no file {}; make it by adding --update-baseline, which accepts all \
             pairs there are, and commit it",
            path.display()
        ),
    };
    if !is_update && !content.relations.include(watched) {
        let holds: Vec<&str> = content.relations.iter().map(Relation::as_str).collect();
        let missing = watched
            .iter()
            .filter(|&relation| !content.relations.have(relation));
        let missing: Vec<&str> = missing.map(Relation::as_str).collect();
        bail!(
            "{0} holds {1} pairs only, and {2} ones are asked for: add --baseline {0} --update-baseline once to \
             accept those there are",
            path.display(),
            holds.join(", "),
            missing.join(", "),
        );
    }
    // An update with a narrower --fail-on keeps the accepted pairs of the other relations, with their reasons.
    let relations = watched.iter().chain(content.relations.iter()).collect();
    let update = if is_update {
        Some(BaselineUpdate {
            path,
            output: Output::open(Some(path))?,
            _lock: lock.transpose()?,
            old: old.unwrap_or_default(),
            relations,
        })
    } else {
        None
    };
    let names = names(path, &options.walk)?;
    Ok((Some(Baseline::new(content, names)), update))
}

/// Returns the pairs of a git revision as a baseline.
///
/// # Errors
///
/// Those of [`scan_revision`].
pub(crate) fn of_revision(
    args: &ScanArgs,
    options: &ScanOptions,
    reference: &str,
    observer: &dyn Observer,
) -> Result<Baseline> {
    let (outcome, pairs) = scan_revision(options, reference, observer)?;
    let accepted = args.gate.accepted.as_deref();
    let accepted = accepted.map(accepted_too).transpose()?.unwrap_or_default();
    let watched = args.gate.watched();
    Ok(Baseline::from_run(
        &outcome.documents,
        &pairs,
        accepted,
        watched,
    ))
}

/// Returns the pairs of a file in the current folder.
fn accepted_too(path: &Path) -> Result<Vec<AcceptedPair>> {
    let bytes = bytes(path)?.unwrap_or_default();
    if bytes.trim_ascii().is_empty() {
        return Ok(Vec::new());
    }
    Ok(content(path, &bytes)?.into_pairs())
}

/// Refuses a report that would replace the baseline.
fn refuse_reports(args: &ScanArgs, path: &Path) -> Result<()> {
    if path == Path::new("-") {
        bail!("--baseline -: a baseline is kept in a file");
    }
    for file in args.report.files() {
        if output::place(file) == output::place(path) {
            let file = file.display();
            bail!("a report is to be written to {file}, which is the baseline: name another file");
        }
    }
    Ok(())
}

impl BaselineUpdate<'_> {
    /// Writes all pairs of the run as accepted. The file stays as it is if a document could not be read, because its
    /// pairs are not known.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(crate) fn write(
        self,
        baseline: &Baseline,
        outcome: &Outcome,
        pairs: &[Pair],
    ) -> Result<()> {
        if outcome
            .skipped
            .iter()
            .any(|skipped| skipped.reason.is_error())
        {
            messages::not_updated(self.path);
            return Ok(());
        }
        let (content, changes) = baseline.updated(pairs, self.relations);
        let new = content.bytes();
        if new.len() as u64 > LARGEST {
            bail!(
                "--update-baseline: the baseline would have more than {} MB, which cannot be read again; --exclude \
                 leaves out documents",
                LARGEST >> 20
            );
        }
        let is_written = new != self.old;
        if is_written {
            self.output.write(|out| Ok(out.write_all(&new)?))?;
        }
        messages::updated(self.path, changes, is_written);
        Ok(())
    }
}
