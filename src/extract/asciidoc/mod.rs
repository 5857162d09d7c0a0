//! AsciiDoc to the text that a reader sees, line by line.
//!
//! There is no parser of it in Rust that says where things stand, so this reads lines: a delimited block ends
//! with the line that began it, and that is all the state there is. Titles, captions, link text,
//! alternative texts, footnotes, who is quoted, code and what passed HTML shows count. Other attributes, comments,
//! targets, anchors, conditions, included files and the lines of the authors and the version below the title
//! do not. What is unknown is text. Time is linear in the size.

use std::collections::HashMap;

use crate::extract::asciidoc::header::Header;
use crate::extract::html::fragment;

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
        last_comments: comments.map(|(number, line)| (line, number)).collect(),
        block: None,
        header: Header::Ahead,
        is_code_next: false,
        is_table: false,
        html: String::new(),
    };
    for (number, line) in content.split_inclusive('\n').enumerate() {
        reader.line(number, line.trim_end());
        if line.ends_with('\n') {
            if reader.is_passed() {
                &mut reader.html
            } else {
                &mut reader.out
            }
            .push('\n');
        }
    }
    reader.pass();
    reader.out
}

/// What stands between two equal lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Code,
    Comment,
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

#[derive(Debug)]
struct Reader<'c> {
    skips_code: bool,
    out: String,
    /// Where each delimiter of comments stands last: one that nothing closes opens none.
    last_comments: HashMap<&'c str, usize>,
    /// The line that closes a block in which nothing else is looked for.
    block: Option<(&'c str, Inside)>,
    header: Header,
    /// Whether attributes said that the next block is code.
    is_code_next: bool,
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
            } else if inside == Inside::Code && !self.skips_code {
                self.out.push_str(line);
            }
            return;
        }
        if line.is_empty() {
            self.header.blank();
            self.is_code_next = false;
            return;
        }
        if let Some(inside) = delimiter(line) {
            self.delimited(number, line, inside);
        } else if !self.is_meta(line) {
            let is_skipped = self.is_code_next && self.skips_code;
            if !self.header.takes(line) && !is_skipped {
                self.text(line);
            }
            return;
        }
        if !(line.starts_with('[') || line.starts_with('.')) {
            self.is_code_next = false;
        }
    }

    fn delimited(&mut self, number: usize, line: &'c str, inside: Inside) {
        let inside = match inside {
            Inside::Text if self.is_code_next => Inside::Code,
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
        if line == "+" || (line.starts_with("//") && !line.starts_with("///")) {
            return true;
        }
        if attribute(line) || self.block_attributes(line) {
            return true;
        }
        let Some((name, target, inner)) = inline::block_macro(line) else {
            return false;
        };
        match name {
            "include" | "endif" | "ifeval" | "toc" | "video" | "audio" => {}
            // `ifdef::name[text]` has its text on the same line.
            "ifdef" | "ifndef" => inline::write(inner, &mut self.out),
            "image" => self.out.push_str(inline::alternative(inner)),
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
        if matches!(style, "source" | "listing" | "literal") || inner.starts_with(',') {
            self.is_code_next = true;
        }
        if matches!(style, "quote" | "verse") {
            for (number, shown) in inline::attribution(inner).enumerate() {
                self.out.push_str(if number == 0 { "" } else { " " });
                inline::write(shown, &mut self.out);
            }
        }
        true
    }

    fn text(&mut self, line: &str) {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        self.out.push_str(&line[..indent]);
        let title = text
            .strip_prefix('.')
            .filter(|title| !title.starts_with(['.', ' ']));
        let text = title.unwrap_or(text);
        let text = without_marks(text);
        let text = text.strip_suffix(" +").unwrap_or(text);
        if self.is_table && text.contains('|') {
            inline::write(&text.replace('|', " "), &mut self.out);
        } else {
            inline::write(text, &mut self.out);
        }
    }
}

/// Whether a line sets an attribute: `:name: value`, `:!name:`.
fn attribute(line: &str) -> bool {
    let Some((name, value)) = line.strip_prefix(':').and_then(|rest| rest.split_once(':')) else {
        return false;
    };
    let name = name.trim_matches('!');
    let is_name = name
        .chars()
        .all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    !name.is_empty() && is_name && (value.is_empty() || value.starts_with(' '))
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
