//! The keys and values of a configuration, each with its line.

use std::path::{Path, PathBuf};

use dupfind_files::inside::inside;
use toml::de::{DeTable, DeValue};

use crate::args::group::{Entry, Group, Key, WrongValue};
use crate::config::find;
use crate::config::find::Located;
use crate::config::keys;
use crate::process::paths::relative;

/// A configuration. Its keys exist, and each has a value that its option takes.
#[derive(Debug, Clone)]
pub(crate) struct File {
    /// Its absolute path.
    pub(crate) path: PathBuf,
    /// Its path as a user would type it.
    pub(crate) name: String,
    /// The absolute path of its folder.
    pub(crate) folder: PathBuf,
    /// Whether the user named it.
    pub(crate) is_named: bool,
    /// The absolute path of the current folder.
    cwd: PathBuf,
    text: String,
}

impl File {
    /// Reads a configuration.
    ///
    /// # Errors
    ///
    /// A sentence that names the file, and the line if one is wrong.
    pub(crate) fn read(located: Located, cwd: &Path) -> Result<Self, String> {
        let name = relative(located.file.clone(), cwd).display().to_string();
        let text = find::text(&located.file, &name)?;
        let folder = located.file.parent().unwrap_or(cwd).to_owned();
        checked(&text, &folder, cwd).map_err(|wrong| {
            let Wrong { line, column, what } = wrong;
            let column = column.map_or_else(String::new, |column| format!(":{column}"));
            format!("{name}:{line}{column}: {what}")
        })?;
        Ok(Self {
            path: located.file,
            name,
            folder,
            is_named: located.is_named,
            cwd: cwd.to_owned(),
            text,
        })
    }

    /// Returns the line of a key; that of the first one, if the key is not there.
    pub(crate) fn line(&self, key: &str) -> usize {
        let entries = self.entries();
        let entry = entries.iter().find(|entry| entry.key == key);
        entry.map_or(1, |entry| entry.line)
    }

    /// Returns the keys with their values, in the order of the file.
    pub(crate) fn entries(&self) -> Vec<Entry<'_>> {
        // The file was checked.
        parse(&self.text, &self.folder, &self.cwd).unwrap_or_default()
    }

    /// Returns whether a path, as the options of this file have it, is below a folder, with its links followed.
    pub(crate) fn is_inside(&self, path: &Path, folder: &Path) -> bool {
        path == Path::new("-") || inside(path, &self.cwd, folder).is_ok()
    }
}

/// Returns the group of options that these keys alone set. They were checked.
pub(crate) fn group<G: Group + Default>(entries: &[Entry<'_>]) -> G {
    let mut group = G::default();
    for entry in entries {
        let _ = group.set(entry);
    }
    group
}

/// A fault of a text, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    line: usize,
    /// The column, if the text is not TOML.
    column: Option<usize>,
    what: String,
}

/// Reads the keys of a configuration in a folder.
///
/// # Errors
///
/// The fault of the text, and its line.
fn parse<'t>(text: &'t str, folder: &'t Path, cwd: &'t Path) -> Result<Vec<Entry<'t>>, Wrong> {
    let table = DeTable::parse(text).map_err(|error| not_toml(text, &error))?;
    let entries = table.into_inner().into_iter().map(|(name, value)| Entry {
        key: name.get_ref().to_string(),
        line: line_of(text, name.span().start),
        value,
        folder,
        cwd,
    });
    let mut entries: Vec<Entry<'_>> = entries.collect();
    entries.sort_by_key(|entry| entry.line);
    Ok(entries)
}

/// Reads the text of a configuration in a folder, and checks that its keys exist and that their options take the values.
///
/// # Errors
///
/// The first fault of the text, and its line.
pub(crate) fn checked(text: &str, folder: &Path, cwd: &Path) -> Result<(), Wrong> {
    let entries = parse(text, folder, cwd)?;
    let known = keys::all();
    let mut entries = entries.iter();
    entries.try_for_each(|entry| check_entry(text, entry, &known))
}

/// Checks that there is a key, and that its option takes the value.
fn check_entry(text: &str, entry: &Entry<'_>, known: &[Key]) -> Result<(), Wrong> {
    let key = &entry.key;
    let wrong = |line, what| Wrong {
        line,
        column: None,
        what,
    };
    if let Some(why) = keys::why_not(key) {
        let what = format!("{key} is not a key of a configuration: {why}");
        return Err(wrong(entry.line, what));
    }
    if !known.iter().any(|known| known.name == *key) {
        let what = match entry.value.get_ref() {
            DeValue::Table(_) => {
                format!(
                    "there is no table '{key}': keys belong at the top of the file, without one"
                )
            }
            _ => keys::unknown(key, known),
        };
        return Err(wrong(entry.line, what));
    }
    for mut group in keys::groups() {
        group.set(entry).map_err(|error| {
            let WrongValue { at, what } = error;
            wrong(line_of(text, at), format!("{key}: {what}"))
        })?;
    }
    Ok(())
}

fn not_toml(text: &str, error: &toml::de::Error) -> Wrong {
    let at = error.span().map_or(text.len(), |span| span.start);
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Wrong {
        line: line_of(text, at),
        column: Some(before[start..].chars().count() + 1),
        what: error.message().trim_end().replace('\n', ", "),
    }
}

/// Returns the number of the line of a position in bytes.
fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}
