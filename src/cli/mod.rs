//! The command line: one folder for each command, and what the commands share.

mod accept;
mod apply;
mod args;
mod command_line;
mod compare;
mod config;
mod decision;
mod dedup;
mod features;
mod fingerprint;
mod freeze;
mod generate;
mod ignore;
mod index;
mod input;
mod join;
mod merge;
mod plan;
mod process;
mod query;
mod reuse;
mod scan;
mod serve;
mod sql;
mod stream;
mod terminal;
mod text;
mod tune;

// What programs that do the work of this one without its command line need, such as the Python package.
pub use crate::cli::args::size::parse as parse_size;
pub use crate::cli::decision::DROPS;
pub use crate::cli::process::memory::{
    default_limit as default_memory_limit, most_documents, total as total_memory,
};
pub use crate::cli::process::panics::silence_contained;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use crate::error::Error;
use crate::language;
use crate::report::style::escape::visible;
use anyhow::Result;
use clap::error::ErrorKind;

use crate::cli::args::lang::Lang;
use crate::cli::command_line::Command;
use crate::cli::config::{Refused, Request};
use crate::cli::process::exit::Status;
use crate::cli::process::{interrupt, signals};
use crate::cli::terminal::messages;
use crate::cli::terminal::output::Output;

/// Runs the program with the words of the command line, of which the first is the name of the program. Returns the exit
/// status.
pub fn run(words: impl Iterator<Item = OsString>) -> u8 {
    silence_contained();
    signals::block_file_size_signal();
    let words: Vec<OsString> = words.collect();
    language::set(Lang::Auto.language());
    let request = match config::parse(&words) {
        Ok(request) => request,
        Err(Refused::Typed(error)) => return explain(&error, &words),
        Err(Refused::Config(reason)) => {
            messages::error(&reason);
            return Status::Error.into();
        }
    };
    let result = match &request {
        Request::Print(text) => print(text),
        Request::Run(command) => interrupt::watch().and_then(|()| dispatch(command)),
    };
    interrupt::wait_for_end();
    match result {
        Ok(status) => status.into(),
        Err(error) if is_broken_pipe(&error) => Status::Ok.into(),
        Err(error) => {
            messages::error(&format!("{error:#}"));
            let is_of_temp_file = matches!(error.downcast_ref(), Some(Error::TempFile { .. }));
            if is_of_temp_file && takes_memory_limit(&request) {
                messages::advice(
                    "--temp-dir names another folder, --memory-limit allows more memory",
                );
            }
            Status::Error.into()
        }
    }
}

fn dispatch(command: &Command) -> Result<Status> {
    match command {
        Command::Scan(args) => scan::run(args),
        Command::Fingerprint(args) => fingerprint::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Reuse(args) => reuse::run(args),
        Command::Plan(args) => plan::run(args),
        Command::Apply(args) => apply::run(args),
        Command::Dedup(args) => dedup::run(args),
        Command::Accept(args) => accept::run(args),
        Command::Ignore(args) => ignore::run(args),
        Command::Index(args) => index::run(args),
        Command::Query(args) => query::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Stream(args) => stream::run(args),
        Command::Features(args) => features::run(args),
        Command::Freeze(args) => freeze::run(args),
        Command::Join(args) => join::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Sql(args) => sql::run(args),
        Command::Text(args) => text::run(args),
        Command::Generate(args) => generate::run(args),
    }
}

/// Returns whether the command has the options about memory.
fn takes_memory_limit(request: &Request) -> bool {
    match request {
        Request::Run(command) => matches!(
            **command,
            Command::Scan(_)
                | Command::Tune(_)
                | Command::Reuse(_)
                | Command::Plan(_)
                | Command::Dedup(_)
                | Command::Accept(_)
                | Command::Ignore(_)
                | Command::Index(_)
                | Command::Query(_)
                | Command::Features(_)
                | Command::Freeze(_)
                | Command::Join(_)
                | Command::Merge(_)
        ),
        Request::Print(_) => false,
    }
}

/// Prints why the command line was not understood, or the help that was asked for. Returns the exit status.
fn explain(error: &clap::Error, words: &[OsString]) -> u8 {
    // The commonest slip: a folder where the command should be.
    if let (ErrorKind::InvalidSubcommand, Some(word)) = (error.kind(), words.get(1))
        && Path::new(word).exists()
    {
        let path = word.to_string_lossy();
        messages::error(&format!(
            "'{path}' is no command; to compare its documents: dupfind scan {path}"
        ));
        return Status::Error.into();
    }
    let acts = |word: &OsString| {
        let word = word.to_string_lossy();
        visible(&word) != word
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

/// Prints a text to standard output.
fn print(text: &str) -> Result<Status> {
    Output::open(None)?.write(|out| Ok(out.write_all(text.as_bytes())?))?;
    Ok(Status::Ok)
}

/// Returns whether the reader of the output went away, which is no error of this program.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
