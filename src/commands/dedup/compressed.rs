//! An output that is compressed by the extension of its name.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Result;

use crate::terminal::output::Output;
use dupfind_read::{Compression, Kind};

/// How many bytes are written at a time.
const CHUNK: usize = 256 << 10;

/// An output with an encoder before it.
pub(super) struct CompressedOutput {
    out: BufWriter<Box<dyn Encoder>>,
    /// The path of the file, as it was typed.
    pub(super) name: String,
}

/// An encoder of an output, or the output itself.
trait Encoder: Write + Send {
    /// Writes the rest.
    fn end(self: Box<Self>) -> io::Result<Output>;
}

impl Encoder for Output {
    fn end(self: Box<Self>) -> io::Result<Output> {
        Ok(*self)
    }
}

macro_rules! encoders {
    ($($encoder:ty),*) => {
        $(impl Encoder for $encoder {
            fn end(self: Box<Self>) -> io::Result<Output> {
                (*self).finish()
            }
        })*
    };
}

encoders!(
    flate2::write::GzEncoder<Output>,
    zstd::stream::write::Encoder<'static, Output>
);

impl CompressedOutput {
    /// Opens a file. The extension of its name decides its compression.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let output = Output::open(Some(path))?;
        let encoder = match Kind::of(path).compression {
            None => Box::new(output),
            Some(compression) => encoder(output, compression)?,
        };
        Ok(Self {
            out: BufWriter::with_capacity(CHUNK, encoder),
            name: path.display().to_string(),
        })
    }

    /// Writes the rest. Now the file replaces the old one, and is on the disk.
    pub(super) fn finish(self) -> Result<()> {
        let encoder = self
            .out
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        encoder.end()?.finish_durably()
    }
}

fn encoder(output: Output, compression: Compression) -> Result<Box<dyn Encoder>> {
    Ok(match compression {
        Compression::Gzip => Box::new(flate2::write::GzEncoder::new(
            output,
            flate2::Compression::default(),
        )),
        Compression::Zstd => Box::new(zstd::stream::write::Encoder::new(output, 0)?),
        // They are refused by their names.
        Compression::Xz | Compression::Bzip2 => {
            return Err(io::Error::from(io::ErrorKind::Unsupported).into());
        }
    })
}

impl Write for CompressedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
