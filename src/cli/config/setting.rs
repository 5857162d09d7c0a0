//! One key of a configuration, read by the parser of its option.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue};
use clap::{ArgAction, ArgMatches, Command, Error, value_parser};

use crate::cli::args::program::has_folder;
use crate::cli::config::file::{Entry, Value};
use crate::cli::config::keys::{Holds, Key};
use crate::cli::config::paths::rebased;

/// A key that is in force.
pub(super) struct Setting {
    pub(super) key: String,
    pub(super) line: usize,
    /// The value of this option, and of no other.
    pub(super) matches: ArgMatches,
}

/// What reads keys.
pub(super) struct Reader {
    root: Command,
}

impl Reader {
    /// Returns a reader of the options of a definition.
    pub(super) fn new(definition: &Command) -> Self {
        // Nothing but the key that is read has a value: no argument is required, none has a default, and flags are
        // true or false.
        let bare = |command: Command| {
            command.mut_args(|arg| {
                let arg = arg.required(false).default_value(Resettable::Reset);
                match arg.get_action() {
                    ArgAction::SetTrue => {
                        let arg = arg.action(ArgAction::Set).num_args(1);
                        arg.value_parser(value_parser!(bool))
                    }
                    _ => arg,
                }
            })
        };
        Self {
            root: definition.clone().mut_subcommands(bare),
        }
    }

    /// Reads words of one option of a command.
    ///
    /// # Errors
    ///
    /// The values are wrong, or not for this command.
    pub(super) fn read<'w>(
        &mut self,
        command: &'w str,
        words: impl IntoIterator<Item = &'w OsString>,
    ) -> Result<ArgMatches, Error> {
        let mut line = vec![OsStr::new("dupfind"), OsStr::new(command)];
        line.extend(words.into_iter().map(OsString::as_os_str));
        self.root.try_get_matches_from_mut(line)
    }
}

/// Returns a key and its values as words of the command line, each with its line. `folder` is the folder of the
/// configuration.
pub(super) fn words(
    key: Key<'_>,
    entry: &Entry,
    folder: &Path,
    cwd: &Path,
) -> Vec<(usize, OsString)> {
    let option = OsString::from(format!("--{}=", key.name()));
    let values = match &entry.value {
        Value::Flag(is_on) => {
            let mut word = option;
            word.push(is_on.to_string());
            return vec![(entry.line, word)];
        }
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
        }
        word.push(value);
        (*line, word)
    };
    values.iter().map(word).collect()
}

/// Returns a value of folder `from` as it is written in folder `to`. Globs stay as they are: they carry the folder
/// that they are relative to.
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

/// Returns what is wrong with a value, without the name of the option: the value was not typed on the command line.
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
        _ => {
            // The first sentence, without the usage and where to find help.
            let text = error.render().to_string();
            let text = text.split("\n\n").next().unwrap_or_default();
            let lines = text.strip_prefix("error: ").unwrap_or(text).lines();
            lines.map(str::trim).collect::<Vec<_>>().join(" ")
        }
    }
}
