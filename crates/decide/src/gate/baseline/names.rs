//! The names of documents in a baseline: paths from its own folder, wherever the program runs.

use std::path::{Path, PathBuf};
use std::{fs, io};

use dupfind_read::{Kind, display_name};

/// Turns names of documents into names in a baseline.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// None if names are the same in both.
    places: Option<Places>,
}

#[derive(Debug, Clone)]
struct Places {
    /// The folder the user is in, in parts.
    base: Vec<String>,
    /// The folder of the baseline, in parts.
    folder: Vec<String>,
    path: PathBuf,
    /// The folders that the run reads, in parts; empty if it reads single files only.
    read: Vec<Vec<String>>,
}

impl Names {
    /// Returns the names for a baseline in a file. `base` is the folder the user is in, `folder` that of the
    /// file, and `read` are the paths that the run reads. Links on the way to the folders are followed, so that
    /// one folder has one name. Fails if one of the folders is not there.
    pub fn from_folder<'p>(
        base: &Path,
        folder: &Path,
        read: impl IntoIterator<Item = &'p PathBuf>,
    ) -> io::Result<Self> {
        let folders = read.into_iter().filter(|path| base.join(path).is_dir());
        let folders: Vec<String> = folders.map(|path| display_name(path, base)).collect();
        let [base, path] = [fs::canonicalize(base)?, fs::canonicalize(folder)?];
        let in_parts = |path: &Path| {
            let name = display_name(path, Path::new(""));
            resolved(&[], &name)
        };
        let base = in_parts(&base);
        Ok(Self {
            places: Some(Places {
                folder: in_parts(&path),
                path,
                read: folders.iter().map(|name| resolved(&base, name)).collect(),
                base,
            }),
        })
    }

    /// Returns the name of a document in the baseline. That of a record is `FILE#ID`, where only the file is a path.
    pub(super) fn of(&self, document: &str, is_record: bool) -> String {
        let Some(places) = &self.places else {
            return document.to_owned();
        };
        let (file, id) = if is_record {
            cut_record(document)
        } else {
            (document, "")
        };
        places.relative(file) + id
    }

    /// Returns the name of a document that is a record if its name is that of one.
    pub fn of_document(&self, document: &str) -> String {
        self.of(document, !cut_record(document).1.is_empty())
    }

    /// Returns the name in the baseline of the file of a record.
    pub(super) fn file_of(&self, record: &str) -> String {
        let (file, _) = cut_record(record);
        let places = self.places.as_ref();
        places.map_or_else(|| file.to_owned(), |places| places.relative(file))
    }

    /// Whether there is a file with this name in the baseline, in the same case. A file system that ignores case
    /// finds a file by its old name too.
    pub(super) fn is_there(&self, file: &str) -> bool {
        let Some(places) = &self.places else {
            return false;
        };
        let path = places.path.join(file);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file());
        is_file && fs::canonicalize(&path).is_ok_and(|real| real.file_name() == path.file_name())
    }

    /// Whether the run would have met a file, given by its name in the baseline, if it were there. That is so
    /// if it is in a folder that was read, or if only single files were read.
    pub(super) fn is_in_sight(&self, file: &str) -> bool {
        let Some(places) = &self.places else {
            return true;
        };
        let path = resolved(&places.folder, file);
        places.read.is_empty() || places.read.iter().any(|folder| path.starts_with(folder))
    }
}

/// Splits the name of a record after that of its file: `a.jsonl#7` into `a.jsonl` and `#7`. Other names are
/// not split.
pub(super) fn cut_record(name: &str) -> (&str, &str) {
    let mut cuts = name.match_indices('#');
    match cuts.find(|&(at, _)| Kind::of(Path::new(&name[..at])).may_hold_records()) {
        Some((at, _)) => name.split_at(at),
        None => (name, ""),
    }
}

impl Places {
    /// Returns the path of a file from the folder of the baseline. Only names are looked at, no links.
    fn relative(&self, file: &str) -> String {
        let path = resolved(&self.base, file);
        let both = path.iter().zip(&self.folder);
        let common = both.take_while(|(x, y)| x == y).count();
        let up = std::iter::repeat_n("..", self.folder.len() - common);
        let down = path[common..].iter().map(String::as_str);
        let relative: Vec<&str> = up.chain(down).collect();
        relative.join("/")
    }
}

/// Returns the absolute path, in parts, of a file as it is called from a folder.
fn resolved(folder: &[String], file: &str) -> Vec<String> {
    let is_absolute = file.starts_with('/') || file.as_bytes().get(1) == Some(&b':');
    let mut path = if is_absolute {
        Vec::new()
    } else {
        folder.to_vec()
    };
    for part in parts(file) {
        if part == ".." {
            path.pop();
        } else {
            path.push(part.to_owned());
        }
    }
    path
}

/// Returns the folders of a path and its last part, without the prefix that Windows puts before a drive.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    let path = path.strip_prefix("//?/").unwrap_or(path);
    path.split('/')
        .filter(|part| !part.is_empty() && *part != ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(base: &str, folder: &str) -> Places {
        Places {
            base: resolved(&[], base),
            folder: resolved(&[], folder),
            path: PathBuf::new(),
            read: Vec::new(),
        }
    }

    #[test]
    fn names_are_the_same_from_everywhere() {
        for (base, folder, file, name) in [
            ("/site", "/site", "docs/a.md", "docs/a.md"),
            ("/site/docs", "/site", "a.md", "docs/a.md"),
            ("/site/docs", "/site", "../b/a.md", "b/a.md"),
            ("/", "/site", "site/docs/a.md", "docs/a.md"),
            ("/site", "/site/ci", "docs/a.md", "../docs/a.md"),
            ("/site", "/site/ci", "ci/a.md", "a.md"),
            ("/site", "/site", "../../../x.md", "../x.md"),
            ("/site", "/site", "/srv/a.md", "../srv/a.md"),
            ("/site", "/site", "docs/../docs//./a.md", "docs/a.md"),
            ("//?/C:/site", "//?/C:/site/ci", "C:/site/a.md", "../a.md"),
        ] {
            let relative = places(base, folder).relative(file);
            assert_eq!(relative, name, "{file} in {base} from {folder}");
        }
    }

    #[test]
    fn a_run_sees_the_folders_that_it_reads() {
        let sees = |read: &[&str], file: &str| {
            let mut places = places("/site", "/site/ci");
            let folders = read.iter().map(|name| resolved(&places.base, name));
            places.read = folders.collect();
            Names {
                places: Some(places),
            }
            .is_in_sight(file)
        };
        for (read, file, expected) in [
            (&["docs"][..], "../docs/a.md", true),
            (&["docs", "ci"], "a.md", true),
            (&["docs"], "a.md", false),
            (&["docs"], "../docs-old/a.md", false),
            (&["."], "../docs/a.md", true),
            (&["."], "../../a.md", false),
            (&["/"], "../../a.md", true),
            // Only files were named.
            (&[], "../../a.md", true),
        ] {
            assert_eq!(sees(read, file), expected, "{read:?} {file}");
        }
    }

    #[test]
    fn the_id_of_a_record_is_no_path() {
        for (name, file, id) in [
            ("a/b.jsonl#x/../y", "a/b.jsonl", "#x/../y"),
            ("a#1/b.NDJSON#c#d.jsonl#3", "a#1/b.NDJSON", "#c#d.jsonl#3"),
            ("a#b.md", "a#b.md", ""),
        ] {
            assert_eq!(cut_record(name), (file, id));
        }
    }
}
