//! `--dump-config`: the options in force as a configuration, with all others in comments.
//!
//! Every key has the text of its help above it. The file reads back as the same options.

use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::path::Path;

use clap::CommandFactory;
use clap::builder::StyledStr;

use crate::args::config::Used;
use crate::args::headings::CONFIGURATION;
use crate::command_line::Args;
use crate::config::file::{Entry, File};
use crate::config::keys;
use crate::config::keys::{Holds, Key, scan_of};
use crate::config::paths::rebased_glob;
use crate::config::typed::Typed;
use crate::config::words::moved;

/// The longest line of a comment.
const WIDTH: usize = 100;

const HEAD: &str = "\
# Options of dupfind, by the names that they have on the command line, which outweighs them.
# Paths and globs are relative to the folder of this file. It is found from the first PATH upwards.
";

/// Returns the text of a configuration that means the same as the typed arguments together with a configuration.
///
/// # Errors
///
/// A typed value cannot be written in a configuration.
pub(crate) fn dump(
    typed: &Typed,
    file: Option<(&File, &Used)>,
    cwd: &Path,
) -> Result<String, String> {
    let folder = file.map_or(cwd, |(_, used)| &used.folder);
    let mut text = HEAD.to_owned();
    let mut heading = None;
    // The definition without the options that cancel flags has the order of the help.
    let root = Args::command();
    for key in keys::keys(scan_of(&root)) {
        let group = key.0.get_help_heading().unwrap_or("Paths");
        if group == CONFIGURATION {
            continue;
        }
        if heading != Some(group) {
            heading = Some(group);
            let line = "-".repeat(WIDTH - group.len() - 5);
            write_line(&mut text, &format!("\n# {group} {line}"));
        }
        text.push('\n');
        comment(&mut text, key);
        let value = match file {
            _ if typed.has(key) => Some(typed_value(typed, key, cwd, folder)?),
            Some((file, used)) if used.keys.contains(key.name()) => {
                let mut entries = file.entries.iter();
                let entry = entries.find(|entry| entry.key == key.name());
                entry.map(|entry| of_file(key, entry))
            }
            _ => None,
        };
        match value {
            Some(value) => write_line(&mut text, &format!("{} = {value}", key.name())),
            None => write_line(&mut text, &format!("# {} = {}", key.name(), usual(key))),
        }
    }
    let ignores = file.into_iter().flat_map(|(_, used)| &used.ignores);
    for table in ignores {
        let documents: Vec<String> = table.documents.iter().map(|name| quoted(name)).collect();
        let (documents, reason) = (documents.join(", "), quoted(&table.reason));
        let table = format!("\n[[ignore]]\ndocuments = [{documents}]\nreason = {reason}");
        write_line(&mut text, &table);
    }
    Ok(text)
}

fn write_line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("writing to a string");
}

/// Writes the help of a key as a comment.
fn comment(text: &mut String, key: Key<'_>) {
    let help = key.0.get_long_help().or(key.0.get_help());
    let help = help.map(StyledStr::to_string).unwrap_or_default();
    let mut paragraphs: Vec<String> = help.lines().map(str::to_owned).collect();
    let values = key.0.get_possible_values();
    for value in values.iter().filter(|_| !key.is_flag()) {
        let help = value.get_help().map(StyledStr::to_string);
        let help = help.map_or_else(String::new, |help| format!(": {help}"));
        paragraphs.push(format!("  {}{help}", value.get_name()));
    }
    for paragraph in paragraphs {
        let indent = &paragraph[..paragraph.len() - paragraph.trim_start().len()];
        let mut line = format!("#{indent}");
        for word in paragraph.split_whitespace() {
            if line.chars().count() + 1 + word.chars().count() > WIDTH {
                write_line(text, &line);
                line = format!("#{indent}");
            }
            line.push(' ');
            line.push_str(word);
        }
        write_line(text, line.trim_end());
    }
}

/// Returns the typed value of a key as TOML.
fn typed_value(typed: &Typed, key: Key<'_>, cwd: &Path, folder: &Path) -> Result<String, String> {
    if key.is_flag() {
        return Ok(typed.is_on(key.0.get_id().as_str()).to_string());
    }
    let name = key.name();
    let one = |value: &OsStr| {
        let value = match (key.holds(), value.to_str()) {
            (Holds::Glob, Some(glob)) => {
                let glob = rebased_glob(glob, cwd, folder);
                glob.map(OsString::from).ok_or_else(|| {
                    let folder = folder.display();
                    format!("--{name}: globs of the configuration are relative to {folder}: run it there")
                })?
            }
            _ => moved(key, value, cwd, folder),
        };
        let text = value
            .to_str()
            .filter(|text| !text.contains(char::is_control));
        text.map(|text| written(key, text)).ok_or_else(|| {
            let value = value.display();
            format!("--{name}: '{value}' cannot stand in a configuration, which is text")
        })
    };
    let values = typed.values(key).map(one).collect::<Result<Vec<_>, _>>()?;
    Ok(listed(key, &values))
}

/// Returns the value that a key has in the file, as TOML.
fn of_file(key: Key<'_>, entry: &Entry) -> String {
    // A string may hold a list, as on the command line.
    let delimiter = key.0.get_value_delimiter();
    let parts = entry.values.iter().flat_map(|(_, value)| match delimiter {
        Some(delimiter) => value.split(delimiter).collect(),
        None => vec![value.as_str()],
    });
    let values: Vec<String> = parts.map(|value| written(key, value)).collect();
    listed(key, &values)
}

/// Returns the default of a key as TOML, or a placeholder.
fn usual(key: Key<'_>) -> String {
    if key.is_flag() {
        return "false".into();
    }
    let mut values: Vec<String> = Vec::new();
    for value in key.0.get_default_values() {
        let value = value.to_string_lossy();
        let delimiter = key.0.get_value_delimiter().unwrap_or(',');
        values.extend(value.split(delimiter).map(|value| written(key, value)));
    }
    if values.is_empty() {
        let name = key.value_name().unwrap_or("VALUE");
        values.push(match key.holds() {
            Holds::Number => name.to_owned(),
            _ => quoted(name),
        });
    }
    listed(key, &values)
}

fn listed(key: Key<'_>, values: &[String]) -> String {
    if key.is_list() {
        format!("[{}]", values.join(", "))
    } else {
        values.concat()
    }
}

/// Returns a value as TOML: `true` or `false` of a flag, a number of a key of numbers, else a string.
fn written(key: Key<'_>, value: &str) -> String {
    let is_number = key.holds() == Holds::Number
        && value
            .parse::<toml::Value>()
            .is_ok_and(|value| value.is_integer() || value.is_float());
    if is_number || key.is_flag() {
        value.to_owned()
    } else {
        quoted(value)
    }
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
