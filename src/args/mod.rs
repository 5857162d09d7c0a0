//! Arguments that several commands share, and the parsers of their values.

pub(crate) mod config;
pub(crate) mod documents;
pub(crate) mod format;
pub(crate) mod group;
pub(crate) mod headings;
pub(crate) mod lang;
pub(crate) mod live;
pub(crate) mod output;
pub(crate) mod pairs;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod used;
pub(crate) mod values;
