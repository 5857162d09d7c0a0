//! What people type who know other programs, and what is meant by it: `guesses.txt` has the table.
//!
//! Each guess either works, or one line tells what to type. Nothing is guessed by spelling alone, but for slips of one letter.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::Command;
use dupfind_read::Kind;

use crate::guesses::Answer::{Means, Says};

/// What becomes of a guess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It means these words.
    Means(Vec<&'static str>),
    /// A sentence with the command to type.
    Says(&'static str),
}

/// What the first words ask for.
pub(crate) enum First {
    /// The list of commands.
    Overview,
    /// These words, which begin with the name of a command.
    Words(Vec<OsString>),
    /// A sentence with the command to type.
    Told(String),
}

/// A line of the table.
struct Guess {
    names: Vec<&'static str>,
    /// The commands that it is of; all, if there are none.
    of: Vec<&'static str>,
    answer: Answer,
}

/// Returns the lines of the table.
fn table() -> impl Iterator<Item = Guess> {
    let lines = include_str!("guesses.txt").lines();
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let at = line.find([':', '=']).unwrap_or(line.len());
            let (typed, answer) = line.split_at(at);
            let (names, of) = typed.split_once('(').unwrap_or((typed, ""));
            let words = |text: &'static str| text.split_whitespace().collect();
            Guess {
                names: words(names),
                of: words(of.trim_end().trim_end_matches(')')),
                answer: match answer.strip_prefix(':') {
                    Some(sentence) => Says(sentence.trim()),
                    None => Means(words(answer.trim_start_matches('='))),
                },
            }
        })
}

/// Returns what is meant by a word, in the place of a command or of an option that a command does not have.
pub(crate) fn meant(word: &str, command: &str) -> Option<Answer> {
    let is_it = |guess: &Guess| {
        guess.names.contains(&word) && (guess.of.is_empty() || guess.of.contains(&command))
    };
    table().find(is_it).map(|guess| guess.answer)
}

/// Returns what the first words ask for: without a command, a path or an option is for `scan`, and two files for `compare`, if
/// they are no files of records.
pub(crate) fn first(words: &[OsString], definition: &Command) -> First {
    let is_command = |word: &OsStr| definition.find_subcommand(word).is_some();
    let word = words.get(1).map(OsString::as_os_str);
    let asks_help = word == Some(OsStr::new("help"));
    match word {
        None => First::Overview,
        Some(word) if is_command(word) || word == "-V" || word == "--version" => {
            First::Words(words.to_vec())
        }
        Some(_) if asks_help && words.len() == 2 => First::Overview,
        Some(_) if asks_help => {
            let (program, name) = (words[0].clone(), words[2].clone());
            first(&[program, name, "--help".into()], definition)
        }
        Some(word) if word.as_encoded_bytes().starts_with(b"-") => with(words, "scan"),
        Some(word) if Path::new(word).exists() => match &words[1..] {
            [a, b] if [a, b].iter().all(|word| is_document(Path::new(word))) => {
                with(words, "compare")
            }
            _ => with(words, "scan"),
        },
        Some(word) => guessed(words, &word.to_string_lossy(), definition),
    }
}

/// Returns whether a path is a file that is one document by its name.
fn is_document(path: &Path) -> bool {
    path.is_file() && !Kind::of(path).format.is_of_records()
}

/// Returns the words of a command, from those without its name.
fn with(words: &[OsString], command: &str) -> First {
    let (program, rest) = words.split_at(1);
    First::Words([program, &[command.into()], rest].concat())
}

/// Returns what a word means that is neither a command nor a path.
fn guessed(words: &[OsString], word: &str, definition: &Command) -> First {
    match meant(word, "") {
        Some(Means(meant)) => {
            let meant = meant.iter().map(OsString::from).collect();
            return First::Words([words[..1].to_vec(), meant, words[2..].to_vec()].concat());
        }
        Some(Says(text)) => return First::Told(text.into()),
        None => {}
    }
    // The scan tells that there is no such path.
    if word.contains(['/', '\\', '.', '*']) {
        return with(words, "scan");
    }
    let names = definition.get_subcommands().map(Command::get_name);
    First::Told(match nearest(word, names) {
        Some(near) => format!("'{word}' is no command and no path; did you mean: dupfind {near}"),
        None => format!("'{word}' is no command and no path; to list the commands: dupfind"),
    })
}

/// Returns words with others in the place of an option; `None` if it is not a word by itself.
pub(crate) fn replaced(words: &[OsString], option: &str, meant: &[&str]) -> Option<Vec<OsString>> {
    let assigned = format!("{option}=");
    let is_it = |word: &OsString| word == option || word.to_string_lossy().starts_with(&assigned);
    let at = words.iter().position(is_it)?;
    let mut new = words[..at].to_vec();
    new.extend(meant.iter().map(OsString::from));
    if let Some(value) = words[at].to_string_lossy().strip_prefix(&assigned) {
        new.push(value.into());
    }
    new.extend_from_slice(&words[at + 1..]);
    Some(new)
}

/// Returns the name that a word misses by one letter, or by two if it is long.
pub(crate) fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = if word.len() < 9 { 1 } else { 2 };
    let near = names.map(|name| (strsim::osa_distance(word, name), name));
    let near = near.filter(|(distance, _)| *distance <= most).min();
    near.map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::Args;

    #[test]
    fn no_guess_is_a_command_or_an_option_that_there_is() {
        let definition = Args::definition();
        assert!(table().count() > 70);
        for Guess { names, of, .. } in table() {
            let of = if of.is_empty() { vec!["scan"] } else { of };
            for name in names {
                assert!(definition.find_subcommand(name).is_none(), "{name}");
                let commands = of.iter();
                let mut commands = commands.filter_map(|name| definition.find_subcommand(name));
                let is_there = |command: &Command| {
                    let mut longs = command.get_arguments().filter_map(|arg| arg.get_long());
                    longs.any(|long| name.strip_prefix("--") == Some(long))
                };
                assert!(!commands.any(is_there), "{name}");
            }
        }
    }
}
