//! `dupfind.toml`: a file of options.
//!
//! The keys of the file are the long options of `dupfind scan`, and each value is read by the parser of its option. So
//! an option is defined once, and means the same in both places.
//!
//! Each key becomes words of the command line, which come before those that were typed, and all of them are read once.
//! What is typed outweighs the file, and lists are replaced as a whole.

mod file;
pub(crate) mod find;
pub(crate) mod keys;
mod merge;
mod paths;
mod reach;
pub(crate) mod schema;
#[cfg(test)]
mod tests;
mod typed;
pub(crate) mod words;

use std::ffi::OsString;

use clap::FromArgMatches;

use crate::command_line::{Args, Command};
use crate::commands::scan::args::TypedFor;
use crate::config::file::File;
use crate::config::merge::{Merged, merged};
use crate::config::typed::{Typed, language_of};
use crate::process::current_folder;
use dupfind_report::language;

pub(crate) use crate::config::merge::Refused;

/// Reads the words of the command line, of which the first is the name of the program, and the configuration.
///
/// # Errors
///
/// The command line or the configuration is wrong.
pub(crate) fn parse(words: &[OsString]) -> Result<Command, Refused> {
    // Wrong words are reported before any configuration is read.
    let typed = Typed::read(words).map_err(Refused::Typed)?;
    let cwd = current_folder().map_err(|error| format!("{error:#}"))?;
    let located = match typed.config_file() {
        _ if !typed.takes_config() => None,
        Some(file) => Some(find::named(file, &cwd)?),
        None => find::upwards(typed.start(), &cwd)?,
    };
    let file = located.map(|located| File::read(located, &cwd, typed.scan()));
    let file = file.transpose()?;
    let Merged { matches, used } = merged(&typed, file.as_ref(), &cwd)?;
    language::set(language_of(&matches));
    let mut args = Args::from_arg_matches(&matches)?;
    if let Command::Scan(scan) = &mut args.command {
        scan.typed = Some(TypedFor {
            paths: typed.paths(),
            plan: typed.options_for("plan"),
            dedup: typed.options_for("dedup"),
            accept: typed.options_for("accept"),
            scan: typed.options_for("scan"),
        });
        scan.compare = typed.among();
        if !scan.config.no_config {
            scan.gate.take_accepted(&cwd);
        }
    }
    if let Command::Merge(merge) = &mut args.command {
        merge.scan.compare = Some(typed.options_for("compare"));
    }
    if let Some(config) = args.command.config_mut() {
        config.used = used;
        config.typed = typed.names();
    }
    Ok(args.command)
}
