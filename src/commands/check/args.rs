//! The arguments of `dupfind check`.

use crate::args::comparing::ComparingArgs;
use crate::args::gate::{GateArgs, ScopeArgs};
use crate::args::input::IndexArgs;
use crate::args::output::ReportArgs;
use crate::args::running::RunningArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  A branch:   dupfind check docs --since origin/main
  A commit:   dupfind check --since HEAD
  A folder:   dupfind check docs --fail-on near
  Accepted:   dupfind accept --all docs && dupfind check docs
  In CI:      dupfind check docs --since origin/main -f sarif=dupfind.sarif -f html=dupfind.html
              dupfind check docs --since \"$CI_MERGE_REQUEST_DIFF_BASE_SHA\" -f gitlab=gl-code-quality-report.json

Exit status:
  0  nothing new
  1  something new: each page is listed, with its twin and the command that accepts the two
  2  an error: a wrong option, a file that cannot be read, nothing to compare";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) comparing: ComparingArgs,
    #[command(flatten)]
    pub(crate) index: IndexArgs,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    #[command(flatten)]
    pub(crate) gate: GateArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
