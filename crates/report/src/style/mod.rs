//! How reports for people look: the width and colours of a table, and how names, numbers and commands are written.

pub mod escape;
pub mod inert;
pub mod numbers;
pub mod shell;
pub(crate) mod wrap;

use anstyle::{AnsiColor, Style};

use dupfind_engine::Relation;

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

pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
const COPY: Style = AnsiColor::Red.on_default().bold();
const CLOSE: Style = AnsiColor::Yellow.on_default();
const PART: Style = AnsiColor::Cyan.on_default();

/// Returns text in a style, or plain without colours.
pub(crate) fn painted(style: Style, text: &str, has_colour: bool) -> String {
    if has_colour {
        format!("{style}{text}{style:#}")
    } else {
        text.to_owned()
    }
}

pub(crate) fn relation_style(relation: Relation) -> Style {
    match relation {
        Relation::Exact => COPY,
        Relation::Near => CLOSE,
        Relation::Contains => PART,
        Relation::Variant | Relation::Related => Style::new(),
        Relation::Template | Relation::Short => FAINT,
    }
}
