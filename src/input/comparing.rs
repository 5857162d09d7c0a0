//! From the arguments that decide which pairs are found to the options of a scan.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use dupfind_engine::Options;
use dupfind_index::Index;
use dupfind_read::source::walk::WalkOptions;
use dupfind_scan::ScanOptions;

use crate::args::config::ConfigArgs;
use crate::args::documents::input::InputArgs;
use crate::args::documents::text::TextArgs;
use crate::args::pairs::detect::DetectArgs;
use crate::args::pairs::scope::ScopeArgs;
use crate::args::run::{MemoryArgs, RunArgs};
use crate::input::links;
use crate::input::options::{refuse_overwriting, shared};
use crate::process::current_folder;

/// The arguments that decide which documents a scan compares and which pairs it finds.
#[derive(Clone, Copy)]
pub(crate) struct Comparing<'a> {
    pub(crate) input: &'a InputArgs,
    pub(crate) text: &'a TextArgs,
    pub(crate) detect: &'a DetectArgs,
    pub(crate) scope: &'a ScopeArgs,
    pub(crate) run: &'a RunArgs,
    pub(crate) memory: &'a MemoryArgs,
    pub(crate) config: &'a ConfigArgs,
}

impl Comparing<'_> {
    /// Returns the options of the scan. `written` are the files that the command writes.
    ///
    /// # Errors
    ///
    /// A file of options cannot be read, a file would be written over one that is to be read, or numbers do not go
    /// together.
    pub(crate) fn options(self, written: Vec<&Path>) -> Result<ScanOptions> {
        let scope = self.scope;
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
        let shared = shared(self.input, self.text, self.config, self.run, written)?;
        Ok(ScanOptions {
            index: None,
            walk: WalkOptions {
                against: scope.against.clone(),
                ..shared.walk
            },
            read: shared.read,
            engine: engine(self.detect, self.memory, shared.engine)?,
            cluster_on: self.detect.cluster_on(),
        })
    }
}

/// Returns the options of the engine with the arguments about detection and memory.
///
/// # Errors
///
/// Numbers do not go together, or there is no folder for temporary files.
pub(crate) fn engine(detect: &DetectArgs, memory: &MemoryArgs, shared: Options) -> Result<Options> {
    Ok(Options {
        budget: memory.budget()?,
        ..detect.added_to(shared).map_err(|reason| anyhow!(reason))?
    })
}
