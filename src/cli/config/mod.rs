//! `dupfind.toml`: options that stand in a file.
//!
//! The definition of the command line is the only one. The values of the file become words of the command
//! line, before those that were typed, for every option that was not typed: so what is typed beats the
//! file, lists are replaced as a whole, and values are checked by the same code.

mod dump;
mod file;
mod find;
mod globs;
pub(crate) mod keys;
#[cfg(test)]
mod laws;
mod merge;
mod places;
mod reach;
mod words;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::gate::scope::ignore_file::IgnoreRule;
use anyhow::Result;

use crate::cli::args::{Args, Command};
use crate::cli::config::file::File;
use crate::cli::config::merge::{Merged, Typed};
use crate::cli::current_folder;

pub(crate) const CONFIGURATION: &str = "Configuration";

/// Which configuration to use.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct ConfigArgs {
    /// Take options from FILE [default: the dupfind.toml of the nearest folder above]
    ///
    /// Every option of scan is a key with its long name: 'min-jaccard = 0.3', 'glob = ["*.md"]', 'hidden = true'.
    /// dupfind.toml or .dupfind.toml is looked for from the first PATH upwards, to the root of the
    /// repository. What is typed outweighs it; '--no-' before the name of a flag takes it back ('--no-hidden',
    /// and '--ignore' for 'no-ignore').
    #[arg(long, value_name = "FILE", conflicts_with = "no_config", help_heading = CONFIGURATION)]
    config: Option<PathBuf>,

    /// Use no configuration file
    #[arg(long, help_heading = CONFIGURATION)]
    no_config: bool,

    #[arg(skip)]
    used: Option<Used>,

    #[arg(skip)]
    dump: Option<String>,
}

/// A configuration that is in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Used {
    file: PathBuf,
    /// Its name as a user would type it.
    name: String,
    /// The absolute path of the folder that its paths and globs are relative to.
    pub(crate) folder: PathBuf,
    /// What is in force of it.
    keys: BTreeSet<String>,
    /// What is not: keys that do not go together with what was typed.
    overruled: Vec<String>,
    /// Its tables `[[ignore]]`.
    pub(crate) ignores: Vec<IgnoreRule>,
}

impl fmt::Display for Used {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if !self.overruled.is_empty() {
            let keys = self.overruled.join(", ");
            write!(f, " without {keys}, overruled by the command line")?;
        }
        Ok(())
    }
}

impl ConfigArgs {
    /// The configuration in force, if there is one.
    pub(crate) fn used(&self) -> Option<&Used> {
        self.used.as_ref()
    }

    /// Its file, which is no document.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.used.as_ref().map(|used| used.file.as_path())
    }

    /// Takes the name of an option whose values are globs, and returns the absolute path of the folder
    /// that they are relative to.
    pub(crate) fn base(&self, key: &str) -> Result<PathBuf> {
        match &self.used {
            Some(used) if used.keys.contains(key) => Ok(used.folder.clone()),
            _ => current_folder(),
        }
    }

    /// What `--dump-config` prints, if it was asked for.
    pub(crate) fn dump(&self) -> Option<&str> {
        self.dump.as_deref()
    }
}

/// Why there is nothing to run.
#[derive(Debug)]
pub(crate) enum Refused {
    /// What was typed is wrong, or asks for help.
    Typed(clap::Error),
    /// The configuration is wrong; the reason names its file and line.
    Config(String),
}

impl From<String> for Refused {
    fn from(reason: String) -> Self {
        Self::Config(reason)
    }
}

/// Takes the words of the command line, the program's name first, and returns what they say together with
/// the configuration that is in force.
pub(crate) fn parse(words: &[OsString]) -> Result<Args, Refused> {
    let cwd = current_folder().map_err(|error| format!("{error:#}"))?;
    let by_words = || Args::parse_words(words).map_err(Refused::Typed);
    // What is wrong by itself is said before any configuration is looked for.
    let Some(typed) = Typed::of(words) else {
        return by_words();
    };
    let located = match typed.config_file() {
        _ if typed.is_without_config() => None,
        Some(file) => Some(find::named(file, &cwd)?),
        None => find::upwards(typed.start(), &cwd)?,
    };
    let file = located
        .map(|located| File::read(located, &cwd))
        .transpose()?;
    let Merged { mut args, used } = match &file {
        Some(file) => merge::merged(&typed, file, &cwd)?,
        None => Merged {
            args: by_words()?,
            used: None,
        },
    };
    let dump = match &args.command {
        Command::Scan(scan) if scan.dump_config => {
            Some(dump::dump(&typed, file.as_ref().zip(used.as_ref()), &cwd)?)
        }
        _ => None,
    };
    if let Some(config) = args.config_mut() {
        *config = ConfigArgs {
            used,
            dump,
            ..std::mem::take(config)
        };
    }
    Ok(args)
}

impl Args {
    /// The options about the configuration, of a command that has them.
    fn config_mut(&mut self) -> Option<&mut ConfigArgs> {
        match &mut self.command {
            Command::Scan(args) => Some(&mut args.config),
            Command::Fingerprint(args) => Some(&mut args.config),
            Command::Compare(args) => Some(&mut args.config),
            Command::Tune(args) => Some(&mut args.config),
            Command::Stream(args) => Some(&mut args.config),
            Command::Text(args) => Some(&mut args.config),
            Command::Generate(_) => None,
        }
    }
}
