//! What is found by reading the documents of shown entries again: their titles, and what differs in them.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::Path;

use encoding_rs::Encoding;
use rayon::prelude::*;

use crate::formats::worklist::differences::Differences;
use crate::formats::worklist::title::{HEAD, title};
use crate::model::Report;
use dupfind_decide::clean::worklist::{Entry, Kind, Worklist};
use dupfind_engine::DocId;
use dupfind_engine::Result;
use dupfind_engine::run::threads::in_pool;
use dupfind_engine::text::segmenter::Segmenter;
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::Pair;
use dupfind_scan::ScanOptions;
use dupfind_scan::outcome::Outcome;
use dupfind_scan::texts::{TextRead, read_texts};

/// The most entries whose documents are read again. Nobody looks at more of them at once.
const MAX_ENTRIES: usize = 50;

/// The most documents of an entry that are read again.
const MEMBERS: usize = 20;

/// The most text that is read again, in bytes. All of it is in memory at one time.
const MAX_TEXT: usize = 8 << 20;

/// Longer documents are not compared again, which takes half a second for each megabyte.
const LONGEST: usize = 128 << 10;

/// How many bytes of text are compared again.
const WORK: usize = 2 << 20;

/// What was found by reading documents again. Of a document that was changed since it was compared there is nothing.
#[derive(Debug, Default)]
pub(crate) struct Details {
    titles: HashMap<DocId, String>,
    /// By the positions of entries.
    differences: HashMap<usize, Differences>,
}

impl Details {
    /// Reads the documents of the first entries of those that are shown, as far as there is room. `shown` is how many entries
    /// are shown that do not only sum pairs up, and how many that do.
    ///
    /// # Errors
    ///
    /// Threads cannot be started.
    pub(crate) fn read(
        report: &Report<'_>,
        list: &Worklist,
        shown: (usize, usize),
    ) -> Result<Self> {
        let (settings, outcome) = (report.settings, report.outcome);
        let numbered = || list.entries().iter().enumerate();
        let single = numbered().filter(|(_, entry)| !entry.kind.is_sum());
        let sums = numbered().filter(|(_, entry)| entry.kind.is_sum());
        let entries = single
            .take(shown.0.min(MAX_ENTRIES))
            .chain(sums.take(shown.1.min(MAX_ENTRIES)));
        let entries: Vec<(usize, &Entry)> = entries.collect();
        in_pool(settings.engine.threads, || {
            let pairs = report.pairs.unwrap_or_default();
            let ids = chosen(outcome, list, &entries, pairs);
            let texts: HashMap<DocId, TextRead> = {
                let read = read_texts(settings, outcome, &ids).into_iter();
                ids.iter().copied().zip(read).collect()
            };
            let readable = ids.par_iter().filter(|id| texts[id].is_ok());
            let titles = readable.filter_map(|&id| Some((id, title_of(settings, outcome, id)?)));
            Ok(Self {
                titles: titles.collect(),
                differences: differences(report, list, &entries, &texts),
            })
        })
    }

    /// Returns the title of a document.
    pub(crate) fn title(&self, id: DocId) -> Option<&str> {
        self.titles.get(&id).map(String::as_str)
    }

    /// Returns what differs in the documents of an entry, by its position.
    pub(super) fn differences(&self, entry: usize) -> Option<&Differences> {
        self.differences.get(&entry)
    }
}

/// Returns the documents of entries there is room for: of variants the two that are most alike, and of other sums none.
fn chosen(
    outcome: &Outcome,
    list: &Worklist,
    entries: &[(usize, &Entry)],
    pairs: &[Pair],
) -> Vec<DocId> {
    let mut room = MAX_TEXT;
    let mut seen = HashSet::new();
    let mut chosen = Vec::new();
    for (_, entry) in entries {
        let members = list.members(entry);
        let documents: Vec<DocId> = match (entry.kind, members) {
            (Kind::Variants, [first, ..]) => [pairs[first.pair].a, pairs[first.pair].b].into(),
            (kind, _) if kind.is_sum() => continue,
            _ => [entry.document]
                .into_iter()
                .chain(members.iter().map(|member| member.document))
                .take(MEMBERS)
                .collect(),
        };
        for id in documents {
            let length = outcome.documents[id.index()].length;
            if let Some(left) = room.checked_sub(length)
                && seen.insert(id)
            {
                room = left;
                chosen.push(id);
            }
        }
    }
    chosen
}

/// Compares the documents of each entry that has two, but for copies, and the two of variants that are most alike.
fn differences(
    report: &Report<'_>,
    list: &Worklist,
    entries: &[(usize, &Entry)],
    texts: &HashMap<DocId, TextRead>,
) -> HashMap<usize, Differences> {
    let text = |id: DocId| {
        texts
            .get(&id)?
            .as_deref()
            .ok()
            .filter(|text| text.len() <= LONGEST)
    };
    let pairs = report.pairs.unwrap_or_default();
    let mut work = WORK;
    let mut wanted = Vec::new();
    for &(at, entry) in entries {
        let two = match (entry.kind, list.members(entry)) {
            (Kind::Group, [member]) if pairs[member.pair].relation != Relation::Exact => {
                [entry.document, member.document]
            }
            (Kind::Variants, [first, ..]) => [pairs[first.pair].a, pairs[first.pair].b],
            _ => continue,
        };
        if let [Some(a), Some(b)] = two.map(text)
            && let Some(left) = work.checked_sub(a.len() + b.len())
        {
            work = left;
            let format = report.outcome.sources.of(two[0]).format;
            wanted.push((at, (a, format), b));
        }
    }
    let segmenter = Segmenter::new();
    let compared = wanted
        .into_par_iter()
        .map(|(at, a, b)| (at, Differences::new(a, b, report.settings, &segmenter)));
    compared.collect()
}

/// Returns the title of a document that is a whole file.
pub(crate) fn title_of(settings: &ScanOptions, outcome: &Outcome, id: DocId) -> Option<String> {
    let source = outcome.sources.of(id);
    let file = outcome.sources.file(id).filter(|_| !source.is_record())?;
    let head = head(settings.walk.on_disk(file)).ok()?;
    title(&head, source.format, source.encoding)
}

/// Returns the beginning of a document that is a whole file, decoded.
pub(super) fn decoded_head(settings: &ScanOptions, outcome: &Outcome, id: DocId) -> Option<String> {
    let source = outcome.sources.of(id);
    let file = outcome.sources.file(id).filter(|_| !source.is_record())?;
    let head = head(settings.walk.on_disk(file)).ok()?;
    let encoding = Encoding::for_label(source.encoding.as_bytes())?;
    Some(encoding.decode(&head).0.into_owned())
}

fn head(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let file = File::open(file)?;
    file.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}
