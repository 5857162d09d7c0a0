//! `dupfind compare`: how two documents differ.

use std::fs;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Arg;
use dupfind_decide::compare::{Sources, compare};
use dupfind_decide::{Gate, PairScope};
use dupfind_engine::verdict::pair::measure;
use dupfind_engine::{DocId, Explanation, Options, Pair, Relation};
use dupfind_files::inside;
use dupfind_read::decode::BINARY_PREFIX;
use dupfind_read::source::walk::HOME;
use dupfind_read::{ReadOptions, WalkOptions, display_name, file_of, root_around, walk};
use dupfind_report::compare::{
    ComparisonReport, ComparisonStyle, write_comparison, write_comparison_json,
};
use dupfind_scan::{Scan, ScanOptions, scan_joined};

use crate::args::values::document;
use crate::args::{
    AnswerArgs, ColorArgs, ConfigArgs, EngineArgs, MemoryArgs, OUTPUT, Reader, ReadingArgs,
    ScopeArgs, WalkArgs,
};
use crate::decision::gate::scope;
use crate::input::read_document;
use crate::input::refused::refuse_overwriting;
use crate::process::{Status, current_folder};
use crate::terminal::output::columns_of_pipe;
use crate::terminal::{Output, Progress, messages};

pub(crate) const EXAMPLES: &str = "\
Examples:
  Input:   dupfind compare old/guide.md new/guide.md
           dupfind compare docs/a.md docs/b.md docs
           dupfind compare drafts/a.md published/b.md drafts --against published
           dupfind compare pages.jsonl#17 pages.jsonl#42 --id-field id
  Text:    dupfind compare a.md b.md --shingle-size 5
  Output:  COLUMNS=160 dupfind compare a.md b.md --color always | less -R
           dupfind compare a.md b.md --format json | jq '.only_b[].text'

Exit status: 0 they were compared, however similar they are, 2 an error (a document that cannot be
compared is one)";

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(mut_args(adapted))]
pub(crate) struct CompareArgs {
    /// The first document: a file, or FILE#ID for a record of a file of records
    #[arg(value_name = "A", value_parser = document())]
    pub(crate) a: PathBuf,

    /// The second document
    #[arg(value_name = "B", value_parser = document())]
    pub(crate) b: PathBuf,

    /// Files and folders among which the two are judged
    ///
    /// The relation and the measures are then those of a scan of them. By default these are the folder of the
    /// dupfind.toml in force, or else the nearest one that a query, an agent or an editor has indexed, or else the
    /// repository of both documents, if it has at most 5,000 files with 64 MB of text.
    #[arg(value_name = "PATH")]
    pub(crate) among: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    #[command(flatten)]
    pub(crate) walk: WalkArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,

    #[command(flatten)]
    pub(crate) answer: AnswerArgs,

    /// Show all passages, and all of each
    ///
    /// By default the 50 longest are shown, and long stretches that are the same are shortened. JSON
    /// always has everything.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) color: ColorArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// Returns an option of a group as this command has it: `--color` says how changes are marked without colours, and only the
/// documents around the two are divided.
fn adapted(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "color" => arg.long_help(
            "When to colour the output\n\n\
             By default on a terminal only, and not if NO_COLOR is set. Without colours what only one document has \
             is marked [-so-] for A and {+so+} for B.",
        ),
        "against" | "within" => arg.requires("among"),
        _ => arg,
    }
}

/// Runs the command.
pub(crate) fn run(args: &CompareArgs) -> Result<Status> {
    let target = args.answer.output.file();
    let output = Output::open(target)?;
    let files = [&args.a, &args.b].map(|path| file_of(path).to_owned());
    refuse_overwriting(target, &files)?;
    let (read, settings, others) = options(args)?;
    let base = current_folder()?;
    let a = read_document(&args.a, &base, &read)?;
    let b = read_document(&args.b, &base, &read)?;
    for document in [&a, &b]
        .into_iter()
        .filter(|document| document.read.is_repaired)
    {
        messages::repaired(&document.name, document.read.encoding);
    }
    let mut judged = None;
    let mut status = Status::Ok;
    let is_named = !args.among.is_empty();
    if let Some(options) = &others {
        let outcome;
        let scope = scope(&args.scope, &args.config, options)?;
        (outcome, judged) = judged_by_scan(options, scope, [&a.name, &b.name])?;
        // The documents around the two are not requested.
        if is_named {
            messages::of_scan(&options.walk, &outcome);
            status = Status::of(&outcome.skipped);
        }
    }
    let is_among_others = judged.is_some();
    let comparison = compare(&a, &b, &settings, |features| {
        if let Some(judged) = judged {
            return Ok(judged);
        }
        let among = settings.among(2);
        let (documents, pair) = measure(&among, features, None);
        Ok(Explanation::new(documents, pair))
    })?;
    let is_copy = comparison.verdict.pair.relation() == Relation::Exact;
    // A record is a part of its file.
    let is_whole = files[0] == args.a && files[1] == args.b;
    let sources = match is_copy && is_whole {
        true => Sources::read([&args.a, &args.b], &read),
        false => None,
    };
    let around = others.filter(|_| is_among_others && !is_named);
    let around = around.map(|others| display_name(&others.walk.paths[0], &base));
    let report = ComparisonReport {
        settings: &settings,
        comparison: &comparison,
        is_among_others,
        around: around.as_deref(),
        sources: sources.as_ref(),
    };
    let style = ComparisonStyle {
        width: output.columns().or_else(columns_of_pipe),
        color: output.is_coloured(args.color.when()),
        all: args.all,
    };
    output.write(|out| {
        match args.answer.format {
            Reader::Person => write_comparison(&report, style, out)?,
            Reader::Program => write_comparison_json(&report, out)?,
        }
        Ok(())
    })?;
    Ok(status)
}

/// Scans documents, and returns the verdict of the scan on two documents of these names; nothing if it has not both of them.
/// Which other pairs count decides about the relation, too.
fn judged_by_scan(
    options: &ScanOptions,
    scope: PairScope,
    names: [&str; 2],
) -> Result<(Scan, Option<Explanation>)> {
    let mut gate = Gate::new(scope, None);
    let scan = Progress::during(|progress| scan_joined(options, progress, Some(&mut gate), None))?;
    let [Some(a), Some(b)] = names.map(|name| scan.id_of(name)) else {
        return Ok((scan, None));
    };
    let Some(measured) = scan.measured([a, b])? else {
        return Ok((scan, None));
    };
    let pair = Pair {
        a: DocId::from(0),
        b: DocId::from(1),
        ..measured
    };
    let two = [a, b].map(|id| scan.documents[id.index()].clone());
    let judged = Explanation::new(two, pair);
    Ok((scan, Some(judged)))
}

/// Returns how the two documents are read, how they are compared, and the scan of those that they are compared among, if there are
/// any.
///
/// # Errors
///
/// There is no program of `--pre`, a path does not exist, or options do not go together.
fn options(args: &CompareArgs) -> Result<(ReadOptions, Options, Option<ScanOptions>)> {
    let engine = Options {
        budget: MemoryArgs::default().budget(),
        ..args.engine.options()
    };
    let read = args.reading.options(&args.config)?;
    let against = &args.scope.against;
    let mut named = args.among.iter().chain(against);
    if let Some(missing) = named.find(|path| !path.exists()) {
        bail!("{}: not found", missing.display());
    }
    let scan = |paths: Vec<PathBuf>| {
        let target = args.answer.output.file();
        anyhow::Ok(ScanOptions {
            index: None,
            walk: WalkOptions {
                against: against.clone(),
                ..args.walk.options(&args.config, paths, target.as_slice())?
            },
            read: read.clone(),
            engine: engine.clone(),
        })
    };
    let among = match args.among.as_slice() {
        [] => around(args, scan)?,
        paths => {
            let mut options = scan(paths.to_vec())?;
            // The two are there too, wherever they are: what is below the other collection belongs to that.
            let here = current_folder()?;
            for file in [&args.a, &args.b].map(|path| file_of(path)) {
                let is_other = |path: &PathBuf| inside(file, &here, path).is_ok();
                match against.iter().any(is_other) {
                    true => options.walk.against.push(file.to_owned()),
                    false => options.walk.paths.push(file.to_owned()),
                }
            }
            Some(options)
        }
    };
    Ok((read, engine, among))
}

/// How many files are read at most.
const MAX_FILES: usize = 5_000;

/// How many bytes of text these files may have. They are read and compared in a few seconds.
const MAX_BYTES: u64 = 64 << 20;

/// Returns the scan of the folder that the two documents are in. Returns none if there is none, if one of the
/// documents is not in it, or if it has too much text to be read for two documents. `scan` makes the options of a scan of some
/// paths.
///
/// # Errors
///
/// Those of `scan`.
fn around(
    args: &CompareArgs,
    scan: impl FnOnce(Vec<PathBuf>) -> Result<ScanOptions>,
) -> Result<Option<ScanOptions>> {
    let Some(folder) = folder_of_both(args) else {
        return Ok(None);
    };
    let options = scan(vec![folder])?;
    let (max, pre) = (options.read.max_filesize, options.read.pre.as_ref());
    let Ok(found) = walk(&options.walk, max, pre) else {
        return Ok(None);
    };
    let files = || found.entries.iter().map(|entry| entry.path.as_path());
    let fits = files().count() <= MAX_FILES && {
        let sizes = files().filter_map(|path| Some((path, fs::metadata(path).ok()?.len())));
        let texts = sizes.filter(|&(path, size)| size <= max && is_text(path));
        texts.map(|(_, size)| size).sum::<u64>() <= MAX_BYTES
    };
    Ok(fits.then_some(options))
}

/// Returns whether a file has no NUL byte at its beginning, as images have.
fn is_text(path: &Path) -> bool {
    let mut head = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(BINARY_PREFIX as u64).read_to_end(&mut head));
    read.is_ok() && !head.contains(&0)
}

/// Returns the folder of the configuration that was found, or else the nearest one with an index beside the documents, or else the
/// repository of the two documents, if both are in it.
fn folder_of_both(args: &CompareArgs) -> Option<PathBuf> {
    let [a, b] = [&args.a, &args.b].map(|path| fs::canonicalize(file_of(path)));
    let (a, b) = (a.ok()?, b.ok()?);
    let folder = match &args.config.used {
        Some(used) => fs::canonicalize(&used.folder).ok()?,
        None => {
            let indexed = a.ancestors().find(|folder| folder.join(HOME).is_dir());
            indexed.or_else(|| root_around(a.parent()?))?.to_owned()
        }
    };
    (a.starts_with(&folder) && b.starts_with(&folder)).then_some(folder)
}
