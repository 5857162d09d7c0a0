//! The arguments of `dupfind scan`.

use crate::args::comparing::ComparingArgs;
use crate::args::gate::ScopeArgs;
use crate::args::input::IndexArgs;
use crate::args::output::{ListArgs, ReportArgs};
use crate::args::running::RunningArgs;

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct ScanArgs {
    #[command(flatten)]
    pub(crate) comparing: ComparingArgs,
    #[command(flatten)]
    pub(crate) index: IndexArgs,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    #[command(flatten)]
    pub(crate) list: ListArgs,
    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
