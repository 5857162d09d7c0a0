//! The arguments of `dupfind plan`.

use crate::args::comparing::ComparingArgs;
use crate::args::gate::{BaselineArgs, ScopeArgs};
use crate::args::keep::{KeepArgs, LinkedArgs};
use crate::args::output::OutputArgs;
use crate::args::running::RunningArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Input:      dupfind plan docs -o plan.jsonl
  Text:       dupfind plan docs --shingle-size 5 -o plan.jsonl
  Detection:  dupfind plan docs --min-containment 0.8 --drop exact,contains -o plan.jsonl
  Scope:      dupfind plan drafts --against published -o plan.jsonl
  Decision:   dupfind plan docs --keep in:docs/current,newest --drop exact,near -o plan.jsonl
              dupfind plan docs --keep field:weight:min -o plan.jsonl
  Output:     dupfind plan docs | jq -r 'select(.type == \"drop\") | [.drop, .keep] | @tsv'
  Running:    dupfind plan docs --threads 1 --stats

Lines of a plan:
  drop        'drop' goes for 'keep'. The measures are those of the two
  unresolved  'document' stays: it is like a document that goes, and not alike enough to the one
              that stays for that one
To change the plan, delete lines, or exchange the two names in a line. 'dupfind apply' checks it first.

Exit status:
  0  it ran, whether or not there is anything to drop
  2  an error: a wrong option, a path that does not exist, a file that cannot be read
     (everything else is still compared)";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(crate) comparing: ComparingArgs,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    #[command(flatten)]
    pub(crate) linked: LinkedArgs,
    #[command(flatten)]
    pub(crate) baseline: BaselineArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
