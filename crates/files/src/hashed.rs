//! Lists of numbers in files, with a checksum at the end: XXH3 of all bytes before it. All numbers are little-endian.

use std::io::{self, Read, Write};

use xxhash_rust::xxh3::Xxh3;

/// A value of a fixed width in a file.
pub trait Fixed: Sized + Copy {
    /// Its size in bytes.
    const WIDTH: usize;

    /// Appends its bytes.
    fn push(self, out: &mut Vec<u8>);

    /// Returns the value of as many bytes as its width.
    fn of(bytes: &[u8]) -> Self;
}

macro_rules! fixed {
    ($($number:ty),*) => {$(
        impl Fixed for $number {
            const WIDTH: usize = size_of::<$number>();

            fn push(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn of(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("as many bytes as its width"))
            }
        }
    )*};
}

fixed!(u8, u16, u32, u64);

impl Fixed for (u32, u32) {
    const WIDTH: usize = 8;

    fn push(self, out: &mut Vec<u8>) {
        self.0.push(out);
        self.1.push(out);
    }

    fn of(bytes: &[u8]) -> Self {
        (u32::of(&bytes[..4]), u32::of(&bytes[4..]))
    }
}

impl<const WIDTH: usize> Fixed for [u8; WIDTH] {
    const WIDTH: usize = WIDTH;

    fn push(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self);
    }

    fn of(bytes: &[u8]) -> Self {
        bytes.try_into().expect("as many bytes as its width")
    }
}

/// Writes values, and hashes the bytes.
pub struct HashingWriter<W> {
    out: W,
    hash: Xxh3,
    buffer: Vec<u8>,
}

impl<W: Write> HashingWriter<W> {
    /// Returns a writer that has written nothing.
    pub fn new(out: W) -> Self {
        Self {
            out,
            hash: Xxh3::new(),
            buffer: Vec::new(),
        }
    }

    /// Writes bytes.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.out.write_all(bytes)
    }

    /// Writes values one after the other.
    pub fn values<T: Fixed>(&mut self, values: &[T]) -> io::Result<()> {
        for values in values.chunks(1 << 16) {
            let mut buffer = std::mem::take(&mut self.buffer);
            buffer.clear();
            values.iter().for_each(|value| value.push(&mut buffer));
            let written = self.bytes(&buffer);
            self.buffer = buffer;
            written?;
        }
        Ok(())
    }

    /// Writes how many values there are, then the values.
    pub fn list<T: Fixed>(&mut self, values: &[T]) -> io::Result<()> {
        self.values(&[values.len() as u64])?;
        self.values(values)
    }

    /// Writes the hash of all bytes before it. Returns the writer below.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(&self.hash.digest().to_le_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Reads the output of a [`HashingWriter`].
pub struct HashingReader<R> {
    input: R,
    hash: Xxh3,
}

impl<R: Read> HashingReader<R> {
    /// Returns a reader that has read nothing.
    pub fn new(input: R) -> Self {
        Self {
            input,
            hash: Xxh3::new(),
        }
    }

    /// Reads so many bytes. A damaged number uses no more memory than the file has bytes.
    pub fn bytes(&mut self, count: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        (&mut self.input).take(count).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != count {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.hash.update(&bytes);
        Ok(bytes)
    }

    /// Reads so many values, and calls `take` with each.
    ///
    /// # Errors
    ///
    /// Those of the reader, and [`io::ErrorKind::UnexpectedEof`].
    pub fn each<T: Fixed>(&mut self, mut count: u64, mut take: impl FnMut(T)) -> io::Result<()> {
        while count > 0 {
            let some = count.min(1 << 16);
            let bytes = self.bytes(some * T::WIDTH as u64)?;
            bytes.chunks_exact(T::WIDTH).map(T::of).for_each(&mut take);
            count -= some;
        }
        Ok(())
    }

    /// Reads so many values.
    ///
    /// # Errors
    ///
    /// As [`Self::each`].
    pub fn values<T: Fixed>(&mut self, count: u64) -> io::Result<Vec<T>> {
        let mut values = Vec::new();
        self.each(count, |value| values.push(value))?;
        Ok(values)
    }

    /// Reads a value.
    pub fn value<T: Fixed>(&mut self) -> io::Result<T> {
        Ok(T::of(&self.bytes(T::WIDTH as u64)?))
    }

    /// Reads a list that [`HashingWriter::list`] has written.
    pub fn list<T: Fixed>(&mut self) -> io::Result<Vec<T>> {
        let count = self.value()?;
        self.values(count)
    }

    /// Reads the hash at the end. Returns it; `None` if it is not the hash of the bytes before it.
    pub fn finish(mut self) -> io::Result<Option<u64>> {
        let expected = self.hash.digest();
        let found: u64 = self.value()?;
        Ok((found == expected).then_some(found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn written_values_are_read_again_and_damage_is_seen(
            numbers in prop::collection::vec(any::<u64>(), 0..50),
            pairs in prop::collection::vec((any::<u32>(), any::<u32>()), 0..50),
            bytes in prop::collection::vec(any::<[u8; 6]>(), 0..50),
            at in any::<prop::sample::Index>(),
        ) {
            let mut file = Vec::new();
            let mut out = HashingWriter::new(&mut file);
            out.list(&numbers).unwrap();
            out.list(&pairs).unwrap();
            out.list(&bytes).unwrap();
            out.finish().unwrap();
            let hash = u64::of(&file[file.len() - 8..]);
            let read = |file: &[u8]| -> io::Result<_> {
                let mut input = HashingReader::new(file);
                let read = (input.list()?, input.list()?, input.list()?);
                Ok((read, input.finish()?))
            };
            prop_assert_eq!(read(&file).unwrap(), ((numbers, pairs, bytes), Some(hash)));
            let at = at.index(file.len());
            file[at] ^= 1;
            prop_assert!(!matches!(read(&file), Ok((_, Some(_)))));
        }
    }
}
