//! From the arguments of `dupfind compare` to the options of a comparison.

use crate::compare::CompareOptions;
use crate::engine::Options;
use crate::read::ReadOptions;
use crate::read::source::walk::WalkOptions;
use crate::scan::ScanOptions;
use anyhow::{Result, bail};

use crate::cli::args::run::MemoryArgs;
use crate::cli::compare::args::CompareArgs;
use crate::cli::compare::neighbourhood::around;
use crate::cli::process::current_folder;

/// What a run of `dupfind compare` does.
pub(crate) struct ComparisonOptions {
    /// How the two documents are read.
    pub(crate) read: ReadOptions,
    /// How they are compared.
    pub(crate) compare: CompareOptions,
    /// The documents of `--among`, or those around the two, if there are any.
    pub(crate) among: Option<ScanOptions>,
    /// Whether the user named them.
    pub(crate) is_named: bool,
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
            shingle_size: args.cut.shingle_size(),
            shingle_unit: args.cut.shingle_unit(),
            idf: args.idf.source()?,
            ..Options::default()
        },
        terms: args.terms,
    };
    let read = args.reading.options(&args.config)?;
    if let Some(missing) = args.among.iter().find(|path| !path.exists()) {
        bail!("--among: there is no {}", missing.display());
    }
    let (base, is_named) = (current_folder()?, !args.among.is_empty());
    let walk = match is_named {
        true => Some(WalkOptions::new(args.among.clone(), base)),
        false if args.alone => None,
        false => around(args, &base, &read),
    };
    let among = |walk| {
        anyhow::Ok(ScanOptions {
            index: None,
            walk,
            read: read.clone(),
            engine: Options {
                budget: MemoryArgs::default().budget()?,
                ..compare.engine.clone()
            },
        })
    };
    let among = walk.map(among).transpose()?;
    Ok(ComparisonOptions {
        read,
        compare,
        among,
        is_named,
    })
}
