//! The records of `dupfind reuse --format json`. Their documentation is the specification.

use serde::Serialize;

/// The options of the search.
#[derive(Debug, Serialize)]
pub(crate) struct SettingsRecord {
    /// How many units a block has at least.
    pub(super) min_units: u32,
    /// The least Jaccard similarity of two wordings of one passage.
    pub(super) min_jaccard: f64,
    /// How many units a shingle has.
    pub(super) shingle_size: usize,
    /// The unit of shingles, as in the report of a scan.
    pub(super) shingle_unit: &'static str,
}

/// Counts.
#[derive(Debug, Serialize)]
pub(crate) struct SummaryRecord {
    /// How many documents were read.
    pub(crate) documents: usize,
    /// How many entries were not read.
    pub(crate) skipped: u64,
    /// How many blocks have enough units.
    pub(crate) blocks: usize,
    /// How many units all documents have.
    pub(crate) units: u64,
    /// How many groups there are, without those that are common.
    pub(crate) groups: usize,
    /// How many groups are common.
    pub(crate) common_groups: usize,
    /// How many groups are listed.
    pub(crate) groups_listed: usize,
    /// How many units the groups would save, without those that are common.
    pub(crate) units_saved: u64,
    /// `units_saved` by `units`.
    pub(crate) duplicated: f64,
}

/// A passage that is in several places.
#[derive(Debug, Serialize)]
pub(crate) struct GroupRecord<'r> {
    /// Its number: 0 saves most.
    pub(crate) id: usize,
    /// `paragraph`, `list item`, `table row`, `heading`, `quotation`, `code` or `caption`.
    pub(crate) kind: &'static str,
    /// How many blocks follow each other in all of its places.
    pub(crate) blocks: u32,
    /// How many units its most frequent wording has.
    pub(crate) units: u32,
    /// In how many places it is.
    pub(crate) copies: usize,
    /// In how many documents it is.
    pub(crate) documents: usize,
    /// How many units would be saved: (copies - 1) x units.
    pub(crate) units_saved: u64,
    /// Whether it belongs to a template.
    pub(crate) common: bool,
    /// Whether it is only in documents that are copies as a whole: 80% or more of each is in another one of
    /// them too.
    pub(crate) whole: bool,
    /// The wordings, the most frequent one first; at most 50.
    pub(crate) wordings: Vec<WordingRecord<'r>>,
}

/// A wording of a passage.
#[derive(Debug, Serialize)]
pub(crate) struct WordingRecord<'r> {
    /// Its text, at most 4,000 bytes of it.
    pub(crate) text: &'r str,
    /// In how many places it is.
    pub(crate) copies: u32,
    /// Whether it is rare and differs in a number, a version, an address, a name or a negation.
    pub(crate) odd: bool,
    /// The differences from the first wording.
    pub(crate) changes: Vec<ChangeRecord<'r>>,
    /// Where it is.
    pub(crate) places: Vec<PlaceRecord<'r>>,
}

/// A difference from the first wording.
#[derive(Debug, Serialize)]
pub(crate) struct ChangeRecord<'r> {
    /// `negation`, `number`, `version`, `url`, `name`, `punctuation` or `words`.
    pub(crate) kind: &'static str,
    /// The text of the first wording; may be empty.
    pub(crate) before: &'r str,
    /// The text of this one; may be empty.
    pub(crate) after: &'r str,
}

/// A place of a passage.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PlaceRecord<'r> {
    /// The name of the document.
    pub(crate) path: &'r str,
    /// The line on which it begins, from 1. Of a record the line of its file.
    pub(crate) start_line: u64,
    /// The line on which it ends.
    pub(crate) end_line: u64,
    /// Optional: the pages of its file that it is on, the first and the last one, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pages: Option<(usize, usize)>,
}
