//! The messages of an editor, as far as the server reads them.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use crate::commands::lsp::path_of;
use crate::commands::lsp::position::{Encoding, Range};

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

    /// Returns how positions are counted.
    pub(super) fn encoding(&self) -> Encoding {
        let offered = self.capabilities.pointer("/general/positionEncodings");
        let mut offered = offered.and_then(Value::as_array).into_iter().flatten();
        match offered.any(|name| name == "utf-8") {
            true => Encoding::Utf8,
            false => Encoding::Utf16,
        }
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

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Opened {
    pub(super) text_document: OpenedDocument,
}

#[derive(Debug, Deserialize)]
pub(super) struct OpenedDocument {
    pub(super) uri: String,
    pub(super) version: i64,
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Changed {
    pub(super) text_document: VersionedDocument,
    /// The last one has the whole text.
    pub(super) content_changes: Vec<Content>,
}

#[derive(Debug, Deserialize)]
pub(super) struct VersionedDocument {
    pub(super) uri: String,
    pub(super) version: i64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Content {
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Document {
    pub(super) uri: String,
}

/// Several messages name a document, and nothing else that counts.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfDocument {
    pub(super) text_document: Document,
}

pub(super) type Saved = OfDocument;
pub(super) type Closed = OfDocument;
pub(super) type Hovered = OfDocument;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeActions {
    pub(super) text_document: Document,
    pub(super) range: Range,
}

#[derive(Debug, Deserialize)]
pub(super) struct Command {
    pub(super) command: String,
    #[serde(default)]
    pub(super) arguments: Vec<Value>,
}
