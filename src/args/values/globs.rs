//! The parsers of globs: one that cannot be read is refused with the option, or the line of the configuration, that has
//! it.

use std::ffi::OsString;
use std::path::Path;

use dupfind_decide::gate::scope::PairScope;
use dupfind_engine::Error;
use dupfind_read::source::walk::{WalkOptions, walk};

use crate::args::values::Value;

/// A glob of files to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Glob(pub(crate) String);

impl Value for Glob {
    fn parse(text: &str) -> Result<Self, String> {
        let glob = checked(text, |mut options| {
            options.globs.patterns.push(text.to_owned());
            walk(&options, 0, None).map(drop)
        });
        glob.map(Self)
    }

    fn word(&self) -> OsString {
        self.0.clone().into()
    }
}

/// A glob of files to leave out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Excluded(pub(crate) String);

impl Value for Excluded {
    fn parse(text: &str) -> Result<Self, String> {
        let glob = checked(text, |mut options| {
            options.excluded.patterns.push(text.to_owned());
            walk(&options, 0, None).map(drop)
        });
        glob.map(Self)
    }

    fn word(&self) -> OsString {
        self.0.clone().into()
    }
}

/// A pattern with `{*}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern(pub(crate) String);

impl Value for Pattern {
    fn parse(text: &str) -> Result<Self, String> {
        let pattern = checked(text, |options| {
            PairScope::new(&options).divide(text, Path::new(""))
        });
        pattern.map(Self)
    }

    fn word(&self) -> OsString {
        self.0.clone().into()
    }
}

/// Checks a glob with options of a walk of no paths, which compiles the globs and does nothing else.
fn checked(
    text: &str,
    compile: impl FnOnce(WalkOptions) -> Result<(), Error>,
) -> Result<String, String> {
    let options = WalkOptions::new(Vec::new(), Path::new("/").to_owned());
    match compile(options) {
        Ok(()) => Ok(text.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
