//! `dupfind mcp`: a server of the Model Context Protocol on standard input and output, for agents.
//!
//! It answers one request after the other: protocol ─> tools ─> answers, lists.

mod answers;
mod call;
mod lists;
mod protocol;
mod tools;

use std::io::{self, BufRead, Read, Write};

use anyhow::Result;

use crate::args::LiveArgs;
use crate::commands::mcp::protocol::Server;
use crate::commands::mcp::tools::Tools;
use crate::decision::live::root_of;
use crate::process::{Status, current_folder};
use crate::terminal::messages;

pub(crate) const EXAMPLES: &str = r#"Examples:
  In the configuration of a client:
    {"mcpServers": {"dupfind": {"command": "dupfind", "args": ["mcp", "docs"]}}}
  Claude Code:  claude mcp add dupfind -- dupfind mcp docs

Tools: check_text, check_page, find_passage, list_duplicates, list_passages. None of them writes anything but the index:
'dupfind accept' accepts a pair.

Exit status: 0 the client is gone, 2 an error"#;

/// The most bytes of a message.
const LONGEST: u64 = 16 << 20;

/// Runs the command.
pub(crate) fn run(args: &LiveArgs) -> Result<Status> {
    messages::set_quiet(true);
    // A client would learn only from its first call that there is no such folder.
    root_of(args, &current_folder()?)?;
    let mut server = Server::new(Tools::new(args));
    let (mut input, mut out) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    while let Some(is_whole) = read_line(&mut input, LONGEST, &mut line)? {
        if line.trim_ascii().is_empty() {
            continue;
        }
        if let Some(answer) = server.answer(is_whole.then_some(&line)) {
            writeln!(out, "{answer}")?;
            out.flush()?;
        }
    }
    Ok(Status::Ok)
}

/// Reads the next line into `line`, at most `longest` bytes of it. Returns whether that is all of it, and `None` at the
/// end of the input.
fn read_line(
    input: &mut impl BufRead,
    longest: u64,
    line: &mut Vec<u8>,
) -> io::Result<Option<bool>> {
    line.clear();
    line.shrink_to(1 << 16);
    let read = input.take(longest).read_until(b'\n', line)?;
    if read as u64 == longest && !line.ends_with(b"\n") {
        let rest = input.skip_until(b'\n')?;
        return Ok(Some(rest == 0));
    }
    Ok((read > 0).then_some(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_passed_over_as_a_whole() {
        let mut input = &b"abc\nabcd\nabcdefgh\n\nabcd"[..];
        let mut line = Vec::new();
        let mut lines = Vec::new();
        while let Some(is_whole) = read_line(&mut input, 4, &mut line).unwrap() {
            lines.push((String::from_utf8(line.clone()).unwrap(), is_whole));
        }
        let expected = [
            ("abc\n", true),
            ("abcd", false),
            ("abcd", false),
            ("\n", true),
            ("abcd", true),
        ];
        assert_eq!(
            lines,
            expected.map(|(line, is_whole)| (line.to_owned(), is_whole))
        );
    }
}
