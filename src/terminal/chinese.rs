//! The help of the commands, and the errors that people meet most, in Chinese.
//!
//! `chinese.txt` has each paragraph of the help and each error in English, and the Chinese one on the next line. What it
//! lacks stays English. The manual pages, the completions and the guide are made of the English help.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::LazyLock;

use anstream::adapter::strip_str;
use dupfind_report::language;
use dupfind_report::style::wrap::{self, LongWords};

/// The texts by the English ones.
static TEXTS: LazyLock<HashMap<String, String>> = LazyLock::new(|| language::pairs(FILE).collect());

/// The pairs of an English and a Chinese text.
const FILE: &str = include_str!("chinese.txt");

/// What clap writes behind the help of an option, from the last one on.
const VALUES: [&str; 2] = ["[possible values: ", "[default: "];

/// Returns a rendered help in Chinese, in lines of so many columns. Each paragraph of the English one is a line.
pub(crate) fn help(english: &str, columns: usize) -> String {
    let paragraphs = english.trim_end().split("\n\n").map(|paragraph| {
        let bare = strip_str(paragraph).to_string();
        match TEXTS.get(&bare) {
            Some(whole) => whole.clone(),
            // A sign of Chinese needs no blank behind it.
            None if bare.starts_with("Usage: ") => paragraph
                .replace("Usage:", &TEXTS["Usage:"])
                .replacen(' ', "", 1)
                .replace("\n ", "\n"),
            None => paragraph.lines().map(line).collect::<Vec<_>>().join("\n"),
        }
    });
    let text = paragraphs.collect::<Vec<_>>().join("\n\n");
    text.lines().map(|line| wrapped(line, columns)).collect()
}

/// Returns a line of the help in Chinese: a heading, a label before an example, or a text, behind an option or not.
fn line(english: &str) -> String {
    let bare = strip_str(english).to_string();
    if let Some(whole) = TEXTS.get(&bare) {
        return english.replace(&bare, whole);
    }
    let at = hang(english);
    let (head, text) = english.split_at(at);
    if let Some(label) = TEXTS.get(head.trim()) {
        let width = at.saturating_sub(2 + width(label));
        return format!("  {label}{:width$}{text}", "");
    }
    // Some defaults are in the text of an option. clap adds others and the possible values behind it.
    let behind = VALUES.iter().filter_map(|values| text.rfind(values));
    for end in std::iter::once(text.len()).chain(behind) {
        let (known, values) = text.split_at(text[..end].trim_end().len());
        let chinese = TEXTS.get(known).map(String::as_str);
        if let Some(chinese) = chinese.or(known.is_empty().then_some("")) {
            let replace = |text: String, values: &&str| text.replace(*values, &TEXTS[*values]);
            let values = VALUES.iter().fold(values.to_owned(), replace);
            return format!("{head}{chinese}{values}");
        }
    }
    english.to_owned()
}

/// Returns where the text of a line of the help begins: behind the option or label before it, or behind its blanks.
fn hang(line: &str) -> usize {
    let bare = line.trim_start();
    let start = line.len() - bare.len();
    if bare.starts_with("- ")
        && let Some((value, text)) = bare.split_once(": ")
    {
        return start + value.len() + 2 + text.len() - text.trim_start().len();
    }
    bare.find("  ")
        .map_or(start, |at| line.len() - bare[at..].trim_start().len())
}

/// Returns a line of the help in lines of so many columns, each with its end. The text of an option hangs.
fn wrapped(line: &str, columns: usize) -> String {
    let (head, text) = line.split_at(hang(line));
    if width(line) <= columns {
        return format!("{line}\n");
    }
    let width = width(head);
    let lines = wrap::lines(text, columns.saturating_sub(width), LongWords::Whole);
    format!("{head}{}\n", lines.join(&format!("\n{:width$}", "")))
}

/// Returns how many columns a text of the help has.
fn width(text: &str) -> usize {
    strip_str(text).to_string().chars().map(wrap::width).sum()
}

/// Returns an error in Chinese, line by line. A hole `{}` of a line stands for whatever is there.
pub(crate) fn error(english: &str) -> String {
    let lines = english.split('\n').map(line_of_error);
    lines.collect::<Vec<_>>().join("\n")
}

fn line_of_error(line: &str) -> String {
    for (text, chinese) in language::pairs(FILE) {
        let Some(held) = held(&text, line) else {
            continue;
        };
        let mut values: Vec<String> = held.into_iter().map(str::to_owned).collect();
        // The reason behind the last colon is a sentence: a line is in one language.
        if let Some(reason) = values.last_mut().filter(|_| text.ends_with("': {}")) {
            let chinese = error(reason);
            if chinese == *reason {
                return line.to_owned();
            }
            *reason = chinese;
        }
        let values: Vec<_> = values.iter().map(|value| value as &dyn Display).collect();
        return language::filled(&chinese, &values);
    }
    line.to_owned()
}

/// Returns what a line has in the holes of a text, if it is that text.
fn held<'l>(text: &str, line: &'l str) -> Option<Vec<&'l str>> {
    let mut parts = text.split("{}");
    let mut rest = line.strip_prefix(parts.next()?)?;
    let mut held = Vec::new();
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let at = match parts.peek() {
            Some(_) => rest.find(part)?,
            None => rest.strip_suffix(part)?.len(),
        };
        held.push(&rest[..at]);
        rest = &rest[at + part.len()..];
    }
    rest.is_empty().then_some(held)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::Args;
    use clap::CommandFactory;

    /// The help of each command, short and long, in lines of so many columns.
    fn helps(columns: usize) -> Vec<String> {
        let commands: Vec<_> = Args::command()
            .get_subcommands()
            .map(|command| command.get_name().to_owned())
            .collect();
        let definitions = [(Args::in_short(), "-h"), (Args::definition(), "--help")];
        let english = definitions.into_iter().flat_map(|(definition, option)| {
            let mut definition = definition.term_width(0);
            let help = |name: &String| {
                let words = ["dupfind", name, option];
                let error = definition.try_get_matches_from_mut(words).unwrap_err();
                error.render().ansi().to_string()
            };
            commands.iter().map(help).collect::<Vec<_>>()
        });
        english.map(|english| help(&english, columns)).collect()
    }

    #[test]
    fn the_help_is_chinese_in_80_columns() {
        // Options, their values and examples are neither.
        let is_english = |text: &str| {
            let is_chinese = text.chars().any(|c| wrap::width(c) == 2)
                || TEXTS.get(text).is_some_and(|chinese| chinese == text);
            let is_prose = [" the ", " a ", " of ", " is ", " to ", " in "];
            let is_prose = is_prose.iter().any(|word| text.contains(word));
            let starts = text.starts_with(|c: char| c.is_ascii_uppercase());
            !is_chinese && (is_prose || (starts && !text.starts_with("COLUMNS=")))
        };
        for line in helps(usize::MAX).iter().flat_map(|help| help.lines()) {
            let bare = strip_str(line).to_string();
            let (head, text) = bare.split_at(hang(&bare));
            let label = head.trim();
            assert!(!is_english(text), "{bare}");
            assert!(!label.ends_with(':') || !is_english(label), "{bare}");
            assert!(!bare.ends_with(':'), "{bare}");
        }
        for line in helps(80).iter().flat_map(|help| help.lines()) {
            assert!(width(line) <= 80, "{line}");
        }
    }

    #[test]
    fn an_error_keeps_what_it_names() {
        assert_eq!(held("{}: not {}", "a: b: not c"), Some(vec!["a: b", "c"]));
        assert_eq!(held("{}: not found", "a: found"), None);
        assert_eq!(held("{}: not found", "公园公园公园公园"), None);
        assert_eq!(error("docs: not found"), "docs：找不到");
        assert_eq!(error("unheard of"), "unheard of");
        // A line is in one language.
        let invalid = "error: invalid value 'x' for '--keep': unheard of";
        assert_eq!(error(invalid), invalid);
        let quoted = "error: invalid value 'x' for '--within': it is like 'y'";
        assert_eq!(error(quoted), quoted);
        let known =
            "error: invalid value 'x' for '--keep': 'x' is no rule: expected newest or path";
        assert!(
            error(known).ends_with("'x' 不是规则：应为 newest 或 path"),
            "{}",
            error(known)
        );
    }
}
