//! The decisions about documents, and those about records as lines of a file.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::io::{self, BufWriter, Write};

use serde::Serialize;

use crate::clean::drops::Ground;
use crate::clean::keep::candidate::{Candidate, Facts};
use crate::clean::keep::reason::Reason;
use crate::clean::keep::{Keep, KeepRule};
use crate::clean::plan::line::{MeasuresRecord, because};
use crate::clean::stars::{Decision, Partner};
use crate::clean::tied::Tied;
use crate::clean::ties::{Copies, Tie};

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
    pub(in crate::clean) tied: &'t Tied<'t>,
    pub(in crate::clean) keep: &'t Keep,
    pub(in crate::clean) facts: &'t Facts,
    pub(in crate::clean) decisions: Vec<Decision>,
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

    /// Returns the same, with the difference that the rule found.
    pub(in crate::clean) fn reason(&self, at: usize, partner: Partner) -> (&'t KeepRule, Reason) {
        let at = u32::try_from(at).expect("ids have 32 bits");
        let candidates = &self.tied.candidates;
        self.keep
            .reason(candidates, self.facts, partner.document, at)
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
        let is_folded = own.document.unfolded_hash != keeper.document.unfolded_hash;
        VerdictRecord {
            keep_id: id(keeper),
            drop_id: id(own),
            keep: keeper.name(),
            drop: own.name(),
            relation: partner.ground,
            measures: partner.measures.into(),
            because: match partner.ground == Ground::EXACT && is_folded {
                true => "the same text up to the script (Traditional or Simplified), case, width and white space".into(),
                false => because(partner.ground, partner.measures),
            },
            rule: self.rule(at, partner).to_string(),
            keep_at: place(keeper),
            drop_at: place(own),
        }
    }
}

impl Tied<'_> {
    /// Ties only documents of the same value. `values` has those of the candidates. Returns how many documents were tied to one
    /// of another value.
    pub fn set_values_apart<V: Eq + Hash>(&mut self, values: &[V]) -> usize {
        let value = |document: u32| &values[document as usize];
        let mut apart: HashSet<u32> = HashSet::new();
        let mut copies = Vec::new();
        // The documents that stand for all of their text and value, by the document that stood for all of their text.
        let mut parts: HashMap<u32, HashMap<&V, u32>> = HashMap::new();
        for group in &self.copies {
            let mut by_value: HashMap<&V, Vec<u32>> = HashMap::new();
            for &document in &group.documents {
                by_value.entry(value(document)).or_default().push(document);
            }
            if by_value.len() > 1 {
                apart.extend(&group.documents);
            }
            if group.have_same_ties {
                let firsts = by_value.iter().map(|(value, own)| (*value, own[0]));
                parts.insert(group.documents[0], firsts.collect());
            }
            let have_same_ties = group.have_same_ties;
            let several = by_value.into_values().filter(|own| own.len() > 1);
            copies.extend(several.map(|documents| Copies {
                documents,
                have_same_ties,
            }));
        }
        copies.sort_unstable();
        let parts_of = |document: u32| match parts.get(&document) {
            Some(parts) => parts.clone(),
            None => HashMap::from([(value(document), document)]),
        };
        let mut ties = Vec::new();
        for tie in &self.ties {
            let (a, b) = (parts_of(tie.a), parts_of(tie.b));
            for (value, &a) in &a {
                if let Some(&b) = b.get(value) {
                    ties.push(Tie { a, b, ..*tie });
                }
            }
            for (one, other) in [(&a, &b), (&b, &a)] {
                let differs = |value: &&V| other.keys().any(|known| known != value);
                apart.extend(
                    one.iter()
                        .filter(|(value, _)| differs(value))
                        .map(|(_, at)| at),
                );
            }
        }
        ties.sort_unstable_by_key(|tie| (tie.a, tie.b));
        (self.copies, self.ties) = (copies, ties);
        apart.len()
    }
}

#[cfg(test)]
mod tests {
    use dupfind_engine::Relation;
    use proptest::prelude::*;

    use super::*;
    use crate::clean::drops::Ground;
    use crate::clean::stars::{keepers, stars};
    use crate::clean::ties::Measures;

    fn tie(a: u32, b: u32, relation: Relation) -> Tie {
        Tie {
            a,
            b,
            ground: Ground::Relation(relation),
            container: None,
            measures: Measures::EQUAL,
        }
    }

    proptest! {
        #[test]
        fn groups_are_parted_as_their_pairs_would_be(
            pairs in prop::collection::btree_set((0_u32..8, 0_u32..8), 0..16),
            values in prop::collection::vec(0_u8..3, 24),
            order in Just((0..8).collect::<Vec<u32>>()).prop_shuffle(),
        ) {
            // Eight texts of three copies each: documents `at`, `at + 8` and `at + 16`.
            let copies = |at: u32| [at, at + 8, at + 16];
            let rank: Vec<u32> = (0..24).map(|at| order[at % 8] * 3 + u32::try_from(at / 8).unwrap()).collect();
            let pairs: Vec<(u32, u32)> = pairs.into_iter().filter(|(a, b)| a < b).collect();
            let mut tied = Tied {
                candidates: Vec::new(),
                ties: pairs.iter().map(|&(a, b)| tie(a, b, Relation::Near)).collect(),
                copies: (0..8)
                    .map(|at| Copies { documents: copies(at).to_vec(), have_same_ties: true })
                    .collect(),
            };
            tied.set_values_apart(&values);
            let mut all = Vec::new();
            for (at, relation) in (0..8).map(|at| ((at, at), Relation::Exact)).chain(pairs.iter().map(|&pair| (pair, Relation::Near))) {
                for a in copies(at.0) {
                    for b in copies(at.1) {
                        if a != b && (at.0 != at.1 || a < b) && values[a as usize] == values[b as usize] {
                            all.push(tie(a, b, relation));
                        }
                    }
                }
            }
            let parted = keepers(&stars(&rank, &tied.ties, &tied.copies, &[]));
            prop_assert_eq!(parted, keepers(&stars(&rank, &all, &[], &[])));
        }
    }

    #[test]
    fn documents_of_another_value_are_counted() {
        let mut tied = Tied {
            candidates: Vec::new(),
            ties: vec![tie(0, 3, Relation::Near)],
            copies: vec![Copies {
                documents: vec![0, 1, 2],
                have_same_ties: true,
            }],
        };
        assert_eq!(tied.set_values_apart(&["x", "x", "x", "x"]), 0);
        assert_eq!((tied.ties.len(), tied.copies.len()), (1, 1));
        assert_eq!(tied.set_values_apart(&["x", "y", "x", "y"]), 4);
        assert_eq!((tied.ties[0].a, tied.ties[0].b), (1, 3));
        assert_eq!(tied.copies[0].documents, [0, 2]);
    }
}
