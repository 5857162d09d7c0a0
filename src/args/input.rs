//! The options about what is read, and how.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use dupfind_engine::Options;
use dupfind_files::inside;
use dupfind_read::decode::decode;
use dupfind_read::source::code;
use dupfind_read::source::name::path_of_bytes;
use dupfind_read::source::walk::Globs;
use dupfind_read::{STDIN, WalkOptions};
use dupfind_scan::ScanOptions;
use dupfind_scan::indexed::IndexOptions;
use ignore::types::Types;

use crate::args::{ConfigArgs, INPUT, ReadingArgs, values};
use crate::input::refused::{refuse_documents, refuse_links, refuse_overwriting};
use crate::input::stdin;
use crate::process::current_folder;
use crate::terminal::messages;

/// What to read.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = INPUT)]
pub(crate) struct InputArgs {
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

    #[command(flatten)]
    pub(crate) walk: WalkArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// Which files of a folder to read.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = INPUT)]
pub(crate) struct WalkArgs {
    /// Take only files that match the glob; '!' before it leaves them out (repeatable)
    ///
    /// The syntax is that of .gitignore, relative to the current folder: '*.md' matches in every
    /// folder, 'docs/*.md' in one. A later glob outweighs an earlier one, and a glob outweighs ignore
    /// files and hidden names.
    #[arg(short, long, value_name = "GLOB", value_parser = values::glob)]
    pub(crate) glob: Vec<String>,

    /// Take only files of a type, such as md, html or txt (repeatable)
    ///
    /// The types of ripgrep ('rg --type-list' lists them); 'code': files of code and data, which are documents then; 'agents':
    /// instructions for agents, hidden ones too (AGENTS.md, CLAUDE.md, .claude, .cursor, skills and prompts). Files named as
    /// a PATH are read whatever they are.
    #[arg(short = 't', long, value_name = "TYPE", value_delimiter = ',', value_parser = NonEmptyStringValueParser::new())]
    pub(crate) r#type: Vec<String>,

    /// Leave out files of a type (repeatable)
    ///
    /// '-T code' leaves out files of code and data, whose pairs are set apart otherwise.
    #[arg(short = 'T', long, value_name = "TYPE", value_delimiter = ',', value_parser = NonEmptyStringValueParser::new())]
    pub(crate) type_not: Vec<String>,

    /// Leave out files and folders that match the glob (repeatable)
    ///
    /// The same as --glob '!GLOB' after all other globs.
    #[arg(long, value_name = "GLOB", value_parser = values::excluded)]
    pub(crate) exclude: Vec<String>,

    /// Read hidden files and folders too
    #[arg(hide_short_help = true, long)]
    pub(crate) hidden: bool,

    /// Do not honour .gitignore, .ignore and .dupfindignore files, and read what is no page
    ///
    /// By default they are honoured the way git does: in every folder, and in the folders above up
    /// to the root of the repository, with .git/info/exclude. .dupfindignore outweighs .ignore, which
    /// outweighs .gitignore. What is no page of a site is left out too: packages, caches, what a generator wrote, redirects.
    #[arg(hide_short_help = true, long)]
    pub(crate) no_ignore: bool,

    /// Follow symbolic links
    #[arg(hide_short_help = true, short = 'L', long)]
    pub(crate) follow: bool,
}

/// The index that is read instead of documents that have not changed.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = INPUT)]
pub(crate) struct IndexArgs {
    /// Read unchanged documents from an index, and bring it up to date
    ///
    /// The report is the same as without, but only changed documents are read. If there is no index, one is made. Files
    /// below the paths that are gone are removed from it.
    #[arg(hide_short_help = true, long, value_name = "FILE")]
    index: Option<PathBuf>,
}

impl IndexArgs {
    /// Uses the index, and brings it up to date.
    pub(crate) fn added_to(&self, options: &mut ScanOptions) {
        options.index = self.index.clone().map(IndexOptions::File);
        options.walk.outputs.extend(self.index.clone());
    }
}

impl InputArgs {
    /// Returns the options of a scan of the documents against others, if there are some. `reports` and `kept` are the files that
    /// the command writes: reports, and a file that lasts.
    ///
    /// # Errors
    ///
    /// A list of files cannot be read, a file would be written over one that is to be read, or an option is wrong.
    pub(crate) fn options(
        &self,
        against: &[PathBuf],
        config: &ConfigArgs,
        engine: Options,
        reports: &[&Path],
        kept: Option<&Path>,
    ) -> Result<ScanOptions> {
        let paths = self.paths(config)?;
        let here = current_folder()?;
        refuse_links(&self.paths, &here)?;
        refuse_links(against, &here)?;
        let outputs: Vec<&Path> = reports.iter().copied().chain(kept).collect();
        let others = [self.files_from.as_deref(), config.file()];
        let others = others.into_iter().flatten().map(Path::to_owned);
        let read: Vec<PathBuf> = others.chain(paths.iter().chain(against).cloned()).collect();
        for output in &outputs {
            refuse_overwriting(Some(output), &read)?;
        }
        let options = ScanOptions {
            index: None,
            walk: WalkOptions {
                against: against.to_vec(),
                ..self.walk.options(config, paths, &outputs)?
            },
            read: self.reading.options(config)?,
            engine,
        };
        refuse_documents(&options, reports)?;
        Ok(options)
    }

    /// Returns whether nothing is named, so that the current folder is read.
    pub(crate) fn is_of_current_folder(&self) -> bool {
        self.paths.is_empty() && self.files_from.is_none()
    }

    /// Returns the paths that were named, then those of the list; the current folder if there is neither.
    fn paths(&self, config: &ConfigArgs) -> Result<Vec<PathBuf>> {
        let Some(source) = &self.files_from else {
            return Ok(match self.paths.as_slice() {
                [] => vec![".".into()],
                paths => paths.to_vec(),
            });
        };
        let content = if source == Path::new(STDIN) {
            if stdin::is_named(&self.paths) {
                bail!(
                    "standard input cannot be both the list of --files-from and records to compare ('-'): \
                     put one of them in a file"
                );
            }
            let mut content = Vec::new();
            let read = io::stdin().lock().read_to_end(&mut content);
            read.context("cannot read the list of files from standard input")?;
            content
        } else {
            let failed = || format!("cannot read the list of files {}", source.display());
            fs::read(source).with_context(failed)?
        };
        let listed = listed(&content);
        let is_quoted = |path: &PathBuf| {
            let name = path.as_os_str().as_encoded_bytes();
            matches!(name, [b'"', _, .., b'"']) && !path.exists()
        };
        if listed.iter().any(is_quoted) {
            messages::warning(
                "the list has names between quotation marks, as git writes those that are not ASCII; 'git ls-files -z' writes \
                 them as they are",
            );
        }
        refuse_listed(config, &listed)?;
        // In a list, '-' is a file of that name.
        let listed = listed.into_iter().map(|path| match path.to_str() {
            Some(STDIN) => Path::new(".").join(path),
            _ => path,
        });
        Ok(self.paths.iter().cloned().chain(listed).collect())
    }
}

/// Refuses a list of paths that a configuration that was found names, if one lies outside of the folder in which it may
/// read.
fn refuse_listed(config: &ConfigArgs, paths: &[PathBuf]) -> Result<()> {
    let Some((used, folder)) = config.limits("files-from") else {
        return Ok(());
    };
    let here = current_folder()?;
    // A path that leads nowhere is reported later, as any other one.
    let is_there = |path: &Path| here.join(path).symlink_metadata().is_ok();
    let is_outside = |path: &&PathBuf| is_there(path) && inside(path, &here, folder).is_err();
    if let Some(path) = paths.iter().find(is_outside) {
        let (name, path) = (&used.name, path.display());
        bail!(
            "{name}: files-from: a configuration that was found may read within its own repository only, and \
             the list names '{path}'; --config {name} allows it"
        );
    }
    Ok(())
}

/// Returns the paths in a list. If there is a NUL in it, one ends each entry, as in the output of `git ls-files -z`; otherwise
/// a line end does. Empty entries and a byte order mark are skipped. `PowerShell` writes UTF-16.
fn listed(content: &[u8]) -> Vec<PathBuf> {
    let is_wide = content.starts_with(b"\xff\xfe") || content.starts_with(b"\xfe\xff");
    let decoded = is_wide.then(|| decode(content, None)).flatten();
    let content = decoded.as_ref().map_or(content, |it| it.text.as_bytes());
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    let end = if content.contains(&0) { 0 } else { b'\n' };
    let entries = content.split(|&byte| byte == end).map(|entry| match entry {
        [entry @ .., b'\r'] if end != 0 => entry,
        entry => entry,
    });
    let entries = entries.filter(|entry| !entry.is_empty());
    entries.map(path_of_bytes).collect()
}

impl WalkArgs {
    /// Returns how the files of some paths are found. `outputs` are the files that the command writes.
    ///
    /// # Errors
    ///
    /// There is no type of files of that name, or the current folder is not known.
    pub(crate) fn options(
        &self,
        config: &ConfigArgs,
        paths: Vec<PathBuf>,
        outputs: &[&Path],
    ) -> Result<WalkOptions> {
        // No document: neither the reports nor the configuration.
        let outputs = outputs.iter().copied().chain(config.file());
        let agents = |types: &[String]| match types.iter().any(|name| name == AGENTS) {
            true => &OF_AGENTS[..],
            false => &[],
        };
        let (wanted, unwanted) = (agents(&self.r#type), agents(&self.type_not));
        if !wanted.is_empty() && self.r#type.len() > 1 {
            bail!("--type {AGENTS} stands alone: its files are of several types");
        }
        let unwanted = unwanted.iter().filter(|glob| !glob.starts_with('!'));
        let globs = |key, of_type: Vec<&&str>, typed: &[String]| {
            let of_type = of_type.into_iter().map(|glob| (*glob).to_owned());
            anyhow::Ok(Globs {
                base: config.base(key)?,
                patterns: of_type.chain(typed.iter().cloned()).collect(),
            })
        };
        Ok(WalkOptions {
            globs: globs("glob", wanted.iter().collect(), &self.glob)?,
            excluded: globs("exclude", unwanted.collect(), &self.exclude)?,
            types: self.types()?,
            hidden: self.hidden || !wanted.is_empty(),
            ignore_files: !self.no_ignore,
            follow: self.follow,
            // Where a configuration makes the program follow links, none leads out of the folder in which it may read.
            within: config.limits("follow").map(|(_, folder)| folder.to_owned()),
            outputs: outputs.map(Path::to_owned).collect(),
            ..WalkOptions::new(paths, current_folder()?)
        })
    }

    /// Returns the types of files that are read or left out, without [`AGENTS`], whose files have globs.
    fn types(&self) -> Result<Types> {
        let mut builder = code::types()?;
        let is_of_names = |name: &&String| *name != AGENTS;
        for name in self.r#type.iter().filter(is_of_names) {
            builder.select(name);
        }
        for name in self.type_not.iter().filter(is_of_names) {
            builder.negate(name);
        }
        builder.build().map_err(|error| {
            anyhow!(
                "--type: {error}; 'rg --type-list' lists the types, and -g '*.END' takes files by their ending"
            )
        })
    }
}

/// The type of instructions for agents, and the globs of its files.
const AGENTS: &str = "agents";
const OF_AGENTS: [&str; 7] = [
    "AGENTS.md",
    "CLAUDE.md",
    "**/.claude/**",
    "**/.cursor/**",
    "**/skills/**",
    "**/prompts/**",
    "!settings*.json",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_end_in_a_line_end_or_in_nul() {
        let of = |content: &[u8]| -> Vec<String> {
            let paths = listed(content).into_iter();
            paths.map(|path| path.display().to_string()).collect()
        };
        assert_eq!(of(b"a.md\nb c.md\r\n\nd"), ["a.md", "b c.md", "d"]);
        assert_eq!(of(b"a\nb\0c\0"), ["a\nb", "c"]);
        assert_eq!(of(b"\xef\xbb\xbfa.md\r\nb"), ["a.md", "b"]);
        assert_eq!(of(b"\xff\xfea\0.\0m\0d\0\r\0\n\0"), ["a.md"]);
        assert!(of(b"").is_empty());
    }
}
