//! reStructuredText to the text that a reader sees, line by line.
//!
//! No parser of it in Rust returns places, so this reads lines: a directive, a comment or a literal block
//! ends with its indent. The lines of a paragraph are read as one text, since a link may begin on one of them and end
//! on another.
//!
//! Titles and contents of directives, the options that a reader sees, field lists and code count. Other options,
//! comments, targets, definitions of links, raw HTML, tables of contents, included files and the fields with which a
//! page begins do not. Unknown markup is text. Time is linear in the size.

use crate::extract::lined::{LineReader, Written};
use crate::extract::{MarkedText, has_word};
use dupfind_engine::text::blocks::BlockKind;

mod inline;
#[cfg(test)]
mod tests;

/// Returns the text of a document. Code may be left out.
pub(super) fn extract(content: &str) -> MarkedText {
    let reader = RstReader {
        written: Written::new(content.len()),
        block: None,
        options: None,
        is_head: true,
        paragraph: None,
        is_code_ahead: None,
        is_bare: false,
    };
    reader.read(content)
}

/// A block that goes on while lines are indented further than it.
#[derive(Debug, Clone, Copy)]
struct Block {
    indent: usize,
    content: Shown,
}

/// Where the options of a directive may be.
#[derive(Debug, Clone, Copy)]
struct Options {
    /// The indent of the directive.
    outer: usize,
    /// Whether any of them is text.
    are_shown: bool,
    /// The indent of the last option, and whether it is text. Lines that are indented further go on with it.
    last: Option<(usize, bool)>,
}

#[derive(Debug)]
struct RstReader {
    written: Written,
    block: Option<Block>,
    /// Where the options of the directive may be, up to a blank line.
    options: Option<Options>,
    /// Whether nothing but fields and comments was read so far.
    is_head: bool,
    /// The indent of the paragraph that goes on, if the line before was text.
    paragraph: Option<usize>,
    /// The indent of the paragraph behind which code is to follow.
    is_code_ahead: Option<usize>,
    /// Whether the line before was `..` alone. Indented lines below are a comment then, unless a blank line follows.
    is_bare: bool,
}

impl LineReader<'_> for RstReader {
    fn written(&mut self) -> &mut Written {
        &mut self.written
    }

    fn end_paragraph(&mut self) {
        let paragraph = self.written.take_paragraph();
        inline::write(&paragraph, true, &mut self.written.text);
    }

    fn line(&mut self, _number: usize, line: &str) {
        let text = line.trim_start();
        let is_bare = std::mem::take(&mut self.is_bare);
        if text.is_empty() {
            if is_bare {
                self.block = None;
            }
            self.end_paragraph();
            self.options = None;
            self.paragraph = None;
            return;
        }
        let indent = line.len() - text.len();
        if self.paragraph.is_none()
            && let Some(outer) = self.is_code_ahead.take()
            && indent > outer
        {
            self.block = Some(Block {
                indent: outer,
                content: Shown::Code,
            });
        }
        if let Some(block) = self.block {
            if indent > block.indent {
                self.end_paragraph();
                if !self.option(indent, text) {
                    self.options = None;
                    if block.content == Shown::Code {
                        self.written.code(line);
                    }
                }
                return;
            }
            self.block = None;
        }
        if self.option(indent, text) || self.explicit(indent, text) || self.field(indent, text) {
            return;
        }
        self.text(indent, text);
    }
}

impl RstReader {
    /// Reads an option of a directive, such as `:width: 100`, or a further line of one.
    fn option(&mut self, indent: usize, text: &str) -> bool {
        let options = self.options.take();
        let Some(mut options) = options.filter(|options| indent > options.outer) else {
            return false;
        };
        let goes_on = options.last.filter(|&(column, _)| indent > column);
        let (value, is_shown) = match (goes_on, field(text)) {
            (Some((_, is_shown)), _) => (text, is_shown),
            (None, Some((name, value))) => {
                let is_shown = options.are_shown && has_word(SHOWN_OPTIONS, name);
                options.last = Some((indent, is_shown));
                (value, is_shown)
            }
            (None, None) => {
                // An argument may go on before the first option. Behind an option the content begins.
                self.options = Some(options).filter(|options| options.last.is_none());
                return false;
            }
        };
        self.options = Some(options);
        self.end_paragraph();
        if is_shown {
            inline::write(value, true, &mut self.written.text);
        }
        true
    }

    /// Reads a construct that begins with two dots: a directive, a definition or a comment.
    fn explicit(&mut self, indent: usize, text: &str) -> bool {
        if text.starts_with("__ ") {
            return true;
        }
        let Some(rest) = text.strip_prefix("..") else {
            return false;
        };
        if !rest.is_empty() && !rest.starts_with([' ', '\t']) {
            return false;
        }
        let rest = rest.trim_start();
        self.end_paragraph();
        self.paragraph = None;
        self.is_code_ahead = None;
        let silent = Block {
            indent,
            content: Shown::Nothing,
        };
        if rest.starts_with('[') {
            // A footnote or a citation, whose name is in brackets.
            let text = rest.split_once(']').map_or(rest, |(_, text)| text);
            self.is_head = false;
            self.written.paragraph.push_str(text.trim_start());
            return true;
        }
        // What a substitution replaces is not shown here.
        let is_substitution = rest.starts_with('|') && rest[1..].contains("| ");
        match directive(rest).filter(|_| !is_substitution) {
            Some((name, argument)) => self.directive(indent, name, argument),
            // A comment, a target or a substitution.
            None => {
                self.is_bare = rest.is_empty();
                self.block = Some(silent);
            }
        }
        true
    }

    fn directive(&mut self, indent: usize, name: &str, argument: &str) {
        let content = content(name);
        self.options = Some(Options {
            outer: indent,
            are_shown: content != Shown::Nothing,
            last: None,
        });
        if content != Shown::Text {
            self.block = Some(Block { indent, content });
        }
        self.is_head &= content == Shown::Nothing;
        if shows_argument(name, content) {
            self.written.paragraph.push_str(argument);
        }
    }

    /// Reads a field of a list, such as `:Author: name`.
    fn field(&mut self, indent: usize, text: &str) -> bool {
        let Some((name, value)) = field(text) else {
            return false;
        };
        self.end_paragraph();
        self.paragraph = None;
        if self.is_head && indent == 0 {
            self.block = Some(Block {
                indent,
                content: Shown::Nothing,
            });
            return true;
        }
        self.written.begin(BlockKind::ListItem);
        self.written.text.push_str(name);
        self.written.text.push(' ');
        self.text(indent, value);
        true
    }

    fn text(&mut self, indent: usize, text: &str) {
        let goes_on = self.paragraph.replace(indent).is_some();
        if text == "::" {
            self.is_code_ahead = Some(indent);
        }
        // Below a title of few letters the line is as short.
        if is_line(text) || (goes_on && is_same_mark(text)) {
            if goes_on
                && !text.starts_with('+')
                && !self.written.paragraph.trim_end().contains('\n')
            {
                self.written.kind = BlockKind::Heading;
            }
            self.end_paragraph();
            return;
        }
        self.is_head = false;
        self.is_code_ahead = None;
        let shown = match text.strip_suffix("::") {
            Some(shown) => {
                self.is_code_ahead = Some(indent);
                shown
            }
            None => text,
        };
        let item = without_bullet(shown);
        if item.len() < shown.len() || is_row(shown) {
            self.end_paragraph();
        }
        if is_row(shown) {
            self.written.begin(BlockKind::TableRow);
            let cells = shown.trim_matches('|').split('|').map(str::trim);
            for (number, cell) in cells.enumerate() {
                self.written
                    .text
                    .push_str(if number == 0 { "" } else { " " });
                inline::write(cell, false, &mut self.written.text);
            }
        } else {
            if self.written.paragraph.is_empty() {
                self.written.kind = match item.len() < shown.len() {
                    true => BlockKind::ListItem,
                    false => BlockKind::Paragraph,
                };
            }
            self.written.paragraph.push_str(item);
        }
    }
}

/// Returns the name and the value of a field: `:name: value`.
pub(super) fn field(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix(':')?;
    let end = rest.find(':')?;
    let (name, value) = (&rest[..end], &rest[end + 1..]);
    let is_name =
        !name.is_empty() && !name.starts_with(' ') && !name.ends_with(' ') && !name.contains('`');
    // `:role:`text`` is no field.
    let is_field = is_name && (value.is_empty() || value.starts_with(' '));
    is_field.then(|| (name, value.trim()))
}

/// Returns whether a line is one mark, again and again.
fn is_same_mark(text: &str) -> bool {
    let first = text.chars().next().unwrap_or(' ');
    first.is_ascii_punctuation() && text.chars().all(|c| c == first)
}

/// Returns whether a line is drawn: below or above a title, between paragraphs, or around the cells of a table.
fn is_line(text: &str) -> bool {
    let is_border = |marks: [char; 4]| text.chars().all(|c| marks.contains(&c));
    // Alone, `...` and `::` have other meanings.
    (is_same_mark(text) && (text.len() >= 3 || text == "::"))
        || (text.len() >= 3
            && (is_border(['=', ' ', '=', '='])
                || (text.starts_with('+') && is_border(['+', '-', '=', '|']))))
}

/// Returns whether a line is a row of a drawn table.
fn is_row(text: &str) -> bool {
    text.len() > 1 && text.starts_with('|') && (text.ends_with('|') || text.ends_with('+'))
}

/// Returns a line without the mark of an item or of a line block.
fn without_bullet(text: &str) -> &str {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marks = [Some(text), text.get(digits..).filter(|_| digits > 0)];
    match marks {
        [_, Some(rest)] if rest.starts_with(". ") || rest.starts_with(") ") => {
            rest[2..].trim_start()
        }
        [Some(text), _] if text.starts_with(['*', '-', '+', '|', '•']) => {
            let mut rest = text.chars();
            rest.next();
            let rest = rest.as_str();
            match rest.strip_prefix(' ') {
                // A cell of a list that is a table.
                Some(rest) => rest
                    .trim_start()
                    .strip_prefix("- ")
                    .unwrap_or(rest.trim_start()),
                None => text,
            }
        }
        _ => text,
    }
}

/// The indented text below a directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
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
const NAMED: &str = "class container cssclass div figure figure-md grid highlights ifconfig image list-table-class only \
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
pub(super) fn content(name: &str) -> Shown {
    match name {
        _ if has_word(SILENT, name) => Shown::Nothing,
        _ if has_word(CODE, name) => Shown::Code,
        _ => Shown::Text,
    }
}

/// Returns whether the argument of a directive is text.
pub(super) fn shows_argument(name: &str, content: Shown) -> bool {
    content == Shown::Text && !has_word(NAMED, name)
}
