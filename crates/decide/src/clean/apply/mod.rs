//! Carries out a plan, and undoes it.
//!
//! A file that goes moves to a folder, to its path below it. The list of these files is in the folder, and on the disk,
//! before the first one moves. Each move is one step of the file system, and replaces nothing. So the program may end at any
//! moment: each file is in its place or in the folder, and the list tells where it belongs.

pub mod removed;

use std::fs;
use std::path::{Path, PathBuf};

use crate::clean::apply::removed::RemovedFolder;
use crate::clean::plan::check::Step;
use crate::clean::plan::line::file_hash;
use dupfind_files::{folder, inside, move_file};
use dupfind_read::identity;

/// A file that goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    /// The line of the plan.
    pub step: Step,
    /// The path of the file from the root on.
    pub names: PathBuf,
}

impl Removal {
    /// Returns the removal of a file below `root`, to which the paths of the step are relative.
    ///
    /// # Errors
    ///
    /// The reason why the file may not be touched, in words.
    pub fn new(step: Step, root: &Path) -> Result<Self, String> {
        match inside(&step.drop, root, root) {
            Ok(names) => Ok(Self { step, names }),
            Err(why) => Err(format!("{}: {why}", step.drop.display())),
        }
    }

    /// Moves the file to a folder, or deletes it, after both files were looked at again.
    ///
    /// # Errors
    ///
    /// The reason why it stays, in words.
    pub fn perform(&self, root: &Path, to: Option<&RemovedFolder>) -> Result<(), String> {
        let Step { keep, drop, .. } = &self.step;
        inside(drop, root, root).map_err(|why| format!("{}: {why}", drop.display()))?;
        let failed = |error| format!("{}: {error}", drop.display());
        let [kept, path] = [keep, drop].map(|name| root.join(name));
        // The file that stays may be reached by a link, and the one that goes may not.
        for (is_there, name) in [(kept.is_file(), keep), (is_file(&path), drop)] {
            if !is_there {
                return Err(format!("{} is not there", name.display()));
            }
        }
        let of = |path: &Path| Ok(identity(path, &fs::metadata(path)?));
        if of(&kept).map_err(failed)? == of(&path).map_err(failed)? {
            return Err(format!("{}: it is the file that stays", drop.display()));
        }
        let hashed = [
            (&kept, keep, &self.step.keep_hash),
            (&path, drop, &self.step.drop_hash),
        ];
        for (path, name, hash) in hashed {
            if &file_hash(path).map_err(failed)? != hash {
                return Err(format!(
                    "{} was changed since the plan was made",
                    name.display()
                ));
            }
        }
        match to {
            Some(removed) => {
                let place = removed.place(&self.names)?;
                if is_it(&place, &self.step.drop_hash) {
                    // A run that was killed has left the first half of the move.
                    fs::remove_file(&place).map_err(failed)?;
                }
                let made = fs::create_dir_all(folder(&place));
                made.and_then(|()| move_file(&path, &place)).map_err(failed)
            }
            None => fs::remove_file(&path).map_err(failed),
        }
    }
}

/// Returns whether a file is there: no folder, and no link.
fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// Returns whether a file with this hash is there.
fn is_it(path: &Path, hash: &str) -> bool {
    is_file(path) && file_hash(path).is_ok_and(|found| found == hash)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_does_not_go_for_itself() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "text").unwrap();
        // As two names that differ in case are where case makes no difference.
        std::os::unix::fs::symlink("a", at("A")).unwrap();
        let hash = file_hash(&at("a")).unwrap();
        let step = Step {
            line: 1,
            keep: "A".into(),
            drop: "a".into(),
            keep_hash: hash.clone(),
            drop_hash: hash,
            only_in_drop: None,
        };
        let removal = Removal::new(step, folder.path()).unwrap();
        let failed = removal.perform(folder.path(), None).unwrap_err();
        assert_eq!(failed, "a: it is the file that stays");
        assert!(at("a").exists());
    }
}
