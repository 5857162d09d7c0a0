//! Accepts a family: the files below a folder may be alike, but no copies.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use dupfind_decide::gate::baseline::content::Family;
use dupfind_decide::gate::baseline::names::Names;
use dupfind_read::display_name;

use crate::decision::accepting::Accepting;

/// Adds the family to the file of accepted pairs, and returns the reason that it had there before.
///
/// # Errors
///
/// There is no such folder below that of the file, or the file cannot be written.
pub(super) fn accept(
    folder: &Path,
    accepting: &Accepting<'_>,
    names: &Names,
    reason: &str,
) -> Result<Option<String>> {
    let named = folder.display();
    let Ok(place) = fs::canonicalize(folder) else {
        bail!("--family {named}: there is no such folder");
    };
    if !place.is_dir() {
        bail!("--family {named}: this is a file, and a family is a folder");
    }
    let below = names.of_document(&display_name(&place, Path::new("")));
    if below.split('/').next() == Some("..") {
        bail!(
            "--family {named}: it is not below the folder of the file of accepted pairs; --baseline FILE names another one"
        );
    }
    let family = match below.as_str() {
        "" => "**".to_owned(),
        below => format!("{}/**", literal(below)),
    };
    accepting.add_family(Family {
        family,
        reason: reason.to_owned(),
    })
}

/// Returns a glob that matches a name alone.
fn literal(name: &str) -> String {
    let mut glob = String::new();
    for (at, c) in name.char_indices() {
        // At the start of a line of a `.gitignore` the last two mean something else.
        if r"\*?[]{}".contains(c) || at == 0 && "!#".contains(c) {
            glob.push('\\');
        }
        glob.push(c);
    }
    glob
}
