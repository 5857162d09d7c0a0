//! The decisions about records, as lines of a file.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use serde::Serialize;

use crate::clean::drops::Ground;
use crate::clean::keep::candidate::{Candidate, Facts};
use crate::clean::keep::{Keep, KeepRule};
use crate::clean::plan::line::{MeasuresRecord, because};
use crate::clean::plan::make::Tied;
use crate::clean::stars::{Decision, Partner};

/// A record that goes, and the one that stays for it.
#[derive(Debug, Serialize)]
pub struct VerdictRecord<'t> {
    /// The record that stays: `FILE#ID`.
    pub keep: &'t str,
    /// The record that goes.
    pub drop: &'t str,
    /// The relation of the two: `exact`, `near`, or `contains` if the one that stays contains the other. If
    /// records must not be in another set, the one that goes may also contain the other. It is `similar` if the similarity
    /// alone decided.
    pub relation: Ground,
    /// The measures of the two.
    #[serde(flatten)]
    pub measures: MeasuresRecord,
    /// Why it may go, for people.
    pub because: Cow<'static, str>,
    /// The rule that chose the one that stays.
    pub rule: String,
    /// The id of the record that stays, or its number: what is behind the `#`.
    pub keep_id: &'t str,
    /// The same of the record that goes.
    pub drop_id: &'t str,
    /// Where the record that stays is: its file, and its line from 1, or its row in Parquet from 0.
    pub keep_at: (String, u64),
    /// Where the record that goes is.
    pub drop_at: (String, u64),
}

/// The decisions about all records.
#[derive(Debug)]
pub struct Verdicts<'t> {
    tied: &'t Tied<'t>,
    keep: &'t Keep,
    facts: &'t Facts,
    decisions: Vec<Decision>,
}

impl<'t> Verdicts<'t> {
    /// Decides which records stay and which go.
    pub fn new(tied: &'t Tied<'t>, keep: &'t Keep, facts: &'t Facts) -> Self {
        let rank = keep.rank(&tied.candidates, facts);
        Self::of(tied, keep, facts, tied.decisions(&rank, facts))
    }

    /// Returns decisions that were made before.
    pub fn of(
        tied: &'t Tied<'t>,
        keep: &'t Keep,
        facts: &'t Facts,
        decisions: Vec<Decision>,
    ) -> Self {
        Self {
            tied,
            keep,
            facts,
            decisions,
        }
    }

    /// Returns the decisions alone.
    pub fn into_decisions(self) -> Vec<Decision> {
        self.decisions
    }

    /// Returns the records that go, each with its position and its partner.
    pub fn going(&self) -> impl Iterator<Item = (usize, &Candidate<'t>, Partner)> {
        let decisions = self.decisions.iter().enumerate();
        decisions.filter_map(|(at, decision)| match decision {
            Decision::Drop(partner) => Some((at, &self.tied.candidates[at], *partner)),
            _ => None,
        })
    }

    /// Returns the decision about each record.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// Returns the rule that keeps another record rather than one that goes.
    pub fn rule(&self, at: usize, partner: Partner) -> &'t KeepRule {
        let at = u32::try_from(at).expect("ids have 32 bits");
        let candidates = &self.tied.candidates;
        self.keep
            .decided(candidates, self.facts, partner.document, at)
    }

    /// Returns how many records stay though they are like one that goes, or contain one that a rule keeps.
    pub fn unresolved(&self) -> usize {
        let decisions = self.decisions.iter().zip(&self.tied.candidates);
        let is_unresolved = |(decision, candidate): &(&Decision, &Candidate<'_>)| {
            matches!(decision, Decision::Unresolved(_)) && !candidate.source.is_against
        };
        decisions.filter(is_unresolved).count()
    }

    /// Returns the record that another one goes for.
    pub fn keeper(&self, partner: Partner) -> &'t Candidate<'t> {
        &self.tied.candidates[partner.document as usize]
    }

    /// Returns the name of a record, by its position.
    pub fn name(&self, at: u32) -> &'t str {
        self.tied.candidates[at as usize].name()
    }

    /// Writes a line about each record that goes, as JSON.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 18, out);
        for (at, _, going) in self.going() {
            serde_json::to_writer(&mut out, &self.line(at, going))?;
            out.write_all(b"\n")?;
        }
        out.flush()
    }

    /// Returns the line about a record that goes.
    pub fn line(&self, at: usize, partner: Partner) -> VerdictRecord<'t> {
        let own = &self.tied.candidates[at];
        let keeper = self.keeper(partner);
        let place = |candidate: &Candidate<'_>| {
            (
                candidate.file.display().to_string(),
                candidate.source.position(),
            )
        };
        let id = |candidate: &Candidate<'t>| {
            let name = candidate.name();
            let file = candidate.file.display().to_string();
            let id = name.strip_prefix(&file).and_then(|id| id.strip_prefix('#'));
            id.or_else(|| Some(name.split_once('#')?.1)).unwrap_or(name)
        };
        VerdictRecord {
            keep_id: id(keeper),
            drop_id: id(own),
            keep: keeper.name(),
            drop: own.name(),
            relation: partner.ground,
            measures: partner.measures.into(),
            because: because(partner.ground, partner.measures),
            rule: self.rule(at, partner).to_string(),
            keep_at: place(keeper),
            drop_at: place(own),
        }
    }
}
