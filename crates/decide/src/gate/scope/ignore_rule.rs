//! The rules of `dupfind.toml` that leave out pairs, with reasons.
//!
//! ```toml
//! [[ignore]]
//! documents = ["docs/terms.md", "docs/legal/**"]
//! reason = "the same text for every country"
//! ```

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A rule: documents that may be alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoreRule {
    /// Names of documents, folders, and globs. A later one with a leading `!` removes documents again.
    pub documents: Vec<String>,
    /// Why they may be alike.
    pub reason: String,
    /// Where the rule is, for people: a file and a line.
    pub origin: String,
}

/// The keys of a rule.
const KEYS: [&str; 2] = ["documents", "reason"];

/// From this similarity on, a known key is suggested for an unknown one (Jaro, from 0 to 1).
const ALIKE: f64 = 0.7;

/// What is wrong with a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongRule {
    /// The byte of the text where it begins.
    pub at: usize,
    /// What it is, in words.
    pub reason: String,
}

fn wrong<T>(span: &Range<usize>, reason: impl Into<String>) -> Result<T, WrongRule> {
    Err(WrongRule {
        at: span.start,
        reason: reason.into(),
    })
}

/// Returns the rules of the tables `[[ignore]]` in their order. `origin` returns how a byte of the file is called in
/// messages.
pub fn tables(
    value: &Spanned<DeValue<'_>>,
    origin: impl Fn(usize) -> String,
) -> Result<Vec<IgnoreRule>, WrongRule> {
    let DeValue::Array(tables) = value.get_ref() else {
        return wrong(
            &value.span(),
            "expected tables [[ignore]], with two brackets",
        );
    };
    let rule = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
        DeValue::Table(table) => rule(table, &value.span(), origin(value.span().start)),
        _ => wrong(&value.span(), "expected tables [[ignore]]"),
    };
    tables.iter().map(rule).collect()
}

fn rule(table: &DeTable<'_>, span: &Range<usize>, origin: String) -> Result<IgnoreRule, WrongRule> {
    check_keys(table)?;
    let Some(list) = table.get("documents") else {
        return wrong(span, "no 'documents': which may be alike?");
    };
    let expected =
        "'documents' is a list of names and globs, such as [\"docs/a.md\", \"legal/**\"]";
    let DeValue::Array(values) = list.get_ref() else {
        return wrong(&list.span(), expected);
    };
    let mut documents = Vec::with_capacity(values.len());
    for value in values.iter() {
        match value.get_ref() {
            DeValue::String(name) if !matches!(name.trim(), "" | "!") => {
                documents.push(name.to_string());
            }
            _ => return wrong(&value.span(), expected),
        }
    }
    if documents.is_empty() {
        return wrong(&list.span(), "'documents' is empty");
    }
    let Some(reason) = table.get("reason") else {
        return wrong(span, "no 'reason': why may these documents be alike?");
    };
    match reason.get_ref() {
        DeValue::String(text) if !text.trim().is_empty() => Ok(IgnoreRule {
            documents,
            reason: text.trim().to_owned(),
            origin,
        }),
        DeValue::String(_) => wrong(
            &reason.span(),
            "the 'reason' is empty: why may these documents be alike?",
        ),
        _ => wrong(&reason.span(), "the 'reason' is a text in quotes"),
    }
}

/// Fails for a key that a rule does not have, and suggests one that it has.
fn check_keys(table: &DeTable<'_>) -> Result<(), WrongRule> {
    let mut unknown: Vec<_> = table
        .keys()
        .filter(|key| !KEYS.contains(&key.get_ref().as_ref()))
        .collect();
    unknown.sort_by_key(|key| key.span().start);
    let Some(key) = unknown.first() else {
        return Ok(());
    };
    let name: &str = key.get_ref();
    let likeness = |other: &str| strsim::jaro(name, other);
    let nearest = KEYS
        .into_iter()
        .filter(|other| likeness(other) > ALIKE)
        .max_by(|x, y| likeness(x).total_cmp(&likeness(y)));
    let hint = nearest.map_or_else(
        || "a rule has 'documents' and a 'reason'".to_owned(),
        |key| format!("did you mean '{key}'?"),
    );
    wrong(&key.span(), format!("unknown key '{name}': {hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
                    [[ignore]]\nreason = \"x\"\ndocuments = [\"c\"]\n";
        let rule = |documents: &[&str], reason: &str, origin: &str| IgnoreRule {
            documents: documents.iter().map(|&name| name.into()).collect(),
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
    fn what_is_wrong_is_said_with_its_place() {
        for (text, place, message) in [
            (
                "[[ignore]]\ndocument = [\"a\"]\nreason = \"x\"",
                "document =",
                "unknown key 'document': did you mean 'documents'?",
            ),
            (
                "\n[[ignore]]\ndocuments = [\"a\"]\nsince = 1\nreason = \"x\"",
                "since",
                "unknown key 'since': a rule has",
            ),
            (
                "[ignore]\n",
                "[ignore]",
                "expected tables [[ignore]], with two",
            ),
            ("ignore = [1]\n", "1]", "expected tables [[ignore]]"),
            ("\n[[ignore]]\ndocuments = [\"a\"]\n", "[[ig", "no 'reason'"),
            (
                "[[ignore]]\ndocuments = [\"a\"]\nreason = \" \"\n",
                "\" \"",
                "the 'reason' is empty",
            ),
            (
                "[[ignore]]\ndocuments = [\"a\"]\nreason = 1\n",
                "1\n",
                "the 'reason' is a text",
            ),
            ("[[ignore]]\nreason = \"x\"\n", "[[ig", "no 'documents'"),
            (
                "[[ignore]]\ndocuments = []\nreason = \"x\"\n",
                "[]",
                "'documents' is empty",
            ),
            (
                "[[ignore]]\ndocuments = \"a\"\nreason = \"x\"\n",
                "\"a\"",
                "'documents' is a list",
            ),
            (
                "[[ignore]]\ndocuments = [\"a\",\n 1]\nreason = \"x\"\n",
                "1]",
                "'documents' is a list",
            ),
            (
                "[[ignore]]\ndocuments = [\"!\"]\nreason = \"x\"\n",
                "\"!\"",
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
