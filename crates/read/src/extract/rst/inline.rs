//! The markup within a paragraph of reStructuredText.

use crate::extract::lined::{end_of_name, write_inline};

/// The longest name of a role, in characters.
const MAX_NAME: usize = 80;

/// Appends the visible text of a paragraph or a cell, with all of its line ends. Names between `|` may represent other
/// text, which is not known; in a cell they do not.
pub(super) fn write(text: &str, substitutes: bool, out: &mut String) {
    write_inline(text, out, |rest, before, out| {
        let begins = before.is_none_or(|c| !c.is_alphanumeric());
        let length = match rest.as_bytes().first()? {
            b'\\' => escaped(rest, out),
            b'`' => quoted(rest, out),
            b':' if begins => role(rest),
            b'*' if begins || rest.starts_with("**") => emphasis(rest, out),
            b'|' if begins && substitutes => substitution(rest),
            b'[' => footnote(rest),
            // The mark of a reference: `name_`.
            b'_' if !begins => Some(reference(rest)).filter(|&marks| marks > 0),
            _ => None,
        }?;
        let length = length + reference(&rest[length..]);
        let last = rest[..length].chars().next_back();
        Some((length, last.filter(|c| c.is_alphanumeric())))
    });
}

/// `\ ` joins two words. Behind `\` any other character represents itself.
fn escaped(text: &str, out: &mut String) -> Option<usize> {
    let next = text[1..].chars().next()?;
    if next != ' ' {
        out.push(next);
    }
    Some(1 + next.len_utf8())
}

/// `` `text <target>`_ `` or ``` ``code`` ```
fn quoted(text: &str, out: &mut String) -> Option<usize> {
    if let Some(rest) = text.strip_prefix("``") {
        let end = rest.find("``")?;
        out.push_str(&rest[..end]);
        return Some(end + 4);
    }
    let end = 1 + text[1..].find('`')?;
    let inner = &text[1..end];
    let shown = match inner.rsplit_once('<') {
        Some((shown, target)) if target.ends_with('>') && !shown.trim().is_empty() => {
            shown.trim_end()
        }
        // Marks in front mean that only the last part of a name is shown, or that it is no link.
        _ => inner
            .trim_start_matches(['~', '!'])
            .trim_matches(['<', '>']),
    };
    out.push_str(shown);
    Some(end + 1)
}

/// The name of a role before a quotation: `:ref:`
fn role(text: &str) -> Option<usize> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | ':');
    let end = end_of_name(&text[1..], MAX_NAME, is_name)? + 1;
    (end > 2 && text[..end].ends_with(':') && text[end..].starts_with('`')).then_some(end)
}

/// `*text*` or `**text**`
fn emphasis(text: &str, out: &mut String) -> Option<usize> {
    let marks = if text.starts_with("**") { "**" } else { "*" };
    let rest = &text[marks.len()..];
    let end = rest.find(marks)?;
    let inner = &rest[..end];
    if inner.is_empty()
        || inner.starts_with(char::is_whitespace)
        || inner.ends_with(char::is_whitespace)
    {
        return None;
    }
    out.push_str(inner);
    Some(end + 2 * marks.len())
}

/// `|name|`
fn substitution(text: &str) -> Option<usize> {
    let end = 1 + text[1..].find('|')?;
    let name = &text[1..end];
    let is_name =
        name.len() < 100 && !name.is_empty() && name.trim() == name && !name.contains('\n');
    is_name.then_some(end + 1)
}

/// `[1]_`
fn footnote(text: &str) -> Option<usize> {
    let end = end_of_name(text, 40, |c| !matches!(c, ']' | '\n'))?;
    text[end..].starts_with("]_").then_some(end + 1)
}

/// Returns the length of the mark that makes a reference of the text before it.
fn reference(text: &str) -> usize {
    let marks = text
        .bytes()
        .take(3)
        .take_while(|&byte| byte == b'_')
        .count();
    let rest = text[marks..].chars().next();
    if marks <= 2 && rest.is_none_or(|c| !c.is_alphanumeric()) {
        marks
    } else {
        0
    }
}
