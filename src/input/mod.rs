//! What is read: documents that are named, standard input, and paths that are refused.

pub(crate) mod refused;
pub(crate) mod stdin;
pub(crate) mod without_documents;

use std::path::Path;

use anyhow::{Result, anyhow};
use dupfind_decide::compare::{Document, NotComparable};
use dupfind_read::source::walk::is_of_stdin;
use dupfind_read::{ReadOptions, Refusal, SkipReason};
use dupfind_report::style::shell::shown;

/// Reads the document of a name as the user typed it: a file, or `FILE#ID` for a record. `base` is the current folder.
///
/// # Errors
///
/// There is no such document, or no text in it. The message proposes what to do.
pub(crate) fn read_document(path: &Path, base: &Path, options: &ReadOptions) -> Result<Document> {
    Document::read(path, base, options).map_err(explained)
}

/// Returns the error about a document that cannot be read, with advice.
pub(crate) fn explained(refused: NotComparable) -> anyhow::Error {
    match advice(&refused) {
        Some(advice) => anyhow!("{refused}; {advice}"),
        None => refused.into(),
    }
}

fn advice(refused: &NotComparable) -> Option<String> {
    let name = shown(Path::new(&refused.name));
    Some(match &refused.refusal {
        Refusal::Folder => format!("to compare all its documents: dupfind scan {name}"),
        Refusal::Records => format!("this lists them: dupfind show {name} --as fingerprint"),
        Refusal::NoRecord(file) => format!(
            "--id-field names the field of their ids; this lists them: dupfind show {} --as fingerprint",
            shown(Path::new(file))
        ),
        Refusal::Skipped(SkipReason::NotFound, _) if is_of_stdin(&refused.name) => {
            "records of standard input cannot be named: save them to a file *.jsonl first".into()
        }
        Refusal::Skipped(SkipReason::TooLarge, _) => "--max-filesize allows more".into(),
        Refusal::Skipped(..) => return None,
    })
}
