//! From the arguments of `dupfind scan` to the options of a scan.

use anyhow::{Result, anyhow, bail};
use dupfind_engine::Options;
use dupfind_index::Index;
use dupfind_read::source::walk::WalkOptions;
use dupfind_scan::ScanOptions;
use dupfind_scan::indexed::IndexOptions;
use std::path::Path;

use crate::args::config::ConfigArgs;
use crate::args::input::InputArgs;
use crate::args::run::{MemoryArgs, RunArgs};
use crate::args::text::TextArgs;
use crate::commands::scan::args::ScanArgs;
use crate::commands::scan::args::detect::DetectArgs;
use crate::commands::scan::args::scope::ScopeArgs;
use crate::input::links;
use crate::input::options::{refuse_overwriting, shared};
use crate::input::replaced::refuse_documents;
use crate::process::current_folder;
use crate::terminal::output;
use dupfind_files::lock::Lock;

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
        links::check(&scope.against, &current_folder()?, self.run.quiet)?;
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

/// Returns the options of the scan.
///
/// # Errors
///
/// A file of options cannot be read, a report would replace a file that is to be read, or numbers do not go
/// together.
pub(crate) fn options(args: &ScanArgs) -> Result<ScanOptions> {
    let comparing = Comparing {
        input: &args.input,
        text: &args.text,
        detect: &args.detect,
        scope: &args.scope,
        run: &args.run,
        memory: &args.memory,
        config: &args.config,
    };
    let mut options = comparing.options(args.targets().collect())?;
    options.index = args.index.as_ref().map(|path| IndexOptions {
        path: path.clone(),
        is_frozen: args.frozen,
    });
    options.walk.outputs.extend(args.index.clone());
    let baseline = args.gate.baseline.as_deref().and_then(output::place);
    let locks = baseline.iter().map(|baseline| Lock::file(baseline));
    options.walk.outputs.extend(locks);
    // A report over the baseline has a message of its own.
    let is_baseline = |report: &&Path| baseline.is_some() && output::place(report) == baseline;
    refuse_documents(
        &options,
        args.reports().filter(|report| !is_baseline(report)),
    )?;
    Ok(options)
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
