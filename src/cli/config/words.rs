//! Keys and values as words of the command line, and what is wrong with one.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

use crate::cli::config::file::{Entry, Value};
use crate::cli::config::keys::{Holds, Key};
use crate::cli::config::places::rebased;
use crate::cli::program::has_folder;

/// A key and its value as words of the command line.
pub(super) fn words(
    key: Key<'_>,
    entry: &Entry,
    folder: &Path,
    cwd: &Path,
) -> Vec<(usize, OsString)> {
    let option = OsString::from(format!("--{}", key.name()));
    let values = match &entry.value {
        Value::Flag(true) => return vec![(entry.line, option)],
        Value::Flag(false) => return Vec::new(),
        Value::Words(values) => values,
    };
    let word = |(line, value): &(usize, String)| {
        let value = moved(key, OsStr::new(value), folder, cwd);
        let mut word = OsString::new();
        if key.0.is_positional() {
            if value.as_encoded_bytes().starts_with(b"-") {
                word.push("./");
            }
        } else {
            word.push(&option);
            word.push("=");
        }
        word.push(value);
        (*line, word)
    };
    values.iter().map(word).collect()
}

/// Takes a value as it is written in folder `from` and returns how it is written in folder `to`. Globs have
/// a folder of their own.
pub(super) fn moved(key: Key<'_>, value: &OsStr, from: &Path, to: &Path) -> OsString {
    let path = |path: &OsStr| match path.to_str() {
        Some("" | "-") => path.to_owned(),
        _ => rebased(Path::new(path), from, to).into_os_string(),
    };
    match (key.holds(), value.to_str()) {
        (Holds::Path, _) => path(value),
        (Holds::Idf, Some("dictionary" | "corpus")) => value.to_owned(),
        (Holds::Idf, _) => path(value),
        (Holds::Program, _) if has_folder(Path::new(value)) => path(value),
        (Holds::Format, Some(text)) => match text.split_once('=') {
            Some((format, file)) => {
                let mut text = OsString::from(format!("{format}="));
                text.push(path(OsStr::new(file)));
                text
            }
            None => value.to_owned(),
        },
        _ => value.to_owned(),
    }
}

/// Takes one word and returns what is wrong with it, whatever else is missing.
pub(super) fn check(root: &mut Command, command: &str, word: &OsStr) -> Result<(), Error> {
    let words = [OsStr::new("dupfind"), OsStr::new(command), word];
    match root.try_get_matches_from_mut(words) {
        Err(error) if error.kind() != ErrorKind::MissingRequiredArgument => Err(error),
        _ => Ok(()),
    }
}

/// What an error says, without the usage and where to find help.
pub(super) fn gist(error: &Error) -> String {
    let text = error.render().to_string();
    let text = text.split("\n\n").next().unwrap_or_default();
    let lines = text.strip_prefix("error: ").unwrap_or(text).lines();
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

/// What is wrong with a value, without the option that nobody typed.
pub(super) fn reason(error: &Error) -> String {
    let context = |kind| error.get(kind);
    let own = std::error::Error::source(error);
    match (
        context(ContextKind::InvalidValue),
        context(ContextKind::ValidValue),
    ) {
        _ if own.is_some() => own.map_or_else(String::new, ToString::to_string),
        (Some(ContextValue::String(value)), Some(ContextValue::Strings(valid)))
            if !valid.is_empty() =>
        {
            let meant = match context(ContextKind::SuggestedValue) {
                Some(ContextValue::String(meant)) => format!(": did you mean '{meant}'?"),
                _ => String::new(),
            };
            format!("'{value}' is none of {}{meant}", valid.join(", "))
        }
        (Some(ContextValue::String(value)), _) if value.is_empty() => "there is no value".into(),
        _ => gist(error),
    }
}
