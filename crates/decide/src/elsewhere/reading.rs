//! The page and the documents that it is compared with, cut into units.

use std::ops::Range;

use crate::compare::passages::Passage as Shared;
use crate::compare::refine::LEAST_EQUAL;
use crate::compare::search::find_passages_of;
use crate::compare::side::{LEAST, Side};
use crate::elsewhere::{Kind, PASSAGE, Place, is_duplicate};
use dupfind_engine::text::blocks::{Block, BlockKind, blocks};
use dupfind_engine::verdict::pair::Share;
use dupfind_engine::{Document, Options, Pair, Relation};
use dupfind_read::Ingested;
use dupfind_scan::Live;

/// Another document, as it was read.
pub(super) struct Read {
    pub(super) name: String,
    pub(super) pair: Option<Pair>,
    document: Ingested<'static>,
}

impl Read {
    /// Returns the document of a name; `None` if it cannot be read any more.
    pub(super) fn new(live: &Live, name: &str, pair: Option<Pair>) -> Option<Self> {
        Some(Self {
            name: name.to_owned(),
            pair,
            document: live.read(name)?,
        })
    }

    /// Returns its headings.
    pub(super) fn headings(&self) -> Vec<Block<'_>> {
        let mut blocks = blocks(&self.document.text, &self.document.layout);
        blocks.retain(|block| block.kind == BlockKind::Heading);
        blocks
    }
}

/// The page.
pub(super) struct Own<'p> {
    pub(super) side: Side<'p>,
    options: &'p Options,
    /// Where its code is, in bytes.
    code: Vec<Range<usize>>,
    /// Of each unit, whether it is in running text: no heading, code or row of a table.
    is_running: Vec<bool>,
}

/// The most units of a text that has no long runs if some of its words are changed.
const SHORT: usize = 160;

/// Words of which a licence or a notice has two, and one for so many units.
const OF_ONE_WORD: usize = 60;
const OF_LICENCES: [&str; 12] = [
    "license",
    "licence",
    "licensed",
    "copyright",
    "warranty",
    "warranties",
    "without limitation",
    "all rights reserved",
    "许可证",
    "版权",
    "著作权",
    "免责",
];

/// Another document with the passages that the page and it share.
pub(super) struct Other<'r> {
    pub(super) read: &'r Read,
    pub(super) side: Side<'r>,
    /// In the order of the page.
    pub(super) passages: Vec<Shared>,
}

/// Returns the fewest units that are a passage of a text with so many: most of a short text.
pub(super) fn least(units: usize) -> usize {
    PASSAGE.min((units * 3).div_ceil(5)).max(1)
}

impl<'p> Own<'p> {
    pub(super) fn new(page: &'p Ingested<'_>, options: &'p Options) -> Self {
        use BlockKind::{Caption, Code, Heading, TableRow};
        let side = Side::of_file(&page.text, page.format, options);
        let of = |kinds: &[_]| page.layout.blocks_of(kinds, page.text.len());
        let other = of(&[Caption, Code, Heading, TableRow]);
        let is_running = (0..side.units().len()).map(|unit| {
            let at = side.stretch(&(unit..unit + 1)).start;
            let next = other.get(other.partition_point(|block| block.end <= at));
            next.is_none_or(|block| block.start > at)
        });
        Self {
            is_running: is_running.collect(),
            options,
            code: of(&[Code]),
            side,
        }
    }

    /// Returns what the text of some units is.
    pub(super) fn kind(&self, units: &Range<usize>) -> Kind {
        let stretch = self.side.stretch(units);
        let within = self.code.iter().map(|code| {
            let end = code.end.min(stretch.end);
            end.saturating_sub(code.start.max(stretch.start))
        });
        if within.sum::<usize>() * 2 > stretch.len() {
            return Kind::Code;
        }
        let text = self.side.text()[stretch].to_lowercase();
        let counts = OF_LICENCES.map(|word| text.matches(word).count());
        let known = counts.iter().filter(|count| **count > 0).count();
        match known > 1 && counts.iter().sum::<usize>() * OF_ONE_WORD >= units.len() {
            true => Kind::Licence,
            false => Kind::Text,
        }
    }

    /// Returns the most units of running text in a row that a passage has without a change.
    pub(super) fn run(&self, passage: &Shared) -> usize {
        let same = passage.parts.iter().filter(|part| part.is_same);
        let runs = same.map(|part| {
            self.is_running[part.a.clone()]
                .iter()
                .filter(|is| **is)
                .count()
        });
        runs.max().unwrap_or(0)
    }

    /// Returns what another document shares with the page; `None` if that is no passage.
    pub(super) fn shared<'r>(&self, read: &'r Read) -> Option<Other<'r>> {
        let side = Side::of_file(&read.document.text, read.document.format, self.options);
        let units = self.side.units().len();
        let shorter = match read.pair {
            Some(_) => units.min(side.units().len()),
            None => units,
        };
        // A short text with a few changes has no long runs.
        let seed = match shorter {
            0..=SHORT => LEAST_EQUAL.min(shorter / 4).max(3),
            _ => LEAST,
        };
        let passages = find_passages_of(&self.side, &side, seed).passages;
        let mut passages: Vec<Shared> = passages.into_iter().flat_map(Shared::dense).collect();
        let longest = passages.iter().map(Shared::same).max()?;
        // Two that are much alike share a passage in any case.
        let least = match read.pair.map(|pair| pair.relation()) {
            Some(relation) if relation <= Relation::Variant => least(shorter).min(longest),
            Some(_) => least(shorter),
            None => least(units),
        };
        passages.retain(|passage| passage.same() >= least);
        let is_any = !passages.is_empty();
        is_any.then_some(Other {
            read,
            side,
            passages,
        })
    }

    /// Returns whether the lines of some units have no other units.
    pub(super) fn is_of_whole_lines(&self, units: &Range<usize>) -> bool {
        let (first, last) = self.side.lines(units);
        let line_of = |unit: usize| self.side.lines(&(unit..unit + 1));
        let before = units.start.checked_sub(1).map(|unit| line_of(unit).1);
        let behind = (units.end < self.side.units().len()).then(|| line_of(units.end).0);
        before.is_none_or(|line| line < first) && behind.is_none_or(|line| line > last)
    }

    /// Returns the share of the page that so many units are.
    pub(super) fn share(&self, units: usize) -> Share {
        let [units, all] =
            [units, self.side.units().len()].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        Share::new(units, all)
    }
}

impl Other<'_> {
    /// Returns whether it is a duplicate of the page.
    pub(super) fn is_duplicate(&self) -> bool {
        is_duplicate(self.read.pair.as_ref())
    }

    /// Returns how many units it shares with the page.
    pub(super) fn same(&self) -> usize {
        self.passages.iter().map(Shared::same).sum()
    }

    /// Returns its names and share. The page is the first one of the documents of a pair.
    pub(super) fn place(&self, own: &Own<'_>, documents: &[Document]) -> Place {
        let of_pair = self.read.pair.and_then(|pair| pair.shares(documents));
        let title = self.read.document.titled().title(&mut String::new());
        Place {
            page: self.read.name.clone(),
            title: title.shown().map(str::to_owned),
            pair: self.read.pair,
            share: of_pair.map_or_else(|| own.share(self.same()), |[share, _]| share),
        }
    }
}
