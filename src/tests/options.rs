//! The options of all commands as tables in Markdown, for the guide.

use std::fmt::Write;

use clap::builder::StyledStr;
use clap::{Arg, Command};

/// An option, and the commands that have it in the same way.
struct Row<'c> {
    heading: &'c str,
    /// The cells: how it is typed, its default, and its help.
    cells: [String; 3],
    commands: Vec<&'c str>,
}

/// Returns a table for each heading of the help.
pub(super) fn tables(root: &Command) -> String {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for command in root.get_subcommands() {
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            let Some(heading) = arg.get_help_heading() else {
                continue;
            };
            let default = match default(arg) {
                default if default.is_empty() => default,
                default => format!("`{default}`"),
            };
            let cells = [typed(arg), default, help(arg)];
            let is_same = |row: &&mut Row<'_>| row.heading == heading && row.cells == cells;
            match rows.iter_mut().find(is_same) {
                Some(row) => row.commands.push(command.get_name()),
                None => rows.push(Row {
                    heading,
                    cells,
                    commands: vec![command.get_name()],
                }),
            }
        }
    }
    // Rows of one heading follow each other, in the order of the help.
    let mut headings: Vec<&str> = Vec::new();
    for row in &rows {
        if !headings.contains(&row.heading) {
            headings.push(row.heading);
        }
    }
    let all = rows.iter().flat_map(|row| row.commands.iter().copied());
    let mut all: Vec<&str> = all.collect();
    all.sort_unstable();
    all.dedup();
    let mut text = String::new();
    for heading in headings {
        let mut line = |line: String| writeln!(text, "{line}").expect("writing to a string");
        line(format!("\n## {heading}\n"));
        line("| option | default | meaning | commands |\n|---|---|---|---|".into());
        for row in rows.iter().filter(|row| row.heading == heading) {
            let [typed, default, help] = &row.cells;
            let commands = named(&row.commands, &all);
            line(format!("| `{typed}` | {default} | {help} | {commands} |"));
        }
    }
    text
}

/// Returns the names of commands, or of those that are missing if these are fewer.
fn named(commands: &[&str], all: &[&str]) -> String {
    let mut missing = all.to_vec();
    missing.retain(|name| !commands.contains(name));
    match missing.len() {
        0 => "all".into(),
        few if few < commands.len() => format!("all but {}", missing.join(", ")),
        _ => commands.join(", "),
    }
}

/// Returns an option as it is typed: `-g, --glob <GLOB>`.
fn typed(arg: &Arg) -> String {
    let short = arg.get_short().map(|short| format!("-{short}, "));
    let long = arg.get_long().unwrap_or_default();
    let value = match arg.get_action().takes_values() {
        true => arg.get_value_names().and_then(<[_]>::first),
        false => None,
    };
    let value = value.map(|name| format!(" <{name}>"));
    format!(
        "{}--{long}{}",
        short.unwrap_or_default(),
        value.unwrap_or_default()
    )
}

/// Returns the default of an option: that of clap, or the one that its help names.
pub(super) fn default(arg: &Arg) -> String {
    let values = arg.get_default_values().iter();
    let values: String = values.map(|value| value.to_string_lossy()).collect();
    if !arg.get_action().takes_values() || !values.is_empty() {
        return match arg.get_action().takes_values() {
            true => values,
            false => String::new(),
        };
    }
    let help = arg.get_help().map(StyledStr::to_string).unwrap_or_default();
    let named = help
        .split_once("[default: ")
        .and_then(|(_, rest)| rest.split_once(']'));
    named.map(|(named, _)| named.to_owned()).unwrap_or_default()
}

/// Returns the short help, with the values that there are.
fn help(arg: &Arg) -> String {
    let help = arg.get_help().map(StyledStr::to_string).unwrap_or_default();
    let default = format!(" [default: {}]", default(arg));
    let help = help.replace(&default, "");
    let values = arg.get_possible_values();
    if values.is_empty() || !arg.get_action().takes_values() {
        return help.replace('|', "\\|");
    }
    let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
    format!("{help}: {}", names.join(", ")).replace('|', "\\|")
}
