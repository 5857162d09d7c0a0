//! Colours for a terminal.

use anstyle::{AnsiColor, Style};

use dupfind_engine::verdict::Relation;

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
