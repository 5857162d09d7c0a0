//! Which files a configuration may make the program read and write, and which programs it may make it run.
//!
//! A folder may come from anywhere, and so may the configuration in it. A configuration that the user did not name
//! writes only below its folder, reads only within its repository, and runs no program.

use std::path::Path;

use crate::cli::config::file::{Entry, File, Value};
use crate::cli::config::keys::{Holds, Key};
use crate::cli::config::paths::absolute;
use crate::cli::config::typed::Typed;

/// Refuses a key of a configuration that was found if it goes beyond what such a configuration may do.
///
/// # Errors
///
/// A sentence that names the line, and how to allow it.
pub(super) fn refuse_elsewhere(
    typed: &Typed,
    file: &File,
    key: Key<'_>,
    entry: &Entry,
) -> Result<(), String> {
    if key.holds() == Holds::Program && !file.is_named {
        let name = &file.name;
        return Err(format!(
            "{name}:{}: {}: a configuration that was found may run no program; --config {name} allows it",
            entry.line, entry.key
        ));
    }
    let is_written = match entry.key.as_str() {
        "output" | "format" => true,
        "baseline" => typed.is_on("update_baseline"),
        _ => false,
    };
    let is_path = matches!(key.holds(), Holds::Path | Holds::Format | Holds::Idf);
    let Value::Words(values) = &entry.value else {
        return Ok(());
    };
    if file.is_named || !is_path {
        return Ok(());
    }
    let mut above = file.folder.ancestors();
    let repository = above.find(|folder| folder.join(".git").exists());
    let (folder, may) = match repository {
        _ if is_written => (&*file.folder, "write below its own folder only"),
        Some(repository) => (repository, "read within its own repository only"),
        None => (&*file.folder, "read below its own folder only"),
    };
    for (line, value) in values {
        let target = match (key.holds(), value.split_once('=')) {
            (Holds::Format, Some((_, target))) => target,
            (Holds::Format, None) => continue,
            (Holds::Idf, _) if ["dictionary", "corpus"].contains(&value.as_str()) => continue,
            _ => value,
        };
        // Once by its name, and once with links followed before each `..`.
        let named = Path::new(target);
        let places = [absolute(named, &file.folder), file.folder.join(named)];
        if target != "-" && !places.iter().all(|place| is_below(place, folder)) {
            let name = &file.name;
            return Err(format!(
                "{name}:{line}: {}: a configuration that was found may {may}, and not '{target}'; \
                 --config {name} allows it",
                entry.key
            ));
        }
    }
    Ok(())
}

/// Returns whether a file is below a folder when links are followed, and not in a folder `.git`.
fn is_below(file: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    let in_parent = || Some(real(file.parent()?)?.join(file.file_name()?));
    let place = match file.symlink_metadata() {
        Ok(_) => real(file),
        Err(_) => in_parent(),
    };
    // A file in a folder that does not exist is an error later.
    let folder = real(folder)
        .filter(|_| place.is_some())
        .unwrap_or_else(|| folder.to_owned());
    let place = place.unwrap_or_else(|| file.to_owned());
    match place.strip_prefix(folder) {
        Ok(below) => below.iter().all(|part| !part.eq_ignore_ascii_case(".git")),
        Err(_) => false,
    }
}
