//! The visible parts of directives of reStructuredText.

use crate::extract::has_word;

/// The indented text below a directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Text like any other.
    Text,
    Code,
    /// Nothing that a reader sees.
    Nothing,
}

/// Options that a reader sees: alternative texts, titles, and the cells in the first row of a table.
pub(super) const SHOWN_OPTIONS: &str = "alt caption header subtitle title";

/// Directives without text.
const SILENT: &str = "bibliography codeauthor contents currentmodule default-role highlight include index meta \
                      module py:currentmodule py:module raw role sectionauthor sectnum tabularcolumns tags \
                      target-notes toctree unicode";

/// Directives whose argument is no text, while their content is.
const NAMED: &str = "class container cssclass figure grid highlights ifconfig image list-table-class only \
                     rst-class tab-set thumbnail video youtube";

/// Directives whose content is code. The argument is its language, or the file with it. The source of a graph is code
/// too.
const CODE: &str = "code code-block code-cell digraph doctest graph graphviz ipython jupyter-execute \
                    literalinclude parsed-literal plot productionlist prompt sourcecode testcleanup testcode \
                    testoutput testsetup";

/// Returns the name and the argument of a directive: `name:: argument`.
pub(super) fn directive(text: &str) -> Option<(&str, &str)> {
    let (name, argument) = text.split_once("::")?;
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '+'));
    let is_directive = is_name && (argument.is_empty() || argument.starts_with(' '));
    is_directive.then(|| (name, argument.trim()))
}

/// Returns the kind of the text below a directive.
pub(super) fn content(name: &str) -> Content {
    match name {
        _ if has_word(SILENT, name) => Content::Nothing,
        _ if has_word(CODE, name) => Content::Code,
        _ => Content::Text,
    }
}

/// Returns whether the argument of a directive is text.
pub(super) fn shows_argument(name: &str, content: Content) -> bool {
    content == Content::Text && !has_word(NAMED, name)
}
