/*!
The program `dupfind` as a function. `src/main.rs` calls it, and so does the command of the Python package.

The libraries are in `crates/`: `dupfind-engine` is the one to begin with.
*/

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod args;
mod command_line;
mod commands;
mod config;
mod decision;
mod input;
mod process;
mod terminal;
#[cfg(test)]
mod tests;

// For programs that do the work of this one without its command line, such as the Python package.
pub use crate::args::values::size::parse as parse_size;
pub use crate::input::library::{Collections, Settings, why_unread};
pub use crate::process::itself::starts_by;
pub use crate::process::memory::total as total_memory;
pub use crate::process::panics::silence_contained;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use dupfind_engine::Error;
use dupfind_report::style::escape::visible;
use dupfind_report::style::inert::inert;
use dupfind_report::style::shell;

use crate::command_line::{Args, Command};
use crate::commands::lsp::args::LspArgs;
use crate::config::Refused;
use crate::process::exit::Status;
use crate::process::{current_folder, interrupt, itself, signals};
use crate::terminal::messages;

/// How alike a word and the one that was meant are at least, from 0 to 1.
const OF_A_SLIP: f64 = 0.6;

/// Runs the program with the words of the command line, with the name of the program first. Returns the exit status.
pub fn run(words: impl Iterator<Item = OsString>) -> u8 {
    silence_contained();
    signals::block_file_size_signal();
    let words: Vec<OsString> = words.collect();
    if let Some(is_done) = itself::read_pdf(&words) {
        return if is_done { Status::Ok } else { Status::Error }.into();
    }
    let command = match Args::read(&words, current_folder()) {
        Ok(command) => command,
        Err(Refused::Typed(error)) => return explain(&without_wrong_tips(error), &words),
        Err(Refused::Config(reason)) => {
            messages::error(&reason);
            return Status::Error.into();
        }
    };
    let result = interrupt::watch().and_then(|()| dispatch(&command, &words));
    interrupt::wait_for_end();
    match result {
        Ok(status) => status.into(),
        Err(error) if is_broken_pipe(&error) => Status::Ok.into(),
        Err(error) => {
            messages::error(&format!("{error:#}"));
            let is_of_temp_file = matches!(error.downcast_ref(), Some(Error::TempFile { .. }));
            if is_of_temp_file {
                messages::advice("TMPDIR names another folder, --memory-limit allows more memory");
            }
            Status::Error.into()
        }
    }
}

fn dispatch(command: &Command, words: &[OsString]) -> Result<Status> {
    match command {
        Command::Scan(args) => commands::scan::run(args),
        Command::Fingerprint(args) => commands::fingerprint::run(args),
        Command::Compare(args) => commands::compare::run(args),
        Command::Reuse(args) => commands::reuse::run(args),
        Command::Plan(args) => commands::plan::run(args),
        Command::Apply(args) => commands::apply::run(args),
        Command::Dedup(args) => commands::dedup::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Accept(args) => commands::accept::run(args),
        Command::Index(args) => commands::index::run(args),
        Command::Query(args) => commands::query::run(args),
        Command::Mcp(args) => commands::mcp::run(args),
        Command::Lsp(_) => commands::lsp::run(&|folder| of_folder(words, folder)),
        Command::Text(args) => commands::text::run(args),
        Command::Generate(args) => commands::generate::run(args, Args::command()),
    }
}

/// Returns the arguments of `dupfind lsp` as they would be in a folder of the workspace.
fn of_folder(words: &[OsString], folder: &Path) -> Result<LspArgs> {
    match Args::read(words, Ok(folder.to_owned())) {
        Ok(Command::Lsp(args)) => Ok(*args),
        Ok(_) => unreachable!("the words are the same"),
        Err(Refused::Typed(error)) => Err(error.into()),
        Err(Refused::Config(reason)) => Err(anyhow::anyhow!(reason)),
    }
}

/// Returns an error without the tips that lead nowhere: a word that is not much like the typed one, and `--` before an
/// option that is no file.
fn without_wrong_tips(mut error: clap::Error) -> clap::Error {
    let text = |error: &clap::Error, kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    for (typed, meant) in [
        (ContextKind::InvalidValue, ContextKind::SuggestedValue),
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
    ] {
        let [typed, word] = [typed, meant].map(|kind| text(&error, kind));
        if strsim::normalized_damerau_levenshtein(&typed, &word) < OF_A_SLIP {
            error.remove(meant);
        }
    }
    let is_file = Path::new(&text(&error, ContextKind::InvalidArg)).exists();
    if let Some(ContextValue::StyledStrs(mut tips)) = error.remove(ContextKind::Suggested) {
        tips.retain(|tip| is_file || !tip.to_string().starts_with("to pass "));
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
    error
}

/// Prints why the command line was not understood, or the help that was requested. Returns the exit status.
fn explain(error: &clap::Error, words: &[OsString]) -> u8 {
    // The commonest slip: a folder where the command should be.
    if let (ErrorKind::InvalidSubcommand, Some(word)) = (error.kind(), words.get(1))
        && Path::new(word).exists()
    {
        let path = word.to_string_lossy();
        let command = shell::word(&path).unwrap_or_else(|| path.clone());
        messages::error(&format!(
            "'{path}' is no command; to compare its documents: dupfind scan {command}"
        ));
        return Status::Error.into();
    }
    let acts = |word: &OsString| {
        let word = word.to_string_lossy();
        inert(&visible(&word)) != word
    };
    let printed = if error.use_stderr() && words.iter().any(acts) {
        messages::lines(&error.render().to_string());
        Ok(())
    } else {
        error.print().and_then(|()| io::stdout().flush())
    };
    match printed {
        // If standard error is closed, the message is lost, which is no error.
        _ if error.use_stderr() => Status::Error.into(),
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            messages::error(&format!("cannot write standard output: {error}"));
            Status::Error.into()
        }
        _ => Status::Ok.into(),
    }
}

/// Returns whether the reader of the output went away, which is no error of this program.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
