//! Makes the changes of a journal.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use crate::clean::apply::actions::{Deed, Operation};
use crate::clean::apply::files::{move_file, replace_by_link, replace_content, sync_folder};
use crate::clean::apply::journal::Journal;
use crate::clean::plan::hash::file_hash;

impl Journal {
    /// Makes all changes, each after both of its files were hashed again. `hear` is told of each change, and why it was
    /// not made if so.
    pub fn perform(&self, mut hear: impl FnMut(&Operation, Result<(), String>)) {
        let mut folders = BTreeSet::new();
        for operation in &self.operations {
            let done = perform(operation, &self.base);
            folders.extend(self.base.join(&operation.path).parent().map(Path::to_owned));
            hear(operation, done);
        }
        for folder in folders {
            sync_folder(&folder);
        }
    }
}

fn perform(operation: &Operation, base: &Path) -> Result<(), String> {
    let Operation {
        path: name,
        hash,
        keep: keep_name,
        keep_hash,
        deed,
    } = operation;
    let [path, keep] = [name, keep_name].map(|name| base.join(name));
    for (path, name, hash) in [(&keep, keep_name, keep_hash), (&path, name, hash)] {
        let is_file = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
        // The file that stays may be reached by a link, and the one that goes may not.
        if !is_file && (name == &operation.path || !path.is_file()) {
            return Err(format!("{} is not there", name.display()));
        }
        if &file_hash(path).map_err(|error| format!("{}: {error}", name.display()))? != hash {
            return Err(format!(
                "{} was changed since the plan was made",
                name.display()
            ));
        }
    }
    let done: io::Result<()> = match deed {
        Deed::Delete => fs::remove_file(&path),
        Deed::Move { to } => {
            let to = base.join(to);
            let folder = to.parent().unwrap_or(base);
            fs::create_dir_all(folder).and_then(|()| move_file(&path, &to))
        }
        Deed::Link { kind } => replace_by_link(&path, &keep, *kind),
        Deed::Edit { added, .. } => {
            edited(&path, added).and_then(|page| replace_content(&path, &page))
        }
    };
    done.map_err(|error| format!("{}: {error}", name.display()))
}

/// Returns a page with the line that was announced.
fn edited(path: &Path, added: &str) -> io::Result<Vec<u8>> {
    let (key, written) = added
        .split_once([':', '='])
        .ok_or_else(|| io::Error::other("a line without a key"))?;
    let content = fs::read(path)?;
    let edited = super::front_matter::with_line(path, &content, key.trim(), written.trim());
    edited.map(|(_, page)| page).map_err(io::Error::other)
}
