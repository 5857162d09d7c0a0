//! The arguments of `dupfind fingerprint`.

use std::path::{Path, PathBuf};

use crate::args::config::ConfigArgs;
use crate::args::documents::input::InputArgs;
use crate::args::documents::text::TextArgs;
use crate::args::group::groups;
use crate::args::output::OutputArgs;
use crate::args::run::RunArgs;
use crate::config::Configured;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Input:    dupfind fingerprint docs/a.md docs/b.md
  Text:     dupfind fingerprint docs --shingle-unit char
  Output:   dupfind fingerprint docs | jq -r '[.fingerprint, .path] | @tsv' | sort
  Running:  dupfind fingerprint docs --stats --quiet

Exit status: 0 it ran, 2 an error (everything that can be read is still printed)";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct FingerprintArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) text: TextArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}
groups!(FingerprintArgs: input, text, run, config);

impl Configured for FingerprintArgs {
    fn config(&mut self) -> &mut ConfigArgs {
        &mut self.config
    }

    fn start(&self) -> Option<&Path> {
        self.input.paths.first().map(PathBuf::as_path)
    }
}
