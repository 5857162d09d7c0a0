//! `dupfind text`.

use crate::compare::document::Document;
use crate::read::named::file_of;
use crate::report::stages::{StageOptions, write_stage};
use anyhow::Result;

use crate::cli::exit::Status;
use crate::cli::output::Output;
use crate::cli::settings::refuse_overwriting;
use crate::cli::text_args::ShowArgs;
use crate::cli::{current_folder, messages};

/// Prints what is compared of a document.
pub(crate) fn run(args: &ShowArgs) -> Result<Status> {
    let target = args.output.output.as_deref();
    let output = Output::open(target)?;
    refuse_overwriting(target, &[file_of(&args.file).to_owned()])?;
    let document = Document::read(
        &args.file,
        &current_folder()?,
        &args.reading.settings(&args.config)?,
    )?;
    if document.is_repaired {
        messages::repaired(&document.name, document.encoding);
    }
    let cutting = StageOptions {
        han: args.cut.han(),
        unit: args.cut.shingle_unit.into(),
        size: args.cut.shingle_size,
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
