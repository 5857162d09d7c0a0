//! What is to be done with each file of a plan.

use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::clean::apply::front_matter;
use crate::clean::plan::check::Step;
use crate::clean::plan::hash::bytes_hash;
use crate::engine::pair::relation::Relation;

/// What kind of link takes the place of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// Another name of the same file.
    Hard,
    /// A file of its own that shares its blocks on the disk.
    Reflink,
    /// A symbolic link.
    Symlink,
}

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Links in place of files that are the same byte for byte.
    pub link: Option<LinkKind>,
    /// The files go.
    pub delete: bool,
    /// The files go to this folder.
    pub move_to: Option<PathBuf>,
    /// A key that the front matter of pages that go gets. Its value is the address of the page that stays.
    pub canonical: Option<String>,
}

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "deed", rename_all = "snake_case")]
pub enum Deed {
    /// The file goes.
    Delete,
    /// The file goes to another place.
    Move {
        /// The place.
        to: PathBuf,
    },
    /// A link to the file that stays takes its place.
    Link {
        /// The kind of link.
        kind: LinkKind,
    },
    /// Its front matter gets a line.
    Edit {
        /// The line.
        added: String,
        /// The hash of the file when it has the line.
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
    /// The file that stays for it, which is not touched.
    pub keep: PathBuf,
    /// The hash of the file that stays.
    pub keep_hash: String,
    /// What is done.
    #[serde(flatten)]
    pub deed: Deed,
}

/// Returns what is to be done with the file of a step, or why nothing is. `address` is the address of the page that stays,
/// and `base` the folder that paths are relative to.
///
/// # Errors
///
/// Why the file is left alone, in words.
pub fn operation(
    step: &Step,
    wanted: &Wanted,
    address: impl FnOnce() -> Option<String>,
    base: &Path,
) -> Result<Operation, String> {
    let is_same = step.keep_hash == step.drop_hash;
    let deed = if let (Some(kind), true) = (wanted.link, is_same) {
        Deed::Link { kind }
    } else if wanted.delete {
        Deed::Delete
    } else if let Some(folder) = &wanted.move_to {
        Deed::Move {
            to: folder.join(below(&step.drop)),
        }
    } else if let Some(key) = &wanted.canonical {
        let address = address().ok_or("it is no page of the site")?;
        let content = fs::read(base.join(&step.drop)).map_err(|error| error.to_string())?;
        let (added, edited) = front_matter::with_key(&step.drop, &content, key, &address)?;
        Deed::Edit {
            added,
            after: bytes_hash(&edited),
        }
    } else if step.relation == Relation::Exact {
        return Err(
            "its text is the same, and its bytes are not, so that no link can take its place"
                .into(),
        );
    } else {
        let relation = step.relation.as_str();
        return Err(format!(
            "it is {relation}, and only files that are the same become links"
        ));
    };
    Ok(Operation {
        path: step.drop.clone(),
        hash: step.drop_hash.clone(),
        keep: step.keep.clone(),
        keep_hash: step.keep_hash.clone(),
        deed,
    })
}

/// Returns a path without what leads out of a folder: roots and `..`.
fn below(path: &Path) -> PathBuf {
    let names = path
        .components()
        .filter(|part| matches!(part, Component::Normal(_)));
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(relation: Relation, keep_hash: &str, drop_hash: &str) -> Step {
        Step {
            line: 1,
            keep: "a.md".into(),
            drop: "../x/b.md".into(),
            relation,
            keep_hash: keep_hash.into(),
            drop_hash: drop_hash.into(),
        }
    }

    #[test]
    fn only_the_same_bytes_become_a_link() {
        let wanted = Wanted {
            link: Some(LinkKind::Hard),
            ..Wanted::default()
        };
        let asked = |step: &Step, wanted: &Wanted| {
            operation(step, wanted, || None, Path::new("/")).map(|operation| operation.deed)
        };
        let kind = LinkKind::Hard;
        assert_eq!(
            asked(&step(Relation::Exact, "1", "1"), &wanted),
            Ok(Deed::Link { kind })
        );
        let other = asked(&step(Relation::Exact, "1", "2"), &wanted).unwrap_err();
        assert!(other.contains("bytes are not"), "{other}");
        assert!(
            asked(&step(Relation::Near, "1", "2"), &wanted)
                .unwrap_err()
                .contains("near")
        );
        // What becomes no link may go another way.
        let both = Wanted {
            move_to: Some("old".into()),
            ..wanted
        };
        let to = PathBuf::from("old/x/b.md");
        assert_eq!(
            asked(&step(Relation::Near, "1", "2"), &both),
            Ok(Deed::Move { to })
        );
    }
}
