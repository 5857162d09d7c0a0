//! reStructuredText to the text that a reader sees, line by line.
//!
//! There is no parser of it in Rust that says where things stand, so this reads lines: what a directive, a comment
//! or a literal block is ends with its indent, and that is all the state there is. Titles and contents
//! of directives, captions, alternative texts, field lists and code count. Options, comments, targets, definitions
//! of links, tables of contents and included files do not, and neither do the fields with which a page begins.
//! What is unknown is text. Time is linear in the size.

mod inline;
#[cfg(test)]
mod tests;

/// Directives of which nothing is text.
const SILENT: [&str; 23] = [
    "bibliography",
    "codeauthor",
    "contents",
    "currentmodule",
    "default-role",
    "highlight",
    "include",
    "index",
    "ifconfig",
    "literalinclude",
    "meta",
    "module",
    "py:currentmodule",
    "py:module",
    "raw",
    "role",
    "sectionauthor",
    "sectnum",
    "tabularcolumns",
    "tags",
    "target-notes",
    "toctree",
    "unicode",
];

/// Directives whose argument is no text, while their content is.
const NAMED: [&str; 16] = [
    "class",
    "container",
    "cssclass",
    "figure",
    "graphviz",
    "grid",
    "highlights",
    "image",
    "list-table-class",
    "math",
    "only",
    "rst-class",
    "tab-set",
    "thumbnail",
    "video",
    "youtube",
];

/// Directives whose content is code; the argument is its language.
const CODE: [&str; 15] = [
    "code",
    "code-block",
    "code-cell",
    "doctest",
    "ipython",
    "jupyter-execute",
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

/// The option of an image that is text.
const ALTERNATIVE: &str = "alt";

/// Takes the content of a document and whether code is left out. Returns its text.
pub(super) fn extract(content: &str, skips_code: bool) -> String {
    let mut reader = Reader {
        skips_code,
        out: String::with_capacity(content.len()),
        block: None,
        options: None,
        is_head: true,
        paragraph: None,
        is_code_ahead: None,
        is_session: false,
    };
    for line in content.split_inclusive('\n') {
        reader.line(line.trim_end());
        if line.ends_with('\n') {
            reader.out.push('\n');
        }
    }
    reader.out
}

/// A block that goes on while lines are indented further than it.
#[derive(Debug, Clone, Copy)]
struct Block {
    indent: usize,
    /// Whether it is code, or nothing that counts.
    is_code: bool,
}

#[derive(Debug)]
struct Reader {
    skips_code: bool,
    out: String,
    block: Option<Block>,
    /// The indent of the directive whose options may follow.
    options: Option<usize>,
    /// Whether nothing but fields and comments was read so far.
    is_head: bool,
    /// The indent of the paragraph that goes on, if the line before was text.
    paragraph: Option<usize>,
    /// The indent of the paragraph behind which code is to follow.
    is_code_ahead: Option<usize>,
    /// Whether a session of an interpreter goes on, up to a blank line.
    is_session: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let text = line.trim_start();
        if text.is_empty() {
            self.options = None;
            self.paragraph = None;
            self.is_session = false;
            return;
        }
        let indent = line.len() - text.len();
        if self.paragraph.is_none()
            && let Some(outer) = self.is_code_ahead.take()
            && indent > outer
        {
            self.block = Some(Block {
                indent: outer,
                is_code: true,
            });
        }
        if let Some(block) = self.block {
            if indent > block.indent {
                if block.is_code && !self.option(indent, text) && !self.skips_code {
                    self.out.push_str(line);
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

    /// Reads an option of a directive, such as `:width: 100`.
    fn option(&mut self, indent: usize, text: &str) -> bool {
        if self.options.is_none_or(|outer| indent <= outer) {
            self.options = None;
            return false;
        }
        let Some((name, value)) = field(text) else {
            // A long option goes on, and so does an argument; only the latter is text.
            self.options = None;
            return false;
        };
        if name == ALTERNATIVE {
            inline::write(value, true, &mut self.out);
        }
        true
    }

    /// Reads what begins with two dots: a directive, a definition or a comment.
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
        self.paragraph = None;
        let silent = Block {
            indent,
            is_code: false,
        };
        if rest.starts_with('[') {
            // A footnote or a citation, whose name stands in brackets.
            let text = rest.split_once(']').map_or(rest, |(_, text)| text);
            self.is_head = false;
            inline::write(text.trim_start(), true, &mut self.out);
            return true;
        }
        let rest = match rest
            .strip_prefix('|')
            .and_then(|rest| rest.split_once("| "))
        {
            Some((_, directive)) => directive,
            None => rest,
        };
        match directive(rest) {
            Some((name, argument)) => self.directive(indent, name, argument),
            // A comment, a target or, without a word, nothing.
            None if rest.is_empty() => {}
            None => self.block = Some(silent),
        }
        true
    }

    fn directive(&mut self, indent: usize, name: &str, argument: &str) {
        self.options = Some(indent);
        if SILENT.contains(&name) {
            self.block = Some(Block {
                indent,
                is_code: false,
            });
            return;
        }
        self.is_head = false;
        if CODE.contains(&name) {
            self.block = Some(Block {
                indent,
                is_code: true,
            });
        } else if !NAMED.contains(&name) || name == "math" {
            inline::write(argument, true, &mut self.out);
        }
    }

    /// Reads a field of a list, such as `:Author: name`.
    fn field(&mut self, indent: usize, text: &str) -> bool {
        let Some((name, value)) = field(text) else {
            return false;
        };
        self.paragraph = None;
        if self.is_head && indent == 0 {
            self.block = Some(Block {
                indent,
                is_code: false,
            });
            return true;
        }
        self.out.push_str(name);
        self.out.push(' ');
        self.text(indent, value);
        true
    }

    fn text(&mut self, indent: usize, text: &str) {
        let goes_on = self.paragraph.replace(indent).is_some();
        if text == "::" {
            self.is_code_ahead = Some(indent);
        }
        // Below a short title a line is short.
        if is_line(text) || (goes_on && is_same_mark(text)) {
            return;
        }
        self.is_head = false;
        if self.skips_code && !goes_on && text.starts_with(">>> ") {
            self.is_session = true;
        }
        if self.is_session {
            return;
        }
        self.is_code_ahead = None;
        let shown = match text.strip_suffix("::") {
            Some(shown) => {
                self.is_code_ahead = Some(indent);
                shown
            }
            None => text,
        };
        if is_row(shown) {
            let cells = shown.trim_matches('|').split('|').map(str::trim);
            for (number, cell) in cells.enumerate() {
                self.out.push_str(if number == 0 { "" } else { " " });
                inline::write(cell, false, &mut self.out);
            }
        } else {
            inline::write(without_bullet(shown), true, &mut self.out);
        }
    }
}

/// The name and the value of a field: `:name: value`.
fn field(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix(':')?;
    let end = rest.find(':')?;
    let (name, value) = (&rest[..end], &rest[end + 1..]);
    let is_name =
        !name.is_empty() && !name.starts_with(' ') && !name.ends_with(' ') && !name.contains('`');
    // `:role:`text`` is no field.
    let is_field = is_name && (value.is_empty() || value.starts_with(' '));
    is_field.then(|| (name, value.trim()))
}

/// The name and the argument of a directive: `name:: argument`.
fn directive(text: &str) -> Option<(&str, &str)> {
    let (name, argument) = text.split_once("::")?;
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '+'));
    let is_directive = is_name && (argument.is_empty() || argument.starts_with(' '));
    is_directive.then(|| (name, argument.trim()))
}

/// Whether a line is nothing but one mark, again and again.
fn is_same_mark(text: &str) -> bool {
    let first = text.chars().next().unwrap_or(' ');
    first.is_ascii_punctuation() && text.chars().all(|c| c == first)
}

/// Whether a line is drawn: below or above a title, between paragraphs, or around the cells of a table.
fn is_line(text: &str) -> bool {
    let is_border = |marks: [char; 4]| text.chars().all(|c| marks.contains(&c));
    // `...` and `::` alone mean something else, or nothing.
    (is_same_mark(text) && (text.len() >= 3 || text == "::"))
        || (text.len() >= 3
            && (is_border(['=', ' ', '=', '='])
                || (text.starts_with('+') && is_border(['+', '-', '=', '|']))))
}

/// Whether a line is a row of a table that is drawn.
fn is_row(text: &str) -> bool {
    text.len() > 1 && text.starts_with('|') && (text.ends_with('|') || text.ends_with('+'))
}

/// A line without the mark of an item or of a line block.
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
