//! From the arguments of `dupfind scan` to the options of a scan.

use crate::engine::Options;
use crate::fingerprint::i_match::IMatch;
use crate::join::threshold::Containment;
use crate::read::source::walk::WalkOptions;
use crate::scan::ScanOptions;
use anyhow::{Result, anyhow};
use std::path::Path;

use crate::cli::args::run::MemoryArgs;
use crate::cli::input::links;
use crate::cli::input::options::{refuse_overwriting, shared};
use crate::cli::input::replaced::refuse_documents;
use crate::cli::process::current_folder;
use crate::cli::process::lock::Lock;
use crate::cli::scan::args::ScanArgs;
use crate::cli::scan::args::detect::DetectArgs;
use crate::cli::terminal::output;

/// Returns the options of the scan.
///
/// # Errors
///
/// A file of options cannot be read, a report would replace a file that is to be read, or numbers do not go
/// together.
pub(crate) fn options(args: &ScanArgs) -> Result<ScanOptions> {
    let targets: Vec<_> = args.targets().collect();
    let shared = shared(&args.input, &args.text, &args.config, &args.run, targets)?;
    links::check(&args.scope.against, &current_folder()?, args.run.quiet)?;
    for target in args.targets() {
        refuse_overwriting(Some(target), &args.scope.against)?;
        refuse_overwriting(Some(target), &args.scope.ignore_pairs)?;
    }
    // Files of ignored pairs are no documents.
    let mut outputs = shared.walk.outputs.clone();
    outputs.extend_from_slice(&args.scope.ignore_pairs);
    let baseline = args.gate.baseline.as_deref().and_then(output::place);
    outputs.extend(baseline.iter().map(|baseline| Lock::file(baseline)));
    let options = ScanOptions {
        walk: WalkOptions {
            against: args.scope.against.clone(),
            outputs,
            ..shared.walk
        },
        read: shared.read,
        engine: engine(&args.detect, &args.memory, shared.engine)?,
    };
    if !args.files {
        // A report over the baseline has a message of its own.
        let is_baseline = |report: &&Path| baseline.is_some() && output::place(report) == baseline;
        refuse_documents(
            &options,
            args.reports().filter(|report| !is_baseline(report)),
        )?;
    }
    Ok(options)
}

/// Returns the options of the engine with what the arguments say about detection and memory.
///
/// # Errors
///
/// Numbers do not go together, or there is no folder for temporary files.
pub(crate) fn engine(detect: &DetectArgs, memory: &MemoryArgs, shared: Options) -> Result<Options> {
    let signatures = &detect.signatures;
    Ok(detect.similarity.added_to(Options {
        simhash_width: detect.simhash.simhash_bits.into(),
        containment: detect.min_containment.map(|least| Containment {
            least,
            min_size: Options::MIN_CONTAINED,
        }),
        min_weighted: detect.min_weighted,
        cluster_on: detect.cluster_on.iter().copied().collect(),
        detectors: detect.detectors.iter().copied().collect(),
        require: detect.require.into(),
        super_shingles: signatures
            .super_shingles()
            .map_err(|reason| anyhow!(reason))?,
        i_match: IMatch {
            idf: signatures.i_match_idf,
            lexicons: signatures.i_match_lexicons,
        },
        budget: memory.budget()?,
        ..shared
    }))
}
