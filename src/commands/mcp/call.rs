//! The arguments of a call of a tool, and the form of its answer.

use std::path::{Component, Path};

use anyhow::{Error, anyhow};
use dupfind_scan::Live;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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

/// The most characters of an answer.
pub(super) const SHORT: usize = 1_300;

/// The most characters of a wording.
const WORDING: usize = 160;

/// Why there is no answer of a tool.
pub(super) enum Failure {
    /// There is no such tool. These are the tools.
    Unknown(String),
    /// A mistake that the agent can mend.
    Mistake(String),
    /// The program or the machine fails.
    Broken(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Broken(format!("{error:#}"))
    }
}

impl From<dupfind_engine::Error> for Failure {
    fn from(error: dupfind_engine::Error) -> Self {
        Error::from(error).into()
    }
}

/// The result of a tool.
pub(super) type Answer<T> = Result<T, Failure>;

/// Returns the failure for a mistake, with advice.
pub(super) fn mistake<T>(advice: impl Into<String>) -> Answer<T> {
    Err(Failure::Mistake(advice.into()))
}

/// Returns the beginning of a text.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(WORDING) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Adds records to an answer, as many as fit. They begin at a position in a list of so many.
pub(super) fn fitted<T: Serialize>(
    mut answer: Value,
    key: &str,
    records: impl IntoIterator<Item = T>,
    start: usize,
    total: usize,
) -> Answer<Value> {
    let mut room = SHORT.saturating_sub(answer.to_string().chars().count());
    let mut shown = Vec::new();
    for record in records {
        let record = serde_json::to_value(record).map_err(|error| anyhow!(error))?;
        let length = record.to_string().chars().count() + 1;
        if !shown.is_empty() && length > room {
            break;
        }
        room = room.saturating_sub(length);
        shown.push(record);
    }
    let next = start + shown.len();
    answer[key] = shown.into();
    answer["next_cursor"] = match next < total {
        true => next.to_string().into(),
        false => Value::Null,
    };
    Ok(answer)
}
