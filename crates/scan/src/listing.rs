//! Lists the files of a scan without comparing them.

use std::fs;

use rayon::prelude::*;

use crate::ScanOptions;
use dupfind_engine::document::{Note, SkipReason, Skipped};
use dupfind_engine::error::Result;
use dupfind_engine::pairing::observer::{Observer, Stage};
use dupfind_engine::pairing::threads::in_pool;
use dupfind_engine::text::normalize::normalize;
use dupfind_engine::text::script::has_runs;
use dupfind_read as read;
use dupfind_read::format::Format;
use dupfind_read::records::Batches;
use dupfind_read::source::read::skipped;
use dupfind_read::source::walk::{Entry, walk};

/// A file that would be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name, as documents are named.
    pub name: String,
    /// What it is.
    pub format: Format,
    /// The encoding it is decoded from; `None` for a file of records, which is not read.
    pub encoding: Option<&'static str>,
    /// How many bytes were read for it. For a file of records it is its size on the disk.
    pub bytes: u64,
}

/// All files that would be read.
#[derive(Debug, Default)]
pub struct Listing {
    /// The files, by name. A file of records is listed once.
    pub files: Vec<Listed>,
    /// What would not be compared, by name.
    pub skipped: Vec<Skipped>,
    /// What to know about single files, by name.
    pub notes: Vec<Note>,
    /// What was wrong with ignore files.
    pub warnings: Vec<String>,
}

/// Returns the files of a scan. Each file is read and decoded, as its encoding is not known otherwise. Files that a
/// scan would skip are skipped for the same reasons. Texts are neither cut nor compared. Files of records are not read:
/// they would have to be read to their ends to count their records.
///
/// # Errors
///
/// As [`crate::scan`].
pub fn list_files(options: &ScanOptions, observer: &dyn Observer) -> Result<Listing> {
    in_pool(&options.engine, || {
        observer.stage(Stage::Walk, None);
        let pre = options.read.pre.as_ref();
        let found = walk(&options.walk, options.read.max_filesize, pre)?;
        observer.stage(Stage::Read, Some(found.entries.len() as u64));
        let entries = found.entries.par_iter();
        let listed: Vec<_> = entries
            .map_init(Vec::new, |buffer, entry| {
                let listed = list(entry, &options.read, buffer);
                observer.advance();
                listed.map_err(|(reason, detail)| Skipped::new(&entry.name, reason, detail))
            })
            .collect();
        let mut listing = Listing {
            skipped: found.skipped,
            warnings: found.warnings,
            ..Listing::default()
        };
        for listed in listed {
            match listed {
                Ok((file, notes)) => {
                    listing.files.push(file);
                    listing.notes.extend(notes);
                }
                Err(skipped) => listing.skipped.push(skipped),
            }
        }
        listing.skipped.sort_unstable();
        Ok(listing)
    })
}

/// Returns a file with its notes, or why it would not be compared.
fn list(
    entry: &Entry,
    options: &read::ReadOptions,
    buffer: &mut Vec<u8>,
) -> std::result::Result<(Listed, Vec<Note>), (SkipReason, String)> {
    let Entry {
        path, kind, name, ..
    } = entry;
    if kind.may_hold_records() && Batches::open(path, *kind, options)?.is_some() {
        let metadata = fs::metadata(path);
        let listed = Listed {
            name: name.clone(),
            format: kind.format,
            encoding: None,
            bytes: metadata.map_err(|error| skipped(&error))?.len(),
        };
        return Ok((listed, Vec::new()));
    }
    let document = read::file(path, *kind, options, buffer)?;
    if entry.is_unasked_data(&document.text) {
        return Err((SkipReason::Data, String::new()));
    }
    let notes = document.notes(name)?;
    // Most texts have a letter before they are normalised, which takes longer.
    if !has_runs(&document.text) && !has_runs(&normalize(&document.text)) {
        return Err((SkipReason::Empty, String::new()));
    }
    let listed = Listed {
        name: name.clone(),
        format: document.format,
        encoding: Some(document.encoding),
        bytes: document.bytes as u64,
    };
    Ok((listed, notes))
}
