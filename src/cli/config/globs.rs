//! Checks the globs of a configuration while its lines are known.

use std::path::Path;

use crate::gate::scope::Scope;
use crate::read::source::walk::{WalkOptions, walk};

use crate::cli::config::file::{Entry, File, Value};
use crate::cli::config::keys::{Holds, Key};

/// Checks the globs of a key.
///
/// # Errors
///
/// A sentence that names the line of a glob that cannot be read.
pub(super) fn check(key: Key<'_>, entry: &Entry, file: &File) -> Result<(), String> {
    let (Holds::Glob, Value::Words(globs)) = (key.holds(), &entry.value) else {
        return Ok(());
    };
    for (line, glob) in globs {
        // A walk of no paths compiles the globs and does nothing else.
        let mut settings = nothing(&file.folder);
        let checked = match key.name() {
            "skip-within" => Scope::new(&settings).skip_within(glob, &file.folder),
            "within" | "across" => Scope::new(&settings).divide(glob, &file.folder, false),
            "exclude" => {
                settings.excluded.patterns.push(glob.clone());
                walk(&settings, 0, None).map(drop)
            }
            _ => {
                settings.globs.patterns.push(glob.clone());
                walk(&settings, 0, None).map(drop)
            }
        };
        checked.map_err(|error| format!("{}:{line}: {}: {error}", file.name, entry.key))?;
    }
    Ok(())
}

/// Checks the globs of the tables `[[ignore]]`.
///
/// # Errors
///
/// A sentence that names the line of a table with a glob that cannot be read.
pub(super) fn check_rules(file: &File) -> Result<(), String> {
    for rule in &file.ignores {
        let mut scope = Scope::new(&nothing(&file.folder));
        let added = scope.ignore(vec![rule.clone()], &file.folder);
        added.map_err(|error| format!("{}: ignore: {error}", rule.origin))?;
    }
    Ok(())
}

fn nothing(folder: &Path) -> WalkOptions {
    WalkOptions::new(Vec::new(), folder.to_owned())
}
