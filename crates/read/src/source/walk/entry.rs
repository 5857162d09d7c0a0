//! A file that a walk has found.

use std::path::PathBuf;

use crate::format::{Format, Kind};
use crate::skipped::{Refused, SkipReason};
use crate::source::data::is_minified_json;
use crate::source::no_page::NoPage;

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
    /// Whether it is no page if it leads its readers to another one.
    pub may_lead_elsewhere: bool,
}

impl Entry {
    /// Whether it is a file of code or data, and nothing asks for it by name. Records in it are documents.
    pub fn is_apart(&self) -> bool {
        self.is_code && !self.is_asked_for
    }

    /// Returns why it is not compared, if its content shows that it is no page or holds data and no records, and nothing
    /// asks for it by name.
    pub fn refusal(&self, text: &str, leads_elsewhere: bool) -> Option<Refused> {
        let may_be_data = !self.is_asked_for && self.kind.format == Format::Json;
        match () {
            () if may_be_data && is_minified_json(text) => Some((SkipReason::Data, String::new())),
            () if self.may_lead_elsewhere && leads_elsewhere => {
                Some((SkipReason::NoPage, NoPage::Redirect.as_str().into()))
            }
            () => None,
        }
    }
}
