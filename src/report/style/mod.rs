//! How reports for people look: the width and colours of a table, and how names, numbers and commands are written.

pub(crate) mod escape;
pub(crate) mod numbers;
pub(crate) mod paint;
pub(crate) mod shell;

use crate::clean::worklist::Order;

/// How the table is drawn.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TableStyle {
    /// Columns of the terminal; `None` if there is none, or its size is not known.
    pub(crate) width: Option<usize>,
    /// Whether somebody reads it in a terminal, where a long list is cut.
    pub(crate) is_terminal: bool,
    pub(crate) color: bool,
    /// How many entries, pairs and clusters to show at most.
    pub(crate) top: Option<usize>,
    /// The order of the worklist.
    pub(crate) order: Order,
    /// Whether all pairs are listed with their measures, and no worklist.
    pub(crate) lists_pairs: bool,
}
