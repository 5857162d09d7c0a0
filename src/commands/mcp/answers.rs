//! The answers of the tools.

use anyhow::anyhow;
use dupfind_decide::elsewhere::{Elsewhere, Page, elsewhere};
use dupfind_decide::gate::Gate;
use dupfind_engine::run::observer::Observer;
use dupfind_read::Ingested;
use dupfind_report::listings::elsewhere::{PlaceRecord, advice, rounded, verdict};
use dupfind_report::listings::work::work;
use dupfind_report::model::Report;
use dupfind_scan::Scan;
use serde::Serialize;
use serde_json::{Value, json};

use crate::commands::mcp::schema::MAX_LIMIT;
use crate::commands::mcp::tools::{
    Answer, CheckPage, CheckText, Compare, FindPassage, ListDuplicates, Part, Tools, known_name,
    mistake, name_of,
};
use crate::decision::baseline::bytes;

/// The most characters of an answer, unless a limit is wanted.
const SHORT: usize = 1_400;

/// The most documents in which a paragraph is looked for.
const MAX_PLACES: usize = 200;

const TOO_LONG: &str = "the text is too long to be compared";

/// The most characters of a wording.
const WORDING: usize = 160;

impl Tools<'_> {
    pub(super) fn check_text(
        &mut self,
        asked: &CheckText,
        observer: &dyn Observer,
    ) -> Answer<Value> {
        let (live, _) = self.fresh(observer)?;
        let name = asked
            .path
            .as_deref()
            .map_or(Ok(String::new()), |path| name_of(live, path))?;
        let Some(draft) = live.unsaved(&name, &asked.text) else {
            return mistake(TOO_LONG);
        };
        self.places(json!({}), &name, &draft, &asked.part)
    }

    pub(super) fn check_page(
        &mut self,
        asked: &CheckPage,
        observer: &dyn Observer,
    ) -> Answer<Value> {
        let (live, changed) = self.fresh(observer)?;
        let name = known_name(live, &asked.path)?;
        let Some(page) = live.read(&name) else {
            return unread(&name);
        };
        let answer = json!({
            "page": name,
            "changed_since_last_call": {"read": changed.read, "gone": changed.gone},
        });
        self.places(answer, &name, &page, &asked.part)
    }

    fn places(
        &self,
        mut answer: Value,
        name: &str,
        page: &Ingested<'_>,
        part: &Part,
    ) -> Answer<Value> {
        let site = self.site();
        let found = elsewhere(&site.live, site.gate()?, name, page)?;
        let Some(Elsewhere {
            places,
            share,
            settled,
        }) = found
        else {
            return mistake(
                "it cannot be compared: it has no letter, ideograph or digit, or it asks to be left out",
            );
        };
        answer["already_written"] = rounded(share).into();
        answer["accepted"] = settled.into();
        let records = places.iter().map(PlaceRecord::new);
        fitted(answer, "places", records.collect(), 0, part)
    }

    pub(super) fn list_duplicates(
        &mut self,
        asked: &ListDuplicates,
        observer: &dyn Observer,
    ) -> Answer<Value> {
        let (live, _) = self.fresh(observer)?;
        let folder = asked
            .folder
            .as_deref()
            .filter(|folder| !matches!(folder.trim_matches('/'), "" | "."));
        let folder = folder.map(|folder| name_of(live, folder)).transpose()?;
        let start = asked.part.start()?;
        let count = asked.part.limit()?.unwrap_or(MAX_LIMIT / 5);
        let (scan, gate) = self.scanned(observer)?;
        let typed = Default::default();
        let report = Report {
            typed: &typed,
            ..Report::new(scan, gate)
        };
        let is_listed = |name: &str| {
            folder.as_ref().is_none_or(|folder| {
                let rest = name.strip_prefix(folder.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        let found = work(&report, is_listed, start, count)?;
        let answer = json!({
            "documents": scan.documents.len(),
            "pairs": gate.open_counts(scan.pair_counts).total(),
            "total": found.total,
        });
        let records: Vec<_> = found.records.into_iter().collect();
        fitted_of(
            answer,
            "entries",
            records,
            start,
            found.total,
            asked.part.limit()?,
        )
    }

    /// Returns all pairs, as they are now.
    fn scanned(&mut self, observer: &dyn Observer) -> Answer<&(Scan, Gate)> {
        let site = self.site();
        let state = (site.live.generation(), bytes(&site.baseline)?);
        let known = self.scanned.take().filter(|(known, _)| *known == state);
        let all = match known {
            Some((_, known)) => known,
            None => self.site().scanned(observer)?,
        };
        Ok(&self.scanned.insert((state, all)).1)
    }

    pub(super) fn find_passage(
        &mut self,
        asked: &FindPassage,
        observer: &dyn Observer,
    ) -> Answer<Value> {
        let (live, _) = self.fresh(observer)?;
        let Some(text) = live.unsaved("", &asked.text) else {
            return mistake(TOO_LONG);
        };
        let names = live.having(&text, MAX_PLACES)?;
        let mut page = Page::new(live, &text);
        let (mut wordings, mut places): (Vec<String>, Vec<Value>) = Default::default();
        for name in names {
            let Some(place) = page.place(&name, None) else {
                continue;
            };
            let Some(longest) = place.passages.iter().max_by_key(|passage| passage.units) else {
                continue;
            };
            let words: Vec<&str> = longest.its_text.split_whitespace().collect();
            let wording = words.join(" ");
            let number = wordings.iter().position(|known| *known == wording);
            let number = number.unwrap_or_else(|| {
                wordings.push(wording);
                wordings.len() - 1
            });
            places.push(json!({
                "page": name,
                "title": place.title,
                "lines": longest.its,
                "share": rounded(place.share),
                "wording": number + 1,
            }));
        }
        let shown = wordings.iter().take(3).map(|wording| shortened(wording));
        let answer = json!({"total": places.len(), "wordings": shown.collect::<Vec<_>>()});
        fitted(answer, "places", places, 0, &asked.part)
    }

    pub(super) fn compare(&mut self, asked: &Compare, observer: &dyn Observer) -> Answer<Value> {
        let (live, _) = self.fresh(observer)?;
        let [a, b] = [known_name(live, &asked.a)?, known_name(live, &asked.b)?];
        if a == b {
            return mistake("'a' and 'b' are the same page: name two");
        }
        let Some(page) = live.read(&a) else {
            return unread(&a);
        };
        let found = elsewhere(live, Gate::default(), &a, &page)?;
        let known = found.and_then(|found| found.places.into_iter().find(|place| place.page == b));
        let known = known.or_else(|| Page::new(live, &page).place(&b, None));
        let Some(place) = known else {
            return unread(&b);
        };
        let is_nothing = place.pair.is_none() && place.passages.is_empty();
        let answer = json!({
            "verdict": if is_nothing { "none" } else { verdict(&place) },
            "share_of_a": rounded(place.share),
            "share_of_b": rounded(place.its_share),
            "advice": if is_nothing { "Nothing to do: they share no passage".to_owned() } else { advice(&place) },
            "total": place.passages.len(),
        });
        let passages = place.passages.iter().map(|passage| {
            json!({"a_lines": passage.mine, "b_lines": passage.its, "same_units": passage.units})
        });
        fitted(answer, "passages", passages.collect(), 0, &asked.part)
    }
}

fn unread<T>(name: &str) -> Answer<T> {
    mistake(format!(
        "'{name}' cannot be read as one document; of a file of records name one: FILE#ID"
    ))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(WORDING) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Adds the wanted part of a list to an answer.
fn fitted<T: Serialize>(
    answer: Value,
    key: &str,
    records: Vec<T>,
    before: usize,
    part: &Part,
) -> Answer<Value> {
    let (start, total) = (part.start()?, records.len());
    let records = records.into_iter().skip(start).collect();
    fitted_of(answer, key, records, before + start, total, part.limit()?)
}

/// As [`fitted`], of records that begin at a position in a list of so many.
fn fitted_of<T: Serialize>(
    mut answer: Value,
    key: &str,
    records: Vec<T>,
    start: usize,
    total: usize,
    limit: Option<usize>,
) -> Answer<Value> {
    let mut room = SHORT.saturating_sub(answer.to_string().chars().count());
    let mut shown = Vec::new();
    for record in records {
        let record = serde_json::to_value(record).map_err(|error| anyhow!(error))?;
        let length = record.to_string().chars().count() + 1;
        let fits = match limit {
            Some(limit) => shown.len() < limit,
            None => shown.is_empty() || length <= room,
        };
        if !fits {
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
