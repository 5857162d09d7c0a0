//! The formats of a report, and the file that each goes to.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, Error};

use dupfind_report::formats::FORMATS;
use dupfind_report::formats::format::Format;

use crate::terminal::output;

/// A format, and the file it goes to: `FORMAT` or `FORMAT=FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FormatTo {
    pub(crate) format: &'static Format,
    /// None for the place that `--output` names.
    pub(crate) file: Option<PathBuf>,
}

/// Returns why several formats do not go together, if they do not. `named` is the file of `--output`.
pub(crate) fn conflict(formats: &[FormatTo], named: Option<&Path>) -> Option<String> {
    for (at, one) in formats.iter().enumerate() {
        for other in &formats[..at] {
            if one.format == other.format {
                return Some(format!("--format {} is given twice", one.format.name));
            }
            let target = |to: &FormatTo| to.file.clone().or_else(|| named.map(Path::to_owned));
            let place = |to: &FormatTo| target(to).and_then(|file| output::place(&file));
            if place(one) == place(other) {
                let (one, other) = (one.format.name, other.format.name);
                let target = target(&formats[at]).filter(|file| output::place(file).is_some());
                let place =
                    target.map_or("standard output".into(), |file| file.display().to_string());
                return Some(format!(
                    "--format: {other} and {one} both go to {place}; {one}=FILE writes to a file"
                ));
            }
        }
    }
    let is_used = formats.is_empty() || formats.iter().any(|to| to.file.is_none());
    (named.is_some() && !is_used)
        .then(|| "--output names a file for nothing: every --format has one of its own".into())
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
        let mut formats = FORMATS.into_iter();
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
    let formats = FORMATS.into_iter();
    formats.map(|format| PossibleValue::new(format.name).help(format.help))
}
