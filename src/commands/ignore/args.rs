//! The arguments of `dupfind ignore`.

use crate::args::headings::DECISION;
use crate::commands::accept::args::reason;
use crate::input::one_pair::PairArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Input:      dupfind ignore docs/a.md docs/b.md docs --reason 'the same law in both countries'
  Scope:      dupfind ignore drafts/a.md b.md drafts --against . --reason 'the same law'
  Text:       dupfind ignore docs/a.md docs/b.md docs --shingle-size 5 --reason 'one licence'
  Detection:  dupfind ignore docs/a.md docs/b.md docs --min-jaccard 0.3 --reason 'one licence'
  Decision:   dupfind ignore docs/a.md docs/b.md docs --reason 'one licence' --dry-run
              dupfind ignore docs/a.md docs/b.md --remove
  Running:    dupfind ignore docs/a.md docs/b.md docs --reason 'one licence' --quiet

Exit status: 0 it is done, 2 an error (two documents that are no pair are one)";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct IgnoreArgs {
    #[command(flatten)]
    pub(crate) pair: PairArgs,

    /// Why the two may be alike
    #[arg(long, value_name = "TEXT", value_parser = reason, required_unless_present = "remove", help_heading = DECISION)]
    pub(crate) reason: Option<String>,

    /// Take it back: remove the rule of the two, as this command writes it
    #[arg(long, conflicts_with = "reason", help_heading = DECISION)]
    pub(crate) remove: bool,

    /// Print the lines, and write nothing
    #[arg(long, help_heading = DECISION)]
    pub(crate) dry_run: bool,
}
