//! The pairs that can be opened in the page, and their rows.
//!
//! A page that a browser opens in a moment has no room for everything. The best pairs come first: a pair is
//! shown if the texts of its documents are in the page already or still fit. Of a very long document the
//! beginning is shown. All limits are sizes, so that the page is the same for the same documents.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use rayon::prelude::*;
use serde::Serialize;

use crate::again::with_room;
use crate::formats::html::{lang, write_json};
use crate::layout::{self, Layout, Row, Stretches};
use dupfind_decide::compare::passages::Passage;
use dupfind_decide::compare::side::Side;
use dupfind_decide::find_passages;
use dupfind_engine::{DocId, Pair, Result, in_pool};
use dupfind_scan::{Scan, ScanOptions, TextLost, TextRead, read_texts};

/// How much of a document is shown, in bytes: some 40 pages of a book.
const LONGEST: usize = 128 << 10;

/// How many bytes of text fit into a page.
const ROOM: usize = 24 << 20;

/// How many bytes the rows of all pairs may have.
const ROOM_FOR_ROWS: usize = 16 << 20;

/// How many bytes of text are compared at most; each pair counts with both of its documents. It bounds the time if
/// a few texts have very many pairs.
const WORK: usize = 768 << 20;

/// How many bytes of documents are read at once.
const READ_AT_ONCE: usize = 64 << 20;

/// How many bytes of text are cut into units at once. That needs some ten times as much memory.
const CUT_AT_ONCE: usize = 4 << 20;

/// Whether a pair can be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PairState {
    /// It can.
    Shown,
    /// Its texts are not in the page: there was no room, or it is not one of those that are opened.
    NotKept,
    /// One of its documents could not be read again.
    Unreadable,
    /// One of its documents was changed since it was compared.
    Changed,
}

/// The data that a page shows when a pair is opened.
#[derive(Debug, Default)]
pub(crate) struct Details {
    /// The texts of the documents that are shown, in the order of their ids.
    pub(super) texts: Vec<ShownText>,
    /// Whether each pair can be opened.
    pub(super) states: Vec<PairState>,
    /// The rows of the pairs that can, as JSON, with their numbers.
    pub(super) rows: Vec<(usize, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShownText {
    pub(super) id: DocId,
    pub(super) text: String,
    /// Whether this is only the beginning.
    pub(super) is_cut: bool,
    /// Its language as BCP 47 has it, if that is sure.
    pub(super) lang: Option<&'static str>,
}

impl Details {
    /// Reads the documents of those listed pairs again that are `opened`, the best pairs first, and compares them. Fails
    /// with [`Error::Threads`](dupfind_engine::Error::Threads).
    pub(crate) fn read(outcome: &Scan, pairs: &[Pair], opened: &[bool]) -> Result<Self> {
        let settings = &outcome.options;
        in_pool(settings.engine.threads, || {
            let length = |id: DocId| outcome.documents[id.index()].length;
            let of_opened = pairs.iter().zip(opened).filter(|(_, opened)| **opened);
            let two_each = of_opened.map(|(pair, _)| [pair.a, pair.b]);
            let ids = with_room(two_each, ROOM, |id| length(id).min(LONGEST));
            let texts = read(settings, outcome, &ids);
            Ok(Self::new(settings, pairs, opened, texts))
        })
    }

    /// Compares the documents of the listed pairs that are `opened`. `texts` are the documents there is room for, by id,
    /// without a text where it could not be read.
    pub(super) fn new(
        settings: &ScanOptions,
        pairs: &[Pair],
        opened: &[bool],
        texts: Vec<(DocId, TextRead)>,
    ) -> Self {
        let mut numbers: HashMap<DocId, std::result::Result<usize, TextLost>> = HashMap::new();
        let mut kept: Vec<ShownText> = Vec::new();
        for (id, text) in texts {
            numbers.insert(id, text.as_ref().map(|_| kept.len()).map_err(|lost| *lost));
            kept.extend(text.map(|text| ShownText::new(id, text)));
        }
        let mut work = WORK;
        let mut wanted = Vec::new();
        let mut states = vec![PairState::NotKept; pairs.len()];
        let numbered = pairs.iter().enumerate().filter(|(at, _)| opened[*at]);
        for (at, pair) in numbered {
            match [pair.a, pair.b].map(|id| numbers.get(&id)) {
                [Some(&Ok(a)), Some(&Ok(b))] => {
                    let cost = kept[a].text.len() + kept[b].text.len();
                    if let Some(left) = work.checked_sub(cost) {
                        work = left;
                        wanted.push((at, [a, b]));
                    }
                }
                [Some(Err(lost)), Some(_)] | [Some(_), Some(Err(lost))] => {
                    states[at] = match lost {
                        TextLost::Unreadable => PairState::Unreadable,
                        TextLost::Changed => PairState::Changed,
                    };
                }
                _ => {}
            }
        }
        let rows = compared(settings, &kept, &wanted);
        for &(at, _) in &rows {
            states[at] = PairState::Shown;
        }
        Self {
            texts: kept,
            states,
            rows,
        }
    }

    /// Returns the text of a document, if it is shown.
    pub(super) fn text(&self, id: DocId) -> Option<&ShownText> {
        let at = self.texts.binary_search_by_key(&id, |text| text.id).ok()?;
        Some(&self.texts[at])
    }

    pub(super) fn shown(&self) -> usize {
        self.rows.len()
    }
}

impl ShownText {
    /// Keeps as much of a text as is shown, up to the end of a line if there is one near.
    fn new(id: DocId, mut text: String) -> Self {
        let is_cut = text.len() > LONGEST;
        if is_cut {
            let mut end = LONGEST;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            let line_end = text[..end].rfind('\n').map_or(0, |at| at + 1);
            text.truncate(if line_end > end / 2 { line_end } else { end });
            text.shrink_to_fit();
        }
        Self {
            id,
            lang: lang(&text),
            text,
            is_cut,
        }
    }
}

/// Returns the texts of documents. Some are read at a time.
fn read(settings: &ScanOptions, outcome: &Scan, ids: &[DocId]) -> Vec<(DocId, TextRead)> {
    let mut texts = Vec::with_capacity(ids.len());
    let mut rest = ids;
    while !rest.is_empty() {
        let mut size = 0;
        let fitting = rest.iter().take_while(|id| {
            size += outcome.documents[id.index()].length;
            size <= READ_AT_ONCE
        });
        let (now, later) = rest.split_at(fitting.count().max(1));
        let read = read_texts(settings, outcome, now).into_iter();
        texts.extend(now.iter().copied().zip(read));
        rest = later;
    }
    texts
}

/// Returns the rows of pairs of texts, as JSON with the numbers of the pairs, as far as there is room.
fn compared(
    settings: &ScanOptions,
    texts: &[ShownText],
    wanted: &[(usize, [usize; 2])],
) -> Vec<(usize, String)> {
    let mut done = Vec::with_capacity(wanted.len());
    let mut room = ROOM_FOR_ROWS;
    let mut rest = wanted;
    while !rest.is_empty() {
        let (used, count) = batch(texts, rest);
        let (now, later) = rest.split_at(count);
        let shown: HashMap<usize, PageDocument<'_>> = used
            .into_par_iter()
            .map(|at| {
                let text = texts[at].text.as_str();
                let side = Side::new(text, &settings.engine);
                let offsets = Offsets::new(text);
                (at, PageDocument { side, offsets })
            })
            .collect();
        let found: Vec<(usize, String)> = now
            .par_iter()
            .map(|(at, [a, b])| (*at, json(&shown[a], &shown[b])))
            .collect();
        for (at, rows) in found {
            let Some(left) = room.checked_sub(rows.len()) else {
                return done;
            };
            room = left;
            done.push((at, rows));
        }
        rest = later;
    }
    done
}

/// Returns the texts of the next pairs that are compared together, and how many pairs these are.
fn batch(texts: &[ShownText], pairs: &[(usize, [usize; 2])]) -> (BTreeSet<usize>, usize) {
    let (mut used, mut size) = (BTreeSet::new(), 0);
    for (count, (_, sides)) in pairs.iter().enumerate() {
        let new = sides.iter().filter(|at| !used.contains(*at));
        size += new.map(|&at| texts[at].text.len()).sum::<usize>();
        if size > CUT_AT_ONCE && count > 0 {
            return (used, count);
        }
        used.extend(sides);
    }
    (used, pairs.len())
}

fn json(a: &PageDocument<'_>, b: &PageDocument<'_>) -> String {
    let mut json = Vec::new();
    write_json(&rows(a, b), &mut json).expect("memory takes anything");
    String::from_utf8(json).expect("JSON is UTF-8")
}

/// A document of a pair.
#[derive(Debug)]
pub(super) struct PageDocument<'t> {
    pub(super) side: Side<'t>,
    pub(super) offsets: Offsets,
}

/// One row: a list that begins with its kind. Places and lengths are in UTF-16 code units.
#[derive(Debug, Serialize, PartialEq, Eq)]
#[serde(untagged)]
pub(super) enum PageRow {
    /// A passage: 0, or 1 if it was moved; where it begins in both documents; how many units are the
    /// same; and its blocks.
    Passage(u8, usize, usize, usize, Vec<Block>),
    /// 2, and stretches that only one document has: place and length in the first, then in the second
    /// one. At most one of them is empty.
    Only(u8, usize, usize, usize, usize),
    /// 3, and the number of a passage that is here in the second document.
    Elsewhere(u8, usize),
}

/// Lengths of stretches that follow each other in the first document, and in the second one: equal and changed ones by
/// turns.
type Block = [Vec<usize>; 2];

/// Returns the rows of two documents.
pub(super) fn rows(a: &PageDocument<'_>, b: &PageDocument<'_>) -> Vec<PageRow> {
    let shared = find_passages(&a.side, &b.side);
    let layout = Layout::new(&a.side, &b.side, &shared, true);
    let rows = layout.rows().into_iter().map(|row| match row {
        Row::Passage(found) => passage(found, &layout, a, b),
        Row::Only([in_a, in_b]) => {
            let [(start_a, length_a), (start_b, length_b)] = [place(in_a, a), place(in_b, b)];
            PageRow::Only(2, start_a, length_a, start_b, length_b)
        }
        Row::Elsewhere(number) => PageRow::Elsewhere(3, number),
    });
    rows.collect()
}

/// Returns where units are and how long their text is; both are 0 without units.
fn place(units: Option<Range<usize>>, shown: &PageDocument<'_>) -> (usize, usize) {
    let Some(units) = units else { return (0, 0) };
    let place = shown.side.stretch(&units);
    let (start, end) = (shown.offsets.of(place.start), shown.offsets.of(place.end));
    (start, end - start)
}

fn passage(
    passage: &Passage,
    layout: &Layout<'_, '_>,
    a: &PageDocument<'_>,
    b: &PageDocument<'_>,
) -> PageRow {
    let blocks = layout.passage(passage).into_iter();
    let blocks = blocks.filter_map(|block| match block {
        layout::Block::Places([in_a, in_b]) => Some([lengths(&in_a, a), lengths(&in_b, b)]),
        layout::Block::Hidden(_) => None,
    });
    let start = |shown: &PageDocument<'_>, units| shown.offsets.of(shown.side.stretch(units).start);
    PageRow::Passage(
        u8::from(passage.is_moved),
        start(a, &passage.a),
        start(b, &passage.b),
        passage.same(),
        blocks.collect(),
    )
}

/// Returns the lengths of stretches by turns: same, changed, same again.
fn lengths(stretches: &Stretches, shown: &PageDocument<'_>) -> Vec<usize> {
    let mut lengths = Vec::new();
    for (place, is_changed) in stretches {
        let length = shown.offsets.of(place.end) - shown.offsets.of(place.start);
        let is_turn = lengths.len() % 2 == usize::from(*is_changed);
        match lengths.last_mut() {
            Some(last) if !is_turn => *last += length,
            _ if !is_turn => lengths.extend([0, length]),
            _ => lengths.push(length),
        }
    }
    lengths
}

/// For each byte of a text, and its end, how many UTF-16 code units are before it.
#[derive(Debug)]
pub(super) struct Offsets(Vec<u32>);

impl Offsets {
    pub(super) fn new(text: &str) -> Self {
        let mut before = Vec::with_capacity(text.len() + 1);
        let mut units = 0;
        for c in text.chars() {
            before.resize(before.len() + c.len_utf8(), units);
            units += u32::from(c > '\u{ffff}') + 1;
        }
        before.push(units);
        Self(before)
    }

    /// Returns a place between two characters, given in bytes, in code units.
    pub(super) fn of(&self, place: usize) -> usize {
        self.0[place] as usize
    }
}

#[cfg(test)]
mod tests;
