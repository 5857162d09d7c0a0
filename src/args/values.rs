//! Parsers of values. Each says what it expects.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use dupfind_decide::PairScope;
use dupfind_engine::Error;
use dupfind_engine::join::hamming::MAX_DISTANCE;
use dupfind_engine::run::MAX_THREADS;
use dupfind_read::{WalkOptions, path_of_name, walk};
use encoding_rs::Encoding;

/// Returns a value with its name and help.
pub(crate) fn named<T>(value: T, name: &'static str, help: &'static str) -> (T, PossibleValue) {
    (value, PossibleValue::new(name).help(help))
}

/// Returns the parser of a value by its name: each value has a name and a help. The help of the option and its errors list
/// them.
pub(crate) fn choice<T: Copy + Send + Sync + 'static>(
    values: impl IntoIterator<Item = (T, PossibleValue)>,
) -> impl TypedValueParser<Value = T> {
    let values: Vec<(T, PossibleValue)> = values.into_iter().collect();
    let offered: Vec<PossibleValue> = values.iter().map(|(_, known)| known.clone()).collect();
    PossibleValuesParser::new(offered).map(move |name| {
        let mut known = values.iter();
        let found = known.find(|(_, known)| known.get_name() == name);
        found.expect("the parser takes no other name").0
    })
}

/// Returns the parser of a document that is named as in reports.
pub(crate) fn document() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(path_of_name)
}

/// Returns a number of bytes. It may end in K, M or G, which are powers of 1024.
///
/// # Errors
///
/// A sentence with the expected value.
pub fn size(text: &str) -> Result<u64, String> {
    let upper = text.to_ascii_uppercase();
    let number = upper.strip_suffix("IB").or(upper.strip_suffix('B'));
    let number = number.unwrap_or(&upper);
    let units = [("K", 10), ("M", 20), ("G", 30)];
    let mut split = units
        .iter()
        .filter_map(|(unit, bits)| Some((number.strip_suffix(unit)?, *bits)));
    let (digits, bits) = split.next().unwrap_or((number, 0));
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let count = is_number.then(|| digits.parse::<u64>().ok()).flatten();
    count.and_then(|count| count.checked_mul(1 << bits)).ok_or_else(|| {
        format!(
            "'{text}' is not a size: expected a whole number of bytes, or one with K, M or G, such as 16M"
        )
    })
}

/// Returns the memory for shingle sets. With less than the least one, the parts that are compared would be too small.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    match size(text)? {
        bytes if bytes < 16 << 20 => Err("expected at least 16M".into()),
        bytes => Ok(bytes),
    }
}

/// Returns a whole number. Types without a zero refuse 0.
pub(crate) fn count<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| {
        let least = if text == "0" { ", 1 or more" } else { "" };
        format!("expected a whole number{least}")
    })
}

/// Returns a number of worker threads.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    match count(text)? {
        number if number > MAX_THREADS => Err(format!("expected at most {MAX_THREADS}")),
        number => Ok(number),
    }
}

/// Returns a Hamming distance.
pub(crate) fn distance(text: &str) -> Result<u32, String> {
    match count(text)? {
        bits if bits > MAX_DISTANCE => Err(format!(
            "expected at most {MAX_DISTANCE} of 64 bits, beyond that most pairs are chance"
        )),
        bits => Ok(bits),
    }
}

/// Returns a share from 0 to 1 of `5%` or `0.05`.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let (number, whole) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim(), 100.0),
        None => (text, 1.0),
    };
    let share = number.parse::<f64>().map(|number| number / whole);
    let share = share.ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| {
        format!(
            "'{text}' is not a share: expected a percentage such as 5%, or a number from 0 to 1"
        )
    })
}

/// Returns an encoding by its name. The standard has one that decodes everything to nothing: it is refused.
pub(crate) fn encoding(name: &str) -> Result<&'static Encoding, String> {
    let known = Encoding::for_label_no_replacement(name.as_bytes());
    known.ok_or_else(|| {
        "no such encoding; the WHATWG standard has the names, such as utf-8, gbk, big5, shift_jis".into()
    })
}

/// Returns a glob of files to read, or of those to leave out.
pub(crate) fn glob(text: &str) -> Result<String, String> {
    checked(text, |mut options| {
        options.globs.patterns.push(text.to_owned());
        walk(&options, 0, None).map(drop)
    })
}

/// Returns a glob of files to leave out.
pub(crate) fn excluded(text: &str) -> Result<String, String> {
    checked(text, |mut options| {
        options.excluded.patterns.push(text.to_owned());
        walk(&options, 0, None).map(drop)
    })
}

/// Returns a pattern with `{*}`.
pub(crate) fn pattern(text: &str) -> Result<String, String> {
    checked(text, |options| {
        PairScope::new(&options).divide(text, Path::new(""))
    })
}

/// Checks a glob with options of a walk of no paths, which compiles the globs and does nothing else.
fn checked(
    text: &str,
    compile: impl FnOnce(WalkOptions) -> Result<(), Error>,
) -> Result<String, String> {
    let compiled = compile(WalkOptions::new(Vec::new(), Path::new("/").to_owned()));
    compiled.map_err(|error| error.to_string())?;
    Ok(text.to_owned())
}

/// Returns why a value is refused, without the name of its option.
pub(crate) fn reason(error: &clap::Error) -> String {
    if let Some(own) = std::error::Error::source(error) {
        return own.to_string();
    }
    match (
        error.get(ContextKind::InvalidValue),
        error.get(ContextKind::ValidValue),
    ) {
        (Some(ContextValue::String(value)), Some(ContextValue::Strings(valid)))
            if !valid.is_empty() =>
        {
            format!("'{value}' is none of {}", valid.join(", "))
        }
        _ => {
            // The first sentence, without the usage and where to find help.
            let text = error.render().to_string();
            let text = text.lines().next().unwrap_or_default();
            text.strip_prefix("error: ").unwrap_or(text).to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares() {
        assert_eq!(share("5%").unwrap().to_string(), "0.05");
        assert_eq!(share("0.5").unwrap().to_string(), "0.5");
        for text in ["5", "", "%", "-1%", "NaN", "101%"] {
            assert!(share(text).unwrap_err().contains("such as 5%"), "{text}");
        }
    }

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
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "M", "1.5M", "-1", "16T", "99999999999G", "é", "１６"] {
            assert!(size(text).unwrap_err().contains("such as 16M"), "{text}");
        }
    }
}
