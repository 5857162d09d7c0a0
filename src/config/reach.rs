//! Which files a configuration may make the program read and write, and which programs it may make it run.
//!
//! A folder may come from anywhere, and so may the configuration in it. A configuration that the user did not name
//! writes only below its folder, reads only within its repository, and runs no program, nor git in a run that does not
//! ask for git itself.

use std::path::{Path, PathBuf};

use dupfind_read::source::git::root_around;
use dupfind_read::source::inside::is_inside;

use crate::config::file::{Entry, File};
use crate::config::keys::{Holds, Key, keys};
use crate::config::typed::Typed;

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
    let is_git = |key: Key<'_>| key.holds() == Holds::Revision;
    let asks_for_git = || keys(typed.command()).any(|key| is_git(key) && typed.has(key));
    if is_git(key) && !file.is_named && ["scan", "plan"].contains(&typed.name()) && !asks_for_git()
    {
        let (name, key) = (&file.name, &entry.key);
        return Err(format!(
            "{name}:{}: {key}: a configuration that was found may not make a run ask git; --config {name} allows \
             it, and so does --{key} on the command line",
            entry.line
        ));
    }
    let is_written = match entry.key.as_str() {
        "output" | "format" | "index" => true,
        "baseline" => {
            typed.is_on("update_baseline") || ["accept", "mcp", "lsp"].contains(&typed.name())
        }
        _ => false,
    };
    let is_path = matches!(key.holds(), Holds::Path | Holds::Format);
    if file.is_named || !is_path {
        return Ok(());
    }
    let (folder, may) = match root_around(&file.folder) {
        _ if is_written => (&*file.folder, "write below its own folder only"),
        Some(repository) => (repository, "read within its own repository only"),
        None => (&*file.folder, "read below its own folder only"),
    };
    for (line, value) in &entry.values {
        let target = match (key.holds(), value.split_once('=')) {
            (Holds::Format, Some((_, target))) => target,
            (Holds::Format, None) => continue,
            _ => value,
        };
        let named = Path::new(target);
        if target != "-" && !is_inside(named, &file.folder, folder) {
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

/// Returns the folder in which a configuration that was found may read; none if the user named it.
pub(super) fn readable(file: &File) -> Option<PathBuf> {
    let folder = root_around(&file.folder).unwrap_or(&file.folder);
    (!file.is_named).then(|| folder.to_owned())
}
