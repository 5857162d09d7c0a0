//! The arguments about where the result goes and how it looks.

use std::path::PathBuf;

use clap::builder::TypedValueParser;

use crate::args::group::{group, groups};
use crate::args::headings::OUTPUT;
use crate::args::values::choice::{choice, choices, named};
use crate::terminal::output::Color;

groups! {
    /// Where the result goes.
    pub(crate) struct OutputArgs {}
    beside {
        /// Write to FILE instead of standard output ('-' is standard output)
        ///
        /// The file is replaced when the result is complete, and untouched if the run fails.
        #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
        pub(crate) output: Option<PathBuf>,
    }
}

group! {
    /// When to use colours.
    pub(crate) struct ColorArgs in OUTPUT {
        /// When to colour the output [default: auto]
        ///
        /// By default on a terminal only, and not if NO_COLOR is set.
        #[arg(hide_short_help = true, long, value_name = "WHEN")]
        pub(crate) color: Option<Color>,
    }
}

choices!(Color);

impl ColorArgs {
    /// Returns when to use colours.
    pub(crate) fn when(&self) -> Color {
        self.color.unwrap_or_default()
    }
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
        named(Reader::Person, name, help),
        named(Reader::Program, "json", "One JSON object"),
    ])
}
