//! The words of the command line: the typed arguments, alone and behind the words of a configuration.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::slice;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, Error};
use dupfind_read::named::file_of;
use dupfind_read::source::walk::STDIN;

use crate::args::headings::{OUTPUT, RUNNING};
use crate::config::CommandLine;
use crate::config::keys::{Key, keys, scan_of};
use crate::config::words::Setting;

/// The words that were typed.
#[derive(Debug)]
pub(crate) struct Typed {
    line: CommandLine,
    /// The name of the program, the name of the command, and its arguments.
    words: Vec<OsString>,
    matches: ArgMatches,
}

impl Typed {
    /// Reads the words of the command line, with the name of the program first.
    ///
    /// # Errors
    ///
    /// They are wrong, or ask for help. An argument that is missing is no error yet: a configuration may have it.
    pub(crate) fn read(words: &[OsString], line: CommandLine) -> Result<Self, Error> {
        let read = |definition: Command| definition.try_get_matches_from(words);
        let matches = match read(line.definition.clone()) {
            Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
                read(line.definition.clone().ignore_errors(true))
            }
            matches => matches,
        };
        Ok(Self {
            line,
            words: words.to_vec(),
            matches: matches?,
        })
    }

    /// Reads the settings of a configuration, and then the typed arguments.
    ///
    /// # Errors
    ///
    /// The arguments do not go together, or one is missing.
    pub(super) fn with(&self, settings: &[&Setting]) -> Result<ArgMatches, Error> {
        self.read_with(settings, &self.words[2..])
    }

    /// Reads the settings of a configuration for the command that was typed, without its arguments.
    ///
    /// # Errors
    ///
    /// The settings do not go together, or an argument is missing.
    pub(super) fn only(&self, settings: &[&Setting]) -> Result<ArgMatches, Error> {
        self.read_with(settings, &[])
    }

    fn read_with(&self, settings: &[&Setting], typed: &[OsString]) -> Result<ArgMatches, Error> {
        let words_of = |is_positional: bool| {
            let settings = settings
                .iter()
                .filter(move |it| it.is_positional == is_positional);
            settings.flat_map(|setting| &setting.words)
        };
        let line = self.words[..2].iter().chain(words_of(false));
        // Paths come last: a positional argument that was typed may come before them.
        let line = line.chain(typed).chain(words_of(true));
        let definition = self.line.definition.clone();
        let matches = definition.try_get_matches_from(line)?;
        let own = matches.subcommand().map(|(_, own)| own);
        match own.and_then(|own| (self.line.conflict)(self.command(), own)) {
            Some(reason) => Err(self.refused(reason)),
            None => Ok(matches),
        }
    }

    /// Returns the error of arguments that do not go together, with the usage of the command.
    fn refused(&self, reason: String) -> Error {
        let mut root = self.line.definition.clone();
        root.build();
        let command = root.find_subcommand_mut(self.name());
        let command = command.expect("it was typed and read");
        command.error(ErrorKind::ArgumentConflict, reason)
    }

    /// Returns whether a command reads these words without an error, but for arguments that are missing.
    pub(super) fn accepts<'w>(
        &self,
        command: &'w str,
        words: impl IntoIterator<Item = &'w OsString>,
    ) -> bool {
        let error = self.read_alone(command, words).err();
        error.is_none_or(|error| error.kind() == ErrorKind::MissingRequiredArgument)
    }

    fn read_alone<'w>(
        &self,
        command: &'w str,
        words: impl IntoIterator<Item = &'w OsString>,
    ) -> Result<ArgMatches, Error> {
        let mut line = vec![OsStr::new("dupfind"), OsStr::new(command)];
        line.extend(words.into_iter().map(OsString::as_os_str));
        self.line.definition.clone().try_get_matches_from(line)
    }

    /// Returns why a command refuses the value of a setting, if it does.
    pub(super) fn refused_value<'w>(
        &self,
        command: &'w str,
        words: impl IntoIterator<Item = &'w OsString>,
    ) -> Option<Error> {
        let error = self.read_alone(command, words).err()?;
        let is_of_value = ![
            ErrorKind::MissingRequiredArgument,
            ErrorKind::ArgumentConflict,
        ]
        .contains(&error.kind());
        is_of_value.then_some(error)
    }

    /// Returns the definition of `dupfind scan`, whose options are the keys of a configuration.
    pub(crate) fn scan(&self) -> &Command {
        scan_of(&self.line.definition)
    }

    /// Returns the name of the command.
    pub(crate) fn name(&self) -> &str {
        let name = self.matches.subcommand_name();
        name.expect("clap takes no words without a command")
    }

    /// Returns the definition of the command.
    pub(crate) fn command(&self) -> &Command {
        let found = self.line.definition.find_subcommand(self.name());
        found.expect("it was typed and read")
    }

    fn options(&self) -> &ArgMatches {
        let (_, options) = self.matches.subcommand().expect("as above");
        options
    }

    /// Returns whether a configuration is to be used, if there is one.
    pub(crate) fn uses_config(&self) -> bool {
        has_argument(self.command(), "config") && !self.is_on("no_config")
    }

    /// Returns the value of `--config`.
    pub(crate) fn config_file(&self) -> Option<&Path> {
        let file = self.options().try_get_one::<PathBuf>("config");
        file.ok().flatten().map(PathBuf::as_path)
    }

    /// Returns the first path that is to be read.
    pub(crate) fn start(&self) -> Option<&Path> {
        let ids = match self.is_typed("family") {
            true => ["family"].as_slice(),
            false => &["paths", "among", "a", "file"],
        };
        let mut known = ids.iter().filter(|id| has_argument(self.command(), id));
        let mut paths = known.find_map(|id| self.options().get_many::<PathBuf>(id))?;
        paths.next().map(|path| file_of(path))
    }

    fn is_typed(&self, id: &str) -> bool {
        let options = self.options();
        has_argument(self.command(), id)
            && options.value_source(id) == Some(ValueSource::CommandLine)
    }

    /// Returns whether an option was typed, or the option that cancels it.
    pub(crate) fn has(&self, key: Key<'_>) -> bool {
        self.is_typed(key.0.get_id().as_str())
            || (key.is_flag() && self.is_typed(&key.negation_id()))
    }

    /// Returns whether the option of this long name was typed.
    pub(crate) fn has_named(&self, name: &str) -> bool {
        keys(self.command()).any(|key| key.name() == name && self.has(key))
    }

    /// Returns the names of the options that were typed.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let typed = keys(self.command()).filter(|&key| self.has(key));
        typed.map(|key| key.name().to_owned()).collect()
    }

    /// Returns the paths that were typed. One that begins with a hyphen, which was typed behind `--`, gets `./`, so that no
    /// command takes it for an option.
    pub(crate) fn paths(&self) -> Vec<OsString> {
        let paths = self.options().get_raw("paths");
        paths.into_iter().flatten().map(word).collect()
    }

    /// Returns the typed arguments of the options that another command has too, but for those of its output, as words of its
    /// command line.
    pub(crate) fn options_for(&self, command: &str) -> Vec<OsString> {
        let command = self.line.definition.find_subcommand(command);
        let is_of_run =
            |arg: &Arg| [OUTPUT, RUNNING].contains(&arg.get_help_heading().unwrap_or_default());
        let words = command.map(|command| self.words_of(command, |arg| !is_of_run(arg)));
        words.into_iter().flatten().flatten().collect()
    }

    /// Returns the options with which `dupfind compare` judges two documents among those of these paths, which come from
    /// the command line or the configuration; `None` if standard input has the documents.
    pub(crate) fn among(&self, paths: &[PathBuf], against: &[PathBuf]) -> Option<Vec<OsString>> {
        if paths.iter().any(|path| path.as_os_str() == STDIN) {
            return None;
        }
        let here = PathBuf::from(".");
        let own = if paths.is_empty() {
            slice::from_ref(&here)
        } else {
            paths
        };
        let among = own.iter().chain(against);
        let among = among.flat_map(|path| ["--among".into(), word(path.as_os_str())]);
        Some(among.chain(self.options_for("compare")).collect())
    }

    /// Returns the words of each typed option that a command has too and that is wanted.
    fn words_of(
        &self,
        command: &Command,
        is_wanted: impl Fn(&Arg) -> bool,
    ) -> impl Iterator<Item = Vec<OsString>> {
        let typed = command.get_arguments().filter(move |arg| {
            !arg.is_positional() && self.is_typed(arg.get_id().as_str()) && is_wanted(arg)
        });
        typed.map(|arg| {
            let id = arg.get_id().as_str();
            let option = OsString::from(format!("--{}", arg.get_long().unwrap_or(id)));
            if matches!(arg.get_action(), ArgAction::SetTrue) {
                return vec![option];
            }
            let values = self.options().get_raw(id).into_iter().flatten();
            let words = values.flat_map(|value| [option.clone(), value.to_owned()]);
            words.collect()
        })
    }

    /// Returns whether a flag was typed and not taken back. The command need not have it.
    pub(crate) fn is_on(&self, id: &str) -> bool {
        let value = self.options().try_get_one(id);
        value.ok().flatten().copied().unwrap_or(false)
    }
}

/// Returns a path as a word of a command line. One that begins with a hyphen is no option.
fn word(path: &OsStr) -> OsString {
    match path.as_encoded_bytes() {
        [b'-', _, ..] => Path::new(".").join(path).into_os_string(),
        _ => path.to_owned(),
    }
}

/// Returns whether a command has an argument. The values of a command cannot tell: in a release build clap returns nothing
/// for an argument that it does not know, and in a development build an error.
fn has_argument(command: &Command, id: &str) -> bool {
    command.get_arguments().any(|arg| arg.get_id() == id)
}
