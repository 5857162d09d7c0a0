//! Numbers on disk.

/// Appends a number as a varint.
pub fn push_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

/// Takes this many bytes off the front; `None` if there are fewer.
pub fn bytes<'b>(rest: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (bytes, others) = rest.split_at_checked(length)?;
    *rest = others;
    Some(bytes)
}

/// Takes a number of eight bytes off the front; `None` if there are fewer.
pub fn value(rest: &mut &[u8]) -> Option<u64> {
    let bytes = bytes(rest, 8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

/// Takes a varint off the front; `None` if it is cut off or has more than 64 bits.
pub fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = bytes(rest, 1)?[0];
        let bits = u64::from(byte & 0x7f);
        if bits.leading_zeros() < shift {
            return None;
        }
        number |= bits << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}
