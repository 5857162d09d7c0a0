//! From the arguments that decide which pairs are found to the options of a scan.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use dupfind_engine::Options;
use dupfind_index::Index;
use dupfind_scan::ScanOptions;

use crate::args::pairs::comparing::{ComparingArgs, EngineArgs};
use crate::args::pairs::detect::DetectArgs;
use crate::args::pairs::scope::ScopeArgs;
use crate::args::run::{MemoryArgs, RunningArgs};
use crate::input::links;
use crate::input::options::{refuse_overwriting, shared};
use crate::process::current_folder;

/// Returns the options of a scan. `written` are the files that the command writes.
///
/// # Errors
///
/// A file of options cannot be read, a file would be written over one that is to be read, or numbers do not go
/// together.
pub(crate) fn options(
    args: &ComparingArgs,
    running: &RunningArgs,
    written: Vec<&Path>,
) -> Result<ScanOptions> {
    let EngineArgs { text, detect } = &args.engine;
    let shared = shared(&args.input, text, &running.config, &running.run, written)?;
    Ok(ScanOptions {
        engine: detecting(detect, &running.memory, shared.engine)?,
        cluster_on: detect.cluster_on(),
        ..shared
    })
}

/// Returns the options of a scan that may have two sides.
///
/// # Errors
///
/// As for [`options`].
pub(crate) fn options_of_sides(
    args: &ComparingArgs,
    scope: &ScopeArgs,
    running: &RunningArgs,
    written: Vec<&Path>,
) -> Result<ScanOptions> {
    if let Some(index) = scope.against.iter().find(|path| Index::is_at(path)) {
        let index = index.display();
        bail!(
            "--against {index}: it is an index; 'dupfind query {index} DRAFT' compares a draft with it"
        );
    }
    links::check(&scope.against, &current_folder()?)?;
    for target in &written {
        refuse_overwriting(Some(target), &scope.against)?;
    }
    let mut options = options(args, running, written)?;
    options.walk.against.clone_from(&scope.against);
    Ok(options)
}

/// Returns the options of the engine.
///
/// # Errors
///
/// The numbers do not go together, or there is no folder for temporary files.
pub(crate) fn engine(args: &EngineArgs, memory: &MemoryArgs, threads: u16) -> Result<Options> {
    let text = args.text.added_to(Options {
        threads: usize::from(threads),
        ..Options::default()
    });
    detecting(&args.detect, memory, text)
}

/// Returns the options of the engine with the arguments about detection and memory.
fn detecting(detect: &DetectArgs, memory: &MemoryArgs, text: Options) -> Result<Options> {
    Ok(Options {
        budget: memory.budget()?,
        ..detect.added_to(text).map_err(|reason| anyhow!(reason))?
    })
}
