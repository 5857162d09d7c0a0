//! The bytes of numbers and sets, for an index and for the tasks of a job.
//!
//! All numbers are little-endian. A *varint* has seven bits in each byte, the lowest first, and the top bit set in
//! all bytes but the last. A set has its numbers, ascending, as varint differences.

use crate::detect::options::Options;
use crate::run::{Error, Result};
use std::fmt;

/// Every option that changes a feature, with its value. Features can be compared only if their identities are equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    values: Vec<(String, String)>,
}

impl Identity {
    /// Returns the identity of features that are made with these options.
    pub fn of(options: &Options) -> Self {
        let values = options.values().of_features.into_iter();
        Self {
            values: values
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        }
    }

    /// Checks that the features that were found have this identity.
    ///
    /// # Errors
    ///
    /// [`Error::FeaturesDiffer`] with the first difference.
    pub fn check(&self, found: &Self) -> Result<()> {
        let value = |identity: &Self, name: &str| {
            let mut values = identity.values.iter();
            let found = values.find(|(other, _)| other == name);
            found.map_or("nothing".to_owned(), |(_, value)| value.clone())
        };
        let names = self.values.iter().chain(&found.values);
        for (name, _) in names {
            let (expected, found) = (value(self, name), value(found, name));
            if expected != found {
                return Err(Error::FeaturesDiffer {
                    name: name.clone(),
                    found,
                    expected,
                });
            }
        }
        Ok(())
    }

    /// Returns the identity of a text that [`fmt::Display`] has written; `None` if it is no such text.
    pub fn parse(text: &str) -> Option<Self> {
        let values = text.lines().map(|line| {
            let (name, value) = line.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        });
        Some(Self {
            values: values.collect::<Option<_>>()?,
        })
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.values {
            writeln!(f, "{name}={value}")?;
        }
        Ok(())
    }
}

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
    if let Some((&byte, others)) = rest.split_first().filter(|(byte, _)| **byte < 0x80) {
        *rest = others;
        return Some(byte.into());
    }
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

/// Appends the numbers of a set, which are distinct, in ascending order.
pub fn push_set(out: &mut Vec<u8>, set: &[u64]) {
    let mut sorted = set.to_vec();
    sorted.sort_unstable();
    let mut last = 0;
    for number in sorted {
        push_varint(out, number - last);
        last = number;
    }
}

/// Takes a set of so many numbers off the front, and appends the numbers to `set`, ascending. Returns `None` if it is
/// damaged.
pub fn take_set(rest: &mut &[u8], size: u32, set: &mut Vec<u64>) -> Option<()> {
    set.reserve((size as usize).min(rest.len()));
    let mut last = 0_u64;
    for at in 0..size {
        let difference = varint(rest)?;
        if at > 0 && difference == 0 {
            return None;
        }
        last = last.checked_add(difference)?;
        set.push(last);
    }
    Some(())
}
