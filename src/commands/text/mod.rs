//! `dupfind text`: the text of a document at each stage.

pub(crate) mod args;

use anyhow::{Result, bail};
use dupfind_read::named::file_of;
use dupfind_report::listings::stages::{StageOptions, write_stage};
use dupfind_report::style::shell;

use crate::commands::text::args::PrintArgs;
use crate::input::document::read_document;
use crate::input::refused::refuse_overwriting;
use crate::process::current_folder;
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::output::Output;

/// Runs the command.
pub(crate) fn run(args: &PrintArgs) -> Result<Status> {
    if args.file.is_dir() {
        let name = args.file.to_string_lossy();
        let word = shell::word(&name).unwrap_or_else(|| name.clone());
        bail!(
            "{name} is a folder: name one of its documents; this lists them: dupfind fingerprint {word}"
        );
    }
    let target = args.output.output.as_deref();
    let output = Output::open(target)?;
    refuse_overwriting(target, &[file_of(&args.file).to_owned()])?;
    let document = read_document(
        &args.file,
        &current_folder()?,
        &args.reading.options(&args.config)?,
    )?;
    if document.is_repaired {
        messages::repaired(&document.name, document.encoding);
    }
    let cut = args.text.added_to(dupfind_engine::Options::default());
    let cutting = StageOptions {
        unit: cut.shingle_unit,
        size: cut.shingle_size,
    };
    let is_terminal = output.is_terminal();
    output.write(|out| {
        Ok(write_stage(
            &document.text,
            args.stage(),
            cutting,
            is_terminal,
            out,
        )?)
    })?;
    Ok(Status::Ok)
}
