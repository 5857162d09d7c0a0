//! From the arguments of `dupfind compare` to the options of a comparison.

use anyhow::{Result, bail};
use dupfind_engine::Options;
use dupfind_index::Index;
use dupfind_read::ReadOptions;
use dupfind_read::source::walk::WalkOptions;
use dupfind_scan::ScanOptions;

use crate::args::run::MemoryArgs;
use crate::commands::compare::args::CompareArgs;
use crate::commands::compare::neighbourhood::around;
use crate::process::current_folder;

/// What a run of `dupfind compare` does.
pub(crate) struct ComparisonOptions {
    /// How the two documents are read.
    pub(crate) read: ReadOptions,
    /// How they are compared.
    pub(crate) engine: Options,
    /// What they are compared among, if there is anything.
    pub(crate) among: Option<Neighbours>,
}

/// The documents among which two documents are compared.
pub(crate) enum Neighbours {
    /// Those of `--among`.
    Named(ScanOptions),
    /// Those around the two, which nobody named.
    Around(ScanOptions),
    /// Those of an index that `--among` names.
    Indexed(Index),
}

/// Returns the options of the comparison.
///
/// # Errors
///
/// A file of weights cannot be read, or a path does not exist.
pub(crate) fn options(args: &CompareArgs) -> Result<ComparisonOptions> {
    let engine = Options {
        shingle_size: args.cut.shingle_size(),
        shingle_unit: args.cut.shingle_unit(),
        idf: args.idf.source()?,
        ..Options::default()
    };
    let read = args.reading.options(&args.config)?;
    if let Some(missing) = args.among.iter().find(|path| !path.exists()) {
        bail!("--among: there is no {}", missing.display());
    }
    let base = current_folder()?;
    let scan = |walk| {
        anyhow::Ok(ScanOptions {
            index: None,
            walk,
            read: read.clone(),
            engine: Options {
                budget: MemoryArgs::default().budget()?,
                ..engine.clone()
            },
        })
    };
    let among = match args.among.as_slice() {
        [] if args.alone => None,
        [] => {
            let walk = around(args, &base, &read);
            walk.map(scan).transpose()?.map(Neighbours::Around)
        }
        [path] if Index::is_at(path) => Some(Neighbours::Indexed(Index::open(path, &engine)?)),
        paths => {
            if let Some(index) = paths.iter().find(|path| Index::is_at(path)) {
                bail!("--among takes an index alone: {}", index.display());
            }
            let walk = WalkOptions::new(paths.to_vec(), base);
            Some(Neighbours::Named(scan(walk)?))
        }
    };
    Ok(ComparisonOptions {
        read,
        engine,
        among,
    })
}
