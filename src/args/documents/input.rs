//! The options about what to read.

use std::path::PathBuf;

use dupfind_read::source::walk::CodeFiles;

use crate::args::documents::reading::ReadingArgs;
use crate::args::group::group;
use crate::args::values::choice::Choice;
use crate::args::values::globs::{Excluded, Glob};

group! {
    /// What to read.
    pub(crate) struct InputArgs in INPUT {
        /// Files and folders to compare [default: the current folder]
        ///
        /// Folders are walked with all their subfolders. '-' is JSON Lines on standard input, which may be
        /// compressed; its records are called -#ID. A file named here is always read, even if it is
        /// hidden, ignored or left out by a glob. A file that is reached in several ways counts once.
        #[arg(value_name = "PATH", help_heading = None)]
        pub(crate) paths: Vec<PathBuf>,

        /// Also compare the paths listed in FILE, one a line ('-': standard input)
        #[arg(hide_short_help = true, long, value_name = "FILE")]
        pub(crate) files_from: Option<PathBuf>,

        /// The list of --files-from is separated by NUL
        #[arg(hide_short_help = true, short = '0', long, requires = "files_from")]
        pub(crate) null: bool,
    }
    with {
        pub(crate) walk: WalkArgs,
        pub(crate) reading: ReadingArgs,
    }
}

impl Choice for CodeFiles {
    fn choices() -> Vec<(Self, &'static str, &'static str)> {
        vec![
            (Self::Apart, "apart", "Their pairs are set apart"),
            (Self::Count, "count", "They count as documents do"),
            (Self::Skip, "skip", "They are not read"),
        ]
    }
}

/// The files of a purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preset {
    /// Instructions for agents.
    Agents,
}

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

impl Choice for Preset {
    fn choices() -> Vec<(Self, &'static str, &'static str)> {
        vec![(
            Self::Agents,
            "agents",
            "Instructions for agents: AGENTS.md, CLAUDE.md, .claude, .cursor, skills and prompts",
        )]
    }
}

group! {
    /// Which files of a folder to read.
    pub(crate) struct WalkArgs in INPUT {
        /// Take only files that match the glob, or with '!' leave them out (repeatable)
        ///
        /// The syntax is that of .gitignore, relative to the current folder: '*.md' matches in every
        /// folder, 'docs/*.md' in one. A later glob outweighs an earlier one, and a glob outweighs ignore
        /// files and hidden names.
        #[arg(short, long, value_name = "GLOB")]
        pub(crate) glob: Vec<Glob>,

        /// Take only the files of a purpose, hidden ones included
        ///
        /// The same as --hidden and globs before all others. 'dupfind reuse . --preset agents' shows which paragraphs they repeat.
        #[arg(hide_short_help = true, long, value_name = "NAME")]
        pub(crate) preset: Option<Preset>,

        /// Take only files of a type, such as md, html or txt (repeatable)
        ///
        /// The types of ripgrep: 'rg --type-list' lists them. Files named as a PATH are read whatever they are.
        #[arg(short = 't', long, value_name = "TYPE")]
        pub(crate) r#type: Vec<String>,

        /// Take only files with this extension, as in md,txt (repeatable)
        ///
        /// With --type, files of either.
        #[arg(short = 'e', long, value_name = "EXT")]
        pub(crate) extension: Vec<String>,

        /// Leave out files and folders that match the glob (repeatable)
        ///
        /// The same as --glob '!GLOB' after all other globs.
        #[arg(long, value_name = "GLOB")]
        pub(crate) exclude: Vec<Excluded>,

        /// How files of code and data are treated [default: apart]
        ///
        /// By default their pairs are listed behind those of documents, fail no run and are in no plan. A file that a PATH, a
        /// glob, --type or --extension names is a document, and so are records.
        #[arg(hide_short_help = true, long, value_name = "HOW")]
        pub(crate) code_files: Option<CodeFiles>,

        /// Read hidden files and folders too
        #[arg(hide_short_help = true, long)]
        pub(crate) hidden: bool,

        /// Do not honour .gitignore, .ignore and .dupfindignore files
        ///
        /// By default they are honoured the way git does: in every folder, and in the folders above up
        /// to the root of the repository, with .git/info/exclude. .dupfindignore outweighs .ignore, which
        /// outweighs .gitignore.
        #[arg(hide_short_help = true, long)]
        pub(crate) no_ignore: bool,

        /// Follow symbolic links
        #[arg(hide_short_help = true, short = 'L', long)]
        pub(crate) follow: bool,

        /// Go at most N folders deep; 1 is the files directly in a PATH
        #[arg(hide_short_help = true, long, value_name = "N")]
        pub(crate) max_depth: Option<usize>,
    }
}

impl InputArgs {
    /// Returns whether nothing is named, so that the current folder is read.
    pub(crate) fn is_of_current_folder(&self) -> bool {
        self.paths.is_empty() && self.files_from.is_none()
    }
}
