//! The arguments that choose a configuration.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::args::group::{group, groups};
use crate::args::headings::RUNNING;
use crate::args::lang::LangArgs;
use crate::args::used::{Asked, Used};
use crate::process::current_folder;
use crate::terminal::messages;

/// Which configuration to use, and what the program says beside its results.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct ConfigArgs {
    #[command(flatten)]
    pub(crate) quiet: QuietArgs,

    /// Take options from FILE [default: the dupfind.toml of the nearest folder above]
    ///
    /// Every option of scan and check is a key with its long name: 'min-jaccard = 0.3', 'glob = ["*.md"]', 'hidden = true'.
    /// dupfind.toml is looked for from the first PATH upwards, to the root of the repository. An option that is typed
    /// outweighs it.
    #[arg(hide_short_help = true, long, value_name = "FILE", conflicts_with = "no_config", help_heading = RUNNING)]
    pub(crate) config: Option<PathBuf>,

    /// Use no configuration file
    #[arg(hide_short_help = true, long, help_heading = RUNNING)]
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
groups!(ConfigArgs: quiet, lang;
    fn asked(&self) -> Option<Asked> {
        let named = || self.config.clone().map_or(Asked::Nearest, Asked::Named);
        (!self.no_config).then(named)
    }

    fn configured(&mut self, typed: &BTreeSet<String>, used: Option<&Used>) {
        self.typed.clone_from(typed);
        self.used = used.cloned();
    }
);

group! {
    /// How much is said.
    pub(crate) struct QuietArgs in RUNNING {
        /// No progress bar and no warnings; errors are still printed
        #[arg(short, long)]
        pub(crate) quiet: bool,
    }
    own {
        fn speak(&self) {
            messages::set_quiet(self.quiet);
        }
    }
}

impl ConfigArgs {
    /// Returns the configuration in force, to be named.
    pub(crate) fn in_force(&self) -> Option<&dyn Display> {
        self.used.as_ref().map(|used| used as &dyn Display)
    }

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
