//! The formats of a report, and the file that each goes to.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error, ValueEnum};

use crate::cli::terminal::output;

/// Formats of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people: the pairs, the clusters, a summary
    Table,
    /// One JSON object
    Json,
    /// One JSON object a line, each with its type
    Jsonl,
    /// The pairs, for spreadsheets
    Csv,
    /// SARIF 2.1.0, for code scanning: the documents at fault
    Sarif,
    /// Annotations of GitHub Actions, and a summary of the job
    Github,
    /// GitLab Code Quality
    Gitlab,
    /// A test case for each document
    Junit,
    /// A comment on a pull request
    Markdown,
    /// A page to look at: the pairs, the clusters, and the documents side by side
    Html,
}

/// A format, and the file it goes to: `FORMAT` or `FORMAT=FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FormatTo {
    pub(crate) format: Format,
    /// None for the place that `--output` names.
    pub(crate) file: Option<PathBuf>,
}

impl Format {
    /// Returns its name on the command line.
    pub(crate) fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Returns whether it holds only pairs, or only the documents of pairs. The other formats hold clusters, too.
    pub(crate) fn is_of_pairs(self) -> bool {
        self == Self::Csv || self.is_for_ci()
    }

    /// Returns whether it is for a CI system.
    pub(crate) fn is_for_ci(self) -> bool {
        matches!(
            self,
            Self::Sarif | Self::Github | Self::Gitlab | Self::Junit | Self::Markdown
        )
    }

    /// Returns whether it is written while pairs are found.
    pub(crate) fn is_streamed(self) -> bool {
        matches!(self, Self::Jsonl | Self::Csv)
    }
}

/// Returns why several formats do not go together, if they do not. `named` is the file of `--output`.
pub(crate) fn conflict(formats: &[FormatTo], named: Option<&Path>) -> Option<String> {
    for (at, one) in formats.iter().enumerate() {
        for other in &formats[..at] {
            if one.format == other.format {
                return Some(format!("--format {} is given twice", one.format.name()));
            }
            let target = |to: &FormatTo| to.file.clone().or_else(|| named.map(Path::to_owned));
            let place = |to: &FormatTo| target(to).and_then(|file| output::place(&file));
            if place(one) == place(other) {
                let (one, other) = (one.format.name(), other.format.name());
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
        let format = EnumValueParser::<Format>::new().parse_ref(command, arg, name)?;
        if file
            .as_deref()
            .is_some_and(|file| file.as_os_str().is_empty())
        {
            let message = format!("--format: {}= names no file", format.name());
            return Err(command
                .clone()
                .error(clap::error::ErrorKind::InvalidValue, message));
        }
        Ok(FormatTo { format, file })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = Format::value_variants().iter();
        Some(Box::new(values.filter_map(Format::to_possible_value)))
    }
}
