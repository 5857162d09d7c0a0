//! From the arguments of `dupfind compare` to the options of a comparison.

use crate::compare::CompareOptions;
use crate::engine::Options;
use crate::read::ReadOptions;
use crate::read::source::walk::WalkOptions;
use crate::scan::ScanOptions;
use anyhow::{Result, bail};

use crate::cli::args::run::MemoryArgs;
use crate::cli::compare::args::CompareArgs;
use crate::cli::process::current_folder;

/// What a run of `dupfind compare` does.
pub(crate) struct ComparisonOptions {
    /// How the two documents are read.
    pub(crate) read: ReadOptions,
    /// How they are compared.
    pub(crate) compare: CompareOptions,
    /// The documents of `--among`, if there are any.
    pub(crate) among: Option<ScanOptions>,
}

/// Returns the options of the comparison.
///
/// # Errors
///
/// A file of weights cannot be read, or a path does not exist.
pub(crate) fn options(args: &CompareArgs) -> Result<ComparisonOptions> {
    let compare = CompareOptions {
        engine: Options {
            han: args.cut.han(),
            shingle_size: args.cut.shingle_size,
            shingle_unit: args.cut.shingle_unit.into(),
            idf: args.idf.source()?,
            ..Options::default()
        },
        terms: args.terms,
    };
    let read = args.reading.options(&args.config)?;
    let among = match args.among.iter().find(|path| !path.exists()) {
        Some(missing) => bail!("--among: there is no {}", missing.display()),
        None if args.among.is_empty() => None,
        None => Some(ScanOptions {
            walk: WalkOptions::new(args.among.clone(), current_folder()?),
            read: read.clone(),
            engine: Options {
                budget: MemoryArgs::default().budget()?,
                ..compare.engine.clone()
            },
        }),
    };
    Ok(ComparisonOptions {
        read,
        compare,
        among,
    })
}
