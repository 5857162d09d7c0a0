//! The file and what was typed, as one command line.
//!
//! The law: the file's options typed in full before the others, each that is typed anyway left out, give the
//! same. Two keys of the file that do not go together are an error of the file. A key that does not go
//! together with what was typed gives way.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::read::named::file_of;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};

use crate::cli::args::{Args, INPUT, RUNNING, TEXT};
use crate::cli::config::file::{File, scan_of};
use crate::cli::config::keys::{self, Key, Kind};
use crate::cli::config::reach::refuse_elsewhere;
use crate::cli::config::words::{check, gist, reason, words};
use crate::cli::config::{Refused, Used, globs};

/// What was typed.
pub(crate) struct Typed<'w> {
    words: &'w [OsString],
    root: Command,
    name: String,
    matches: ArgMatches,
}

impl<'w> Typed<'w> {
    /// Takes the words of the command line, which may not be complete without a configuration. None if
    /// they are wrong whatever it says, ask for help, or name a command that has none.
    pub(crate) fn of(words: &'w [OsString]) -> Option<Self> {
        let root = Args::definition();
        let mut matches = match root.clone().try_get_matches_from(words) {
            Ok(matches) => matches,
            // What is missing may stand in the configuration.
            Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
                let lenient = root.clone().ignore_errors(true);
                lenient.try_get_matches_from(words).ok()?
            }
            Err(_) => return None,
        };
        let (name, matches) = matches.remove_subcommand()?;
        let command = root.find_subcommand(&name)?;
        let has_config = command.get_arguments().any(|arg| arg.get_id() == "config");
        let is_first = words.get(1).is_some_and(|word| *word == *name);
        (has_config && is_first).then_some(Self {
            words,
            root,
            name,
            matches,
        })
    }

    /// The command that was typed.
    pub(crate) fn command(&self) -> &Command {
        let found = self.root.find_subcommand(&self.name);
        found.expect("it was found before")
    }

    /// What `--config` says.
    pub(crate) fn config_file(&self) -> Option<&Path> {
        self.matches
            .get_one::<PathBuf>("config")
            .map(PathBuf::as_path)
    }

    pub(crate) fn is_without_config(&self) -> bool {
        self.is_on("no_config")
    }

    /// The first path that is to be read.
    pub(crate) fn start(&self) -> Option<&Path> {
        let id = match self.name.as_str() {
            "compare" => "a",
            "text" => "file",
            "stream" => return None,
            _ => "paths",
        };
        let mut paths = self.matches.get_many::<PathBuf>(id)?;
        paths.next().map(|path| file_of(path))
    }

    /// Whether an option was typed, or what takes it back.
    pub(crate) fn has(&self, key: Key<'_>) -> bool {
        let is_typed = |id: &str| self.matches.value_source(id) == Some(ValueSource::CommandLine);
        is_typed(key.0.get_id().as_str())
            || (key.kind() == Kind::Flag && is_typed(&key.negation_id()))
    }

    /// What was typed for an option: nothing for a flag.
    pub(crate) fn values(&self, key: Key<'_>) -> impl Iterator<Item = &OsStr> {
        let values = self.matches.get_raw(key.0.get_id().as_str());
        values.into_iter().flatten()
    }

    /// Whether a flag was typed and not taken back.
    pub(crate) fn flag(&self, key: Key<'_>) -> bool {
        self.is_on(key.0.get_id().as_str())
    }

    fn is_on(&self, flag: &str) -> bool {
        // Words that are not complete may be without defaults.
        self.matches.get_one(flag).copied().unwrap_or(false)
    }

    /// The words with others before them.
    fn with<'s>(&self, settings: impl IntoIterator<Item = &'s Setting>) -> Vec<OsString> {
        let (command, typed) = self.words.split_at(2);
        let words = settings.into_iter().flat_map(|setting| &setting.words);
        let words = words.map(|(_, word)| word);
        command.iter().chain(words).chain(typed).cloned().collect()
    }
}

/// A key of the file that is in force, as words.
struct Setting {
    key: String,
    line: usize,
    words: Vec<(usize, OsString)>,
}

/// What the file and the command line say together.
pub(crate) struct Merged {
    pub(crate) args: Args,
    pub(crate) used: Option<Used>,
}

/// Takes what was typed and a configuration, and the current folder.
pub(crate) fn merged(typed: &Typed<'_>, file: &File, cwd: &Path) -> Result<Merged, Refused> {
    let mut settings = settings(typed, file, cwd)?;
    let mut overruled = Vec::new();
    let args = loop {
        let error = match Args::parse_words(&typed.with(&settings)) {
            Ok(args) => break args,
            Err(error) => error,
        };
        let what = gist(&error);
        let fails_alike = |words: &[OsString]| match Args::parse_words(words) {
            Ok(_) => None,
            Err(error) => (gist(&error) == what).then_some(error),
        };
        if let Some(own) = fails_alike(typed.words) {
            return Err(Refused::Typed(own));
        }
        let alone = Typed {
            words: &typed.words[..2],
            root: typed.root.clone(),
            name: typed.name.clone(),
            matches: typed.matches.clone(),
        };
        let without = |typed: &Typed<'_>, at: usize| {
            let others = settings.iter().enumerate();
            typed.with(
                others
                    .filter(|(other, _)| *other != at)
                    .map(|(_, setting)| setting),
            )
        };
        if fails_alike(&alone.with(&settings)).is_some() {
            let mut all = 0..settings.len();
            let at = all.find(|&at| fails_alike(&without(&alone, at)).is_none());
            let line = at.map_or(1, |at| settings[at].line);
            return Err(format!("{}:{line}: {what}", file.name).into());
        }
        // One that resolves it, or one that has to do with it.
        let mut all = 0..settings.len();
        let gives_way = all
            .clone()
            .find(|&at| Args::parse_words(&without(typed, at)).is_ok())
            .or_else(|| all.find(|&at| fails_alike(&without(typed, at)).is_none()));
        match gives_way {
            Some(at) => overruled.push(settings.remove(at).key),
            None => {
                let name = &file.name;
                return Err(
                    format!("{name} and the command line do not go together: {what}").into(),
                );
            }
        }
    };
    let keys: BTreeSet<String> = settings.into_iter().map(|setting| setting.key).collect();
    Ok(Merged {
        args,
        used: Some(Used {
            file: file.path.clone(),
            name: file.name.clone(),
            folder: file.folder.clone(),
            keys,
            overruled,
            ignores: file.ignores.clone(),
        }),
    })
}

/// The keys of the file that the command has and that were not typed. Values are checked whether they are
/// in force or not: a file is right or wrong by itself.
fn settings(typed: &Typed<'_>, file: &File, cwd: &Path) -> Result<Vec<Setting>, Refused> {
    let mut root = Args::definition();
    let mut in_force = Vec::new();
    globs::check_rules(file)?;
    for entry in &file.entries {
        let scan = scan_of(&typed.root);
        let mut all = keys::keys(scan);
        let key = all.find(|key| key.name() == entry.key);
        let key = key.expect("the file was checked for unknown keys");
        let words = words(key, entry, &file.folder, cwd);
        for (line, word) in &words {
            if let Err(error) = check(&mut root, "scan", word) {
                let (name, key, what) = (&file.name, &entry.key, reason(&error));
                return Err(format!("{name}:{line}: {key}: {what}").into());
            }
        }
        globs::check(key, entry, file)?;
        refuse_elsewhere(typed, file, key, entry)?;
        let own = keys::keys(typed.command()).find(|own| own.name() == key.name());
        let Some(own) = own.filter(|own| typed.name == "scan" || is_for_all(*own)) else {
            continue;
        };
        // The separator of a list in the file says nothing of another list.
        let files_from = || keys::keys(typed.command()).find(|key| key.name() == "files-from");
        let is_of_other = entry.key == "null" && files_from().is_some_and(|key| typed.has(key));
        // Two documents are no corpus: what a command cannot take is for the others.
        let fits = words
            .iter()
            .all(|(_, word)| check(&mut root, &typed.name, word).is_ok());
        if fits && !is_of_other && !typed.has(own) {
            in_force.push(Setting {
                key: entry.key.clone(),
                line: entry.line,
                words,
            });
        }
    }
    Ok(in_force)
}

/// Whether a key of scan means the same to the other commands.
fn is_for_all(key: Key<'_>) -> bool {
    match key.0.get_help_heading() {
        Some(heading) => [INPUT, TEXT, RUNNING].contains(&heading) || key.name() == "color",
        None => true,
    }
}
