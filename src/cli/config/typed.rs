//! The arguments that were typed.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::read::named::file_of;
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Command, Error, FromArgMatches};

use crate::cli::args::headings::{OUTPUT, RUNNING};
use crate::cli::command_line::Args;
use crate::cli::config::keys::{Key, Kind, keys, scan_of};

/// What was typed.
pub(crate) struct Typed {
    root: Command,
    matches: ArgMatches,
}

impl Typed {
    /// Reads the words of the command line, of which the first is the name of the program.
    ///
    /// # Errors
    ///
    /// They are wrong, or ask for help.
    pub(crate) fn read(words: &[OsString]) -> Result<Self, Error> {
        let root = Args::definition();
        let matches = root.clone().try_get_matches_from(words)?;
        Ok(Self { root, matches })
    }

    /// Returns the arguments, with defaults for those that were not typed.
    pub(crate) fn args(&self) -> Result<Args, Error> {
        Args::from_arg_matches(&self.matches)
    }

    /// Returns the arguments of the same command without anything typed; none for a command that needs some.
    pub(crate) fn defaults(&self) -> Option<Args> {
        let words = ["dupfind", self.name()];
        let matches = self.root.clone().try_get_matches_from(words).ok()?;
        Args::from_arg_matches(&matches).ok()
    }

    /// Returns the definition of the command line.
    pub(crate) fn definition(&self) -> &Command {
        &self.root
    }

    /// Returns the definition of `dupfind scan`, whose options are the keys of a configuration.
    pub(crate) fn scan(&self) -> &Command {
        scan_of(&self.root)
    }

    /// Returns the name of the command.
    pub(crate) fn name(&self) -> &str {
        let name = self.matches.subcommand_name();
        name.expect("clap takes no words without a command")
    }

    /// Returns the definition of the command.
    pub(crate) fn command(&self) -> &Command {
        let found = self.root.find_subcommand(self.name());
        found.expect("it was typed and read")
    }

    fn options(&self) -> &ArgMatches {
        let (_, options) = self.matches.subcommand().expect("as above");
        options
    }

    /// Returns whether a configuration is to be used, if there is one.
    pub(crate) fn takes_config(&self) -> bool {
        let mut arguments = self.command().get_arguments();
        arguments.any(|arg| arg.get_id() == "config") && !self.is_on("no_config")
    }

    /// Returns what `--config` says.
    pub(crate) fn config_file(&self) -> Option<&Path> {
        let file = self.options().try_get_one::<PathBuf>("config");
        file.ok().flatten().map(PathBuf::as_path)
    }

    /// Returns the first path that is to be read.
    pub(crate) fn start(&self) -> Option<&Path> {
        let id = match self.name() {
            "compare" | "accept" | "ignore" => "a",
            "text" => "file",
            "stream" | "serve" | "sql" => return None,
            _ => "paths",
        };
        let mut paths = self.options().get_many::<PathBuf>(id)?;
        paths.next().map(|path| file_of(path))
    }

    /// Returns whether an option was typed, or the option that takes it back.
    pub(crate) fn has(&self, key: Key<'_>) -> bool {
        let is_typed = |id: &str| self.options().value_source(id) == Some(ValueSource::CommandLine);
        is_typed(key.0.get_id().as_str())
            || (key.kind() == Kind::Flag && is_typed(&key.negation_id()))
    }

    /// Returns the names of the options that were typed.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let typed = keys(self.command()).filter(|&key| self.has(key));
        typed.map(|key| key.name().to_owned()).collect()
    }

    /// Returns the values that were typed for an option; none for a flag.
    pub(crate) fn values(&self, key: Key<'_>) -> impl Iterator<Item = &OsStr> {
        let values = self.options().get_raw(key.0.get_id().as_str());
        values.into_iter().flatten()
    }

    /// Returns the paths that were typed.
    pub(crate) fn paths(&self) -> Vec<OsString> {
        let paths = self.options().get_raw("paths");
        paths.into_iter().flatten().map(OsStr::to_owned).collect()
    }

    /// Returns what was typed of the options that another command has too, but for those of its output, as words of its
    /// command line.
    pub(crate) fn options_for(&self, command: &str) -> Vec<OsString> {
        let mut words = Vec::new();
        let Some(command) = self.root.find_subcommand(command) else {
            return words;
        };
        for arg in command.get_arguments() {
            let id = arg.get_id().as_str();
            let is_typed = self.options().try_contains_id(id).is_ok()
                && self.options().value_source(id) == Some(ValueSource::CommandLine);
            let is_of_run = [OUTPUT, RUNNING].contains(&arg.get_help_heading().unwrap_or_default());
            if !is_typed || is_of_run || arg.is_positional() {
                continue;
            }
            let option = || OsString::from(format!("--{}", arg.get_long().unwrap_or(id)));
            if matches!(arg.get_action(), ArgAction::SetTrue) {
                words.push(option());
                continue;
            }
            for value in self.options().get_raw(id).into_iter().flatten() {
                words.extend([option(), value.to_owned()]);
            }
        }
        words
    }

    /// Returns whether a flag was typed and not taken back. The command need not have it.
    pub(crate) fn is_on(&self, id: &str) -> bool {
        let value = self.options().try_get_one(id);
        value.ok().flatten().copied().unwrap_or(false)
    }
}
