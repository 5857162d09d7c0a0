//! The paths that a command reads: those that were named, and those of the list of `--files-from`.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use dupfind_files::inside::inside;
use dupfind_read::source::name::path_of_bytes;
use dupfind_read::source::walk::STDIN;

use crate::args::config::ConfigArgs;
use crate::args::documents::input::InputArgs;
use crate::args::used::Used;
use crate::input::stdin;
use crate::process::current_folder;

/// Returns the paths that were named, then those of the list; the current folder if there is neither.
///
/// # Errors
///
/// The list cannot be read, or names a path where its configuration may not read.
pub(super) fn paths(input: &InputArgs, config: &ConfigArgs) -> Result<Vec<PathBuf>> {
    let mut paths = input.paths.clone();
    if let Some(source) = &input.files_from {
        let content = if source == Path::new("-") {
            if stdin::is_named(&paths) {
                bail!(
                    "standard input cannot be both the list of --files-from and records to compare ('-'): \
                     put one of them in a file"
                );
            }
            let mut content = Vec::new();
            let read = io::stdin().lock().read_to_end(&mut content);
            read.context("cannot read the list of files from standard input")?;
            content
        } else {
            fs::read(source)
                .with_context(|| format!("cannot read the list of files {}", source.display()))?
        };
        let listed = entries(&content);
        if let Some(used) = &config.used {
            refuse_listed(used, &listed, &current_folder()?)?;
        }
        // In a list, '-' is a file of that name.
        paths.extend(listed.into_iter().map(|path| match path.to_str() {
            Some(STDIN) => Path::new(".").join(path),
            _ => path,
        }));
    } else if paths.is_empty() {
        paths.push(PathBuf::from("."));
    }
    Ok(paths)
}

/// Refuses a list of paths that a configuration that was found names, if one lies outside of the folder in which it may
/// read. The paths are relative to `cwd`.
///
/// # Errors
///
/// A sentence that names the path, and how to allow it.
fn refuse_listed(used: &Used, paths: &[PathBuf], cwd: &Path) -> Result<()> {
    let Some(folder) = used
        .may_read
        .as_deref()
        .filter(|_| used.keys.contains("files-from"))
    else {
        return Ok(());
    };
    // A path that leads nowhere is reported later, as any other one.
    let is_there = |path: &Path| cwd.join(path).symlink_metadata().is_ok();
    let is_outside = |path: &&PathBuf| is_there(path) && inside(path, cwd, folder).is_err();
    match paths.iter().find(is_outside) {
        Some(path) => {
            let name = &used.name;
            bail!(
                "{name}: files-from: a configuration that was found may read within its own repository only, and \
                 the list names '{}'; --config {name} allows it",
                path.display()
            )
        }
        None => Ok(()),
    }
}

/// Returns the paths in a list. If there is a NUL in it, one ends each entry, as in the output of `git ls-files -z`; otherwise
/// a line end does. Empty entries and a byte order mark are skipped.
fn entries(content: &[u8]) -> Vec<PathBuf> {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    let is_by_line = !content.contains(&0);
    let end = if is_by_line { b'\n' } else { 0 };
    content
        .split(|&byte| byte == end)
        .map(|entry| match entry {
            [entry @ .., b'\r'] if is_by_line => entry,
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
    fn entries_end_in_a_line_end_or_in_nul() {
        let of = |content: &[u8]| -> Vec<String> {
            let paths = entries(content).into_iter();
            paths.map(|path| path.display().to_string()).collect()
        };
        assert_eq!(of(b"a.md\nb c.md\r\n\nd"), ["a.md", "b c.md", "d"]);
        assert_eq!(of(b"a\nb\0c\0"), ["a\nb", "c"]);
        assert_eq!(of(b"\xef\xbb\xbfa.md\r\nb"), ["a.md", "b"]);
        assert!(of(b"").is_empty());
    }
}
