//! The arguments of programs that answer questions about a folder while it changes.

use std::path::{Path, PathBuf};

use crate::args::config::ConfigArgs;
use crate::args::documents::input::WalkArgs;
use crate::args::documents::reading::ReadingArgs;
use crate::args::group::groups;
use crate::args::pairs::comparing::EngineArgs;
use crate::args::pairs::gate::BaselineArgs;
use crate::args::pairs::scope::WithinArgs;
use crate::args::run::MemoryArgs;

groups! {
    /// How the documents below a folder are read and compared.
    pub(crate) struct CollectionArgs {
        walk: WalkArgs,
        reading: ReadingArgs,
        engine: EngineArgs,
        memory: MemoryArgs,
        config: ConfigArgs,
    }
}

groups! {
    /// The documents below a folder, and which of their pairs count.
    pub(crate) struct LiveArgs {
        collection: CollectionArgs,
        within: WithinArgs,
        baseline: BaselineArgs,
    }
    beside {
        /// The folder of the documents [default: the current folder]
        ///
        /// Nothing outside of it is read. The index of its documents is in '.dupfind' in this folder, which git ignores.
        #[arg(value_name = "FOLDER", num_args = 0..=1)]
        pub(crate) paths: Vec<PathBuf>,
    }
    own {
        fn start(&self) -> Option<&Path> {
            self.paths.first().map(PathBuf::as_path)
        }
    }
}
