//! How the content of a file becomes text.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Result, anyhow};
use clap::Args;
use clap::builder::{NonEmptyStringValueParser, PossibleValue};
use dupfind_read::skipped::Wording;
use dupfind_read::source::pre::{PLACE, Pre, Reader};
use dupfind_read::{Fields, ReadOptions, WebPart};
use encoding_rs::Encoding;

use crate::args::values::{self, choice, named};
use crate::args::{ConfigArgs, INPUT};
use crate::process::{current_folder, itself, memory};

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

impl ReadingArgs {
    /// Returns the options of reading.
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
            options.pre = Some(Pre::new(readers, base, current_folder()?)?);
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
const PROGRAMS: [(&str, &str); 5] = [
    ("doc", "catdoc -d utf-8"),
    ("wps", "catdoc -d utf-8"),
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

/// A glob, and the command that reads the files that match it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PreCommand {
    glob: String,
    /// The name of the program, or its path.
    program: String,
    arguments: Vec<String>,
}

impl PreCommand {
    /// Returns the program with its files. The path of a program is relative to `base`.
    ///
    /// # Errors
    ///
    /// There is no such program.
    pub(crate) fn reader(&self, base: &Path) -> Result<Reader> {
        let program = program(&self.program, base);
        Ok(Reader {
            glob: self.glob.clone(),
            program: program.map_err(|reason| anyhow!("--pre '{}=...': {reason}", self.glob))?,
            arguments: self.arguments.clone(),
        })
    }

    /// Reads a glob and a command.
    ///
    /// # Errors
    ///
    /// A sentence with the expected value.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=');
        let (glob, command) = parts.filter(|(glob, _)| !glob.is_empty()).ok_or_else(|| {
            format!("expected a glob and a command, such as '*.tex=pandoc -t plain', not '{text}'")
        })?;
        if glob.starts_with('!') {
            return Err(format!(
                "'{glob}' chooses no files: a glob with '!' leaves files out"
            ));
        }
        let mut words = words(command)?.into_iter();
        let Some(program) = words.next().filter(|program| !program.is_empty()) else {
            return Err(format!(
                "'{glob}=' has no command, such as '{glob}=pandoc -t plain'"
            ));
        };
        let mut arguments: Vec<String> = words.collect();
        let mut of_shell = arguments
            .iter()
            .filter(|word| ["|", ">", "<", ">>", "&&", "||", ";"].contains(&word.as_str()));
        if let Some(word) = of_shell.next() {
            return Err(format!(
                "'{word}' is for a shell, and none is in between: name one, as in \"{glob}=sh -c 'cat $0 | tr a b'\""
            ));
        }
        if !arguments.iter().any(|argument| argument.contains(PLACE)) {
            arguments.push(PLACE.into());
        }
        Ok(Self {
            glob: values::glob(glob)?,
            program,
            arguments,
        })
    }
}

/// Returns the words of a command: white space separates them, and quotation marks keep what is between them together. All
/// other characters are as they are, so that paths of Windows are no trap.
fn words(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    for c in command.chars() {
        match quote {
            Some(open) if open == c => quote = None,
            None if matches!(c, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if let Some(quote) = quote {
        return Err(format!(
            "a quotation mark {quote} is not closed in '{command}'"
        ));
    }
    words.extend(word);
    Ok(words)
}

/// The endings of the names of programs on Windows.
const ENDINGS: [&str; 5] = ["", ".exe", ".com", ".bat", ".cmd"];

/// Returns the program of a name on the PATH, or of a path, which is relative to `base`.
///
/// # Errors
///
/// A sentence with the expected value.
fn program(typed: &str, base: &Path) -> Result<PathBuf, String> {
    let folder = Path::new(typed).parent();
    let is_path = folder.is_some_and(|folder| !folder.as_os_str().is_empty());
    let folders: Vec<PathBuf> = match env::var_os("PATH") {
        _ if is_path => vec![base.to_owned()],
        // An empty entry would be the current folder, which may come from anywhere.
        path => env::split_paths(&path.unwrap_or_default())
            .filter(|folder| !folder.as_os_str().is_empty())
            .collect(),
    };
    let endings = if cfg!(windows) {
        &ENDINGS[..]
    } else {
        &ENDINGS[..1]
    };
    let names = endings.iter().map(|end| format!("{typed}{end}"));
    let places = names.flat_map(|name| folders.iter().map(move |folder| folder.join(&name)));
    let files: Vec<PathBuf> = places.filter(|place| place.is_file()).collect();
    match (files.iter().find(|file| is_executable(file)), files.first()) {
        (Some(found), _) => Ok(found.clone()),
        (None, Some(file)) => Err(format!(
            "{} may not be run; chmod +x allows it",
            file.display()
        )),
        _ if is_path => Err(format!("there is no program {typed}")),
        _ => Err(format!(
            "there is no program '{typed}' on the PATH; for one elsewhere give its path"
        )),
    }
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    fs::metadata(file).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn a_command_is_a_program_and_its_arguments() {
        for (text, glob, expected) in [
            (
                "*.tex=pandoc -t plain",
                "*.tex",
                &["pandoc", "-t", "plain", "{}"][..],
            ),
            ("*.pdf=pdftotext {} -", "*.pdf", &["pdftotext", "{}", "-"]),
            ("a/*=x  --in={} --to=y ", "a/*", &["x", "--in={}", "--to=y"]),
            ("*=catdoc", "*", &["catdoc", "{}"]),
            (
                "*='C:\\My Tools\\x.exe' \"it's\" ''",
                "*",
                &["C:\\My Tools\\x.exe", "it's", "", "{}"],
            ),
            (
                "*=sh -c 'cat \"$0\" | tr a b'",
                "*",
                &["sh", "-c", "cat \"$0\" | tr a b", "{}"],
            ),
        ] {
            let command = PreCommand::parse(text).unwrap();
            let words = [std::slice::from_ref(&command.program), &command.arguments].concat();
            assert_eq!(&*command.glob, glob);
            assert_eq!(
                words,
                expected.iter().map(ToString::to_string).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn a_fault_is_told_with_what_to_type() {
        for (text, part) in [
            ("pandoc", "such as '*.tex=pandoc -t plain'"),
            ("=pandoc", "such as '*.tex=pandoc -t plain'"),
            ("*.tex=", "'*.tex=' has no command"),
            ("*.tex='' x", "has no command"),
            ("!*.md=cat", "leaves files out"),
            ("a{b=cat", "cannot read the glob"),
            ("*.x=cat 'a", "' is not closed"),
            ("*.x=cat {} | tr a b", "is for a shell"),
        ] {
            let error = PreCommand::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn programs_are_found_or_refused_with_a_reason() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(program("sh", here).unwrap().is_absolute());
        assert_eq!(program("/bin/sh", here), Ok("/bin/sh".into()));
        for (typed, part) in [
            ("dupfind-has-no-such-program", "on the PATH"),
            ("./none", "there is no program ./none"),
            ("./Cargo.toml", "chmod +x"),
            ("/", "there is no program"),
        ] {
            let error = program(typed, here).unwrap_err();
            assert!(error.contains(part), "{typed}: {error}");
        }
    }
}
