//! `dupfind.toml`: a file of options.
//!
//! Each key is an option of a group of `src/args`, with its name and the parser of its values. A command takes the keys of the
//! groups that it has. Typed options outweigh the file, and lists are replaced as a whole.

pub(crate) mod file;
pub(crate) mod find;
pub(crate) mod keys;
mod reach;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::Path;

use clap::Command;

use crate::args::group::{Conflict, Group};
use crate::args::used::{Asked, Used};
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

/// Returns the configuration of a command, if there is one.
///
/// # Errors
///
/// It cannot be read, or something in it is wrong.
pub(crate) fn read(
    args: &dyn Group,
    command: &Command,
    cwd: &Path,
) -> Result<Option<File>, String> {
    let located = match args.asked() {
        None => None,
        Some(Asked::Named(file)) => Some(find::named(&file, cwd)?),
        Some(Asked::Nearest) => find::upwards(args.start(), cwd)?,
    };
    let Some(located) = located else {
        return Ok(None);
    };
    let file = File::read(located, cwd)?;
    match two_that_exclude(&file, command) {
        Some(reason) => Err(reason),
        None => Ok(Some(file)),
    }
}

/// Sets the options that were not typed as a configuration says, if there is one. `command` is the definition of the command,
/// and `overruled` are the keys that conflict with typed options. Returns whether all options go together; if not, there are more
/// keys that are overruled.
///
/// # Errors
///
/// Options do not go together, or a configuration that was found may not do this.
pub(crate) fn complete(
    args: &mut dyn Group,
    file: Option<&File>,
    command: &Command,
    overruled: &mut BTreeSet<String>,
) -> Result<bool, String> {
    let typed: BTreeSet<String> = args.words().into_iter().map(|(name, _)| name).collect();
    args.typed();
    let mut keys = BTreeSet::new();
    if let Some(file) = file {
        keys = apply(args, file, command, (&typed, overruled))?;
    }
    let used = file.map(|file| used(file, keys.clone(), overruled.clone()));
    args.configured(&typed, used.as_ref());
    let Some(Conflict { options, reason }) = args.conflict() else {
        return Ok(true);
    };
    let of_file = || options.iter().filter(|option| keys.contains(**option));
    match (file, of_file().next()) {
        (Some(file), Some(key)) if !options.iter().any(|option| typed.contains(*option)) => {
            Err(format!("{}:{}: {reason}", file.name, file.line(key)))
        }
        (Some(_), Some(_)) => {
            // A key gives way to an option that was typed.
            overruled.extend(of_file().map(|key| (*key).to_owned()));
            Ok(false)
        }
        _ => Err(reason),
    }
}

/// Sets options that were not typed. Returns the names of those that were set.
fn apply(
    args: &mut dyn Group,
    file: &File,
    command: &Command,
    (typed, overruled): (&BTreeSet<String>, &mut BTreeSet<String>),
) -> Result<BTreeSet<String>, String> {
    let entries = file.entries();
    refuse_elsewhere(file, &entries, command.get_name())?;
    let mut keys = BTreeSet::new();
    for entry in &entries {
        let key = &entry.key;
        if typed.iter().any(|typed| excludes(command, typed, key)) {
            overruled.insert(key.clone());
        }
        if overruled.contains(key) {
            continue;
        }
        let is_set = args.set(entry);
        if is_set.map_err(|error| format!("{}: {}", file.name, error.what))? {
            keys.insert(key.clone());
        }
    }
    Ok(keys)
}

fn used(file: &File, keys: BTreeSet<String>, overruled: BTreeSet<String>) -> Used {
    Used {
        file: file.path.clone(),
        name: file.name.clone(),
        folder: file.folder.clone(),
        keys,
        overruled,
        may_read: readable(file),
    }
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
