//! What a configuration may have read, written and run.
//!
//! A folder may come from anywhere, and so may the configuration in it: one that the user did not name has
//! no file replaced that lies elsewhere, none read that is not of the same repository, and no program run.

use std::path::Path;

use crate::cli::config::file::{Entry, File, Value};
use crate::cli::config::keys::{Holds, Key};
use crate::cli::config::merge::Typed;
use crate::cli::config::places::absolute;

/// Takes a key of a file and refuses that it has something read or written that lies elsewhere, or run.
pub(super) fn refuse_elsewhere(
    typed: &Typed<'_>,
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
    let updates = typed.command().get_arguments().map(Key);
    let mut updates = updates.filter(|key| key.name() == "update-baseline" && typed.flag(*key));
    let is_written = match entry.key.as_str() {
        "output" | "format" => true,
        "baseline" => updates.next().is_some(),
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
        // By its name, and with links followed before each `..`.
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

/// Whether a file is in a folder, links followed, and not in what git keeps there.
fn is_below(file: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    let in_parent = || Some(real(file.parent()?)?.join(file.file_name()?));
    let place = match file.symlink_metadata() {
        Ok(_) => real(file),
        Err(_) => in_parent(),
    };
    // What is in no folder can be neither read nor written; that is said later.
    let folder = real(folder)
        .filter(|_| place.is_some())
        .unwrap_or_else(|| folder.to_owned());
    let place = place.unwrap_or_else(|| file.to_owned());
    match place.strip_prefix(folder) {
        Ok(below) => below.iter().all(|part| !part.eq_ignore_ascii_case(".git")),
        Err(_) => false,
    }
}
