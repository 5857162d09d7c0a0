//! Values of options: how each is read, on the command line and in a configuration alike.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, ValueParser};
use dupfind_engine::join::threshold::Threshold;

use crate::process::paths::rebased;

pub(crate) mod choice;
pub(crate) mod document;
pub(crate) mod globs;
pub(crate) mod pre;
mod program;
pub(crate) mod reason;
pub(crate) mod share;
pub(crate) mod size;

/// A value of an option.
pub(crate) trait Value: Clone + fmt::Debug + Send + Sync + 'static {
    /// The character between several values in one word.
    const DELIMITER: Option<char> = None;

    /// Whether a configuration may have a number for it.
    const IS_NUMBER: bool = false;

    /// Reads a value.
    ///
    /// # Errors
    ///
    /// A sentence with the expected value.
    fn parse(text: &str) -> Result<Self, String>;

    /// Returns the parser of the option.
    fn parser() -> ValueParser {
        ValueParser::new(Self::parse)
    }

    /// Returns the value as it is typed.
    fn word(&self) -> OsString;

    /// Returns a value of a configuration in folder `from` as it is written in folder `to`.
    fn moved(self, _from: &Path, _to: &Path) -> Self {
        self
    }
}

/// The value of a flag.
impl Value for bool {
    fn parse(text: &str) -> Result<Self, String> {
        Ok(text == "true")
    }

    fn parser() -> ValueParser {
        ValueParser::bool()
    }

    fn word(&self) -> OsString {
        OsString::new()
    }
}

impl Value for String {
    const DELIMITER: Option<char> = Some(',');

    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "" => Err("there is no value".into()),
            text => Ok(text.to_owned()),
        }
    }

    fn word(&self) -> OsString {
        self.into()
    }
}

impl Value for PathBuf {
    fn parse(text: &str) -> Result<Self, String> {
        String::parse(text).map(Self::from)
    }

    fn parser() -> ValueParser {
        PathBufValueParser::new().into()
    }

    fn word(&self) -> OsString {
        self.into()
    }

    fn moved(self, from: &Path, to: &Path) -> Self {
        match self.as_os_str() == "-" {
            true => self,
            false => rebased(&self, from, to),
        }
    }
}

/// Makes numbers values, which are read by a function and written by `Display`.
macro_rules! numbers {
    ($parse:path: $($type:ty),*) => {$(
        impl Value for $type {
            const IS_NUMBER: bool = true;

            fn parse(text: &str) -> Result<Self, String> {
                $parse(text)
            }

            fn word(&self) -> OsString {
                self.to_string().into()
            }
        }
    )*};
}
numbers!(str::parse: Threshold);
numbers!(size::count: usize, u64, std::num::NonZeroUsize);
