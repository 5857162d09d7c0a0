//! What a page says of itself.

use std::io::{self, Read};

use super::thrift::{Fields, Kind, wrong};

/// What is in a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Values, with their levels in front of them and compressed together.
    Data {
        encoding: i64,
        definition: i64,
        repetition: i64,
    },
    /// Values, with their levels in front of them and compressed alone, if at all.
    DataV2 {
        encoding: i64,
        nulls: u32,
        rows: u32,
        definition_bytes: u32,
        repetition_bytes: u32,
        is_compressed: bool,
    },
    /// The values that others point to.
    Dictionary { encoding: i64 },
    /// Nothing that is read here.
    Other,
}

/// The header of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) content: Content,
    /// How many values there are, with those that are missing.
    pub(super) values: u32,
    /// How many bytes follow the header.
    pub(super) bytes: u32,
    /// How many these are when they are expanded.
    pub(super) expanded: u32,
}

/// The kinds of pages, as files number them.
const DATA: i64 = 0;
const DICTIONARY: i64 = 2;
const DATA_V2: i64 = 3;

impl Header {
    /// Reads a header.
    pub(super) fn read(source: impl Read) -> io::Result<Self> {
        let mut fields = Fields::new(source);
        let (mut number, mut kind, mut sizes) = (0, None, [None; 2]);
        let mut parts = [None; 9];
        while let Some((next, of)) = fields.next(number)? {
            number = next;
            match (number, of) {
                (1, Kind::Integer) => kind = Some(fields.integer()?),
                (2, Kind::Integer) => sizes[0] = Some(fields.integer()?),
                (3, Kind::Integer) => sizes[1] = Some(fields.integer()?),
                (5 | 7 | 8, Kind::Structure) => {
                    let at = usize::try_from(number).expect("one of these three");
                    parts[at] = Some(Part::read(&mut fields)?);
                }
                _ => fields.skip(of)?,
            }
        }
        let (part, content): (_, fn(&Part) -> io::Result<Content>) = match kind {
            Some(DATA) => (parts[5], Part::data),
            Some(DICTIONARY) => (parts[7], Part::dictionary),
            Some(DATA_V2) => (parts[8], Part::data_v2),
            _ => (Some(Part::default()), |_| Ok(Content::Other)),
        };
        let part = part.ok_or_else(|| wrong("a page does not say what is in it"))?;
        Ok(Self {
            content: content(&part)?,
            values: count(part.integers[1].unwrap_or(0))?,
            expanded: size(sizes[0])?,
            bytes: size(sizes[1])?,
        })
    }
}

/// The integers of a part of a header by their numbers, and whether its values are compressed.
#[derive(Debug, Clone, Copy, Default)]
struct Part {
    integers: [Option<i64>; 7],
    is_uncompressed: bool,
}

impl Part {
    fn read(fields: &mut Fields<impl Read>) -> io::Result<Self> {
        let mut part = Self::default();
        let mut number = 0;
        while let Some((next, kind)) = fields.next(number)? {
            number = next;
            match (usize::try_from(number), kind) {
                (Ok(at @ 1..=6), Kind::Integer) => part.integers[at] = Some(fields.integer()?),
                (Ok(7), Kind::False) => part.is_uncompressed = true,
                _ => fields.skip(kind)?,
            }
        }
        Ok(part)
    }

    fn get(&self, at: usize) -> io::Result<i64> {
        self.integers[at].ok_or_else(|| wrong("a page does not say how it is written"))
    }

    fn data(&self) -> io::Result<Content> {
        Ok(Content::Data {
            encoding: self.get(2)?,
            definition: self.get(3)?,
            repetition: self.get(4)?,
        })
    }

    fn dictionary(&self) -> io::Result<Content> {
        Ok(Content::Dictionary {
            encoding: self.get(2)?,
        })
    }

    fn data_v2(&self) -> io::Result<Content> {
        Ok(Content::DataV2 {
            nulls: count(self.get(2)?)?,
            rows: count(self.get(3)?)?,
            encoding: self.get(4)?,
            definition_bytes: count(self.get(5)?)?,
            repetition_bytes: count(self.get(6)?)?,
            is_compressed: !self.is_uncompressed,
        })
    }
}

fn size(value: Option<i64>) -> io::Result<u32> {
    count(value.ok_or_else(|| wrong("a page has no size"))?)
}

/// A number as large as the format has them.
fn count(value: i64) -> io::Result<u32> {
    let value = i32::try_from(value).ok().map(u32::try_from);
    value
        .and_then(Result::ok)
        .ok_or_else(|| wrong("a page has a size that cannot be"))
}
