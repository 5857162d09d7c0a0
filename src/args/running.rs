//! The options about how a command runs, and with which configuration.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, io};

use anyhow::Result;
use clap::Args;
use dupfind_engine::{Budget, Options};
use dupfind_report::Language;
use dupfind_scan::Scan;

use crate::args::{OUTPUT, RUNNING, values};
use crate::process::{current_folder, memory};
use crate::terminal::stats;

/// How a comparison runs, and with which configuration.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct RunningArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// How to run.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = RUNNING)]
pub(crate) struct RunArgs {
    /// Worker threads, up to 256; 0 is one for each core [default: 0]
    ///
    /// The result is the same for any number.
    #[arg(hide_short_help = true, short = 'j', long, value_name = "N", value_parser = values::threads)]
    threads: Option<usize>,

    /// Print counts and the time of each stage to standard error
    #[arg(hide_short_help = true, long)]
    pub(crate) stats: bool,
}

/// How much memory to use.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = RUNNING)]
pub(crate) struct MemoryArgs {
    /// Memory for shingle sets [default: half of the memory]
    ///
    /// K, M and G are powers of 1024. Beyond it the sets go to a temporary file in the folder that TMPDIR names, and are
    /// compared in parts: slower, with the same result. About 100M, the texts at work and some 400 bytes for each document
    /// come on top, and for reports that need all pairs at most half as much again.
    #[arg(hide_short_help = true, long, value_name = "SIZE", value_parser = values::memory)]
    pub(crate) memory_limit: Option<u64>,
}

/// Which configuration to use, and what the program says beside its results.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = RUNNING)]
pub(crate) struct ConfigArgs {
    #[command(flatten)]
    quiet: QuietArgs,

    /// Take options from FILE [default: the dupfind.toml of the nearest folder above]
    ///
    /// Every option of scan and check is a key with its long name: 'min-jaccard = 0.3', 'glob = ["*.md"]', 'hidden = true'.
    /// dupfind.toml is looked for from the first PATH upwards, to the root of the repository. An option that is typed
    /// outweighs it.
    #[arg(
        hide_short_help = true,
        long,
        value_name = "FILE",
        conflicts_with = "no_config"
    )]
    pub(crate) config: Option<PathBuf>,

    /// Use no configuration file
    #[arg(hide_short_help = true, long)]
    pub(crate) no_config: bool,

    #[command(flatten)]
    lang: LangArgs,

    /// The options that were typed.
    #[arg(skip)]
    pub(crate) typed: Typed,

    /// The configuration in force, if there is one.
    #[arg(skip)]
    pub(crate) used: Option<Config>,
}

/// How much is said.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = RUNNING)]
pub(crate) struct QuietArgs {
    /// No progress bar and no warnings; errors are still printed
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Which language to speak.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = OUTPUT)]
pub(crate) struct LangArgs {
    /// Language of tables, pages and the notes of commands [default: auto]
    ///
    /// By default that of the locale (LC_ALL, LC_MESSAGES or LANG): Chinese for zh, English for all others. The help and
    /// the errors and warnings that people meet most are in the language of the locale. Machine formats, other messages and
    /// progress are always English.
    #[arg(hide_short_help = true, long, value_name = "LANG")]
    pub(crate) lang: Option<Lang>,
}

/// Which language to speak.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Lang {
    /// That of the locale
    #[default]
    Auto,
    /// English
    En,
    /// Chinese
    Zh,
}

impl RunningArgs {
    /// Returns the options of the engine with these arguments.
    pub(crate) fn engine(&self, mut options: Options) -> Options {
        options.threads = self.run.threads();
        options.budget = self.memory.budget();
        options
    }

    /// Prints the configuration, the counts and the times of a scan, if they were asked for.
    ///
    /// # Errors
    ///
    /// Standard error cannot be written.
    pub(crate) fn print_stats(&self, outcome: &Scan) -> io::Result<()> {
        if !self.run.stats {
            return Ok(());
        }
        let pairs = Some(outcome.pair_counts.total());
        let documents = &outcome.sources.documents;
        stats::print(self.config.name(), &outcome.stats, documents, pairs)
    }
}

impl RunArgs {
    /// Returns how many worker threads there are; 0 means one for each core.
    pub(crate) fn threads(&self) -> usize {
        self.threads.unwrap_or(0)
    }
}

impl MemoryArgs {
    /// Returns the limit that was asked for, or that of this machine.
    pub(crate) fn budget(&self) -> Budget {
        Budget {
            limit: Some(self.memory_limit.unwrap_or_else(memory::default_limit)),
            temp_dir: Some(env::temp_dir()),
        }
    }
}

impl ConfigArgs {
    /// Returns the name of the configuration in force.
    pub(crate) fn name(&self) -> Option<&str> {
        self.used.as_ref().map(|used| &*used.name)
    }

    /// Returns the file of the configuration in force. It is never a document.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.used.as_ref().map(|used| &*used.path)
    }

    /// Returns the configuration that a key comes from, if there is one.
    fn of_key(&self, key: &str) -> Option<&Config> {
        let is_it = |entry: &Entry| entry.key == key && entry.is_in_force;
        self.used
            .as_ref()
            .filter(|used| used.entries.iter().any(is_it))
    }

    /// Returns the absolute path of the folder that the globs of an option are relative to: that of the
    /// configuration if the globs come from there, else the current folder.
    pub(crate) fn base(&self, key: &str) -> Result<PathBuf> {
        let used = self.of_key(key);
        used.map_or_else(current_folder, |used| Ok(used.folder.clone()))
    }

    /// Returns the configuration that a key comes from and the folder in which that may read, if nobody has named it.
    pub(crate) fn limits(&self, key: &str) -> Option<(&Config, &Path)> {
        let used = self.of_key(key)?;
        Some((used, used.may_read.as_deref()?))
    }
}

/// The words that were typed and decide about the result.
#[derive(Debug, Clone, Default)]
pub(crate) struct Typed {
    pub(crate) paths: Vec<OsString>,
    pub(crate) options: Vec<TypedOption>,
}

/// An option that was typed.
#[derive(Debug, Clone)]
pub(crate) struct TypedOption {
    pub(crate) name: String,
    pub(crate) words: Vec<OsString>,
    /// The commands that have it.
    pub(crate) commands: Vec<String>,
}

impl Typed {
    /// Returns the words of those options that a command has.
    pub(crate) fn words(&self, command: &str) -> Vec<OsString> {
        let has = |option: &&TypedOption| option.commands.iter().any(|name| name == command);
        let options = self.options.iter().filter(has);
        options.flat_map(|option| option.words.clone()).collect()
    }
}

/// A configuration. Its keys exist, and each has a value that its option takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Config {
    /// The absolute path of its file.
    pub(crate) path: PathBuf,
    /// That path as a user would type it.
    pub(crate) name: String,
    /// The absolute path of the folder that its paths and globs are relative to.
    pub(crate) folder: PathBuf,
    /// The folder in which it may read; none if the user named it, and so trusts it.
    pub(crate) may_read: Option<PathBuf>,
    /// In the order of the file.
    pub(crate) entries: Vec<Entry>,
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    /// The name of the option in its group.
    pub(crate) id: String,
    pub(crate) line: usize,
    /// As they are typed in the current folder.
    pub(crate) values: Vec<String>,
    /// Whether the command has the option, and nothing that was typed outweighs it.
    pub(crate) is_in_force: bool,
}

/// Returns a path as a word of a command line. One that begins with a hyphen is no option.
pub(crate) fn word(path: &Path) -> OsString {
    match path.as_os_str().as_encoded_bytes() {
        [b'-', _, ..] => Path::new(".").join(path).into(),
        _ => path.into(),
    }
}

/// The variables with the locale, the most important one first.
const LOCALE: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

impl Lang {
    pub(crate) fn language(self) -> Language {
        match self {
            Self::Auto => of_locale(),
            Self::En => Language::English,
            Self::Zh => Language::Chinese,
        }
    }
}

/// Returns the language of the locale, from the environment.
fn of_locale() -> Language {
    let values = LOCALE.iter().filter_map(env::var_os);
    let locale = values.into_iter().find(|value| !value.is_empty());
    let locale = locale.as_deref().unwrap_or_default();
    Language::of_locale(&locale.to_string_lossy())
}
