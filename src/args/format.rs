//! The formats of a report, and the file that each goes to.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, Error};

use dupfind_report::formats::FORMATS;
use dupfind_report::formats::format::Format;

/// A format, and the file it goes to: `FORMAT` or `FORMAT=FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FormatTo {
    pub(crate) format: &'static Format,
    /// None for the place that `--output` names.
    pub(crate) file: Option<PathBuf>,
}

/// The parser of `FORMAT` and `FORMAT=FILE`. Its help and its errors list the formats.
#[derive(Debug, Clone)]
pub(crate) struct FormatParser;

impl TypedValueParser for FormatParser {
    type Value = FormatTo;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, Error> {
        let bytes = value.as_encoded_bytes();
        let (name, file) = match bytes.iter().position(|&byte| byte == b'=') {
            Some(at) => {
                let text = value
                    .to_str()
                    .ok_or_else(|| Error::new(clap::error::ErrorKind::InvalidUtf8))?;
                (
                    OsStr::new(&text[..at]),
                    Some(PathBuf::from(&text[at + 1..])),
                )
            }
            None => (value, None),
        };
        let name = PossibleValuesParser::new(possible_values()).parse_ref(command, arg, name)?;
        let mut formats = FORMATS.iter();
        let format = formats.find(|format| format.name == name);
        let format = format.expect("only names of formats are possible values");
        if file
            .as_deref()
            .is_some_and(|file| file.as_os_str().is_empty())
        {
            let message = format!("--format: {}= names no file", format.name);
            return Err(command
                .clone()
                .error(clap::error::ErrorKind::InvalidValue, message));
        }
        Ok(FormatTo { format, file })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(possible_values()))
    }
}

fn possible_values() -> impl Iterator<Item = PossibleValue> {
    FORMATS
        .iter()
        .map(|format| PossibleValue::new(format.name).help(format.help))
}
