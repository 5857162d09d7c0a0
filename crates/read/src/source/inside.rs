//! Whether a path stays within a folder, for those who read.

use std::path::Path;

use dupfind_files::inside::inside;

/// Returns whether a path of the folder `base` is within `folder`, by the rule of [`inside`].
#[must_use]
pub fn is_inside(path: &Path, base: &Path, folder: &Path) -> bool {
    inside(path, base, folder).is_ok()
}
