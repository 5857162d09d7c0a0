//! AsciiDoc to the text that a reader sees, line by line.
//!
//! There is no parser of it in Rust that says where things stand, so this reads lines: a delimited block ends
//! with the line that began it, and a paragraph with a blank one. Only the lines of a paragraph are read as one text,
//! since a link may begin on one of them and end on another. Titles, captions, link text,
//! alternative texts, footnotes, who is quoted, code and what passed HTML shows count. Other attributes, comments,
//! targets, anchors, conditions, included files and the lines of the authors and the version below the title
//! do not. What is unknown is text. Time is linear in the size.

use std::collections::{HashMap, HashSet};

use crate::read::extract::asciidoc::header::Header;
use crate::read::extract::html::fragment;

mod header;
mod inline;
#[cfg(test)]
mod tests;

/// Takes the content of a document and whether code is left out. Returns its text.
pub(super) fn extract(content: &str, skips_code: bool) -> String {
    let comments = content.lines().map(str::trim_end).enumerate();
    let comments =
        comments.filter(|(_, line)| line.starts_with("////") && delimiter(line).is_some());
    let mut reader = Reader {
        skips_code,
        out: String::with_capacity(content.len()),
        open: String::new(),
        attributes: content.lines().filter_map(attribute).collect(),
        last_comments: comments.map(|(number, line)| (line, number)).collect(),
        block: None,
        header: Header::Ahead,
        next: Next::Any,
        is_code: false,
        is_behind_blank: true,
        is_table: false,
        html: String::new(),
    };
    for (number, line) in content.split_inclusive('\n').enumerate() {
        reader.line(number, line.trim_end());
        if line.ends_with('\n') {
            if reader.is_passed() {
                &mut reader.html
            } else if reader.open.is_empty() {
                &mut reader.out
            } else {
                &mut reader.open
            }
            .push('\n');
        }
    }
    reader.pass();
    reader.end_open();
    reader.out
}

/// What stands between two equal lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Code,
    Comment,
    /// Formulas, as they are written.
    Formula,
    /// HTML that is passed through.
    Html,
    Table,
    /// Text like any other, in a frame.
    Text,
}

/// Takes a line and returns what it is the first or last line of.
fn delimiter(line: &str) -> Option<Inside> {
    let first = line.chars().next()?;
    let length = line.chars().take_while(|&c| c == first).count();
    let is_whole = length == line.chars().count();
    match first {
        '/' if is_whole && length >= 4 => Some(Inside::Comment),
        '-' | '.' if is_whole && length >= 4 => Some(Inside::Code),
        '`' if length == 3 && !line[3..].contains('`') => Some(Inside::Code),
        '+' if is_whole && length >= 4 => Some(Inside::Html),
        '=' | '*' | '_' if is_whole && length >= 4 => Some(Inside::Text),
        '-' if line == "--" => Some(Inside::Text),
        '|' | ',' | ':' | '!' if line.len() >= 4 && line[1..].bytes().all(|byte| byte == b'=') => {
            Some(Inside::Table)
        }
        _ => None,
    }
}

/// What attributes said that the next block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Any,
    Code,
    Formula,
}

#[derive(Debug)]
struct Reader<'c> {
    skips_code: bool,
    out: String,
    /// The lines of a paragraph, or of an item, that may go on in the next one.
    open: String,
    /// The names of the attributes that the document sets somewhere.
    attributes: HashSet<&'c str>,
    /// Where each delimiter of comments stands last: one that nothing closes opens none.
    last_comments: HashMap<&'c str, usize>,
    /// The line that closes a block in which nothing else is looked for.
    block: Option<(&'c str, Inside)>,
    header: Header,
    next: Next,
    /// Whether the paragraph is code, up to a blank line.
    is_code: bool,
    /// Whether the line before was blank, or the first is to come.
    is_behind_blank: bool,
    is_table: bool,
    html: String,
}

impl<'c> Reader<'c> {
    fn line(&mut self, number: usize, line: &'c str) {
        if let Some((closing, inside)) = self.block {
            if line == closing {
                self.pass();
                self.block = None;
            } else if inside == Inside::Html {
                self.html.push_str(line);
            } else if inside == Inside::Formula || (inside == Inside::Code && !self.skips_code) {
                self.out.push_str(line);
            }
            return;
        }
        let is_behind_blank = std::mem::replace(&mut self.is_behind_blank, line.is_empty());
        if line.is_empty() {
            self.end_open();
            self.header.blank();
            self.next = Next::Any;
            self.is_code = false;
            return;
        }
        if self.is_code && line != "+" {
            self.code(line);
            return;
        }
        if let Some(inside) = delimiter(line) {
            self.end_open();
            self.delimited(number, line, inside);
        } else if !self.is_meta(line) {
            self.text(line, is_behind_blank);
            return;
        }
        if !(line.starts_with('[') || line.starts_with('.')) {
            self.next = Next::Any;
            self.is_code = false;
        }
    }

    /// Ends the text that was open, and writes what a reader sees of it.
    fn end_open(&mut self) {
        if !self.open.is_empty() {
            inline::write(&self.open, &self.attributes, &mut self.out);
            self.open.clear();
        }
    }

    /// Writes a line of a paragraph that is code.
    fn code(&mut self, line: &str) {
        if !self.skips_code {
            self.out.push_str(line);
        }
    }

    fn delimited(&mut self, number: usize, line: &'c str, inside: Inside) {
        let inside = match inside {
            Inside::Text if self.next == Next::Code => Inside::Code,
            Inside::Html if self.next == Next::Formula => Inside::Formula,
            inside => inside,
        };
        if inside != Inside::Comment {
            self.header = Header::Behind;
        }
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

    /// Whether lines are kept until the HTML is complete.
    fn is_passed(&self) -> bool {
        matches!(self.block, Some((_, Inside::Html)))
    }

    /// Writes the text of HTML that was passed through.
    fn pass(&mut self) {
        let html = std::mem::take(&mut self.html);
        self.out.push_str(&fragment(&html, self.skips_code));
    }

    /// Reads a line that says something about others and is no text, or about which little is.
    fn is_meta(&mut self, line: &str) -> bool {
        // A comment does not end the paragraph in which it stands.
        if line.starts_with("//") && !line.starts_with("///") {
            return true;
        }
        if line == "+" || attribute(line).is_some() {
            self.end_open();
            return true;
        }
        if self.block_attributes(line) {
            return true;
        }
        let Some((name, target, inner)) = inline::block_macro(line) else {
            return false;
        };
        match name {
            "include" | "endif" | "ifeval" | "toc" | "video" | "audio" => self.end_open(),
            // `ifdef::name[text]` has its text on the same line.
            "ifdef" | "ifndef" => {
                self.end_open();
                inline::write(inner, &self.attributes, &mut self.out);
            }
            "image" => {
                self.end_open();
                self.out.push_str(inline::alternative(inner));
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
        self.end_open();
        if matches!(style, "source" | "listing" | "literal") || inner.starts_with(',') {
            self.next = Next::Code;
        } else if matches!(style, "stem" | "latexmath" | "asciimath") {
            self.next = Next::Formula;
        }
        if matches!(style, "quote" | "verse") {
            for (number, shown) in inline::attribution(inner).enumerate() {
                self.out.push_str(if number == 0 { "" } else { " " });
                inline::write(shown, &self.attributes, &mut self.out);
            }
        }
        true
    }

    /// Takes a line that is neither blank nor about others, and whether the one before was blank.
    fn text(&mut self, line: &str, is_behind_blank: bool) {
        if self.header.takes(line) {
            self.end_open();
            return;
        }
        let text = line.trim_start();
        let indent = line.len() - text.len();
        let title = text
            .strip_prefix('.')
            .filter(|title| !title.starts_with(['.', ' ']));
        let is_literal =
            indent > 0 && is_behind_blank && !self.is_table && title.is_none() && !is_item(text);
        if is_literal || (self.next == Next::Code && title.is_none()) {
            self.end_open();
            self.is_code = true;
            self.code(line);
            return;
        }
        let text = title.unwrap_or(text);
        let shown = without_marks(text);
        let is_row = self.is_table && shown.contains('|');
        if title.is_some() || shown.len() < text.len() || is_row {
            self.end_open();
        }
        let shown = shown.strip_suffix(" +").unwrap_or(shown);
        self.open.push_str(&line[..indent]);
        match is_row {
            true => self.open.push_str(&shown.replace('|', " ")),
            false => self.open.push_str(shown),
        }
        // The line of a title ends it, and a heading is one.
        if title.is_some() || text.starts_with('=') {
            self.end_open();
        }
    }
}

/// Takes a line and returns the name of the attribute that it sets: `:name: value`, `:!name:`.
fn attribute(line: &str) -> Option<&str> {
    let (name, value) = line.strip_prefix(':')?.split_once(':')?;
    let name = name.trim_matches('!');
    let is_name = name
        .chars()
        .all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    let is_set = !name.is_empty() && is_name && (value.is_empty() || value.starts_with(' '));
    is_set.then_some(name)
}

/// Whether a line begins an item of a list, which may be indented, as other text may not.
fn is_item(text: &str) -> bool {
    let is_term = |end: &str| text.ends_with(end) || text.contains(&format!("{end} "));
    without_marks(text).len() < text.len() || is_term("::") || is_term(";;")
}

/// A line without what makes it a title, an item or a note.
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
