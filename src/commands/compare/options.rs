//! From the arguments of `dupfind compare` to the options of a comparison.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use dupfind_engine::Options;
use dupfind_read::{ReadOptions, file_of};
use dupfind_scan::ScanOptions;

use crate::args::running::MemoryArgs;
use crate::commands::compare::args::CompareArgs;
use crate::commands::compare::neighbourhood::around;

/// The options of a comparison.
pub(crate) struct ComparisonOptions {
    /// How the two documents are read.
    pub(crate) read: ReadOptions,
    /// How they are compared.
    pub(crate) engine: Options,
    /// The documents that they are compared among, if there are any.
    pub(crate) among: Option<Neighbours>,
}

/// The documents among which two documents are compared.
pub(crate) struct Neighbours {
    /// The options of the scan that finds them.
    pub(crate) options: ScanOptions,
    /// Whether the user names them. Else they are those around the two.
    pub(crate) is_named: bool,
}

/// Returns the options of the comparison.
///
/// # Errors
///
/// A file of weights cannot be read, a path does not exist, or options do not go together.
pub(crate) fn options(args: &CompareArgs) -> Result<ComparisonOptions> {
    let engine = Options {
        budget: MemoryArgs::default().budget(),
        ..args.engine.options()
    };
    let read = args.reading.options(&args.config)?;
    if let Some(missing) = args.among.iter().find(|path| !path.exists()) {
        bail!("{}: not found", missing.display());
    }
    let scan = |paths: Vec<PathBuf>| {
        let outputs: Vec<&Path> = args.output.output.as_deref().into_iter().collect();
        anyhow::Ok(ScanOptions {
            index: None,
            walk: args.walk.options(&args.config, paths, &outputs)?,
            read: read.clone(),
            engine: engine.clone(),
        })
    };
    let among = match args.among.as_slice() {
        [] => around(args, scan)?.map(|options| Neighbours {
            options,
            is_named: false,
        }),
        paths => {
            // The two are there too, wherever they are.
            let own = [&args.a, &args.b].map(|path| file_of(path).to_owned());
            let paths = paths.iter().cloned().chain(own);
            Some(Neighbours {
                options: scan(paths.collect())?,
                is_named: true,
            })
        }
    };
    Ok(ComparisonOptions {
        read,
        engine,
        among,
    })
}
