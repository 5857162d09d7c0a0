//! The messages between the editor and the server: JSON behind a header with its length.

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::SyncSender;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::commands::lsp::path_of;

/// The most bytes of a message. The largest text that is compared has fewer, also in JSON.
const LONGEST: u64 = 64 << 20;

/// The most bytes of a header.
const LONGEST_HEADER: u64 = 1 << 12;

const PARSE_ERROR: i32 = -32700;

/// What is wrong with a request.
pub(super) const INVALID_REQUEST: i32 = -32600;
pub(super) const METHOD_NOT_FOUND: i32 = -32601;
pub(super) const INVALID_PARAMS: i32 = -32602;
pub(super) const NOT_INITIALIZED: i32 = -32002;

/// A message of the editor: a request has a method and an id, a notification only a method, and an answer only an id.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Message {
    pub(super) id: Option<Value>,
    pub(super) method: Option<String>,
    pub(super) params: Value,
}

/// A message, or the answer if it is none.
pub(super) type Received = Result<Message, Reply>;

/// A message of the server.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(super) struct Reply(Value);

impl Reply {
    /// Returns the answer to a request, or why there is none.
    pub(super) fn new(id: &Value, result: Result<Value, (i32, String)>) -> Self {
        Self(match result {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err((code, message)) => {
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
            }
        })
    }

    /// Returns a notification, or with an id a request.
    pub(super) fn tell(id: Option<i64>, method: &str, params: &Value) -> Self {
        let mut message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        if let Some(id) = id {
            message["id"] = id.into();
        }
        Self(message)
    }

    /// Writes the message.
    ///
    /// # Errors
    ///
    /// The words of the system.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let text = self.0.to_string();
        write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        out.flush()
    }
}

/// Reads messages to the end of the input.
///
/// # Errors
///
/// The input cannot be read, or is no message.
pub(super) fn read_messages(
    input: &mut impl BufRead,
    sender: &SyncSender<Received>,
) -> io::Result<()> {
    while let Some(length) = read_header(input)? {
        let mut text = Vec::new();
        input.take(length).read_to_end(&mut text)?;
        if text.len() as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let message = serde_json::from_slice(&text).map_err(|error| {
            let reason = format!("this is no message: {error}");
            Reply::new(&Value::Null, Err((PARSE_ERROR, reason)))
        });
        if sender.send(message).is_err() {
            break;
        }
    }
    Ok(())
}

/// Reads a header, and returns the length of the message behind it; `None` at the end of the input.
fn read_header(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let refused = |words: String| io::Error::new(io::ErrorKind::InvalidData, words);
    let mut header = input.take(LONGEST_HEADER);
    let mut length = None;
    loop {
        let mut line = String::new();
        let read = header.read_line(&mut line)?;
        if read == 0 && length.is_none() && header.limit() == LONGEST_HEADER {
            return Ok(None);
        }
        match line.trim_end().split_once(':') {
            None if line.ends_with('\n') && line.trim_end().is_empty() => break,
            Some((name, value)) if line.ends_with('\n') => {
                if name.eq_ignore_ascii_case("Content-Length") {
                    length = value.trim().parse().ok();
                }
            }
            _ => return Err(refused("the header of a message cannot be read".into())),
        }
    }
    match length {
        Some(length) if length <= LONGEST => Ok(Some(length)),
        Some(length) => {
            let most = LONGEST >> 20;
            Err(refused(format!(
                "a message of {length} bytes: at most {most} MiB are read"
            )))
        }
        None => Err(refused("a message without Content-Length".into())),
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Initialize {
    root_uri: Option<String>,
    workspace_folders: Option<Vec<Folder>>,
    capabilities: Value,
}

impl Initialize {
    /// Returns whether the editor can tell of files that change on disk.
    pub(super) fn watches(&self) -> bool {
        let path = "/workspace/didChangeWatchedFiles/dynamicRegistration";
        self.capabilities.pointer(path) == Some(&Value::Bool(true))
    }

    /// Returns the folders of the workspace.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let folders = self.workspace_folders.iter().flatten();
        let mut folders: Vec<PathBuf> = folders.filter_map(|folder| path_of(&folder.uri)).collect();
        if folders.is_empty() {
            folders.extend(self.root_uri.as_deref().and_then(path_of));
        }
        folders
    }
}

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

/// A place in a text: lines and characters count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub(super) struct Position {
    pub(super) line: usize,
    pub(super) character: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Range {
    pub(super) start: Position,
    pub(super) end: Position,
}

impl Range {
    /// Returns whether two ranges have a place in common.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.start <= other.end && other.start <= self.end
    }

    /// Returns the range of whole lines, from 1, of a text, without the end of the last line.
    pub(super) fn of_lines(text: &str, (first, last): (usize, usize)) -> Self {
        let line = text.split('\n').nth(last - 1).unwrap_or_default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        Self {
            start: Position {
                line: first - 1,
                character: 0,
            },
            end: Position {
                line: last - 1,
                character: line.encode_utf16().count(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;

    use super::*;

    fn received(input: &str) -> (Vec<Result<Message, Reply>>, io::Result<()>) {
        let (sender, messages) = sync_channel(9);
        let read = read_messages(&mut input.as_bytes(), &sender);
        drop(sender);
        (messages.iter().collect(), read)
    }

    #[test]
    fn messages_are_read_by_their_length() {
        let (messages, read) = received(
            "Content-Length: 26\r\nContent-Type: x\r\n\r\n{\"id\":\"a\",\"method\":\"ping\"}content-length:1\n\n5",
        );
        read.unwrap();
        let first = messages[0].as_ref().unwrap();
        assert_eq!(first.id.as_ref(), Some(&json!("a")));
        assert_eq!(first.method.as_deref(), Some("ping"));
        let second = messages[1].as_ref().unwrap_err();
        assert_eq!(second.0["error"]["code"], PARSE_ERROR);
    }

    #[test]
    fn a_length_that_is_announced_takes_no_memory() {
        let long = "x".repeat(10_000);
        for (input, part) in [
            (
                "Content-Length: 9000000000000000000\r\n\r\n{}",
                "at most 64 MiB",
            ),
            (
                "Content-Length: 60000000\r\n\r\n{}",
                "unexpected end of file",
            ),
            ("Content-Length: -1\r\n\r\n{}", "without Content-Length"),
            ("\r\n{}", "without Content-Length"),
            (&long, "cannot be read"),
            ("Content-Length: 2", "cannot be read"),
        ] {
            let (messages, read) = received(input);
            let error = read.unwrap_err().to_string();
            assert!(error.contains(part), "{input:.40}: {error}");
            assert!(messages.is_empty(), "{input:.40}: {error}");
        }
    }

    #[test]
    fn characters_are_counted_in_units_of_utf_16() {
        let text = "one\r\n公园🌳x\r\n";
        let end = |line| Range::of_lines(text, (1, line)).end.character;
        assert_eq!([end(1), end(2), end(3), end(9)], [3, 5, 0, 0]);
    }
}
