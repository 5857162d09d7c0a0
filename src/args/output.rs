//! The arguments about where the result goes and how it looks.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::TypedValueParser;

use crate::args::headings::OUTPUT;
use crate::args::values::choice::choice;

/// Where the result goes.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// Write to FILE instead of standard output ('-' is standard output)
    ///
    /// The file is replaced when the result is complete, and untouched if the run fails.
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
}

/// When to use colours.
#[derive(Debug, clap::Args)]
pub(crate) struct ColorArgs {
    /// When to colour the output
    ///
    /// By default on a terminal only, and not if NO_COLOR is set.
    #[arg(hide_short_help = true, id = "color", long = "color", value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = OUTPUT)]
    pub(crate) when: Color,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Who reads the result of a command that has two formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    Person,
    Program,
}

/// Returns the parser of two formats: one for people, which has a name and a help, and JSON.
pub(crate) fn readers(
    name: &'static str,
    help: &'static str,
) -> impl TypedValueParser<Value = Reader> {
    choice([
        (Reader::Person, name, help),
        (Reader::Program, "json", "One JSON object"),
    ])
}
