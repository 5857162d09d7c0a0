//! How many strings a page in delta encoding claims.
//!
//! The crate `parquet` reserves memory for the lengths of as many strings as a page claims.

use std::io::{self, ErrorKind, Read};

use super::damaged;

/// Checks that the values of a page claim no more strings than `most`. The values begin with the lengths of the
/// strings. In DELTA_BYTE_ARRAY the lengths of the shared prefixes stand before these.
pub(super) fn check(mut bytes: &[u8], has_prefixes: bool, most: u32) -> io::Result<()> {
    if has_prefixes {
        skip_lengths(&mut bytes, most)?;
    }
    skip_lengths(&mut bytes, most)
}

/// Skips lengths in DELTA_BINARY_PACKED.
fn skip_lengths(bytes: &mut &[u8], most: u32) -> io::Result<()> {
    let (block, parts, count) = (varint(bytes)?, varint(bytes)?, varint(bytes)?);
    if count > u64::from(most) {
        return Err(damaged("a page claims more strings than it has"));
    }
    varint(bytes)?;
    let is_block = block > 0 && block.is_multiple_of(128) && block <= u64::from(u32::MAX);
    if !is_block || parts == 0 || !block.is_multiple_of(parts) {
        return Err(damaged("a page has blocks that cannot be"));
    }
    let each = block / parts;
    let mut left = count.saturating_sub(1);
    while left > 0 {
        varint(bytes)?;
        let widths = usize::try_from(parts).ok();
        let widths = widths.and_then(|parts| bytes.split_off(..parts));
        for &width in widths.ok_or(ErrorKind::UnexpectedEof)? {
            // The last block ends with the last length.
            if left > 0 {
                let size = usize::try_from(each * u64::from(width) / 8).unwrap_or(usize::MAX);
                *bytes = bytes.get(size..).unwrap_or_default();
                left = left.saturating_sub(each);
            }
        }
    }
    Ok(())
}

/// Reads a number of which every byte holds seven bits, the lowest first.
fn varint(source: &mut impl Read) -> io::Result<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let mut byte = [0];
        source.read_exact(&mut byte)?;
        value |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(damaged("a number is too long"))
}
