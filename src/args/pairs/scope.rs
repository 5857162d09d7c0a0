//! The arguments about which pairs count.

use std::path::PathBuf;

use crate::args::headings::SCOPE;
use crate::args::values::globs;

/// Which pairs count.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ScopeArgs {
    /// Compare with the documents of PATH; neither side is compared with itself (repeatable)
    ///
    /// One collection against another: 'dupfind scan drafts --against published'. A document that both
    /// sides have belongs to the first one. PATH may be an index of 'dupfind index'.
    #[arg(long, value_name = "PATH", help_heading = SCOPE)]
    pub(crate) against: Vec<PathBuf>,

    /// Compare only documents that have the same value for {*} in the pattern
    ///
    /// For versions and languages: --within 'docs/{*}/' compares docs/v1 with itself and docs/v2 with itself, --within
    /// '**/*.{*}.md' each language. {*} is a part of a path between slashes, or a part of it; * and ** may be beside it.
    /// Documents that do not match are compared with each other only.
    #[arg(long, value_name = "PATTERN", value_parser = globs::pattern, help_heading = SCOPE)]
    pub(crate) within: Option<String>,

    /// Report only pairs in which a document was changed since a git revision
    ///
    /// A file is changed if it differs from the commit where the current branch left REF, or if it is untracked. A file
    /// that was only renamed is not changed. In files of records, lines are compared.
    #[arg(long, value_name = "REF", help_heading = SCOPE)]
    pub(crate) changed_since: Option<String>,
}
