//! From the arguments about a folder that changes to its live collection, and to the gate of its pairs.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use dupfind_decide::Gate;
use dupfind_engine::{Options, Silent, TopPairs};
use dupfind_scan::{Live, Scan, ScanOptions, scan_judged};

use crate::args::{CollectionArgs, ConfigArgs, LiveArgs, ScopeArgs, WithinArgs};
use crate::decision::gate::{of_file, scope};
use crate::terminal::messages;

/// Returns the live collection of a folder. Its index is beside the documents, or in another folder.
///
/// # Errors
///
/// There is no such folder, its index cannot be made, or options do not go together.
pub(crate) fn collection(
    folder: &Path,
    args: &CollectionArgs,
    threads: usize,
    index: Option<&Path>,
) -> Result<Live> {
    opened(
        &root(Path::new(""), folder)?,
        args,
        threads,
        index,
        &[],
        false,
    )
}

fn opened(
    root: &Path,
    args: &CollectionArgs,
    threads: usize,
    index: Option<&Path>,
    baselines: &[PathBuf],
    has_editions: bool,
) -> Result<Live> {
    let mut walk = (args.walk).options(&args.config, vec![root.to_owned()], &[])?;
    root.clone_into(&mut walk.base);
    walk.has_editions = has_editions;
    // No link is followed out of the folder, whoever asked to follow links.
    walk.within = Some(root.to_owned());
    walk.outputs.extend(index.map(Path::to_owned));
    walk.outputs.extend_from_slice(baselines);
    let options = ScanOptions {
        walk,
        read: args.reading.options(&args.config)?,
        engine: Options {
            threads,
            budget: args.memory.budget(),
            ..args.engine.options()
        },
        index: None,
    };
    let (live, warning) = Live::open(options, index)?;
    if let Some(warning) = warning {
        messages::warning(&warning);
    }
    Ok(live)
}

/// Returns the folder that the arguments name, without links. Paths in them are relative to `base`.
///
/// # Errors
///
/// There is no such folder.
pub(crate) fn root_of(args: &LiveArgs, base: &Path) -> Result<PathBuf> {
    let named = args.paths.first().map_or(Path::new(""), |path| path);
    root(base, named)
}

/// Returns the folder of a path that is relative to another one, without links.
fn root(base: &Path, named: &Path) -> Result<PathBuf> {
    let root = fs::canonicalize(base.join(named));
    if root
        .as_ref()
        .is_err_and(|error| error.kind() == ErrorKind::NotFound)
    {
        bail!("{}: not found", named.display());
    }
    let root = root.with_context(|| format!("cannot open {}", named.display()))?;
    if !root.is_dir() {
        bail!("{} is no folder", named.display());
    }
    Ok(root)
}

/// A folder of documents that may change, and its accepted pairs. All paths are absolute.
pub(crate) struct Site {
    pub(crate) live: Live,
    within: WithinArgs,
    config: ConfigArgs,
    /// Where the file of accepted pairs may be: the first one that is there counts.
    baselines: Vec<PathBuf>,
}

impl Site {
    /// Opens the folder that the arguments name. Paths in them are relative to `base`.
    ///
    /// # Errors
    ///
    /// As [`collection`].
    pub(crate) fn open(args: &LiveArgs, base: &Path) -> Result<Self> {
        let root = root_of(args, base)?;
        let (config, start) = (&args.collection.config, args.paths.first());
        let baselines = args.baseline.places(config, start, base);
        let live = opened(
            &root,
            &args.collection,
            0,
            None,
            &baselines,
            args.across.has_editions(&args.within),
        )?;
        Ok(Self {
            live,
            within: args.within.clone(),
            config: args.collection.config.clone(),
            baselines,
        })
    }

    /// Returns the gate that decides which pairs count, with the accepted pairs as they are now.
    ///
    /// # Errors
    ///
    /// A pattern is wrong, or the file of accepted pairs is damaged.
    pub(crate) fn gate(&self) -> Result<Gate> {
        let options = self.live.scan_options();
        let only_within = ScopeArgs {
            within: self.within.clone(),
            ..ScopeArgs::default()
        };
        let scope = scope(&only_within, &self.config, &options)?;
        let known = self.baseline().map(|file| of_file(file, &options.walk));
        Ok(Gate::new(scope, known.transpose()?.flatten()))
    }

    /// Returns the file of accepted pairs, if there is one now.
    pub(crate) fn baseline(&self) -> Option<&Path> {
        let mut places = self.baselines.iter();
        places.find(|place| place.is_file()).map(PathBuf::as_path)
    }

    /// Compares all documents as the index has them.
    ///
    /// # Errors
    ///
    /// As [`scan_judged`] and [`Self::gate`].
    pub(crate) fn scanned(&self) -> Result<(Scan, Gate)> {
        let options = self.live.scan_options();
        let mut gate = self.gate()?;
        let pairs = TopPairs::within(options.engine.budget.limit);
        // A plan makes a group of the copies of one text itself, unless single pairs of them are accepted.
        let mut pairs = match gate.decides() {
            true => pairs,
            false => pairs.of_first_copies(),
        };
        let mut scan = scan_judged(&options, &Silent, Some(&mut gate), Some(&mut pairs))?;
        scan.pairs = pairs.into_pairs();
        Ok((scan, gate))
    }
}
