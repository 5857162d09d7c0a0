//! The file of accepted passages, which may repeat in several pages. A passage is new if it is not accepted.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::reuse::runs::{Group, Groups};
use dupfind_files::open::open_named;

const KIND: &str = "dupfind reuse baseline";

/// The accepted passages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptedPassages {
    schema_version: u32,
    kind: String,
    /// In how many places each wording may be, by the hash of its text.
    passages: BTreeMap<String, u32>,
}

impl AcceptedPassages {
    /// Returns the passages of all groups as accepted.
    #[must_use]
    pub fn of(found: &Groups) -> Self {
        let mut passages: BTreeMap<String, u32> = BTreeMap::new();
        for group in &found.groups {
            let copies = copies(group);
            for hash in group.wordings.iter().flat_map(|wording| &wording.hashes) {
                let accepted = passages.entry(key(*hash)).or_default();
                *accepted = copies.max(*accepted);
            }
        }
        Self {
            schema_version: 1,
            kind: KIND.to_owned(),
            passages,
        }
    }

    /// Reads a file of accepted passages.
    ///
    /// # Errors
    ///
    /// What is wrong with the file, in words.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = open_named(path)
            .and_then(io::read_to_string)
            .map_err(|error| error.to_string())?;
        let read: Self = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        if read.kind != KIND || read.schema_version != 1 {
            return Err(format!("it is no file of the kind '{KIND}' in version 1"));
        }
        Ok(read)
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// The writer fails.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        out.write_all(b"\n")
    }

    /// Returns whether a group is new: one of its blocks was accepted in no wording, or it is in more places than were
    /// accepted.
    #[must_use]
    pub fn is_new(&self, group: &Group) -> bool {
        let accepted = |hash: &u64| self.passages.get(&key(*hash)).copied();
        let places = copies(group);
        (0..group.blocks as usize).any(|block| {
            let wordings = group
                .wordings
                .iter()
                .filter_map(|wording| wording.hashes.get(block));
            wordings
                .filter_map(accepted)
                .max()
                .is_none_or(|most| most < places)
        })
    }
}

fn copies(group: &Group) -> u32 {
    u32::try_from(group.places.len()).unwrap_or(u32::MAX)
}

fn key(hash: u64) -> String {
    format!("{hash:016x}")
}
