//! The messages of an editor, as far as the server reads them.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use crate::commands::lsp::path_of;
use crate::commands::lsp::position::Range;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Initialize {
    root_uri: Option<String>,
    workspace_folders: Option<Vec<Folder>>,
    capabilities: Value,
}

impl Initialize {
    /// Returns the folders of the workspace.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let folders = self.workspace_folders.iter().flatten();
        let mut folders: Vec<PathBuf> = folders.filter_map(|folder| path_of(&folder.uri)).collect();
        if folders.is_empty() {
            folders.extend(self.root_uri.as_deref().and_then(path_of));
        }
        folders
    }

    /// Returns whether the editor can ask its user.
    pub(super) fn can_ask(&self) -> bool {
        let can = self.capabilities.pointer("/window/showMessage");
        can.is_some_and(Value::is_object)
    }
}

/// The arguments of the command that accepts: the address of the page, the name of the other one, and the reason.
#[derive(Debug, Deserialize)]
pub(super) struct Accept(pub(super) String, pub(super) String, pub(super) String);

#[derive(Debug, Deserialize)]
pub(super) struct Folder {
    uri: String,
}

/// The folders of the workspace change.
#[derive(Debug, Deserialize)]
pub(super) struct Folders {
    pub(super) event: FoldersEvent,
}

#[derive(Debug, Deserialize)]
pub(super) struct FoldersEvent {
    added: Vec<Folder>,
    removed: Vec<Folder>,
}

impl FoldersEvent {
    /// Returns the folders that were added, and those that were removed.
    pub(super) fn paths(&self) -> [Vec<PathBuf>; 2] {
        [&self.added, &self.removed].map(|folders| {
            let paths = folders.iter().filter_map(|folder| path_of(&folder.uri));
            paths.collect()
        })
    }
}

/// A message about a document, with what some of these messages have besides.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfDocument {
    pub(super) text_document: Document,
    /// The last one has the whole text.
    #[serde(default)]
    pub(super) content_changes: Vec<Content>,
    /// The stretch that actions are wanted for.
    pub(super) range: Option<Range>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Document {
    pub(super) uri: String,
    #[serde(default)]
    pub(super) version: i64,
    #[serde(default)]
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Content {
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Command {
    pub(super) command: String,
    #[serde(default)]
    pub(super) arguments: Vec<Value>,
}
