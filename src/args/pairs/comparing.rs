//! The options about what is compared, and how.

use crate::args::documents::input::InputArgs;
use crate::args::documents::text::TextArgs;
use crate::args::group::groups;
use crate::args::pairs::detect::DetectArgs;

groups! {
    /// Which documents are compared, and how.
    pub(crate) struct ComparingArgs {
        input: InputArgs,
        engine: EngineArgs,
    }
}

groups! {
    /// How texts are compared.
    pub(crate) struct EngineArgs {
        text: TextArgs,
        detect: DetectArgs,
    }
}
