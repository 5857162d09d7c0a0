//! Parsers of sizes and counts: `16M`, `20`.

use std::str::FromStr;

use dupfind_engine::join::hamming::MAX_DISTANCE_128;
use dupfind_engine::run::threads::MAX_THREADS;

/// Defines a number with a parser of its own.
macro_rules! number {
    ($(#[$attribute:meta])* $name:ident($type:ty), $parse:expr) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub(crate) struct $name(pub(crate) $type);

        impl $crate::args::values::Value for $name {
            const IS_NUMBER: bool = true;

            fn parse(text: &str) -> Result<Self, String> {
                $parse(text).map(Self)
            }

            fn word(&self) -> std::ffi::OsString {
                self.0.to_string().into()
            }
        }
    };
}
pub(crate) use number;

number!(
    /// A number of bytes.
    Size(u64),
    parse
);

number!(
    /// The memory for shingle sets. With less than the least one, the parts that are compared would be too small.
    MemorySize(u64),
    |text: &str| match parse(text)? {
        bytes if bytes < 16 << 20 => Err("expected at least 16M".to_owned()),
        bytes => Ok(bytes),
    }
);

number!(
    /// A number of worker threads.
    Threads(u16),
    |text: &str| match count::<u16>(text)? {
        number if usize::from(number) > MAX_THREADS =>
            Err(format!("expected at most {MAX_THREADS}")),
        number => Ok(number),
    }
);

number!(
    /// A Hamming distance.
    Distance(u32),
    |text: &str| match count::<u32>(text)? {
        bits if bits > MAX_DISTANCE_128 => Err(format!("expected at most {MAX_DISTANCE_128} bits")),
        bits => Ok(bits),
    }
);

/// Returns a number of bytes. It may end in K, M or G, which are powers of 1024.
///
/// # Errors
///
/// A sentence with the expected value.
pub fn parse(text: &str) -> Result<u64, String> {
    let expected = || {
        format!(
            "'{text}' is not a size: expected a whole number of bytes, or one with K, M or G, such as 16M"
        )
    };
    let upper = text.to_ascii_uppercase();
    let number = upper
        .strip_suffix("IB")
        .or(upper.strip_suffix('B'))
        .unwrap_or(&upper);
    let (digits, unit) = match number.chars().last() {
        Some('K') => (&number[..number.len() - 1], 1 << 10),
        Some('M') => (&number[..number.len() - 1], 1 << 20),
        Some('G') => (&number[..number.len() - 1], 1 << 30),
        _ => (number, 1_u64),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(expected());
    }
    let count: u64 = digits.parse().map_err(|_| expected())?;
    count.checked_mul(unit).ok_or_else(expected)
}

/// Returns a whole number. Types without a zero refuse 0.
///
/// # Errors
///
/// A sentence with the expected value.
pub(crate) fn count<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| {
        let least = if text == "0" { ", 1 or more" } else { "" };
        format!("expected a whole number{least}")
    })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("0", 0),
            ("512", 512),
            ("16M", 16 << 20),
            ("16m", 16 << 20),
            ("2K", 2048),
            ("1GiB", 1 << 30),
            ("3kb", 3 << 10),
        ] {
            assert_eq!(parse(text), Ok(bytes), "{text}");
        }
        for text in ["", "M", "1.5M", "-1", "16T", "99999999999G", "é", "１６"] {
            assert!(parse(text).unwrap_err().contains("such as 16M"), "{text}");
        }
    }
}
