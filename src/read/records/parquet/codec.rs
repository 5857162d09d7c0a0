//! Expands the bytes of pages, none beyond the size that was checked.
//!
//! The crate `parquet` has codecs too. Two of them expand everything and compare the sizes only afterwards.

use std::io::{self, ErrorKind, Read};

use brotli_decompressor::Decompressor;
use flate2::read::MultiGzDecoder;
use parquet::basic::CompressionCodec;
use zstd::stream::read::Decoder;

use super::damaged;

/// How much brotli reads at a time.
const BUFFER: usize = 4 << 10;

/// Appends the bytes of a page to `out`, expanded. `size` is how many there must be.
pub(super) fn expand(
    bytes: &[u8],
    codec: CompressionCodec,
    size: usize,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    // All values of such a page are missing.
    if size == 0 {
        return Ok(());
    }
    let before = out.len();
    match codec {
        CompressionCodec::UNCOMPRESSED => out.extend_from_slice(bytes),
        CompressionCodec::SNAPPY => {
            if snap::raw::decompress_len(bytes).map_err(invalid)? != size {
                return Err(mismatch());
            }
            out.resize(before + size, 0);
            let mut decoder = snap::raw::Decoder::new();
            let expanded = decoder.decompress(bytes, &mut out[before..]);
            out.truncate(before + expanded.map_err(invalid)?);
        }
        CompressionCodec::LZ4_RAW => {
            out.resize(before + size, 0);
            let expanded = lz4_flex::block::decompress_into(bytes, &mut out[before..]);
            out.truncate(before + expanded.map_err(invalid)?);
        }
        CompressionCodec::GZIP => take(MultiGzDecoder::new(bytes), size, out)?,
        CompressionCodec::ZSTD => take(Decoder::new(bytes)?, size, out)?,
        CompressionCodec::BROTLI => take(Decompressor::new(bytes, BUFFER), size, out)?,
        other => {
            let words = format!("pages compressed with {other:?} are not read");
            return Err(damaged(&words));
        }
    }
    if out.len() - before != size {
        return Err(mismatch());
    }
    Ok(())
}

fn take(decoder: impl Read, size: usize, out: &mut Vec<u8>) -> io::Result<()> {
    // One byte more shows that there are too many.
    decoder.take(size as u64 + 1).read_to_end(out).map(drop)
}

fn invalid(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, error)
}

fn mismatch() -> io::Error {
    damaged("a page expands to another size than it says")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const TEXT: &[u8] = b"the old park by the river, the old park by the river";

    /// [`TEXT`], compressed with every codec. There is no encoder of brotli here: this stores it as it is.
    fn all() -> Vec<(CompressionCodec, Vec<u8>)> {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(TEXT).unwrap();
        let size = u8::try_from(TEXT.len() - 1).unwrap();
        // A window of 64 KiB; no last block, four nibbles for the size, stored; the last block, which is empty.
        let brotli = [&[size << 4, size >> 4, 0x10][..], TEXT, &[3]].concat();
        vec![
            (CompressionCodec::UNCOMPRESSED, TEXT.to_vec()),
            (
                CompressionCodec::SNAPPY,
                snap::raw::Encoder::new().compress_vec(TEXT).unwrap(),
            ),
            (CompressionCodec::LZ4_RAW, lz4_flex::block::compress(TEXT)),
            (CompressionCodec::GZIP, gzip.finish().unwrap()),
            (
                CompressionCodec::ZSTD,
                zstd::stream::encode_all(TEXT, 1).unwrap(),
            ),
            (CompressionCodec::BROTLI, brotli),
        ]
    }

    #[test]
    fn pages_are_expanded_to_what_they_say() {
        for (codec, bytes) in all() {
            let mut out = b"levels".to_vec();
            expand(&bytes, codec, TEXT.len(), &mut out)
                .unwrap_or_else(|e| panic!("{codec:?}: {e}"));
            assert_eq!(out, [b"levels", TEXT].concat(), "{codec:?}");
            for size in [1, TEXT.len() - 1, TEXT.len() + 1, 1 << 20] {
                let mut out = Vec::new();
                assert!(expand(&bytes, codec, size, &mut out).is_err(), "{codec:?}");
                assert!(out.len() <= size.max(TEXT.len()), "{codec:?}");
            }
        }
        let error = expand(TEXT, CompressionCodec::LZO, 9, &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("LZO"));
    }

    #[test]
    fn a_bomb_stops_at_the_size_it_claims() {
        let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        bomb.write_all(&vec![b'x'; 16 << 20]).unwrap();
        let bomb = bomb.finish().unwrap();
        let mut out = Vec::new();
        assert!(expand(&bomb, CompressionCodec::GZIP, 100, &mut out).is_err());
        assert!(out.capacity() < 1 << 16, "{}", out.capacity());
    }
}
