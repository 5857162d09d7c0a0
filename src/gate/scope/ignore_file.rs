//! Files that list which documents need not differ, with reasons.
//!
//! ```toml
//! [[ignore]]
//! documents = ["docs/terms.md", "docs/legal/**"]
//! reason = "the same text for every country"
//! ```

use std::fs;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{Error, Result};

/// Documents that may be alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IgnoreRule {
    /// Names of documents, folders, and globs. A later one with a leading `!` takes documents out again.
    pub(crate) documents: Vec<String>,
    /// Why they may be alike.
    pub(crate) reason: String,
    /// Where the rule stands, for people: mostly a file and a line.
    pub(crate) origin: String,
}

/// The keys of a rule.
const KEYS: [&str; 2] = ["documents", "reason"];

/// The only key of a file.
const TABLE: &str = "ignore";

/// From this similarity on, a known key is suggested for an unknown one (Jaro, from 0 to 1).
const ALIKE: f64 = 0.7;

/// Returns the rules of a file in their order. Fails with [`Error::Read`] or [`Error::IgnoreLine`].
pub(crate) fn read(path: &Path) -> Result<Vec<IgnoreRule>> {
    let bytes = fs::read(path).map_err(|source| Error::Read {
        path: path.to_owned(),
        source,
    })?;
    parse(&bytes, path)
}

/// Returns the rules in the content of a file, whose path is for messages. Fails with [`Error::IgnoreLine`].
pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<Vec<IgnoreRule>> {
    let line = |at: usize| {
        1 + bytes[..at.min(bytes.len())]
            .iter()
            .filter(|&&b| b == b'\n')
            .count()
    };
    let failed = |wrong: Wrong| Error::IgnoreLine {
        path: path.to_owned(),
        line: line(wrong.at),
        reason: wrong.reason,
    };
    let text = std::str::from_utf8(bytes).map_err(|error| {
        failed(Wrong {
            at: error.valid_up_to(),
            reason: "not valid UTF-8".into(),
        })
    })?;
    let table = DeTable::parse(text).map_err(|error| {
        failed(Wrong {
            at: error.span().map_or(0, |span| span.start),
            reason: error.message().to_owned(),
        })
    })?;
    let origin = |at| format!("{}:{}", path.display(), line(at));
    let rules = rules(table.get_ref(), origin);
    rules.map_err(failed)
}

/// Returns the lines of a rule, the last one with its end.
pub(crate) fn rule_lines(documents: &[String], reason: &str) -> String {
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let documents: Vec<String> = documents.iter().map(|name| quoted(name)).collect();
    let (documents, reason) = (documents.join(", "), quoted(reason));
    format!("[[{TABLE}]]\ndocuments = [{documents}]\nreason = {reason}\n")
}

/// What is wrong with a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// The byte of the text where it begins.
    pub(crate) at: usize,
    /// What it is, in words.
    pub(crate) reason: String,
}

fn wrong<T>(span: &Range<usize>, reason: impl Into<String>) -> std::result::Result<T, Wrong> {
    Err(Wrong {
        at: span.start,
        reason: reason.into(),
    })
}

fn rules(
    file: &DeTable<'_>,
    origin: impl Fn(usize) -> String,
) -> std::result::Result<Vec<IgnoreRule>, Wrong> {
    check_keys(file, &[TABLE], "this file has tables [[ignore]] only")?;
    let Some(value) = file.get(TABLE) else {
        return Ok(Vec::new());
    };
    tables(value, origin)
}

/// Returns the rules of the tables `[[ignore]]` of any file. `origin` returns how a byte of the file is called in
/// messages.
pub(crate) fn tables(
    value: &Spanned<DeValue<'_>>,
    origin: impl Fn(usize) -> String,
) -> std::result::Result<Vec<IgnoreRule>, Wrong> {
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

fn rule(
    table: &DeTable<'_>,
    span: &Range<usize>,
    origin: String,
) -> std::result::Result<IgnoreRule, Wrong> {
    check_keys(table, &KEYS, "a rule has 'documents' and a 'reason'")?;
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

/// Fails for an unknown key, and suggests a known one.
fn check_keys(
    table: &DeTable<'_>,
    known: &[&str],
    otherwise: &str,
) -> std::result::Result<(), Wrong> {
    let mut unknown: Vec<_> = table
        .keys()
        .filter(|key| !known.contains(&key.get_ref().as_ref()))
        .collect();
    unknown.sort_by_key(|key| key.span().start);
    let Some(key) = unknown.first() else {
        return Ok(());
    };
    let name: &str = key.get_ref();
    let likeness = |other: &str| strsim::jaro(name, other);
    let nearest = known
        .iter()
        .copied()
        .filter(|other| likeness(other) > ALIKE)
        .max_by(|x, y| likeness(x).total_cmp(&likeness(y)));
    let hint = nearest.map_or_else(
        || otherwise.to_owned(),
        |key| format!("did you mean '{key}'?"),
    );
    wrong(&key.span(), format!("unknown key '{name}': {hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(text: &str) -> Result<Vec<IgnoreRule>> {
        parse(text.as_bytes(), Path::new("rules.toml"))
    }

    #[test]
    fn rules_with_their_lines() {
        let text = "# why\n\n[[ignore]]\ndocuments = [\"a.md\", \"b/**\"]\nreason = \" legal \"\n\n\
                    [[ignore]]\nreason = \"x\"\ndocuments = [\"c\"]\n";
        let rule = |documents: &[&str], reason: &str, line| IgnoreRule {
            documents: documents.iter().map(|&name| name.into()).collect(),
            reason: reason.into(),
            origin: format!("rules.toml:{line}"),
        };
        let rules = [rule(&["a.md", "b/**"], "legal", 3), rule(&["c"], "x", 7)];
        assert_eq!(parsed(text).unwrap(), rules);
        assert_eq!(parsed("").unwrap(), []);
        let inline = "ignore = [{ documents = [\"a\"], reason = \"r\" }]";
        assert_eq!(parsed(inline).unwrap(), [rule(&["a"], "r", 1)]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, message) in [
            (
                "[[ignore]]\ndocument = [\"a\"]\nreason = \"x\"",
                "2: unknown key 'document': did you mean 'documents'?",
            ),
            (
                "\n[[ignore]]\ndocuments = [\"a\"]\nsince = 1\nreason = \"x\"",
                "4: unknown key 'since': a rule has",
            ),
            (
                "[[ignored]]\n",
                "1: unknown key 'ignored': did you mean 'ignore'?",
            ),
            ("\n[x]\n", "2: unknown key 'x': this file has"),
            ("[ignore]\n", "1: expected tables [[ignore]], with two"),
            ("ignore = [1]\n", "1: expected tables [[ignore]]"),
            ("\n[[ignore]]\ndocuments = [\"a\"]\n", "2: no 'reason'"),
            (
                "[[ignore]]\ndocuments = [\"a\"]\nreason = \" \"\n",
                "3: the 'reason' is empty",
            ),
            (
                "[[ignore]]\ndocuments = [\"a\"]\nreason = 1\n",
                "3: the 'reason' is a text",
            ),
            ("[[ignore]]\nreason = \"x\"\n", "1: no 'documents'"),
            (
                "[[ignore]]\ndocuments = []\nreason = \"x\"\n",
                "2: 'documents' is empty",
            ),
            (
                "[[ignore]]\ndocuments = \"a\"\nreason = \"x\"\n",
                "2: 'documents' is a list",
            ),
            (
                "[[ignore]]\ndocuments = [\"a\",\n 1]\nreason = \"x\"\n",
                "3: 'documents' is a list",
            ),
            (
                "[[ignore]]\ndocuments = [\"!\"]\nreason = \"x\"\n",
                "2: 'documents' is a list",
            ),
            ("a = 1\nb = \n", "2: "),
        ] {
            let error = parsed(text).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("rules.toml:{message}")),
                "{text}: {error}"
            );
        }
        let error = parse(b"# \xff", Path::new("r")).unwrap_err().to_string();
        assert_eq!(error, "r:1: not valid UTF-8");
        let deep = format!("ignore = {}", "[".repeat(100_000));
        assert!(parsed(&deep).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_rules_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes, Path::new("r"));
        }

        #[test]
        fn any_toml_like_text_is_rules_or_an_error(text in "(\\[\\[ignore\\]\\]\n|documents ?= ?|reason ?= ?|\\[|\\]|\"[a-z*!]{0,3}\"|,|\n|\\PC){0,20}") {
            if let Ok(rules) = parsed(&text) {
                prop_assert!(rules.iter().all(|rule| !rule.reason.is_empty() && !rule.documents.is_empty()));
            }
        }
    }
}
