//! The parsers of globs: one that cannot be read is refused with the option, or the line of the configuration, that has
//! it.

use std::path::Path;

use dupfind_decide::gate::scope::PairScope;
use dupfind_engine::Error;
use dupfind_read::source::walk::{WalkOptions, walk};

/// Returns a glob of files to read, if it can be parsed.
///
/// # Errors
///
/// A sentence with the fault.
pub(crate) fn glob(text: &str) -> Result<String, String> {
    checked(text, |mut options| {
        options.globs.patterns.push(text.to_owned());
        walk(&options, 0, None).map(drop)
    })
}

/// Returns a glob of files to leave out, if it can be parsed.
///
/// # Errors
///
/// A sentence with the fault.
pub(crate) fn excluded(text: &str) -> Result<String, String> {
    checked(text, |mut options| {
        options.excluded.patterns.push(text.to_owned());
        walk(&options, 0, None).map(drop)
    })
}

/// Returns a pattern with `{*}`, if it can be parsed.
///
/// # Errors
///
/// A sentence with the fault.
pub(crate) fn pattern(text: &str) -> Result<String, String> {
    checked(text, |options| {
        PairScope::new(&options).divide(text, Path::new(""))
    })
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
