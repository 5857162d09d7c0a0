//! Globs of files, relative to a folder.

use std::path::PathBuf;

use ignore::overrides::{Override, OverrideBuilder};

use dupfind_engine::{Error, Result};

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
        let bytes: usize = self.patterns.iter().map(String::len).sum();
        if let Some(glob) = self.patterns.first().filter(|_| bytes > MOST) {
            let count = self.patterns.len();
            let reason = format!(
                "the {count} globs have {bytes} bytes, and at most {MOST} are read: name folders, or write a .dupfindignore"
            );
            return Err(failed(&glob.chars().take(40).collect::<String>(), reason));
        }
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

#[cfg(test)]
mod tests {
    use super::*;

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
