//! The keys and values of a configuration, each with its line.

use std::path::{Path, PathBuf};

use clap::Command;
use dupfind_decide::gate::scope::ignore_rule;
use dupfind_decide::gate::scope::ignore_rule::IgnoreRule;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::find;
use crate::config::find::Located;
use crate::config::keys;
use crate::config::keys::{Holds, Key};
use crate::config::paths::relative;

/// A configuration. Its keys exist, and its values have the right type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    /// Its absolute path.
    pub(crate) path: PathBuf,
    /// Its path as a user would type it.
    pub(crate) name: String,
    /// The absolute path of its folder.
    pub(crate) folder: PathBuf,
    /// Whether the user named it.
    pub(crate) is_named: bool,
    pub(crate) entries: Vec<Entry>,
    pub(crate) ignores: Vec<IgnoreRule>,
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) line: usize,
    /// Its values as a user would type them, each with its line; `true` or `false` for a flag.
    pub(crate) values: Vec<(usize, String)>,
}

impl File {
    /// Reads a configuration. `scan` is the definition of the command whose options are the keys.
    ///
    /// # Errors
    ///
    /// A sentence that names the file, and the line if one is wrong.
    pub(crate) fn read(located: Located, cwd: &Path, scan: &Command) -> Result<Self, String> {
        let name = relative(located.file.clone(), cwd).display().to_string();
        let text = find::text(&located.file, &name)?;
        let folder = located.file.parent().unwrap_or(cwd).to_owned();
        let (entries, mut ignores) =
            parse(&text, scan).map_err(|Wrong { line, column, what }| {
                let column = column.map_or_else(String::new, |column| format!(":{column}"));
                format!("{name}:{line}{column}: {what}")
            })?;
        for IgnoreRule { origin, .. } in &mut ignores {
            *origin = format!("{name}:{origin}");
        }
        Ok(Self {
            path: located.file,
            name,
            folder,
            is_named: located.is_named,
            entries,
            ignores,
        })
    }
}

/// A fault of a text, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    line: usize,
    /// The column, if the text is not TOML.
    column: Option<usize>,
    what: String,
}

/// Reads the text of a configuration. `scan` is the definition of the command whose options are the keys.
///
/// # Errors
///
/// The fault of the text, and its line.
pub(crate) fn parse(text: &str, scan: &Command) -> Result<(Vec<Entry>, Vec<IgnoreRule>), Wrong> {
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(text.len(), |span| span.start);
        let before = text.get(..at).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Wrong {
            line: line_of(text, at),
            column: Some(before[start..].chars().count() + 1),
            what: error.message().trim_end().replace('\n', ", "),
        }
    })?;
    let keys: Vec<Key<'_>> = keys::keys(scan).collect();
    let reader = Reader { text, keys };
    let mut ignores = Vec::new();
    let mut entries = Vec::new();
    for (name, value) in table.get_ref() {
        if name.get_ref() == "ignore" {
            ignores = rules(text, value)?;
        } else {
            entries.push(reader.entry(name, value)?);
        }
    }
    entries.sort_by_key(|entry| entry.line);
    Ok((entries, ignores))
}

/// Reads the tables `[[ignore]]`.
fn rules(text: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<IgnoreRule>, Wrong> {
    let line = |at| line_of(text, at).to_string();
    ignore_rule::tables(value, line).map_err(|wrong| {
        let hint = match value.get_ref() {
            DeValue::Boolean(_) => "; ignore files are switched off by 'no-ignore = true'",
            // In TOML every later key belongs to the table.
            _ if wrong.reason.starts_with("unknown field") => {
                "; other keys come before the first table"
            }
            _ => "",
        };
        Wrong {
            line: line_of(text, wrong.at),
            column: None,
            what: format!("ignore: {}{hint}", wrong.reason),
        }
    })
}

/// Returns the number of the line of a position in bytes.
fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}

struct Reader<'t, 'c> {
    text: &'t str,
    keys: Vec<Key<'c>>,
}

impl Reader<'_, '_> {
    fn wrong<T>(&self, at: &Spanned<T>, what: impl Into<String>) -> Wrong {
        Wrong {
            line: line_of(self.text, at.span().start),
            column: None,
            what: what.into(),
        }
    }

    fn entry<N: AsRef<str>>(
        &self,
        name: &Spanned<N>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Entry, Wrong> {
        let key = name.get_ref().as_ref();
        if let Some(why) = keys::why_not(key) {
            return Err(self.wrong(
                name,
                format!("{key} is not a key of a configuration: {why}"),
            ));
        }
        let Some(&known) = self.keys.iter().find(|known| known.name() == key) else {
            let what = match value.get_ref() {
                DeValue::Table(_) => {
                    format!(
                        "there is no table '{key}': keys belong at the top of the file, without one"
                    )
                }
                _ => keys::unknown(key, &self.keys),
            };
            return Err(self.wrong(name, what));
        };
        Ok(Entry {
            key: key.to_owned(),
            line: line_of(self.text, name.span().start),
            values: self.values(known, value)?,
        })
    }

    /// Returns the values of a key as a user would type them, each with its line.
    fn values(
        &self,
        key: Key<'_>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<(usize, String)>, Wrong> {
        let DeValue::Array(list) = value.get_ref() else {
            return Ok(vec![self.word(key, value)?]);
        };
        if !key.is_list() {
            return Err(self.mistaken(key, value));
        }
        if list.is_empty() && !key.0.get_default_values().is_empty() {
            let what = format!("{}: the list is empty; expected at least one", key.name());
            return Err(self.wrong(value, what));
        }
        list.iter().map(|one| self.word(key, one)).collect()
    }

    fn word(&self, key: Key<'_>, value: &Spanned<DeValue<'_>>) -> Result<(usize, String), Wrong> {
        let word = match (key.is_flag(), value.get_ref()) {
            (true, DeValue::Boolean(is_on)) => is_on.to_string(),
            (false, DeValue::String(text)) => self.harmless(key.name(), value, text)?,
            (false, DeValue::Integer(number)) if number.radix() == 10 => number.as_str().to_owned(),
            (false, DeValue::Float(number)) => number.as_str().to_owned(),
            _ => return Err(self.mistaken(key, value)),
        };
        Ok((line_of(self.text, value.span().start), word))
    }

    /// Returns a string, or refuses it for characters that act on a terminal.
    fn harmless<T>(&self, key: &str, at: &Spanned<T>, text: &str) -> Result<String, Wrong> {
        match text.chars().find(|c| c.is_control()) {
            Some(c) => Err(self.wrong(
                at,
                format!(
                    "{key}: there is a control character, {}",
                    c.escape_unicode()
                ),
            )),
            None => Ok(text.to_owned()),
        }
    }

    /// Returns the error of a value of the wrong type.
    fn mistaken(&self, key: Key<'_>, value: &Spanned<DeValue<'_>>) -> Wrong {
        let one = match key.holds() {
            Holds::Number => "a decimal number",
            _ => "a string",
        };
        let expected = match key {
            _ if key.is_flag() => "true or false".to_owned(),
            _ if key.is_list() => format!("a list of strings, or {one}"),
            _ => one.to_owned(),
        };
        let is = named(value.get_ref());
        self.wrong(
            value,
            format!("{}: expected {expected}, not {is}", key.name()),
        )
    }
}

/// Returns the name of a value's type.
fn named(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(number) if number.radix() != 10 => "a number that is not decimal",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
