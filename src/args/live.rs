//! The arguments of programs that answer questions about a folder while it changes.

use std::path::PathBuf;

use crate::args::config::ConfigArgs;
use crate::args::documents::input::WalkArgs;
use crate::args::documents::reading::ReadingArgs;
use crate::args::group::groups;
use crate::args::pairs::comparing::EngineArgs;
use crate::args::pairs::gate::BaselineArgs;
use crate::args::pairs::scope::WithinArgs;
use crate::args::run::MemoryArgs;

/// How the documents below a folder are read and compared.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct CollectionArgs {
    #[command(flatten)]
    pub(crate) walk: WalkArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}
groups!(CollectionArgs: walk, reading, engine, memory, config);

/// The documents below a folder, and which of their pairs count.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct LiveArgs {
    /// The folder of the documents [default: the current folder]
    ///
    /// Nothing outside of it is read. The index of its documents is in '.dupfind' in this folder, which git ignores.
    #[arg(value_name = "FOLDER", num_args = 0..=1)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) collection: CollectionArgs,
    #[command(flatten)]
    pub(crate) within: WithinArgs,
    #[command(flatten)]
    pub(crate) baseline: BaselineArgs,
}
groups!(LiveArgs: collection, within, baseline);
