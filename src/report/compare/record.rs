//! The wire format of `dupfind compare --format json`, schema version 1. The documentation of these
//! types is its specification; every key is always present, keys may be added within a version and none
//! changes its meaning or goes away. Texts are those of the originals, lines are counted from 1.

use serde::Serialize;

use crate::compare::passages::Passage;
use crate::compare::side::Side;
use crate::compare::terms::SharedTerm;
use crate::compare::{CompareOptions, Compared, Comparison};
use crate::engine::IdfSource;
use crate::engine::because::Because;
use crate::engine::outcome::Resemblance;
use crate::engine::relation::Relation;
use crate::fingerprint::log::ONE;
use crate::report::model::PairRecord;
use crate::text::han::Han;

/// What a report on a comparison is made from.
#[derive(Debug, Clone, Copy)]
pub struct ComparisonReport<'r> {
    /// What was asked.
    pub settings: &'r CompareOptions,
    /// What was found.
    pub comparison: &'r Comparison<'r>,
    /// Whether shared text was weighed among other documents.
    pub is_among_others: bool,
}

/// The settings that decide how texts are cut and weighed.
#[derive(Debug, Serialize)]
pub struct CutRecord {
    /// Units in a shingle.
    pub shingle_size: usize,
    /// `auto`, `char` or `word`.
    pub shingle_unit: &'static str,
    /// Whether Traditional characters were taken for Simplified ones.
    pub fold_han: bool,
    /// `dictionary` or `file`.
    pub idf: &'static str,
    /// Whether shared text was weighed by its rarity among other documents.
    pub among_others: bool,
}

/// What a scan with the usual thresholds would say of the two documents.
#[derive(Debug, Serialize)]
pub struct VerdictRecord<'r> {
    /// What they are to each other, as in the report of a scan.
    pub relation: Relation,
    /// Why.
    pub because: Because<'r>,
    /// For `contains`, the document that contains the other one; otherwise `null`.
    pub container: Option<&'r str>,
    /// Jaccard similarity of the shingle sets, rounded down to four decimals.
    pub jaccard: f64,
    /// The same with shingles weighted by their rarity, among the documents that were named for that or
    /// in these two.
    pub weighted: f64,
    /// How much of the first document's shingle set is in the second one's, rounded in the same way.
    pub a_in_b: f64,
    /// How much of the second document's shingle set is in the first one's.
    pub b_in_a: f64,
    /// Hamming distance of the fingerprints.
    pub hamming: u32,
    /// Those of `simhash` and `shingle` that would find the pair.
    pub matched_by: Vec<&'static str>,
}

/// One of the documents.
#[derive(Debug, Serialize)]
pub struct DocumentRecord<'r> {
    /// Its name, as in the report of a scan.
    pub path: &'r str,
    /// The 64-bit SimHash, 16 hexadecimal digits.
    pub fingerprint: String,
    /// What its text was taken from.
    pub format: &'static str,
    /// The encoding it was decoded from.
    pub encoding: &'static str,
    /// Its size before it was decoded.
    pub bytes: usize,
    /// How many lines it has.
    pub lines: usize,
    /// How many units.
    pub units: usize,
    /// How many distinct shingles.
    pub shingles: u32,
    /// How many tokens.
    pub tokens: u32,
    /// How many distinct terms.
    pub terms: u32,
}

/// How much the passages are.
#[derive(Debug, Serialize)]
pub struct SharedRecord {
    /// How many passages there are.
    pub passages: usize,
    /// How many of them stand in another order in the second document.
    pub moved: usize,
    /// How many units of them are the same in both documents.
    pub units: usize,
    /// That number as a share of the first document's units, rounded down to four decimals.
    pub share_of_a: f64,
    /// The same of the second document's.
    pub share_of_b: f64,
}

/// A term that both documents have.
#[derive(Debug, Serialize)]
pub struct TermRecord<'r> {
    /// The term, normalised.
    pub term: &'r str,
    /// How often the first document has it.
    pub count_a: u32,
    /// How often the second one has it.
    pub count_b: u32,
    /// Its TF-IDF weight in the first document, rounded down to four decimals.
    pub weight_a: f64,
    /// Its TF-IDF weight in the second one.
    pub weight_b: f64,
}

/// A passage that both documents have, but for the changes in it.
#[derive(Debug, Serialize)]
pub struct PassageRecord<'r> {
    /// First and last line in the first document.
    pub a_lines: (usize, usize),
    /// First and last line in the second document.
    pub b_lines: (usize, usize),
    /// How many units it has in the first document.
    pub a_units: usize,
    /// How many units it has in the second document.
    pub b_units: usize,
    /// How many of them are the same.
    pub same_units: usize,
    /// Whether it stands at another place in the order of the second document's passages.
    pub moved: bool,
    /// Its text, in order: what is the same and what was changed by turns.
    pub parts: Vec<PartRecord<'r>>,
}

/// A part of a passage.
#[derive(Debug, Serialize)]
pub struct PartRecord<'r> {
    /// Whether both documents have the same units here.
    pub same: bool,
    /// The text of the first document.
    pub a: &'r str,
    /// The text of the second document; where the units are the same it may still differ in
    /// punctuation, case and form.
    pub b: &'r str,
}

/// A stretch that only one of the documents has.
#[derive(Debug, Serialize)]
pub struct OnlyRecord<'r> {
    /// First and last line.
    pub lines: (usize, usize),
    /// How many units it has.
    pub units: usize,
    /// Its text.
    pub text: &'r str,
}

impl<'r> ComparisonReport<'r> {
    /// The settings, for the wire.
    #[must_use]
    pub fn settings(&self) -> CutRecord {
        CutRecord {
            shingle_size: self.settings.engine.shingle_size.get(),
            shingle_unit: self.settings.engine.shingle_unit.as_str(),
            fold_han: self.settings.engine.han == Han::Folded,
            idf: match self.settings.engine.idf {
                IdfSource::Dictionary | IdfSource::Corpus => "dictionary",
                IdfSource::Given(_) => "file",
            },
            among_others: self.is_among_others,
        }
    }

    /// What a scan would say, for the wire.
    #[must_use]
    pub fn verdict(&self) -> VerdictRecord<'r> {
        let Comparison { verdict, a, b, .. } = self.comparison;
        let PairRecord {
            relation,
            because,
            container,
            jaccard,
            weighted,
            hamming,
            matched_by,
            ..
        } = PairRecord::new(&verdict.documents, &verdict.pair);
        let overlap = verdict.pair.jaccard.map_or(0, |found| found.overlap);
        VerdictRecord {
            relation,
            because,
            container,
            jaccard: jaccard.unwrap_or_default(),
            weighted: weighted.unwrap_or_default(),
            a_in_b: share(overlap.into(), a.shingles.into()),
            b_in_a: share(overlap.into(), b.shingles.into()),
            hamming: hamming.unwrap_or_default(),
            matched_by,
        }
    }

    /// How much the passages are, for the wire.
    #[must_use]
    pub fn shared(&self) -> SharedRecord {
        let Comparison { a, b, passages, .. } = self.comparison;
        let units = passages.iter().map(Passage::same).sum();
        SharedRecord {
            passages: passages.len(),
            moved: passages.iter().filter(|passage| passage.is_moved).count(),
            units,
            share_of_a: share(units as u64, a.side.units().len() as u64),
            share_of_b: share(units as u64, b.side.units().len() as u64),
        }
    }

    /// The terms, for the wire.
    pub fn terms(&self) -> impl Iterator<Item = TermRecord<'r>> {
        let terms = self.comparison.terms.iter();
        terms.map(
            |SharedTerm {
                 term,
                 counts,
                 weights,
             }| TermRecord {
                term,
                count_a: counts[0],
                count_b: counts[1],
                weight_a: share(weights[0], ONE),
                weight_b: share(weights[1], ONE),
            },
        )
    }

    /// The passages, for the wire.
    pub fn passages(&self) -> impl Iterator<Item = PassageRecord<'r>> {
        let Comparison { a, b, passages, .. } = self.comparison;
        passages.iter().map(|passage| PassageRecord {
            a_lines: a.side.lines(&passage.a),
            b_lines: b.side.lines(&passage.b),
            a_units: passage.a.len(),
            b_units: passage.b.len(),
            same_units: passage.same(),
            moved: passage.is_moved,
            parts: parts(passage, &a.side, &b.side),
        })
    }

    /// What only the first document has, for the wire.
    pub fn only_a(&self) -> impl Iterator<Item = OnlyRecord<'r>> {
        only(&self.comparison.a)
    }

    /// What only the second document has, for the wire.
    pub fn only_b(&self) -> impl Iterator<Item = OnlyRecord<'r>> {
        only(&self.comparison.b)
    }
}

impl<'r> DocumentRecord<'r> {
    /// Takes a compared document and returns its record.
    #[must_use]
    pub fn new(compared: &Compared<'r>) -> Self {
        Self {
            path: &compared.document.name,
            fingerprint: format!("{:016x}", compared.fingerprint),
            format: compared.document.format.as_str(),
            encoding: compared.document.encoding,
            bytes: compared.document.bytes,
            lines: compared.side.line_count(),
            units: compared.side.units().len(),
            shingles: compared.shingles,
            tokens: compared.tokens,
            terms: compared.terms,
        }
    }
}

fn only<'r>(compared: &'r Compared<'r>) -> impl Iterator<Item = OnlyRecord<'r>> {
    let side = &compared.side;
    compared.only.iter().map(|units| OnlyRecord {
        lines: side.lines(units),
        units: units.len(),
        text: &side.text()[side.stretch(units)],
    })
}

/// The parts of a passage with their texts.
fn parts<'r>(passage: &Passage, a: &Side<'r>, b: &Side<'r>) -> Vec<PartRecord<'r>> {
    let [in_a, in_b] = passage.texts(a, b);
    let texts = in_a.into_iter().zip(in_b);
    let parts = passage.parts.iter().zip(texts);
    parts
        .map(|(part, (in_a, in_b))| PartRecord {
            same: part.is_same,
            a: &a.text()[in_a],
            b: &b.text()[in_b],
        })
        .collect()
}

/// A fraction, rounded down to four decimals as similarities are.
#[expect(
    clippy::cast_precision_loss,
    reason = "only beyond 2^53 ten-thousandths"
)]
fn share(part: u64, whole: u64) -> f64 {
    let steps = u128::from(part) * u128::from(Resemblance::STEPS) / u128::from(whole.max(1));
    steps as f64 / Resemblance::STEPS as f64
}
