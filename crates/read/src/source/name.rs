//! The name of a file in reports, which is its path as the user would type it; and whether two paths are the same file.

use std::fs::Metadata;
use std::path::{Component, Path, PathBuf};

pub use dupfind_files::plain;

/// Returns the name of a file in reports. `base` is the folder that the user is in; a path below it becomes relative to
/// it, so that `docs` and `/home/me/site/docs` give the same report. Separators are `/`, a leading `./` is dropped, and
/// bytes that are not UTF-8 become `\xHH`.
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

/// Returns the path of a file by its name in reports, where bytes that are not UTF-8 are `\xHH`. A file that has the name
/// as it is comes first. A name without a file stays as it is.
pub fn path_of_name(name: PathBuf) -> PathBuf {
    let unescaped = name.to_str().and_then(unescaped);
    let path = unescaped.map(|bytes| path_of_bytes(&bytes));
    match path {
        Some(path) if !name.exists() && path.exists() => path,
        _ => name,
    }
}

/// Returns the bytes of a name with `\xHH`; `None` if it has none.
fn unescaped(name: &str) -> Option<Vec<u8>> {
    let mut parts = name.split("\\x");
    let mut bytes = parts.next()?.as_bytes().to_vec();
    let mut has_escape = false;
    for part in parts {
        let byte = part
            .get(..2)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte {
            // Bytes of ASCII are never escaped.
            Some(byte @ 0x80..) => {
                has_escape = true;
                bytes.push(byte);
                bytes.extend_from_slice(&part.as_bytes()[2..]);
            }
            _ => {
                bytes.extend_from_slice(b"\\x");
                bytes.extend_from_slice(part.as_bytes());
            }
        }
    }
    has_escape.then_some(bytes)
}

/// Returns the path that some bytes name, as git and lists of paths write it.
#[cfg(unix)]
pub fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

/// Returns the path that some bytes name, as git and lists of paths write it.
#[cfg(not(unix))]
pub fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).as_ref())
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

/// The identity of a file, whatever path leads to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Identity(Inner);

#[cfg(unix)]
type Inner = (u64, u64);

#[cfg(not(unix))]
type Inner = std::path::PathBuf;

/// Returns the identity of a file: device and inode where the system has them, so that hard links are one file, and
/// the canonical path elsewhere. `metadata` is that of the file itself, not of a link to it.
#[cfg(unix)]
pub fn identity(_path: &Path, metadata: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    Identity((metadata.dev(), metadata.ino()))
}

/// Returns the identity of a file: device and inode where the system has them, so that hard links are one file, and
/// the canonical path elsewhere. `metadata` is that of the file itself, not of a link to it.
#[cfg(not(unix))]
pub fn identity(path: &Path, _metadata: &Metadata) -> Identity {
    Identity(std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_the_user_would_type_them() {
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

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_utf8_are_escaped() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(OsStr::from_bytes(b"docs/\xff\xfe.md"));
        assert_eq!(display_name(path, Path::new("/")), "docs/\\xff\\xfe.md");
        for (name, bytes) in [
            ("docs/\\xff\\xfe.md", Some(&b"docs/\xff\xfe.md"[..])),
            ("\\x2f\\xb2城\\xe2", Some(b"\\x2f\xb2\xe5\x9f\x8e\xe2")),
            ("a\\x", None),
            ("a\\x城", None),
            ("a.md", None),
        ] {
            assert_eq!(unescaped(name).as_deref(), bytes, "{name}");
        }
    }
}
