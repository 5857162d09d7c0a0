//! The data for the report of `dupfind reuse`.

use crate::model::{NoteRecord, SkippedRecord};
use crate::reuse::records::{
    ChangeRecord, GroupRecord, PlaceRecord, SettingsRecord, SummaryRecord, WordingRecord,
};
use crate::style::numbers::ratio;
use dupfind_decide::reuse::finding::{Finding, Shown};
use dupfind_decide::reuse::group::Place;
use dupfind_decide::reuse::passage::units;
use dupfind_decide::reuse::{OfFiles, ReuseOptions};

/// The data for the report.
pub struct ReuseReport<'r> {
    /// The options of the search.
    pub options: &'r ReuseOptions,
    /// The passages of the documents.
    pub of: &'r OfFiles,
    /// The groups that are listed.
    pub findings: &'r [Finding<'r>],
}

impl<'r> ReuseReport<'r> {
    pub(crate) fn settings(&self) -> SettingsRecord {
        let options = self.options;
        SettingsRecord {
            min_units: options.min_units,
            min_jaccard: options.min_jaccard.as_f64(),
            shingle_size: options.engine.shingle_size.get(),
            shingle_unit: options.engine.shingle_unit.as_str(),
        }
    }

    pub(crate) fn summary(&self) -> SummaryRecord {
        let OfFiles { pages, cut, found } = self.of;
        let (units, saved) = (units(cut), found.units_saved());
        let common = found.groups.iter().filter(|group| group.is_common);
        let common_groups = common.count();
        SummaryRecord {
            documents: cut.len(),
            skipped: pages.skipped.iter().map(|skipped| skipped.count()).sum(),
            blocks: cut.iter().map(|page| page.passages().len()).sum(),
            units,
            groups: found.groups.len() - common_groups,
            common_groups,
            groups_listed: self.findings.len(),
            units_saved: saved,
            duplicated: ratio(saved, units),
        }
    }

    /// Returns a place with its lines. The lines of a record are those of its file.
    pub(crate) fn place(&self, place: &Place) -> PlaceRecord<'r> {
        let page = &self.of.pages.pages[place.page as usize];
        let (start_line, end_line) = match page.source.is_record() {
            true => (page.source.line, page.source.last_line),
            false => (place.start_line.into(), place.end_line.into()),
        };
        let lines = [place.start_line, place.end_line].map(|line| line as usize);
        let breaks = &self.of.cut[place.page as usize].page_breaks;
        PlaceRecord {
            path: &page.name,
            start_line,
            end_line,
            pages: breaks.pages(lines.into()),
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

    pub(crate) fn skipped(&self) -> impl Iterator<Item = SkippedRecord<'r>> {
        self.of.pages.skipped.iter().map(SkippedRecord::of)
    }

    pub(crate) fn notes(&self) -> impl Iterator<Item = NoteRecord<'r>> {
        let notes = self.of.pages.notes.iter();
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

/// Returns a ratio in percent with one decimal: `5.3`.
pub fn percent(part: u64, whole: u64) -> String {
    let tenths = part * 1000 / whole.max(1);
    format!("{}.{}", tenths / 10, tenths % 10)
}
