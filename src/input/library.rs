//! The options of a scan for programs that have no command line, such as the Python package: the same words, read by the
//! same parsers.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser};
use dupfind_decide::clean::keep::KeepRule;
use dupfind_decide::clean::ties::Drops;
use dupfind_scan::ScanOptions;

use crate::args::config::ConfigArgs;
use crate::args::input::InputArgs;
use crate::args::keep::KeepArgs;
use crate::args::run::{MemoryArgs, RunArgs};
use crate::args::text::TextArgs;
use crate::commands::scan::args::detect::DetectArgs;
use crate::commands::scan::conflicts::conflict;
use crate::commands::scan::options::engine;
use crate::config::words::reason;
use crate::input::options::shared;

/// What words ask for.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What is read and compared.
    pub scan: ScanOptions,
    /// The rules that decide which document of a group stays.
    pub rules: Vec<KeepRule>,
    /// The pairs of which a document may go.
    pub drops: Drops,
}

#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Words {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    detect: DetectArgs,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    memory: MemoryArgs,
}

impl Settings {
    /// Reads the words of options, such as `--min-jaccard=0.5`, for these paths.
    ///
    /// # Errors
    ///
    /// The reason, which begins with the name of the option if there is one.
    pub fn of(words: &[OsString], paths: Vec<PathBuf>) -> Result<Self, String> {
        let definition = Words::command();
        let matches = definition.clone().try_get_matches_from(words);
        let matches = matches.map_err(|error| match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(option)) => {
                let name = option.split(' ').next().unwrap_or(option);
                format!("{name}: {}", reason(&error))
            }
            _ => reason(&error),
        })?;
        let mut words = Words::from_arg_matches(&matches).map_err(|error| reason(&error))?;
        if let Some(reason) = conflict(&definition, &matches) {
            return Err(reason);
        }
        words.input.paths = paths;
        // What is to be told is in the result.
        words.run.quiet = true;
        let (config, drops) = (ConfigArgs::default(), words.keep.drops(Drops::COPIES));
        let scan = || {
            let scan = shared(&words.input, &words.text, &config, &words.run, Vec::new())?;
            let engine = engine(&words.detect, &words.memory, scan.engine)?;
            let cluster_on = words.detect.cluster_on();
            anyhow::Ok(ScanOptions {
                engine,
                cluster_on,
                ..scan
            })
        };
        Ok(Self {
            scan: scan().map_err(|error| format!("{error:#}"))?,
            rules: words.keep.rules(),
            drops,
        })
    }
}
