//! Undoes the changes of a journal.

use std::fs;
use std::io;
use std::path::Path;

use crate::clean::apply::actions::{Action, Operation};
use crate::clean::apply::files::{clear, is_file, move_file, sync_folder, unfinished};
use crate::clean::apply::journal::Journal;
use crate::clean::apply::perform::check;
use crate::clean::apply::places::Places;
use crate::clean::plan::hash::file_hash;
use dupfind_files::open::rename;

/// The outcome of undoing an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undone {
    /// The file is as it was.
    Restored,
    /// The change had not been made, or was undone before.
    Untouched,
}

impl Journal {
    /// Undoes all changes, the last one first. `report` is called with each. If all files are as they were, the journal
    /// is removed; otherwise it stays with what it has, and this can be called again. Nothing is replaced.
    ///
    /// # Errors
    ///
    /// The journal cannot be removed.
    pub fn undo(
        &self,
        places: &Places,
        mut report: impl FnMut(&Operation, Result<Undone, String>),
    ) -> io::Result<()> {
        let mut is_complete = true;
        for (number, operation) in self.operations.iter().enumerate().rev() {
            let undone = check(operation, places).and_then(|()| self.undo_one(number, operation));
            is_complete &= undone.is_ok();
            report(operation, undone);
            if let Some(folder) = self.base.join(&operation.path).parent() {
                sync_folder(folder);
            }
        }
        if is_complete {
            self.remove()?;
        }
        Ok(())
    }

    fn undo_one(&self, number: usize, operation: &Operation) -> Result<Undone, String> {
        let path = self.base.join(&operation.path);
        let name = operation.path.display();
        let failed = |error: io::Error| format!("{name}: {error}");
        clear(&unfinished(&path)).map_err(failed)?;
        if let Action::Move { to } = &operation.action {
            return move_back(&path, &self.base.join(to), operation);
        }
        let content = self.content(number);
        let has_content = is_file(&content);
        if fs::symlink_metadata(&path).is_err() {
            if !has_content {
                return Err(format!(
                    "{name}: the journal does not have its content any more"
                ));
            }
            restore(&content, &path).map_err(failed)?;
            return Ok(Undone::Restored);
        }
        let hash = match is_file(&path) {
            true => Some(file_hash(&path).map_err(failed)?),
            false => None,
        };
        if hash.as_ref() == Some(&operation.hash) {
            return Ok(Undone::Untouched);
        }
        if let Action::Rewrite { after, .. } = &operation.action
            && hash.as_ref() == Some(after)
            && has_content
        {
            rename(&content, &path).map_err(failed)?;
            return Ok(Undone::Restored);
        }
        if !has_content {
            return Err(format!("{name}: it was changed since, and stays as it is"));
        }
        Err(format!(
            "{name}: something else is there now, and stays; its old content is {}",
            content.display()
        ))
    }
}

/// Moves a file to its old place, where nothing is, and makes the folders that are missing there.
fn restore(from: &Path, path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    move_file(from, path)
}

fn move_back(path: &Path, to: &Path, operation: &Operation) -> Result<Undone, String> {
    let name = operation.path.display();
    let failed = |error: io::Error| format!("{name}: {error}");
    let is_moved =
        |place: &Path| is_file(place) && file_hash(place).is_ok_and(|hash| hash == operation.hash);
    let [is_there, is_away] = [path, to].map(|place| fs::symlink_metadata(place).is_ok());
    match (is_there, is_away) {
        (true, false) => return Ok(Undone::Untouched),
        (false, false) => {
            return Err(format!("{name}: it is not at {} any more", to.display()));
        }
        // The program ended between the two halves of a move.
        (true, true) if is_moved(path) && is_moved(to) => {
            fs::remove_file(to).map_err(failed)?;
        }
        // It was never moved: what is there belongs to somebody else.
        (true, true) if is_moved(path) => return Ok(Undone::Untouched),
        (true, true) => {
            return Err(format!(
                "{name}: something else is there now; it is still at {}",
                to.display()
            ));
        }
        (false, true) if !is_moved(to) => {
            return Err(format!(
                "{name}: it was changed at {}, and stays there",
                to.display()
            ));
        }
        (false, true) => restore(to, path).map_err(failed)?,
    }
    // The folders that were made for it, as far as they are empty.
    let mut folder = to.parent();
    while let Some(empty) = folder.filter(|folder| fs::remove_dir(folder).is_ok()) {
        folder = empty.parent();
    }
    Ok(Undone::Restored)
}
