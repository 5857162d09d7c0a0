//! The arguments about how to run.

use std::path::PathBuf;

use anyhow::{Result, bail};
use dupfind_engine::run::budget::Budget;

use crate::args::config::ConfigArgs;
use crate::args::headings::RUNNING;
use crate::args::values::size;
use crate::process::memory;
use dupfind_engine::run::threads::MAX_THREADS;

/// How a comparison runs, and with which configuration.
#[derive(Debug, clap::Args)]
pub(crate) struct RunningArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// How to run.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Worker threads, up to 256; 0 is one for each core
    ///
    /// The result is the same for any number.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=MAX_THREADS as i64), help_heading = RUNNING)]
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

/// How much memory to use, and the folder for shingle sets that do not fit.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct MemoryArgs {
    /// Memory for shingle sets [default: half of the memory]
    ///
    /// K, M and G are powers of 1024. Beyond it the sets go to a temporary file and are compared in
    /// parts: slower, with the same result. About 100M, the texts at work and some 400 bytes for
    /// each document come on top, and for reports that need all pairs at most half as much again.
    #[arg(long, value_name = "SIZE", value_parser = memory_size, help_heading = RUNNING)]
    memory_limit: Option<u64>,

    /// Folder for temporary files [default: the system's]
    ///
    /// They take 16 bytes for each distinct shingle of each document, which is two to five times the
    /// size of the text, and vanish when the program ends. Where the system's folder is kept in
    /// memory, name another one.
    #[arg(hide_short_help = true, long, value_name = "DIR", help_heading = RUNNING)]
    temp_dir: Option<PathBuf>,
}

impl MemoryArgs {
    /// Returns the limits that were asked for, with the defaults of this machine for the others.
    ///
    /// # Errors
    ///
    /// The folder for temporary files is no folder.
    pub(crate) fn budget(&self) -> Result<Budget> {
        let temp_dir = match &self.temp_dir {
            Some(folder) if !folder.is_dir() => bail!("--temp-dir: no folder {}", folder.display()),
            Some(folder) => folder.clone(),
            None => std::env::temp_dir(),
        };
        Ok(Budget {
            limit: Some(self.memory_limit.unwrap_or_else(memory::default_limit)),
            temp_dir: Some(temp_dir),
        })
    }
}

/// The least `--memory-limit`: with less, the parts that are compared would be too small.
const LEAST_MEMORY: u64 = 16 << 20;

fn memory_size(text: &str) -> Result<u64, String> {
    match size::parse(text)? {
        bytes if bytes < LEAST_MEMORY => Err("expected at least 16M".into()),
        bytes => Ok(bytes),
    }
}
