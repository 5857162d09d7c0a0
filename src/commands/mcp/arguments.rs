//! The arguments of the tools.

use std::path::{Component, Path};

use dupfind_scan::Live;
use serde::Deserialize;

use crate::commands::mcp::result::{Answer, mistake};

/// A text that is asked about, and the path that it has or will have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfText {
    pub(super) text: String,
    pub(super) path: Option<String>,
    #[serde(default)]
    pub(super) cursor: Cursor,
}

/// A page that is asked about.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfPage {
    pub(super) path: String,
    #[serde(default)]
    pub(super) cursor: Cursor,
}

/// A folder that a list is about; all documents without one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfFolder {
    pub(super) folder: Option<String>,
    #[serde(default)]
    pub(super) cursor: Cursor,
}

/// Where the part of a list begins.
#[derive(Default, Deserialize)]
#[serde(transparent)]
pub(super) struct Cursor(Option<String>);

impl Cursor {
    /// Returns whether an answer came before.
    pub(super) fn is_given(&self) -> bool {
        self.0.is_some()
    }

    /// Returns how many entries are before the part.
    pub(super) fn start(&self) -> Answer<usize> {
        match self.0.as_deref().map(str::parse) {
            None => Ok(0),
            Some(Ok(start)) => Ok(start),
            Some(Err(_)) => mistake(
                "'cursor' is the 'next_cursor' of the answer before; leave it out for the first one",
            ),
        }
    }
}

/// Returns the name of a document from a path as an agent writes it.
pub(super) fn name_of(live: &Live, path: &str) -> Answer<String> {
    let root = live.root();
    let named = Path::new(path);
    let below = match named.is_absolute() {
        true => named.strip_prefix(root).ok(),
        false => Some(named),
    };
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    let Some(below) = below.filter(|path| path.components().all(is_plain)) else {
        let root = root.display();
        return mistake(format!(
            "'{path}' is not below {root}: paths are relative to that folder, without '..', and nothing outside of it is read"
        ));
    };
    let parts = below.components().filter(|part| *part != Component::CurDir);
    let parts: Vec<_> = parts
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    match parts.as_slice() {
        [] => mistake("the path is empty: name a document, such as 'guide/install.md'"),
        parts => Ok(parts.join("/")),
    }
}

/// Returns the name of a document that is there.
pub(super) fn known_name(live: &Live, path: &str) -> Answer<String> {
    let name = name_of(live, path)?;
    if let Some(reason) = live.why_skipped(&name) {
        return mistake(format!("'{name}' is not compared: {}", reason.as_str()));
    }
    if live.has(&name) {
        return Ok(name);
    }
    let alike = live.alike(&name, 3);
    let alike = match alike.as_slice() {
        [] => String::new(),
        alike => format!("; did you mean {}?", alike.join(" or ")),
    };
    mistake(format!(
        "there is no document '{name}' among the {} of this folder: it is not there, hidden, or left out by a rule{alike}",
        live.documents()
    ))
}
