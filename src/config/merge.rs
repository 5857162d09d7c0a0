//! The settings of a configuration, together with the typed arguments.
//!
//! Each key becomes words of the command line, which come before those that were typed. clap reads all of them once. Two
//! keys of the file that conflict are an error of the file. A key that conflicts with the typed arguments is left out.

use std::collections::BTreeSet;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{ArgMatches, Error};

use dupfind_decide::gate::scope::PairScope;
use dupfind_read::source::walk::WalkOptions;

use crate::args::config::Used;
use crate::args::headings::{DETECTION, INPUT, RUNNING, SCOPE, TEXT};
use crate::args::values::reason::reason;
use crate::config::file::{Entry, File};
use crate::config::keys;
use crate::config::keys::Key;
use crate::config::reach::{readable, refuse_elsewhere};
use crate::config::typed::Typed;
use crate::config::words::{Setting, words};

/// Why there is nothing to run.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The typed arguments are wrong, or ask for help.
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

/// Merges the typed arguments and a configuration, if there is one. Returns the arguments of the run, and the configuration
/// in force.
///
/// # Errors
///
/// The configuration is wrong, or the arguments do not go together.
pub(crate) fn merged(
    typed: &Typed,
    file: Option<&File>,
    cwd: &Path,
) -> Result<(ArgMatches, Option<Used>), Refused> {
    let mut settings = match file {
        Some(file) => settings(typed, file, cwd)?,
        None => Vec::new(),
    };
    let mut overruled = Vec::new();
    loop {
        let all: Vec<&Setting> = settings.iter().collect();
        let error = match typed.with(&all) {
            Ok(matches) => {
                let used = file.map(|file| used(file, settings, overruled));
                return Ok((matches, used));
            }
            Err(error) => error,
        };
        let why = reason(&error);
        let is_same = |read: Result<ArgMatches, Error>| read.is_err_and(|it| reason(&it) == why);
        let Some(file) = file.filter(|_| !is_same(typed.with(&[]))) else {
            return Err(error.into());
        };
        let name = &file.name;
        if is_same(typed.only(&all)) {
            let cause = without_one(&all, |others| !is_same(typed.only(others)));
            let (line, key) = cause.map_or((1, ""), |at| (settings[at].line, &settings[at].key));
            // A missing argument does not show which one needs it.
            let needs = match error.kind() {
                ErrorKind::MissingRequiredArgument => format!("{key}: "),
                _ => String::new(),
            };
            return Err(format!("{name}:{line}: {needs}{why}").into());
        }
        // The setting without which nothing is wrong, or at least something else.
        let cause = without_one(&all, |others| typed.with(others).is_ok())
            .or_else(|| without_one(&all, |others| !is_same(typed.with(others))));
        match cause {
            Some(at) => overruled.push(settings.remove(at).key),
            None => {
                return Err(
                    format!("{name} and the command line do not go together: {why}").into(),
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

/// Returns the position of the first setting such that the others are as wanted.
fn without_one(settings: &[&Setting], is_wanted: impl Fn(&[&Setting]) -> bool) -> Option<usize> {
    (0..settings.len()).find(|&at| {
        let others = [&settings[..at], &settings[at + 1..]].concat();
        is_wanted(&others)
    })
}

/// Returns the settings of the keys that the command has and that were not typed. All keys of the file are checked,
/// also those that are not in force: a file is right or wrong whatever is typed.
fn settings(typed: &Typed, file: &File, cwd: &Path) -> Result<Vec<Setting>, String> {
    check_rules(file)?;
    let of_scan = |entry: &Entry| {
        let mut all = keys::keys(typed.scan());
        let key = all.find(|key| key.name() == entry.key);
        key.expect("the file was checked for unknown keys")
    };
    let entries = file.entries.iter().map(|entry| {
        let key = of_scan(entry);
        (key, entry, words(key, entry, &file.folder, cwd))
    });
    let entries: Vec<_> = entries.collect();
    // Each word is read alone only if something is wrong: clap takes long.
    let all = entries.iter().flat_map(|(_, _, words)| words);
    let is_right = typed.accepts("scan", all.map(|(_, word)| word));
    let mut settings = Vec::new();
    for (key, entry, words) in entries {
        for (line, word) in words.iter().filter(|_| !is_right) {
            if let Some(error) = typed.refused_value("scan", [word]) {
                let (name, key, what) = (&file.name, &entry.key, reason(&error));
                return Err(format!("{name}:{line}: {key}: {what}"));
            }
        }
        refuse_elsewhere(typed, file, key, entry)?;
        let own = keys::keys(typed.command()).find(|own| own.name() == key.name());
        let Some(own) = own.filter(|own| is_for(typed, *own)) else {
            continue;
        };
        // The separator of a list in the file is not that of another list.
        let is_of_other = entry.key == "null" && typed.has_named("files-from");
        if is_of_other || typed.has(own) {
            continue;
        }
        settings.push(Setting {
            key: entry.key.clone(),
            line: entry.line,
            is_positional: key.0.is_positional(),
            words: words.into_iter().map(|(_, word)| word).collect(),
        });
    }
    // A value that this command refuses is for other commands, such as the weights of a corpus for compare.
    let name = typed.name();
    if !typed.accepts(name, settings.iter().flat_map(|setting| &setting.words)) {
        settings.retain(|setting| typed.refused_value(name, &setting.words).is_none());
    }
    Ok(settings)
}

/// Checks the globs of the tables `[[ignore]]`.
///
/// # Errors
///
/// A sentence that names the line of a table with a glob that cannot be read.
fn check_rules(file: &File) -> Result<(), String> {
    for rule in &file.ignores {
        let walk = WalkOptions::new(Vec::new(), file.folder.clone());
        let added = PairScope::new(&walk).ignore(std::slice::from_ref(rule), &file.folder);
        added.map_err(|error| format!("{}: ignore: {error}", rule.origin))?;
    }
    Ok(())
}

/// Returns whether a key of scan means the same to a command that has it.
fn is_for(typed: &Typed, key: Key<'_>) -> bool {
    let Some(heading) = key.0.get_help_heading() else {
        // The files of some commands are no documents.
        let mut of_scan = keys::keys(typed.scan());
        return of_scan.any(|own| own.0.get_value_names() == key.0.get_value_names());
    };
    match heading {
        INPUT | TEXT | RUNNING => true,
        // Steps of one job, and commands about the pairs of a scan, must find the same. An option of another meaning has
        // another help, such as that of reuse.
        DETECTION | SCOPE => {
            let mut of_scan = keys::keys(typed.scan());
            of_scan.any(|own| own.name() == key.name() && is_same(own, key))
        }
        _ => {
            // Which pairs are accepted is not about a run.
            let is_of_pairs =
                ["plan", "mcp", "lsp"].contains(&typed.name()) && key.name() == "baseline";
            typed.name() == "scan" || ["color", "lang"].contains(&key.name()) || is_of_pairs
        }
    }
}

/// Returns whether two options are one, of two commands.
fn is_same(one: Key<'_>, other: Key<'_>) -> bool {
    let help = |key: Key<'_>| key.0.get_help().map(ToString::to_string);
    help(one) == help(other)
}
