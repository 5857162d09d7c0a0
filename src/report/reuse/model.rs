//! What the report of `dupfind reuse` is made from, and the records of `--format json`. The documentation of the records
//! is their specification.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::engine::pair::Resemblance;
use crate::report::model::{NoteRecord, SkippedRecord};
use crate::reuse::finding::{Finding, Shown};
use crate::reuse::folders::FolderMatrix;
use crate::reuse::passage::{CutPage, units};
use crate::reuse::runs::{Groups, Place};
use crate::reuse::shares::Shares;
use crate::reuse::tool::Tool;
use crate::reuse::translation::{Amount, Class};
use crate::reuse::{ReuseOptions, Scope};
use crate::scan::pages::Pages;

/// What the report is made from.
pub(crate) struct ReuseReport<'r> {
    pub(crate) options: &'r ReuseOptions,
    /// The pages. Their passages are in `cut`.
    pub(crate) pages: &'r Pages<()>,
    pub(crate) cut: &'r [CutPage],
    pub(crate) found: &'r Groups,
    /// The groups that are listed.
    pub(crate) findings: &'r [Finding<'r>],
    pub(crate) shares: &'r [Shares],
    pub(crate) folders: &'r FolderMatrix,
    pub(crate) translation: &'r [(Class, Amount)],
    pub(crate) tool: Option<Tool>,
    /// The positions of the groups that are not in the baseline; `None` without a baseline.
    pub(crate) new: Option<&'r HashSet<usize>>,
}

/// What was looked for.
#[derive(Debug, Serialize)]
pub(crate) struct SettingsRecord {
    /// How many units a block has at least.
    min_units: u32,
    /// The least Jaccard similarity of two wordings of one passage.
    min_jaccard: f64,
    /// Whether code blocks are looked at.
    code: bool,
    /// Which places make a group: `pages`, `within` or `against`.
    scope: &'static str,
    /// How many units a shingle has.
    shingle_size: usize,
    /// What a unit is.
    shingle_unit: &'static str,
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
    /// Optional: how many groups are not in the baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) new_groups: Option<usize>,
}

/// A passage that stands in several places.
#[derive(Debug, Serialize)]
pub(crate) struct GroupRecord<'r> {
    /// Its number: 0 saves most.
    pub(crate) id: usize,
    /// `paragraph`, `list item`, `table row`, `heading`, `admonition`, `quotation`, `code` or `caption`.
    pub(crate) kind: &'static str,
    /// How many blocks follow each other in all of its places.
    pub(crate) blocks: u32,
    /// How many units its most frequent wording has.
    pub(crate) units: u32,
    /// In how many places it stands.
    pub(crate) copies: usize,
    /// In how many documents it stands.
    pub(crate) documents: usize,
    /// How many units would be saved: (copies - 1) x units.
    pub(crate) units_saved: u64,
    /// Whether it belongs to a template.
    pub(crate) common: bool,
    /// Whether it stands only in documents that are copies as a whole: 80% or more of each stands in another one of
    /// them too.
    pub(crate) whole: bool,
    /// Optional: whether it is not in the baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) new: Option<bool>,
    /// The text with a slot if all wordings differ in the same place; `null` otherwise.
    pub(crate) pattern: Option<PatternRecord<'r>>,
    /// The wordings, the most frequent one first; at most 50.
    pub(crate) wordings: Vec<WordingRecord<'r>>,
}

/// A text with a slot.
#[derive(Debug, Serialize)]
pub(crate) struct PatternRecord<'r> {
    /// The text before the slot.
    pub(crate) before: &'r str,
    /// The text behind it.
    pub(crate) after: &'r str,
    /// What each wording has in the slot.
    pub(crate) values: &'r [String],
}

/// A wording of a passage.
#[derive(Debug, Serialize)]
pub(crate) struct WordingRecord<'r> {
    /// Its text, of which at most 4,000 bytes are shown.
    pub(crate) text: &'r str,
    /// In how many places it stands.
    pub(crate) copies: u32,
    /// Whether it is rare and differs in a number, a version, an address, a name or a negation.
    pub(crate) odd: bool,
    /// The differences from the first wording.
    pub(crate) changes: Vec<ChangeRecord<'r>>,
    /// Where it stands.
    pub(crate) places: Vec<PlaceRecord<'r>>,
}

/// A difference from the first wording.
#[derive(Debug, Serialize)]
pub(crate) struct ChangeRecord<'r> {
    /// `negation`, `number`, `version`, `url`, `name`, `punctuation` or `words`.
    pub(crate) kind: &'static str,
    /// What the first wording has; may be empty.
    pub(crate) before: &'r str,
    /// What this one has; may be empty.
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
    /// Optional: it is in a document that is only compared with.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) against: bool,
}

/// The shares of a document.
#[derive(Debug, Serialize)]
pub(crate) struct DocumentRecord<'r> {
    /// Its name.
    pub(crate) path: &'r str,
    /// How many units it has.
    pub(crate) units: u64,
    /// How many of them stand nowhere else.
    pub(crate) unique: u64,
    /// How many stand in other places too.
    pub(crate) shared: u64,
    /// How many belong to a template.
    pub(crate) common: u64,
    /// The document in which most of its units stand too; `null` if there is none.
    pub(crate) closest: Option<ClosestRecord<'r>>,
    /// In how many documents a fifth of its units or more stands too.
    pub(crate) near: u32,
}

/// The closest document.
#[derive(Debug, Serialize)]
pub(crate) struct ClosestRecord<'r> {
    /// Its name.
    pub(crate) path: &'r str,
    /// How many units of the document stand in it too.
    pub(crate) units: u64,
}

/// A folder and what of it stands in others.
#[derive(Debug, Serialize)]
pub(crate) struct FolderRecord<'r> {
    /// Its path.
    pub(crate) path: &'r str,
    /// How many documents it has.
    pub(crate) documents: usize,
    /// How many units they have.
    pub(crate) units: u64,
    /// How many of its units stand in each folder too, by its path. For the folder itself: in another place of it.
    pub(crate) shared: BTreeMap<&'r str, u64>,
}

/// What there is of a class of repetition.
#[derive(Debug, Serialize)]
pub(crate) struct ClassRecord {
    /// `new`, `alike`, `repeated` or `repeated in context`.
    pub(crate) class: &'static str,
    /// How many blocks.
    pub(crate) blocks: u64,
    /// How many units.
    pub(crate) units: u64,
}

/// How a passage is shared in the tool that the site is made with.
#[derive(Debug, Serialize)]
pub(crate) struct HintRecord {
    /// The name of the tool.
    pub(crate) tool: &'static str,
    /// What to do.
    pub(crate) text: &'static str,
}

impl<'r> ReuseReport<'r> {
    pub(crate) fn settings(&self) -> SettingsRecord {
        let options = self.options;
        SettingsRecord {
            min_units: options.min_units,
            min_jaccard: options.min_jaccard.as_f64(),
            code: options.takes_code,
            scope: match options.scope {
                Scope::Pages => "pages",
                Scope::WithinPage => "within",
                Scope::Against => "against",
            },
            shingle_size: options.engine.shingle_size.get(),
            shingle_unit: options.engine.shingle_unit.as_str(),
        }
    }

    pub(crate) fn summary(&self) -> SummaryRecord {
        let (units, saved) = (units(self.cut), self.found.units_saved());
        let common = self.found.groups.iter().filter(|group| group.is_common);
        let common_groups = common.count();
        SummaryRecord {
            documents: self.cut.len(),
            skipped: self
                .pages
                .skipped
                .iter()
                .map(|skipped| skipped.count())
                .sum(),
            blocks: self.cut.iter().map(|page| page.passages().len()).sum(),
            units,
            groups: self.found.groups.len() - common_groups,
            common_groups,
            groups_listed: self.findings.len(),
            units_saved: saved,
            duplicated: ratio(saved, units),
            new_groups: self.new.map(HashSet::len),
        }
    }

    pub(crate) fn name(&self, page: u32) -> &'r str {
        &self.pages.pages[page as usize].name
    }

    /// Returns a place with its lines. The lines of a record are those of its file.
    pub(crate) fn place(&self, place: &Place) -> PlaceRecord<'r> {
        let page = &self.pages.pages[place.page as usize];
        let (start_line, end_line) = match page.source.is_record() {
            true => (page.source.line, page.source.last_line),
            false => (place.start_line.into(), place.end_line.into()),
        };
        PlaceRecord {
            path: &page.name,
            start_line,
            end_line,
            against: page.source.is_against,
        }
    }

    /// Returns the places of a wording.
    pub(crate) fn places(
        &self,
        finding: &Finding<'r>,
        wording: usize,
    ) -> impl Iterator<Item = PlaceRecord<'r>> {
        let of_wording = move |place: &&Place| place.wording as usize == wording;
        let places = finding.group.places.iter().filter(of_wording);
        places.map(|place| self.place(place))
    }

    pub(crate) fn group(&self, finding: &'r Finding<'r>) -> GroupRecord<'r> {
        let group = finding.group;
        let wordings = finding.wordings.iter().enumerate();
        GroupRecord {
            id: finding.number,
            kind: group.kind.as_str(),
            blocks: group.blocks,
            units: group.units,
            copies: group.places.len(),
            documents: group.pages(),
            units_saved: group.units_saved(),
            common: group.is_common,
            whole: group.is_whole,
            new: self.new.map(|new| new.contains(&finding.number)),
            pattern: finding.pattern.as_ref().map(|pattern| PatternRecord {
                before: &pattern.before,
                after: &pattern.after,
                values: &pattern.values,
            }),
            wordings: wordings
                .map(|(number, wording)| WordingRecord {
                    text: &wording.text,
                    copies: group.wordings[number].copies,
                    odd: wording.is_odd,
                    changes: changes(&finding.wordings[0].text, wording).collect(),
                    places: self.places(finding, number).collect(),
                })
                .collect(),
        }
    }

    pub(crate) fn documents(&self) -> impl Iterator<Item = DocumentRecord<'r>> {
        let pages = self.pages.pages.iter().zip(self.shares);
        pages.map(|(page, shares)| DocumentRecord {
            path: &page.name,
            units: shares.units,
            unique: shares.unique,
            shared: shares.shared,
            common: shares.common,
            closest: shares.closest.map(|(page, units)| ClosestRecord {
                path: self.name(page),
                units,
            }),
            near: shares.near,
        })
    }

    pub(crate) fn folder_records(&self) -> impl Iterator<Item = FolderRecord<'r>> {
        let matrix = self.folders;
        matrix
            .folders
            .iter()
            .enumerate()
            .map(|(row, folder)| FolderRecord {
                path: &folder.path,
                documents: folder.pages,
                units: folder.units,
                shared: matrix
                    .shared
                    .range((row, 0)..(row + 1, 0))
                    .map(|(&(_, column), &units)| (matrix.folders[column].path.as_str(), units))
                    .collect(),
            })
    }

    pub(crate) fn classes(&self) -> impl Iterator<Item = ClassRecord> {
        self.translation.iter().map(|(class, amount)| ClassRecord {
            class: class.as_str(),
            blocks: amount.passages,
            units: amount.units,
        })
    }

    pub(crate) fn hint(&self) -> Option<HintRecord> {
        self.tool.map(|tool| HintRecord {
            tool: tool.as_str(),
            text: tool.hint(),
        })
    }

    pub(crate) fn skipped(&self) -> impl Iterator<Item = SkippedRecord<'r>> {
        self.pages.skipped.iter().map(SkippedRecord::of)
    }

    pub(crate) fn notes(&self) -> impl Iterator<Item = NoteRecord<'r>> {
        let notes = self.pages.notes.iter();
        notes.map(|note| NoteRecord {
            path: &note.path,
            note: &note.note,
        })
    }
}

/// Returns the differences of a wording from the first one.
pub(crate) fn changes<'r>(
    first: &'r str,
    wording: &'r Shown,
) -> impl Iterator<Item = ChangeRecord<'r>> {
    wording.changes.iter().map(|change| ChangeRecord {
        kind: change.mark.as_str(),
        before: &first[change.before.clone()],
        after: &wording.text[change.after.clone()],
    })
}

/// Returns a part of a whole, from 0 to 1, rounded down to four decimals.
pub(crate) fn ratio(part: u64, whole: u64) -> f64 {
    Resemblance::as_number(part * Resemblance::STEPS / whole.max(1))
}

/// Returns a ratio as a percentage with one decimal: `5.3%`.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let tenths = part * 1000 / whole.max(1);
    format!("{}.{}%", tenths / 10, tenths % 10)
}
