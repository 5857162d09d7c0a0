//! Lists of paths, as `--files-from` reads them.

use std::path::PathBuf;

/// Takes the content of a list and whether its entries end in NUL instead of a line end, and returns
/// the paths. Empty entries are passed over; a line end may be `\r\n`.
#[must_use]
pub fn paths(content: &[u8], nul: bool) -> Vec<PathBuf> {
    let end = if nul { 0 } else { b'\n' };
    content
        .split(|&byte| byte == end)
        .map(|entry| match entry {
            [entry @ .., b'\r'] if !nul => entry,
            entry => entry,
        })
        .filter(|entry| !entry.is_empty())
        .map(path)
        .collect()
}

#[cfg(unix)]
fn path(entry: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(entry))
}

#[cfg(not(unix))]
fn path(entry: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(entry).as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_nul_separated_entries() {
        let both = |content: &[u8], nul| -> Vec<String> {
            let paths = paths(content, nul);
            paths
                .into_iter()
                .map(|path| path.display().to_string())
                .collect()
        };
        assert_eq!(both(b"a.md\nb c.md\r\n\nd", false), ["a.md", "b c.md", "d"]);
        assert_eq!(both(b"a\nb\0c\0", true), ["a\nb", "c"]);
        assert!(both(b"", false).is_empty());
    }
}
