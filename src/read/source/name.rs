//! What a file is called in reports: its path as the user would type it.

use std::path::{Component, Path, PathBuf};

/// Takes a path as it was found below a root the user gave, and the folder the user is in, and
/// returns its name: separators are `/`, a leading `./` is dropped, and a path below the user's
/// folder is relative to it, so that `docs` and `/home/me/site/docs` give the same report. Bytes that
/// are not UTF-8 become `\xHH`.
#[must_use]
pub fn display_name(path: &Path, base: &Path) -> String {
    let path = path.strip_prefix(base).unwrap_or(path);
    let plain: PathBuf = path
        .components()
        .filter(|part| *part != Component::CurDir)
        .collect();
    if plain.as_os_str().is_empty() {
        return ".".into();
    }
    escape_invalid(&plain)
}

/// Takes a path and returns it without `.` and, where there is something to go back from, without `..`. It goes by
/// names: a link stays what the user calls it.
#[must_use]
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match (part, plain.components().next_back()) {
            (Component::CurDir, _) | (Component::ParentDir, Some(Component::RootDir)) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                plain.pop();
            }
            (part, _) => plain.push(part),
        }
    }
    plain
}

#[cfg(unix)]
fn escape_invalid(path: &Path) -> String {
    use std::fmt::Write;
    use std::os::unix::ffi::OsStrExt;

    let mut name = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        name.push_str(chunk.valid());
        for byte in chunk.invalid() {
            write!(name, "\\x{byte:02x}").expect("writing to a string");
        }
    }
    name
}

#[cfg(not(unix))]
fn escape_invalid(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_the_user_would_type() {
        let base = Path::new("/home/me/site");
        for (path, name) in [
            ("docs/a.md", "docs/a.md"),
            ("./docs/./a.md", "docs/a.md"),
            ("../other/a.md", "../other/a.md"),
            ("/home/me/site/docs/a.md", "docs/a.md"),
            ("/home/me/site", "."),
            ("/srv/a.md", "/srv/a.md"),
            ("docs/城市 公园.md", "docs/城市 公园.md"),
        ] {
            assert_eq!(display_name(Path::new(path), base), name, "{path}");
        }
    }

    #[test]
    fn paths_are_made_plain_by_their_words() {
        for (path, expected) in [
            ("/a/./b/../c.md", "/a/c.md"),
            ("/../a", "/a"),
            ("a/../../b", "../b"),
            ("../../b", "../../b"),
            ("./a/..", ""),
        ] {
            assert_eq!(plain(Path::new(path)), Path::new(expected), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_utf8_are_escaped() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(OsStr::from_bytes(b"docs/\xff\xfe.md"));
        assert_eq!(display_name(path, Path::new("/")), "docs/\\xff\\xfe.md");
    }
}
