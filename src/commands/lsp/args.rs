//! The arguments of `dupfind lsp`.

use std::path::{Path, PathBuf};

use crate::args::group::groups;
use crate::args::live::LiveArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  An editor starts it:  dupfind lsp
  Neovim:  vim.lsp.config('dupfind', { cmd = { 'dupfind', 'lsp' }, filetypes = { 'markdown' } })
           vim.lsp.enable('dupfind')
  Helix:   [language-server.dupfind]
           command = \"dupfind\"
           args = [\"lsp\"]

FOLDER is relative to each folder that is open in the editor.

Exit status: 0 the editor has ended it, 2 an error, such as that the editor is gone";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct LspArgs {
    #[command(flatten)]
    pub(crate) live: LiveArgs,
}
groups!(LspArgs: live;
    fn start(&self) -> Option<&Path> {
        self.live.paths.first().map(PathBuf::as_path)
    }
);
