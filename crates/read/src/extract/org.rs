//! Org to the text that a reader sees, line by line.
//!
//! Headings, titles, captions, items, tables, the text of links and code count. Settings, drawers, comments, dates,
//! targets and tags do not. Unknown markup is text.

use crate::extract::MarkedText;
use crate::extract::paragraphs::{LineReader, Written, write_inline};
use dupfind_engine::text::blocks::BlockKind;

/// Returns the text of a document. Code may be left out.
pub(super) fn extract(content: &str, skips_code: bool) -> MarkedText {
    let reader = Reader {
        written: Written::new(skips_code, content.len()),
        block: None,
        is_drawer: false,
    };
    reader.read(content)
}

#[derive(Debug)]
struct Reader<'c> {
    written: Written,
    /// The name of the open block in which no markup is looked for, and whether it is a comment.
    block: Option<(&'c str, bool)>,
    is_drawer: bool,
}

impl<'c> LineReader<'c> for Reader<'c> {
    fn written(&mut self) -> &mut Written {
        &mut self.written
    }

    fn end_paragraph(&mut self) {
        let paragraph = self.written.take_paragraph();
        let out = &mut self.written.text;
        write_inline(&paragraph, out, construct);
    }

    fn line(&mut self, _: usize, line: &'c str) {
        let text = line.trim_start();
        if let Some((name, is_comment)) = self.block {
            let is_end = strip(text, "#+end_").is_some_and(|end| end.eq_ignore_ascii_case(name));
            match () {
                () if is_end => self.block = None,
                () if !is_comment => self.written.code(line),
                () => {}
            }
            return;
        }
        if self.is_drawer {
            self.is_drawer = !text.eq_ignore_ascii_case(":end:");
            return;
        }
        let drawer = text
            .strip_prefix(':')
            .and_then(|name| name.strip_suffix(':'));
        if text.is_empty() || text == "#" || text.starts_with("# ") {
            self.end_paragraph();
        } else if drawer.is_some_and(|name| !name.is_empty() && !name.contains(char::is_whitespace))
        {
            self.end_paragraph();
            self.is_drawer = true;
        } else if let Some(setting) = text.strip_prefix("#+") {
            self.setting(setting);
        } else if ["SCHEDULED:", "DEADLINE:", "CLOSED:"]
            .iter()
            .any(|word| text.starts_with(word))
        {
            self.end_paragraph();
        } else {
            self.text(line, text);
        }
    }
}

impl<'c> Reader<'c> {
    fn setting(&mut self, setting: &'c str) {
        self.end_paragraph();
        if let Some(begun) = strip(setting, "begin_") {
            let name = begun.split_whitespace().next().unwrap_or_default();
            let is = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
            if is(&["src", "example"]) || is(&["comment", "export"]) {
                self.block = Some((name, is(&["comment", "export"])));
            }
            return;
        }
        for (name, kind) in [
            ("title:", BlockKind::Heading),
            ("subtitle:", BlockKind::Heading),
            ("caption:", BlockKind::Caption),
        ] {
            if let Some(value) = strip(setting, name) {
                self.written.kind = kind;
                self.written.paragraph.push_str(value.trim());
                self.end_paragraph();
            }
        }
    }

    fn text(&mut self, line: &str, text: &str) {
        let stars = line.len() - line.trim_start_matches('*').len();
        if stars > 0 && line[stars..].starts_with(' ') {
            self.end_paragraph();
            self.written.kind = BlockKind::Heading;
            self.written.paragraph.push_str(heading(&line[stars..]));
            self.end_paragraph();
        } else if let Some(row) = text.strip_prefix('|') {
            self.end_paragraph();
            if !row.starts_with('-') {
                self.written.kind = BlockKind::TableRow;
                self.written.paragraph.push_str(&row.replace('|', " "));
            }
        } else if let Some(item) = item(text) {
            self.end_paragraph();
            self.written.kind = BlockKind::ListItem;
            self.written.paragraph.push_str(item);
        } else if text == ":" || text.starts_with(": ") {
            self.end_paragraph();
            self.written.code(text[1..].trim_start());
        } else {
            self.written.paragraph.push_str(line);
        }
    }
}

/// Returns a text without the words with which it begins, in any case.
fn strip<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let begun = text.get(..start.len())?;
    begun
        .eq_ignore_ascii_case(start)
        .then(|| &text[start.len()..])
}

/// Returns the text of a heading without its state, its priority and its tags.
fn heading(text: &str) -> &str {
    let mut text = text.trim();
    for state in ["TODO ", "DONE "] {
        text = text.strip_prefix(state).unwrap_or(text).trim_start();
    }
    if let Some((_, rest)) = text
        .strip_prefix("[#")
        .and_then(|rest| rest.split_once(']'))
    {
        text = rest.trim_start();
    }
    match text.rsplit_once(' ') {
        Some((title, tags)) if tags.len() > 2 && tags.starts_with(':') && tags.ends_with(':') => {
            title
        }
        _ => text,
    }
}

/// Returns the text of an item of a list.
fn item(text: &str) -> Option<&str> {
    let (mark, rest) = text.split_once(' ')?;
    let number = mark.strip_suffix(['.', ')']).unwrap_or_default();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number && !matches!(mark, "-" | "+" | "*") {
        return None;
    }
    let boxes = ["[ ] ", "[X] ", "[-] "];
    let boxed = boxes.iter().find_map(|ticked| rest.strip_prefix(ticked));
    Some(boxed.unwrap_or(rest))
}

/// How many bytes a link or marked text may have.
const MOST: usize = 1_000;

/// Reads a construct at the beginning of a text: a link, a note, marks around words. See [`write_inline`].
fn construct(text: &str, before: Option<char>, out: &mut String) -> Option<(usize, Option<char>)> {
    let head = super::head(text, MOST);
    if let Some(link) = head.strip_prefix("[[") {
        let end = link.find("]]")?;
        let shown = link[..end].split_once("][").map_or("", |(_, shown)| shown);
        out.push_str(shown);
        return Some((end + 4, shown.chars().next_back().or(before)));
    }
    if head.starts_with("[fn:") {
        let end = head.find(']')?;
        return Some((end + 1, before));
    }
    let mark = head.chars().next().filter(|c| "*/_=~+".contains(*c))?;
    if before.is_some_and(|c| c.is_alphanumeric() || c == mark)
        || head[1..].starts_with([' ', '\n', mark])
    {
        return None;
    }
    let inner = head[1..].split('\n').next().unwrap_or_default();
    let ends = inner.match_indices(mark).map(|(at, _)| at);
    let mut ends = ends.filter(|&at| {
        let behind = inner[at + 1..].chars().next();
        !inner[..at].ends_with(' ') && behind.is_none_or(|c| !c.is_alphanumeric() && c != mark)
    });
    let end = ends.next()?;
    let words = &inner[..end];
    match mark {
        '=' | '~' => out.push_str(words),
        _ => write_inline(words, out, construct),
    }
    Some((end + 2, words.chars().next_back()))
}

#[cfg(test)]
mod tests {
    use crate::extract::cases::check;
    use crate::format::Format;

    #[test]
    fn visible_text_counts() {
        let table = r##"
headings, without states and tags
* TODO [#A] Ferries :work:sea: → Ferries
** Two words → Two words
#+TITLE: The pier⏎#+AUTHOR: x⏎text → The pier⏎⏎text
settings, drawers, comments and dates
* a⏎:PROPERTIES:⏎:ID: x⏎:END:⏎b → a⏎⏎⏎⏎b
# note⏎a →⏎a
* a⏎SCHEDULED: <2024-05-01 Wed>⏎b → a⏎⏎b
items and tables
- [X] one⏎  more⏎2. two → one⏎  more⏎two
| a | b |⏎|---+---|⏎| c | d | →  a   b⏎⏎ c   d
links and marks
see [[https://a.b][the *page*]] and [[file:x]] → see the *page* and
*bold* /it/ =*code*= ~x~ a*b 2*3 → bold it *code* x a*b 2*3
a note[fn:1] here → a note here
code
#+BEGIN_SRC sh⏎ls *x*⏎#+END_SRC⏎a →⏎ls *x*⏎⏎a
#+begin_comment⏎hidden⏎#+end_comment⏎a →⏎⏎⏎a
: literal → literal
"##;
        check(Format::Org, false, table);
        check(Format::Org, true, "#+begin_src⏎ls⏎#+end_src⏎a →⏎⏎⏎a");
    }
}
