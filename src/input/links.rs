//! Named paths that are links out of a repository.
//!
//! The links of a repository may come from somebody else, such as the author of a pull request. So a run in CI refuses a
//! named path that a link leads out of its repository. Elsewhere the user hears of it: a linked folder may be meant.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use dupfind_read::source::git::root_around;

use crate::process::ci;
use crate::terminal::messages;

/// Checks paths of the folder `cwd`.
///
/// # Errors
///
/// In CI, one of them leads out of its repository.
pub(crate) fn check(paths: &[PathBuf], cwd: &Path) -> Result<()> {
    let mut known = HashSet::new();
    for path in paths {
        let Some((link, target)) = leads_out(path, cwd, &mut known) else {
            continue;
        };
        let (link, target) = (link.display(), target.display());
        if ci::runs() {
            bail!(
                "{link} is a link out of its repository, to {target}: in CI it is not followed; where it is meant, \
                 name {target} itself"
            );
        }
        messages::warning(&format!(
            "{link} is a link out of its repository, to {target}"
        ));
    }
    Ok(())
}

/// Returns the first link on the way of a path that leads out of the repository that the link is in, as typed, and where it
/// leads. `known` are the parts of other paths, which are not looked at again.
fn leads_out(path: &Path, cwd: &Path, known: &mut HashSet<PathBuf>) -> Option<(PathBuf, PathBuf)> {
    let mut parts: Vec<&Path> = path.ancestors().collect();
    parts.reverse();
    parts.into_iter().find_map(|part| {
        let place = cwd.join(part);
        if !known.insert(place.clone()) || !fs::symlink_metadata(&place).ok()?.is_symlink() {
            return None;
        }
        let folder = fs::canonicalize(place.parent()?).ok()?;
        let repository = root_around(&folder)?;
        let target = fs::canonicalize(&place).ok()?;
        (!target.starts_with(repository)).then(|| (part.to_owned(), target))
    })
}
