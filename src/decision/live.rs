//! From the arguments about a folder that changes to its live collection, and to the gate of its pairs.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use dupfind_decide::gate::Gate;
use dupfind_engine::Relations;
use dupfind_engine::pairing::sink::TopPairs;
use dupfind_engine::run::observer::Observer;
use dupfind_engine::verdict::pair::Pair;
use dupfind_read::ReadOptions;
use dupfind_scan::live::Live;
use dupfind_scan::outcome::Outcome;
use dupfind_scan::{ScanOptions, scan_judged};

use crate::args::live::LiveArgs;
use crate::args::pairs::scope::ScopeArgs;
use crate::decision::accepting::Accepting;
use crate::decision::baseline::{names, of_file};
use crate::decision::scope::scope;
use crate::input::options::engine;
use crate::input::options::walk;
use crate::process::memory;

/// Returns the live collection of the folder that the arguments name.
///
/// # Errors
///
/// There is no such folder, its index cannot be made, or options do not go together.
pub(crate) fn live(args: &LiveArgs) -> Result<Live> {
    let root = root(args)?;
    let mut walk = walk(&args.walk, &args.config, vec![root.clone()], Vec::new())?;
    walk.base.clone_from(&root);
    // No link is followed out of the folder, whoever asked to follow links.
    walk.within = Some(root.clone());
    walk.outputs.push(baseline_file(args, &root));
    let engine = engine(&args.engine, &args.memory, 0)?;
    let options = ScanOptions {
        walk,
        read: ReadOptions {
            max_documents: memory::max_documents(),
            ..args.reading.options(&args.config)?
        },
        engine,
        index: None,
    };
    Ok(Live::open(options)?)
}

/// Returns the folder of the documents, without links.
fn root(args: &LiveArgs) -> Result<PathBuf> {
    let named = args.paths.first().map_or(Path::new("."), |path| path);
    let root = fs::canonicalize(named);
    let root = root.with_context(|| format!("cannot open {}", named.display()))?;
    if !root.is_dir() {
        bail!("{} is no folder", named.display());
    }
    Ok(root)
}

/// Returns the file of accepted pairs.
pub(crate) fn baseline_file(args: &LiveArgs, root: &Path) -> PathBuf {
    root.join(args.baseline.file())
}

/// Returns the gate that decides which pairs count, with the accepted pairs as they are now.
///
/// # Errors
///
/// A pattern is wrong, or the file of accepted pairs is damaged.
pub(crate) fn gate(args: &LiveArgs, live: &Live) -> Result<Gate> {
    let options = live.scan_options();
    let only_within = ScopeArgs {
        within: args.within.clone(),
        ..ScopeArgs::default()
    };
    let scope = scope(&only_within, &args.config, &options)?;
    let file = baseline_file(args, live.root());
    Ok(Gate::new(scope, of_file(&file, &options.walk)?))
}

/// All pairs of the documents as they are on disk.
pub(crate) struct Scanned {
    pub(crate) options: ScanOptions,
    pub(crate) outcome: Outcome,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) gate: Gate,
}

/// Compares all documents as the index has them.
///
/// # Errors
///
/// As [`scan_judged`] and [`gate`].
pub(crate) fn scanned(args: &LiveArgs, live: &Live, observer: &dyn Observer) -> Result<Scanned> {
    let options = live.scan_options();
    let mut gate = gate(args, live)?;
    let mut pairs = TopPairs::all();
    let outcome = scan_judged(&options, observer, Some(&mut gate), Some(&mut pairs))?;
    Ok(Scanned {
        pairs: pairs.into_pairs(),
        options,
        outcome,
        gate,
    })
}

/// Accepts two documents by their names, and returns the new line of the file of accepted pairs.
///
/// # Errors
///
/// The two are no pair, or the file cannot be read or written.
pub(crate) fn accept(
    args: &LiveArgs,
    scanned: &Scanned,
    [a, b]: [&str; 2],
    reason: &str,
) -> Result<String> {
    let Scanned {
        options,
        outcome,
        pairs,
        ..
    } = scanned;
    let is_it = |pair: &&Pair| {
        let two = [pair.a, pair.b].map(|id| outcome.name(id));
        two == [a, b] || two == [b, a]
    };
    let Some(pair) = pairs.iter().find(is_it) else {
        bail!("{a} and {b} are no pair: the tool compare shows what they share");
    };
    let file = baseline_file(args, &options.walk.base);
    let accepting = Accepting::begin(&file, true, Relations::DUPLICATES)?;
    let names = names(&file, &options.walk)?;
    let (new, line, _) = accepting.with(&names, outcome, pair, reason.trim())?;
    accepting.write(&new)?;
    Ok(line)
}
