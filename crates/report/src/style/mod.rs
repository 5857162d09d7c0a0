//! How reports for people look: the width and colours of a table, and how names, numbers and commands are written.

pub mod escape;
pub mod inert;
pub mod numbers;
pub(crate) mod paint;
pub mod shell;
pub(crate) mod wrap;

/// How the table is drawn.
#[derive(Debug, Clone, Copy, Default)]
pub struct TableStyle {
    /// Columns of the terminal; `None` if there is none, or its size is not known.
    pub width: Option<usize>,
    /// Whether somebody reads it in a terminal, where a long list is cut.
    pub is_terminal: bool,
    /// Whether to write colours.
    pub color: bool,
    /// How many entries, pairs and clusters to show at most.
    pub top: Option<usize>,
}
