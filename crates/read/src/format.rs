//! The kind of a file, by its name: the format of its text, and whether it is compressed.

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::skipped::{Refused, SkipReason, Wording};

/// The format in which the text of a document is written. An index keeps the number of a variant.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[non_exhaustive]
pub enum Format {
    /// Plain text, and every format that is not listed.
    #[default]
    Text,
    /// Markdown, with the markup of site generators.
    Markdown,
    /// Markdown with components.
    Mdx,
    /// reStructuredText.
    Rst,
    /// AsciiDoc.
    Asciidoc,
    /// XML, of which the text between the tags counts.
    Xml,
    /// A notebook of Jupyter.
    Notebook,
    /// A web page.
    Html,
    /// A web page that is XML.
    Xhtml,
    /// Records: a JSON object on each line.
    JsonLines,
    /// Records in a JSON array, or any other JSON.
    Json,
    /// Records separated by commas, or any other table.
    Csv,
    /// Records separated by tabs.
    Tsv,
    /// Records in columns.
    Parquet,
    /// A text document of Word.
    Docx,
    /// A presentation of PowerPoint.
    Pptx,
    /// A workbook of Excel.
    Xlsx,
    /// A text document, spreadsheet or presentation of OpenOffice.
    Odf,
    /// A book.
    Epub,
    /// Pages, as they are printed.
    Pdf,
    /// A document of another program that is not read: e-mail, Office 97 to 2003.
    Foreign,
    /// A text that a program of the user made of the file.
    Pre,
}

/// How the text of a document is in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Line by line: a line of the text is the same line of the file.
    Lines,
    /// Written on other lines, but in about as many bytes.
    Rewritten,
    /// Encoded, so that the sizes and lines of the two have nothing to do with each other.
    Encoded,
    /// Encoded in one of several parts of an archive.
    Archive,
    /// Line by line, but the file can hold many documents.
    Records,
}

/// Each format with its form, its name in options and reports, and the ends of the names of such files, in lower case.
const FORMATS: &[(Format, Form, &str, &str)] = &[
    (Format::Text, Form::Lines, "text", ""),
    (
        Format::Markdown,
        Form::Lines,
        "markdown",
        "md markdown mdown mkd rmd qmd",
    ),
    (Format::Mdx, Form::Lines, "mdx", "mdx"),
    (Format::Rst, Form::Lines, "rst", "rst"),
    (
        Format::Asciidoc,
        Form::Lines,
        "asciidoc",
        "adoc asciidoc asc",
    ),
    (Format::Xml, Form::Lines, "xml", "xml dbk docbook dita"),
    (Format::Notebook, Form::Rewritten, "notebook", "ipynb"),
    (Format::Html, Form::Lines, "html", "html htm shtml"),
    (Format::Xhtml, Form::Lines, "xhtml", "xhtml"),
    (
        Format::JsonLines,
        Form::Records,
        "jsonl",
        "jsonl ndjson jsonlines ldjson",
    ),
    (Format::Json, Form::Records, "json", "json"),
    (Format::Csv, Form::Records, "csv", "csv"),
    (Format::Tsv, Form::Records, "tsv", "tsv"),
    (Format::Parquet, Form::Records, "parquet", "parquet"),
    (Format::Docx, Form::Archive, "docx", "docx docm"),
    (Format::Pptx, Form::Archive, "pptx", "pptx pptm ppsx"),
    (Format::Xlsx, Form::Archive, "xlsx", "xlsx xlsm"),
    (Format::Odf, Form::Archive, "opendocument", "odt ods odp"),
    (Format::Epub, Form::Archive, "epub", "epub"),
    (Format::Pdf, Form::Encoded, "pdf", "pdf"),
    (
        Format::Foreign,
        Form::Encoded,
        "foreign",
        "eml mbox mht mhtml doc wps xls ppt rtf warc",
    ),
    (Format::Pre, Form::Encoded, "pre", ""),
];

/// What is behind such an end in the names of copies.
pub(crate) const BEHIND_COPIES: [&str; 5] = ["bak", "copy", "old", "orig", "save"];

/// The same of parts of pages, and of sources beside the pages of a site.
const BEHIND_PARTS: [&str; 2] = ["inc", "txt"];

/// The formats by the ends of the names of such files. A walk asks for each file.
static BY_EXTENSION: LazyLock<HashMap<&str, Format>> = LazyLock::new(|| {
    let known = FORMATS.iter().flat_map(|&(format, .., extensions)| {
        let extensions = extensions.split_whitespace();
        extensions.map(move |extension| (extension, format))
    });
    known.collect()
});

impl Format {
    /// Returns its name in options and reports.
    pub fn as_str(self) -> &'static str {
        self.row().map_or("", |(_, _, name, _)| name)
    }

    /// Returns the ends of the names of such files, in lower case and without the dot, with spaces between them.
    pub fn extensions(self) -> &'static str {
        self.row().map_or("", |(.., extensions)| extensions)
    }

    /// Returns its row in the table.
    fn row(self) -> Option<&'static (Self, Form, &'static str, &'static str)> {
        FORMATS.iter().find(|(format, ..)| *format == self)
    }

    /// Returns whether its form is one of these.
    fn is_in(self, forms: &[Form]) -> bool {
        self.row().is_some_and(|(_, form, ..)| forms.contains(form))
    }

    /// Returns all formats.
    pub fn all() -> impl Iterator<Item = Self> {
        FORMATS.iter().map(|&(format, ..)| format)
    }

    /// Returns the format with a name, unless only a program of the user makes it.
    pub fn named(name: &str) -> Option<Self> {
        let known = FORMATS.iter().filter(|(_, _, known, _)| *known == name);
        let mut formats = known.map(|&(format, ..)| format);
        formats.find(|format| *format != Self::Pre)
    }

    /// Returns the format of files whose names end in `.extension`.
    fn of(extension: &str) -> Option<Self> {
        BY_EXTENSION.get(&*extension.to_ascii_lowercase()).copied()
    }

    /// Returns the format of a file that is not compressed, by its name: that of `page.rst` for `page.rst.inc`.
    fn of_name(name: &Path) -> Option<Self> {
        let end = extension(name)?;
        Self::of(end).or_else(|| {
            let mut behind = BEHIND_COPIES.iter().chain(&BEHIND_PARTS);
            let is_behind = behind.any(|it| it.eq_ignore_ascii_case(end));
            let before = is_behind.then(|| extension(Path::new(name.file_stem()?)))??;
            Self::of(before).filter(|format| format.is_source_of_page())
        })
    }

    /// Returns whether such a file can hold many documents.
    pub fn may_hold_records(self) -> bool {
        self.is_in(&[Form::Records])
    }

    /// Returns whether each line or row of such a file is a record.
    pub fn is_of_records(self) -> bool {
        matches!(
            self,
            Self::JsonLines | Self::Csv | Self::Tsv | Self::Parquet
        )
    }

    /// Returns whether such a file is an archive, in which the text is only a part.
    pub fn is_archive(self) -> bool {
        self.is_in(&[Form::Archive])
    }

    /// Returns whether the lines of the text that is compared are those of the file.
    pub fn keeps_lines(self) -> bool {
        self.is_in(&[Form::Lines, Form::Records])
    }

    /// Returns whether a site makes a page of such a file.
    pub fn is_source_of_page(self) -> bool {
        matches!(
            self,
            Self::Markdown | Self::Mdx | Self::Rst | Self::Asciidoc
        )
    }
}

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Compression {
    /// gzip (RFC 1952).
    Gzip,
    /// Zstandard (RFC 8878).
    Zstd,
    /// xz, which is known by its name and not expanded.
    Xz,
    /// bzip2, which is known by its name and not expanded.
    Bzip2,
}

impl Compression {
    /// Returns the compression of the extension of a name.
    fn of(extension: &str) -> Option<Self> {
        let mut all = [Self::Gzip, Self::Zstd, Self::Xz, Self::Bzip2].into_iter();
        all.find(|compression| extension.eq_ignore_ascii_case(compression.extension()))
    }

    /// Returns the compression that the first bytes of a file show. There have to be six of them, if the file is that
    /// long.
    pub fn of_content(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            // A frame, or a frame to skip, with which some programs begin.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Self::Bzip2),
            _ => None,
        }
    }

    /// Returns its name, for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Xz => "xz",
            Self::Bzip2 => "bzip2",
        }
    }

    /// Returns why such a file is not read, and what helps, if none of it is expanded.
    pub fn refusal(self) -> Option<String> {
        let name = self.as_str();
        matches!(self, Self::Xz | Self::Bzip2).then(|| {
            format!("{name} is not expanded here: '{name} -dk FILE' makes a file that can be read")
        })
    }

    /// Returns what is wrong with a stream that should not be compressed so, and what helps.
    pub fn piped(self) -> String {
        let name = self.as_str();
        format!("is compressed with {name}: pipe it through '{name} -dc'")
    }

    /// Returns the end of the names of such files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Gzip => "gz",
            Self::Zstd => "zst",
            Self::Xz => "xz",
            Self::Bzip2 => "bz2",
        }
    }
}

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// The format of the content.
    pub format: Format,
    /// The compression of the file, if there is any.
    pub compression: Option<Compression>,
}

impl Kind {
    /// Returns the kind of a file by its name: `page.html.gz` is a compressed page. A name without a known extension is that of
    /// a text.
    pub fn of(path: &Path) -> Self {
        let compression = extension(path).and_then(Compression::of);
        let format = inner_name(path, compression).and_then(Format::of_name);
        Self {
            format: format.unwrap_or_default(),
            compression,
        }
    }

    /// Returns whether it can hold many documents.
    pub fn may_hold_records(self) -> bool {
        self.format.may_hold_records()
    }

    /// Returns whether such a file holds nothing but records.
    pub fn holds_only_records(self) -> bool {
        self.may_hold_records() && self.format != Format::Json
    }

    /// Returns why a file of this kind is not read, if it is compressed in a way that is not expanded, or it is a document
    /// of another program, or this build lacks the feature for it.
    pub fn refusal(self, path: &Path, wording: &Wording) -> Option<Refused> {
        if let Some(words) = self.compression.and_then(Compression::refusal) {
            return Some((SkipReason::Unsupported, words));
        }
        let (name, feature) = match self.format {
            Format::Foreign => {
                let ending = inner_name(path, self.compression)
                    .and_then(extension)
                    .unwrap_or_default()
                    .to_ascii_lowercase();
                return Some((SkipReason::Unsupported, (wording.foreign)(&ending)));
            }
            Format::Parquet if !cfg!(feature = "parquet") => ("Parquet", "parquet"),
            Format::Pdf if !cfg!(feature = "pdf") => ("PDF", "pdf"),
            _ => return None,
        };
        let words = format!(
            "this build does not read {name}; one with the feature does: \
             'cargo install --path . --locked --features {feature}'"
        );
        Some((SkipReason::Unsupported, words))
    }

    /// Returns whether its size is about that of the document in it.
    pub fn has_size_of_text(self) -> bool {
        self.compression.is_none() && self.format.is_in(&[Form::Lines, Form::Rewritten])
    }
}

/// Returns the extension of a name, without the dot.
fn extension(path: &Path) -> Option<&str> {
    path.extension()?.to_str()
}

/// Returns the name of the content of a file.
fn inner_name(path: &Path, compression: Option<Compression>) -> Option<&Path> {
    match compression {
        Some(_) => path.file_stem().map(Path::new),
        None => Some(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_read_has_a_reason_with_what_helps() {
        let wording = Wording {
            foreign: |ending| format!("by a program for {ending}"),
            ..Wording::default()
        };
        for (name, part, is_read) in [
            ("a.md", "", true),
            ("a.parquet", "--features parquet", cfg!(feature = "parquet")),
            ("a.pdf", "--features pdf", cfg!(feature = "pdf")),
            ("A.DOC", "by a program for doc", false),
            ("a.eml.gz", "by a program for eml", false),
            ("a.jsonl.xz", "'xz -dk FILE'", false),
            ("a.txt.bz2", "'bzip2 -dk FILE'", false),
        ] {
            let path = Path::new(name);
            let refusal = Kind::of(path).refusal(path, &wording);
            assert_eq!(refusal.is_none(), is_read, "{name}");
            assert!(refusal.is_none_or(|(_, words)| words.contains(part)));
        }
    }

    #[test]
    fn files_have_their_kinds_by_their_names() {
        for (name, format, compression) in [
            ("a.md", Format::Markdown, None),
            ("dir.html/A.HTM", Format::Html, None),
            ("page.xhtml", Format::Xhtml, None),
            ("page.html.gz", Format::Html, Some(Compression::Gzip)),
            ("dump.jsonl.ZST", Format::JsonLines, Some(Compression::Zstd)),
            ("notes.xz", Format::Text, Some(Compression::Xz)),
            ("part-0.snappy.parquet", Format::Parquet, None),
            ("t.csv.bz2", Format::Csv, Some(Compression::Bzip2)),
            ("README", Format::Text, None),
            ("attr.rst.inc", Format::Rst, None),
            ("a.md.BAK.gz", Format::Markdown, Some(Compression::Gzip)),
            ("a.html.txt", Format::Text, None),
            ("md.txt", Format::Text, None),
            (".md", Format::Text, None),
            ("a.unknown", Format::Text, None),
            ("gz", Format::Text, None),
        ] {
            let kind = Kind::of(Path::new(name));
            assert_eq!(kind.format, format, "{name}");
            assert_eq!(kind.compression, compression, "{name}");
        }
    }
}
