//! Finds the configuration.
//!
//! The search goes upwards. It ends at the root of the repository, at the user's home, or below a folder that
//! everybody may write to, such as `/tmp`: a file there may come from another user.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::process::absolute;
use dupfind_files::open_named;

/// The name of a configuration.
pub(crate) const NAME: &str = "dupfind.toml";

/// The largest configuration in bytes. A larger file is something else.
const MAX_BYTES: u64 = 1 << 20;

/// Returns the nearest configuration in the folder of the first path that is to be read, or above it.
pub(crate) fn upwards(start: Option<&Path>, cwd: &Path) -> Option<PathBuf> {
    let mut files = searched(start, cwd)
        .into_iter()
        .map(|folder| folder.join(NAME));
    files.find(|file| file.symlink_metadata().is_ok())
}

/// Returns the folders in which a configuration or a baseline is looked for, the nearest one first.
pub(crate) fn searched(start: Option<&Path>, cwd: &Path) -> Vec<PathBuf> {
    let start = start.map_or_else(|| cwd.to_owned(), |path| absolute(path, cwd));
    let home = std::env::home_dir();
    let mut folders = Vec::new();
    for folder in start.ancestors().skip(usize::from(!start.is_dir())) {
        if is_everybodys(folder) {
            break;
        }
        folders.push(folder.to_owned());
        if folder.join(".git").exists() || home.as_deref() == Some(folder) {
            break;
        }
    }
    folders
}

/// Reads the text of a configuration. `name` is its name in messages.
///
/// # Errors
///
/// It cannot be read, is too large, or is not UTF-8.
pub(crate) fn text(file: &Path, name: &str) -> Result<String, String> {
    let failed = |error| format!("{name}: cannot read the configuration: {error}");
    let mut bytes = Vec::new();
    let open = open_named(file).map_err(failed)?;
    open.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!(
            "{name}: a configuration has at most {MAX_BYTES} bytes"
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
        format!("{name}:{line}: not valid UTF-8")
    })
}

/// Returns whether every user of this machine may put files into a folder.
#[cfg(unix)]
fn is_everybodys(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(folder).is_ok_and(|metadata| metadata.mode() & 0o002 != 0)
}

#[cfg(not(unix))]
fn is_everybodys(_folder: &Path) -> bool {
    false
}
