//! The options of a scan for programs that have no command line, such as the Python package: the same words, read by the
//! same parsers.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser};
use dupfind_decide::clean::drops::finding_leaks;
use dupfind_decide::{ChosenDrops, KeepRule};
use dupfind_scan::{Scan, ScanOptions};

use crate::args::values::reason;
use crate::args::{ComparingArgs, ConfigArgs, KeepArgs, MemoryArgs, RunArgs, RunningArgs};
use crate::input::without_documents::{without_documents, without_fields};
use crate::terminal::messages;

/// The settings that words ask for.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The options of the scan.
    pub scan: ScanOptions,
    /// The rules that decide which document of a group stays.
    pub rules: Vec<KeepRule>,
    /// The choice of pairs that let a document go.
    pub drops: ChosenDrops,
}

#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Words {
    #[command(flatten)]
    comparing: ComparingArgs,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    memory: MemoryArgs,
}

/// The documents that are read, and those that they are compared with.
#[derive(Debug, Clone, Default)]
pub struct Collections {
    /// The paths of files and folders.
    pub paths: Vec<PathBuf>,
    /// The paths of another collection, if all is only compared with it. Rows have none: then any path shows that there
    /// is one.
    pub against: Vec<PathBuf>,
}

/// Returns why a named path could not be read, if the program ends with an error because of that: the path leads
/// nowhere, a file cannot be read, no record of it has a text, or none has one of the text fields.
pub fn why_unread(options: &ScanOptions, outcome: &Scan) -> Option<String> {
    let failed = outcome
        .skipped
        .iter()
        .find(|skipped| skipped.reason.is_error());
    let failed = failed.map(messages::in_words);
    let without = || {
        without_documents(&options.walk, outcome, true)
            .into_iter()
            .next()
    };
    let failed = failed.or_else(without);
    failed.or_else(|| without_fields(options, outcome))
}

impl Settings {
    /// Reads the words of options, such as `--min-jaccard=0.5`, for these collections.
    ///
    /// # Errors
    ///
    /// The reason, which begins with the name of the option if there is one.
    pub fn of(words: &[OsString], of: Collections) -> Result<Self, String> {
        let read = Words::command().try_get_matches_from(words);
        let read = read.and_then(|matches| Words::from_arg_matches(&matches));
        let mut words = read.map_err(|error| match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(option)) => {
                let name = option.split(' ').next().unwrap_or(option);
                format!("{name}: {}", reason(&error))
            }
            _ => reason(&error),
        })?;
        let engine = &words.comparing.engine;
        let conflict = engine.text.conflict().or_else(|| engine.detect.conflict());
        if let Some(conflict) = conflict {
            return Err(conflict.reason);
        }
        words.comparing.input.paths = of.paths;
        // All messages are in the result.
        messages::set_quiet(true);
        let running = RunningArgs {
            run: words.run,
            memory: words.memory,
            config: ConfigArgs::default(),
        };
        let scan = (words.comparing).options(&running, &[], None);
        let mut scan = scan.map_err(|error| format!("{error:#}"))?;
        if !of.against.is_empty() {
            scan.engine = finding_leaks(scan.engine);
        }
        scan.walk.against = of.against;
        scan.walk.has_editions = false;
        Ok(Self {
            scan,
            rules: words.keep.rules(),
            drops: words.keep.drops(),
        })
    }
}
