//! A finished scan as a value: it gives reports, the reason for a pair, and the documents that stay.
//!
//! ```text
//! paths ─> files ────┐        ┌─> report
//!                    ├─> Scan ┼─> explanation of two documents
//! rows of texts ─────┘        │
//!                             └─> Selection: which documents stay and which go
//! ```
//!
//! The program writes its reports once and ends. Programs that keep the result, such as the Python package, use this.

use dupfind_engine::{DocId, Error, Observer, PairSink, Result, Silent, TopPairs, in_pool};
use dupfind_scan::{RowScan, Scan, ScanJudge, ScanOptions, scan_joined};

use crate::clean::drops::{ChosenDrops, Drops, Ground};
use crate::clean::keep::candidate::{Facts, keep_homes};
use crate::clean::keep::{Keep, KeepRule};
use crate::clean::records::verdict::Verdicts;
use crate::clean::stars::{Decision, Partner};
use crate::clean::tied::Tied;
use crate::clean::ties::{Measures, Ties};
use crate::gate::Gate;
use crate::gate::scope::PairScope;

/// Scans files and folders, and keeps all of it, of pairs as many as half of the memory limit has room for. It does so without an
/// index, because explanations need every set. If there is another collection to compare them with, only pairs between the two
/// count.
///
/// # Errors
///
/// Those of [`dupfind_scan::scan`].
pub fn of_files(options: ScanOptions, observer: &dyn Observer) -> Result<Scan> {
    let mut best = TopPairs::within(options.engine.budget.limit).of_first_copies();
    let options = ScanOptions {
        index: None,
        ..options
    };
    let mut gate = Gate::new(PairScope::new(&options.walk), None);
    let judge = gate.decides().then_some(&mut gate as &mut dyn ScanJudge);
    let mut scan = scan_joined(&options, observer, judge, Some(&mut best))?;
    scan.pairs = in_pool(options.engine.threads, || Ok(best.into_pairs()))?;
    Ok(scan)
}

/// Finds the pairs of all rows. If there is another table to compare them with, only pairs between the two count.
///
/// # Errors
///
/// Those of [`RowScan::finish`].
pub fn of_rows(rows: RowScan, observer: &dyn Observer) -> Result<Scan> {
    let mut gate = Gate::new(PairScope::new(&rows.options().walk), None);
    let judge = gate.decides().then_some(&mut gate as &mut dyn ScanJudge);
    rows.finish(observer, judge)
}

/// The documents that stay and those that go.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// The documents that stay, in the order of their rows.
    pub kept: Vec<DocId>,
    /// The documents that go, in the order of their rows, each with the rule that chose the one that stays.
    pub removed: Vec<(Decided, KeepRule)>,
    /// Documents that stay although they are much like another one, in the order of their rows.
    pub unresolved: Vec<Decided>,
}

/// A document and another one: that which stays for it, or that which it is most like.
#[derive(Debug, Clone)]
pub struct Decided {
    /// The document.
    pub document: DocId,
    /// The other one.
    pub other: DocId,
    /// The relation of the two, or that they are similar.
    pub relation: Ground,
    /// The measures of the two.
    pub measures: Measures,
}

/// The values of a field, by row.
pub type FieldValues<'f> = &'f dyn Fn(&str) -> Result<Vec<Option<String>>>;

/// Decides which documents stay and which go; those of another collection are only compared. `field` returns the values
/// of a field for all rows; it is called for rows of texts only.
///
/// # Errors
///
/// [`Error::Option`] if a glob does not parse, a rule is about files and there are none, or no document has the field of a rule;
/// those of `field`.
pub fn select(
    scan: &Scan,
    rules: Vec<KeepRule>,
    chosen: ChosenDrops,
    field: FieldValues<'_>,
) -> Result<Selection> {
    let drops = chosen.or(Drops::usual(scan.of_records(), scan.has_sides()));
    let keep = Keep::new(rules, &scan.options.walk.base, scan.has_sides())?;
    let mut ties = Ties::new(drops, !scan.has_sides(), u64::MAX);
    ties.take(&scan.documents, &scan.pairs)
        .map_err(Error::Sink)?;
    let mut collected = ties.finish();
    let (tied, ids, facts, decisions) = collected.settled(
        scan,
        &keep,
        (drops, u64::MAX),
        &Silent,
        u64::from,
        |tied, ids| facts(scan, &keep, tied, ids, field),
    )?;
    let kept = kept(scan, &ids, &decisions)?;
    let verdicts = Verdicts::of(&tied, &keep, &facts, decisions);
    let decided = |at: usize, partner: &Partner| Decided {
        document: ids[at],
        other: ids[partner.document as usize],
        relation: partner.ground,
        measures: partner.measures,
    };
    let going = verdicts.going();
    let going = going.map(|(at, _, partner)| {
        let rule = verdicts.rule(at, partner).clone();
        (decided(at, &partner), rule)
    });
    let mut removed: Vec<(Decided, KeepRule)> = going.collect();
    removed.sort_unstable_by_key(|(removed, _)| scan.row(removed.document));
    let own = verdicts.decisions().iter().enumerate();
    let own = own.filter(|(at, _)| !tied.candidates[*at].source.is_against);
    let loose = own.filter_map(|(at, decision)| match decision {
        Decision::Unresolved(partner) => Some(decided(at, partner)),
        _ => None,
    });
    let mut unresolved: Vec<Decided> = loose.collect();
    unresolved.sort_unstable_by_key(|unresolved| scan.row(unresolved.document));
    Ok(Selection {
        kept,
        removed,
        unresolved,
    })
}

/// Returns the rows that stay, ascending. They are those of [`select`] after [`of_rows`], but no pair is kept that
/// lets no row go. Equal rows make none at all. `drops` are those that the options of the scan were made for
/// ([`Drops::finding`]).
///
/// # Errors
///
/// Those of [`select`] and of [`RowScan::finish_with`]; [`Error::Sink`] if the memory limit has no room for the pairs.
pub fn select_rows(
    rows: RowScan,
    rules: Vec<KeepRule>,
    drops: Drops,
    field: FieldValues<'_>,
    observer: &dyn Observer,
) -> Result<Vec<u64>> {
    let walk = &rows.options().walk;
    let keep = Keep::new(rules, &walk.base, !walk.against.is_empty())?;
    let mut gate = Gate::new(PairScope::new(walk), None);
    let memory = rows.options().engine.budget.limit.unwrap_or(u64::MAX);
    let ties = Ties::new(drops, !gate.decides(), memory).pruned();
    let mut ties = ties.by_keepers();
    let judge = gate.decides().then_some(&mut gate as &mut dyn ScanJudge);
    let scan = rows.finish_with(observer, judge, &mut ties)?;
    let (_, ids, _, decisions) = ties.finish().settled(
        &scan,
        &keep,
        (drops, memory),
        observer,
        u64::from,
        |tied, ids| facts(&scan, &keep, tied, ids, field),
    )?;
    let kept = kept(&scan, &ids, &decisions)?;
    let rows = rows_that_stay(&scan, &kept).into_iter();
    Ok(rows.map(|(row, _)| row).collect())
}

/// Returns the documents that stay, in the order of their rows.
fn kept(scan: &Scan, ids: &[DocId], decisions: &[Decision]) -> Result<Vec<DocId>> {
    let mut goes = vec![false; scan.documents.len()];
    for (id, decision) in ids.iter().zip(decisions) {
        goes[id.index()] = matches!(decision, Decision::Drop(_));
    }
    let sources = &scan.sources.documents;
    let stays = (0..goes.len()).filter(|&at| !goes[at] && !sources[at].is_against);
    let mut kept = stays.map(DocId::new).collect::<Result<Vec<DocId>>>()?;
    kept.sort_unstable_by_key(|&id| scan.row(id));
    Ok(kept)
}

/// Returns the rows that stay, ascending, with their ids. Rows without a text were not compared, and stay.
pub fn rows_that_stay<'s>(scan: &'s Scan, kept: &[DocId]) -> Vec<(u64, &'s str)> {
    let mut rows: Vec<(u64, &str)> = kept.iter().map(|&id| (scan.row(id), scan.id(id))).collect();
    rows.extend(scan.skipped_rows());
    rows.sort_unstable();
    rows
}

/// Returns the facts that the rules need. A page that is the home of a folder stays.
fn facts(
    scan: &Scan,
    keep: &Keep,
    tied: &mut Tied<'_>,
    ids: &[DocId],
    field: FieldValues<'_>,
) -> Result<Facts> {
    if !scan.has_rows() {
        let walk = &scan.options.walk;
        let base = &walk.base;
        keep_homes(&mut tied.candidates, &scan.sources.files, &walk.paths, base);
        return Ok(Facts::gather(keep, &tied.candidates, &scan.options.read, base).0);
    }
    let mut facts = Facts::default();
    for rule in keep.rules().iter().filter(|rule| keep.asks(rule)) {
        match rule {
            KeepRule::Field(name, _) => {
                let of_rows = field(name)?;
                let value = |&id: &DocId| {
                    if scan.is_against(id) {
                        return None;
                    }
                    let row = usize::try_from(scan.row(id)).ok()?;
                    of_rows.get(row).cloned().flatten()
                };
                let values = ids.iter().map(value).collect();
                facts.fields.insert(name.clone(), values);
            }
            KeepRule::Longest | KeepRule::Path | KeepRule::Against => {}
            _ => {
                return Err(Error::Option(format!(
                    "the rule '{rule}' is about files, and these are texts"
                )));
            }
        }
    }
    Ok(facts)
}
