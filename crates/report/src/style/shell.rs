//! Words of a command line to be copied into a shell.

use std::borrow::Cow;
use std::path::Path;

use crate::style::escape::{inert, visible};

/// Returns a text as one word of a POSIX shell; `None` if there is something in it that acts on a terminal
/// or in the log of a CI system.
pub fn word(text: &str) -> Option<Cow<'_, str>> {
    // Most paths are such: a report may have many thousands of them.
    let acts_nowhere = |byte: u8| byte.is_ascii_alphanumeric() || b"_@%+=,./-".contains(&byte);
    if !text.is_empty() && text.bytes().all(acts_nowhere) {
        return Some(text.into());
    }
    if inert(&visible(text)) != text {
        return None;
    }
    let is_plain = |c: char| c.is_alphanumeric() || "_@%+=:,./-#".contains(c);
    let is_word = !text.is_empty() && !text.starts_with('#') && text.chars().all(is_plain);
    Some(match is_word {
        true => text.into(),
        false => format!("'{}'", text.replace('\'', "'\\''")).into(),
    })
}

/// Returns a path as one word of a shell; as it is, if it cannot be one.
pub fn shown(path: &Path) -> String {
    let name = path.display().to_string();
    word(&name).map_or_else(|| name.clone(), Cow::into_owned)
}

/// Returns texts as words of a shell, each behind a space; `None` if one of them is none.
pub fn words(texts: impl IntoIterator<Item = impl AsRef<str>>) -> Option<String> {
    let mut line = String::new();
    for text in texts {
        line.push(' ');
        line.push_str(&word(text.as_ref())?);
    }
    Some(line)
}

/// Returns the word of a path, which is never read as an option or as standard input.
pub(crate) fn path(name: &str) -> Option<String> {
    match name.starts_with('-') {
        true => word(&format!("./{name}")).map(Cow::into_owned),
        false => word(name).map(Cow::into_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_the_text_back() {
        for (text, expected) in [
            ("docs/a.md", Some("docs/a.md")),
            ("pages.jsonl#7", Some("pages.jsonl#7")),
            ("docs/城市.md", Some("docs/城市.md")),
            ("#1", Some("'#1'")),
            ("", Some("''")),
            ("it's *", Some("'it'\\''s *'")),
            ("a\u{1b}[31m", None),
            ("a ##[error]", None),
        ] {
            assert_eq!(word(text).as_deref(), expected, "{text}");
        }
        assert_eq!(path("-a.md").as_deref(), Some("./-a.md"));
        assert_eq!(path("-").as_deref(), Some("./-"));
    }
}
