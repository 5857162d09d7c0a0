//! `dupfind.toml`: a file of options.
//!
//! Each key is an option of a group of `src/args`, with its name and the parser of its values. A command takes the keys of the
//! groups that it has. Typed options outweigh the file, and lists are replaced as a whole.

pub(crate) mod file;
pub(crate) mod find;
pub(crate) mod keys;
pub(crate) mod paths;
mod reach;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::Path;

use clap::Command;

use crate::args::config::{ConfigArgs, Used};
use crate::args::group::Group;
use crate::config::file::File;
use crate::config::reach::{readable, refuse_elsewhere};

/// Why there is nothing to run.
#[derive(Debug)]
pub(crate) enum Refused {
    /// A typed word is wrong, or asks for help.
    Typed(clap::Error),
    /// Typed options do not go together, or the configuration is wrong: then the reason names its file and line.
    Told(String),
}

impl From<clap::Error> for Refused {
    fn from(error: clap::Error) -> Self {
        Self::Typed(error)
    }
}

/// Options that do not go together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conflict {
    /// The names of the options.
    pub(crate) options: &'static [&'static str],
    pub(crate) reason: String,
}

impl Conflict {
    /// Returns those of the options that a configuration has set.
    pub(crate) fn keys_of(&self, config: &ConfigArgs) -> Vec<String> {
        let used = config.used.as_ref();
        let is_key = |option: &&&str| used.is_some_and(|used| used.keys.contains(**option));
        let keys = self.options.iter().filter(is_key);
        keys.map(|key| (*key).to_owned()).collect()
    }

    /// Returns whether one of the options was typed.
    pub(crate) fn is_typed(&self, config: &ConfigArgs) -> bool {
        self.options
            .iter()
            .any(|option| config.typed.contains(*option))
    }
}

/// The arguments of a command that may have a configuration.
pub(crate) trait Configured: Group {
    fn config(&mut self) -> &mut ConfigArgs;

    /// Returns the first path that is read: the configuration is looked for there.
    fn start(&self) -> Option<&Path>;

    /// Returns why the arguments do not go together, if they do not. clap has checked what depends on no value.
    fn conflict(&self) -> Option<Conflict> {
        None
    }

    /// Keeps what is typed, before a configuration is added to it.
    fn typed(&mut self) {}

    /// Goes on when all arguments are there.
    fn finish(&mut self) {}
}

/// Returns the configuration of a command, if there is one.
///
/// # Errors
///
/// It cannot be read, or something in it is wrong.
pub(crate) fn read(
    args: &mut dyn Configured,
    command: &Command,
    cwd: &Path,
) -> Result<Option<File>, String> {
    let config = args.config();
    let located = match config.config.clone() {
        _ if config.no_config => None,
        Some(file) => Some(find::named(&file, cwd)?),
        None => find::upwards(args.start(), cwd)?,
    };
    let file = located
        .map(|located| File::read(located, cwd))
        .transpose()?;
    match file
        .as_ref()
        .and_then(|file| two_that_exclude(file, command))
    {
        Some(reason) => Err(reason),
        None => Ok(file),
    }
}

/// Sets the options that were not typed as a configuration says. `command` is the definition of the command, and `overruled`
/// are the keys that conflict with typed options.
///
/// # Errors
///
/// A configuration that was found may not do this.
pub(crate) fn apply(
    args: &mut dyn Configured,
    file: &File,
    command: &Command,
    overruled: &mut BTreeSet<String>,
) -> Result<(), String> {
    refuse_elsewhere(file, command.get_name())?;
    let mut keys = BTreeSet::new();
    for entry in &file.entries() {
        if args
            .config()
            .typed
            .iter()
            .any(|typed| excludes(command, typed, &entry.key))
        {
            overruled.insert(entry.key.clone());
        }
        let is_set = !overruled.contains(&entry.key)
            && args
                .set(entry)
                .map_err(|error| format!("{}: {error}", file.name))?;
        if is_set {
            keys.insert(entry.key.clone());
        }
    }
    args.config().used = Some(Used {
        file: file.path.clone(),
        name: file.name.clone(),
        folder: file.folder.clone(),
        keys,
        overruled: overruled.clone(),
        ignores: file.ignores.clone(),
        may_read: readable(file),
    });
    Ok(())
}

/// Returns whether the declarations of two options exclude each other.
fn excludes(command: &Command, one: &str, other: &str) -> bool {
    let id = |name: &str| name.replace('-', "_");
    let lists = |one: &str, other: &str| {
        let mut arguments = command.get_arguments();
        let found = arguments.find(|arg| arg.get_id() == id(one).as_str());
        let excluded = found.map(|arg| command.get_arg_conflicts_with(arg));
        let mut excluded = excluded.into_iter().flatten();
        excluded.any(|arg| arg.get_id() == id(other).as_str())
    };
    lists(one, other) || lists(other, one)
}

/// Returns the place of two keys of a file that exclude each other, with the reason.
fn two_that_exclude(file: &File, command: &Command) -> Option<String> {
    let entries = file.entries();
    entries.iter().enumerate().find_map(|(at, one)| {
        let mut others = entries[at + 1..].iter();
        let other = others.find(|other| excludes(command, &one.key, &other.key))?;
        let (name, line) = (&file.name, other.line);
        Some(format!(
            "{name}:{line}: {} cannot be used with {}",
            other.key, one.key
        ))
    })
}
