//! A glob of files.

use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use dupfind_engine::{Error, Result};
use dupfind_read::source::name::plain;

/// A glob with the meaning of the only line of a `.gitignore` in its folder: a folder means everything in it.
#[derive(Debug)]
pub(crate) struct FileGlob {
    base: PathBuf,
    glob: Gitignore,
}

impl FileGlob {
    /// Returns the glob of a text in a folder.
    ///
    /// # Errors
    ///
    /// [`Error::Option`]: it is none.
    pub(crate) fn new(text: &str, base: &Path) -> Result<Self> {
        let failed = |error: ignore::Error| match error {
            ignore::Error::Glob { err, .. } => Error::glob(text, err),
            other => Error::glob(text, other),
        };
        let mut builder = GitignoreBuilder::new(base);
        // What the user calls ./docs, git calls docs.
        let line = text.strip_prefix("./").unwrap_or(text);
        builder.add_line(None, line).map_err(failed)?;
        Ok(Self {
            base: base.to_owned(),
            glob: builder.build().map_err(failed)?,
        })
    }

    /// Returns whether a file matches, or a folder that it is in. The path is relative to the folder of the glob, or
    /// absolute.
    pub(crate) fn matches(&self, file: &Path) -> bool {
        let place = plain(&self.base.join(file));
        let below = place.strip_prefix(&self.base);
        below.is_ok_and(|below| {
            // Above the folder.
            !below.starts_with("..")
                && self
                    .glob
                    .matched_path_or_any_parents(below, false)
                    .is_ignore()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_files_and_what_lies_elsewhere() {
        for (glob, file, matches) in [
            ("docs", "docs/a/b.md", true),
            ("docs/", "docs/a/b.md", true),
            ("./docs/**", "docs/a.md", true),
            ("docs/*.md", "docs/a.md", true),
            ("docs/*.md", "docs/a/b.md", false),
            ("*.md", "docs/a/b.md", true),
            ("/a.md", "docs/a.md", false),
            ("docs", "/site/docs/a.md", true),
            ("docs", "../other/docs/a.md", false),
            ("docs", "/other/docs/a.md", false),
        ] {
            let compiled = FileGlob::new(glob, Path::new("/site")).unwrap();
            assert_eq!(compiled.matches(Path::new(file)), matches, "{glob} {file}");
        }
        assert!(FileGlob::new("a{b", Path::new("/site")).is_err());
    }
}
