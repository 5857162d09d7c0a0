//! How many values a page in delta encoding claims.
//!
//! The crate reserves memory for the lengths of all strings of a page at once, as many as the page says.

use std::io::{self, ErrorKind};

use super::thrift::{varint, wrong};

/// Takes the values of a page with the lengths of strings at their beginning, and says whether there are no more of
/// these than there are to be; in front of them may be the lengths of what they share with the string before.
pub(super) fn check(bytes: &[u8], has_prefixes: bool, values: u32) -> io::Result<()> {
    let mut rest = bytes;
    if has_prefixes {
        rest = lengths(rest, values)?;
    }
    lengths(rest, values).map(drop)
}

/// Passes over some lengths (DELTA_BINARY_PACKED of the format) and returns what follows them.
fn lengths(mut bytes: &[u8], values: u32) -> io::Result<&[u8]> {
    let (block, per_block) = (varint(&mut bytes)?, varint(&mut bytes)?);
    let count = varint(&mut bytes)?;
    if count > u64::from(values) {
        return Err(wrong("a page claims more strings than it has"));
    }
    varint(&mut bytes)?;
    if per_block == 0 || block % 128 != 0 || block % per_block != 0 || block > u64::from(u32::MAX) {
        return Err(wrong("a page has blocks that cannot be"));
    }
    let each = block / per_block;
    let mut left = count.saturating_sub(1);
    while left > 0 {
        varint(&mut bytes)?;
        let widths = usize::try_from(per_block).ok();
        let widths = widths.and_then(|count| bytes.split_off(..count));
        for &width in widths.ok_or(ErrorKind::UnexpectedEof)? {
            // What is not needed of the last block is not there.
            if left > 0 {
                let size = usize::try_from(each * u64::from(width) / 8).unwrap_or(usize::MAX);
                bytes = bytes.get(size..).unwrap_or_default();
                left = left.saturating_sub(each);
            }
        }
        if each == 0 {
            return Err(wrong("a page has blocks that cannot be"));
        }
    }
    Ok(bytes)
}
