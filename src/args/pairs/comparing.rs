//! The arguments about what is compared, and how.

use crate::args::documents::input::InputArgs;
use crate::args::documents::text::TextArgs;
use crate::args::pairs::detect::DetectArgs;

/// Which documents are compared, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct ComparingArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

/// How texts are compared.
#[derive(Debug, clap::Args)]
pub(crate) struct EngineArgs {
    #[command(flatten)]
    pub(crate) text: TextArgs,
    #[command(flatten)]
    pub(crate) detect: DetectArgs,
}
