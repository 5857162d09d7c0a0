//! The changes that a plan makes to files.

use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::clean::links::LinkingPage;
use crate::clean::links::rewrite::Edit;
use crate::clean::plan::check::Step;

/// How the files of a plan go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DropMethod {
    /// They are deleted.
    Delete,
    /// They move to this folder.
    Move(PathBuf),
}

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "deed", rename_all = "snake_case")]
pub enum Action {
    /// The file is deleted.
    Delete,
    /// The file moves to another place.
    Move {
        /// The place.
        to: PathBuf,
    },
    /// Links in the file lead to other pages.
    Rewrite {
        /// The changes in its text.
        edits: Vec<Edit>,
        /// The hash of the file after these changes.
        after: String,
    },
}

/// A change that is to be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// The file that is changed.
    pub path: PathBuf,
    /// The hash of the file before.
    pub hash: String,
    /// The file that stays for it. A file whose links change stays itself.
    pub keep: PathBuf,
    /// The hash of the file that stays.
    pub keep_hash: String,
    /// The change.
    #[serde(flatten)]
    pub action: Action,
}

/// Returns the action for the file of a step.
#[must_use]
pub fn operation(step: &Step, method: &DropMethod) -> Operation {
    let action = match method {
        DropMethod::Delete => Action::Delete,
        DropMethod::Move(folder) => Action::Move {
            to: folder.join(below(&step.drop)),
        },
    };
    Operation {
        path: step.drop.clone(),
        hash: step.drop_hash.clone(),
        keep: step.keep.clone(),
        keep_hash: step.keep_hash.clone(),
        action,
    }
}

/// Returns the change of the links in a file.
#[must_use]
pub fn rewriting(page: &LinkingPage, edits: Vec<Edit>, after: String) -> Operation {
    let [path, keep] = [PathBuf::from(&page.page), PathBuf::from(&page.page)];
    let [hash, keep_hash] = [page.hash.clone(), page.hash.clone()];
    Operation {
        path,
        hash,
        keep,
        keep_hash,
        action: Action::Rewrite { edits, after },
    }
}

/// Returns a path without the parts that lead out of a folder: roots and `..`.
pub(super) fn below(path: &Path) -> PathBuf {
    let names = path
        .components()
        .filter(|part| matches!(part, Component::Normal(_)));
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_move_below_the_folder_whatever_leads_to_them() {
        let step = Step {
            line: 1,
            keep: "a.md".into(),
            drop: "../x/b.md".into(),
            keep_hash: "1".into(),
            drop_hash: "2".into(),
            only_in_drop: None,
        };
        let method = DropMethod::Move("old".into());
        let operation = operation(&step, &method);
        let to = PathBuf::from("old/x/b.md");
        assert_eq!(operation.action, Action::Move { to });
    }
}
