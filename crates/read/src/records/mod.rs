//! Files of records: many documents in one file.
//!
//! Such a file may be far larger than memory. So it is read in batches of whole records. Each record is compared like
//! a file of its own.

mod array;
pub mod json;
#[cfg(test)]
mod laws;
#[cfg(feature = "parquet")]
pub mod parquet;
mod pieces;
pub mod raw;
mod stream;
mod table;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use encoding_rs::Encoding;

use crate::format::{Format, Kind};
use crate::records::pieces::BATCH_BYTES;
use crate::records::stream::Stream;
use crate::records::table::Columns;
use crate::skipped::SkipReason;
use crate::source::read::{expand, open, skipped};
use crate::{ReadOptions, unless_pointer};

pub use table::Dialect;

pub use crate::skipped::Refused;

#[cfg(feature = "parquet")]
use std::iter;

/// Returns that a table has no column for a text, in words; `None` if it has one, or is no table, or cannot be read.
pub fn without_text(path: &Path, kind: Kind, settings: &ReadOptions) -> Option<String> {
    match kind.format {
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::without_text(path, &settings.fields),
        format @ (Format::Csv | Format::Tsv) => {
            let source = expand(open(path).ok()?, kind.compression).ok()?;
            let (text, _) = stream::utf8(source, format, settings.encoding).ok()??;
            let (head, _) = stream::peek(text).ok()?;
            Columns::of(&head, format, &settings.fields).err()
        }
        _ => None,
    }
}

/// Returns whether a file has a field, whatever its values are: a column, or a key of a record. One that cannot be read may have
/// it.
pub fn has_field(path: &Path, kind: Kind, settings: &ReadOptions, name: &str) -> bool {
    let fields = Fields {
        text: vec![name.to_owned()],
        ..Fields::default()
    };
    let one = ReadOptions {
        fields: fields.clone(),
        ..settings.clone()
    };
    if without_text(path, kind, &one).is_some() {
        return false;
    }
    match Batches::open(path, kind, settings) {
        Ok(Some(mut batches)) => batches.any(|batch| batch.is_ok_and(|it| it.has_field(&fields))),
        _ => true,
    }
}

/// The document in a record.
#[derive(Debug, PartialEq, Eq)]
pub struct Record<'l> {
    /// The text.
    pub text: Cow<'l, str>,
    /// The id, if a field is named for it and the record has that field.
    pub id: Option<Cow<'l, str>>,
    /// The title, if the record has one apart from its text.
    pub title: Option<String>,
}

impl Record<'_> {
    /// Returns the same record with texts of its own.
    fn into_owned(self) -> Record<'static> {
        Record {
            text: Cow::Owned(self.text.into_owned()),
            id: self.id.map(|id| Cow::Owned(id.into_owned())),
            title: self.title,
        }
    }
}

/// The place of a record in its file, and its document or why it has none.
#[derive(Debug, PartialEq, Eq)]
pub struct Numbered<'l> {
    /// The number of its line, or its position in a JSON array or in Parquet; from 1.
    pub number: u64,
    /// Its first and its last line, from 1; 0 in a file without lines.
    pub lines: (u64, u64),
    /// The document, or why there is none.
    pub record: Result<Record<'l>, Refused>,
}

/// Returns the number of a record for people: that of its line or of its element, from 1; in Parquet, which has no
/// lines, that of its row, from 0, as in other programs. `number` is that of the record, and `line` its first one.
pub fn position(number: u64, line: u64) -> u64 {
    match line {
        0 => number.saturating_sub(1),
        _ => number,
    }
}

#[cfg(feature = "parquet")]
impl Numbered<'_> {
    /// Returns the same record, borrowed from this one.
    fn borrowed(&self) -> Numbered<'_> {
        let record = self.record.as_ref().map(|record| Record {
            text: Cow::Borrowed(&record.text),
            id: record.id.as_deref().map(Cow::Borrowed),
            title: None,
        });
        Numbered {
            number: self.number,
            lines: self.lines,
            record: record.map_err(Clone::clone),
        }
    }
}

/// How the bytes of a record are parsed.
#[derive(Debug)]
enum Layout {
    Json,
    Table(Columns),
}

/// The records of a batch.
#[derive(Debug)]
enum Content {
    /// Bytes that are to be parsed.
    Pieces(pieces::PieceBatch, Arc<Layout>),
    /// Rows of Parquet, which are parsed already.
    #[cfg(feature = "parquet")]
    Rows(Vec<Numbered<'static>>),
}

/// Some whole records of a file.
#[derive(Debug)]
pub struct Batch {
    content: Content,
    encoding: &'static Encoding,
}

impl Batch {
    /// The encoding of the file.
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Returns the records, parsed. `fields` has the names of the fields of their texts and ids.
    pub fn records<'b>(&'b self, fields: &'b Fields) -> impl Iterator<Item = Numbered<'b>> {
        (0..self.len()).map(move |at| self.record(at, fields))
    }

    /// Returns whether a record has a text field. Tables have the fields of their first row.
    fn has_field(&self, fields: &Fields) -> bool {
        match &self.content {
            Content::Pieces(batch, layout) => {
                let mut contents = batch.pieces.iter().filter_map(|it| batch.content(it));
                matches!(**layout, Layout::Table(_))
                    || contents.any(|bytes| json::probe(bytes, fields).is_ok())
            }
            #[cfg(feature = "parquet")]
            Content::Rows(_) => true,
        }
    }

    fn len(&self) -> usize {
        match &self.content {
            Content::Pieces(batch, _) => batch.pieces.len(),
            #[cfg(feature = "parquet")]
            Content::Rows(rows) => rows.len(),
        }
    }

    fn record<'b>(&'b self, at: usize, fields: &Fields) -> Numbered<'b> {
        match &self.content {
            Content::Pieces(batch, layout) => {
                let piece = &batch.pieces[at];
                Numbered {
                    number: piece.number,
                    lines: piece.lines,
                    record: match (batch.content(piece), &**layout) {
                        (None, _) => Err((SkipReason::TooLarge, String::new())),
                        (Some(bytes), Layout::Json) => {
                            json::parse(bytes, fields).map_err(malformed)
                        }
                        (Some(bytes), Layout::Table(columns)) => {
                            columns.parse(bytes, batch.behind(at)).map_err(malformed)
                        }
                    },
                }
            }
            #[cfg(feature = "parquet")]
            Content::Rows(rows) => rows[at].borrowed(),
        }
    }
}

/// Returns the record in a line of JSON.
///
/// # Errors
///
/// Why the line holds no record.
pub fn parse_line<'l>(line: &'l [u8], fields: &Fields) -> Result<Record<'l>, Refused> {
    json::parse(line, fields).map_err(malformed)
}

/// Returns bytes without the mark of UTF-8 at their beginning.
fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

fn malformed(words: String) -> Refused {
    (SkipReason::Malformed, words)
}

/// How many records a compressed file may hold: these, and one more for each byte of it. Compressed data of one record
/// repeated has thousands of records for each byte.
const MAX_COMPRESSED: u64 = 1 << 20;

/// Reads a file of records batch by batch, up to the first error.
pub struct Batches {
    batches: Box<dyn Iterator<Item = Result<Batch, Refused>> + Send>,
}

impl Batches {
    /// Opens a file. Returns nothing if it holds no records and is one document as a whole.
    ///
    /// # Errors
    ///
    /// Why it is not compared: this build does not read it, the system cannot open it, its compressed data is damaged,
    /// or it has none of the fields that the user named.
    pub fn open(path: &Path, kind: Kind, settings: &ReadOptions) -> Result<Option<Self>, Refused> {
        let opened = Self::opened(path, kind, settings);
        opened.map_err(|refused| unless_pointer(path, refused))
    }

    fn opened(path: &Path, kind: Kind, settings: &ReadOptions) -> Result<Option<Self>, Refused> {
        if let Some(refused) = kind.refusal(path, &settings.wording) {
            return Err(refused);
        }
        if !kind.may_hold_records() {
            return Ok(None);
        }
        #[cfg(feature = "parquet")]
        if kind.format == Format::Parquet {
            return Self::of_rows(path, kind, settings).map(Some);
        }
        let opened = open(path).and_then(|file| {
            let bytes = file.metadata()?.len();
            Ok((expand(file, kind.compression)?, bytes))
        });
        let (source, bytes) = opened.map_err(|error| skipped(&error))?;
        let stream = Stream::read(source, kind.format, settings, BATCH_BYTES)?;
        Ok(stream.map(|stream| Self {
            batches: match kind.compression {
                None => Box::new(stream),
                Some(_) => Box::new(bounded(stream, MAX_COMPRESSED + bytes)),
            },
        }))
    }

    /// Opens a file of Parquet.
    #[cfg(feature = "parquet")]
    fn of_rows(path: &Path, kind: Kind, settings: &ReadOptions) -> Result<Self, Refused> {
        if let Some(compression) = kind.compression {
            let words = format!(
                "Parquet is read from its end, which {} hides: expand it first",
                compression.as_str()
            );
            return Err((SkipReason::Binary, words));
        }
        let mut rows = parquet::ParquetRows::open(path, settings)?;
        let batches = iter::from_fn(move || {
            Some(rows.next()?.map(|rows| Batch {
                content: Content::Rows(rows),
                encoding: encoding_rs::UTF_8,
            }))
        });
        Ok(Self {
            batches: Box::new(batches),
        })
    }
}

/// Returns the batches up to a number of records, and an error if there are more.
fn bounded(
    batches: impl Iterator<Item = Result<Batch, Refused>>,
    most: u64,
) -> impl Iterator<Item = Result<Batch, Refused>> {
    let mut left = Some(most);
    batches.map_while(move |batch| {
        let size = batch.as_ref().map_or(0, |batch| batch.len() as u64);
        left = left?.checked_sub(size);
        Some(if left.is_some() {
            batch
        } else {
            let words = format!("it expands to more than {most} records, the limit for its size");
            Err((SkipReason::TooLarge, words))
        })
    })
}

impl Iterator for Batches {
    type Item = Result<Batch, Refused>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batches.next()
    }
}

/// The separator of the texts of two fields.
const BETWEEN: &str = "\n\n";

/// Which fields of a record hold its text and its id.
///
/// A name can lead into objects and through lists: `meta.title`, `messages.content`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields {
    /// The text fields, in the order in which their texts are joined.
    pub text: Vec<String>,
    /// The id field. Without one, the number of a record is its id.
    pub id: Option<String>,
    /// Whether the user named the text fields. Then a table or a JSON file without any of them is an error; otherwise
    /// such a file is one document.
    pub is_named: bool,
    /// Whether a list or an object is an id too, as it is written: the values of a field are then compared.
    pub takes_lists: bool,
}

impl Default for Fields {
    fn default() -> Self {
        Self {
            text: vec!["text".into()],
            id: None,
            is_named: false,
            takes_lists: false,
        }
    }
}

impl Fields {
    /// Those that a user names.
    #[cfg(test)]
    fn named(text: &[&str], id: Option<&str>) -> Self {
        Self {
            text: text.iter().map(|&name| name.into()).collect(),
            id: id.map(Into::into),
            is_named: true,
            takes_lists: false,
        }
    }

    /// The names of the text fields, for people.
    fn in_words(&self) -> String {
        let quoted: Vec<String> = self.text.iter().map(|name| format!("'{name}'")).collect();
        quoted.join(" or ")
    }
}

/// Returns the values of the text fields as one text, or nothing if there are no values. A single value is not copied.
pub fn joined<'l>(texts: impl IntoIterator<Item = Cow<'l, str>>) -> Option<Cow<'l, str>> {
    let mut texts = texts.into_iter();
    let mut all = texts.next()?;
    for text in texts {
        if all.is_empty() {
            all = text;
        } else if !text.is_empty() {
            let all = all.to_mut();
            all.push_str(BETWEEN);
            all.push_str(&text);
        }
    }
    Some(all)
}

/// How many names of fields are listed, and how many characters of each.
const LISTED: usize = 12;
const NAME: usize = 40;

/// Returns a list of names of fields, for people.
fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let mut names = names.into_iter();
    let short = |name: &str| format!("'{}'", name.chars().take(NAME).collect::<String>());
    let mut listed: Vec<String> = names.by_ref().take(LISTED).map(short).collect();
    if names.next().is_some() {
        listed.push("...".into());
    }
    if listed.is_empty() {
        return "nothing".into();
    }
    listed.join(", ")
}
