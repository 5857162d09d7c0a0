//! The rules of `dupfind.toml` that leave out pairs, with reasons.
//!
//! ```toml
//! [[ignore]]
//! documents = ["docs/terms.md", "docs/legal/**"]
//! reason = "the same text for every country"
//! ```

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeValue, ValueDeserializer};

/// A rule: documents that may be alike. [`Self::family`] is one for all files of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoreRule {
    /// Names of documents, folders, and globs. A later one with a leading `!` removes documents again.
    pub documents: Vec<String>,
    /// Whether copies among them count all the same.
    pub copies: bool,
    /// Why they may be alike.
    pub reason: String,
    /// Where the rule is, for people: a file and a line.
    pub origin: String,
}

impl IgnoreRule {
    /// Returns the lines of a configuration that accept a family: the files below a folder, which may be alike but no
    /// copies.
    #[must_use]
    pub fn family(folder: &str, reason: &str) -> String {
        format!("{}{}\n", head(folder), quoted(reason))
    }

    /// Returns a configuration with the lines of [`Self::family`], and the reason that the family had in it before.
    #[must_use]
    pub fn with_family(config: &str, folder: &str, reason: &str) -> (String, Option<String>) {
        let family = Self::family(folder, reason);
        match config.split_once(&head(folder)) {
            Some((above, rest)) => {
                let (before, below) = rest.split_once('\n').unwrap_or((rest, ""));
                let old = serde_json::from_str(before).unwrap_or_else(|_| before.to_owned());
                (format!("{above}{family}{below}"), Some(old))
            }
            None if config.trim().is_empty() => (family, None),
            None => (format!("{}\n\n{family}", config.trim_end()), None),
        }
    }
}

/// Returns the lines that accept a family, up to the reason.
fn head(folder: &str) -> String {
    let documents = quoted(folder);
    format!("[[ignore]]\ndocuments = [{documents}]\ncopies = true\nreason = ")
}

/// Returns a text as a string of TOML.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("texts are JSON")
}

/// A rule as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleTable {
    documents: Vec<String>,
    #[serde(default)]
    copies: bool,
    reason: String,
}

/// A fault of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongRule {
    /// The byte of the text where it begins.
    pub at: usize,
    /// The fault, in words.
    pub reason: String,
}

/// Returns the rules of the tables `[[ignore]]` in their order. `origin` returns how a byte of the file is called in
/// messages.
pub fn tables(
    value: &Spanned<DeValue<'_>>,
    origin: impl Fn(usize) -> String,
) -> Result<Vec<IgnoreRule>, WrongRule> {
    let start = value.span().start;
    let tables = Vec::<Spanned<RuleTable>>::deserialize(ValueDeserializer::from(value.clone()));
    let tables = tables.map_err(|error| WrongRule {
        at: error.span().map_or(start, |span| span.start),
        reason: error.message().to_owned(),
    })?;
    let rule = |table: Spanned<RuleTable>| {
        let at = table.span().start;
        let RuleTable {
            documents,
            copies,
            reason,
        } = table.into_inner();
        let wrong = |reason: &str| {
            Err(WrongRule {
                at,
                reason: reason.into(),
            })
        };
        if documents.is_empty() || documents.iter().any(|name| matches!(name.trim(), "" | "!")) {
            return wrong(
                "'documents' is a list of names and globs, such as [\"docs/a.md\", \"legal/**\"]",
            );
        }
        match reason.trim() {
            "" => wrong("the 'reason' is empty: why may these documents be alike?"),
            reason => Ok(IgnoreRule {
                documents,
                copies,
                reason: reason.to_owned(),
                origin: origin(at),
            }),
        }
    };
    tables.into_iter().map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use toml::de::DeTable;

    /// The rules of a text that has tables `[[ignore]]`; none if it has none, or is not TOML.
    fn parsed(text: &str) -> Option<Result<Vec<IgnoreRule>, WrongRule>> {
        let line = |at: usize| (1 + text[..at].matches('\n').count()).to_string();
        let table = DeTable::parse(text).ok()?;
        let value = table.get_ref().get("ignore")?;
        Some(tables(value, line))
    }

    #[test]
    fn rules_with_their_lines() {
        let text = "# why\n\n[[ignore]]\ndocuments = [\"a.md\", \"b/**\"]\nreason = \" legal \"\n\n\
                    [[ignore]]\nreason = \"x\"\ndocuments = [\"c\"]\ncopies = true\n";
        let rule = |documents: &[&str], reason: &str, origin: &str| IgnoreRule {
            documents: documents.iter().map(|&name| name.into()).collect(),
            copies: reason == "x",
            reason: reason.into(),
            origin: origin.into(),
        };
        let rules = [
            rule(&["a.md", "b/**"], "legal", "3"),
            rule(&["c"], "x", "7"),
        ];
        assert_eq!(parsed(text).unwrap().unwrap(), rules);
        let inline = "ignore = [{ documents = [\"a\"], reason = \"r\" }]";
        assert_eq!(parsed(inline).unwrap().unwrap(), [rule(&["a"], "r", "1")]);
    }

    #[test]
    fn faults_are_named_with_their_places() {
        for (text, place, message) in [
            (
                "[[ignore]]\ndocument = [\"a\"]\nreason = \"x\"",
                "document =",
                "unknown field `document`, expected one of `documents`, `copies`, `reason`",
            ),
            (
                "\n[[ignore]]\ndocuments = [\"a\"]\nsince = 1\nreason = \"x\"",
                "since",
                "unknown field `since`",
            ),
            (
                "[ignore]\n",
                "[ignore]",
                "invalid type: map, expected a sequence",
            ),
            ("ignore = [1]\n", "1]", "invalid type: integer `1`"),
            (
                "\n[[ignore]]\ndocuments = [\"a\"]\n",
                "[[ig",
                "missing field `reason`",
            ),
            (
                "[[ignore]]\ndocuments = [\"a\"]\nreason = \" \"\n",
                "[[ig",
                "the 'reason' is empty",
            ),
            (
                "[[ignore]]\ndocuments = [\"a\"]\nreason = 1\n",
                "1\n",
                "invalid type: integer `1`, expected a string",
            ),
            (
                "\n[[ignore]]\nreason = \"x\"\n",
                "[[ig",
                "missing field `documents`",
            ),
            (
                "[[ignore]]\ndocuments = []\nreason = \"x\"\n",
                "[[ig",
                "'documents' is a list",
            ),
            (
                "[[ignore]]\ndocuments = [\"a\",\n 1]\nreason = \"x\"\n",
                "1]",
                "invalid type: integer `1`",
            ),
            (
                "[[ignore]]\ndocuments = [\"!\"]\nreason = \"x\"\n",
                "[[ig",
                "'documents' is a list",
            ),
        ] {
            let WrongRule { at, reason } = parsed(text).unwrap().unwrap_err();
            assert!(text[at..].starts_with(place), "{text}: {at}");
            assert!(reason.starts_with(message), "{text}: {reason}");
        }
    }

    proptest! {
        #[test]
        fn any_toml_like_text_is_rules_or_an_error(text in "(\\[\\[ignore\\]\\]\n|documents ?= ?|reason ?= ?|\\[|\\]|\"[a-z*!]{0,3}\"|,|\n|\\PC){0,20}") {
            if let Some(Ok(rules)) = parsed(&text) {
                prop_assert!(rules.iter().all(|rule| !rule.reason.is_empty() && !rule.documents.is_empty()));
            }
        }
    }
}
