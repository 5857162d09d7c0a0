//! From what was typed to what is to be done.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::engine::Options;
use crate::engine::store::Budget;
use crate::fingerprint::i_match::IMatch;
use crate::join::threshold::Containment;
use crate::read::source::list;
use crate::read::source::walk::{Globs, STDIN, WalkOptions};
use crate::scan::ScanOptions;
use anyhow::{Context, Result, anyhow, bail};

use crate::cli::args::{
    FingerprintArgs, IdfArg, InputArgs, OutputArgs, RunArgs, ScanArgs, TextArgs,
};
use crate::cli::compare_args::CompareArgs;
use crate::cli::config::ConfigArgs;
use crate::cli::tune_args::TuneArgs;
use crate::cli::{current_folder, memory, stdin};

/// The settings of `dupfind scan`.
pub(crate) fn for_scan(args: &ScanArgs) -> Result<ScanOptions> {
    let (similarity, signatures) = (&args.detect.similarity, &args.detect.signatures);
    let common = common(
        &args.input,
        &args.text,
        &args.config,
        args.targets(),
        args.run.threads,
    )?;
    for target in args.targets() {
        refuse_overwriting(Some(target), &args.scope.against)?;
        refuse_overwriting(Some(target), &args.scope.ignore_pairs)?;
    }
    let mut outputs = common.walk.outputs.clone();
    outputs.extend_from_slice(&args.scope.ignore_pairs);
    Ok(ScanOptions {
        walk: WalkOptions {
            against: args.scope.against.clone(),
            outputs,
            ..common.walk
        },
        read: common.read,
        engine: Options {
            simhash_width: args.detect.simhash.simhash_bits.into(),
            max_hamming: similarity.max_hamming,
            min_jaccard: similarity.min_jaccard,
            containment: args.detect.min_containment.map(|least| Containment {
                least,
                min_size: Options::MIN_CONTAINED,
            }),
            cluster_on: args.detect.cluster_on.iter().copied().collect(),
            detectors: args.detect.detectors.iter().copied().collect(),
            require: args.detect.require.into(),
            super_shingles: signatures
                .super_shingles()
                .map_err(|reason| anyhow!(reason))?,
            i_match: IMatch {
                idf: signatures.i_match_idf,
                lexicons: signatures.i_match_lexicons,
            },
            budget: budget(args.memory.memory_limit, args.memory.temp_dir.as_deref())?,
            ..common.engine
        },
    })
}

/// What `dupfind compare` is to read besides the two documents, if anything.
pub(crate) fn among(args: &CompareArgs) -> Result<Option<ScanOptions>> {
    if args.among.is_empty() {
        return Ok(None);
    }
    if let Some(missing) = args.among.iter().find(|path| !path.exists()) {
        bail!("--among: there is no {}", missing.display());
    }
    Ok(Some(ScanOptions {
        walk: WalkOptions::new(args.among.clone(), current_folder()?),
        read: args.reading.settings(&args.config)?,
        engine: Options {
            han: args.cut.han(),
            shingle_size: args.cut.shingle_size,
            shingle_unit: args.cut.shingle_unit.into(),
            budget: budget(None, None)?,
            ..Options::default()
        },
    }))
}

/// The settings of `dupfind fingerprint`.
pub(crate) fn for_fingerprint(args: &FingerprintArgs) -> Result<ScanOptions> {
    let mut settings = of_one_output(
        &args.input,
        &args.text,
        &args.config,
        &args.output,
        &args.run,
    )?;
    settings.engine.simhash_width = args.simhash.simhash_bits.into();
    Ok(settings)
}

/// The settings of `dupfind tune`.
pub(crate) fn for_tune(args: &TuneArgs) -> Result<ScanOptions> {
    let settings = of_one_output(
        &args.input,
        &args.text,
        &args.config,
        &args.output,
        &args.run,
    )?;
    Ok(ScanOptions {
        engine: Options {
            max_hamming: args.range.max_hamming,
            min_jaccard: args.range.min_jaccard,
            budget: budget(args.memory.memory_limit, args.memory.temp_dir.as_deref())?,
            ..settings.engine
        },
        ..settings
    })
}

/// How much memory shingle sets may take, and where they go beyond it; each as asked, or as is usual here.
fn budget(limit: Option<u64>, temp_dir: Option<&Path>) -> Result<Budget> {
    let temp_dir = match temp_dir {
        Some(folder) if !folder.is_dir() => bail!("--temp-dir: no folder {}", folder.display()),
        Some(folder) => folder.to_owned(),
        None => std::env::temp_dir(),
    };
    Ok(Budget {
        limit: Some(limit.unwrap_or_else(memory::default_limit)),
        temp_dir: Some(temp_dir),
    })
}

/// What all commands have in common, of one that writes one file at most.
fn of_one_output(
    input: &InputArgs,
    text: &TextArgs,
    config: &ConfigArgs,
    output: &OutputArgs,
    run: &RunArgs,
) -> Result<ScanOptions> {
    let outputs = output.output.as_deref().into_iter();
    common(input, text, config, outputs, run.threads)
}

fn common<'a>(
    input: &InputArgs,
    text: &TextArgs,
    config: &ConfigArgs,
    outputs: impl Iterator<Item = &'a Path>,
    threads: u16,
) -> Result<ScanOptions> {
    let paths = paths(input)?;
    let mut outputs: Vec<PathBuf> = outputs.map(Path::to_owned).collect();
    let others = [input.files_from.as_deref(), idf_file(text), config.file()];
    let others: Vec<PathBuf> = others.into_iter().flatten().map(Path::to_owned).collect();
    for output in &outputs {
        refuse_overwriting(Some(output), &paths)?;
        refuse_overwriting(Some(output), &others)?;
    }
    outputs.extend(config.file().map(Path::to_owned));
    let globs = |key, patterns: &[String]| {
        Ok::<_, anyhow::Error>(Globs {
            base: config.base(key)?,
            patterns: patterns.to_vec(),
        })
    };
    Ok(ScanOptions {
        walk: WalkOptions {
            globs: globs("glob", &input.globs)?,
            excluded: globs("exclude", &input.exclude)?,
            hidden: input.hidden,
            ignore_files: !input.no_ignore,
            follow: input.follow,
            max_depth: input.max_depth,
            outputs,
            ..WalkOptions::new(paths, current_folder()?)
        },
        read: input.reading.settings(config)?,
        engine: Options {
            han: text.cut.han(),
            shingle_size: text.cut.shingle_size,
            shingle_unit: text.cut.shingle_unit.into(),
            idf: text.idf.source()?,
            threads: usize::from(threads),
            ..Options::default()
        },
    })
}

/// Refuses to replace a document that was named by the report on it. A file that is only found in a
/// folder is left out instead: it is the report of an earlier run.
pub(crate) fn refuse_overwriting(output: Option<&Path>, paths: &[PathBuf]) -> Result<()> {
    let Some(target) = output.and_then(|path| fs::canonicalize(path).ok()) else {
        return Ok(());
    };
    let is_target = |path: &&PathBuf| fs::canonicalize(path).is_ok_and(|path| path == target);
    match paths.iter().find(is_target) {
        Some(path) if target.is_file() => {
            let path = path.display();
            bail!("the report would replace {path}, which is to be read")
        }
        _ => Ok(()),
    }
}

/// The file of term weights, if they come from one.
fn idf_file(text: &TextArgs) -> Option<&Path> {
    match &text.idf {
        IdfArg::File(path) => Some(path),
        IdfArg::Dictionary | IdfArg::Corpus => None,
    }
}

/// The paths named, those of a list included; the current folder if there are none.
fn paths(input: &InputArgs) -> Result<Vec<PathBuf>> {
    let mut paths = input.paths.clone();
    if let Some(source) = &input.files_from {
        let content = if source == Path::new("-") {
            if stdin::is_among(&paths) {
                bail!(
                    "standard input cannot be both the list of --files-from and records to compare ('-'): \
                     put one of them in a file"
                );
            }
            let mut content = Vec::new();
            let read = io::stdin().lock().read_to_end(&mut content);
            read.context("cannot read the list of files from standard input")?;
            content
        } else {
            fs::read(source)
                .with_context(|| format!("cannot read the list of files {}", source.display()))?
        };
        let listed = list::paths(&content, input.null);
        // In a list it is a file of that name.
        paths.extend(listed.into_iter().map(|path| match path.to_str() {
            Some(STDIN) => Path::new(".").join(path),
            _ => path,
        }));
    } else if paths.is_empty() {
        paths.push(PathBuf::from("."));
    }
    Ok(paths)
}
