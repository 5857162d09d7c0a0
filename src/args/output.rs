//! The arguments about where the result goes and how it looks.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::args::headings::OUTPUT;

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
