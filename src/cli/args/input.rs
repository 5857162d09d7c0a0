//! The options about what to read.

use std::path::PathBuf;

use encoding_rs::Encoding;

use crate::cli::args::INPUT;
use crate::cli::size;

/// What to read.
#[derive(Debug, clap::Args)]
pub(crate) struct InputArgs {
    /// Files and folders to compare [default: the current folder]
    ///
    /// Folders are walked with all their subfolders. A file named here is always read, even if it is
    /// hidden, ignored or left out by a glob. A file that is reached in several ways counts once.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Take only files that match the glob, or with '!' leave them out (repeatable)
    ///
    /// The syntax is that of .gitignore, relative to the current folder: '*.md' matches in every
    /// folder, 'docs/*.md' in one. A later glob outweighs an earlier one, and a glob outweighs ignore
    /// files and hidden names.
    #[arg(short, long = "glob", value_name = "GLOB", help_heading = INPUT)]
    pub(crate) globs: Vec<String>,

    /// Leave out files and folders that match the glob (repeatable)
    ///
    /// The same as --glob '!GLOB' after all other globs.
    #[arg(long, value_name = "GLOB", help_heading = INPUT)]
    pub(crate) exclude: Vec<String>,

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

    /// Skip files and records larger than this
    ///
    /// K, M and G are powers of 1024.
    #[arg(long, value_name = "SIZE", value_parser = size::parse, default_value = "16M", help_heading = INPUT)]
    pub(crate) max_filesize: u64,

    #[command(flatten)]
    pub(crate) encoding: EncodingArgs,

    /// Also compare the paths listed in FILE, one a line ('-': standard input)
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub(crate) files_from: Option<PathBuf>,

    /// The list of --files-from is separated by NUL
    #[arg(hide_short_help = true, short = '0', long, requires = "files_from", help_heading = INPUT)]
    pub(crate) null: bool,

    /// Field with the text of a record, in files of records (*.jsonl, *.ndjson)
    ///
    /// Each line of such a file is a JSON object and one document, called FILE#ID. The file may be
    /// larger than memory; --max-filesize is the limit for a line.
    #[arg(long, value_name = "FIELD", default_value = "text", help_heading = INPUT)]
    pub(crate) text_field: String,

    /// Field with the id of a record [default: the number of its line]
    #[arg(long, value_name = "FIELD", help_heading = INPUT)]
    pub(crate) id_field: Option<String>,
}

/// How files are decoded.
#[derive(Debug, clap::Args)]
pub(crate) struct EncodingArgs {
    /// Encoding of all files, such as gb18030 [default: found out for each]
    ///
    /// A name of the WHATWG standard: utf-8, gbk, big5, shift_jis, euc-kr, windows-1251, utf-16le, ... Records are
    /// always UTF-8.
    #[arg(short = 'E', long, value_name = "NAME", value_parser = encoding, help_heading = INPUT)]
    pub(crate) encoding: Option<&'static Encoding>,
}

fn encoding(name: &str) -> Result<&'static Encoding, String> {
    // What the standard decodes to nothing at all is no encoding to ask for.
    let known = Encoding::for_label_no_replacement(name.as_bytes());
    known.ok_or_else(|| {
        "no such encoding; the WHATWG standard has the names, such as utf-8, gbk, big5, shift_jis".into()
    })
}
