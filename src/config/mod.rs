//! `dupfind.toml`: a file of options.
//!
//! A key is an option of a group of `src/args`. Its values become the defaults of the option: what is typed outweighs them,
//! and a typed list replaces the whole list of the file. A command takes the keys of the groups that it has. If a command has
//! another option with the name of a key, that option has an id of its own, such as `own_format`.

pub(crate) mod file;
pub(crate) mod find;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use dupfind_read::file_of;

use crate::args::Conflict;
use crate::args::running::Used;
use crate::config::file::{Entry, File};

/// Returns the configuration that a command asks for, if there is one.
///
/// # Errors
///
/// It cannot be read, or something in it is wrong.
pub(crate) fn read(command: &str, typed: &ArgMatches, cwd: &Path) -> Result<Option<File>, String> {
    let has_none = typed.try_get_one("no_config").map(Option::<&bool>::copied);
    let named: Option<&PathBuf> = typed.try_get_one("config").ok().flatten();
    let located = match (has_none, named) {
        (Ok(Some(false)), Some(file)) => Some(find::named(file, cwd)?),
        (Ok(Some(false)), None) => find::upwards(start(command, typed).as_deref(), cwd)?,
        _ => None,
    };
    let file = located
        .map(|located| File::read(located, cwd))
        .transpose()?;
    if let Some(file) = &file {
        file.refuse_elsewhere(command, cwd)?;
    }
    Ok(file)
}

/// Returns the first path that a command reads: the configuration is looked for there.
fn start(command: &str, typed: &ArgMatches) -> Option<PathBuf> {
    let first = |id| {
        let path: Option<&PathBuf> = typed.try_get_many(id).ok().flatten()?.next();
        path.cloned()
    };
    match command {
        "compare" => first("among").or_else(|| Some(file_of(&first("a")?).to_owned())),
        "query" => first("pages"),
        "accept" if typed.get_flag("all") => first("a").or_else(|| first("paths")),
        "accept" => first("family").or_else(|| first("paths")),
        _ => first("paths").or_else(|| first("own_paths")),
    }
}

/// Returns whether an option was typed.
pub(crate) fn is_typed(typed: &ArgMatches, id: &str) -> bool {
    // Behind 'accept --all' the words for two documents are paths.
    let others = match id {
        "paths" if typed.try_get_one("all").is_ok_and(|all| all == Some(&true)) => &["a", id][..],
        _ => &[id],
    };
    let is_there = |id: &&str| {
        let is_known = typed.try_contains_id(id).unwrap_or(false);
        is_known && typed.value_source(id) == Some(ValueSource::CommandLine)
    };
    others.iter().any(is_there)
}

/// The keys of a configuration that are in force for a command.
pub(crate) struct InForce<'f> {
    file: Option<&'f File>,
    entries: Vec<&'f Entry>,
    overruled: BTreeSet<String>,
}

impl<'f> InForce<'f> {
    /// Returns the keys of the options that a command has and that were not typed.
    pub(crate) fn new(file: Option<&'f File>, command: &Command, typed: &ArgMatches) -> Self {
        let has = |id: &str| command.get_arguments().any(|arg| arg.get_id() == id);
        let entries = file.iter().flat_map(|file| &file.entries);
        let free = entries.filter(|entry| has(&entry.id) && !is_typed(typed, &entry.id));
        Self {
            file,
            entries: free.collect(),
            overruled: BTreeSet::new(),
        }
    }

    /// Makes the values of the keys defaults.
    pub(crate) fn added_to(&self, command: Command) -> Command {
        self.entries.iter().fold(command, |command, entry| {
            let values = entry.values.clone();
            command.mut_arg(&entry.id, |arg| arg.default_values(values))
        })
    }

    /// Lets keys give way to typed options that they do not go together with.
    ///
    /// # Errors
    ///
    /// The reason, if the typed options do not go together, or the keys, with their line.
    pub(crate) fn give_way(
        &mut self,
        conflict: &Conflict,
        typed: &ArgMatches,
    ) -> Result<(), String> {
        let Conflict { options, reason } = conflict;
        let is_one = |entry: &&&Entry| options.contains(&&*entry.key);
        let Some(first) = self.entries.iter().find(is_one) else {
            return Err(reason.clone());
        };
        let id = |option: &&str| option.replace('-', "_");
        if let (false, Some(file)) = (
            options.iter().any(|option| is_typed(typed, &id(option))),
            self.file,
        ) {
            return Err(format!("{}:{}: {reason}", file.name, first.line));
        }
        let gone = self
            .entries
            .extract_if(.., |entry| options.contains(&&*entry.key));
        self.overruled.extend(gone.map(|entry| entry.key.clone()));
        Ok(())
    }

    /// Returns the configuration as the command uses it.
    pub(crate) fn used(self) -> Option<Used> {
        let file = self.file?;
        Some(Used {
            file: file.path.clone(),
            name: file.name.clone(),
            folder: file.folder.clone(),
            keys: self.entries.iter().map(|entry| entry.key.clone()).collect(),
            all_keys: file.entries.iter().map(|entry| entry.key.clone()).collect(),
            overruled: self.overruled,
            may_read: file.may_read().map(Path::to_owned),
        })
    }
}
