//! The pairs that can be opened in the page, and their rows.
//!
//! A page that a browser opens in a moment has no room for everything. The best pairs come first: a pair is
//! shown if the texts of its documents are in the page already or still fit. Of a very long document the
//! beginning is shown. All limits are sizes, so that the page is the same for the same documents.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use crate::formats::html::lang::lang;
use crate::formats::html::page::write_json;
use crate::formats::html::rows::Offsets;
use crate::formats::html::rows::{PageDocument, rows};
use dupfind_decide::compare::side::Side;
use dupfind_engine::DocId;
use dupfind_engine::Result;
use dupfind_engine::run::threads::in_pool;
use dupfind_engine::verdict::pair::Pair;
use dupfind_scan::texts::{TextLost, TextRead, read_texts};
use dupfind_scan::{Scan, ScanOptions};

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
    /// There was no room for it.
    NoRoom,
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
    /// Reads the documents of the listed pairs again, the best pairs first, and compares them. Fails with
    /// [`Error::Threads`](dupfind_engine::Error::Threads).
    pub(crate) fn read(outcome: &Scan, pairs: &[Pair]) -> Result<Self> {
        let settings = &outcome.options;
        in_pool(settings.engine.threads, || {
            let length = |id: DocId| outcome.documents[id.index()].length;
            let ids = chosen(pairs, length);
            Ok(Self::new(settings, pairs, read(settings, outcome, &ids)))
        })
    }

    /// Compares the documents of the listed pairs. `texts` are the documents there is room for, by id, without a
    /// text where it could not be read.
    pub(super) fn new(
        settings: &ScanOptions,
        pairs: &[Pair],
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
        let mut states = vec![PairState::NoRoom; pairs.len()];
        for (at, pair) in pairs.iter().enumerate() {
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

/// Returns the documents of the pairs there is room for, ascending.
fn chosen(pairs: &[Pair], length: impl Fn(DocId) -> usize) -> Vec<DocId> {
    let mut room = ROOM;
    let mut chosen = BTreeSet::new();
    for pair in pairs {
        let new = [pair.a, pair.b].into_iter();
        let new = new.filter(|id| !chosen.contains(id));
        let needed: usize = new.map(|id| length(id).min(LONGEST)).sum();
        if let Some(left) = room.checked_sub(needed) {
            room = left;
            chosen.extend([pair.a, pair.b]);
        }
    }
    chosen.into_iter().collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use dupfind_engine::detect::Detector;
    use dupfind_engine::detect::measures::Agreeing;
    use dupfind_engine::verdict::Rule;

    fn pair(a: u32, b: u32) -> Pair {
        Pair {
            a: DocId::from(a),
            b: DocId::from(b),
            hamming: Some(0),
            sets: None,
            rule: Rule::BySignatures,
            found_by: Detector::Simhash.into(),
            agreeing: Agreeing::default(),
        }
    }

    #[test]
    fn a_pair_of_documents_that_are_there_costs_nothing() {
        // Each document is as long as any that is shown.
        let places = u32::try_from(ROOM / LONGEST).unwrap();
        let mut pairs: Vec<Pair> = (0..places).map(|at| pair(2 * at, 2 * at + 1)).collect();
        pairs.push(pair(0, 3));
        let ids = chosen(&pairs, |_| usize::MAX);
        assert!(ids.iter().copied().eq((0..places).map(DocId::from)));
        // Short ones may still fit where a long one did not.
        let is_long = |id| id < DocId::from(places + 2);
        let ids = chosen(&pairs, |id| if is_long(id) { LONGEST } else { 0 });
        assert!(!ids.contains(&DocId::from(places)) && ids.contains(&DocId::from(places + 2)));
    }
}
