//! An output that is compressed by the extension of its name.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Result;

use crate::terminal::output::Output;
use dupfind_read::format::{Compression, Kind};

/// How many bytes are written at a time.
const CHUNK: usize = 256 << 10;

/// An output with an encoder before it.
pub(super) struct CompressedOutput {
    out: BufWriter<Encoder>,
    /// The path of the file, as it was typed.
    pub(super) name: String,
}

enum Encoder {
    None(Output),
    #[cfg(feature = "compressed")]
    Gzip(flate2::write::GzEncoder<Output>),
    #[cfg(feature = "compressed")]
    Zstd(zstd::stream::write::Encoder<'static, Output>),
    #[cfg(feature = "compressed")]
    Xz(Box<lzma_rust2::XzWriter<Output>>),
    #[cfg(feature = "compressed")]
    Bzip2(bzip2::write::BzEncoder<Output>),
}

impl CompressedOutput {
    /// Opens a file. The extension of its name decides its compression.
    ///
    /// # Errors
    ///
    /// It cannot be written, or this build does not compress.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let output = Output::open(Some(path))?;
        let encoder = match Kind::of(path).compression {
            None => Encoder::None(output),
            Some(compression) => Encoder::new(output, compression)?,
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
        encoder.finish()?.finish_durably()
    }
}

#[cfg(feature = "compressed")]
impl Encoder {
    fn new(output: Output, compression: Compression) -> Result<Self> {
        Ok(match compression {
            Compression::Gzip => Self::Gzip(flate2::write::GzEncoder::new(
                output,
                flate2::Compression::default(),
            )),
            Compression::Zstd => Self::Zstd(zstd::stream::write::Encoder::new(output, 0)?),
            Compression::Xz => {
                let options = lzma_rust2::XzOptions::with_preset(6);
                Self::Xz(Box::new(lzma_rust2::XzWriter::new(output, options)?))
            }
            Compression::Bzip2 => Self::Bzip2(bzip2::write::BzEncoder::new(
                output,
                bzip2::Compression::default(),
            )),
        })
    }

    fn finish(self) -> io::Result<Output> {
        match self {
            Self::None(output) => Ok(output),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
            Self::Xz(encoder) => encoder.finish(),
            Self::Bzip2(encoder) => encoder.finish(),
        }
    }
}

#[cfg(not(feature = "compressed"))]
impl Encoder {
    fn new(_: Output, compression: Compression) -> Result<Self> {
        anyhow::bail!("this build does not compress with {}", compression.as_str())
    }

    fn finish(self) -> io::Result<Output> {
        let Self::None(output) = self;
        Ok(output)
    }
}

impl Write for CompressedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Write for Encoder {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::None(output) => output.write(bytes),
            #[cfg(feature = "compressed")]
            Self::Gzip(encoder) => encoder.write(bytes),
            #[cfg(feature = "compressed")]
            Self::Zstd(encoder) => encoder.write(bytes),
            #[cfg(feature = "compressed")]
            Self::Xz(encoder) => encoder.write(bytes),
            #[cfg(feature = "compressed")]
            Self::Bzip2(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::None(output) => output.flush(),
            #[cfg(feature = "compressed")]
            Self::Gzip(encoder) => encoder.flush(),
            #[cfg(feature = "compressed")]
            Self::Zstd(encoder) => encoder.flush(),
            #[cfg(feature = "compressed")]
            Self::Xz(encoder) => encoder.flush(),
            #[cfg(feature = "compressed")]
            Self::Bzip2(encoder) => encoder.flush(),
        }
    }
}
