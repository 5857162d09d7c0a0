//! The parsers of globs: one that cannot be read is refused with the option, or the line of the configuration, that has
//! it.

use std::ffi::OsString;
use std::path::Path;

use dupfind_decide::gate::scope::PairScope;
use dupfind_engine::Error;
use dupfind_read::source::walk::{WalkOptions, walk};

use crate::args::values::Value;

/// Defines a glob that is compiled by a part of the options of a walk.
macro_rules! globs {
    ($($(#[$attribute:meta])* $name:ident: $compile:expr;)*) => {$(
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub(crate) struct $name(pub(crate) String);

        impl Value for $name {
            fn parse(text: &str) -> Result<Self, String> {
                checked(text, $compile).map(Self)
            }

            fn word(&self) -> OsString {
                self.0.clone().into()
            }
        }
    )*};
}
globs! {
    /// A glob of files to read.
    Glob: |text, mut options| {
        options.globs.patterns.push(text);
        walk(&options, 0, None).map(drop)
    };
    /// A glob of files to leave out.
    Excluded: |text, mut options| {
        options.excluded.patterns.push(text);
        walk(&options, 0, None).map(drop)
    };
    /// A pattern with `{*}`.
    Pattern: |text, options| PairScope::new(&options).divide(&text, Path::new(""));
}

/// Checks a glob with options of a walk of no paths, which compiles the globs and does nothing else.
fn checked(
    text: &str,
    compile: impl FnOnce(String, WalkOptions) -> Result<(), Error>,
) -> Result<String, String> {
    let options = WalkOptions::new(Vec::new(), Path::new("/").to_owned());
    match compile(text.to_owned(), options) {
        Ok(()) => Ok(text.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
