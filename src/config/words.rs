//! A key of a configuration as words of the command line.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::args::values::program::has_folder;
use crate::config::file::Entry;
use crate::config::keys::{Holds, Key};
use crate::config::paths::rebased;

/// A key that is in force.
pub(super) struct Setting {
    pub(super) key: String,
    pub(super) line: usize,
    /// Whether it is the paths, which have no name on the command line.
    pub(super) is_positional: bool,
    pub(super) words: Vec<OsString>,
}

/// Returns a key and its values as words of the command line, each with its line: none for a flag that is false.
/// `folder` is the folder of the configuration.
pub(super) fn words(
    key: Key<'_>,
    entry: &Entry,
    folder: &Path,
    cwd: &Path,
) -> Vec<(usize, OsString)> {
    let mut words = Vec::new();
    for (line, value) in &entry.values {
        let mut word = OsString::new();
        if key.is_flag() {
            if value == "false" {
                continue;
            }
            word.push(format!("--{}", key.name()));
        } else {
            let value = moved(key, OsStr::new(value), folder, cwd);
            if !key.0.is_positional() {
                word.push(format!("--{}=", key.name()));
            } else if value.as_encoded_bytes().starts_with(b"-") {
                word.push("./");
            }
            word.push(value);
        }
        words.push((*line, word));
    }
    words
}

/// Returns a value of folder `from` as it is written in folder `to`. Globs stay as they are: they carry the folder
/// that they are relative to.
fn moved(key: Key<'_>, value: &OsStr, from: &Path, to: &Path) -> OsString {
    let path = |path: &OsStr| match path.to_str() {
        Some("" | "-") => path.to_owned(),
        _ => rebased(Path::new(path), from, to).into_os_string(),
    };
    match (key.holds(), value.to_str()) {
        (Holds::Path, _) => path(value),
        (Holds::Program, _) if has_folder(Path::new(value)) => path(value),
        (Holds::Format, Some(text)) => match text.split_once('=') {
            Some((format, file)) => {
                let mut text = OsString::from(format!("{format}="));
                text.push(path(OsStr::new(file)));
                text
            }
            None => value.to_owned(),
        },
        _ => value.to_owned(),
    }
}
