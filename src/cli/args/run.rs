//! The options about where the result goes and how to run.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::cli::args::{OUTPUT, RUNNING};
use crate::cli::size;

/// Where the result goes.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// Write to FILE instead of standard output ('-' is standard output)
    ///
    /// The file is replaced when the result is complete, and untouched if the run fails.
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
}

/// Whether to colour.
#[derive(Debug, clap::Args)]
pub(crate) struct ColorArgs {
    /// When to colour the output
    ///
    /// By default on a terminal only, and not if NO_COLOR is set.
    #[arg(id = "color", long = "color", value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = OUTPUT)]
    pub(crate) when: Color,
}

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How to run.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Worker threads, up to 256; 0 is one for each core
    ///
    /// The result is the same for any number.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=256), help_heading = RUNNING)]
    pub(crate) threads: u16,

    /// Print counts and the time of each stage to standard error
    #[arg(long, help_heading = RUNNING)]
    pub(crate) stats: bool,

    /// No progress bar and no warnings; errors are still printed
    #[arg(short, long, help_heading = RUNNING)]
    pub(crate) quiet: bool,

    /// No progress bar
    #[arg(hide_short_help = true, long, help_heading = RUNNING)]
    pub(crate) no_progress: bool,
}

impl RunArgs {
    pub(crate) fn shows_progress(&self) -> bool {
        !self.quiet && !self.no_progress
    }
}

/// How much memory to take, and where to go on without.
#[derive(Debug, clap::Args)]
pub(crate) struct MemoryArgs {
    /// Memory for shingle sets [default: half of what there is]
    ///
    /// K, M and G are powers of 1024. Beyond it the sets go to a temporary file and are compared in
    /// parts: slower, with the same result. On top come about 100M, the texts at work and some 400
    /// bytes for each document.
    #[arg(long, value_name = "SIZE", value_parser = memory_size, help_heading = RUNNING)]
    pub(crate) memory_limit: Option<u64>,

    /// Folder for temporary files [default: the system's]
    ///
    /// They take 16 bytes for each distinct shingle of each document, which is two to five times the
    /// size of the text, and vanish when the program ends. Where the system's folder is kept in
    /// memory, name another one.
    #[arg(hide_short_help = true, long, value_name = "DIR", help_heading = RUNNING)]
    pub(crate) temp_dir: Option<PathBuf>,
}

/// The least --memory-limit: with less, parts would be too small to get on.
const LEAST_MEMORY: u64 = 16 << 20;

fn memory_size(text: &str) -> Result<u64, String> {
    match size::parse(text)? {
        bytes if bytes < LEAST_MEMORY => Err("expected at least 16M".into()),
        bytes => Ok(bytes),
    }
}
