//! `dupfind lsp`: a language server, which shows in an editor the text of a page that other pages have too.
//!
//! The loop is synchronous. It answers all messages that wait, and then checks a document whose time has come: at once
//! when it was opened or saved, after a pause when it is typed in. So a check never delays more than one answer.

mod actions;
mod page;
mod wire;
mod workspace;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::time::Instant;
use std::{io, thread};

use anyhow::{Result, anyhow, bail};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::args::LiveArgs;
use crate::commands::lsp::wire::{
    Command, Folders, INVALID_PARAMS, INVALID_REQUEST, Initialize, METHOD_NOT_FOUND, Message,
    NOT_INITIALIZED, OfDocument, Received, Reply, read_messages,
};
use crate::commands::lsp::workspace::Workspace;
use crate::decision::live::root_of;
use crate::process::{Status, current_folder};
use crate::terminal::messages as terminal;

pub(crate) const EXAMPLES: &str = "\
Examples:
  An editor starts it:  dupfind lsp
  Neovim:  vim.lsp.config('dupfind', { cmd = { 'dupfind', 'lsp' }, filetypes = { 'markdown' } })
           vim.lsp.enable('dupfind')
  Helix:   [language-server.dupfind]
           command = \"dupfind\"
           args = [\"lsp\"]

FOLDER is relative to each folder that is open in the editor.

Exit status: 0 the editor has ended it, 1 it did so without 'shutdown', 2 an error, such as that the editor is gone";

/// How many messages wait for their turn. Then the editor has to wait: each may be large.
const QUEUE: usize = 4;

/// Returns the arguments for a folder of the workspace, with its own configuration.
pub(crate) type ArgsOf<'a> = &'a dyn Fn(&Path) -> Result<LiveArgs>;

/// Runs the command. `args_of` returns the arguments for a folder of the workspace.
pub(crate) fn run(args_of: ArgsOf<'_>) -> Result<Status> {
    terminal::set_quiet(true);
    let here = current_folder()?;
    let args = args_of(&here)?;
    // A relative path is one of each folder that is open, and not of each has to have it.
    if args.paths.first().is_some_and(|path| path.is_absolute()) {
        root_of(&args, &here)?;
    }
    let (sender, receiver) = sync_channel(QUEUE);
    let reader = thread::spawn(move || read_messages(&mut io::stdin().lock(), &sender));
    let ended = match initialize(&receiver, args_of, here)? {
        Begun::With(folders, watches) => {
            let mut server = Server {
                workspace: Workspace::new(args_of, folders),
                receiver,
                requests: 0,
                is_shut_down: false,
            };
            if watches {
                server.watch()?;
            }
            server.run()?
        }
        Begun::Ended => Some(Status::Failed),
        Begun::Gone => None,
    };
    let Some(status) = ended else {
        reader.join().expect("it does not panic")?;
        bail!("the editor is gone");
    };
    Ok(status)
}

/// How a connection begins.
enum Begun {
    /// With the folders of the workspace, and whether the editor can tell of files that change.
    With(Vec<PathBuf>, bool),
    /// The editor ends the server at once.
    Ended,
    Gone,
}

/// Waits for the first request, and answers it. An editor without a folder means the folder `here`.
///
/// # Errors
///
/// No folder of the editor has the one of the arguments.
fn initialize(receiver: &Receiver<Received>, args_of: ArgsOf<'_>, here: PathBuf) -> Result<Begun> {
    for message in receiver {
        let Some(message) = understood(message)? else {
            continue;
        };
        match (message.method.as_deref(), message.id) {
            (Some("initialize"), Some(id)) => {
                let params: Initialize = serde_json::from_value(message.params)?;
                let mut folders = params.folders();
                if folders.is_empty() {
                    folders.push(here);
                }
                let found = folders
                    .iter()
                    .map(|folder| root_of(&args_of(folder)?, folder));
                if let Some(missing) = found.reduce(Result::or).and_then(Result::err) {
                    let reason = (INVALID_PARAMS, format!("{missing:#}"));
                    send(&Reply::new(&id, Err(reason)))?;
                    return Err(missing);
                }
                send(&Reply::new(&id, Ok(initialized())))?;
                return Ok(Begun::With(folders, params.watches()));
            }
            (Some("exit"), None) => return Ok(Begun::Ended),
            (Some(_), Some(id)) => {
                let reason = "the first request is 'initialize'".to_owned();
                send(&Reply::new(&id, Err((NOT_INITIALIZED, reason))))?;
            }
            _ => {}
        }
    }
    Ok(Begun::Gone)
}

/// Returns a message; sends the answer if it is none.
fn understood(message: Result<Message, Reply>) -> Result<Option<Message>> {
    message
        .map(Some)
        .or_else(|reply| send(&reply).map(|()| None))
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T> {
    Ok(serde_json::from_value(params)?)
}

fn send(reply: &Reply) -> Result<()> {
    let written = reply.write(&mut io::stdout().lock());
    written.map_err(|_| anyhow!("the editor is gone"))
}

/// Returns the capabilities of the server.
fn initialized() -> Value {
    json!({
        "capabilities": {
            "textDocumentSync": {"openClose": true, "change": 1, "save": {}},
            "hoverProvider": true,
            "codeActionProvider": {"codeActionKinds": ["quickfix"]},
            "executeCommandProvider": {"commands": [actions::OPEN]},
            "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
        },
        "serverInfo": {"name": "dupfind", "version": env!("CARGO_PKG_VERSION")},
    })
}

struct Server<'s> {
    workspace: Workspace<'s>,
    receiver: Receiver<Received>,
    /// How many requests were sent to the editor.
    requests: i64,
    is_shut_down: bool,
}

impl Server<'_> {
    /// Asks the editor to tell of pages that change on disk, and of accepted pairs.
    fn watch(&mut self) -> Result<()> {
        let globs = [
            "**/*.{md,mdx,markdown,rst,adoc,txt,html,htm}",
            "**/.dupfind-baseline",
        ];
        let watchers = globs.map(|glob| json!({"globPattern": glob}));
        let method = "workspace/didChangeWatchedFiles";
        let options = json!({"watchers": watchers});
        let registration = json!({"id": "files", "method": method, "registerOptions": options});
        self.requests += 1;
        let params = json!({"registrations": [registration]});
        send(&Reply::tell(
            Some(self.requests),
            "client/registerCapability",
            &params,
        ))
    }

    /// Answers until the editor ends the server, and returns the exit status, or until the editor is gone.
    fn run(&mut self) -> Result<Option<Status>> {
        loop {
            // Messages that wait come first: they may change the texts again.
            let received = match self.receiver.try_recv() {
                Ok(received) => Some(received),
                Err(TryRecvError::Disconnected) => None,
                Err(TryRecvError::Empty) => match self.workspace.next_check() {
                    None => self.receiver.recv().ok(),
                    Some((due, uri)) => {
                        let wait = due.saturating_duration_since(Instant::now());
                        match self.receiver.recv_timeout(wait) {
                            Ok(received) => Some(received),
                            Err(RecvTimeoutError::Disconnected) => None,
                            Err(RecvTimeoutError::Timeout) => {
                                self.check(&uri)?;
                                continue;
                            }
                        }
                    }
                },
            };
            // The editor is gone, or it ends the server.
            let Some(message) = received else {
                return Ok(None);
            };
            let Some(message) = understood(message)? else {
                continue;
            };
            match (message.method.as_deref(), message.id) {
                (Some("exit"), _) => {
                    return Ok(Some(match self.is_shut_down {
                        true => Status::Ok,
                        false => Status::Failed,
                    }));
                }
                (Some(method), Some(id)) => {
                    let result = self.answer(method, message.params);
                    send(&Reply::new(&id, result))?;
                }
                // A message that cannot be understood changes nothing.
                (Some(method), None) => drop(self.receive(method, message.params)),
                // An answer of the editor.
                (None, _) => {}
            }
        }
    }

    fn publish(&self, params: &Value) -> Result<()> {
        let method = "textDocument/publishDiagnostics";
        send(&Reply::tell(None, method, params))
    }

    /// Checks a document whose time has come, and sends its diagnostics.
    fn check(&mut self, uri: &str) -> Result<()> {
        match self.workspace.check(uri) {
            Some((version, diagnostics)) => {
                self.publish(&json!({"uri": uri, "version": version, "diagnostics": diagnostics}))
            }
            None => Ok(()),
        }
    }

    fn receive(&mut self, method: &str, params: Value) -> Result<()> {
        let of_document = |params| read::<OfDocument>(params);
        match method {
            "textDocument/didOpen" => self.workspace.open(of_document(params)?.text_document),
            "textDocument/didChange" => self.workspace.change(of_document(params)?),
            "textDocument/didSave" => {
                of_document(params)?;
                // Other pages show what they share with this one.
                self.workspace.check_all();
            }
            "textDocument/didClose" => {
                let uri = of_document(params)?.text_document.uri;
                self.workspace.close(&uri);
                self.publish(&json!({"uri": uri, "diagnostics": []}))?;
            }
            "workspace/didChangeWorkspaceFolders" => {
                let Folders { event } = read(params)?;
                self.workspace.set_folders(event.paths());
            }
            "workspace/didChangeWatchedFiles" => self.workspace.check_all(),
            _ => {}
        }
        Ok(())
    }

    fn answer(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        let wrong = |error: anyhow::Error| (INVALID_PARAMS, format!("{error:#}"));
        match method {
            _ if self.is_shut_down => Err((INVALID_REQUEST, "the server is shut down".into())),
            "shutdown" => {
                self.is_shut_down = true;
                Ok(Value::Null)
            }
            "textDocument/hover" => read::<OfDocument>(params)
                .map(|asked| self.workspace.hover(&asked.text_document.uri))
                .map_err(wrong),
            "textDocument/codeAction" => read::<OfDocument>(params)
                .map(|asked| self.workspace.actions(&asked))
                .map_err(wrong),
            "workspace/executeCommand" => read::<Command>(params)
                .and_then(|command| self.execute(&command))
                .map_err(wrong),
            method => Err((METHOD_NOT_FOUND, format!("there is no method '{method}'"))),
        }
    }

    /// Carries out a command of a code action.
    fn execute(&mut self, command: &Command) -> Result<Value> {
        match (command.command.as_str(), command.arguments.as_slice()) {
            (actions::OPEN, [uri, selection]) => {
                let params = json!({"uri": uri, "takeFocus": true, "selection": selection});
                self.requests += 1;
                send(&Reply::tell(
                    Some(self.requests),
                    "window/showDocument",
                    &params,
                ))?;
                Ok(Value::Null)
            }
            (name, _) => bail!("there is no command '{name}' with such arguments"),
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
