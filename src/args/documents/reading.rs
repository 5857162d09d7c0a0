//! The arguments about how documents are read.

use std::ffi::OsString;

use anyhow::Result;
use clap::builder::PossibleValue;
use dupfind_read::ReadOptions;
use dupfind_read::extract::WebPart;
use dupfind_read::records::Fields;
use dupfind_read::source::pre::Pre;
use encoding_rs::Encoding;

use crate::args::config::ConfigArgs;
use crate::args::documents::advice;
use crate::args::group::{group, groups};
use crate::args::values::Value;
use crate::args::values::choice::{Choice, named};
use crate::args::values::pre::PreCommand;
use crate::args::values::size::Size;
use crate::process::{current_folder, interrupt, itself, memory};

groups! {
    /// How documents are read.
    #[derive(Clone)]
    pub(crate) struct ReadingArgs {
        content: ContentArgs,
        pre: PreArgs,
    }
}

group! {
    /// How the content of a document becomes its text.
    pub(crate) struct ContentArgs in INPUT {
        /// Skip files and records larger than this [default: 16M]
        ///
        /// K, M and G are powers of 1024. Of compressed files the expanded size counts.
        #[arg(hide_short_help = true, long, value_name = "SIZE")]
        max_filesize: Option<Size>,

        /// Encoding of all files, such as gb18030 [default: found out for each]
        ///
        /// A name of the WHATWG standard: utf-8, gbk, big5, shift_jis, euc-kr, windows-1251, utf-16le, ... For files of
        /// records it is found out from their first 64 KiB.
        #[arg(hide_short_help = true, short = 'E', long, value_name = "NAME")]
        pub(crate) encoding: Option<&'static Encoding>,

        /// Which part of a web page counts [default: main]
        #[arg(hide_short_help = true, long, value_name = "PART")]
        web_part: Option<WebPart>,

        /// Field with the text of a record [default: text] (repeatable)
        ///
        /// Each line of JSON Lines (*.jsonl, *.ndjson), each element of a JSON array and each row of a table (also
        /// *.parquet, in builds with that feature) is one document, called FILE#ID. A JSON file or table without the
        /// field is one document as it is; if this option named the field, the file is skipped. 'meta.title' leads into
        /// objects, 'messages.content' through lists; the texts of several fields (also 'title,body') are joined by a
        /// blank line. Such a file may be larger than memory; --max-filesize is the limit for a record.
        #[arg(long, value_name = "FIELD")]
        text_field: Vec<String>,

        /// Field with the id of a record [default: its line or position]
        #[arg(hide_short_help = true, long, value_name = "FIELD")]
        pub(crate) id_field: Option<String>,
    }
}

group! {
    /// The programs that make texts of files.
    pub(crate) struct PreArgs in INPUT {
        /// Run COMMAND for each file that matches the glob, and compare what it prints (repeatable)
        ///
        /// '*.tex=pandoc -t plain'. COMMAND is a program and its arguments. They are separated by spaces, quotation marks keep
        /// what is between them together, and no shell is in between. The path of the file is the last argument, or takes
        /// the place of {}: '*.pdf=pdftotext {} -'. A program that fails, or runs for more than 30 seconds, is ended, and the
        /// file is skipped as 'pre failed', with the first lines that it wrote to standard error. The glob is as that of
        /// --glob; of several that match the last one counts.
        #[arg(hide_short_help = true, long, value_name = "GLOB=COMMAND")]
        pub(crate) pre: Vec<PreCommand>,
    }
}

impl ReadingArgs {
    /// Returns the options of reading. Globs may come from the configuration.
    ///
    /// # Errors
    ///
    /// There is no program of a name, or the current folder is not known.
    pub(crate) fn options(&self, config: &ConfigArgs) -> Result<ReadOptions> {
        Ok(ReadOptions {
            max_memory: Some(memory::default_limit()),
            pre: self.pre.programs(config)?,
            ..self.content.options()
        })
    }
}

impl PreArgs {
    /// Returns the programs that make texts of files. An interrupt ends them.
    fn programs(&self, config: &ConfigArgs) -> Result<Option<Pre>> {
        if self.pre.is_empty() {
            return Ok(None);
        }
        let readers = self.pre.iter().map(PreCommand::reader);
        let readers = readers.collect::<Result<_>>()?;
        let pre = Pre::new(readers, config.base("pre")?, current_folder()?)?;
        let running = pre.clone();
        interrupt::ends_programs(move || running.stop());
        Ok(Some(pre))
    }
}

impl ContentArgs {
    /// Returns the options of reading, without a program that makes texts.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            max_filesize: self.max_filesize(),
            max_memory: None,
            encoding: self.encoding,
            fields: self.fields(),
            pre: None,
            pdf: itself::pdf_programs(),
            web_part: self.web_part.unwrap_or_default(),
            wording: advice::wording(),
            ..ReadOptions::default()
        }
    }

    /// Returns how many bytes a file or record may have.
    pub(crate) fn max_filesize(&self) -> u64 {
        self.max_filesize
            .map_or(ReadOptions::MAX_FILESIZE, |Size(bytes)| bytes)
    }

    /// Returns the fields of a record that are read.
    fn fields(&self) -> Fields {
        let fields = Fields {
            id: self.id_field.clone(),
            ..Fields::default()
        };
        if self.text_field.is_empty() {
            return fields;
        }
        Fields {
            text: self.text_field.clone(),
            is_named: true,
            ..fields
        }
    }
}

impl Choice for WebPart {
    fn choices() -> Vec<(Self, PossibleValue)> {
        vec![
            named(
                Self::Main,
                "main",
                "The article, without navigation, headers and footers",
            ),
            named(Self::All, "all", "All text that a reader sees"),
            named(Self::Raw, "raw", "The source as it is"),
        ]
    }
}

impl Value for &'static Encoding {
    fn parse(name: &str) -> Result<Self, String> {
        encoding(name)
    }

    fn word(&self) -> OsString {
        self.name().into()
    }
}

fn encoding(name: &str) -> Result<&'static Encoding, String> {
    // The standard has an encoding that decodes everything to nothing: it is refused.
    let known = Encoding::for_label_no_replacement(name.as_bytes());
    known.ok_or_else(|| {
        "no such encoding; the WHATWG standard has the names, such as utf-8, gbk, big5, shift_jis".into()
    })
}
