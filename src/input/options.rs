//! The options that commands make of the arguments they share.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use dupfind_engine::{Options, Relations};
use dupfind_index::Index;
use dupfind_read::ReadOptions;
use dupfind_read::source::globs::Globs;
use dupfind_read::source::inside::is_inside;
use dupfind_read::source::list;
use dupfind_read::source::walk::{STDIN, WalkOptions};
use dupfind_scan::ScanOptions;
use ignore::types::{Types, TypesBuilder};

use crate::args::config::{ConfigArgs, Used};
use crate::args::documents::input::{InputArgs, Preset, WalkArgs};
use crate::args::documents::text::TextArgs;
use crate::args::pairs::comparing::{ComparingArgs, EngineArgs};
use crate::args::pairs::detect::DetectArgs;
use crate::args::pairs::scope::ScopeArgs;
use crate::args::run::{MemoryArgs, RunArgs, RunningArgs};
use crate::input::{links, stdin};
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
        cluster_on: detect.cluster_on(),
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
    if let Some(index) = scope.against.iter().find(|path| Index::is_at(path)) {
        let index = index.display();
        bail!(
            "--against {index}: it is an index; 'dupfind query {index} DRAFT' compares a draft with it"
        );
    }
    links::check(&scope.against, &current_folder()?)?;
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
pub(crate) fn engine(args: &EngineArgs, memory: &MemoryArgs, threads: u16) -> Result<Options> {
    let text = args.text.added_to(Options {
        threads: usize::from(threads),
        ..Options::default()
    });
    detecting(&args.detect, memory, text)
}

/// Returns the options of the engine with the arguments about detection and memory.
fn detecting(detect: &DetectArgs, memory: &MemoryArgs, text: Options) -> Result<Options> {
    Ok(Options {
        budget: memory.budget()?,
        ..detect.added_to(text).map_err(|reason| anyhow!(reason))?
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
    links::check(&input.paths, &current_folder()?)?;
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
            threads: usize::from(run.threads),
            ..Options::default()
        }),
        cluster_on: Relations::DUPLICATES,
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
    // A link that a configuration makes the program follow does not lead out of where that configuration may read.
    let follows = |used: &&Used| used.keys.contains("follow");
    let within = config.used.as_ref().filter(follows);
    let within = within.and_then(|used| used.may_read.clone());
    // No document: neither the reports nor the configuration.
    let outputs = outputs.into_iter().chain(config.file());
    let outputs = outputs.map(Path::to_owned).collect();
    let globs = |key, patterns: &[String]| {
        anyhow::Ok(Globs {
            base: config.base(key)?,
            patterns: patterns.to_vec(),
        })
    };
    let preset = args.preset.map_or(&[][..], Preset::globs).iter();
    let preset = preset.map(|&glob| glob.to_owned());
    let patterns: Vec<String> = preset.chain(args.globs.iter().cloned()).collect();
    Ok(WalkOptions {
        globs: globs("glob", &patterns)?,
        excluded: globs("exclude", &args.exclude)?,
        types: types(args)?,
        hidden: args.hidden || args.preset.is_some(),
        ignore_files: !args.no_ignore,
        follow: args.follow,
        max_depth: args.max_depth,
        code_files: args.code_files,
        within,
        outputs,
        ..WalkOptions::new(paths, current_folder()?)
    })
}

/// Returns the types of files that are taken; no type at all for all files.
///
/// # Errors
///
/// There is no such type, or an extension has characters that no extension has.
fn types(args: &WalkArgs) -> Result<Types> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    for name in &args.types {
        builder.select(name);
    }
    for extension in &args.extensions {
        let extension = extension.trim_start_matches('.');
        if extension.is_empty() || extension.contains(['/', '*', '?', '[', '{', '!']) {
            bail!(
                "--extension '{extension}': expected the end of a name, such as md; --glob takes globs"
            );
        }
        builder
            .add(OWN_TYPE, &format!("*.{extension}"))
            .with_context(|| format!("--extension {extension}"))?;
    }
    // Once: the globs of a type count again each time.
    if !args.extensions.is_empty() {
        builder.select(OWN_TYPE);
    }
    builder.build().map_err(|error| {
        anyhow!("--type: {error}; 'rg --type-list' lists the types, --extension takes any ending")
    })
}

/// The name of the type of files with the extensions that the user gave.
const OWN_TYPE: &str = "extensions";

/// Refuses to replace a file that the user named as input. A file that is only found in a folder is left out
/// of the input instead: it is the report of an earlier run.
///
/// # Errors
///
/// The output is one of the paths.
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

/// Returns the paths that were named, then those of the list; the current folder if there is neither.
fn paths(input: &InputArgs, config: &ConfigArgs) -> Result<Vec<PathBuf>> {
    let mut paths = input.paths.clone();
    if let Some(source) = &input.files_from {
        let content = if source == Path::new("-") {
            if stdin::is_named(&paths) {
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
        if let Some(used) = &config.used {
            refuse_listed(used, &listed, &current_folder()?)?;
        }
        // In a list, '-' is a file of that name.
        paths.extend(listed.into_iter().map(|path| match path.to_str() {
            Some(STDIN) => Path::new(".").join(path),
            _ => path,
        }));
    } else if paths.is_empty() {
        paths.push(PathBuf::from("."));
    }
    Ok(paths)
}

/// Refuses a list of paths that a configuration that was found names, if one lies outside of the folder in which it may
/// read. The paths are relative to `cwd`.
///
/// # Errors
///
/// A sentence that names the path, and how to allow it.
fn refuse_listed(used: &Used, paths: &[PathBuf], cwd: &Path) -> Result<()> {
    let Some(folder) = used
        .may_read
        .as_deref()
        .filter(|_| used.keys.contains("files-from"))
    else {
        return Ok(());
    };
    // A path that leads nowhere is reported later, as any other one.
    let is_there = |path: &Path| cwd.join(path).symlink_metadata().is_ok();
    let is_outside = |path: &&PathBuf| is_there(path) && !is_inside(path, cwd, folder);
    match paths.iter().find(is_outside) {
        Some(path) => {
            let name = &used.name;
            bail!(
                "{name}: files-from: a configuration that was found may read within its own repository only, and \
                 the list names '{}'; --config {name} allows it",
                path.display()
            )
        }
        None => Ok(()),
    }
}
