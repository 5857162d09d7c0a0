//! The options about what to read.

use std::path::{Path, PathBuf};

use crate::args::documents::reading::ReadingArgs;
use crate::args::group::group;
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

        /// Also compare the paths listed in FILE, one a line or with a NUL behind each ('-': standard input)
        #[arg(hide_short_help = true, long, value_name = "FILE")]
        pub(crate) files_from: Option<PathBuf>,
    }
    with {
        pub(crate) walk: WalkArgs,
        pub(crate) reading: ReadingArgs,
    }
    own {
        fn start(&self) -> Option<&Path> {
            self.paths.first().map(PathBuf::as_path)
        }
    }
}

group! {
    /// Which files of a folder to read.
    pub(crate) struct WalkArgs in INPUT {
        /// Take only files that match the glob; '!' before it leaves them out (repeatable)
        ///
        /// The syntax is that of .gitignore, relative to the current folder: '*.md' matches in every
        /// folder, 'docs/*.md' in one. A later glob outweighs an earlier one, and a glob outweighs ignore
        /// files and hidden names.
        #[arg(short, long, value_name = "GLOB")]
        pub(crate) glob: Vec<Glob>,

        /// Take only files of a type, such as md, html or txt (repeatable)
        ///
        /// The types of ripgrep ('rg --type-list' lists them); 'code': files of code and data, which are documents then; 'agents':
        /// instructions for agents, hidden ones too (AGENTS.md, CLAUDE.md, .claude, .cursor, skills and prompts). Files named as
        /// a PATH are read whatever they are.
        #[arg(short = 't', long, value_name = "TYPE")]
        pub(crate) r#type: Vec<String>,

        /// Leave out files of a type (repeatable)
        ///
        /// '-T code' leaves out files of code and data, whose pairs are set apart otherwise.
        #[arg(short = 'T', long, value_name = "TYPE")]
        pub(crate) type_not: Vec<String>,

        /// Leave out files and folders that match the glob (repeatable)
        ///
        /// The same as --glob '!GLOB' after all other globs.
        #[arg(long, value_name = "GLOB")]
        pub(crate) exclude: Vec<Excluded>,

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
    }
}

impl InputArgs {
    /// Returns whether nothing is named, so that the current folder is read.
    pub(crate) fn is_of_current_folder(&self) -> bool {
        self.paths.is_empty() && self.files_from.is_none()
    }
}
