//! The arguments that choose a configuration, and the configuration in force.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use dupfind_decide::gate::scope::ignore_rule::IgnoreRule;

use crate::args::headings::CONFIGURATION;
use crate::args::lang::LangArgs;
use crate::process::current_folder;

/// Which configuration to use.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct ConfigArgs {
    /// Take options from FILE [default: the dupfind.toml of the nearest folder above]
    ///
    /// Every option of scan is a key with its long name: 'min-jaccard = 0.3', 'glob = ["*.md"]', 'hidden = true'.
    /// dupfind.toml is looked for from the first PATH upwards, to the root of the repository. An option that
    /// is typed outweighs it; '--no-' before the name of a flag undoes it ('--no-hidden', and '--ignore' for
    /// 'no-ignore').
    #[arg(long, value_name = "FILE", conflicts_with = "no_config", help_heading = CONFIGURATION)]
    pub(crate) config: Option<PathBuf>,

    /// Use no configuration file
    #[arg(long, help_heading = CONFIGURATION)]
    pub(crate) no_config: bool,

    #[command(flatten)]
    pub(crate) lang: LangArgs,

    /// The names of the options that were typed.
    #[arg(skip)]
    pub(crate) typed: BTreeSet<String>,

    /// The configuration in force, if there is one.
    #[arg(skip)]
    pub(crate) used: Option<Used>,
}

/// A configuration that is in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Used {
    pub(crate) file: PathBuf,
    /// The path of the file as a user would type it.
    pub(crate) name: String,
    /// The absolute path of the folder that its paths and globs are relative to.
    pub(crate) folder: PathBuf,
    /// The keys that are in force.
    pub(crate) keys: BTreeSet<String>,
    /// The keys that are not in force because they conflict with typed options.
    pub(crate) overruled: Vec<String>,
    /// Its tables `[[ignore]]`.
    pub(crate) ignores: Vec<IgnoreRule>,
    /// The folder in which it may read; none if the user named it, and so trusts it.
    pub(crate) may_read: Option<PathBuf>,
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
    /// Returns the file of the configuration in force. It is never a document.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.used.as_ref().map(|used| used.file.as_path())
    }

    /// Returns the absolute path of the folder that the globs of an option are relative to: that of the
    /// configuration if the globs come from there, else the current folder.
    pub(crate) fn base(&self, key: &str) -> Result<PathBuf> {
        match &self.used {
            Some(used) if used.keys.contains(key) => Ok(used.folder.clone()),
            _ => current_folder(),
        }
    }
}
