//! The arguments of `dupfind mcp`.

use crate::args::headings::DECISION;
use std::path::{Path, PathBuf};

use crate::args::config::ConfigArgs;
use crate::args::group::groups;
use crate::args::live::LiveArgs;
use crate::config::{Configured, Conflict};

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
groups!(McpArgs: live);

impl Configured for McpArgs {
    fn config(&mut self) -> &mut ConfigArgs {
        &mut self.live.collection.config
    }

    fn start(&self) -> Option<&Path> {
        self.live.paths.first().map(PathBuf::as_path)
    }

    fn conflict(&self) -> Option<Conflict> {
        self.live.collection.engine.detect.conflict()
    }
}
