//! The headings that the help groups options by.

pub(crate) const INPUT: &str = "Input";
pub(crate) const TEXT: &str = "Text";
pub(crate) const DETECTION: &str = "Detection";
pub(crate) const SCOPE: &str = "Scope";
pub(crate) const DECISION: &str = "Decision";
pub(crate) const STREAM: &str = "Stream";
pub(crate) const OUTPUT: &str = "Output";
pub(crate) const GATE: &str = "Gate";
pub(crate) const RUNNING: &str = "Running";
