//! `dupfind.toml`: a file of options.
//!
//! A key is an option of a group of `src/args`. Its values become the defaults of the option: what is typed outweighs them,
//! and a typed list replaces the whole list of the file. A command takes the keys of the groups that it has. If a command has
//! another option with the name of a key, that option has an id of its own, such as `own_format`.

pub(crate) mod file;
pub(crate) mod find;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use dupfind_read::file_of;

use crate::args::Conflict;
use crate::args::running::{Config, Entry};
use crate::process::absolute;

/// Returns the configuration that a command asks for, if there is one.
///
/// # Errors
///
/// It cannot be read, or something in it is wrong.
pub(crate) fn read(
    command: &str,
    typed: &ArgMatches,
    cwd: &Path,
) -> Result<Option<Config>, String> {
    let has_none = typed.try_get_one("no_config").map(Option::<&bool>::copied);
    if !matches!(has_none, Ok(Some(false))) {
        return Ok(None);
    }
    let named: Option<&PathBuf> = typed.try_get_one("config").ok().flatten();
    let file = match named {
        Some(file) => Some(absolute(file, cwd)),
        None => find::upwards(start(command, typed).as_deref(), cwd),
    };
    let Some(file) = file else {
        return Ok(None);
    };
    let config = file::read(file, named.is_some(), cwd)?;
    file::refuse_elsewhere(&config, command, cwd)?;
    Ok(Some(config))
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

/// Puts the keys in force whose options a command has and that were not typed.
pub(crate) fn put_in_force(config: &mut Config, command: &Command, typed: &ArgMatches) {
    for entry in &mut config.entries {
        let mut options = command.get_arguments();
        let has = options.any(|option| *option.get_id() == entry.id);
        entry.is_in_force = has && !is_typed(typed, &entry.id);
    }
}

/// Makes the values of the keys in force defaults.
pub(crate) fn added_to(config: &Config, command: Command) -> Command {
    let entries = config.entries.iter().filter(|entry| entry.is_in_force);
    entries.fold(command, |command, entry| {
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
    config: &mut Config,
    conflict: &Conflict,
    typed: &ArgMatches,
) -> Result<(), String> {
    let Conflict { options, reason } = conflict;
    let is_one = |entry: &&mut Entry| entry.is_in_force && options.contains(&&*entry.key);
    let mut entries: Vec<&mut Entry> = config.entries.iter_mut().filter(is_one).collect();
    let Some(first) = entries.first() else {
        return Err(reason.clone());
    };
    let is_of_typed = |option: &&str| is_typed(typed, &option.replace('-', "_"));
    if !options.iter().any(is_of_typed) {
        return Err(format!("{}:{}: {reason}", config.name, first.line));
    }
    entries
        .iter_mut()
        .for_each(|entry| entry.is_in_force = false);
    Ok(())
}
