//! Where a document is, for CI: the path of its file in the repository, and lines.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

use crate::document::DocId;
use crate::report::findings::{Finding, Findings};
use crate::source::name::display_name;

/// What is escaped in an URI: all but its unreserved characters (RFC 3986).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The file: relative to the root if it is below it, otherwise as the user would type it.
    pub path: PathBuf,
    /// The first line, from 1.
    pub line: u64,
    /// The last line; none if it is not known where the text ends.
    pub end: Option<u64>,
}

impl Location {
    /// The path as it stands in reports: with `/`, bytes that are not UTF-8 as `\xHH`.
    #[must_use]
    pub fn name(&self) -> String {
        display_name(&self.path, Path::new(""))
    }

    /// Whether the path is relative.
    #[must_use]
    pub fn is_relative(&self) -> bool {
        self.path.is_relative()
    }

    /// The path as an URI: a relative reference, or a `file` URI. Bytes are escaped one by one, so that it is
    /// right for names that are not UTF-8 too.
    #[must_use]
    pub fn uri(&self) -> String {
        let mut parts = Vec::new();
        for part in self.path.components() {
            match part {
                Component::RootDir => parts.push(String::new()),
                Component::Prefix(prefix) => {
                    parts.extend([String::new(), escaped(prefix.as_os_str())]);
                }
                part => parts.push(escaped(part.as_os_str())),
            }
        }
        let path = parts.join("/");
        if self.is_relative() {
            path
        } else {
            format!("file://{path}")
        }
    }
}

fn escaped(part: &OsStr) -> String {
    percent_encode(part.as_encoded_bytes(), RESERVED).to_string()
}

impl Findings<'_> {
    /// Where the document of a finding is: at what it shares with the best other one, if that is known.
    #[must_use]
    pub fn location(&self, finding: &Finding) -> Location {
        let lines = finding.shared.as_ref().and_then(|shared| shared.here());
        self.place(finding.subject, lines)
    }

    /// Where another document of a finding is; of the best one, where it has what they share.
    #[must_use]
    pub fn location_of_other(&self, finding: &Finding, other: DocId) -> Location {
        let is_best = finding.other(finding.best()) == other;
        let shared = finding.shared.as_ref().filter(|_| is_best);
        self.place(other, shared.and_then(|shared| shared.there()))
    }

    /// Takes a document and some of its lines. A record is one line of its file, and the lines of its text are
    /// none.
    #[must_use]
    pub fn place(&self, id: DocId, lines: Option<(usize, usize)>) -> Location {
        let document = self.document(id);
        let outcome = self.report.outcome;
        let file = outcome.files.get(document.place.file as usize);
        let file = file.map_or(Path::new(&document.name), PathBuf::as_path);
        let path = below(file, &self.report.settings.walk.base, self.listing.root);
        let (line, end) = match (document.place.line, lines) {
            (0, Some((first, last))) => (first as u64, Some(last as u64)),
            (0, None) => (1, None),
            (line, _) => (line, Some(line)),
        };
        Location { path, line, end }
    }
}

/// Takes a path, the folder it is relative to, and the root; returns it relative to the root. A path outside
/// of the root is left as it is.
fn below(path: &Path, base: &Path, root: &Path) -> PathBuf {
    match plain(&base.join(path)).strip_prefix(root) {
        Ok(inside) => inside.to_owned(),
        Err(_) => plain(path),
    }
}

/// A path without `.` and, where there is something to go back from, without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(plain.components().next_back(), Some(Component::Normal(_))) =>
            {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(path: &str) -> Location {
        let (base, root) = (Path::new("/home/me/site/docs"), Path::new("/home/me/site"));
        Location {
            path: below(Path::new(path), base, root),
            line: 1,
            end: None,
        }
    }

    #[cfg(unix)]
    #[test]
    fn paths_are_relative_to_the_repository() {
        for (path, name, uri) in [
            ("a.md", "docs/a.md", "docs/a.md"),
            ("./x/../a.md", "docs/a.md", "docs/a.md"),
            ("../README.md", "README.md", "README.md"),
            ("/home/me/site/b.md", "b.md", "b.md"),
            ("../../other/a.md", "../../other/a.md", "../../other/a.md"),
            ("/srv/a b.md", "/srv/a b.md", "file:///srv/a%20b.md"),
            (
                "c:d#e?f%20[g].md",
                "docs/c:d#e?f%20[g].md",
                "docs/c%3Ad%23e%3Ff%2520%5Bg%5D.md",
            ),
            ("城.md", "docs/城.md", "docs/%E5%9F%8E.md"),
        ] {
            let location = location(path);
            assert_eq!(
                (location.name().as_str(), location.uri().as_str()),
                (name, uri)
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_utf8_are_escaped_as_they_are() {
        use std::os::unix::ffi::OsStrExt;
        let mut location = location("x");
        location.path = PathBuf::from(OsStr::from_bytes(b"a/\xff.md"));
        assert_eq!(
            (location.name().as_str(), location.uri().as_str()),
            ("a/\\xff.md", "a/%FF.md")
        );
    }
}
