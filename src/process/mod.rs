//! The process: its exit status, interrupts and signals, its memory and its folder.

pub(crate) mod ci;
pub(crate) mod exit;
pub(crate) mod interrupt;
pub(crate) mod itself;
pub(crate) mod memory;
pub(crate) mod panics;
pub(crate) mod paths;
pub(crate) mod room;
pub(crate) mod signals;

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};

/// Returns the current folder.
pub(crate) fn current_folder() -> Result<PathBuf> {
    env::current_dir().context("cannot tell the current folder")
}
