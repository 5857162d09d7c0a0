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
mod guesses;
mod input;
mod library;
mod process;
mod terminal;
#[cfg(test)]
mod tests;

// For programs that do the work of this one without its command line, such as the Python package.
pub use crate::args::values::size as parse_size;
pub use crate::library::{Collections, Settings, why_unread};
pub use crate::process::itself::starts_by;
pub use crate::process::memory::total as total_memory;
pub use crate::process::silence_contained;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use dupfind_engine::Error;
use dupfind_report::{Language, language};

use crate::args::LiveArgs;
use crate::args::running::Lang;
use crate::command_line::{Args, Command};
use crate::guesses::{Answer, First};
use crate::process::{Status, current_folder, interrupt, itself};
use crate::terminal::output::columns_of_pipe;
use crate::terminal::{Output, chinese, messages};

/// Runs the program with the words of the command line, with the name of the program first. Returns the exit status.
pub fn run(words: impl Iterator<Item = OsString>) -> u8 {
    silence_contained();
    interrupt::block_file_size_signal();
    let words: Vec<OsString> = words.collect();
    if let Some(is_done) = itself::read_pdf(&words) {
        return if is_done { Status::Ok } else { Status::Error }.into();
    }
    let result = interrupt::watch().and_then(|()| answered(&words));
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
        Command::Compare(args) => commands::compare::run(args),
        Command::Reuse(args) => commands::reuse::run(args),
        Command::Plan(args) => commands::plan::run(args),
        Command::Apply(args) => commands::apply::run(args),
        Command::Dedup(args) => commands::dedup::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Accept(args) => commands::accept::run(args),
        Command::Query(args) => commands::query::run(args),
        Command::Mcp(args) => commands::mcp::run(args),
        Command::Lsp(_) => commands::lsp::run(&|folder| of_folder(words, folder)),
        Command::Show(args) => commands::show::run(args),
        Command::Completions(args) => commands::completions::run(args, Args::definition()),
    }
}

/// Returns the arguments of `dupfind lsp` as they would be in a folder of the workspace.
fn of_folder(words: &[OsString], folder: &Path) -> Result<LiveArgs> {
    match Args::read(words, Ok(folder.to_owned()))? {
        Command::Lsp(args) => Ok(*args),
        _ => unreachable!("the words are the same"),
    }
}

/// Does what the words ask for, or what is meant by them.
fn answered(words: &[OsString]) -> Result<Status> {
    language::set(Lang::Auto.language());
    let mut words = match guesses::first(words, &Args::definition()) {
        First::Overview => return overview(),
        First::Told(text) => bail!(text),
        First::Words(words) => words,
    };
    loop {
        let error = match Args::read(&words, current_folder()) {
            Ok(command) => return dispatch(&command, &words),
            Err(error) => error.downcast::<clap::Error>()?,
        };
        let command = words.get(1).map(|word| word.to_string_lossy().into_owned());
        let option = match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(option)) if error.kind() == ErrorKind::UnknownArgument => {
                option.clone()
            }
            _ => String::new(),
        };
        let replaced = match guesses::meant(&option, command.as_deref().unwrap_or_default()) {
            Some(Answer::Says(text)) => bail!("{option}: {text}"),
            Some(Answer::Means(meant)) => guesses::replaced(&words, &option, &meant),
            None if command.as_deref() == Some("accept") => {
                match commands::accept::to_type(&words[2..], &error) {
                    Some(text) => bail!(text),
                    None => None,
                }
            }
            None => None,
        };
        match replaced {
            Some(meant) => words = meant,
            None => return explain(&with_tip(error)),
        }
    }
}

/// Prints the list of commands.
fn overview() -> Result<Status> {
    let text = match language::current() {
        Language::Chinese => include_str!("overview.zh.txt"),
        Language::English => include_str!("overview.txt"),
    };
    Output::open(None)?.write(|out| Ok(out.write_all(text.as_bytes())?))?;
    Ok(Status::Ok)
}

/// Returns an error with the tip that was probably meant, and without those that lead nowhere: a word that is not much like
/// the typed one, and `--` before an option that is no file.
fn with_tip(mut error: clap::Error) -> clap::Error {
    let text = |error: &clap::Error, kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    for (typed, meant) in [
        (ContextKind::InvalidValue, ContextKind::SuggestedValue),
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
    ] {
        let [typed, word] = [typed, meant].map(|kind| text(&error, kind));
        if guesses::nearest(&typed, [word.as_str()].into_iter()).is_none() {
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

/// Prints why the command line was not understood, or the help that was requested.
fn explain(error: &clap::Error) -> Result<Status> {
    if !error.use_stderr() {
        let text = error.render().ansi().to_string();
        let text = match language::current() {
            Language::Chinese => {
                let columns = Output::open(None)?.columns().or_else(columns_of_pipe);
                chinese::help(&text, columns.unwrap_or(100))
            }
            Language::English => text,
        };
        let mut stdout = anstream::stdout();
        let printed = stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush());
        printed.context("cannot write standard output")?;
        return Ok(Status::Ok);
    }
    let text = error.render().to_string();
    messages::lines(&match language::current() {
        Language::Chinese => chinese::error(&text),
        Language::English => text,
    });
    Ok(Status::Error)
}

/// Returns whether the reader of the output went away, which is no error of this program.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
