//! `dupfind.toml`: a file of options.
//!
//! The keys of the file are the long options of `dupfind scan`, and each value is read by the parser of its option. So
//! an option is defined once, and means the same in both places.
//!
//! Each key becomes words of the command line, which come before those that were typed, and all of them are read once.
//! Typed options outweigh the file, and lists are replaced as a whole.

mod file;
pub(crate) mod find;
pub(crate) mod keys;
mod merge;
mod paths;
mod reach;
#[cfg(test)]
mod tests;
pub(crate) mod typed;
pub(crate) mod words;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, Command};

use crate::args::config::Used;
use crate::config::file::File;
use crate::config::merge::merged;
use crate::config::typed::Typed;

pub(crate) use crate::config::merge::Refused;

/// The definition of a command line.
#[derive(Debug, Clone)]
pub(crate) struct CommandLine {
    pub(crate) definition: Command,
    /// Returns why the arguments of a command do not go together, where that depends on their values.
    pub(crate) conflict: fn(&Command, &ArgMatches) -> Option<String>,
}

/// The arguments of a run.
#[derive(Debug)]
pub(crate) struct Arguments {
    pub(crate) matches: ArgMatches,
    pub(crate) typed: Typed,
    /// The configuration in force.
    pub(crate) used: Option<Used>,
}

/// Reads the words of a command line, with the name of the program first, and the configuration. `cwd` is the current
/// folder.
///
/// # Errors
///
/// The command line or the configuration is wrong.
pub(crate) fn read(
    words: &[OsString],
    line: CommandLine,
    cwd: anyhow::Result<PathBuf>,
) -> Result<Arguments, Refused> {
    // Wrong words are reported before any configuration is read.
    let typed = Typed::read(words, line).map_err(Refused::Typed)?;
    let cwd = cwd.map_err(|error| format!("{error:#}"))?;
    let located = match typed.config_file() {
        _ if !typed.uses_config() => None,
        Some(file) => Some(find::named(file, &cwd)?),
        None => find::upwards(typed.start(), &cwd)?,
    };
    let file = located.map(|located| File::read(located, &cwd, typed.scan()));
    let (matches, used) = merged(&typed, file.transpose()?.as_ref(), &cwd)?;
    Ok(Arguments {
        matches,
        typed,
        used,
    })
}
