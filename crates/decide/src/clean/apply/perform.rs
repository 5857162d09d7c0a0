//! Makes the changes of a journal.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use crate::clean::apply::actions::{Action, Operation};
use crate::clean::apply::files::{is_file, move_for, remove_for, replace, sync_folder};
use crate::clean::apply::journal::Journal;
use crate::clean::apply::places::Places;
use crate::clean::links::rewrite::edited;
use crate::clean::plan::hash::file_hash;

impl Journal {
    /// Makes all changes, each after both of its files were hashed again. `report` is called with each change, and with the
    /// reason if it was not made.
    pub fn perform(&self, places: &Places, mut report: impl FnMut(&Operation, Result<(), String>)) {
        let mut folders = BTreeSet::new();
        for operation in &self.operations {
            let done = perform(operation, places);
            folders.extend(self.base.join(&operation.path).parent().map(Path::to_owned));
            report(operation, done);
        }
        for folder in folders {
            sync_folder(&folder);
        }
    }
}

/// Checks that nothing is where a file is to be moved.
///
/// # Errors
///
/// The name of what is there, in words.
pub fn check_free(operation: &Operation, places: &Places) -> Result<(), String> {
    let Action::Move { to } = &operation.action else {
        return Ok(());
    };
    let place = places.base().join(to);
    // A run that was killed may have left the first half of the move.
    let is_it = || file_hash(&place).is_ok_and(|hash| hash == operation.hash);
    match fs::symlink_metadata(&place) {
        Ok(_) if !is_it() => Err(format!(
            "{} is there already, and is not replaced",
            to.display()
        )),
        _ => Ok(()),
    }
}

/// Checks that a change reaches only files that may be changed.
///
/// # Errors
///
/// The reason why it may not be made, in words.
pub fn check(operation: &Operation, places: &Places) -> Result<(), String> {
    places.check(&operation.path)?;
    match &operation.action {
        Action::Move { to } => places.check_target(&operation.path, to),
        Action::Delete | Action::Rewrite { .. } => Ok(()),
    }
}

fn perform(operation: &Operation, places: &Places) -> Result<(), String> {
    let base = places.base();
    let Operation {
        path: name,
        hash,
        keep: keep_name,
        keep_hash,
        action,
    } = operation;
    check(operation, places)?;
    let [path, keep] = [name, keep_name].map(|name| base.join(name));
    for (path, name, hash) in [(&keep, keep_name, keep_hash), (&path, name, hash)] {
        // The file that stays may be reached by a link, and the one that goes may not.
        if !is_file(path) && (name == &operation.path || !path.is_file()) {
            return Err(format!("{} is not there", name.display()));
        }
        if &file_hash(path).map_err(|error| format!("{}: {error}", name.display()))? != hash {
            return Err(format!(
                "{} was changed since the plan was made",
                name.display()
            ));
        }
    }
    let done: io::Result<()> = match action {
        Action::Delete => remove_for(&keep, &path),
        Action::Move { to } => {
            let to = base.join(to);
            let folder = to.parent().unwrap_or(base);
            fs::create_dir_all(folder).and_then(|()| move_for(&keep, &path, &to))
        }
        Action::Rewrite { edits, .. } => fs::read(&path).and_then(|bytes| {
            let made = edited(&bytes, edits).ok_or(io::ErrorKind::InvalidData)?;
            replace(&path, &made)
        }),
    };
    done.map_err(|error| format!("{}: {error}", name.display()))
}
