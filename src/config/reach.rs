//! Which files a configuration may make the program read and write, and which programs it may make it run.
//!
//! A folder may come from anywhere, and so may the configuration in it. A configuration that the user did not name
//! writes only below its folder, reads only within its repository, and runs no program. No key is about git.

use std::path::PathBuf;

use dupfind_read::source::git::root_around;

use crate::args::documents::input::InputArgs;
use crate::args::group::Entry;
use crate::args::pairs::gate::GateArgs;
use crate::args::pairs::scope::ScopeArgs;
use crate::args::report::{IndexArgs, ReportArgs};
use crate::config::file::{File, group};

/// Refuses a configuration that was found if it goes beyond what such a configuration may do to a command.
///
/// # Errors
///
/// A sentence that names the line, and how to allow it.
pub(super) fn refuse_elsewhere(
    file: &File,
    entries: &[Entry<'_>],
    command: &str,
) -> Result<(), String> {
    if file.is_named {
        return Ok(());
    }
    let refused = |key: &str, what: &str| {
        let (name, line) = (&file.name, file.line(key));
        format!(
            "{name}:{line}: {key}: a configuration that was found may {what}; --config {name} allows it"
        )
    };
    let (input, gate): (InputArgs, GateArgs) = (group(entries), group(entries));
    let (scope, report): (ScopeArgs, ReportArgs) = (group(entries), group(entries));
    let index: IndexArgs = group(entries);
    if !input.reading.pre.pre.is_empty() {
        return Err(refused("pre", "run no program"));
    }
    let writes_baseline = ["accept", "mcp", "lsp"].contains(&command);
    let formats = report.format.iter().filter_map(|to| to.file.as_ref());
    let paths = |key, paths: Vec<PathBuf>| paths.into_iter().map(move |path| (key, path));
    let (written, read) = match gate.baseline.baseline.into_iter().collect() {
        baseline if writes_baseline => (baseline, Vec::new()),
        baseline => (Vec::new(), baseline),
    };
    let written = paths("output", report.output.into_iter().collect())
        .chain(paths("format", formats.cloned().collect()))
        .chain(paths("index", index.index.into_iter().collect()))
        .chain(paths("baseline", written));
    let read = paths("paths", input.paths)
        .chain(paths("files-from", input.files_from.into_iter().collect()))
        .chain(paths("against", scope.against))
        .chain(paths("baseline", read));
    for (key, path) in written {
        if !file.is_inside(&path, &file.folder) {
            let what = format!(
                "write below its own folder only, and not '{}'",
                path.display()
            );
            return Err(refused(key, &what));
        }
    }
    let (folder, where_) = match root_around(&file.folder) {
        Some(repository) => (repository, "within its own repository"),
        None => (&*file.folder, "below its own folder"),
    };
    for (key, path) in read {
        if !file.is_inside(&path, folder) {
            let what = format!("read {where_} only, and not '{}'", path.display());
            return Err(refused(key, &what));
        }
    }
    Ok(())
}

/// Returns the folder in which a configuration that was found may read; none if the user named it.
pub(super) fn readable(file: &File) -> Option<PathBuf> {
    let folder = root_around(&file.folder).unwrap_or(&file.folder);
    (!file.is_named).then(|| folder.to_owned())
}
