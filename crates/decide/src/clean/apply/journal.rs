//! The journal of changes: a folder with the list of the planned changes, and the content of the files that go.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::clean::apply::actions::{Action, Operation};
use crate::clean::apply::files::{clear, link_or_copy, sync_folder, unfinished};
use crate::clean::plan::check::Step;
use dupfind_files::open::{create_new, open_named, rename, write_new};

/// The name of the list in the folder.
const LIST: &str = "journal.jsonl";

/// The name of the list while it is written.
const UNFINISHED_LIST: &str = "journal.unfinished";

/// The files that keep scans and git out of the folder.
const IGNORE_FILES: [&str; 2] = [".ignore", ".gitignore"];

/// The version of the format.
const SCHEMA_VERSION: u32 = 1;

/// A line of the list.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line {
    Journal {
        schema_version: u32,
        /// The absolute path of the folder that paths are relative to.
        folder: PathBuf,
    },
    Operation(Operation),
}

/// A journal on the disk.
#[derive(Debug)]
pub struct Journal {
    /// Its folder.
    pub(super) folder: PathBuf,
    /// The folder that the paths of the operations are relative to.
    pub(super) base: PathBuf,
    /// The operations, in order.
    pub(super) operations: Vec<Operation>,
}

impl Journal {
    /// Writes a journal, with a hard link to each file (or a copy) that it will need to undo changes. All of it is on
    /// the disk when this returns. `folder` must not exist.
    ///
    /// # Errors
    ///
    /// The message of the operating system, with the path.
    pub fn write(
        folder: &Path,
        base: &Path,
        operations: Vec<Operation>,
    ) -> Result<Self, (PathBuf, io::Error)> {
        fs::create_dir(folder).map_err(|error| (folder.to_owned(), error))?;
        let journal = Self {
            folder: folder.to_owned(),
            base: base.to_owned(),
            operations,
        };
        let filled = journal.fill();
        if filled.is_err() {
            // The files themselves are still in their places.
            let _ = journal.remove();
        }
        filled.map(|()| journal)
    }

    /// Writes the list and the links.
    fn fill(&self) -> Result<(), (PathBuf, io::Error)> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |error: io::Error| (path, error)
        };
        let folder = &*self.folder;
        let list = folder.join(LIST);
        self.write_list(&list).map_err(at(&list))?;
        // Its files are no documents, and nothing to commit.
        for name in IGNORE_FILES {
            write_new(&folder.join(name), b"*\n").map_err(at(folder))?;
        }
        for (number, operation) in self.operations.iter().enumerate() {
            if !matches!(operation.action, Action::Move { .. }) {
                let path = self.base.join(&operation.path);
                link_or_copy(&path, &self.content(number)).map_err(at(&path))?;
            }
        }
        sync_folder(folder);
        sync_folder(folder.parent().unwrap_or(Path::new(".")));
        Ok(())
    }

    fn write_list(&self, list: &Path) -> io::Result<()> {
        let mut text = Vec::new();
        let header = Line::Journal {
            schema_version: SCHEMA_VERSION,
            folder: self.base.clone(),
        };
        let operations = self.operations.iter().cloned().map(Line::Operation);
        for line in std::iter::once(header).chain(operations) {
            serde_json::to_writer(&mut text, &line)?;
            text.push(b'\n');
        }
        let unfinished = self.folder.join(UNFINISHED_LIST);
        let mut file = create_new(&unfinished)?;
        file.write_all(&text)?;
        file.sync_all()?;
        rename(&unfinished, list)
    }

    /// Reads a journal; `None` if the program ended before it was complete, and so before anything was touched.
    ///
    /// # Errors
    ///
    /// The fault of the journal, in words.
    pub fn read(folder: &Path) -> Result<Option<Self>, String> {
        let list = folder.join(LIST);
        let text = match open_named(&list).and_then(io::read_to_string) {
            Ok(text) => text,
            Err(_) if is_begun(folder) => return Ok(None),
            Err(error) => return Err(format!("{}: {error}", list.display())),
        };
        let mut base = None;
        let mut operations = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            match serde_json::from_str(line) {
                Ok(Line::Journal {
                    schema_version: SCHEMA_VERSION,
                    folder,
                }) => base = Some(folder),
                Ok(Line::Journal { schema_version, .. }) => {
                    return Err(format!(
                        "a journal of version {schema_version}; this program knows {SCHEMA_VERSION}"
                    ));
                }
                Ok(Line::Operation(operation)) => operations.push(operation),
                Err(error) => return Err(format!("{}:{number}: {error}", list.display())),
            }
        }
        let base =
            base.ok_or_else(|| format!("{} does not say where its files are", list.display()))?;
        Ok(Some(Self {
            folder: folder.to_owned(),
            base,
            operations,
        }))
    }

    /// Returns the folder that paths of the operations are relative to.
    #[must_use]
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// Returns the files that went, each with the one that stays for it.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        let gone = self.operations.iter().filter(|operation| {
            let is_gone = || fs::symlink_metadata(self.base.join(&operation.path)).is_err();
            !matches!(operation.action, Action::Rewrite { .. }) && is_gone()
        });
        gone.cloned().map(|operation| Step {
            line: 0,
            keep: operation.keep,
            drop: operation.path,
            keep_hash: operation.keep_hash,
            drop_hash: operation.hash,
            only_in_drop: None,
        })
    }

    /// Returns where the content of the file of an operation is.
    pub(super) fn content(&self, number: usize) -> PathBuf {
        self.folder.join(number.to_string())
    }

    /// Removes the journal with its content, the list last: as long as it is there, the journal can be read. If other
    /// files are in the folder, they stay, and so does the folder.
    pub(super) fn remove(&self) -> io::Result<()> {
        let contents = (0..self.operations.len()).map(|number| self.content(number));
        let unfinished = contents.clone().map(|content| unfinished(&content));
        let others = IGNORE_FILES.into_iter().chain([UNFINISHED_LIST]);
        let others = others.map(|name| self.folder.join(name));
        for path in contents.chain(unfinished).chain(others) {
            clear(&path)?;
        }
        clear(&self.folder.join(LIST))?;
        fs::remove_dir(&self.folder)
    }
}

/// Returns whether a folder holds nothing but the beginning of a journal.
fn is_begun(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else {
        return false;
    };
    let mut names = entries
        .filter_map(Result::ok)
        .map(|entry| entry.file_name());
    names.all(|name| name == UNFINISHED_LIST)
}

/// Removes a folder that holds nothing but the beginning of a journal.
///
/// # Errors
///
/// The message of the operating system.
pub fn remove_begun(folder: &Path) -> io::Result<()> {
    clear(&folder.join(UNFINISHED_LIST))?;
    fs::remove_dir(folder)
}
