//! AsciiDoc to the text that a reader sees, line by line.
//!
//! No parser of it in Rust returns places, so this reads lines: a delimited block ends with the line that
//! began it, and a paragraph with a blank line. The lines of a paragraph are read as one text, since a link may begin
//! on one of them and end on another.
//!
//! Titles, captions, link text, alternative texts, footnotes, code and passthroughs count. Other attributes, comments,
//! targets, anchors, conditions and included files do not. Unknown markup is text. Time is linear in the size.

use std::collections::HashMap;

use crate::extract::MarkedText;
use crate::extract::lined::{LineReader, Written};
use dupfind_engine::text::blocks::BlockKind;

mod inline;
#[cfg(test)]
mod tests;

/// Returns the text of a document. Code may be left out.
pub(super) fn extract(content: &str) -> MarkedText {
    let comments = content.lines().map(str::trim_end).enumerate();
    let comments = comments.filter(|(_, line)| {
        *line == "--" || (line.starts_with("////") && delimiter(line).is_some())
    });
    let reader = AsciidocReader {
        written: Written::new(content.len()),
        last_comments: comments.map(|(number, line)| (line, number)).collect(),
        block: None,
        next: None,
        open: None,
        length_of_title: None,
        is_in_attribute: false,
        is_behind_blank: true,
        is_table: false,
    };
    reader.read(content)
}

/// The text between two delimiters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Code,
    Comment,
    Table,
    /// Text like any other, in a frame.
    Text,
}

/// Returns which kind of block a line begins or ends.
fn delimiter(line: &str) -> Option<Inside> {
    let first = line.chars().next()?;
    let length = line.chars().take_while(|&c| c == first).count();
    let is_whole = length == line.chars().count();
    match first {
        '/' if is_whole && length >= 4 => Some(Inside::Comment),
        '-' | '.' | '+' if is_whole && length >= 4 => Some(Inside::Code),
        '`' if length == 3 && !line[3..].contains('`') => Some(Inside::Code),
        '=' | '*' | '_' if is_whole && length >= 4 => Some(Inside::Text),
        '-' if line == "--" => Some(Inside::Text),
        '|' | ',' | ':' | '!' if line.len() >= 4 && line[1..].bytes().all(|byte| byte == b'=') => {
            Some(Inside::Table)
        }
        _ => None,
    }
}

#[derive(Debug)]
struct AsciidocReader<'c> {
    written: Written,
    /// The number of the last line with each delimiter of comments. A delimiter that nothing closes opens no comment.
    last_comments: HashMap<&'c str, usize>,
    /// The line that closes the open block, if nothing else is looked for in it.
    block: Option<(&'c str, Inside)>,
    /// Whether the next block is code or a comment, by its attributes.
    next: Option<Inside>,
    /// Whether the paragraph is one of these, up to a blank line.
    open: Option<Inside>,
    /// How many characters the line before has, if a line below makes it a title.
    length_of_title: Option<usize>,
    /// Whether the value of an attribute goes on.
    is_in_attribute: bool,
    /// Whether the line before was blank, or there is none.
    is_behind_blank: bool,
    is_table: bool,
}

impl<'c> LineReader<'c> for AsciidocReader<'c> {
    fn written(&mut self) -> &mut Written {
        &mut self.written
    }

    fn end_paragraph(&mut self) {
        let paragraph = self.written.take_paragraph();
        inline::write(&paragraph, &mut self.written.text);
    }

    fn line(&mut self, number: usize, line: &'c str) {
        if let Some((closing, inside)) = self.block {
            return self.inside(line, closing, inside);
        }
        if self.is_in_attribute {
            self.is_in_attribute = goes_on(line);
            return;
        }
        let is_behind_blank = std::mem::replace(&mut self.is_behind_blank, line.is_empty());
        let length_of_title = self.length_of_title.take();
        if line.is_empty() {
            self.end_paragraph();
            self.next = None;
            self.open = None;
            return;
        }
        if let Some(inside) = self.open.filter(|_| line != "+") {
            if inside == Inside::Code {
                self.written.code(line);
            }
            return;
        }
        if length_of_title.is_some_and(|length| underlines(line, length)) {
            self.written.kind = BlockKind::Heading;
            self.end_paragraph();
        } else if let Some(inside) = delimiter(line) {
            self.end_paragraph();
            self.delimited(number, line, inside);
        } else if !self.is_meta(line) {
            self.text(line, is_behind_blank);
            return;
        }
        if !(line.starts_with('[') || line.starts_with('.')) {
            self.next = None;
            self.open = None;
        }
    }
}

impl<'c> AsciidocReader<'c> {
    /// Reads a line of a block in which nothing is looked for but the line that closes it.
    fn inside(&mut self, line: &str, closing: &str, inside: Inside) {
        match inside {
            _ if line == closing => self.block = None,
            Inside::Code => self.written.code(line),
            _ => {}
        }
    }

    /// Reads the first line of a block, or the last one of a block whose lines are read like any other.
    fn delimited(&mut self, number: usize, line: &'c str, inside: Inside) {
        let inside = match inside {
            Inside::Text => match self.next {
                Some(Inside::Comment) if line != "--" => Inside::Text,
                next => next.unwrap_or(Inside::Text),
            },
            inside => inside,
        };
        match inside {
            Inside::Text => {}
            Inside::Table => self.is_table = !self.is_table,
            Inside::Comment if self.last_comments.get(line) == Some(&number) => {}
            _ => {
                let closing = if line.starts_with('`') {
                    &line[..3]
                } else {
                    line
                };
                self.block = Some((closing, inside));
            }
        }
    }

    /// Reads a line that is about other lines: an attribute, a comment, a block macro. Returns whether it is one.
    fn is_meta(&mut self, line: &str) -> bool {
        // A comment does not end its paragraph.
        if line.starts_with("//") && !line.starts_with("///") {
            return true;
        }
        let is_attribute = attribute(line).is_some();
        if line == "+" || is_attribute {
            self.is_in_attribute = is_attribute && goes_on(line);
            self.end_paragraph();
            return true;
        }
        if self.block_attributes(line) {
            return true;
        }
        let Some((name, target, inner)) = inline::block_macro(line) else {
            return false;
        };
        match name {
            "include" | "endif" | "ifeval" | "toc" | "video" | "audio" => self.end_paragraph(),
            // `ifdef::name[text]` has its text on the same line.
            "ifdef" | "ifndef" => {
                self.end_paragraph();
                inline::write(inner, &mut self.written.text);
            }
            "image" => {
                self.end_paragraph();
                self.written.text.push_str(inline::alternative(inner));
            }
            _ => return target.is_empty() && inner.is_empty(),
        }
        true
    }

    /// Reads attributes of a block, or its anchor: `[source,rust]`, `[[id]]`.
    fn block_attributes(&mut self, line: &str) -> bool {
        let inner = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'));
        let Some(inner) = inner else {
            return false;
        };
        let first = inner.chars().next();
        let is_list = first.is_none_or(|c| c.is_alphanumeric() || "[#.%,'\"{_*".contains(c));
        if !is_list || inner.contains("](") {
            return false;
        }
        let style = inner
            .split([',', '%', '#', '.'])
            .next()
            .unwrap_or("")
            .trim();
        self.end_paragraph();
        if matches!(style, "source" | "listing" | "literal") || inner.starts_with(',') {
            self.next = Some(Inside::Code);
        } else if style == "comment" {
            self.next = Some(Inside::Comment);
        }
        true
    }

    /// Reads a line that is neither blank nor about other lines.
    fn text(&mut self, line: &str, is_behind_blank: bool) {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        let title = text
            .strip_prefix('.')
            .filter(|title| !title.starts_with(['.', ' ']));
        let is_literal =
            indent > 0 && is_behind_blank && !self.is_table && title.is_none() && !is_item(text);
        let literal = is_literal.then_some(Inside::Code);
        self.open = self.next.filter(|_| title.is_none()).or(literal);
        if let Some(inside) = self.open {
            self.end_paragraph();
            if inside == Inside::Code {
                self.written.code(line);
            }
            return;
        }
        let may_be_title = indent == 0 && title.is_none() && !self.is_table;
        if may_be_title && self.written.paragraph.is_empty() {
            self.length_of_title = Some(text.chars().count());
        }
        let text = title.unwrap_or(text);
        let shown = without_marks(text);
        let is_row = self.is_table && shown.contains('|');
        if title.is_some() || shown.len() < text.len() || is_row {
            self.end_paragraph();
        }
        let shown = shown.strip_suffix(" +").unwrap_or(shown);
        if self.written.paragraph.is_empty() {
            let mark = text.split(' ').next().unwrap_or_default();
            self.written.kind = match mark {
                _ if title.is_some() => BlockKind::Caption,
                _ if is_row => BlockKind::TableRow,
                _ if mark.starts_with('=') && shown.len() < text.len() => BlockKind::Heading,
                _ if mark.ends_with(':') => BlockKind::Paragraph,
                _ if shown.len() < text.len() => BlockKind::ListItem,
                _ => BlockKind::Paragraph,
            };
        }
        self.written.paragraph.push_str(&line[..indent]);
        match is_row {
            true => self.written.paragraph.push_str(&shown.replace('|', " ")),
            false => self.written.paragraph.push_str(shown),
        }
        // A title and a heading end with their line.
        if title.is_some() || text.starts_with('=') {
            self.end_paragraph();
        }
    }
}

/// Returns the name of the attribute that a line sets: `:name: value`, `:!name:`.
fn attribute(line: &str) -> Option<&str> {
    let (name, value) = line.strip_prefix(':')?.split_once(':')?;
    let name = name.trim_matches('!');
    let is_name = name
        .chars()
        .all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    let is_set = !name.is_empty() && is_name && (value.is_empty() || value.starts_with(' '));
    is_set.then_some(name)
}

/// Returns whether the value of an attribute goes on in the next line.
fn goes_on(line: &str) -> bool {
    line.ends_with(" \\")
}

/// Returns whether a line below one of so many characters makes it a title: a run of one mark, about as long.
fn underlines(line: &str, length: usize) -> bool {
    let first = line.chars().next().filter(|c| "=-~^+".contains(*c));
    first.is_some_and(|first| line.chars().all(|c| c == first))
        && line.len() > 1
        && line.len().abs_diff(length) <= 1
}

/// Returns whether a line begins an item of a list. Items may be indented, other text may not.
fn is_item(text: &str) -> bool {
    let is_term = |end: &str| text.ends_with(end) || text.contains(&format!("{end} "));
    without_marks(text).len() < text.len() || is_term("::") || is_term(";;")
}

/// Returns a line without the marks of a title, an item or a note.
fn without_marks(text: &str) -> &str {
    let first = text.chars().next().unwrap_or(' ');
    let rest = text.trim_start_matches(first);
    if matches!(first, '=' | '#' | '*' | '-' | '.') && rest.starts_with(' ') {
        return rest.trim_start();
    }
    if let Some((number, rest)) = text.split_once(' ') {
        let digits = number.trim_start_matches('<').trim_end_matches(['.', '>']);
        let is_number = digits.len() < number.len()
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        let is_note = matches!(
            number,
            "NOTE:" | "TIP:" | "IMPORTANT:" | "WARNING:" | "CAUTION:"
        );
        if is_number || is_note {
            return rest;
        }
    }
    text
}
