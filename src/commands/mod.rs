//! The commands: a folder each.

pub(crate) mod accept;
pub(crate) mod apply;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod dedup;
pub(crate) mod lsp;
pub(crate) mod mcp;
pub(crate) mod plan;
pub(crate) mod query;
pub(crate) mod reuse;
pub(crate) mod scan;
pub(crate) mod show;
