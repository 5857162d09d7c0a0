//! The options about what is read, and how.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use clap::builder::{NonEmptyStringValueParser, PossibleValue};
use dupfind_engine::Options;
use dupfind_files::inside::inside;
use dupfind_read::ReadOptions;
use dupfind_read::decode::decode;
use dupfind_read::extract::WebPart;
use dupfind_read::records::Fields;
use dupfind_read::skipped::Wording;
use dupfind_read::source::code;
use dupfind_read::source::name::path_of_bytes;
use dupfind_read::source::pre::Pre;
use dupfind_read::source::walk::Globs;
use dupfind_read::source::walk::{STDIN, WalkOptions};
use dupfind_scan::ScanOptions;
use dupfind_scan::indexed::IndexOptions;
use encoding_rs::Encoding;
use ignore::types::Types;

use crate::args::INPUT;
use crate::args::pre::PreCommand;
use crate::args::running::ConfigArgs;
use crate::args::values::{self, choice, named};
use crate::input::refused::{refuse_documents, refuse_links, refuse_overwriting};
use crate::input::stdin;
use crate::process::{current_folder, interrupt, itself, memory};
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

/// How documents are read.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ReadingArgs {
    #[command(flatten)]
    pub(crate) content: ContentArgs,
    #[command(flatten)]
    pre: PreArgs,
}

/// How the content of a document becomes its text.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = INPUT)]
pub(crate) struct ContentArgs {
    /// Skip files and records larger than this [default: 16M]
    ///
    /// K, M and G are powers of 1024. Of compressed files the expanded size counts.
    #[arg(hide_short_help = true, long, value_name = "SIZE", value_parser = values::size)]
    max_filesize: Option<u64>,

    /// Encoding of all files, such as gb18030 [default: found out for each]
    ///
    /// A name of the WHATWG standard: utf-8, gbk, big5, shift_jis, euc-kr, windows-1251, utf-16le, ... For files of
    /// records it is found out from their first 64 KiB.
    #[arg(hide_short_help = true, short = 'E', long, value_name = "NAME", value_parser = values::encoding)]
    pub(crate) encoding: Option<&'static Encoding>,

    /// Which part of a web page counts [default: main]
    #[arg(hide_short_help = true, long, value_name = "PART", value_parser = choice(web_parts()))]
    web_part: Option<WebPart>,

    /// Field with the text of a record [default: text] (repeatable)
    ///
    /// Each line of JSON Lines (*.jsonl, *.ndjson), each element of a JSON array and each row of a table (also
    /// *.parquet, in builds with that feature) is one document, called FILE#ID. A JSON file or table without the
    /// field is one document as it is; if this option named the field, the file is skipped. 'meta.title' leads into
    /// objects, 'messages.content' through lists; the texts of several fields (also 'title,body') are joined by a
    /// blank line. Such a file may be larger than memory; --max-filesize is the limit for a record.
    #[arg(long, value_name = "FIELD", value_delimiter = ',', value_parser = NonEmptyStringValueParser::new())]
    text_field: Vec<String>,

    /// Field with the id of a record [default: its line or position]
    #[arg(hide_short_help = true, long, value_name = "FIELD", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) id_field: Option<String>,
}

fn web_parts() -> [(WebPart, PossibleValue); 3] {
    let main = "The article, without navigation, headers and footers";
    [
        named(WebPart::Main, "main", main),
        named(WebPart::All, "all", "All text that a reader sees"),
        named(WebPart::Raw, "raw", "The source as it is"),
    ]
}

/// The programs that make texts of files.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = INPUT)]
struct PreArgs {
    /// Run COMMAND for each file that matches the glob, and compare what it prints (repeatable)
    ///
    /// '*.tex=pandoc -t plain'. COMMAND is a program and its arguments. They are separated by spaces, quotation marks keep
    /// what is between them together, and no shell is in between. The path of the file is the last argument, or takes
    /// the place of {}: '*.pdf=pdftotext {} -'. A program that fails, or runs for more than 30 seconds, is ended, and the
    /// file is skipped as 'pre failed', with the first lines that it wrote to standard error. The glob is as that of
    /// --glob; of several that match the last one counts.
    #[arg(hide_short_help = true, long, value_name = "GLOB=COMMAND", value_parser = PreCommand::parse)]
    pub(crate) pre: Vec<PreCommand>,
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

impl ReadingArgs {
    /// Returns the options of reading. An interrupt ends the programs that make texts.
    ///
    /// # Errors
    ///
    /// There is no program of a name, or the current folder is not known.
    pub(crate) fn options(&self, config: &ConfigArgs) -> Result<ReadOptions> {
        let mut options = self.content.options();
        if !self.pre.pre.is_empty() {
            let base = config.base("pre")?;
            let readers = self.pre.pre.iter().map(|command| command.reader(&base));
            let readers = readers.collect::<Result<_>>()?;
            let pre = Pre::new(readers, base, current_folder()?)?;
            options.pre = Some(pre.clone());
            interrupt::ends_programs(move || pre.stop());
        }
        Ok(options)
    }
}

impl ContentArgs {
    /// Returns the options of reading, without a program that makes texts.
    pub(crate) fn options(&self) -> ReadOptions {
        let mut fields = Fields {
            id: self.id_field.clone(),
            ..Fields::default()
        };
        if !self.text_field.is_empty() {
            (fields.text, fields.is_named) = (self.text_field.clone(), true);
        }
        ReadOptions {
            max_filesize: self.max_filesize(),
            max_memory: Some(memory::default_limit()),
            max_documents: memory::max_documents(),
            encoding: self.encoding,
            fields,
            pdf: itself::pdf_programs(),
            web_part: self.web_part.unwrap_or_default(),
            wording: wording(),
            ..ReadOptions::default()
        }
    }

    /// Returns how many bytes a file or record may have.
    pub(crate) fn max_filesize(&self) -> u64 {
        self.max_filesize.unwrap_or(ReadOptions::MAX_FILESIZE)
    }
}

/// The programs that print the texts of documents, by the endings of their names.
const PROGRAMS: [(&str, &str); 6] = [
    ("doc", "catdoc -d utf-8"),
    ("wps", "catdoc -d utf-8"),
    ("dot", "catdoc -d utf-8"),
    ("xls", "xls2csv -d utf-8"),
    ("ppt", "catppt -d utf-8"),
    ("rtf", "pandoc -t plain"),
];

/// Returns the words for a document of another program.
fn foreign(ending: &str) -> String {
    match PROGRAMS.iter().find(|(known, _)| *known == ending) {
        Some((_, program)) => {
            format!("--pre '*.{ending}={program}' reads .{ending} files, see docs/input.md")
        }
        None => "a script of a few lines reads e-mail and saved pages, see docs/input.md".into(),
    }
}

/// Returns the words for files that are not read, each with the option that helps.
fn wording() -> Wording {
    Wording {
        pdf: "a PDF: it is read if its name ends in .pdf, or by a program: --pre '*=pdftotext {} -'",
        old_office: "a document of Office 97 to 2003, or an encrypted one: a program reads it: --pre '*.doc=catdoc -d utf-8'",
        foreign,
        expanded: "its expanded text is larger than --max-filesize allows",
        no_column: |words| format!("{words}; --text-field names another one"),
    }
}

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

    #[test]
    fn only_the_program_names_options() {
        let texts = |wording: Wording| {
            let Wording {
                pdf,
                old_office,
                foreign,
                expanded,
                no_column,
            } = wording;
            let made = [no_column("no column".into()), foreign("doc")];
            let fixed = [pdf, old_office, expanded].map(str::to_owned);
            fixed.into_iter().chain(made)
        };
        assert!(texts(wording()).all(|text| text.contains("--")));
        assert!(texts(Wording::default()).all(|text| !text.contains("--")));
    }
}
