//! The help of the commands, and the errors that people meet most, in Chinese.
//!
//! `chinese.txt` has each paragraph of the help and each error in English, and the Chinese one on the next line. What it
//! lacks stays English. The manual pages, the completions and the guide are made of the English help.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::LazyLock;

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command};
use dupfind_report::language;

/// The texts by the English ones.
static TEXTS: LazyLock<HashMap<String, String>> = LazyLock::new(|| language::pairs(FILE).collect());

/// The pairs of an English and a Chinese text.
const FILE: &str = include_str!("chinese.txt");

/// Returns a text in Chinese, paragraph by paragraph. Of an example the word before it is one.
fn text(english: &str) -> String {
    let paragraphs = english.split("\n\n").map(|paragraph| {
        let whole = TEXTS.get(paragraph).cloned();
        whole.unwrap_or_else(|| paragraph.lines().map(line).collect::<Vec<_>>().join("\n"))
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Returns a line in Chinese. What stands behind a label stays where it is.
fn line(english: &str) -> String {
    if let Some(whole) = TEXTS.get(english) {
        return whole.clone();
    }
    let behind = english.find("  dupfind").filter(|at| *at > 2);
    let label = behind.map(|at| (english[..at].trim(), at));
    match label.and_then(|(label, at)| Some((TEXTS.get(label)?, at))) {
        // A character of Chinese takes two columns.
        Some((label, at)) => {
            let columns = label.chars().map(|c| if c.is_ascii() { 1 } else { 2 });
            let width = at.saturating_sub(2 + columns.sum::<usize>());
            format!("  {label}{:width$}{}", "", &english[at..])
        }
        None => english.to_owned(),
    }
}

/// Returns the definition with its help in Chinese.
pub(crate) fn help(command: Command, is_short: bool) -> Command {
    let header = command.get_styles().get_header();
    let usage = format!(
        "{}{}{}",
        header.render(),
        text("Usage:"),
        header.render_reset()
    );
    let template =
        format!("{{about-with-newline}}\n{usage} {{usage}}\n\n{{all-args}}{{after-help}}");
    let of = |english: Option<&StyledStr>| {
        english
            .map(|english| text(&english.to_string()))
            .unwrap_or_default()
    };
    let [about, long] = [
        command.get_about(),
        command.get_long_about().or(command.get_about()),
    ]
    .map(of);
    let [after, long_after] = [
        command.get_after_help(),
        command.get_after_long_help().or(command.get_after_help()),
    ]
    .map(of);
    let own = Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::Help);
    let own = own.help("Print help").help_heading("Options");
    command
        .disable_help_flag(true)
        .arg(own)
        .help_template(template)
        .about(about)
        .long_about(long)
        .after_help(after)
        .after_long_help(long_after)
        .mut_args(|arg| argument(arg, is_short))
        .mut_subcommands(|command| help(command, is_short))
}

/// Returns an argument with its help in Chinese.
fn argument(arg: Arg, is_short: bool) -> Arg {
    let heading = match (arg.is_positional(), arg.get_help_heading()) {
        (true, _) => "Arguments",
        (false, heading) => heading.unwrap_or("Options"),
    };
    let heading: &'static str = TEXTS.get(heading).map_or("", String::as_str);
    let mut values = String::new();
    let defaults: Vec<_> = arg
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy())
        .collect();
    if !defaults.is_empty() && !arg.is_hide_default_value_set() && arg.get_action().takes_values() {
        values = format!(" [{}{}]", text("default: "), defaults.join(" "));
    }
    let possible: Vec<_> = arg.get_possible_values();
    let mut listed = values.clone();
    if !possible.is_empty() && !arg.is_hide_possible_values_set() && arg.get_action().takes_values()
    {
        let names: Vec<_> = possible.iter().map(|value| value.get_name()).collect();
        values += &format!(" [{}{}]", text("possible values: "), names.join(", "));
        let lines = possible.iter().map(|value| {
            let help = value.get_help().map(|help| text(&help.to_string()));
            format!("\n- {}: {}", value.get_name(), help.unwrap_or_default())
        });
        listed += &format!("\n\n{}", text("possible values: "));
        listed.extend(lines);
    }
    let short = arg
        .get_help()
        .map(|help| text(&help.to_string()))
        .unwrap_or_default();
    let long = arg
        .get_long_help()
        .map_or_else(|| short.clone(), |help| text(&help.to_string()));
    let arg = match arg.get_action().takes_values() {
        true => arg.hide_default_value(true).hide_possible_values(true),
        false => arg,
    };
    let arg = arg.help_heading(heading);
    match is_short {
        true => arg.help(short + &values),
        false => arg.long_help(long + &listed),
    }
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
    use std::collections::BTreeSet;

    use super::*;
    use crate::command_line::Args;

    /// Adds the paragraphs of the help of a command, in its order.
    fn collect(command: &Command, all: &mut Vec<String>) {
        let mut add = |english: Option<&StyledStr>| {
            let english = english.map(StyledStr::to_string).unwrap_or_default();
            all.extend(english.split("\n\n").map(str::to_owned));
        };
        add(command.get_long_about().or(command.get_about()));
        for arg in command.get_arguments() {
            add(arg.get_help());
            add(arg.get_long_help());
            for value in arg.get_possible_values() {
                add(value.get_help());
            }
        }
        command
            .get_subcommands()
            .for_each(|command| collect(command, all));
    }

    #[test]
    fn every_paragraph_of_the_help_has_its_chinese_one() {
        let mut all = Vec::new();
        collect(&Args::definition(), &mut all);
        let mut seen = BTreeSet::new();
        all.retain(|text| {
            !text.is_empty() && !TEXTS.contains_key(text) && seen.insert(text.clone())
        });
        assert!(all.is_empty(), "{}", all.join("\n"));
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
