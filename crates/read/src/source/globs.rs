//! Globs of files, relative to a folder.

use std::path::PathBuf;

use ignore::overrides::{Override, OverrideBuilder};

use dupfind_engine::{Error, Result};

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
    #[must_use]
    pub fn none(base: PathBuf) -> Self {
        Self {
            base,
            patterns: Vec::new(),
        }
    }

    /// Compiles the globs, each with a prefix.
    pub(super) fn compiled(&self, prefix: &str) -> Result<Override> {
        let failed = |glob: &str, reason| Error::Glob {
            glob: glob.to_owned(),
            reason,
        };
        let mut builder = OverrideBuilder::new(&self.base);
        for glob in &self.patterns {
            builder
                .add(&format!("{prefix}{glob}"))
                .map_err(|error| match error {
                    ignore::Error::Glob { err, .. } => failed(glob, err),
                    other => failed(glob, other.to_string()),
                })?;
        }
        builder
            .build()
            .map_err(|error| failed(&self.patterns.join(" "), error.to_string()))
    }
}
