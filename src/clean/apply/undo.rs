//! Takes the changes of a journal back.

use std::fs;
use std::io;
use std::path::Path;

use crate::clean::apply::actions::{Deed, LinkKind, Operation};
use crate::clean::apply::files::{clear, put_back, sync_folder, unfinished, way};
use crate::clean::apply::journal::Journal;
use crate::clean::plan::hash::file_hash;
use crate::read::source::identity::identity;

/// What became of an operation that is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undone {
    /// The file is as it was.
    Restored,
    /// The change had not been made, or was taken back before.
    Untouched,
}

impl Journal {
    /// Takes all changes back, the last one first. `hear` is told of each. If all files are as they were, the journal is
    /// removed; otherwise it stays with what it has, and this can be called again.
    ///
    /// # Errors
    ///
    /// The journal cannot be removed.
    pub fn undo(&self, mut hear: impl FnMut(&Operation, Result<Undone, String>)) -> io::Result<()> {
        let mut is_complete = true;
        for (number, operation) in self.operations.iter().enumerate().rev() {
            let undone = self.undo_one(number, operation);
            is_complete &= undone.is_ok();
            hear(operation, undone);
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
        if let Deed::Move { to } = &operation.deed {
            return self.move_back(&path, &self.base.join(to), operation);
        }
        let content = self.content(number);
        let has_content = content.is_file();
        if fs::symlink_metadata(&path).is_err() {
            if !has_content {
                return Err(format!(
                    "{name}: the journal does not have its content any more"
                ));
            }
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(failed)?;
            }
            put_back(&content, &path).map_err(failed)?;
            return Ok(Undone::Restored);
        }
        let now = fs::symlink_metadata(&path).map_err(failed)?;
        let is_original = !now.is_symlink()
            && match fs::metadata(&content) {
                Ok(kept) => {
                    identity(&path, &now) == identity(&content, &kept)
                        || self.is_unlinked(operation, &path)
                }
                Err(_) => true,
            };
        let hash = file_hash(&path).map_err(failed);
        if is_original && hash.as_ref() == Ok(&operation.hash) {
            return Ok(Undone::Untouched);
        }
        if !has_content {
            return Err(format!("{name}: it was changed since, and stays as it is"));
        }
        let is_ours = match &operation.deed {
            Deed::Link { kind } => self.is_link(*kind, &path, operation),
            Deed::Edit { after, .. } => hash.as_ref() == Ok(after),
            Deed::Delete | Deed::Move { .. } => false,
        };
        if !is_ours {
            return Err(format!(
                "{name}: something else is there now, and stays; its old content is {}",
                content.display()
            ));
        }
        put_back(&content, &path).map_err(failed)?;
        Ok(Undone::Restored)
    }

    /// Returns whether a file that was to become a link is still no link. The identity of its content does not tell if the
    /// journal had to copy the content.
    fn is_unlinked(&self, operation: &Operation, path: &Path) -> bool {
        match &operation.deed {
            Deed::Link { kind } => !self.is_link(*kind, path, operation),
            _ => true,
        }
    }

    /// Returns whether a file is the link that was made.
    fn is_link(&self, kind: LinkKind, path: &Path, operation: &Operation) -> bool {
        let keep = self.base.join(&operation.keep);
        match kind {
            LinkKind::Symlink => fs::read_link(path).is_ok_and(|target| target == way(path, &keep)),
            LinkKind::Hard => match (fs::symlink_metadata(path), fs::metadata(&keep)) {
                (Ok(own), Ok(kept)) => identity(path, &own) == identity(&keep, &kept),
                // What stayed is gone, and this is the last name of its content.
                _ => file_hash(path).is_ok_and(|hash| hash == operation.keep_hash),
            },
            LinkKind::Reflink => file_hash(path).is_ok_and(|hash| hash == operation.keep_hash),
        }
    }

    fn move_back(&self, path: &Path, to: &Path, operation: &Operation) -> Result<Undone, String> {
        let name = operation.path.display();
        let failed = |error: io::Error| format!("{name}: {error}");
        let is_moved = |place: &Path| file_hash(place).is_ok_and(|hash| hash == operation.hash);
        match (path.exists(), to.exists()) {
            (true, false) => return Ok(Undone::Untouched),
            (false, false) => {
                return Err(format!("{name}: it is not at {} any more", to.display()));
            }
            // The program ended between the two halves of a move.
            (true, true) if is_moved(path) && is_moved(to) => {
                fs::remove_file(to).map_err(failed)?;
            }
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
            (false, true) => {
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder).map_err(failed)?;
                }
                put_back(to, path).map_err(failed)?;
            }
        }
        // The folders that were made for it, as far as they are empty.
        let mut folder = to.parent();
        while let Some(empty) = folder.filter(|folder| fs::remove_dir(folder).is_ok()) {
            folder = empty.parent();
        }
        Ok(Undone::Restored)
    }
}
