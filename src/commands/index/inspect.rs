//! `dupfind index info` and `dupfind index check`.

use std::path::Path;

use anyhow::Result;
use dupfind_index::Index;
use dupfind_report::listings::query::info::write_info;
use dupfind_report::say;

use crate::process::exit::Status;
use crate::terminal::output::Output;

/// The words in the place of a path.
pub(super) const WORDS: [&str; 2] = ["info", "check"];

/// Opens an index for inspection.
///
/// # Errors
///
/// As [`Index::open_as_it_is`].
pub(super) fn open(index: &Path) -> Result<Index> {
    Ok(Index::open_as_it_is(index)?)
}

/// Prints the facts about an index, or checks it.
pub(super) fn run(word: &str, path: &Path) -> Result<Status> {
    let index = open(path)?;
    if word == "check" {
        index.check()?;
        let documents = index.documents();
        Output::open(None)?.write(|out| {
            let path = path.display();
            let text = say!(
                "{}: whole: {} documents, every checksum is right",
                path,
                documents
            );
            Ok(writeln!(out, "{text}")?)
        })?;
        return Ok(Status::Ok);
    }
    let info = index.info()?;
    Output::open(None)?.write(|out| Ok(write_info(&info, out)?))?;
    Ok(Status::Ok)
}
