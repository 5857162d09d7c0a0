//! What documents are called in a baseline: paths from its own folder, wherever the program runs.

use std::fs;
use std::path::{Path, PathBuf};

use crate::scan::outcome::Document;
use crate::source::name::display_name;
use crate::source::records::has_records;

/// Turns names of documents into names in a baseline.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// None if they are the same.
    places: Option<Places>,
}

#[derive(Debug, Clone)]
struct Places {
    /// The folder the user is in, in parts.
    base: Vec<String>,
    /// The folder of the baseline, in parts.
    folder: Vec<String>,
    path: PathBuf,
}

impl Names {
    /// For a baseline in a file: takes the folder the user is in and the folder of the file. Both must
    /// be there; links on the way to them are followed, so that one folder has one name.
    ///
    /// # Errors
    ///
    /// What the system says about one of the folders.
    pub fn from_folder(base: &Path, folder: &Path) -> std::io::Result<Self> {
        let [base, path] = [fs::canonicalize(base)?, fs::canonicalize(folder)?];
        let in_parts = |path: &Path| {
            let name = display_name(path, Path::new(""));
            parts(&name).map(str::to_owned).collect()
        };
        Ok(Self {
            places: Some(Places {
                base: in_parts(&base),
                folder: in_parts(&path),
                path,
            }),
        })
    }

    /// The name in the baseline. That of a record is `FILE#ID`, of which only the file is a path.
    pub(super) fn of(&self, document: &Document) -> String {
        let Some(places) = &self.places else {
            return document.name.clone();
        };
        let (file, id) = if document.place.line > 0 {
            cut_record(&document.name)
        } else {
            (document.name.as_str(), "")
        };
        places.relative(file) + id
    }

    /// Takes a name in the baseline and returns whether the file is there, by that very name: a file
    /// system that ignores case has the old name of a file too.
    pub(super) fn is_there(&self, file: &str) -> bool {
        let Some(places) = &self.places else {
            return false;
        };
        let path = places.path.join(file);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file());
        is_file && fs::canonicalize(&path).is_ok_and(|real| real.file_name() == path.file_name())
    }
}

/// Cuts the name of a record behind that of its file: `a.jsonl#7` into `a.jsonl` and `#7`. Other names
/// are whole.
pub(super) fn cut_record(name: &str) -> (&str, &str) {
    let mut cuts = name.match_indices('#');
    match cuts.find(|&(at, _)| has_records(Path::new(&name[..at]))) {
        Some((at, _)) => name.split_at(at),
        None => (name, ""),
    }
}

impl Places {
    /// The path of a file from the folder of the baseline, by its words alone.
    fn relative(&self, file: &str) -> String {
        let is_absolute = file.starts_with('/') || file.as_bytes().get(1) == Some(&b':');
        let base = if is_absolute { &[][..] } else { &self.base };
        let mut path: Vec<&str> = base.iter().map(String::as_str).collect();
        for part in parts(file) {
            if part == ".." {
                path.pop();
            } else {
                path.push(part);
            }
        }
        let folder = self.folder.iter().map(String::as_str);
        let common = path.iter().zip(folder).take_while(|(x, y)| *x == y).count();
        let up = std::iter::repeat_n("..", self.folder.len() - common);
        let relative: Vec<&str> = up.chain(path[common..].iter().copied()).collect();
        relative.join("/")
    }
}

/// The folders of a path and its last part. What Windows puts before a drive is none.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    let path = path.strip_prefix("//?/").unwrap_or(path);
    path.split('/')
        .filter(|part| !part.is_empty() && *part != ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(base: &str, folder: &str) -> Places {
        let in_parts = |path| parts(path).map(str::to_owned).collect();
        Places {
            base: in_parts(base),
            folder: in_parts(folder),
            path: PathBuf::new(),
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
