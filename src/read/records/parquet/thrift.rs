//! Thrift's compact protocol, in which Parquet writes down what is where, as far as it is read here.
//!
//! The crate reads it as well, and believes what it reads: a count becomes an allocation. So sizes are read here
//! first. Whatever is not asked for is passed over; nothing is kept, and depth is bounded.

use std::io::{self, ErrorKind, Read};

/// How deep structures may be nested. The metadata of Parquet needs seven.
const DEPTH: u8 = 32;

/// What a field or an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    True,
    False,
    Byte,
    /// Of 16, 32 or 64 bits.
    Integer,
    Double,
    /// A string or other bytes.
    Bytes,
    /// Or a set.
    List,
    Map,
    Structure,
    Uuid,
}

impl Kind {
    fn of(code: u8) -> io::Result<Self> {
        Ok(match code & 0xf {
            1 => Self::True,
            2 => Self::False,
            3 => Self::Byte,
            4..=6 => Self::Integer,
            7 => Self::Double,
            8 => Self::Bytes,
            9 | 10 => Self::List,
            11 => Self::Map,
            12 => Self::Structure,
            13 => Self::Uuid,
            _ => return Err(wrong("a field has a type that there is not")),
        })
    }
}

/// Reads the fields of structures in the order in which they were written.
pub(super) struct Fields<R> {
    source: R,
    /// How many structures have ended.
    pub(super) structures: u64,
}

impl<R: Read> Fields<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            source,
            structures: 0,
        }
    }

    /// Takes the number of the field before, of which 0 is none, and returns the number of the next one and what it
    /// is; nothing at the end of the structure.
    pub(super) fn next(&mut self, before: i16) -> io::Result<Option<(i16, Kind)>> {
        let head = self.byte()?;
        if head == 0 {
            self.structures += 1;
            return Ok(None);
        }
        let number = match head >> 4 {
            0 => i16::try_from(self.integer()?).map_err(|_| wrong("a field has no number"))?,
            more => before
                .checked_add(i16::from(more))
                .ok_or_else(|| wrong("a field has no number"))?,
        };
        Ok(Some((number, Kind::of(head)?)))
    }

    /// An integer.
    pub(super) fn integer(&mut self) -> io::Result<i64> {
        let folded = self.varint()?;
        Ok((folded >> 1).cast_signed() ^ -(folded & 1).cast_signed())
    }

    /// How many elements a list has, and what they are.
    pub(super) fn list(&mut self) -> io::Result<(u64, Kind)> {
        let head = self.byte()?;
        let size = match head >> 4 {
            15 => self.varint()?,
            size => u64::from(size),
        };
        Ok((size, Kind::of(head)?))
    }

    /// Passes over bytes and returns how many there were.
    pub(super) fn bytes(&mut self) -> io::Result<u64> {
        let size = self.varint()?;
        self.pass_over(size)?;
        Ok(size)
    }

    /// Passes over a field.
    pub(super) fn skip(&mut self, kind: Kind) -> io::Result<()> {
        self.skip_within(kind, DEPTH)
    }

    fn skip_within(&mut self, kind: Kind, depth: u8) -> io::Result<()> {
        let depth = depth
            .checked_sub(1)
            .ok_or_else(|| wrong("it is nested too deep"))?;
        match kind {
            Kind::True | Kind::False => {}
            Kind::Byte => self.pass_over(1)?,
            Kind::Integer => drop(self.varint()?),
            Kind::Double => self.pass_over(8)?,
            Kind::Uuid => self.pass_over(16)?,
            Kind::Bytes => drop(self.bytes()?),
            Kind::List => {
                let (size, kind) = self.list()?;
                for _ in 0..size {
                    self.skip_element(kind, depth)?;
                }
            }
            Kind::Map => {
                let size = self.varint()?;
                if size > 0 {
                    let kinds = self.byte()?;
                    let (key, value) = (Kind::of(kinds >> 4)?, Kind::of(kinds)?);
                    for _ in 0..size {
                        self.skip_element(key, depth)?;
                        self.skip_element(value, depth)?;
                    }
                }
            }
            Kind::Structure => {
                let mut number = 0;
                while let Some((next, kind)) = self.next(number)? {
                    self.skip_within(kind, depth)?;
                    number = next;
                }
            }
        }
        Ok(())
    }

    /// In lists and maps truth takes a byte, which the crate does not know: it goes on reading at another place.
    fn skip_element(&mut self, kind: Kind, depth: u8) -> io::Result<()> {
        match kind {
            Kind::True | Kind::False => Err(wrong("it has a list of truths")),
            _ => self.skip_within(kind, depth),
        }
    }

    fn pass_over(&mut self, size: u64) -> io::Result<()> {
        let passed = io::copy(&mut (&mut self.source).take(size), &mut io::sink())?;
        if passed < size {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.source.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    fn varint(&mut self) -> io::Result<u64> {
        varint(&mut self.source)
    }
}

/// Reads a number of which every byte holds seven bits, the lowest first.
pub(super) fn varint(source: &mut impl Read) -> io::Result<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let mut byte = [0];
        source.read_exact(&mut byte)?;
        value |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(wrong("a number is too long"))
}

/// Says what is wrong.
pub(super) fn wrong(words: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn skipped(bytes: &[u8]) -> io::Result<usize> {
        let mut fields = Fields::new(bytes);
        fields.skip(Kind::Structure)?;
        Ok(fields.source.len())
    }

    #[test]
    fn everything_can_be_passed_over() {
        let all = [
            &[0x11, 0x12, 0x13, 7][..],
            // Integers, the last of which has its number in full.
            &[0x14, 2, 0x15, 0x80, 1, 0x06, 40, 3],
            &[0x17, 0, 0, 0, 0, 0, 0, 0, 0],
            &[0x18, 3, b'a', b'b', b'c'],
            // Lists of bytes and of integers, a long one and a map.
            &[0x19, 0x23, 1, 2, 0x1a, 0x15, 4],
            &[
                0x19, 0xf3, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
            ],
            &[0x1b, 1, 0x85, 1, b'k', 6, 0x1b, 0],
            &[0x1c, 0x15, 2, 0],
            &[0],
        ];
        let bytes = all.concat();
        // The map has its kinds the other way round: a string and an integer.
        assert!(skipped(&bytes).is_ok());
        assert_eq!(skipped(&[&bytes[..], b"rest"].concat()).unwrap(), 4);
        for size in 0..bytes.len() {
            assert!(skipped(&bytes[..size]).is_err(), "{size}");
        }
    }

    #[test]
    fn lists_of_truths_are_refused() {
        for list in [
            &[0x19, 0x21, 1, 2, 0][..],
            &[0x19, 0x12, 1, 0],
            &[0x1b, 1, 0x15, 1, 2, 0],
        ] {
            let error = skipped(list).unwrap_err();
            assert!(error.to_string().contains("truths"), "{error}");
        }
    }

    #[test]
    fn integers_are_folded() {
        for (bytes, value) in [
            (&[0][..], 0),
            (&[1], -1),
            (&[2], 1),
            (&[0xfe, 0xff, 0xff, 0xff, 0x0f], i64::from(i32::MAX)),
            (
                &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
                i64::MIN,
            ),
        ] {
            assert_eq!(Fields::new(bytes).integer().unwrap(), value);
        }
        assert!(Fields::new(&[0x80; 11][..]).integer().is_err());
    }

    #[test]
    fn depth_is_bounded() {
        let error = skipped(&[0x1c; 99]).unwrap_err();
        assert!(error.to_string().contains("too deep"));
        let error = skipped(&[&[0x19][..], &[0x19; 99]].concat()).unwrap_err();
        assert!(error.to_string().contains("too deep"));
    }

    proptest! {
        #[test]
        fn any_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = skipped(&bytes);
        }
    }
}
