//! The markup within a paragraph of AsciiDoc.

use crate::extract::lined::write_inline;
use crate::extract::shortcodes::Ahead;
use crate::extract::{head, line_ends, push_line_ends};

/// The longest macro, in bytes.
const MOST: usize = 4 << 10;

/// Returns the name of the macro that a line is, its target and the text in its brackets.
pub(super) fn block_macro(line: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = line.split_once("::")?;
    let (target, inner) = rest.strip_suffix(']')?.split_once('[')?;
    let is_name = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_name && !target.contains(' ')).then_some((name, target, inner))
}

/// Returns the alternative text among the attributes of an image.
pub(super) fn alternative(attributes: &str) -> &str {
    if let Some((_, rest)) = attributes.split_once("alt=") {
        return match rest.strip_prefix('"') {
            Some(rest) => rest.split('"').next().unwrap_or(rest),
            None => rest.split(',').next().unwrap_or(rest),
        };
    }
    if let Some(rest) = attributes.strip_prefix('"') {
        return rest.split('"').next().unwrap_or(rest);
    }
    let first = attributes.split(',').next().unwrap_or("");
    if first.contains('=') { "" } else { first }
}

/// Appends the visible text of a paragraph, with all of its line ends.
pub(super) fn write(text: &str, out: &mut String) {
    let mut ahead = Ahead::of(text);
    write_inline(text, out, |rest, before, out| {
        let written = out.len();
        let begins = before.is_none_or(|c| !c.is_alphanumeric());
        let at = text.len() - rest.len();
        let mut inside = |close: &'static str| {
            let end = ahead.behind(close, at + close.len())? - at;
            Some((end, &rest[close.len()..end - close.len()]))
        };
        let (length, shown) = construct(rest, begins, &mut inside, out)?;
        if !shown.is_empty() {
            // The shown text is on its line.
            let skipped = shown.as_ptr().addr() - rest.as_ptr().addr();
            let skipped = line_ends(&rest.as_bytes()[..skipped]);
            let missing = skipped.saturating_sub(line_ends(&out.as_bytes()[written..]));
            push_line_ends(missing, out);
            out.push_str(shown);
        }
        Some((length, shown.chars().next_back()))
    });
}

/// Reads a construct with which a text begins. Returns its length and the part of it that is shown, which may be empty.
/// Other text that is shown is appended to `out`. `inside` returns the length of a construct up to a mark that closes it, and
/// what is between that mark and one as long.
fn construct<'t>(
    text: &'t str,
    begins: bool,
    inside: &mut dyn FnMut(&'static str) -> Option<(usize, &'t str)>,
    out: &mut String,
) -> Option<(usize, &'t str)> {
    match text.chars().next()? {
        '<' if begins_reference(text) => {
            let (end, inner) = inside(">>")?;
            Some((
                end,
                inner.split_once(',').map_or("", |(_, text)| text.trim()),
            ))
        }
        // A term of the index.
        '(' if text.starts_with("(((") => inside(")))").map(|(end, _)| (end, "")),
        '[' if begins_anchor(text) => inside("]]").map(|(end, _)| (end, "")),
        '[' => Some((role(text)?, "")),
        '*' | '_' | '`' | '#' => quoted(text, begins),
        '+' => passed(text, begins),
        // A footnote may follow its word.
        c if begins && c.is_ascii_alphabetic() || text.starts_with("footnote") => call(text, out),
        _ => None,
    }
}

/// Returns whether a reference begins here: `<<id`. A shift to the left is none.
fn begins_reference(text: &str) -> bool {
    let id = text.strip_prefix("<<").and_then(|id| id.chars().next());
    id.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '#' | '/' | '.' | ':' | '{'))
}

/// Returns the length of the role of a marked text: `[.small]` in `[.small]#text#`.
fn role(text: &str) -> Option<usize> {
    let names = text.strip_prefix("[.")?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let rest = names.trim_start_matches(is_name);
    let marked = rest.strip_prefix(']')?;
    let is_role = rest.len() < names.len() && marked.starts_with(['#', '*', '_', '`']);
    is_role.then_some(text.len() - marked.len())
}

/// Returns whether an anchor begins here: `[[id]]` or `[[id,text]]`. A list of lists is none.
fn begins_anchor(text: &str) -> bool {
    let Some(id) = text.strip_prefix("[[") else {
        return false;
    };
    let is_first = |c: char| c.is_alphabetic() || matches!(c, '_' | ':');
    let is_other = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '-' | '.');
    let rest = id.trim_start_matches(is_other);
    id.starts_with(is_first) && (rest.starts_with("]]") || rest.starts_with(','))
}

/// Marks around text: `*bold*`, and `**b**old` within a word. Each is read by itself, since both ends look alike.
fn quoted(text: &str, begins: bool) -> Option<(usize, &str)> {
    let mark = text.chars().next()?;
    let run = text.chars().take_while(|&c| c == mark).count();
    let next = text[run..].chars().next();
    let ends = next.is_none_or(|c| !c.is_alphanumeric());
    // A single mark within a word is a letter: `snake_case`. A long run is a line to write on.
    let is_mark = run != 1
        || ((begins || ends) && !(mark == '#' && next.is_none_or(char::is_whitespace) && begins));
    is_mark.then_some((run, ""))
}

/// Text that is shown as it is: `+text+`, and `++_++` or `+++_+++` within a word. The `++` of two times `C++` is none.
fn passed(text: &str, begins: bool) -> Option<(usize, &str)> {
    let inner = text.trim_start_matches('+');
    let run = text.len() - inner.len();
    // A line, which is read once.
    if run > 3 {
        return Some((run, &text[..run]));
    }
    let length = inner.find('+')?;
    let (inner, rest) = inner.split_at(length);
    let behind = rest.trim_start_matches('+');
    let is_word = |c: char| c.is_alphanumeric();
    let is_passed = match run {
        1 => begins && !behind.starts_with(is_word),
        _ => true,
    };
    let is_whole = rest.len() - behind.len() == run && inner.trim() == inner;
    (is_passed && is_whole).then_some((2 * run + length, inner))
}

/// A macro: `link:target[text]`, `https://target[text]`
fn call<'t>(text: &'t str, out: &mut String) -> Option<(usize, &'t str)> {
    let name = text.find(|c: char| !c.is_ascii_alphanumeric())?;
    let rest = text[name..].strip_prefix(':')?;
    let name = &text[..name];
    let is_address = rest.starts_with("//") && matches!(name, "http" | "https" | "ftp" | "irc");
    let has_target = matches!(
        name,
        "link" | "xref" | "mailto" | "image" | "icon" | "anchor" | "footnoteref" | "pass"
    );
    let has_none = matches!(
        name,
        "footnote" | "kbd" | "btn" | "menu" | "stem" | "latexmath" | "asciimath" | "indexterm2"
    );
    if !is_address && !has_target && !has_none && name != "indexterm" {
        return None;
    }
    let rest = head(rest, MOST);
    let open = rest.find(['[', ' ', '\t', '\n'])?;
    // A footnote may have a name, and a menu has one that is shown.
    let may_have_one = matches!(name, "menu" | "footnote");
    if !rest[open..].starts_with('[') || (has_none && open > 0 && !may_have_one) {
        return None;
    }
    let close = open + rest[open..].find(']')?;
    let inner = &rest[open + 1..close];
    if name == "menu" && open > 0 {
        out.push_str(&rest[..open]);
        out.push(' ');
    }
    if name == "footnote" && out.ends_with(|c: char| !c.is_whitespace()) {
        out.push(' ');
    }
    let shown = match name {
        "image" => alternative(inner),
        "icon" | "anchor" | "indexterm" => "",
        // The text comes before the attributes.
        _ => inner
            .split_once(",window=")
            .map_or(inner, |(shown, _)| shown)
            .trim_end_matches('^')
            .trim_matches('"'),
    };
    Some((name.len() + 1 + close + 1, shown))
}
