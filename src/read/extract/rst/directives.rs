//! What a reader sees of a directive of reStructuredText.

/// What stands indented below a directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Text like any other.
    Text,
    Code,
    /// HTML that is passed through.
    Html,
    /// Names of pages, of which some have a title.
    Entries,
    /// Nothing that a reader sees.
    Nothing,
}

/// Options that a reader sees: alternative texts, titles, and the cells in the first row of a table.
pub(super) const SHOWN_OPTIONS: [&str; 5] = ["alt", "caption", "header", "subtitle", "title"];

/// Directives of which nothing is text.
const SILENT: [&str; 19] = [
    "bibliography",
    "codeauthor",
    "contents",
    "currentmodule",
    "default-role",
    "highlight",
    "include",
    "index",
    "meta",
    "module",
    "py:currentmodule",
    "py:module",
    "role",
    "sectionauthor",
    "sectnum",
    "tabularcolumns",
    "tags",
    "target-notes",
    "unicode",
];

/// Directives whose argument is no text, while their content is.
const NAMED: [&str; 15] = [
    "class",
    "container",
    "cssclass",
    "figure",
    "grid",
    "highlights",
    "ifconfig",
    "image",
    "list-table-class",
    "only",
    "rst-class",
    "tab-set",
    "thumbnail",
    "video",
    "youtube",
];

/// Directives whose content is code; the argument is its language, or the file in which it is. What a graph is drawn
/// from is code too.
const CODE: [&str; 19] = [
    "code",
    "code-block",
    "code-cell",
    "digraph",
    "doctest",
    "graph",
    "graphviz",
    "ipython",
    "jupyter-execute",
    "literalinclude",
    "parsed-literal",
    "plot",
    "productionlist",
    "prompt",
    "sourcecode",
    "testcleanup",
    "testcode",
    "testoutput",
    "testsetup",
];

/// The name and the argument of a directive: `name:: argument`.
pub(super) fn directive(text: &str) -> Option<(&str, &str)> {
    let (name, argument) = text.split_once("::")?;
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '+'));
    let is_directive = is_name && (argument.is_empty() || argument.starts_with(' '));
    is_directive.then(|| (name, argument.trim()))
}

/// Takes the name and the argument of a directive.
pub(super) fn content(name: &str, argument: &str) -> Content {
    match name {
        "toctree" => Content::Entries,
        // Of the formats for which it is written only HTML is shown here: what is for LaTeX alone says the same again.
        "raw" if argument.split_whitespace().any(|format| format == "html") => Content::Html,
        "raw" => Content::Nothing,
        _ if SILENT.contains(&name) => Content::Nothing,
        _ if CODE.contains(&name) => Content::Code,
        _ => Content::Text,
    }
}

/// Takes the name of a directive and what its content is.
pub(super) fn shows_argument(name: &str, content: Content) -> bool {
    content == Content::Text && !NAMED.contains(&name)
}
