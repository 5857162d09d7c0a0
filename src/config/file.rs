//! The keys and values of a configuration, each with its line, and what a configuration may do that nobody has named.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, Args, Command, ValueHint};
use dupfind_files::inside;
use dupfind_read::root_around;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::args::running::{Config, Entry};
use crate::args::values::reason;
use crate::args::{
    AcrossArgs, DetectArgs, GateArgs, IndexArgs, InputArgs, KeepArgs, LangArgs, ListArgs,
    MemoryArgs, QuietArgs, ReportArgs, RunArgs, ScopeArgs, TextArgs,
};
use crate::config::find;
use crate::guesses::nearest;
use crate::process::{rebased, relative};

/// Returns the groups of options that are keys, as a command.
pub(crate) fn keys() -> Command {
    let groups: [fn(Command) -> Command; 13] = [
        InputArgs::augment_args,
        IndexArgs::augment_args,
        TextArgs::augment_args,
        DetectArgs::augment_args,
        ScopeArgs::augment_args,
        AcrossArgs::augment_args,
        ReportArgs::augment_args,
        ListArgs::augment_args,
        GateArgs::augment_args,
        KeepArgs::augment_args,
        RunArgs::augment_args,
        MemoryArgs::augment_args,
        LangArgs::augment_args,
    ];
    let keys = Command::new(find::NAME)
        .no_binary_name(true)
        .disable_help_flag(true);
    let keys = groups.into_iter().fold(keys, |keys, group| group(keys));
    QuietArgs::augment_args(keys)
}

/// Returns the name of the key of an option.
pub(crate) fn key_of(option: &Arg) -> String {
    option.get_id().as_str().replace('_', "-")
}

/// Reads a configuration.
///
/// # Errors
///
/// A sentence that names the file, and the line if one is wrong.
pub(crate) fn read(path: PathBuf, is_named: bool, cwd: &Path) -> Result<Config, String> {
    let name = relative(path.clone(), cwd).display().to_string();
    let text = find::text(&path, &name)?;
    let folder = path.parent().unwrap_or(cwd).to_owned();
    let wrong = |Wrong { at, column, what }| {
        let column = column.map_or_else(String::new, |column| format!(":{column}"));
        format!("{name}:{}{column}: {what}", line_of(&text, at))
    };
    let mut entries = parsed(&text).map_err(wrong)?;
    let keys = keys();
    for entry in &mut entries {
        let option = keys.get_arguments().find(|arg| *arg.get_id() == entry.id);
        for value in entry.values.iter_mut().filter(|_| folder != cwd) {
            let is_path = option.is_some_and(|arg| arg.get_value_hint() == ValueHint::AnyPath);
            *value = moved(value, &entry.key, is_path, &folder, cwd);
        }
    }
    let may_read = root_around(&folder).unwrap_or(&folder);
    Ok(Config {
        path,
        name,
        may_read: (!is_named).then(|| may_read.to_owned()),
        folder,
        entries,
    })
}

/// Refuses a configuration that was found if it goes beyond what such a configuration may do to a command: a folder may
/// come from anywhere, and so may the configuration in it. It writes only below its folder, reads only within its
/// repository, and runs no program. No key is about git.
///
/// # Errors
///
/// A sentence that names the line, and how to allow it.
pub(crate) fn refuse_elsewhere(config: &Config, command: &str, cwd: &Path) -> Result<(), String> {
    let Some(readable) = &config.may_read else {
        return Ok(());
    };
    let is_repository = root_around(&config.folder).is_some();
    let below = |value: &String, folder: &Path| {
        value == "-" || inside(Path::new(value), cwd, folder).is_ok()
    };
    for Entry {
        key, values, line, ..
    } in &config.entries
    {
        let refused = |what: &str| {
            let name = &config.name;
            Err(format!(
                "{name}:{line}: {key}: a configuration that was found may {what}; --config {name} allows it"
            ))
        };
        let files: Vec<String> = match key.as_str() {
            "pre" => return refused("run no program"),
            "format" => values
                .iter()
                .filter_map(|value| Some(value.split_once('=')?.1.to_owned()))
                .collect(),
            _ => values.clone(),
        };
        let (folder, what) = match key.as_str() {
            "output" | "format" | "index" => (&*config.folder, "write below its own folder"),
            "baseline" if command == "accept" => (&*config.folder, "write below its own folder"),
            "paths" | "files-from" | "against" | "baseline" if is_repository => {
                (&**readable, "read within its own repository")
            }
            "paths" | "files-from" | "against" | "baseline" => {
                (&**readable, "read below its own folder")
            }
            _ => continue,
        };
        if let Some(file) = files.iter().find(|file| !below(file, folder)) {
            return refused(&format!("{what} only, and not '{file}'"));
        }
    }
    Ok(())
}

/// Returns a value of a configuration as it is typed in the current folder.
fn moved(value: &str, key: &str, is_path: bool, from: &Path, to: &Path) -> String {
    let path = |path: &str| match path {
        "-" => path.to_owned(),
        _ => rebased(Path::new(path), from, to)
            .to_string_lossy()
            .into_owned(),
    };
    match value.split_once('=') {
        _ if is_path => path(value),
        Some((format, file)) if key == "format" => format!("{format}={}", path(file)),
        _ => value.to_owned(),
    }
}

/// A fault of a text, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// The byte where it begins.
    at: usize,
    /// The column, if the text is not TOML.
    column: Option<usize>,
    what: String,
}

/// Reads the keys of a configuration.
///
/// # Errors
///
/// The first fault of the text: it is no TOML, a key does not exist, or its option does not take a value.
pub(crate) fn parsed(text: &str) -> Result<Vec<Entry>, Wrong> {
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(text.len(), |span| span.start);
        let before = text.get(..at).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Wrong {
            at,
            column: Some(before[start..].chars().count() + 1),
            what: error.message().trim_end().replace('\n', ", "),
        }
    })?;
    let mut found: Vec<_> = table.into_inner().into_iter().collect();
    found.sort_by_key(|(name, _)| name.span().start);
    let (keys, mut entries) = (keys(), Vec::new());
    for (name, value) in found {
        let (key, at) = (name.get_ref().to_string(), name.span().start);
        let wrong = |(at, what)| Wrong {
            at,
            column: None,
            what,
        };
        let option = option(&key, &keys).map_err(|what| wrong((at, what)))?;
        let values = checked(option, &value, &keys);
        entries.push(Entry {
            id: option.get_id().to_string(),
            line: line_of(text, at),
            is_in_force: false,
            values: values.map_err(|(at, what)| wrong((at, format!("{key}: {what}"))))?,
            key,
        });
    }
    Ok(entries)
}

/// Returns the option of a key.
///
/// # Errors
///
/// Why there is none, with the key that was probably meant.
fn option<'k>(key: &str, keys: &'k Command) -> Result<&'k Arg, String> {
    if let Some(option) = keys.get_arguments().find(|option| key_of(option) == key) {
        return Ok(option);
    }
    let known: Vec<String> = keys.get_arguments().map(key_of).collect();
    Err(match nearest(key, known.iter().map(String::as_str)) {
        Some(meant) => format!("there is no key '{key}': did you mean '{meant}'?"),
        None => format!(
            "there is no key '{key}': keys are the long names of most options, at the top of the file"
        ),
    })
}

/// Returns the values of a key as they are typed, checked by the parser of its option.
///
/// # Errors
///
/// What is wrong, and where it begins.
fn checked(
    option: &Arg,
    value: &Spanned<DeValue<'_>>,
    keys: &Command,
) -> Result<Vec<String>, (usize, String)> {
    let at = value.span().start;
    let is_flag = !option.get_action().takes_values();
    let text = match value.get_ref() {
        DeValue::Boolean(is_on) if is_flag => return Ok(vec![is_on.to_string()]),
        DeValue::Array(list) if matches!(option.get_action(), ArgAction::Append) => {
            let option = option.clone().action(ArgAction::Set);
            let values = list.iter().map(|value| checked(&option, value, keys));
            return Ok(values.collect::<Result<Vec<_>, _>>()?.concat());
        }
        DeValue::String(text) if !is_flag => text.to_string(),
        DeValue::Integer(number) if !is_flag => number.to_string(),
        DeValue::Float(number) if !is_flag => number.to_string(),
        other => {
            let expected = match is_flag {
                true => "true or false",
                false => "a string or a number",
            };
            let found = other.type_str();
            return Err((at, format!("invalid type: {found}, expected {expected}")));
        }
    };
    if let Some(c) = text.chars().find(|c| c.is_control()) {
        let c = c.escape_unicode();
        return Err((at, format!("there is a control character, {c}")));
    }
    let words = match option.get_long() {
        Some(long) => vec![format!("--{long}={text}")],
        None => vec!["--".into(), text.clone()],
    };
    let read = keys.clone().try_get_matches_from(words);
    read.map_err(|error| (at, reason(&error)))?;
    Ok(vec![text])
}

/// Returns the number of the line of a position in bytes.
fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}
