//! The folder with the files that went, and the list of them.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::clean::apply::{Removal, is_it};
use dupfind_files::{
    Replacement, UNFINISHED, folder, inside, move_file, read_regular, sync_folder, write_new,
};
use dupfind_read::source::walk::REMOVED_LIST;

/// The version of the format of the list.
const SCHEMA_VERSION: u32 = 1;

/// Keeps git out of the folder.
const IGNORE_FILE: (&str, &[u8]) = (".gitignore", b"*\n");

/// A line of the list.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line {
    /// The first line.
    Removed {
        schema_version: u32,
        /// The folder that paths are relative to. It is only compared.
        root: String,
    },
    /// A file that went, or was to go.
    Moved(Moved),
}

/// A file that went, or was to go.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Moved {
    /// Its path.
    pub path: PathBuf,
    /// The hash of its bytes.
    pub hash: String,
}

/// The outcome of moving a file back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undone {
    /// The file is in its place again.
    Restored,
    /// It is in its place, and not in the folder.
    Untouched,
}

/// The folder with the files that went.
#[derive(Debug, Clone)]
pub struct RemovedFolder {
    folder: PathBuf,
    root: PathBuf,
    listed: BTreeSet<Moved>,
}

impl RemovedFolder {
    /// Returns the folder of a plan, beside it: `plan.removed` of `plan.jsonl`.
    pub fn of_plan(plan: &Path) -> PathBuf {
        plan.with_extension("removed")
    }

    /// Reads the list of a folder, or returns a new folder for files below `root`. Nothing is written.
    ///
    /// # Errors
    ///
    /// The reason why nothing may be moved to it, in words.
    pub fn open(folder: &Path, root: &Path) -> Result<Self, String> {
        let name = folder.display();
        if let Ok(entries) = fs::read_dir(folder) {
            let mut names = entries.flatten().map(|entry| entry.file_name());
            let is_left = |name: std::ffi::OsString| {
                let name = name.to_string_lossy();
                name.starts_with('.') && name.ends_with(UNFINISHED)
            };
            if folder.join(REMOVED_LIST).symlink_metadata().is_ok() {
                return Self::read(folder, root);
            }
            if !names.all(is_left) {
                return Err(format!(
                    "{name} has other files: name a new folder with --to DIR"
                ));
            }
        } else if folder.symlink_metadata().is_ok() {
            return Err(format!(
                "{name} is no folder: name another one with --to DIR"
            ));
        }
        Ok(Self {
            folder: folder.to_owned(),
            root: root.to_owned(),
            listed: BTreeSet::new(),
        })
    }

    /// Reads the list of a folder whose files are from below `root`.
    ///
    /// # Errors
    ///
    /// The fault, in words.
    pub fn read(folder: &Path, root: &Path) -> Result<Self, String> {
        let list = folder.join(REMOVED_LIST);
        let name = list.display();
        let bytes = read_regular(&list).map_err(|error| format!("{name}: {error}"))?;
        let mut is_of_root = false;
        let mut listed = BTreeSet::new();
        for (number, line) in (1..).zip(String::from_utf8_lossy(&bytes).lines()) {
            match serde_json::from_str(line) {
                Ok(Line::Removed {
                    schema_version: SCHEMA_VERSION,
                    root: of,
                }) if of == written(root) => is_of_root = true,
                Ok(Line::Removed { root, .. }) => {
                    return Err(format!(
                        "{} has files of {root}: run this there",
                        folder.display()
                    ));
                }
                Ok(Line::Moved(moved)) => drop(listed.insert(moved)),
                Err(error) => return Err(format!("{name}:{number}: {error}")),
            }
        }
        match is_of_root {
            true => Ok(Self {
                folder: folder.to_owned(),
                root: root.to_owned(),
                listed,
            }),
            false => Err(format!("{name} does not say where its files belong")),
        }
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Returns the place of a file in the folder.
    ///
    /// # Errors
    ///
    /// The reason why nothing may be there, in words.
    pub fn place(&self, names: &Path) -> Result<PathBuf, String> {
        let place = self.folder.join(names);
        match inside(names, &self.folder, &self.folder) {
            Ok(_) => Ok(place),
            Err(why) => Err(format!("{}: {why}", place.display())),
        }
    }

    /// Checks that a file can move to the folder: nothing else is in its place.
    ///
    /// # Errors
    ///
    /// The name of what is there, in words.
    pub fn check(&self, removal: &Removal) -> Result<(), String> {
        let place = self.place(&removal.names)?;
        match place.symlink_metadata() {
            Ok(_) if !is_it(&place, &removal.step.drop_hash) => Err(format!(
                "{} is there already, and is not replaced: name another folder with --to DIR",
                place.display()
            )),
            _ => Ok(()),
        }
    }

    /// Makes the folder, and adds files to its list. All of it is on the disk when this returns.
    ///
    /// # Errors
    ///
    /// The words of the system.
    pub fn add(&mut self, removals: &[Removal]) -> io::Result<()> {
        let moved = removals.iter().map(|removal| Moved {
            path: removal.names.clone(),
            hash: removal.step.drop_hash.clone(),
        });
        self.listed.extend(moved);
        fs::create_dir_all(&self.folder)?;
        let mut list = Replacement::of(&self.folder.join(REMOVED_LIST))?;
        let header = Line::Removed {
            schema_version: SCHEMA_VERSION,
            root: written(&self.root),
        };
        let lines = self.listed.iter().cloned().map(Line::Moved);
        for line in std::iter::once(header).chain(lines) {
            serde_json::to_writer(&mut list, &line)?;
            list.write_all(b"\n")?;
        }
        list.finish_durably()?;
        sync_folder(folder(&self.folder));
        let (name, content) = IGNORE_FILE;
        match write_new(&self.folder.join(name), content) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => Ok(()),
        }
    }

    /// Moves all files back. `report` is called with each. Nothing is replaced. If all are in their places, the folder goes,
    /// unless somebody has put other files there; otherwise this can be called again.
    ///
    /// # Errors
    ///
    /// The list cannot be removed.
    pub fn undo(&self, mut report: impl FnMut(Result<Undone, String>)) -> io::Result<()> {
        let list = self.folder.join(REMOVED_LIST);
        let mut is_complete = true;
        for moved in &self.listed {
            let undone = self.move_back(moved);
            is_complete &= undone.is_ok();
            if undone.is_ok() {
                self.remove_empty(&moved.path);
            }
            report(undone);
        }
        if !is_complete {
            return Ok(());
        }
        let (name, content) = IGNORE_FILE;
        let ignore_file = self.folder.join(name);
        if read_regular(&ignore_file).is_ok_and(|found| found == content) {
            fs::remove_file(&ignore_file)?;
        }
        fs::remove_file(&list)?;
        let _ = fs::remove_dir(&self.folder);
        Ok(())
    }

    fn move_back(&self, Moved { path: names, hash }: &Moved) -> Result<Undone, String> {
        let name = names.display();
        inside(names, &self.root, &self.root).map_err(|why| format!("{name}: {why}"))?;
        let [path, place] = [self.root.join(names), self.place(names)?];
        let there = place.display();
        let failed = |error: io::Error| format!("{name}: {error}");
        let [is_there, is_away] = [&path, &place].map(|of| of.symlink_metadata().is_ok());
        match (is_there, is_away) {
            (true, false) => Ok(Undone::Untouched),
            (false, false) => Err(format!("{name}: it is not at {there} any more")),
            // The program ended between the two halves of a move.
            (true, true) if is_it(&path, hash) && is_it(&place, hash) => {
                fs::remove_file(&place).map_err(failed)?;
                Ok(Undone::Restored)
            }
            // It was never moved: what is there belongs to somebody else.
            (true, true) if is_it(&path, hash) => Ok(Undone::Untouched),
            (true, true) => Err(format!(
                "{name}: something else is there now; it is still at {there}"
            )),
            (false, true) if !is_it(&place, hash) => Err(format!(
                "{name}: it was changed at {there}, and stays there"
            )),
            (false, true) => {
                let made = fs::create_dir_all(folder(&path));
                made.and_then(|()| move_file(&place, &path))
                    .map_err(failed)?;
                Ok(Undone::Restored)
            }
        }
    }

    /// Removes the folders that were made for a file, as far as they are empty.
    fn remove_empty(&self, names: &Path) {
        let folders = names
            .ancestors()
            .skip(1)
            .filter(|names| *names != Path::new(""));
        for names in folders {
            if fs::remove_dir(self.folder.join(names)).is_err() {
                break;
            }
        }
    }
}

/// Returns a folder as the list has it.
fn written(root: &Path) -> String {
    root.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_plan_is_beside_it() {
        for (plan, folder) in [
            ("plan.jsonl", "plan.removed"),
            ("../x/plan", "../x/plan.removed"),
            ("a.b.jsonl", "a.b.removed"),
        ] {
            assert_eq!(RemovedFolder::of_plan(Path::new(plan)), Path::new(folder));
        }
    }
}
