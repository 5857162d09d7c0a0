//! The arguments that were typed, together with the settings of a configuration.
//!
//! Two keys of the file that conflict are an error of the file. A key that conflicts with what was typed is left
//! out.

use std::collections::BTreeSet;
use std::path::Path;

use clap::{Error, FromArgMatches};

use crate::cli::args::config::Used;
use crate::cli::args::headings::{DETECTION, INPUT, RUNNING, SCOPE, TEXT};
use crate::cli::command_line::Args;
use crate::cli::config::file::File;
use crate::cli::config::globs;
use crate::cli::config::keys::{self, Key};
use crate::cli::config::reach::{readable, refuse_elsewhere};
use crate::cli::config::setting::{Reader, Setting, reason, words};
use crate::cli::config::typed::Typed;

/// Why there is nothing to run.
#[derive(Debug)]
pub(crate) enum Refused {
    /// What was typed is wrong, or asks for help.
    Typed(Error),
    /// The configuration is wrong. The reason names its file and line.
    Config(String),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Typed(error)
    }
}

impl From<String> for Refused {
    fn from(reason: String) -> Self {
        Self::Config(reason)
    }
}

/// The arguments of a run.
pub(crate) struct Merged {
    pub(crate) args: Args,
    /// The configuration in force.
    pub(crate) used: Option<Used>,
}

/// Merges what was typed and a configuration, if there is one.
///
/// # Errors
///
/// The configuration is wrong, or the arguments do not go together.
pub(crate) fn merged(typed: &Typed, file: Option<&File>, cwd: &Path) -> Result<Merged, Refused> {
    let mut settings = match file {
        Some(file) => settings(typed, file, cwd)?,
        None => Vec::new(),
    };
    let mut overruled = Vec::new();
    loop {
        let all: Vec<&Setting> = settings.iter().collect();
        let args = with_typed(typed, &all)?;
        let Some(conflict) = args.conflict() else {
            let used = file.map(|file| used(file, settings, overruled));
            return Ok(Merged { args, used });
        };
        let is_typed = with_typed(typed, &[])?.conflict().as_ref() == Some(&conflict);
        let Some(file) = file.filter(|_| !is_typed) else {
            return Err(Args::refused(typed.name(), conflict).into());
        };
        let name = &file.name;
        if conflict_of_file(typed, &all)?.as_ref() == Some(&conflict) {
            let without = |settings: &[&Setting]| conflict_of_file(typed, settings);
            let cause = position(&all, without, |left| left != Some(&conflict))?;
            let line = cause.map_or(1, |at| settings[at].line);
            return Err(format!("{name}:{line}: {conflict}").into());
        }
        // The setting without which there is no conflict, or at least another one.
        let without = |settings: &[&Setting]| Ok(with_typed(typed, settings)?.conflict());
        let cause = match position(&all, without, |left| left.is_none())? {
            None => position(&all, without, |left| left != Some(&conflict))?,
            cause => cause,
        };
        match cause {
            Some(at) => overruled.push(settings.remove(at).key),
            None => {
                return Err(
                    format!("{name} and the command line do not go together: {conflict}").into(),
                );
            }
        }
    }
}

fn used(file: &File, settings: Vec<Setting>, overruled: Vec<String>) -> Used {
    let keys: BTreeSet<String> = settings.into_iter().map(|setting| setting.key).collect();
    Used {
        file: file.path.clone(),
        name: file.name.clone(),
        folder: file.folder.clone(),
        keys,
        overruled,
        ignores: file.ignores.clone(),
        may_read: readable(file),
    }
}

/// Returns the arguments of what was typed and of settings.
fn with_typed(typed: &Typed, settings: &[&Setting]) -> Result<Args, Error> {
    let is_typed = |name: &str| {
        let mut keys = keys::keys(typed.command());
        keys.any(|key| key.name() == name && typed.has(key))
    };
    added(typed.args()?, settings, is_typed)
}

/// Returns the conflict that settings have without anything typed.
fn conflict_of_file(typed: &Typed, settings: &[&Setting]) -> Result<Option<String>, Error> {
    match typed.defaults() {
        Some(args) => Ok(added(args, settings, |_| false)?.conflict()),
        None => Ok(None),
    }
}

/// Returns arguments with the values of settings.
fn added(
    mut args: Args,
    settings: &[&Setting],
    is_typed: impl Fn(&str) -> bool,
) -> Result<Args, Error> {
    for setting in settings {
        args.update_from_arg_matches(&setting.matches)?;
    }
    let is_set = |name: &str| settings.iter().any(|setting| setting.key == name);
    args.set_dependent_defaults(|name| is_typed(name) || is_set(name));
    Ok(args)
}

/// Returns the position of the first setting such that the conflict of the others is as wanted.
fn position(
    settings: &[&Setting],
    conflict: impl Fn(&[&Setting]) -> Result<Option<String>, Error>,
    is_wanted: impl Fn(Option<&String>) -> bool,
) -> Result<Option<usize>, Error> {
    for at in 0..settings.len() {
        let others = [&settings[..at], &settings[at + 1..]].concat();
        if is_wanted(conflict(&others)?.as_ref()) {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Returns the settings of the keys that the command has and that were not typed. All keys of the file are checked,
/// also those that are not in force: a file is right or wrong whatever is typed.
fn settings(typed: &Typed, file: &File, cwd: &Path) -> Result<Vec<Setting>, Refused> {
    let mut reader = Reader::new(typed.definition());
    let mut settings = Vec::new();
    globs::check_rules(file)?;
    for entry in &file.entries {
        let mut all = keys::keys(typed.scan());
        let key = all.find(|key| key.name() == entry.key);
        let key = key.expect("the file was checked for unknown keys");
        let words = words(key, entry, &file.folder, cwd);
        for (line, word) in &words {
            reader.read("scan", [word]).map_err(|error| {
                let (name, key, what) = (&file.name, &entry.key, reason(&error));
                format!("{name}:{line}: {key}: {what}")
            })?;
        }
        globs::check(key, entry, file)?;
        refuse_elsewhere(typed, file, key, entry)?;
        let own = keys::keys(typed.command()).find(|own| own.name() == key.name());
        let Some(own) = own.filter(|own| is_for(typed.name(), *own)) else {
            continue;
        };
        // The separator of a list in the file says nothing of another list.
        let files_from = || keys::keys(typed.command()).find(|key| key.name() == "files-from");
        let is_of_other = entry.key == "null" && files_from().is_some_and(|key| typed.has(key));
        if is_of_other || typed.has(own) {
            continue;
        }
        // A value that this command cannot take is for other commands, such as the weights of a corpus for compare.
        if let Ok(matches) = reader.read(typed.name(), words.iter().map(|(_, word)| word)) {
            settings.push(Setting {
                key: entry.key.clone(),
                line: entry.line,
                matches,
            });
        }
    }
    Ok(settings)
}

/// Returns whether a key of scan means the same to a command.
fn is_for(command: &str, key: Key<'_>) -> bool {
    let Some(heading) = key.0.get_help_heading() else {
        return true;
    };
    match command {
        "scan" => true,
        // They decide about the pairs that a scan finds.
        "plan" | "dedup" if [DETECTION, SCOPE].contains(&heading) => true,
        _ => [INPUT, TEXT, RUNNING].contains(&heading) || ["color", "lang"].contains(&key.name()),
    }
}
