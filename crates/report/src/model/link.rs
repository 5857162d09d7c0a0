//! Links from the page to the documents: to a site that shows the files of a repository, or to an editor.

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

/// Why a text is no URL.
const NO_URL: &str = "expected a URL, such as https://example.org/{path}#L{line}, or a relative path that begins with ./ or \
                      ../";

impl Link {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Link {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let end = rest[at..].find('}').map_or(rest.len(), |end| at + end + 1);
            let place = &rest[at..end];
            if !["{path}", "{line}"].contains(&place) {
                return Err(format!(
                    "{place} means nothing: expected {{path}} and {{line}}"
                ));
            }
            rest = &rest[end..];
        }
        if !text.contains("{path}") {
            return Err("it has no {path}, so every document would have the same link".into());
        }
        let acts = |c: char| c.is_whitespace() || c.is_control() || "\\\"<>^`|".contains(c);
        if text.contains(acts) {
            return Err(NO_URL.into());
        }
        let is_relative = ["./", "../"].iter().any(|start| text.starts_with(start));
        match text.split_once(':') {
            _ if is_relative => {}
            Some((scheme, _)) if is_scheme(scheme) => {
                if REFUSED.contains(&scheme.to_ascii_lowercase().as_str()) {
                    return Err(format!("a link to {scheme}: leads to no document"));
                }
            }
            _ => return Err(NO_URL.into()),
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
    fn urls_and_other_texts() {
        for text in [
            "https://example.org/blob/main/{path}#L{line}",
            "vscode://file/home/me/repo/{path}:{line}",
            "../{path}",
        ] {
            assert_eq!(text.parse::<Link>().unwrap().as_str(), text);
        }
        for (text, error) in [
            ("https://example.org/", "it has no {path}"),
            ("https://example.org/{file}", "{file} means nothing"),
            ("https://example.org/{path}/{", "{ means nothing"),
            ("https://example.org/}{path}", "} means nothing"),
            ("example.org/{path}", "expected a URL"),
            ("{path}", "expected a URL"),
            ("https://example.org/a b/{path}", "expected a URL"),
            ("JavaScript:alert({path})", "a link to JavaScript:"),
        ] {
            let found = text.parse::<Link>().unwrap_err();
            assert!(found.starts_with(error), "{text}: {found}");
        }
    }
}
