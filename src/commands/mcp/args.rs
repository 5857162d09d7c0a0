//! The arguments of `dupfind mcp`.

use crate::args::headings::DECISION;
use std::path::{Path, PathBuf};

use crate::args::group::groups;
use crate::args::live::LiveArgs;

pub(crate) const EXAMPLES: &str = r#"Examples:
  In the configuration of a client:
    {"mcpServers": {"dupfind": {"command": "dupfind", "args": ["mcp", "docs"]}}}
  Claude Code:  claude mcp add dupfind -- dupfind mcp docs
  Accepting:    dupfind mcp docs --allow-accept

Tools: check_text, check_page, list_duplicates, find_passage, compare, and accept with --allow-accept.

Exit status: 0 the client is gone, 2 an error"#;

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct McpArgs {
    #[command(flatten)]
    pub(crate) live: LiveArgs,

    /// Offer the tool that accepts a pair, which writes the file of --baseline
    #[arg(long, help_heading = DECISION)]
    pub(crate) allow_accept: bool,
}
groups!(McpArgs: live;
    fn start(&self) -> Option<&Path> {
        self.live.paths.first().map(PathBuf::as_path)
    }
);
