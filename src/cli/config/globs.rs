//! Whether the globs of a configuration can be read, found out with the file at hand.

use std::path::Path;

use crate::gate::scope::Scope;
use crate::read::source::walk::{WalkOptions, walk};

use crate::cli::config::file::{Entry, File, Value};
use crate::cli::config::keys::{Holds, Key};

/// Takes a key of a file and says which of its globs is none.
pub(super) fn check(key: Key<'_>, entry: &Entry, file: &File) -> Result<(), String> {
    let (Holds::Glob, Value::Words(globs)) = (key.holds(), &entry.value) else {
        return Ok(());
    };
    for (line, glob) in globs {
        // Nothing is walked: only what the globs say is of interest.
        let mut settings = nothing(&file.folder);
        let checked = match key.name() {
            "skip-within" => Scope::new(&settings).skip_within(glob, &file.folder),
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

/// Says which rule of a file has a glob that is none.
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
