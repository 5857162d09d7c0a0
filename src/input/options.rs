//! The options that commands make of the arguments they share.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use dupfind_engine::Options;
use dupfind_read::ReadOptions;
use dupfind_read::source::code;
use dupfind_read::source::globs::Globs;
use dupfind_read::source::walk::WalkOptions;
use dupfind_scan::ScanOptions;
use ignore::types::Types;

use crate::args::config::ConfigArgs;
use crate::args::documents::input::{InputArgs, WalkArgs};
use crate::args::documents::text::TextArgs;
use crate::args::pairs::comparing::{ComparingArgs, EngineArgs};
use crate::args::pairs::detect::DetectArgs;
use crate::args::pairs::scope::ScopeArgs;
use crate::args::run::{MemoryArgs, RunArgs, RunningArgs};
use crate::args::used::Used;
use crate::args::values::globs::{Excluded, Glob};
use crate::input::list::paths;
use crate::input::refused::{refuse_links, refuse_overwriting};
use crate::process::{current_folder, memory};

/// Returns the options of a scan. `written` are the files that the command writes.
///
/// # Errors
///
/// A file of options cannot be read, a file would be written over one that is to be read, or numbers do not go
/// together.
pub(crate) fn options(
    args: &ComparingArgs,
    running: &RunningArgs,
    written: Vec<&Path>,
) -> Result<ScanOptions> {
    let EngineArgs { text, detect } = &args.engine;
    let shared = shared(&args.input, text, &running.config, &running.run, written)?;
    Ok(ScanOptions {
        engine: detecting(detect, &running.memory, shared.engine)?,
        ..shared
    })
}

/// Returns the options of a scan that may have two sides.
///
/// # Errors
///
/// As for [`options`].
pub(crate) fn options_of_sides(
    args: &ComparingArgs,
    scope: &ScopeArgs,
    running: &RunningArgs,
    written: Vec<&Path>,
) -> Result<ScanOptions> {
    refuse_links(&scope.against, &current_folder()?)?;
    for target in &written {
        refuse_overwriting(Some(target), &scope.against)?;
    }
    let mut options = options(args, running, written)?;
    options.walk.against.clone_from(&scope.against);
    Ok(options)
}

/// Returns the options of the engine.
///
/// # Errors
///
/// The numbers do not go together, or there is no folder for temporary files.
pub(crate) fn engine(args: &EngineArgs, memory: &MemoryArgs) -> Result<Options> {
    let text = args.text.added_to(Options::default());
    detecting(&args.detect, memory, text)
}

/// Returns the options of the engine with the arguments about detection and memory.
fn detecting(detect: &DetectArgs, memory: &MemoryArgs, text: Options) -> Result<Options> {
    Ok(Options {
        budget: memory.budget(),
        ..detect.added_to(text)
    })
}

/// Returns the options of a scan as far as the shared arguments decide them. `outputs` are the files that the
/// command writes.
///
/// # Errors
///
/// A list of files cannot be read, or an output would replace a file that is to be read.
pub(crate) fn shared(
    input: &InputArgs,
    text: &TextArgs,
    config: &ConfigArgs,
    run: &RunArgs,
    outputs: Vec<&Path>,
) -> Result<ScanOptions> {
    let paths = paths(input, config)?;
    refuse_links(&input.paths, &current_folder()?)?;
    let others = [input.files_from.as_deref(), config.file()];
    let others: Vec<PathBuf> = others.into_iter().flatten().map(Path::to_owned).collect();
    for output in &outputs {
        refuse_overwriting(Some(output), &paths)?;
        refuse_overwriting(Some(output), &others)?;
    }
    Ok(ScanOptions {
        index: None,
        walk: walk(&input.walk, config, paths, outputs)?,
        read: ReadOptions {
            max_documents: memory::max_documents(),
            ..input.reading.options(config)?
        },
        engine: text.added_to(Options {
            threads: run.threads(),
            ..Options::default()
        }),
    })
}

/// Returns how the files of some paths are found. `outputs` are the files that the command writes.
///
/// # Errors
///
/// There is no type of files of that name, or the current folder is not known.
pub(crate) fn walk(
    args: &WalkArgs,
    config: &ConfigArgs,
    paths: Vec<PathBuf>,
    outputs: Vec<&Path>,
) -> Result<WalkOptions> {
    // If a configuration makes the program follow links, none leads out of the folder in which that configuration may
    // read.
    let follows = |used: &&Used| used.keys.contains("follow");
    let within = config.used.as_ref().filter(follows);
    let within = within.and_then(|used| used.may_read.clone());
    // No document: neither the reports nor the configuration.
    let outputs = outputs.into_iter().chain(config.file());
    let outputs = outputs.map(Path::to_owned).collect();
    let globs = |key, patterns: Vec<String>| {
        anyhow::Ok(Globs {
            base: config.base(key)?,
            patterns,
        })
    };
    let typed = args.glob.iter().map(|Glob(glob)| glob.clone());
    let excluded = args.exclude.iter().map(|Excluded(glob)| glob.clone());
    let reads_agents = has_agents(&args.r#type);
    if reads_agents && args.r#type.len() > 1 {
        bail!("--type {AGENTS} stands alone: its files are of several types");
    }
    let agents = |is_wanted: bool| {
        OF_AGENTS
            .iter()
            .filter(move |_| is_wanted)
            .map(|glob| (*glob).to_owned())
    };
    let left_out = agents(has_agents(&args.type_not)).filter(|glob| !glob.starts_with('!'));
    Ok(WalkOptions {
        globs: globs("glob", agents(reads_agents).chain(typed).collect())?,
        excluded: globs("exclude", left_out.chain(excluded).collect())?,
        types: types(args)?,
        hidden: args.hidden || reads_agents,
        ignore_files: !args.no_ignore,
        follow: args.follow,
        within,
        outputs,
        ..WalkOptions::new(paths, current_folder()?)
    })
}

/// The type of instructions for agents, and the globs of its files.
const AGENTS: &str = "agents";
const OF_AGENTS: [&str; 7] = [
    "AGENTS.md",
    "CLAUDE.md",
    "**/.claude/**",
    "**/.cursor/**",
    "**/skills/**",
    "**/prompts/**",
    "!settings*.json",
];

fn has_agents(types: &[String]) -> bool {
    types.iter().any(|name| name == AGENTS)
}

/// Returns the types of files that are read or left out, without [`AGENTS`], whose files have globs.
///
/// # Errors
///
/// There is no such type.
fn types(args: &WalkArgs) -> Result<Types> {
    let mut builder = code::types()?;
    let is_of_names = |name: &&String| *name != AGENTS;
    for name in args.r#type.iter().filter(is_of_names) {
        builder.select(name);
    }
    for name in args.type_not.iter().filter(is_of_names) {
        builder.negate(name);
    }
    builder.build().map_err(|error| {
        anyhow!(
            "--type: {error}; 'rg --type-list' lists the types, and -g '*.END' takes files by their ending"
        )
    })
}
