//! The arguments about what to read.

use std::path::PathBuf;

use dupfind_read::source::walk::CodeFiles;

use crate::args::documents::reading::ReadingArgs;
use crate::args::headings::INPUT;
use crate::args::values::choice::choice;
use crate::args::values::globs;
use crate::args::values::size;

/// What to read.
#[derive(Debug, clap::Args)]
pub(crate) struct InputArgs {
    /// Files and folders to compare [default: the current folder]
    ///
    /// Folders are walked with all their subfolders. '-' is JSON Lines on standard input, which may be
    /// compressed; its records are called -#ID. A file named here is always read, even if it is
    /// hidden, ignored or left out by a glob. A file that is reached in several ways counts once.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) walk: WalkArgs,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    /// Also compare the paths listed in FILE, one a line ('-': standard input)
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub(crate) files_from: Option<PathBuf>,

    /// The list of --files-from is separated by NUL
    #[arg(hide_short_help = true, short = '0', long, requires = "files_from", help_heading = INPUT)]
    pub(crate) null: bool,
}

/// The ways to treat files of code and data, each with its name and help.
const CODE_FILES: [(CodeFiles, &str, &str); 3] = [
    (CodeFiles::Apart, "apart", "Their pairs are set apart"),
    (CodeFiles::Count, "count", "They count as documents do"),
    (CodeFiles::Skip, "skip", "They are not read"),
];

/// The files of a purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preset {
    /// Instructions for agents.
    Agents,
}

/// The presets, each with its name and help.
const PRESETS: [(Preset, &str, &str); 1] = [(
    Preset::Agents,
    "agents",
    "Instructions for agents: AGENTS.md, CLAUDE.md, .claude, .cursor, skills and prompts",
)];

impl Preset {
    /// Returns the globs of its files.
    pub(crate) fn globs(self) -> &'static [&'static str] {
        match self {
            Self::Agents => &[
                "AGENTS.md",
                "CLAUDE.md",
                "**/.claude/**",
                "**/.cursor/**",
                "**/skills/**",
                "**/prompts/**",
                "!settings*.json",
            ],
        }
    }
}

/// Which files of a folder to read.
#[derive(Debug, clap::Args)]
pub(crate) struct WalkArgs {
    /// Take only files that match the glob, or with '!' leave them out (repeatable)
    ///
    /// The syntax is that of .gitignore, relative to the current folder: '*.md' matches in every
    /// folder, 'docs/*.md' in one. A later glob outweighs an earlier one, and a glob outweighs ignore
    /// files and hidden names.
    #[arg(short, long = "glob", value_name = "GLOB", value_parser = globs::glob, help_heading = INPUT)]
    pub(crate) globs: Vec<String>,

    /// Take only the files of a purpose, hidden ones included
    ///
    /// The same as --hidden and globs before all others. 'dupfind reuse . --preset agents' shows which paragraphs they repeat.
    #[arg(hide_short_help = true, long, value_parser = choice(PRESETS), value_name = "NAME", help_heading = INPUT)]
    pub(crate) preset: Option<Preset>,

    /// Take only files of a type, such as md, html or txt (repeatable)
    ///
    /// The types of ripgrep: 'rg --type-list' lists them. Files named as a PATH are read whatever they are.
    #[arg(short = 't', long = "type", value_name = "TYPE", value_delimiter = ',', help_heading = INPUT)]
    pub(crate) types: Vec<String>,

    /// Take only files with this extension, as in md,txt (repeatable)
    ///
    /// With --type, files of either.
    #[arg(short = 'e', long = "extension", value_name = "EXT", value_delimiter = ',', help_heading = INPUT)]
    pub(crate) extensions: Vec<String>,

    /// Leave out files and folders that match the glob (repeatable)
    ///
    /// The same as --glob '!GLOB' after all other globs.
    #[arg(long, value_name = "GLOB", value_parser = globs::excluded, help_heading = INPUT)]
    pub(crate) exclude: Vec<String>,

    /// How files of code and data are treated
    ///
    /// By default their pairs are listed behind those of documents, fail no run and are in no plan. A file that a PATH, a
    /// glob, --type or --extension names is a document, and so are records.
    #[arg(hide_short_help = true, long, value_parser = choice(CODE_FILES), value_name = "HOW", default_value = "apart", help_heading = INPUT)]
    pub(crate) code_files: CodeFiles,

    /// Read hidden files and folders too
    #[arg(long, help_heading = INPUT)]
    pub(crate) hidden: bool,

    /// Do not honour .gitignore, .ignore and .dupfindignore files
    ///
    /// By default they are honoured the way git does: in every folder, and in the folders above up
    /// to the root of the repository, with .git/info/exclude. .dupfindignore outweighs .ignore, which
    /// outweighs .gitignore.
    #[arg(long, help_heading = INPUT)]
    pub(crate) no_ignore: bool,

    /// Follow symbolic links
    #[arg(short = 'L', long, help_heading = INPUT)]
    pub(crate) follow: bool,

    /// Go at most N folders deep; 1 is the files directly in a PATH
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = size::count::<usize>, help_heading = INPUT)]
    pub(crate) max_depth: Option<usize>,
}

impl InputArgs {
    /// Returns whether nothing is named, so that the current folder is read.
    pub(crate) fn is_of_current_folder(&self) -> bool {
        self.paths.is_empty() && self.files_from.is_none()
    }
}
