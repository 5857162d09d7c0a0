//! The result of a walk: entries, and skipped files.

use std::path::PathBuf;

use crate::format::{Format, Kind};
use crate::skipped::{SkipReason, Skipped};
use crate::source::data::{is_minified_json, is_own_output};

/// A file to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Where it can be read.
    pub path: PathBuf,
    /// The path as the user would type it. It differs from `path` only for standard input.
    pub typed: PathBuf,
    /// Its name in reports.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Whether it was found only through [`against`](crate::source::walk::WalkOptions::against).
    pub is_against: bool,
    /// Whether the walk found the file under several names: hard links.
    pub has_names: bool,
    /// Whether a path, a glob or a type asks for it by name. Such a file is a document though it holds data.
    pub is_asked_for: bool,
    /// Whether it is a file of code or data, by its name.
    pub is_code: bool,
}

impl Entry {
    /// Whether it is a file of code or data, and nothing asks for it by name. Records in it are documents.
    #[must_use]
    pub fn is_apart(&self) -> bool {
        self.is_code && !self.is_asked_for
    }

    /// Whether it is not compared, as it holds data and no records, and nothing asks for it by name. The text may show
    /// that it is data.
    #[must_use]
    pub fn is_unasked_data(&self, text: &str) -> bool {
        !self.is_asked_for && self.kind.format == Format::Json && is_minified_json(text)
    }
}

/// The result of a walk.
#[derive(Debug, Default)]
pub struct Walked {
    /// The files to read, sorted by name. Each file is there once, even if several paths lead to it.
    pub entries: Vec<Entry>,
    /// Files that are not read, with reasons. Files left out by ignore rules, globs or a leading dot are not listed.
    pub skipped: Vec<Skipped>,
    /// The faults of ignore files.
    pub warnings: Vec<String>,
}

impl Walked {
    /// Reports, plans and baselines that an earlier run left in a folder are no documents, unless they are named.
    pub(super) fn leave_out_own_outputs(&mut self) {
        let skipped = &mut self.skipped;
        self.entries.retain(|entry| {
            let kind = entry.kind;
            let is_own = !entry.is_asked_for
                && kind.compression.is_none()
                && kind.may_hold_records()
                && kind.format != Format::Parquet
                && is_own_output(&entry.path);
            if is_own {
                let (reason, detail) = (SkipReason::Data, "a file that dupfind wrote");
                skipped.push(Skipped::new(entry.name.clone(), reason, detail));
            }
            !is_own
        });
    }
}
