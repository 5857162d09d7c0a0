//! The answers about one text: where else it is.

use dupfind_decide::Gate;
use dupfind_decide::elsewhere::{Elsewhere, Notes, Perhaps, elsewhere};
use dupfind_read::Ingested;
use dupfind_report::listings::elsewhere::{Asked, PassageRecord, rounded};
use dupfind_scan::Live;
use serde_json::{Value, json};

use crate::commands::mcp::call::{
    Answer, Cursor, OfPage, OfText, SHORT, fitted, known_name, mistake, name_of, shortened,
};
use crate::decision::live::Site;

/// The share of a page from which on a passage is in the first answer, in hundredths, unless much of the page is elsewhere, or the
/// passage names a duplicate.
const SMALL: u64 = 5;
const MUCH: u64 = 30;

/// The most bytes of a text that may be a note.
const LONGEST_NOTE: usize = 1_500;

/// The most wordings.
const MAX_WORDINGS: usize = 3;

pub(super) fn check_text(site: &Site, notes: &mut Notes, asked: &OfText) -> Answer<Value> {
    let (name, draft) = draft(&site.live, &asked.text, asked.path.as_deref())?;
    passages(site, notes, (&name, &draft), &asked.cursor)
}

pub(super) fn check_page(site: &Site, notes: &mut Notes, asked: &OfPage) -> Answer<Value> {
    let name = known_name(&site.live, &asked.path)?;
    let Some(page) = site.live.read(&name) else {
        return mistake(format!(
            "'{name}' cannot be read as one document; of a file of records name one: FILE#ID"
        ));
    };
    passages(site, notes, (&name, &page), &asked.cursor)
}

fn passages(
    site: &Site,
    notes: &mut Notes,
    (name, page): (&str, &Ingested<'_>),
    cursor: &Cursor,
) -> Answer<Value> {
    let start = cursor.start()?;
    let found = found(&site.live, site.gate()?, name, page)?;
    let asked = Asked {
        name,
        is_there: site.live.has(name),
    };
    let answer = json!({
        "already_written": rounded(found.share),
        "accepted": found.accepted,
        "apart": found.apart,
        "perhaps": perhaps(&site.live, notes, &found, name, page),
    });
    let is_much = found.share.percent() >= MUCH;
    let told = found.passages.iter().skip(found.duplicates);
    let told = told.take_while(|passage| is_much || passage.share.percent() >= SMALL);
    let told = found.duplicates + told.count();
    let room = SHORT / told.clamp(1, 4) / 2;
    // First each passage, and then the names that did not fit.
    let (mut records, mut more) = (Vec::new(), Vec::new());
    for passage in &found.passages {
        let mut parts = PassageRecord::parts(&found, passage, asked, room).into_iter();
        records.extend(parts.next());
        more.extend(parts);
    }
    records.extend(more);
    let total = records.len();
    let shown = if cursor.is_given() { total } else { told };
    let shown = records.into_iter().take(shown).skip(start);
    fitted(answer, "passages", shown, start, total)
}

/// Returns where else the text of a page is.
fn found(live: &Live, gate: Gate, name: &str, page: &Ingested<'_>) -> Answer<Elsewhere> {
    match elsewhere(live, gate, name, page)? {
        Some(found) => Ok(found),
        None => mistake(
            "it cannot be compared: it has no letter, ideograph or digit, or it asks to be left out",
        ),
    }
}

/// Returns the notes that may say the same as a short text in other words, if most of it is nowhere else.
fn perhaps(
    live: &Live,
    notes: &mut Notes,
    found: &Elsewhere,
    name: &str,
    text: &Ingested<'_>,
) -> Vec<Value> {
    if found.share.percent() >= MUCH || text.text.len() > LONGEST_NOTE {
        return Vec::new();
    }
    let record = |note: Perhaps| {
        json!({
            "my_lines": note.mine,
            "page": note.page,
            "lines": note.its,
            "text": shortened(&note.text),
        })
    };
    notes
        .perhaps(live, name, text)
        .into_iter()
        .map(record)
        .collect()
}

pub(super) fn find_passage(site: &Site, notes: &mut Notes, asked: &OfText) -> Answer<Value> {
    let live = &site.live;
    let (name, text) = draft(live, &asked.text, asked.path.as_deref())?;
    let found = found(live, Gate::default(), &name, &text)?;
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
        "perhaps": perhaps(live, notes, &found, &name, &text),
    });
    fitted(
        answer,
        "places",
        places.into_iter().skip(start),
        start,
        total,
    )
}

/// Returns the name and the document of a draft.
fn draft(live: &Live, text: &str, path: Option<&str>) -> Answer<(String, Ingested<'static>)> {
    let name = path.map_or(Ok(String::new()), |path| name_of(live, path))?;
    match live.unsaved(&name, text) {
        Some(draft) => Ok((name, draft)),
        None => mistake("the text is too long to be compared"),
    }
}
