//! The arguments of programs that answer questions about a folder while it changes.

use std::path::PathBuf;

use crate::args::config::ConfigArgs;
use crate::args::documents::input::WalkArgs;
use crate::args::documents::reading::ReadingArgs;
use crate::args::headings::DECISION;
use crate::args::pairs::comparing::EngineArgs;
use crate::args::pairs::gate::GateArgs;
use crate::args::pairs::scope::ScopeArgs;
use crate::args::run::MemoryArgs;

/// The documents below a folder, and which of their pairs count.
#[derive(Debug, clap::Args)]
#[command(mut_args(without_runs))]
pub(crate) struct LiveArgs {
    /// The folder of the documents [default: the current folder]
    ///
    /// Nothing outside of it is read. The index of its documents is in '.dupfind' in this folder, which git ignores.
    #[arg(value_name = "FOLDER", num_args = 0..=1)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) walk: WalkArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,

    /// File of accepted pairs in FOLDER, if it is there
    #[arg(long, value_name = "FILE", default_value = GateArgs::ACCEPTED, help_heading = DECISION)]
    pub(crate) baseline: PathBuf,

    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// Hides the options that are about one run.
fn without_runs(arg: clap::Arg) -> clap::Arg {
    let is_of_a_run = ["against", "changed_since", "cluster_on"];
    let is_hidden = is_of_a_run.contains(&arg.get_id().as_str());
    if is_hidden { arg.hide(true) } else { arg }
}
