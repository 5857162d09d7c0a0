//! Links from the page to the documents: to a site that shows the files of a repository, or to an editor.

use std::fmt;
use std::str::FromStr;

/// A URL with places for a document: `https://example.org/{path}#L{line}`.
///
/// `{path}` is the path of the file as the report has it, and `{line}` a line in it, from 1. The page escapes both
/// for URLs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link(String);

/// Schemes of URLs that run or hold something instead of naming a place.
const REFUSED: [&str; 6] = [
    "about",
    "blob",
    "data",
    "filesystem",
    "javascript",
    "vbscript",
];

impl Link {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why a text is no template of links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkError {
    /// It holds no `{path}`.
    NoPath,
    /// It holds other braces than those of `{path}` and `{line}`.
    Placeholder(String),
    /// It begins neither with a scheme nor as a relative path does, or has a character that no URL has.
    NoUrl,
    /// Its scheme names no place.
    Scheme(String),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPath => {
                f.write_str("it has no {path}, so every document would have the same link")
            }
            Self::Placeholder(found) => {
                write!(f, "{found} means nothing: expected {{path}} and {{line}}")
            }
            Self::NoUrl => f.write_str(
                "expected a URL, such as https://example.org/{path}#L{line}, or a relative path that begins with \
                 ./ or ../",
            ),
            Self::Scheme(scheme) => write!(f, "a link to {scheme}: leads to no document"),
        }
    }
}

impl std::error::Error for LinkError {}

impl FromStr for Link {
    type Err = LinkError;

    fn from_str(text: &str) -> Result<Self, LinkError> {
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let end = rest[at..].find('}').map_or(rest.len(), |end| at + end + 1);
            let place = &rest[at..end];
            if !["{path}", "{line}"].contains(&place) {
                return Err(LinkError::Placeholder(place.to_owned()));
            }
            rest = &rest[end..];
        }
        if !text.contains("{path}") {
            return Err(LinkError::NoPath);
        }
        let acts = |c: char| c.is_whitespace() || c.is_control() || "\\\"<>^`|".contains(c);
        if text.contains(acts) {
            return Err(LinkError::NoUrl);
        }
        let is_relative = ["./", "../"].iter().any(|start| text.starts_with(start));
        match text.split_once(':') {
            _ if is_relative => {}
            Some((scheme, _)) if is_scheme(scheme) => {
                if REFUSED.contains(&scheme.to_ascii_lowercase().as_str()) {
                    return Err(LinkError::Scheme(scheme.to_owned()));
                }
            }
            _ => return Err(LinkError::NoUrl),
        }
        Ok(Self(text.to_owned()))
    }
}

/// Whether a text is a scheme as RFC 3986 has it.
fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_and_what_is_none() {
        for text in [
            "https://example.org/blob/main/{path}#L{line}",
            "vscode://file/home/me/repo/{path}:{line}",
            "../{path}",
        ] {
            assert_eq!(text.parse::<Link>().unwrap().as_str(), text);
        }
        let placeholder = |text: &str| LinkError::Placeholder(text.into());
        for (text, error) in [
            ("https://example.org/", LinkError::NoPath),
            ("https://example.org/{file}", placeholder("{file}")),
            ("https://example.org/{path}/{", placeholder("{")),
            ("https://example.org/}{path}", placeholder("}")),
            ("example.org/{path}", LinkError::NoUrl),
            ("{path}", LinkError::NoUrl),
            ("https://example.org/a b/{path}", LinkError::NoUrl),
            (
                "JavaScript:alert({path})",
                LinkError::Scheme("JavaScript".into()),
            ),
        ] {
            assert_eq!(text.parse::<Link>(), Err(error), "{text}");
        }
    }
}
