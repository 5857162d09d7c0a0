//! How the content of a file becomes text.

use anyhow::Result;
use clap::Args;
use clap::builder::{NonEmptyStringValueParser, PossibleValue};
use dupfind_read::skipped::Wording;
use dupfind_read::source::pre::Pre;
use dupfind_read::{Fields, ReadOptions, WebPart};
use encoding_rs::Encoding;

use crate::args::INPUT;
use crate::args::pre::PreCommand;
use crate::args::running::ConfigArgs;
use crate::args::values::{self, choice, named};
use crate::process::{current_folder, interrupt, itself, memory};

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
