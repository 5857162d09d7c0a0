//! What stands between the words of a paragraph of reStructuredText.

use crate::read::extract::line_ends;

/// How many characters the name of a role has at most.
const MOST_NAME: usize = 80;

/// Takes a paragraph or a cell and whether names between `|` are substituted; appends what a reader sees of it, with
/// all of its line ends.
pub(super) fn write(text: &str, substitutes: bool, out: &mut String) {
    let mut rest = text;
    let mut before = None;
    while let Some(c) = rest.chars().next() {
        let begins = before.is_none_or(|c: char| !c.is_alphanumeric());
        let written = out.len();
        let taken = match c {
            '\\' => escaped(rest, out),
            '`' => quoted(rest, out),
            ':' if begins => role(rest),
            '*' if begins || rest.starts_with("**") => emphasis(rest, out),
            '|' if begins && substitutes => substitution(rest),
            '[' => footnote(rest),
            // The mark of a reference: `name_`.
            '_' if !begins => Some(reference(rest)).filter(|&marks| marks > 0),
            _ => None,
        };
        match taken {
            Some(taken) => {
                // The mark of a reference.
                let taken = taken + reference(&rest[taken..]);
                // What follows stands on its line, also behind a target with a line end in it.
                let missing =
                    line_ends(&rest.as_bytes()[..taken]) - line_ends(&out.as_bytes()[written..]);
                out.extend(std::iter::repeat_n('\n', missing));
                before = rest[..taken]
                    .chars()
                    .next_back()
                    .filter(|c| c.is_alphanumeric());
                rest = &rest[taken..];
            }
            None => {
                out.push(c);
                before = Some(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
}

/// `\ ` joins two words, and other characters lose what they mean.
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
        // Only the last part of a name is shown, or it is no link; both say so in front.
        _ => inner
            .trim_start_matches(['~', '!'])
            .trim_matches(['<', '>']),
    };
    out.push_str(shown);
    Some(end + 1)
}

/// The name of a role, `:ref:`, with a quotation behind it.
fn role(text: &str) -> Option<usize> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | ':');
    let mut name = text[1..].char_indices().take(MOST_NAME);
    let end = name.find(|&(_, c)| !is_name(c))?.0 + 1;
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
    let mut name = text.char_indices().take(40);
    let end = name.find(|&(_, c)| matches!(c, ']' | '\n'))?.0;
    text[end..].starts_with("]_").then_some(end + 1)
}

/// The length of the mark that makes a reference of what is before it.
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
