//! Arguments that several commands share, and the parsers of their values.

pub(crate) mod advice;
pub(crate) mod choice;
pub(crate) mod config;
pub(crate) mod globs;
pub(crate) mod headings;
pub(crate) mod input;
pub(crate) mod keep;
pub(crate) mod lang;
pub(crate) mod output;
pub(crate) mod program;
pub(crate) mod reading;
pub(crate) mod run;
pub(crate) mod similarity;
pub(crate) mod size;
pub(crate) mod text;
