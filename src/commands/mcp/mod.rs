//! `dupfind mcp`: a server of the Model Context Protocol on standard input and output, for agents.
//!
//! ```text
//! lines ─> reader (a thread) ─> requests ─> protocol ─> tools ─> answers, lists ─> lines
//! ```

mod answers;
mod input;
mod lists;
mod protocol;
mod tools;

use std::io::{self, Write};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::thread;

use anyhow::Result;
use serde_json::Value;

use crate::args::LiveArgs;
use crate::commands::mcp::input::{Pending, read_messages};
use crate::commands::mcp::protocol::Server;
use crate::commands::mcp::tools::Tools;
use crate::process::Status;
use crate::terminal::messages;

pub(crate) const EXAMPLES: &str = r#"Examples:
  In the configuration of a client:
    {"mcpServers": {"dupfind": {"command": "dupfind", "args": ["mcp", "docs"]}}}
  Claude Code:  claude mcp add dupfind -- dupfind mcp docs

Tools: check_text, check_page, find_passage, list_duplicates, list_passages. None of them writes anything but the index:
'dupfind accept' accepts a pair.

Exit status: 0 the client is gone, 2 an error"#;

/// How many messages wait for their turn. Then the client has to wait: each may be large.
const QUEUE: usize = 16;

/// Where the server writes to.
pub(super) type Out = Mutex<io::Stdout>;

/// Runs the command.
pub(crate) fn run(args: &LiveArgs) -> Result<Status> {
    messages::set_quiet(true);
    let pending = Arc::new(Pending::default());
    let (sender, lines) = sync_channel(QUEUE);
    let reader = {
        let pending = Arc::clone(&pending);
        thread::spawn(move || read_messages(&mut io::stdin().lock(), &pending, &sender))
    };
    let out = Mutex::new(io::stdout());
    let mut server = Server::new(Tools::new(args), &pending, &out);
    for line in lines {
        if let Some(answer) = server.answer(&line) {
            write(&out, &answer)?;
        }
    }
    // The client has closed its side.
    reader.join().expect("it does not panic")?;
    Ok(Status::Ok)
}

/// Writes a message as a line.
pub(super) fn write(out: &Out, message: &Value) -> Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut out = out.lock().expect("never poisoned");
    out.write_all(&line)?;
    out.flush()?;
    Ok(())
}
