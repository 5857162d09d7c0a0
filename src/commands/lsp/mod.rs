//! `dupfind lsp`: a language server, which shows in an editor the text of a page that other pages have too.
//!
//! The loop is synchronous. It reads all messages that wait, and then checks the documents whose time has come: at once
//! when one is opened or saved, after a pause when one is typed in.

mod actions;
pub(crate) mod args;
mod messages;
mod page;
mod position;
mod workspace;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::commands::lsp::args::LspArgs;
use crate::commands::lsp::messages::{
    Changed, Closed, CodeActions, Command, Folders, Hovered, Initialize, Opened, Saved,
};
use crate::commands::lsp::position::Encoding;
use crate::commands::lsp::workspace::Workspace;
use crate::process::exit::Status;
use crate::terminal::messages as terminal;

/// How long a text rests before it is checked.
const PAUSE: Duration = Duration::from_millis(300);

/// How long a text is typed in before it is checked nevertheless.
const AT_LAST: Duration = Duration::from_millis(900);

/// Returns the arguments for a folder of the workspace, with its own configuration.
pub(crate) type ArgsOf<'a> = &'a dyn Fn(&Path) -> Result<LspArgs>;

/// Runs the command. `args_of` returns the arguments for a folder of the workspace.
pub(crate) fn run(args_of: ArgsOf<'_>) -> Result<Status> {
    terminal::set_quiet(true);
    let (connection, threads) = Connection::stdio();
    let (id, params) = connection.initialize_start()?;
    let params: Initialize = serde_json::from_value(params)?;
    let encoding = params.encoding();
    connection.initialize_finish(id, initialized(encoding))?;
    let mut server = Server {
        workspace: Workspace::new(args_of, params.folders(), encoding),
        connection: &connection,
        requests: 0,
    };
    let is_ended = server.run()?;
    drop(connection);
    threads.join()?;
    if !is_ended {
        bail!("the editor is gone");
    }
    Ok(Status::Ok)
}

/// Returns the capabilities of the server.
fn initialized(encoding: Encoding) -> Value {
    json!({
        "capabilities": {
            "positionEncoding": encoding.name(),
            "textDocumentSync": {"openClose": true, "change": 1, "save": {}},
            "hoverProvider": true,
            "codeActionProvider": {"codeActionKinds": ["quickfix"]},
            "executeCommandProvider": {"commands": [actions::OPEN, actions::ACCEPT]},
            "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
        },
        "serverInfo": {"name": "dupfind", "version": env!("CARGO_PKG_VERSION")},
    })
}

struct Server<'s> {
    workspace: Workspace<'s>,
    connection: &'s Connection,
    /// How many requests were sent to the editor.
    requests: i32,
}

impl Server<'_> {
    /// Answers until the editor ends the server, and returns true, or until the editor is gone.
    fn run(&mut self) -> Result<bool> {
        let receiver = &self.connection.receiver;
        loop {
            let message = match self.workspace.next_check(PAUSE, AT_LAST) {
                None => receiver.recv().ok(),
                Some(due) => match receiver.recv_deadline(due) {
                    Ok(message) => Some(message),
                    Err(error) if error.is_timeout() => {
                        self.check(Instant::now())?;
                        continue;
                    }
                    Err(_) => None,
                },
            };
            let Some(message) = message else {
                return Ok(false);
            };
            match message {
                Message::Request(request) => {
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(true);
                    }
                    let answer = self.answer(&request);
                    self.send(answer)?;
                }
                Message::Notification(notification) => {
                    // A message that cannot be understood changes nothing.
                    let _ = self.receive(&notification);
                }
                Message::Response(_) => {}
            }
            // Messages that wait may change the texts again.
            if receiver.is_empty() {
                self.check(Instant::now())?;
            }
        }
    }

    fn send(&self, message: impl Into<Message>) -> Result<()> {
        let sent = self.connection.sender.send(message.into());
        sent.map_err(|_| anyhow!("the editor is gone"))
    }

    /// Checks the documents whose time has come, and sends their diagnostics.
    fn check(&mut self, now: Instant) -> Result<()> {
        for (uri, version, diagnostics) in self.workspace.check(now, PAUSE, AT_LAST) {
            let params = json!({"uri": uri, "version": version, "diagnostics": diagnostics});
            self.send(Notification::new(
                "textDocument/publishDiagnostics".into(),
                params,
            ))?;
        }
        Ok(())
    }

    fn receive(&mut self, notification: &Notification) -> Result<()> {
        fn read<T: DeserializeOwned>(notification: &Notification) -> Result<T> {
            Ok(serde_json::from_value(notification.params.clone())?)
        }
        match notification.method.as_str() {
            "textDocument/didOpen" => self
                .workspace
                .open(read::<Opened>(notification)?.text_document),
            "textDocument/didChange" => self.workspace.change(read::<Changed>(notification)?),
            "textDocument/didSave" => self
                .workspace
                .save(&read::<Saved>(notification)?.text_document.uri),
            "textDocument/didClose" => {
                let uri = read::<Closed>(notification)?.text_document.uri;
                self.workspace.close(&uri);
                let params = json!({"uri": uri, "diagnostics": []});
                self.send(Notification::new(
                    "textDocument/publishDiagnostics".into(),
                    params,
                ))?;
            }
            "workspace/didChangeWorkspaceFolders" => {
                let Folders { event } = read(notification)?;
                self.workspace.set_folders(event.paths());
            }
            "workspace/didChangeWatchedFiles" => self.workspace.check_all(),
            _ => {}
        }
        Ok(())
    }

    fn answer(&mut self, request: &Request) -> Response {
        let id = request.id.clone();
        let params = request.params.clone();
        let result = match request.method.as_str() {
            "textDocument/hover" => serde_json::from_value::<Hovered>(params)
                .map(|asked| self.workspace.hover(&asked.text_document.uri))
                .map_err(anyhow::Error::from),
            "textDocument/codeAction" => serde_json::from_value::<CodeActions>(params)
                .map(|asked| self.workspace.actions(&asked))
                .map_err(anyhow::Error::from),
            "workspace/executeCommand" => {
                let command = serde_json::from_value::<Command>(params);
                command
                    .map_err(anyhow::Error::from)
                    .and_then(|command| self.execute(&command))
            }
            method => {
                let message = format!("there is no method '{method}'");
                return Response::new_err(id, ErrorCode::MethodNotFound as i32, message);
            }
        };
        match result {
            Ok(result) => Response::new_ok(id, result),
            Err(error) => {
                Response::new_err(id, ErrorCode::InvalidParams as i32, format!("{error:#}"))
            }
        }
    }

    /// Carries out a command of a code action.
    fn execute(&mut self, command: &Command) -> Result<Value> {
        match (command.command.as_str(), command.arguments.as_slice()) {
            (actions::OPEN, [uri, selection]) => {
                self.requests += 1;
                let params = json!({"uri": uri, "takeFocus": true, "selection": selection});
                let id = self.requests.into();
                self.send(Request::new(id, "window/showDocument".into(), params))?;
                Ok(Value::Null)
            }
            (actions::ACCEPT, [uri, other, reason]) => {
                let text = |value: &Value| value.as_str().map(str::to_owned);
                let all = text(uri).zip(text(other)).zip(text(reason));
                let ((uri, other), reason) =
                    all.ok_or_else(|| anyhow!("expected three strings"))?;
                self.workspace.accept(&uri, &other, &reason)?;
                Ok(Value::Null)
            }
            (name, _) => bail!("there is no command '{name}' with so many arguments"),
        }
    }
}

/// Returns the path of a file from its address.
fn path_of(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    // The name of a machine is before the path.
    let path = &path[path.find('/')?..];
    let decoded = percent_encoding::percent_decode_str(path)
        .decode_utf8()
        .ok()?;
    // A path with a letter of a drive has a slash before it.
    let bytes = decoded.as_bytes();
    let has_drive = bytes.len() > 2 && bytes[2] == b':';
    Some(PathBuf::from(if has_drive {
        &decoded[1..]
    } else {
        &decoded
    }))
}

/// Returns the address of a file.
fn uri_of(path: &Path) -> String {
    use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
    const KEPT: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'/')
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~');
    let path = path.to_string_lossy().replace('\\', "/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", utf8_percent_encode(&path, KEPT))
}
