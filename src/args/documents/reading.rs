//! The arguments about how documents are read.

use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::Result;
use clap::ValueEnum;
use dupfind_read::ReadOptions;
use dupfind_read::extract;
use dupfind_read::format::Format;
use dupfind_read::records::Fields;
use dupfind_read::source::globs::Globs;
use dupfind_read::source::pre::Pre;
use encoding_rs::Encoding;

use crate::args::config::ConfigArgs;
use crate::args::documents::advice;
use crate::args::headings::INPUT;
use crate::args::values::choice::choice;
use crate::args::values::globs;
use crate::args::values::program::{Program, program};
use crate::args::values::size;
use crate::process::{current_folder, interrupt, itself, memory};

/// How documents are read.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadingArgs {
    #[command(flatten)]
    pub(crate) content: ContentArgs,
    #[command(flatten)]
    pre: PreArgs,
}

/// How the content of a document becomes its text.
#[derive(Debug, clap::Args)]
pub(crate) struct ContentArgs {
    /// Skip files and records larger than this
    ///
    /// K, M and G are powers of 1024. Of compressed files the expanded size counts.
    #[arg(long, value_name = "SIZE", value_parser = size::parse, default_value = "16M", help_heading = INPUT)]
    pub(crate) max_filesize: u64,

    /// Encoding of all files, such as gb18030 [default: found out for each]
    ///
    /// A name of the WHATWG standard: utf-8, gbk, big5, shift_jis, euc-kr, windows-1251, utf-16le, ... For files of
    /// records it is found out from their first 64 KiB.
    #[arg(short = 'E', long, value_name = "NAME", value_parser = encoding, help_heading = INPUT)]
    pub(crate) encoding: Option<&'static Encoding>,

    /// Which part of a web page counts
    #[arg(hide_short_help = true, long, value_parser = choice(HTML_PARTS), value_name = "PART", default_value = "main", help_heading = INPUT)]
    html: extract::Html,

    /// Whether code blocks count, in Markdown, reStructuredText and AsciiDoc
    #[arg(hide_short_help = true, long, value_enum, value_name = "HOW", default_value_t = MarkdownCode::Text, help_heading = INPUT)]
    pub(crate) markdown_code: MarkdownCode,

    /// Field with the text of a record, in *.jsonl, *.json, *.csv, *.tsv [default: text] (repeatable)
    ///
    /// Each line of JSON Lines (*.jsonl, *.ndjson), each element of a JSON array and each row of a table (also
    /// *.parquet, in builds with that feature) is one document, called FILE#ID. A JSON file or table without the
    /// field is one document as it is; if this option named the field, the file is skipped. 'meta.title' leads into
    /// objects, 'messages.content' through lists; the texts of several fields (also 'title,body') are joined by a
    /// blank line. Such a file may be larger than memory; --max-filesize is the limit for a record.
    #[arg(long = "text-field", value_name = "FIELD", value_delimiter = ',', help_heading = INPUT)]
    pub(crate) text_fields: Vec<String>,

    /// Field with the id of a record [default: its line or position]
    #[arg(long, value_name = "FIELD", help_heading = INPUT)]
    pub(crate) id_field: Option<String>,

    /// Format of the texts of records
    #[arg(hide_short_help = true, long, value_parser = choice(RECORD_FORMATS), value_name = "FORMAT", default_value = "text", help_heading = INPUT)]
    record_format: Format,
}

/// The program that makes texts of files.
#[derive(Debug, clap::Args)]
struct PreArgs {
    /// Run COMMAND for each file and compare what it prints
    ///
    /// COMMAND is a program on the PATH, or the path of one. It gets the path of the file as its only argument, and
    /// no shell is in between; what it writes to standard output is the text. A program that wants other arguments
    /// is called by a script: exec pdftotext "$1" -. If it fails, the file is skipped as 'pre failed', with the
    /// first lines it wrote to standard error. It is run for all files, or for those of --pre-glob.
    #[arg(hide_short_help = true, long, value_name = "COMMAND", value_parser = program, help_heading = INPUT)]
    pre: Option<Program>,

    /// Run --pre only for files that match the glob, or with '!' not for them (repeatable)
    ///
    /// The syntax is that of --glob.
    #[arg(hide_short_help = true, long, value_name = "GLOB", value_parser = globs::glob, help_heading = INPUT)]
    pre_glob: Vec<String>,

    /// Seconds that --pre may take for a file
    ///
    /// Then it is ended, with the programs it has started, and the file is skipped.
    #[arg(hide_short_help = true, long, value_name = "SECONDS", value_parser = size::count::<NonZeroUsize>, default_value = "30", help_heading = INPUT)]
    pre_timeout: NonZeroUsize,
}

impl ReadingArgs {
    /// Returns the options of reading. Globs may come from the configuration.
    ///
    /// # Errors
    ///
    /// A glob cannot be read, or the current folder is not known.
    pub(crate) fn options(&self, config: &ConfigArgs) -> Result<ReadOptions> {
        Ok(ReadOptions {
            max_memory: Some(memory::default_limit()),
            pre: self.pre.program(config)?,
            ..self.content.options()
        })
    }
}

impl PreArgs {
    /// Returns the program that makes texts of files. An interrupt ends it.
    fn program(&self, config: &ConfigArgs) -> Result<Option<Pre>> {
        let Some(Program(program)) = &self.pre else {
            return Ok(None);
        };
        let globs = Globs {
            base: config.base("pre-glob")?,
            patterns: self.pre_glob.clone(),
        };
        // A larger number is far beyond the life of any machine.
        let seconds = u32::try_from(self.pre_timeout.get()).unwrap_or(u32::MAX);
        let timeout = Duration::from_secs(seconds.into());
        let pre = Pre::new(program.clone(), globs, current_folder()?, timeout)?;
        let running = pre.clone();
        interrupt::ends_programs(move || running.stop());
        Ok(Some(pre))
    }
}

impl ContentArgs {
    /// Returns the options of reading, without a program that makes texts.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            max_filesize: self.max_filesize,
            max_memory: None,
            encoding: self.encoding,
            fields: self.fields(),
            record_format: self.record_format,
            pre: None,
            pdf: itself::pdf_programs(),
            extract: extract::ExtractOptions {
                html: self.html,
                skips_code: self.markdown_code == MarkdownCode::Skip,
            },
            wording: advice::wording(),
            ..ReadOptions::default()
        }
    }

    /// Returns the fields of a record that are read.
    fn fields(&self) -> Fields {
        let fields = Fields {
            id: self.id_field.clone(),
            ..Fields::default()
        };
        if self.text_fields.is_empty() {
            return fields;
        }
        Fields {
            text: self.text_fields.clone(),
            is_named: true,
            ..fields
        }
    }
}

/// The parts of a web page.
const HTML_PARTS: [(extract::Html, &str, &str); 3] = [
    (
        extract::Html::Main,
        "main",
        "The article, without navigation, headers and footers",
    ),
    (extract::Html::All, "all", "All text that a reader sees"),
    (extract::Html::Raw, "raw", "The source as it is"),
];

/// The formats of records.
const RECORD_FORMATS: [(Format, &str, &str); 3] = [
    (Format::Text, "text", "As it is"),
    (Format::Markdown, "markdown", "Markdown"),
    (Format::Html, "html", "A web page, or a part of one"),
];

/// What to do with code blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MarkdownCode {
    /// They are text like any other
    Text,
    /// They are left out
    Skip,
}

fn encoding(name: &str) -> Result<&'static Encoding, String> {
    // The standard has an encoding that decodes everything to nothing: it is refused.
    let known = Encoding::for_label_no_replacement(name.as_bytes());
    known.ok_or_else(|| {
        "no such encoding; the WHATWG standard has the names, such as utf-8, gbk, big5, shift_jis".into()
    })
}
