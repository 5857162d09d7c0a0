//! What a configuration may have written.
//!
//! A folder may come from anywhere, and so may the configuration in it: one that the user did not name has
//! no file replaced that lies elsewhere.

use std::path::Path;

use crate::cli::config::file::{Entry, File, Value};
use crate::cli::config::keys::Key;
use crate::cli::config::merge::Typed;
use crate::cli::config::places::absolute;

/// Takes a key of a file and refuses that it has something written that lies elsewhere.
pub(super) fn refuse_writing_elsewhere(
    typed: &Typed<'_>,
    file: &File,
    entry: &Entry,
) -> Result<(), String> {
    let updates = typed.command().get_arguments().map(Key);
    let mut updates = updates.filter(|key| key.name() == "update-baseline" && typed.flag(*key));
    let is_written = match entry.key.as_str() {
        "output" | "format" => true,
        "baseline" => updates.next().is_some(),
        _ => false,
    };
    let Value::Words(values) = &entry.value else {
        return Ok(());
    };
    if file.is_named || !is_written {
        return Ok(());
    }
    for (line, value) in values {
        let target = match (entry.key.as_str(), value.split_once('=')) {
            ("format", Some((_, target))) => target,
            ("format", None) => continue,
            _ => value,
        };
        if target != "-" && !is_below(&absolute(Path::new(target), &file.folder), &file.folder) {
            let name = &file.name;
            return Err(format!(
                "{name}:{line}: {}: a configuration that was found may write below its own folder only, \
                 and not to '{target}'; --config {name} allows it",
                entry.key
            ));
        }
    }
    Ok(())
}

/// Whether a file is in a folder, links followed, and not in what git keeps there.
fn is_below(file: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    let in_parent = || Some(real(file.parent()?)?.join(file.file_name()?));
    let place = match file.symlink_metadata() {
        Ok(_) => real(file),
        Err(_) => in_parent(),
    };
    // What is not there cannot be written to either; that is said later.
    let place = place.unwrap_or_else(|| file.to_owned());
    let folder = real(folder).unwrap_or_else(|| folder.to_owned());
    match place.strip_prefix(folder) {
        Ok(below) => below.iter().all(|part| !part.eq_ignore_ascii_case(".git")),
        Err(_) => false,
    }
}
