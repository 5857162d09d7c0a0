//! The files of a scan, with their sizes and times: they show whether anything has changed.

use std::collections::BTreeMap;
use std::fs::metadata;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::ScanOptions;
use crate::known::changed;
use dupfind_engine::Result;
use dupfind_read::skipped::Skipped;
use dupfind_read::source::walk::walk;

/// The size of a file, and when it was changed; `None` if it is not there or the system does not tell.
type Look = Option<(u64, Option<SystemTime>)>;

/// The files of a scan at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// By name.
    looks: BTreeMap<String, Look>,
    /// The entries that are not read, with the reasons.
    skipped: Vec<Skipped>,
}

impl Files {
    /// Looks at the files of a scan, and at some others. None is read.
    ///
    /// # Errors
    ///
    /// A glob does not parse.
    pub fn of(options: &ScanOptions, others: impl IntoIterator<Item = PathBuf>) -> Result<Self> {
        let read = &options.read;
        let walked = walk(&options.walk, read.max_filesize, read.pre.as_ref())?;
        let entries = walked.entries.into_iter();
        let entries = entries.map(|entry| (entry.name, entry.path));
        let others = others.into_iter();
        let others = others.map(|path| (path.to_string_lossy().into_owned(), path));
        let look = |(name, path): (String, PathBuf)| {
            let metadata = metadata(path).ok();
            (name, metadata.map(|it| (it.len(), changed(&it))))
        };
        Ok(Self {
            looks: entries.chain(others).map(look).collect(),
            skipped: walked.skipped,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_that_are_written_made_or_removed_have_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["a.md", "b.md", "c.md", "list"] {
            fs::write(path(name), "one two three").unwrap();
        }
        let mut options = ScanOptions::for_paths([folder.path().to_owned()]);
        options.walk.base = folder.path().to_owned();
        options.walk.outputs.push(path("list"));
        let look = || Files::of(&options, [path("list")]).unwrap();
        let before = look();
        assert_eq!(look(), before);
        let mut known = vec![before];
        for (name, text) in [
            ("a.md", Some("one two")),
            ("b.md", None),
            ("d.md", Some("")),
            ("list", Some("")),
        ] {
            match text {
                Some(text) => fs::write(path(name), text).unwrap(),
                None => fs::remove_file(path(name)).unwrap(),
            }
            let now = look();
            assert!(!known.contains(&now), "{name}");
            known.push(now);
        }
    }
}
