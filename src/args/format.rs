//! The formats of a report, and the file that each goes to.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};

use crate::args::values::Value;

use dupfind_report::formats::FORMATS;
use dupfind_report::formats::format::Format;

/// A format, and the file it goes to: `FORMAT` or `FORMAT=FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FormatTo {
    pub(crate) format: &'static Format,
    /// None for the place that `--output` names.
    pub(crate) file: Option<PathBuf>,
}

impl Value for FormatTo {
    fn parse(text: &str) -> Result<Self, String> {
        let (name, file) = match text.split_once('=') {
            Some((name, file)) => (name, Some(file)),
            None => (text, None),
        };
        let Some(format) = FORMATS.iter().find(|format| format.name == name) else {
            let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
            return Err(format!("'{name}' is none of {}", names.join(", ")));
        };
        match file {
            Some("") => Err(format!("{name}= names no file")),
            file => Ok(Self {
                format,
                file: file.map(PathBuf::from),
            }),
        }
    }

    fn parser() -> ValueParser {
        FormatParser.into()
    }

    fn word(&self) -> OsString {
        let mut word = OsString::from(self.format.name);
        if let Some(file) = &self.file {
            word.push("=");
            word.push(file);
        }
        word
    }

    fn moved(self, from: &Path, to: &Path) -> Self {
        Self {
            file: self.file.map(|file| file.moved(from, to)),
            ..self
        }
    }
}

/// The parser of `FORMAT` and `FORMAT=FILE`. Its help and its errors list the formats.
#[derive(Debug, Clone)]
struct FormatParser;

impl TypedValueParser for FormatParser {
    type Value = FormatTo;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, Error> {
        let invalid = |kind| Error::new(kind).with_cmd(command);
        let text = value
            .to_str()
            .ok_or_else(|| invalid(ErrorKind::InvalidUtf8))?;
        let name = text.split('=').next().unwrap_or_default();
        let names = PossibleValuesParser::new(possible_values());
        names.parse_ref(command, arg, OsStr::new(name))?;
        FormatTo::parse(text).map_err(|reason| {
            let message = format!("--format: {reason}");
            command.clone().error(ErrorKind::InvalidValue, message)
        })
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
