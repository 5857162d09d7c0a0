//! The answers of the tools.

use anyhow::anyhow;
use dupfind_decide::elsewhere::{Elsewhere, Perhaps, elsewhere};
use dupfind_decide::gate::Gate;
use dupfind_engine::run::observer::Observer;
use dupfind_read::Ingested;
use dupfind_report::listings::elsewhere::{Asked, PassageRecord, rounded};
use dupfind_scan::live::Live;
use serde::Serialize;
use serde_json::{Value, json};

use crate::commands::mcp::tools::{
    Answer, CheckPage, CheckText, FindPassage, Tools, known_name, mistake, name_of,
};

/// The most characters of an answer.
const SHORT: usize = 1_300;

/// The most entries of an answer.
pub(super) const MAX_ENTRIES: usize = 20;

/// The share of a page from which on a passage is in the first answer, in hundredths, unless much of the page is elsewhere.
const SMALL: u64 = 5;
const MUCH: u64 = 30;

/// The most bytes of a text that may be a note.
const LONGEST_NOTE: usize = 1_500;

/// The most characters of a wording.
const WORDING: usize = 160;

/// The most wordings.
const MAX_WORDINGS: usize = 3;

impl Tools<'_> {
    pub(super) fn check_text(
        &mut self,
        asked: &CheckText,
        observer: &dyn Observer,
    ) -> Answer<Value> {
        let (name, draft) = draft(self.fresh(observer)?, &asked.text, asked.path.as_deref())?;
        self.passages(&name, &draft, asked.cursor.start()?)
    }

    pub(super) fn check_page(
        &mut self,
        asked: &CheckPage,
        observer: &dyn Observer,
    ) -> Answer<Value> {
        let live = self.fresh(observer)?;
        let name = known_name(live, &asked.path)?;
        let Some(page) = live.read(&name) else {
            return mistake(format!(
                "'{name}' cannot be read as one document; of a file of records name one: FILE#ID"
            ));
        };
        self.passages(&name, &page, asked.cursor.start()?)
    }

    fn passages(&mut self, name: &str, page: &Ingested<'_>, start: usize) -> Answer<Value> {
        let site = self.site();
        let found = self.elsewhere(site.gate()?, name, page)?;
        let asked = Asked {
            name,
            is_there: site.live.has(name),
        };
        let answer = json!({
            "already_written": rounded(found.share),
            "accepted": found.settled,
            "perhaps": self.perhaps(&found, name, page),
        });
        let (all, is_much) = (found.passages.len(), found.share.percent() >= MUCH);
        let is_told = |share: u64| is_much || start > 0 || share >= SMALL;
        let passages = found.passages.iter().skip(start);
        let passages: Vec<_> = passages
            .take_while(|passage| is_told(passage.share.percent()))
            .collect();
        let room = SHORT / passages.len().clamp(1, 4) / 2;
        let records = passages.into_iter();
        let records = records.map(|passage| PassageRecord::new(&found, passage, asked, room));
        fitted(answer, "passages", records, start, all)
    }

    /// Returns where else the text of a page is.
    fn elsewhere(&self, gate: Gate, name: &str, page: &Ingested<'_>) -> Answer<Elsewhere> {
        match elsewhere(&self.site().live, gate, name, page)? {
            Some(found) => Ok(found),
            None => mistake(
                "it cannot be compared: it has no letter, ideograph or digit, or it asks to be left out",
            ),
        }
    }

    /// Returns the notes that may say the same as a short text in other words, if most of it is nowhere else.
    fn perhaps(&mut self, found: &Elsewhere, name: &str, text: &Ingested<'_>) -> Vec<Value> {
        if found.share.percent() >= MUCH || text.text.len() > LONGEST_NOTE {
            return Vec::new();
        }
        let live = &self.site.as_ref().expect("it was opened before").live;
        self.notes.refresh(live);
        let perhaps = self.notes.perhaps(name, text).into_iter();
        let record = |note: Perhaps| {
            json!({
                "my_lines": note.mine,
                "page": note.page,
                "lines": note.its,
                "text": shortened(&note.text),
            })
        };
        perhaps.map(record).collect()
    }

    pub(super) fn find_passage(
        &mut self,
        asked: &FindPassage,
        observer: &dyn Observer,
    ) -> Answer<Value> {
        let (name, text) = draft(self.fresh(observer)?, &asked.text, asked.path.as_deref())?;
        let found = self.elsewhere(Gate::default(), &name, &text)?;
        let mut wordings: Vec<String> = Vec::new();
        let mut places = Vec::new();
        for twin in found.passages.iter().flat_map(|passage| &passage.twins) {
            let words: Vec<&str> = twin.text.split_whitespace().collect();
            let wording = words.join(" ");
            let number = wordings.iter().position(|known| *known == wording);
            let number = number.unwrap_or_else(|| {
                wordings.push(wording);
                wordings.len() - 1
            });
            places.push(json!({
                "page": found.place(twin).page,
                "lines": twin.its,
                "wording": number + 1,
            }));
        }
        let (start, total) = (asked.cursor.start()?, places.len());
        let shown = wordings
            .iter()
            .take(MAX_WORDINGS)
            .map(|wording| shortened(wording));
        let answer = json!({
            "total": total,
            "wordings": shown.collect::<Vec<_>>(),
            "perhaps": self.perhaps(&found, &name, &text),
        });
        fitted(
            answer,
            "places",
            places.into_iter().skip(start),
            start,
            total,
        )
    }
}

/// Returns the name and the document of a draft.
fn draft(live: &Live, text: &str, path: Option<&str>) -> Answer<(String, Ingested<'static>)> {
    let name = path.map_or(Ok(String::new()), |path| name_of(live, path))?;
    match live.unsaved(&name, text) {
        Some(draft) => Ok((name, draft)),
        None => mistake("the text is too long to be compared"),
    }
}

/// Returns the beginning of a text.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(WORDING) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Adds records to an answer, as many as fit. They begin at a position in a list of so many.
pub(super) fn fitted<T: Serialize>(
    mut answer: Value,
    key: &str,
    records: impl IntoIterator<Item = T>,
    start: usize,
    total: usize,
) -> Answer<Value> {
    let mut room = SHORT.saturating_sub(answer.to_string().chars().count());
    let mut shown = Vec::new();
    for record in records {
        let record = serde_json::to_value(record).map_err(|error| anyhow!(error))?;
        let length = record.to_string().chars().count() + 1;
        if !shown.is_empty() && length > room {
            break;
        }
        room = room.saturating_sub(length);
        shown.push(record);
    }
    let next = start + shown.len();
    answer[key] = shown.into();
    answer["next_cursor"] = match next < total {
        true => next.to_string().into(),
        false => Value::Null,
    };
    Ok(answer)
}
