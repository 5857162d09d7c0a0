//! Where a document is: the path of its file in the repository, and lines.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::again::{Limits, compared};
use crate::formats::findings::{Finding, Findings};
use crate::layout::Layout;
use crate::style::escape::visible;
use dupfind_decide::Shared;
use dupfind_decide::compare::side::Side;
use dupfind_engine::{DocId, Relation, Result};
use dupfind_read::source::name::plain;
use dupfind_read::{Extent, display_name};
use dupfind_scan::Scan;

/// Some lines of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileLines {
    /// The file: relative to the root if it is below it, otherwise absolute.
    pub(crate) path: PathBuf,
    /// The first line, from 1.
    pub(crate) line: u64,
    /// The last line; none if it is not known where the text ends.
    pub(crate) end: Option<u64>,
}

impl FileLines {
    /// Returns the path as it is in reports: with `/`, and bytes that are not UTF-8 as `\xHH`. Nothing
    /// in it can act on a terminal that shows the report.
    pub(crate) fn name(&self) -> String {
        visible(&display_name(&self.path, Path::new("")))
    }

    pub(crate) fn is_relative(&self) -> bool {
        self.path.is_relative()
    }
}

impl<'r> Findings<'r> {
    /// Returns the place of the document of a finding: that of the text that it shares with the best other one, if it
    /// is known.
    pub(crate) fn location(&self, finding: &Finding) -> FileLines {
        let shared = finding.shared.as_ref().and_then(|shared| shared.place(0));
        self.place(finding.subject, shared)
    }

    /// Returns the place of another document of a finding; for the best one, that of the shared text.
    pub(crate) fn location_of_other(&self, finding: &Finding, other: DocId) -> FileLines {
        let is_best = finding.other(finding.best()) == other;
        let shared = finding.shared.as_ref().filter(|_| is_best);
        self.place(other, shared.and_then(|shared| shared.place(1)))
    }

    /// Whether the file of a document has such a place: lines of its text need not be lines of the file.
    pub(crate) fn has(&self, id: DocId, place: Extent) -> bool {
        let source = self.report.outcome.sources.of(id);
        let has_lines = !source.is_record() && source.format.keeps_lines();
        has_lines || matches!(place, Extent::Pages(..))
    }

    /// Returns the file of a document; its name if it has no file.
    pub(crate) fn file(&self, id: DocId) -> &'r Path {
        let file = self.report.outcome.sources.file(id);
        file.unwrap_or(Path::new(&self.document(id).name))
    }

    /// Returns the lines of a document's file for a place in its text. For a record they are those of the whole record,
    /// as the lines of its text are other ones. A file of pages has no lines.
    pub(crate) fn place(&self, id: DocId, text: Option<Extent>) -> FileLines {
        let source = self.report.outcome.sources.of(id);
        let text = text.filter(|&place| self.has(id, place));
        let (line, end) = match (source.line, text) {
            (0, Some(Extent::Lines(first, last))) => (first as u64, Some(last as u64)),
            (0, _) => (1, None),
            (line, _) => (line, Some(source.last_line)),
        };
        let path = self.folders.below(self.file(id));
        FileLines { path, line, end }
    }
}

/// The folders that files are in, with links resolved: a file that is reached by a link is in the
/// repository under one path only.
#[derive(Debug)]
pub(super) struct Folders {
    /// The root, with links resolved.
    root: PathBuf,
    /// The folder that paths are relative to.
    base: PathBuf,
    /// The folders by the paths they were reached by.
    real: HashMap<PathBuf, PathBuf>,
}

impl Folders {
    pub(super) fn new(files: &[PathBuf], base: &Path, root: &Path) -> Self {
        let parents: HashSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
        let real = parents.into_iter().filter_map(|parent| {
            let real = fs::canonicalize(base.join(parent)).ok()?;
            Some((parent.to_owned(), real))
        });
        Self {
            root: fs::canonicalize(root).unwrap_or_else(|_| root.to_owned()),
            base: base.to_owned(),
            real: real.collect(),
        }
    }

    /// Returns a path relative to the root; an absolute one if it is outside of the root.
    fn below(&self, path: &Path) -> PathBuf {
        let absolute = plain(&self.base.join(path));
        let folder = path.parent().and_then(|parent| self.real.get(parent));
        let real = folder
            .zip(path.file_name())
            .map(|(folder, name)| folder.join(name));
        match real.as_ref().unwrap_or(&absolute).strip_prefix(&self.root) {
            Ok(inside) => inside.to_owned(),
            Err(_) => absolute,
        }
    }
}

/// The most findings whose texts are read again. No CI shows more of them at once.
const MAX_FINDINGS: usize = 1_000;

/// How much is read and compared again.
const LIMITS: Limits = Limits {
    room: 64 << 20,
    longest: 1 << 20,
    work: usize::MAX,
};

/// The most passages that are kept of one finding. The longest ones are.
const MAX_PASSAGES: usize = 10;

/// The shared passages of two documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SharedText {
    /// Where the longest passages are: in the document at fault, in whose order they are, and in the other one.
    pub(crate) passages: Vec<[Extent; 2]>,
}

impl SharedText {
    /// Returns the longest passages of two documents; `None` if there are no such passages.
    fn of(here: &Side<'_>, there: &Side<'_>, shared: &Shared) -> Option<Self> {
        let passages = Layout::new(here, there, shared, true).places(MAX_PASSAGES);
        (!passages.is_empty()).then_some(Self { passages })
    }

    /// Returns the place of the shared text from the first passage to the last: in the document at fault (0), or in the other
    /// one (1).
    pub(crate) fn place(&self, which: usize) -> Option<Extent> {
        self.passages.iter().map(|at| at[which]).reduce(Extent::to)
    }
}

/// Finds the passages that the documents of findings share with the best other ones; none of copies, and of texts that are too
/// long to be read again.
///
/// # Errors
///
/// Threads cannot be started.
pub(super) fn locate(outcome: &Scan, findings: &mut [Finding]) -> Result<()> {
    let wanted = findings.iter().enumerate().take(MAX_FINDINGS);
    let wanted = wanted.filter(|(_, finding)| finding.relation() != Relation::Exact);
    let wanted = wanted.map(|(at, finding)| (at, [finding.subject, finding.other(finding.best())]));
    for (at, shared) in compared(outcome, wanted.collect(), &LIMITS, SharedText::of)? {
        findings[at].shared = shared;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::escape::uri_of;
    #[cfg(unix)]
    use crate::table::table;
    use dupfind_decide::find_passages;
    use dupfind_engine::Options;

    fn location(path: &str) -> FileLines {
        let (base, root) = (Path::new("/home/me/site/docs"), Path::new("/home/me/site"));
        FileLines {
            path: Folders::new(&[path.into()], base, root).below(Path::new(path)),
            line: 1,
            end: None,
        }
    }

    #[cfg(unix)]
    #[test]
    fn paths_are_relative_to_the_repository() {
        for [path, name, uri] in table(
            "a.md               | docs/a.md             | docs/a.md
             ./x/../a.md        | docs/a.md             | docs/a.md
             ../README.md       | README.md             | README.md
             /home/me/site/b.md | b.md                  | b.md
             ../../other/a.md   | /home/me/other/a.md   | file:///home/me/other/a.md
             /srv/a b.md        | /srv/a b.md           | file:///srv/a%20b.md
             c:d#e?f%20[g].md   | docs/c:d#e?f%20[g].md | docs/c%3Ad%23e%3Ff%2520%5Bg%5D.md
             城.md              | docs/城.md            | docs/%E5%9F%8E.md",
        ) {
            let location = location(path);
            assert_eq!(location.name().as_str(), name);
            assert_eq!(uri_of(&location.path), uri);
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_utf8_are_escaped_as_they_are() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let mut location = location("x");
        location.path = PathBuf::from(OsStr::from_bytes(b"a/\xff.md"));
        assert_eq!(location.name().as_str(), "a/\\xff.md");
        assert_eq!(uri_of(&location.path), "a/%FF.md");
    }

    #[test]
    fn nothing_in_a_path_acts_on_a_terminal() {
        let mut location = location("x");
        location.path = "a\u{1b}[31m\u{9b}\u{202e}.md".into();
        assert_eq!(location.name(), "a\\u{1b}[31m\\u{9b}\\u{202e}.md");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_behind_a_link_is_where_it_really_is() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("site");
        fs::create_dir_all(root.join("docs")).unwrap();
        fs::create_dir(folder.path().join("elsewhere")).unwrap();
        std::os::unix::fs::symlink(&root, folder.path().join("linked")).unwrap();
        std::os::unix::fs::symlink("docs", root.join("current")).unwrap();
        for (base, path, expected) in [
            ("", "linked/docs/a.md", "docs/a.md"),
            ("", "linked/current/a.md", "docs/a.md"),
            ("site", "current/a.md", "docs/a.md"),
            ("site", "a.md", "a.md"),
            ("elsewhere", "../linked/a.md", "a.md"),
        ] {
            let files = [PathBuf::from(path)];
            let folders = Folders::new(&files, &folder.path().join(base), &root);
            assert_eq!(folders.below(&files[0]), Path::new(expected), "{path}");
        }
    }

    #[test]
    fn passages_have_their_lines_in_both_documents() {
        let park = "The old river park opened to the public thirty years ago,\n\
                    and runners circle the lake on spring mornings.\n";
        let bread = "Knead flour, water and salt until the dough no longer sticks.\n";
        let here = format!("{bread}\n{park}");
        let numbers: Vec<String> = (0..200).map(|number| number.to_string()).collect();
        let there = format!("# Parks\n\n{park}\n{}\n", numbers.join(" "));
        let shared = |here, there| {
            let [here, there] = [here, there].map(|text| Side::new(text, &Options::default()));
            SharedText::of(&here, &there, &find_passages(&here, &there))
        };
        let found = shared(&here, &there).unwrap();
        let lines = Extent::Lines(3, 4);
        assert_eq!(found.passages, [[lines; 2]]);
        assert_eq!((found.place(0), found.place(1)), (Some(lines), Some(lines)));
        assert_eq!(shared(bread, park), None);
    }
}
