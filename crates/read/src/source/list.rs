//! Lists of paths, as `--files-from` reads them.

use std::path::PathBuf;

use crate::source::name::path_of_bytes;

/// Returns the paths in a list. Its entries end in NUL if `nul` is set, and in `\n` or `\r\n` otherwise. Empty entries
/// are skipped.
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
        .map(path_of_bytes)
        .collect()
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
