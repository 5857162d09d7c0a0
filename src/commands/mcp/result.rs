//! The results of the tools: how long they are, and why there is none.

use anyhow::{Error, anyhow};
use serde::Serialize;
use serde_json::Value;

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
