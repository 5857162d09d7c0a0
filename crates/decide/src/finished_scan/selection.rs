//! What stays of a scan and what goes, by the rules of plans.

use std::path::Path;

use crate::clean::home::keep_homes;
use crate::clean::keep::candidate::Facts;
use crate::clean::keep::{Keep, KeepRule};
use crate::clean::plan::line::because;
use crate::clean::plan::make::Tied;
use crate::clean::records::verdict::Verdicts;
use crate::clean::stars::Decision;
use crate::clean::ties::{Drops, Measures, Ties};
use crate::finished_scan::Scanned;
use dupfind_engine::DocId;
use dupfind_engine::pairing::sink::PairSink;
use dupfind_engine::verdict::Relation;
use dupfind_engine::{Error, Result};

/// What stays and what goes.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// The documents that stay, in the order of their rows.
    pub kept: Vec<DocId>,
    /// The documents that go, in the order of their rows.
    pub removed: Vec<Removed>,
    /// Documents that stay although they are much like another one, in the order of their rows.
    pub unresolved: Vec<Unresolved>,
}

/// A document that goes.
#[derive(Debug, Clone)]
pub struct Removed {
    /// The document.
    pub document: DocId,
    /// The document that stays for it.
    pub keeper: DocId,
    /// What the two are to each other.
    pub relation: Relation,
    /// The measures of the two.
    pub measures: Measures,
    /// Why it may go, for people.
    pub because: String,
    /// The rule that chose the one that stays.
    pub rule: String,
}

/// A document that stays although it is much like another one.
#[derive(Debug, Clone)]
pub struct Unresolved {
    /// The document.
    pub document: DocId,
    /// The document it is most like.
    pub other: DocId,
    /// What the two are to each other.
    pub relation: Relation,
    /// The measures of the two.
    pub measures: Measures,
}

/// The values of a field, by row.
pub type FieldValues<'f> = &'f dyn Fn(&str) -> Result<Vec<Option<String>>>;

impl Scanned {
    /// Decides which documents stay and which go. `field` returns the values of a field for all rows; it is called for
    /// rows of texts only.
    ///
    /// # Errors
    ///
    /// [`Error::Glob`] if a glob does not parse; [`Error::RuleOfFiles`] if a rule is about files, and there are none;
    /// those of `field`.
    pub fn select(
        &self,
        rules: Vec<KeepRule>,
        drops: Drops,
        field: FieldValues<'_>,
    ) -> Result<Selection> {
        let base = &self.options.walk.base;
        let keep = Keep::new(rules, base, !self.options.walk.against.is_empty())?;
        let mut ties = Ties::new(drops, true, u64::MAX);
        ties.take(&self.outcome.documents, &self.pairs)
            .map_err(Error::Sink)?;
        let (mut tied, ids) = Tied::of_scan(&self.outcome, ties.finish(), u64::from);
        if !self.has_rows() {
            let files = &self.outcome.sources.files;
            keep_homes(&mut tied.candidates, files, &self.options.walk.paths, base);
        }
        let facts = self.facts(&keep, &tied, &ids, base, field)?;
        let verdicts = Verdicts::new(&tied, &keep, &facts);
        let id_of = |at: u32| ids[at as usize];
        let mut goes = vec![false; self.outcome.documents.len()];
        let mut selection = Selection::default();
        for (at, _, partner) in verdicts.going() {
            goes[ids[at].index()] = true;
            selection.removed.push(Removed {
                document: ids[at],
                keeper: id_of(partner.document),
                relation: partner.relation,
                measures: partner.measures,
                because: because(partner.relation, partner.measures),
                rule: verdicts.rule(at, partner).to_string(),
            });
        }
        for (at, decision) in verdicts.decisions().iter().enumerate() {
            if let Decision::Unresolved(partner) = decision {
                selection.unresolved.push(Unresolved {
                    document: ids[at],
                    other: id_of(partner.document),
                    relation: partner.relation,
                    measures: partner.measures,
                });
            }
        }
        let stays = (0..goes.len()).filter(|&at| !goes[at]);
        selection.kept = stays.map(DocId::new).collect::<Result<_>>()?;
        selection.kept.sort_unstable_by_key(|&id| self.row(id));
        selection
            .removed
            .sort_unstable_by_key(|removed| self.row(removed.document));
        selection
            .unresolved
            .sort_unstable_by_key(|unresolved| self.row(unresolved.document));
        Ok(selection)
    }

    fn facts(
        &self,
        keep: &Keep,
        tied: &Tied,
        ids: &[DocId],
        base: &Path,
        field: FieldValues<'_>,
    ) -> Result<Facts> {
        if !self.has_rows() {
            let files = &self.outcome.sources.files;
            return Ok(Facts::gather(keep, &tied.candidates, files, &self.options.read, base).0);
        }
        let mut facts = Facts::default();
        for rule in keep.rules().iter().filter(|rule| keep.asks(rule)) {
            match rule {
                KeepRule::Field(name, _) => {
                    let of_rows = field(name)?;
                    let value = |&id: &DocId| {
                        let row = usize::try_from(self.row(id)).ok()?;
                        of_rows.get(row).cloned().flatten()
                    };
                    let values = ids.iter().map(value).collect();
                    facts.fields.push((name.clone(), values));
                }
                KeepRule::Longest | KeepRule::Path | KeepRule::Against => {}
                _ => {
                    return Err(Error::RuleOfFiles {
                        rule: rule.to_string(),
                    });
                }
            }
        }
        Ok(facts)
    }
}
