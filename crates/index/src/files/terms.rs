//! Terms in ascending order, each with a value, in a file of pages. A term is looked up with a few reads.
//!
//! The terms are at the beginning of the file, as varints: the difference to the term before it, and the value. The first
//! term that begins in a stretch of 1022 bytes, a quarter of a page, is written as a whole. Behind the terms there is one
//! *fence* for each stretch: the first term that begins in it (8 bytes) and where it does (2 bytes). Behind them there is
//! every 256th of the fences.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use crate::files::pages::{ByteStream, CONTENT, PageReader, PageWriter};
use dupfind_engine::Result;
use dupfind_engine::features::bytes::push_varint;

/// The bytes of a stretch: a quarter of a page. A term is looked for in one stretch.
const STRETCH: u64 = CONTENT as u64 / 4;

/// Returns the stretch of a position, and the position in it.
fn place(position: u64) -> (u64, u64) {
    (position / STRETCH, position % STRETCH)
}

/// How many fences a group has.
const GROUP: u64 = 256;

/// The bytes of a fence.
const FENCE: usize = 10;

/// The start of a stretch in which no term begins.
const NO_START: u16 = u16::MAX;

/// Where the parts of the terms are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TermsLayout {
    /// How many terms there are.
    pub(crate) terms: u64,
    /// The position behind the last term. The fences begin here.
    pub(crate) end: u64,
    /// How many fences there are.
    pub(crate) fences: u64,
}

impl TermsLayout {
    /// Returns the position behind all parts.
    fn end_of_all(self) -> u64 {
        self.groups_start() + self.fences.div_ceil(GROUP) * 8
    }

    fn groups_start(self) -> u64 {
        self.end + self.fences * FENCE as u64
    }
}

/// Writes terms.
#[derive(Debug, Default)]
pub(crate) struct TermsWriter {
    fences: Vec<(u64, u16)>,
    terms: u64,
    last: u64,
    bytes: Vec<u8>,
}

impl TermsWriter {
    /// Writes a term. It must be larger than the one before it. `value` is made of varints.
    pub(crate) fn push<W: Write>(
        &mut self,
        pages: &mut PageWriter<W>,
        term: u64,
        value: &[u8],
    ) -> io::Result<()> {
        let (stretch, start) = place(pages.position());
        if self.fences.len() as u64 <= stretch {
            while (self.fences.len() as u64) < stretch {
                self.fences.push((term, NO_START));
            }
            let start = u16::try_from(start).expect("less than a stretch");
            self.fences.push((term, start));
            self.last = 0;
        }
        self.bytes.clear();
        push_varint(&mut self.bytes, term - self.last);
        self.bytes.extend_from_slice(value);
        self.last = term;
        self.terms += 1;
        pages.write(&self.bytes)
    }

    /// Writes the bytes behind the terms.
    pub(crate) fn finish<W: Write>(mut self, pages: &mut PageWriter<W>) -> io::Result<TermsLayout> {
        let end = pages.position();
        let used = end.div_ceil(STRETCH);
        while (self.fences.len() as u64) < used {
            self.fences.push((u64::MAX, NO_START));
        }
        for (term, start) in &self.fences {
            pages.write(&term.to_le_bytes())?;
            pages.write(&start.to_le_bytes())?;
        }
        for (term, _) in self.fences.iter().step_by(256) {
            pages.write(&term.to_le_bytes())?;
        }
        Ok(TermsLayout {
            terms: self.terms,
            end,
            fences: self.fences.len() as u64,
        })
    }
}

/// Reads terms.
#[derive(Debug)]
pub(crate) struct Terms {
    layout: TermsLayout,
    /// The first term of each group of fences.
    groups: Vec<u64>,
}

impl Terms {
    /// Opens the terms of a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged.
    pub(crate) fn open(pages: &PageReader, layout: TermsLayout) -> Result<Self> {
        let end = layout.end_of_all();
        if end > pages.bytes() || layout.fences.saturating_mul(STRETCH) < layout.end {
            return Err(pages.damaged("its terms lie beyond its end"));
        }
        let groups = usize::try_from(layout.fences.div_ceil(GROUP)).expect("fits the file");
        Ok(Self {
            layout,
            groups: pages.numbers(layout.groups_start(), groups)?,
        })
    }

    /// Returns a cursor before the first term. `skip` reads over a value.
    pub(crate) fn cursor<'t>(&'t self, pages: &'t PageReader, skip: Skip) -> TermCursor<'t> {
        TermCursor {
            terms: self,
            pages,
            stream: pages.stream(0),
            skip,
            stretch: u64::MAX,
            term: 0,
            is_at_value: false,
            group: u64::MAX,
            fences: Vec::new(),
        }
    }
}

/// Reads over a value.
pub(crate) type Skip = fn(&mut ByteStream<'_>) -> Result<()>;

/// Goes through terms, or from one to a later one.
#[derive(Debug)]
pub(crate) struct TermCursor<'t> {
    terms: &'t Terms,
    pages: &'t PageReader,
    /// It is behind the term, at its value, or behind the value if that was read.
    stream: ByteStream<'t>,
    skip: Skip,
    /// The stretch in which the current term begins; [`u64::MAX`] before the first one.
    stretch: u64,
    term: u64,
    /// Whether the value of the current term is still to be read.
    is_at_value: bool,
    /// The group of fences that is loaded.
    group: u64,
    fences: Vec<(u64, u16)>,
}

impl<'t> TermCursor<'t> {
    /// Goes to the next term and returns it; `None` behind the last one. The value of the term before must have been
    /// read.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged.
    pub(crate) fn next(&mut self) -> Result<Option<u64>> {
        let position = self.stream.position();
        if position >= self.terms.layout.end {
            return Ok(None);
        }
        // Most terms begin in the same stretch as the one before.
        let start = self.stretch.saturating_mul(STRETCH);
        let is_same = (start..start.saturating_add(STRETCH)).contains(&position);
        let stretch = if is_same {
            self.stretch
        } else {
            place(position).0
        };
        let difference = self.stream.varint()?;
        self.term = if stretch == self.stretch {
            self.term.wrapping_add(difference)
        } else {
            difference
        };
        self.stretch = stretch;
        self.is_at_value = true;
        Ok(Some(self.term))
    }

    /// Returns the value of the current term, to be read to its end.
    pub(crate) fn value(&mut self) -> &mut ByteStream<'t> {
        self.is_at_value = false;
        &mut self.stream
    }

    /// Goes to a term, which must be larger than the one that was looked for before. Returns whether it is there. If it
    /// is, its value is to be read.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged.
    pub(crate) fn find(&mut self, wanted: u64) -> Result<bool> {
        let Some((stretch, start)) = self.stretch_of(wanted)? else {
            return Ok(false);
        };
        if stretch != self.stretch || self.term > wanted {
            self.stream.seek(stretch * STRETCH + u64::from(start));
            self.stretch = u64::MAX;
            self.is_at_value = false;
        }
        if self.stretch == stretch && self.is_at_value && self.term == wanted {
            return Ok(true);
        }
        loop {
            if self.is_at_value {
                (self.skip)(&mut self.stream)?;
                self.is_at_value = false;
            }
            let position = self.stream.position();
            if position >= self.terms.layout.end || place(position).0 != stretch {
                return Ok(false);
            }
            let before = self.term;
            let is_first = self.stretch != stretch;
            self.next()?;
            if !is_first && self.term <= before {
                return Err(self.pages.damaged("its terms do not ascend"));
            }
            if self.term >= wanted {
                return Ok(self.term == wanted);
            }
        }
    }

    /// Returns the stretch in which a term begins if it is there, and where the first term of that stretch begins; `None` if
    /// it is smaller than all terms.
    fn stretch_of(&mut self, wanted: u64) -> Result<Option<(u64, u16)>> {
        let after = self.terms.groups.partition_point(|&first| first <= wanted);
        let Some(mut group) = (after as u64).checked_sub(1) else {
            return Ok(None);
        };
        loop {
            self.load(group)?;
            let after = self.fences.partition_point(|&(first, _)| first <= wanted);
            let stretch = self.fences[..after]
                .iter()
                .rposition(|&(_, start)| start != NO_START);
            if let Some(stretch) = stretch {
                return Ok(Some((
                    group * GROUP + stretch as u64,
                    self.fences[stretch].1,
                )));
            }
            match group.checked_sub(1) {
                Some(before) => group = before,
                None => return Ok(None),
            }
        }
    }

    /// Loads a group of fences.
    fn load(&mut self, group: u64) -> Result<()> {
        if self.group == group {
            return Ok(());
        }
        let layout = self.terms.layout;
        let first = group * GROUP;
        let count = usize::try_from(GROUP.min(layout.fences - first)).expect("a few");
        let position = layout.end + first * FENCE as u64;
        let bytes = self.pages.read(position, count * FENCE)?;
        let fence = |bytes: &[u8]| {
            let (term, start) = bytes.split_at(8);
            (
                u64::from_le_bytes(term.try_into().expect("eight bytes")),
                u16::from_le_bytes(start.try_into().expect("two bytes")),
            )
        };
        self.fences = bytes.chunks_exact(FENCE).map(fence).collect();
        self.group = group;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::fs::File;

    fn skip(stream: &mut ByteStream<'_>) -> Result<()> {
        let count = stream.varint()?;
        for _ in 0..count {
            stream.varint()?;
        }
        Ok(())
    }

    fn check(terms: &BTreeMap<u64, u16>, others: &[u64]) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("terms");
        let mut pages = PageWriter::new(File::create(&path).unwrap(), 1);
        let mut writer = TermsWriter::default();
        for (&term, &count) in terms {
            let mut value = Vec::new();
            push_varint(&mut value, count.into());
            value.extend((0..count).map(|n| (n % 100) as u8));
            writer.push(&mut pages, term, &value).unwrap();
        }
        let layout = writer.finish(&mut pages).unwrap();
        let (_, count) = pages.finish().unwrap();
        let pages = PageReader::open(path, 1, count).unwrap();
        let read = Terms::open(&pages, layout).unwrap();
        assert_eq!(layout.terms, terms.len() as u64);
        // All in order.
        let mut cursor = read.cursor(&pages, skip);
        for (&term, &count) in terms {
            assert_eq!(cursor.next().unwrap(), Some(term));
            assert_eq!(cursor.value().varint().unwrap(), u64::from(count));
            for n in 0..count {
                assert_eq!(cursor.value().varint().unwrap(), u64::from(n % 100));
            }
        }
        assert_eq!(cursor.next().unwrap(), None);
        // Some terms, and some that are not there. The values of some are not read.
        let mut wanted: Vec<u64> = terms.keys().step_by(3).chain(others).copied().collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut cursor = read.cursor(&pages, skip);
        for (at, term) in wanted.iter().enumerate() {
            assert_eq!(
                cursor.find(*term).unwrap(),
                terms.contains_key(term),
                "{term}"
            );
            if at % 2 == 0
                && let Some(&count) = terms.get(term)
            {
                assert_eq!(cursor.value().varint().unwrap(), u64::from(count));
                for _ in 0..count {
                    cursor.value().varint().unwrap();
                }
            }
        }
    }

    #[test]
    fn values_may_be_longer_than_many_pages() {
        let long = u16::try_from(3 * CONTENT).unwrap();
        let terms = [
            (5, long),
            (6, 1),
            (7, 0),
            (u64::MAX - 1, long),
            (u64::MAX, long),
        ];
        check(&terms.into_iter().collect(), &[0, 4, 8, u64::MAX - 2]);
        check(&BTreeMap::new(), &[0, 1, u64::MAX]);
        // More than a group of fences.
        let many = (0..300_u64).map(|n| (n * 1000, 5000 + (n % 7) as u16));
        check(&many.collect(), &[1, 999, 300_000]);
    }

    proptest! {
        #[test]
        fn terms_come_back(
            terms in prop::collection::btree_map(any::<u64>(), 0_u16..900, 0..60),
            near in prop::collection::btree_map(0_u64..3000, 0_u16..9, 0..600),
            others in prop::collection::vec(any::<u64>(), 0..9),
        ) {
            let all: BTreeMap<u64, u16> = terms.into_iter().chain(near).collect();
            check(&all, &others);
        }
    }
}
