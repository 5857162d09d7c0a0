//! The arguments about which pairs count.

use std::path::PathBuf;

use crate::args::group::group;
use crate::args::values::globs::Pattern;

group! {
/// Which pairs count.
pub(crate) struct ScopeArgs in SCOPE {
    /// Compare only with the documents of PATH (repeatable)
    ///
    /// One collection against another: 'dupfind drafts --against published'. Neither side is compared with itself. A
    /// document that both sides have belongs to the first one.
    #[arg(long, value_name = "PATH")]
    pub(crate) against: Vec<PathBuf>,
}
with {
    pub(crate) within: WithinArgs,
}
}

group! {
/// Which documents are compared with each other.
pub(crate) struct WithinArgs in SCOPE {
    /// Compare only documents with the same {*} in the pattern, such as 'docs/{*}/'
    ///
    /// For versions and languages: --within 'docs/{*}/' compares docs/v1 with itself and docs/v2 with itself, --within
    /// '**/*.{*}.md' each language. {*} is a part of a path between slashes, or a part of it; * and ** may be beside it.
    /// Documents that do not match are compared with each other only.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) within: Option<Pattern>,
}
}
