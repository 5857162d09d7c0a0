//! Writes and reads with a checksum at the end: 64 bits of XXH3.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use xxhash_rust::xxh3::Xxh3;

/// The bytes of the checksum.
pub(super) const CHECKSUM: u64 = size_of::<u64>() as u64;

/// How many bytes are read or written at a time.
const AT_ONCE: usize = 1 << 16;

/// Writes, and computes the checksum of what it writes.
pub(super) struct Writer<W: Write>(BufWriter<Summed<W>>);

impl<W: Write> Writer<W> {
    pub(super) fn new(out: W) -> Self {
        let sum = Xxh3::new();
        Self(BufWriter::with_capacity(AT_ONCE, Summed { out, sum }))
    }

    /// Writes the rest, and the checksum.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.0.flush()?;
        let sum = self.0.get_ref().sum.digest();
        self.0.write_all(&sum.to_le_bytes())?;
        self.0.flush()
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

struct Summed<W> {
    out: W,
    sum: Xxh3,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Reads, and computes the checksum of what it reads.
pub(super) struct Reader<R> {
    source: BufReader<R>,
    sum: Xxh3,
}

impl<R: Read> Reader<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            source: BufReader::with_capacity(AT_ONCE, source),
            sum: Xxh3::new(),
        }
    }

    /// Reads a line with its end, up to `most` bytes of it.
    pub(super) fn line(&mut self, most: u64) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        (&mut self.source).take(most).read_until(b'\n', &mut line)?;
        self.sum.update(&line);
        Ok(line)
    }

    /// Returns the next numbers, each of so many bytes. Many are read at a time.
    pub(super) fn numbers<const BYTES: usize>(
        &mut self,
        count: u64,
    ) -> impl Iterator<Item = io::Result<u64>> {
        let mut read = vec![0; AT_ONCE / BYTES * BYTES];
        let mut at = read.len();
        (0..count).map(move |done| {
            if at == read.len() {
                let left = (count - done).saturating_mul(BYTES as u64);
                read.truncate(usize::try_from(left).unwrap_or(usize::MAX));
                self.source.read_exact(&mut read)?;
                self.sum.update(&read);
                at = 0;
            }
            let mut bytes = [0; 8];
            bytes[..BYTES].copy_from_slice(&read[at..at + BYTES]);
            at += BYTES;
            Ok(u64::from_le_bytes(bytes))
        })
    }

    /// Reads the checksum, and returns whether it is that of all that was read before.
    pub(super) fn is_as_summed(&mut self) -> io::Result<bool> {
        let mut sum = [0; size_of::<u64>()];
        self.source.read_exact(&mut sum)?;
        Ok(u64::from_le_bytes(sum) == self.sum.digest())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        // Of more than one block, the last of which is not full.
        const COUNT: u64 = 50_000;
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        writer.write_all(b"head\n").unwrap();
        for number in 0..COUNT {
            writer.write_all(&number.to_le_bytes()[..6]).unwrap();
        }
        writer.finish().unwrap();
        let mut reader = Reader::new(&bytes[..]);
        assert_eq!(reader.line(100).unwrap(), b"head\n");
        let read: io::Result<Vec<u64>> = reader.numbers::<6>(COUNT).collect();
        assert!(read.unwrap().into_iter().eq(0..COUNT));
        assert!(reader.is_as_summed().unwrap());
        assert!(reader.is_as_summed().is_err());
        bytes[7] ^= 1;
        let mut reader = Reader::new(&bytes[..]);
        reader.line(2).unwrap();
        assert_eq!(
            reader.numbers::<1>(COUNT * 6 + 3).count() as u64,
            COUNT * 6 + 3
        );
        assert!(!reader.is_as_summed().unwrap());
    }
}
