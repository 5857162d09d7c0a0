//! The options of a walk.

use std::path::{Path, PathBuf};

use dupfind_engine::{Error, Result};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::Types;

use crate::format::{Format, Kind};
use crate::skipped::{Refused, SkipReason};
use crate::source::code::is_code;
use crate::source::data::{OWN_OUTPUT, is_minified_json};
use crate::source::no_page::NoPage;

/// The path that means standard input.
pub const STDIN: &str = "-";

/// The files to list, and those to leave out.
#[derive(Debug, Clone)]
pub struct WalkOptions {
    /// Files and folders, in the order given. A file named here is always read.
    pub paths: Vec<PathBuf>,
    /// The absolute path of the folder the user is in: names are relative to it.
    pub base: PathBuf,
    /// Globs of files to read, or with a leading `!` to leave out; a later one outweighs an earlier.
    pub globs: Globs,
    /// Globs of files and folders to leave out, after all of `globs`.
    pub excluded: Globs,
    /// The types of files to read, or to leave out; all are read if no type is selected.
    pub types: Types,
    /// Whether hidden files and folders are walked.
    pub hidden: bool,
    /// Whether ignore files are honoured.
    pub ignore_files: bool,
    /// Whether symbolic links are followed.
    pub follow: bool,
    /// The folder that followed links do not leave. A link out of it, and out of the folder that was named, is left out
    /// with a warning.
    pub within: Option<PathBuf>,
    /// Files that are never documents: those that reports are written to, or that hold rules for this program.
    pub outputs: Vec<PathBuf>,
    /// Files and folders that the documents of `paths` are compared with. They are not compared with each other. If there
    /// are none, all documents are compared with each other.
    pub against: Vec<PathBuf>,
    /// Whether languages and versions are told apart, so that pairs between them are set apart.
    pub has_editions: bool,
    /// Standard input ([`STDIN`]) and pipes among `paths`, each with the file that has its content. The names of these files
    /// have the endings of their formats. Where [`STDIN`] is not among them, it is a file like any other.
    pub spooled: Vec<(PathBuf, PathBuf)>,
}

impl WalkOptions {
    /// Returns the default options for some paths.
    pub fn new(paths: Vec<PathBuf>, base: PathBuf) -> Self {
        Self {
            paths,
            globs: Globs::none(base.clone()),
            excluded: Globs::none(base.clone()),
            base,
            types: Types::empty(),
            hidden: false,
            ignore_files: true,
            follow: false,
            within: None,
            outputs: Vec::new(),
            against: Vec::new(),
            has_editions: false,
            spooled: Vec::new(),
        }
    }

    /// Returns whether a file of a folder is one of code or data, and nothing asks for such files by name.
    pub fn is_unasked_code(&self, path: &Path) -> bool {
        let is_asked_for =
            !self.globs.patterns.is_empty() || self.types.matched(path, false).is_whitelist();
        is_code(path) && !is_asked_for
    }

    /// Returns where a file can be read. `typed` is its path as the user would type it.
    pub fn on_disk<'p>(&'p self, typed: &'p Path) -> &'p Path {
        let mut spooled = self.spooled.iter();
        let copy = spooled.find(|(path, _)| path == typed);
        copy.map_or(typed, |(_, copy)| copy)
    }
}

/// How many bytes the globs of an option have at most. Each costs as much time and memory as thousands of names.
const MOST: usize = 64 << 10;

/// Globs, and the folder they are relative to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Globs {
    /// The absolute path of the folder they are relative to.
    pub base: PathBuf,
    /// The globs as they were written.
    pub patterns: Vec<String>,
}

impl Globs {
    /// Returns no globs, relative to a folder.
    pub fn none(base: PathBuf) -> Self {
        Self {
            base,
            patterns: Vec::new(),
        }
    }

    /// Returns a glob as ignore files have it. `./docs` and the absolute path of it are `/docs` there.
    fn anchored(&self, glob: &str) -> String {
        let (not, path) = match glob.strip_prefix('!') {
            Some(path) => ("!", path),
            None => ("", glob),
        };
        let base = self.base.to_str().unwrap_or_default();
        let behind = |start: &str| {
            path.strip_prefix(start)
                .filter(|rest| rest.starts_with('/'))
        };
        let inner = behind(".").or_else(|| behind(base));
        format!("{not}{}", inner.unwrap_or(path))
    }

    /// Compiles the globs, each with a prefix.
    pub(in crate::source) fn compiled(&self, prefix: &str) -> Result<Override> {
        let bytes: usize = self.patterns.iter().map(String::len).sum();
        if let Some(glob) = self.patterns.first().filter(|_| bytes > MOST) {
            let count = self.patterns.len();
            let reason = format!(
                "the {count} globs have {bytes} bytes, and at most {MOST} are read: name folders, or write a .dupfindignore"
            );
            let begin: String = glob.chars().take(40).collect();
            return Err(Error::glob(&begin, reason));
        }
        let mut builder = OverrideBuilder::new(&self.base);
        for glob in &self.patterns {
            builder
                .add(&format!("{prefix}{}", self.anchored(glob)))
                .map_err(|error| match error {
                    ignore::Error::Glob { err, .. } => Error::glob(glob, err),
                    other => Error::glob(glob, other),
                })?;
        }
        builder
            .build()
            .map_err(|error| Error::glob(&self.patterns.join(" "), error))
    }
}

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
    pub fn is_unasked_code(&self) -> bool {
        self.is_code && !self.is_asked_for
    }

    /// Returns why it is not compared, if its content shows that it is no page or holds data and no records, and nothing
    /// asks for it by name.
    pub fn refusal(
        &self,
        text: &str,
        leads_elsewhere: bool,
        is_own_output: bool,
    ) -> Option<Refused> {
        let may_be_data = !self.is_asked_for && self.kind.format == Format::Json;
        match () {
            () if may_be_data && is_minified_json(text) => Some((SkipReason::Data, String::new())),
            () if !self.is_asked_for && is_own_output => {
                Some((SkipReason::Data, OWN_OUTPUT.into()))
            }
            () if self.may_lead_elsewhere && leads_elsewhere => {
                Some((SkipReason::NoPage, NoPage::Redirect.as_str().into()))
            }
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_may_be_a_path_that_begins_at_the_current_folder() {
        for (pattern, path, expected) in [
            ("docs/sub", "docs/sub", true),
            ("./docs/sub", "docs/sub", true),
            ("/site/docs/sub", "docs/sub", true),
            ("./sub", "docs/sub", false),
            ("./**/sub", "docs/sub", true),
            (".github", ".github", true),
        ] {
            let globs = Globs {
                patterns: vec![pattern.to_owned()],
                ..Globs::none("/site".into())
            };
            let excluded = globs.compiled("!").unwrap();
            let found = excluded.matched(Path::new("/site").join(path), true);
            assert_eq!(found.is_ignore(), expected, "{pattern}");
        }
        let globs = Globs {
            patterns: vec!["!./sub".to_owned()],
            ..Globs::none("/site".into())
        };
        let wanted = globs.compiled("").unwrap();
        assert!(wanted.matched("/site/sub", true).is_ignore());
    }

    #[test]
    fn more_globs_than_are_compiled_in_a_second_are_refused() {
        let globs = |count: usize| Globs {
            patterns: (0..count).map(|at| format!("a{at}*/**/b?.md")).collect(),
            ..Globs::none("/".into())
        };
        assert!(globs(100).compiled("").is_ok());
        let error = globs(40_000).compiled("!").unwrap_err().to_string();
        assert!(
            error.contains("the 40000 globs have 628890 bytes"),
            "{error}"
        );
    }
}
