//! `dupfind.toml`: options that stand in a file.
//!
//! The keys of the file are the long options of `dupfind scan`, and each value is read by the parser of its option. So
//! an option is defined once, and means the same in both places.
//!
//! A setting is one key of the file, read into the values of that option alone. The arguments that were typed are
//! read once. Then the settings of all options that were not typed are added to them: what is typed outweighs the
//! file, and lists are replaced as a whole.

mod dump;
mod file;
mod find;
mod globs;
pub(crate) mod keys;
mod merge;
mod paths;
mod reach;
mod setting;
#[cfg(test)]
mod tests;
mod typed;

use std::ffi::OsString;

use crate::cli::command_line::Command;
use crate::cli::config::file::File;
use crate::cli::config::merge::{Merged, merged};
use crate::cli::config::typed::Typed;
use crate::cli::process::current_folder;
use crate::cli::scan::args::TypedFor;
use crate::language;

pub(crate) use crate::cli::config::merge::Refused;

/// What the user asks for.
pub(crate) enum Request {
    /// To run a command.
    Run(Box<Command>),
    /// To print the configuration.
    Print(String),
}

/// Reads the words of the command line, of which the first is the name of the program, and the configuration.
///
/// # Errors
///
/// The command line or the configuration is wrong.
pub(crate) fn parse(words: &[OsString]) -> Result<Request, Refused> {
    // Wrong words are reported before any configuration is read.
    let typed = Typed::read(words).map_err(Refused::Typed)?;
    language::set(typed.args()?.language());
    let cwd = current_folder().map_err(|error| format!("{error:#}"))?;
    let located = match typed.config_file() {
        _ if !typed.takes_config() => None,
        Some(file) => Some(find::named(file, &cwd)?),
        None => find::upwards(typed.start(), &cwd)?,
    };
    let file = located.map(|located| File::read(located, &cwd, typed.scan()));
    let file = file.transpose()?;
    let Merged { mut args, used } = merged(&typed, file.as_ref(), &cwd)?;
    language::set(args.language());
    if let Command::Scan(scan) = &args.command
        && scan.dump_config
    {
        let text = dump::dump(&typed, file.as_ref().zip(used.as_ref()), &cwd)?;
        return Ok(Request::Print(text));
    }
    if let Command::Scan(scan) = &mut args.command {
        scan.typed = Some(TypedFor {
            paths: typed.paths(),
            plan: typed.options_for("plan"),
            dedup: typed.options_for("dedup"),
            compare: typed.options_for("compare"),
            scan: typed.options_for("scan"),
        });
    }
    if let Some(config) = args.config_mut() {
        config.used = used;
        config.typed = typed.names();
    }
    Ok(Request::Run(Box::new(args.command)))
}
