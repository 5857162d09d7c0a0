//! Whether a path stays within a folder.

use std::path::Path;

use crate::source::name::plain;

/// Returns whether a path of the folder `base` is below `folder`: once by its name, and once with links followed before
/// each `..`. A path in a folder `.git` is not.
#[must_use]
pub fn is_inside(path: &Path, base: &Path, folder: &Path) -> bool {
    let path = base.join(path);
    is_below(&plain(&path), folder) && is_below(&path, folder)
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
