//! The wish of a document not to be compared, which its front matter may express.
//!
//! Front matter is a block of YAML between lines `---`, or of TOML between lines `+++`, with which a
//! document begins. Its key `dupfind` is the only one that matters here:
//!
//! ```text
//! ---
//! title: Terms of service
//! dupfind: ignore - the same text for every country
//! ---
//! ```
//!
//! TOML is parsed. YAML is read line by line: of its many forms those count that people write for a key
//! and a short text. A document without front matter costs a look at its first bytes.

use toml::de::{DeTable, DeValue};

/// How much of a document may be front matter, in bytes. What goes on longer is no such block.
const MOST: usize = 64 << 10;

/// How many characters of a reason, or of a value that means nothing, are kept.
const KEPT: usize = 200;

/// The key.
pub(super) const KEY: &str = "dupfind";

/// What a document says to this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// Not to be compared, for this reason, which may be empty.
    Ignore(String),
    /// Something else, which means nothing: where, and what is wrong with it, in words.
    Unclear(String),
}

/// Front matter, where it was found.
#[derive(Debug, Clone, Copy)]
struct Found<'c> {
    is_toml: bool,
    block: &'c str,
    /// What stands behind it.
    rest: &'c str,
}

/// Takes the decoded content of a document and returns what its front matter says, if anything.
#[must_use]
pub fn wish(content: &str) -> Option<Wish> {
    let Found { is_toml, block, .. } = find(content)?;
    if !block.contains(KEY) {
        return None;
    }
    let wish = match is_toml {
        true => toml(block),
        false => yaml(block),
    };
    wish.map(|wish| match wish {
        Wish::Unclear(said) => Wish::Unclear(format!("front matter: {said}")),
        ignore @ Wish::Ignore(_) => ignore,
    })
}

/// Takes the decoded content of a document and returns where its front matter ends, in bytes: at the end of the
/// line that closes it. 0 if there is none. A block in which nothing looks like a key is text between rules.
#[must_use]
pub fn end(content: &str) -> usize {
    let has_key = |found: &Found<'_>| {
        let lines = || found.block.lines().map(without_comment).map(str::trim);
        let is_key = match found.is_toml {
            true => |line: &str| line.starts_with('[') || line.contains('='),
            false => begins_with_key,
        };
        lines().all(str::is_empty) || lines().any(is_key)
    };
    match find(content) {
        Some(found) if has_key(&found) => content.len() - found.rest.len(),
        _ => 0,
    }
}

/// Whether a line of YAML begins with a key: one word, or what stands in quotes. Keys of several words are rare,
/// and sentences with a colon in them are not.
fn begins_with_key(line: &str) -> bool {
    let quote = line.chars().next().filter(|c| ['"', '\''].contains(c));
    let rest = match quote {
        Some(quote) => line[1..].split_once(quote).map(|(_, rest)| rest),
        None => {
            let end = line.find(char::is_whitespace).unwrap_or(line.len());
            let (word, rest) = line.split_at(end);
            if word.len() > 1 && word.ends_with(':') {
                return true;
            }
            Some(rest)
        }
    };
    let value = rest.and_then(|rest| rest.trim_start().strip_prefix(':'));
    value.is_some_and(|value| value.is_empty() || value.starts_with([' ', '\t']))
}

/// Takes the decoded content of a document.
fn find(content: &str) -> Option<Found<'_>> {
    let content = content.strip_prefix('\u{feff}').unwrap_or(content);
    let fence = content.get(..3)?;
    let closings: &[&str] = match fence {
        "---" => &["---", "..."],
        "+++" => &["+++"],
        _ => return None,
    };
    let (first, rest) = content.split_once('\n')?;
    if first[3..].trim_end() != "" {
        return None;
    }
    let is_toml = fence == "+++";
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        if closings.contains(&line.trim_end()) {
            let (block, rest) = rest.split_at(end);
            let rest = &rest[line.trim_end_matches('\n').len()..];
            return Some(Found {
                is_toml,
                block,
                rest,
            });
        }
        end += line.len();
        if end > MOST {
            return None;
        }
    }
    None
}

/// What the word behind the key says: `ignore`, alone or with a reason.
pub(super) fn said(value: &str) -> Wish {
    let unclear = || Wish::Unclear(format!("'{KEY}: {}'", shortened(value)));
    let Some(rest) = value.strip_prefix("ignore") else {
        return unclear();
    };
    let words = rest.trim();
    let reason = if words.is_empty() {
        ""
    } else if let Some(reason) = words.strip_prefix(':') {
        reason
    } else if let Some(reason) = words.strip_prefix('(') {
        reason.strip_suffix(')').unwrap_or(reason)
    } else if let (true, Some(reason)) = (
        // Without white space it is another word: `ignore-case`.
        rest.starts_with(char::is_whitespace),
        words.strip_prefix(['-', '\u{2013}', '\u{2014}']),
    ) {
        reason.trim_start_matches('-')
    } else {
        return unclear();
    };
    Wish::Ignore(shortened(reason))
}

/// What the value of the key `ignore` says: a reason, or yes or no. None if it says no.
fn said_of_ignore(value: &str) -> Option<Wish> {
    match value {
        "false" | "no" | "off" => None,
        "true" | "yes" | "on" => Some(Wish::Ignore(String::new())),
        reason => Some(Wish::Ignore(shortened(reason))),
    }
}

/// A key beside `ignore` that means nothing.
fn unknown(key: &str) -> Wish {
    Wish::Unclear(format!("'{}' in '{KEY}'", shortened(key)))
}

/// On one line, and not too long for a report.
fn shortened(text: &str) -> String {
    let text = text.trim();
    let kept = text.chars().take(KEPT);
    kept.map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Reads a block of TOML.
fn toml(block: &str) -> Option<Wish> {
    let table = match DeTable::parse(block) {
        Ok(table) => table.into_inner(),
        // Whether it is about the key cannot be known, unless a line begins with it.
        Err(_) if block.lines().any(|line| line.starts_with(KEY)) => {
            return Some(Wish::Unclear("front matter that is no valid TOML".into()));
        }
        Err(_) => return None,
    };
    match table.get(KEY)?.get_ref() {
        DeValue::String(value) => Some(said(value)),
        DeValue::Table(table) => {
            if let Some((key, _)) = table.iter().find(|(key, _)| key.get_ref() != "ignore") {
                return Some(unknown(key.get_ref()));
            }
            match table.get("ignore")?.get_ref() {
                DeValue::String(reason) => Some(Wish::Ignore(shortened(reason))),
                DeValue::Boolean(false) => None,
                DeValue::Boolean(true) => Some(Wish::Ignore(String::new())),
                _ => Some(Wish::Unclear("the value of 'ignore'".into())),
            }
        }
        _ => Some(Wish::Unclear(format!("the value of '{KEY}'"))),
    }
}

/// Reads a block of YAML.
fn yaml(block: &str) -> Option<Wish> {
    let mut lines = block.lines();
    let value = lines.find_map(|line| value_of(line, KEY))?;
    // What belongs to the key: lines that are indented, blank or comments.
    let nested: Vec<&str> = lines
        .take_while(|line| line.is_empty() || line.starts_with([' ', '\t', '#']))
        .filter(|line| !without_comment(line).trim().is_empty())
        .collect();
    let value = scalar(value);
    let in_braces = value
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    if let Some(inner) = in_braces {
        return further_key(inner).map_or_else(|| keys(&[inner]), |key| Some(unknown(key)));
    }
    match value.as_str() {
        "" if nested.is_empty() => Some(said("")),
        "" => keys(&nested),
        // A block of text.
        "|" | ">" | "|-" | ">-" => Some(said(&folded(&nested))),
        // A plain text may go on in the next lines.
        value if nested.is_empty() => Some(said(value)),
        value => Some(said(&format!("{value} {}", folded(&nested)))),
    }
}

/// Takes what stands in braces and returns the key that follows the first one, behind a comma that is not in
/// quotes.
fn further_key(inner: &str) -> Option<&str> {
    let mut quote = None;
    let mut is_escaped = false;
    // Quotes inside of a plain text are a part of it.
    let mut begins = true;
    for (at, c) in inner.char_indices() {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some('"') if c == '\\' => is_escaped = true,
            Some(open) => quote = Some(open).filter(|_| c != open),
            None if begins && matches!(c, '"' | '\'') => quote = Some(c),
            None => {
                let next = inner[at..].strip_prefix(',').unwrap_or("").trim_start();
                let end = next.find(|c: char| [':', ','].contains(&c) || c.is_whitespace());
                let (key, rest) = next.split_at(end.unwrap_or(next.len()));
                let value = rest.strip_prefix(':').filter(|_| !key.is_empty());
                if value
                    .is_some_and(|value| value.trim_start().len() < value.len() || value.is_empty())
                {
                    return Some(key);
                }
                begins = matches!(c, ':' | ',') || (begins && c.is_whitespace());
            }
        }
    }
    None
}

/// Reads the keys that stand below the key.
fn keys(lines: &[&str]) -> Option<Wish> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let (first, more) = lines.split_first()?;
    let Some(value) = value_of(first.trim_start(), "ignore") else {
        return Some(unknown(without_comment(first)));
    };
    let belongs = |line: &&&str| indent(line) > indent(first);
    let continued: Vec<&str> = more.iter().take_while(belongs).copied().collect();
    if let Some(other) = more.get(continued.len()) {
        return Some(unknown(without_comment(other)));
    }
    let value = match scalar(value).as_str() {
        "" | "|" | ">" | "|-" | ">-" => folded(&continued),
        value if continued.is_empty() => value.to_owned(),
        value => format!("{value} {}", folded(&continued)),
    };
    said_of_ignore(&value)
}

/// What stands behind a key, if the line has it.
fn value_of<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    let line = line.trim_end();
    let quote = line.chars().next().filter(|c| ['"', '\''].contains(c));
    let rest = match quote {
        Some(quote) => line[1..].strip_prefix(key)?.strip_prefix(quote)?,
        None => line.strip_prefix(key)?,
    };
    let value = rest.trim_start().strip_prefix(':')?;
    (value.is_empty() || value.starts_with([' ', '\t'])).then(|| value.trim())
}

/// A value without quotes and comment.
fn scalar(value: &str) -> String {
    match value.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let mut text = String::new();
            let mut chars = value[1..].chars().peekable();
            while let Some(c) = chars.next() {
                match c {
                    '\\' if quote == '"' => text.extend(chars.next()),
                    '\'' if quote == c && chars.peek() == Some(&'\'') => text.extend(chars.next()),
                    c if c == quote => return text,
                    c => text.push(c),
                }
            }
            // It does not end in this line.
            text
        }
        _ => without_comment(value).trim().to_owned(),
    }
}

/// A line up to its comment, which begins with `#` behind white space.
fn without_comment(line: &str) -> &str {
    let is_comment = |&(at, _): &(usize, &str)| {
        line[..at]
            .chars()
            .next_back()
            .is_none_or(char::is_whitespace)
    };
    let comment = line.match_indices('#').find(is_comment);
    comment.map_or(line, |(at, _)| &line[..at])
}

/// Lines as one.
fn folded(lines: &[&str]) -> String {
    let lines = lines.iter().map(|line| scalar(line.trim()));
    lines.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ignored(reason: &str) -> Option<Wish> {
        Some(Wish::Ignore(reason.into()))
    }

    #[test]
    fn wishes_in_yaml() {
        for (block, reason) in [
            ("dupfind: ignore", ""),
            ("dupfind: ignore - legal text", "legal text"),
            ("dupfind: ignore -- legal text", "legal text"),
            ("dupfind: ignore \u{2014} 法律文本", "法律文本"),
            ("dupfind: ignore: legal text", "legal text"),
            ("dupfind: ignore (legal text)", "legal text"),
            (
                "dupfind: \"ignore: legal \\\"text\\\"\"  # why",
                "legal \"text\"",
            ),
            ("dupfind: 'ignore: it''s legal'", "it's legal"),
            ("\"dupfind\": ignore", ""),
            ("dupfind : ignore # not compared", ""),
            ("dupfind: ignore - issue #5", "issue"),
            ("dupfind: ignore - page a#b", "page a#b"),
            ("title: x\ntags: [a]\ndupfind: ignore\nlayout: y", ""),
            ("dupfind:\n  ignore: legal text", "legal text"),
            (
                "dupfind:\n  # why\n\n  ignore: legal text # so\n  \nlayout: y",
                "legal text",
            ),
            (
                "dupfind:\n  ignore: >\n    legal\n    text\nlayout: y",
                "legal text",
            ),
            ("dupfind:\n  ignore: true", ""),
            ("dupfind:\n  ignore:", ""),
            ("dupfind: { ignore: legal text }", "legal text"),
            ("dupfind: {ignore: legal, it's so}", "legal, it's so"),
            ("dupfind: {ignore: \"legal, \\\" x: 1\"}", "legal, \" x: 1"),
            ("dupfind: >-\n  ignore:\n  legal text", "legal text"),
            ("dupfind: ignore - legal\n  text\nlayout: y", "legal text"),
        ] {
            for end in ["---", "..."] {
                let text = format!("---\n{block}\n{end}\n\nThe page.\n");
                assert_eq!(wish(&text), ignored(reason), "{text}");
                assert_eq!(wish(&text.replace('\n', "\r\n")), ignored(reason), "{text}");
            }
        }
        assert_eq!(wish("\u{feff}--- \ndupfind: ignore\n---"), ignored(""));
    }

    #[test]
    fn text_between_rules_is_no_front_matter() {
        for (text, is_front_matter) in [
            ("---\na: b\n---\n", true),
            ("---\na b\nc:\n---\n", true),
            ("---\n\"a b\": c\n---\n", true),
            ("---\n'a b' :\n...\n", true),
            ("---\na : b\n---\n", true),
            ("---\n  a:b: c\n---\n", true),
            ("---\n# a\n---\n", true),
            ("---\n---\n", true),
            ("+++\n[a]\n+++\n", true),
            ("+++\na=b\n+++\n", true),
            ("---\n\nSee [the docs] here.\n\n---\n", false),
            ("---\na=b\n---\n", false),
            ("---\nA sentence with one thing: this.\n---\n", false),
            ("---\n\"Quoted words\" and: more\n---\n", false),
            ("---\nhttps://a.b\n: a\n# a: b\n---\n", false),
            ("+++\nSee [the docs] here: there\n+++\n", false),
        ] {
            assert_eq!(end(text) > 0, is_front_matter, "{text}");
        }
    }

    #[test]
    fn wishes_in_toml() {
        for (block, reason) in [
            ("dupfind = \"ignore\"", ""),
            ("dupfind = 'ignore: legal text' # why", "legal text"),
            (
                "title = \"x\"\ndupfind = \"ignore (legal text)\"",
                "legal text",
            ),
            ("dupfind.ignore = \"legal text\"", "legal text"),
            ("dupfind = { ignore = true }", ""),
            (
                "title = \"x\"\n[dupfind]\nignore = \"legal text\"",
                "legal text",
            ),
        ] {
            let text = format!("+++\n{block}\n+++\nThe page.\n");
            assert_eq!(wish(&text), ignored(reason), "{text}");
        }
    }

    #[test]
    fn what_means_nothing_is_said() {
        for (text, part) in [
            ("---\ndupfind: skip\n---\n", "'dupfind: skip'"),
            ("---\ndupfind: ignored\n---\n", "'dupfind: ignored'"),
            ("---\ndupfind: ignore-case\n---\n", "'dupfind: ignore-case'"),
            ("---\ndupfind: ignore me\n---\n", "'dupfind: ignore me'"),
            ("---\ndupfind:\n---\n", "'dupfind: '"),
            ("---\ndupfind: [ignore]\n---\n", "'dupfind: [ignore]'"),
            ("---\ndupfind:\n  - ignore\n---\n", "'- ignore' in"),
            ("---\ndupfind:\n  ingore: x\n---\n", "'ingore: x' in"),
            (
                "---\ndupfind:\n  ignore: x\n  until: y\n---\n",
                "'until: y' in",
            ),
            (
                "---\ndupfind: {ignore: because, x: 1}\n---\n",
                "'x' in 'dupfind'",
            ),
            ("---\ndupfind: {ignore: 'it''s', x: 1}\n---\n", "'x' in"),
            ("---\ndupfind: {ignore: don't, x: it's}\n---\n", "'x' in"),
            ("+++\ndupfind = \"skip\"\n+++\n", "'dupfind: skip'"),
            ("+++\ndupfind = 1\n+++\n", "the value of 'dupfind'"),
            ("+++\ndupfind.ignore = 1\n+++\n", "the value of 'ignore'"),
            ("+++\ndupfind.skip = true\n+++\n", "'skip' in 'dupfind'"),
            ("+++\ndupfind = ignore\n+++\n", "no valid TOML"),
        ] {
            match wish(text) {
                Some(Wish::Unclear(said)) => assert!(said.contains(part), "{text}: {said}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        let long = format!("---\ndupfind: {}\n---\n", "x".repeat(5000));
        let Some(Wish::Unclear(said)) = wish(&long) else {
            panic!("no wish");
        };
        assert!(said.len() < 250, "{}", said.len());
    }

    #[test]
    fn nothing_else_is_a_wish() {
        let long = "x: y\n".repeat(MOST);
        for text in [
            "dupfind: ignore\n",
            "\n---\ndupfind: ignore\n---\n",
            "---\ntitle: x\n---\n\ndupfind: ignore\n",
            // A rule across the page, not front matter: nothing closes it.
            "---\n\ndupfind: ignore\n",
            "--- a\ndupfind: ignore\n---\n",
            "----\ndupfind: ignore\n----\n",
            "---\nother:\n  dupfind: ignore\n---\n",
            "---\ndupfinder: ignore\n---\n",
            "---\ndupfind:ignore\n---\n",
            "---\n# dupfind: ignore\n---\n",
            "---\nabout: dupfind: ignore\n---\n",
            "---\ndupfind:\n  ignore: false\n---\n",
            "+++\n[extra]\ndupfind = \"ignore\"\n+++\n",
            "+++\ndupfind.ignore = false\n+++\n",
            "+++\nno TOML about dupfind\n+++\n",
            "--",
            "",
            &format!("---\n{long}dupfind: ignore\n---\n"),
        ] {
            assert_eq!(wish(text), None, "{}", &text[..text.len().min(80)]);
        }
    }

    proptest! {
        #[test]
        fn any_text_has_a_wish_or_none(
            fence in "(---|\\+\\+\\+)\n",
            lines in prop::collection::vec("(dupfind ?[:=.]|  ignore[:=]|\"|'|#|[{>|-]|\\PC){0,12}", 0..8),
        ) {
            let text = format!("{fence}{}\n{fence}", lines.join("\n"));
            if let Some(Wish::Ignore(said) | Wish::Unclear(said)) = wish(&text) {
                prop_assert!(said.chars().count() < 2 * KEPT && !said.contains('\n'));
            }
        }

        #[test]
        fn a_wish_is_in_the_front_matter_alone(front in "[a-z]{1,5}: [a-z]{0,9}\n", body in "\\PC{0,40}") {
            let text = format!("---\n{front}---\n{body}\ndupfind: ignore\n");
            prop_assume!(!front.starts_with(KEY));
            prop_assert_eq!(wish(&text), None);
        }
    }
}
