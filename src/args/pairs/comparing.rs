//! The options about what is compared, and how.

use crate::args::documents::input::InputArgs;
use crate::args::documents::text::TextArgs;
use crate::args::group::groups;
use crate::args::pairs::detect::DetectArgs;

/// Which documents are compared, and how.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct ComparingArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}
groups!(ComparingArgs: input, engine);

/// How texts are compared.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct EngineArgs {
    #[command(flatten)]
    pub(crate) text: TextArgs,
    #[command(flatten)]
    pub(crate) detect: DetectArgs,
}
groups!(EngineArgs: text, detect);
