//! Tables: every row is a record. The first row names its fields.
//!
//! Quoting of CSV is that of RFC 4180: a field that begins with a quotation mark ends with one, can hold line ends and
//! delimiters, and has two quotation marks for one. Some programs write `\"` for a quotation mark, or blanks before a field in
//! quotation marks. A table is read so if fewer of its first rows are wrong then. TSV has no quoting: every line is a row. A field
//! with quotation marks around it loses them. But programs that write CSV write TSV with the same quoting: it is read so if fewer of
//! its first rows are wrong then.

use std::borrow::Cow;

use crate::format::Format;
use crate::records::pieces::{Cut, Step};
use crate::records::{Fields, Record, joined, listed, without_bom};

/// The delimiters of columns, the likeliest first. Excel writes the second one in languages that have a comma in
/// numbers.
const OF_CSV: [u8; 4] = *b",;\t|";

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    pub(super) delimiter: u8,
    /// Whether quotation marks keep the content of a field together.
    pub(super) has_quotes: bool,
    /// Whether a backslash makes a quotation mark a part of the content, and blanks may be before the first mark.
    pub(super) is_loose: bool,
    /// Whether every row has all columns. One with fewer may be a line of a text whose quoting was not seen.
    pub(super) is_full: bool,
}

impl Dialect {
    /// Returns that of a table, by its first bytes: the one with a text field, or else the one with the most columns.
    pub(super) fn of(head: &[u8], format: Format, fields: &Fields) -> Self {
        let columns = Columns::of(head, format, fields);
        columns.map_or_else(|_| most_columns(&tables(head, format)).0, |it| it.dialect)
    }

    /// Returns the names of the columns in a header.
    pub fn names(self, first: &[u8]) -> Vec<String> {
        header(without_bom(first), self)
    }

    /// Returns a row, with its line end, whose fields are in another order. `places` has the place in the row of each field that
    /// is wanted, `None` for an empty one. Fields beyond `named` ones stay at the end: a text may go on in them.
    pub fn arranged(self, row: &[u8], places: &[Option<usize>], named: usize) -> Vec<u8> {
        let end = row.len()
            - row
                .iter()
                .rev()
                .take_while(|byte| b"\r\n".contains(byte))
                .count();
        let (row, line_end) = row.split_at(end);
        let mut fields = Vec::new();
        let (mut start, mut place) = (0, FieldPlace::Start);
        for (at, &byte) in row.iter().enumerate() {
            place = place.behind(byte, self);
            if place == FieldPlace::Start {
                fields.push(&row[start..at]);
                start = at + 1;
            }
        }
        fields.push(&row[start..]);
        let wanted = places
            .iter()
            .map(|place| place.and_then(|at| fields.get(at).copied()));
        let wanted = wanted.map(Option::unwrap_or_default);
        let beyond = fields.iter().skip(named).copied();
        let all: Vec<&[u8]> = wanted.chain(beyond).collect();
        [&all.join(&self.delimiter), line_end].concat()
    }
}

/// Finds the ends of rows.
#[derive(Debug)]
pub(super) struct Rows {
    dialect: Dialect,
    place: FieldPlace,
}

/// A place within a row, as the crate `csv` sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldPlace {
    /// At the beginning of a field.
    Start,
    /// In a field without quotation marks, or behind the closing one.
    Plain,
    Quoted,
    /// Behind a quotation mark in a quoted field. It ends the field, or is the first of two that represent one.
    Mark,
    /// Behind blanks at the beginning of a field.
    Blank,
    /// Behind a backslash in a quoted field.
    Escaped,
}

impl FieldPlace {
    /// Returns the place behind a byte that does not end the row.
    fn behind(self, byte: u8, dialect: Dialect) -> Self {
        match (self, byte) {
            (Self::Quoted, b'"') => Self::Mark,
            (Self::Quoted, b'\\') if dialect.is_loose => Self::Escaped,
            (Self::Quoted | Self::Escaped, _) => Self::Quoted,
            (Self::Mark | Self::Start | Self::Blank, b'"') if dialect.has_quotes => Self::Quoted,
            (_, byte) if byte == dialect.delimiter => Self::Start,
            (Self::Start | Self::Blank, b' ' | b'\t') if dialect.is_loose => Self::Blank,
            _ => Self::Plain,
        }
    }
}

impl Rows {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            place: FieldPlace::Start,
        }
    }
}

impl Cut for Rows {
    fn step(&mut self, bytes: &[u8]) -> Step {
        let mut place = self.place;
        for (at, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' && !matches!(place, FieldPlace::Quoted | FieldPlace::Escaped) {
                self.place = FieldPlace::Start;
                return Step::End(at + 1);
            }
            place = place.behind(byte, self.dialect);
        }
        self.place = place;
        Step::More
    }

    fn looks_ahead(&self) -> bool {
        self.dialect.is_full
    }

    fn at_end(&self) -> Result<(), &'static str> {
        match self.place {
            FieldPlace::Quoted | FieldPlace::Escaped => Err("a quotation mark is not closed"),
            _ => Ok(()),
        }
    }
}

/// The positions of the wanted fields in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) dialect: Dialect,
    /// The positions of the text fields, in their order.
    text: Vec<usize>,
    id: Option<usize>,
    /// How many columns there are.
    count: usize,
}

impl Columns {
    /// Returns the columns of a table. `head` is its first bytes.
    ///
    /// # Errors
    ///
    /// That none of its columns is a text field, in words.
    pub(super) fn of(head: &[u8], format: Format, fields: &Fields) -> Result<Self, String> {
        let tables = tables(head, format);
        let columns = tables.iter().find_map(|(dialect, names)| {
            let places = |wanted: &String| {
                let names = names.iter().enumerate();
                let own = names.filter(|(_, name)| *name == wanted);
                own.map(|(at, _)| at).collect::<Vec<_>>()
            };
            let text: Vec<usize> = fields.text.iter().flat_map(places).collect();
            (!text.is_empty()).then(|| Self {
                dialect: *dialect,
                text,
                id: fields
                    .id
                    .as_ref()
                    .and_then(|id| places(id).first().copied()),
                count: names.len(),
            })
        });
        columns.ok_or_else(|| {
            let names = listed(most_columns(&tables).1.iter().map(String::as_str));
            let wanted = fields.in_words();
            let how = match head {
                _ if without_bom(head).starts_with(b"sep=") => {
                    "; its first line is for Excel alone: sed 1d removes it"
                }
                _ if !head.contains(&b'\n') && head.contains(&b'\r') => {
                    "; its lines end with CR alone: tr '\\r' '\\n' makes lines of it"
                }
                _ => "",
            };
            format!("it has no column {wanted}; it has {names}{how}")
        })
    }

    /// Returns the document in a row, given without its line end. A row can have fewer columns than there are names. One with
    /// more is refused: a part of its text may be in them. `next` is the row behind it.
    ///
    /// # Errors
    ///
    /// The fault of the row, in words.
    pub(super) fn parse(&self, row: &[u8], next: Option<&[u8]>) -> Result<Record<'static>, String> {
        if swallows_rows(row, self.dialect) {
            return Err(
                "it has several lines, and text behind a closing quotation mark: other rows may be within it".into(),
            );
        }
        let cells = cells(row, self.dialect);
        let (found, count) = (cells.len(), self.count);
        if self.dialect.is_full && found < count {
            return Err(format!(
                "it has {found} of {count} columns, and the first rows have all: it may be a line of a text in quotation marks"
            ));
        }
        if self.dialect.is_full && cells.get(0).is_some_and(ends_a_text) {
            return Err(
                "its first column ends with a quotation mark that none begins: it may be the last line of a text".into(),
            );
        }
        if self.dialect.is_full
            && self.begins_a_text(row)
            && next.is_some_and(|next| self.is_part(next))
        {
            return Err(
                "its last column begins with a quotation mark that is not closed: the next line may be a part of it".into(),
            );
        }
        if cells.go_beyond(count) {
            return Err(format!(
                "it has {found} columns, and there are {count} names: its text may go on in the others; a text with \
                 a delimiter is in quotation marks, and has two of them for one"
            ));
        }
        let cell = |&at: &usize| cells.get(at).map(str::from_utf8);
        let texts: Result<Vec<&str>, _> = self.text.iter().filter_map(cell).collect();
        let not_utf8 = |_| "a column is not valid UTF-8".to_owned();
        let texts = texts.map_err(not_utf8)?;
        let id = self
            .id
            .as_ref()
            .and_then(cell)
            .transpose()
            .map_err(not_utf8)?;
        let text = joined(texts.into_iter().map(Cow::Borrowed));
        let text = text.ok_or_else(|| {
            format!("the column with the text is missing: the row has {found} of {count} columns")
        })?;
        Ok(Record {
            text: Cow::Owned(text.into_owned()),
            id: id
                .filter(|id| !id.is_empty())
                .map(|id| Cow::Owned(id.to_owned())),
            title: None,
        })
    }

    /// Returns whether the last field of a row without quoting begins with a mark that no other one closes.
    fn begins_a_text(&self, row: &[u8]) -> bool {
        let start = memchr::memrchr(self.dialect.delimiter, row).map_or(0, |at| at + 1);
        row[start..].starts_with(b"\"") && memchr::memchr_iter(b'"', &row[start..]).count() % 2 == 1
    }

    /// Returns whether a row may be a line of a text that began in a row before.
    fn is_part(&self, row: &[u8]) -> bool {
        let cells = cells(row, self.dialect);
        cells.len() < self.count || cells.get(0).is_some_and(ends_a_text)
    }
}

/// Returns how a table may be written, each way with the names of its columns. `head` is its first bytes.
fn tables(head: &[u8], format: Format) -> Vec<(Dialect, Vec<String>)> {
    let delimiters = match format {
        Format::Tsv => &b"\t"[..],
        _ => &OF_CSV,
    };
    let of = |&delimiter: &u8| {
        let strict = Dialect {
            delimiter,
            has_quotes: format != Format::Tsv,
            is_loose: false,
            is_full: false,
        };
        let other = Dialect {
            has_quotes: true,
            is_loose: strict.has_quotes,
            ..strict
        };
        let names = strict.names(head);
        let faults = |dialect| faults(head, dialect, names.len(), format);
        let dialect = match faults(strict) {
            0 => Dialect {
                is_full: format == Format::Tsv,
                ..strict
            },
            most if most <= faults(other) => strict,
            _ => other,
        };
        (dialect, names)
    };
    delimiters.iter().map(of).collect()
}

/// Returns how many rows at the beginning of a table have more columns than there are names, or may have other rows in them, as
/// one that does not end may.
/// In TSV one with fewer may be a line of a row, and so may one whose first column begins or ends with a mark that has no other.
fn faults(head: &[u8], dialect: Dialect, count: usize, format: Format) -> usize {
    let mut cut = Rows::new(dialect);
    let (mut rest, mut faults) = (head, 0);
    // The last row may be cut.
    while let Step::End(size) = cut.step(rest) {
        let row = without_line_end(&rest[..size]);
        let cells = cells(row, dialect);
        let is_faulty = swallows_rows(row, dialect) || cells.go_beyond(count);
        let is_open = || row.starts_with(b"\"") && memchr::memchr_iter(b'"', row).count() % 2 == 1;
        let is_part = || match count {
            _ if cells.get(0).is_some_and(ends_a_text) => true,
            1 => is_open(),
            _ => !row.is_empty() && cells.len() < count,
        };
        faults += usize::from(is_faulty || format == Format::Tsv && is_part());
        rest = &rest[size..];
    }
    faults + usize::from(cut.at_end().is_err())
}

/// Returns the last of some tables with the most columns.
fn most_columns(tables: &[(Dialect, Vec<String>)]) -> &(Dialect, Vec<String>) {
    let most = tables.iter().max_by_key(|(_, names)| names.len());
    most.expect("every format has a delimiter")
}

/// Returns the names of the columns: the first row that is not blank.
fn header(head: &[u8], dialect: Dialect) -> Vec<String> {
    let mut rows = Rows::new(dialect);
    let mut rest = head;
    loop {
        let size = match rows.step(rest) {
            Step::End(size) => size,
            _ => rest.len(),
        };
        let (row, behind) = rest.split_at(size);
        if !row.trim_ascii().is_empty() || behind.is_empty() {
            let names = cells(without_line_end(row), dialect);
            let name = |name: &[u8]| String::from_utf8_lossy(name).trim().to_owned();
            return names.iter().map(name).collect();
        }
        rest = behind;
    }
}

/// Returns whether a field without quoting ends with a mark that belongs to one in a line before.
fn ends_a_text(cell: &[u8]) -> bool {
    let marks = memchr::memchr_iter(b'"', cell).count();
    cell.ends_with(b"\"") && !cell.starts_with(b"\"") && marks % 2 == 1
}

fn without_line_end(row: &[u8]) -> &[u8] {
    let row = row.strip_suffix(b"\n").unwrap_or(row);
    row.strip_suffix(b"\r").unwrap_or(row)
}

/// Returns whether a row has several lines, and text behind the mark that closes a field. So a mark that is not doubled
/// began the field, and the lines are rows of their own.
fn swallows_rows(row: &[u8], dialect: Dialect) -> bool {
    let mut place = FieldPlace::Start;
    let mut is_stray = |&byte: &u8| {
        let before = place;
        place = before.behind(byte, dialect);
        before == FieldPlace::Mark && place == FieldPlace::Plain
    };
    row.contains(&b'\n') && row.iter().any(&mut is_stray)
}

/// The fields of a row, one after the other.
#[derive(Debug, Default)]
pub(super) struct Cells {
    bytes: Vec<u8>,
    /// Where each of them ends.
    ends: Vec<usize>,
}

impl Cells {
    /// Ends a field.
    fn end(&mut self, dialect: Dialect) {
        if !dialect.has_quotes {
            self.unquote();
        }
        self.ends.push(self.bytes.len());
    }

    /// Removes the quotation marks around the last field.
    fn unquote(&mut self) {
        let start = self.ends.last().copied().unwrap_or(0);
        let [b'"', inner @ .., b'"'] = &self.bytes[start..] else {
            return;
        };
        let mut was_mark = false;
        let kept = inner.iter().copied().filter(|&byte| {
            let is_second = byte == b'"' && was_mark;
            was_mark = byte == b'"' && !is_second;
            !is_second
        });
        let kept: Vec<u8> = kept.collect();
        self.bytes.truncate(start);
        self.bytes.extend(kept);
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there is anything in a field behind so many.
    fn go_beyond(&self, count: usize) -> bool {
        (count..self.len()).any(|at| self.get(at).is_some_and(|cell| !cell.is_empty()))
    }

    pub(super) fn get(&self, at: usize) -> Option<&[u8]> {
        let end = *self.ends.get(at)?;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.bytes[start..end])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).filter_map(|at| self.get(at))
    }
}

/// Returns the fields of a row, given without its line end. They are those that the crate `csv` finds. Making the
/// reader of that crate takes much longer than reading a short row.
pub(super) fn cells(row: &[u8], dialect: Dialect) -> Cells {
    let row = without_bom(row);
    let mut cells = Cells::default();
    if row.is_empty() {
        return cells;
    }
    cells.bytes.reserve(row.len());
    let mut place = FieldPlace::Start;
    for &byte in row {
        let next = place.behind(byte, dialect);
        match (place, next) {
            // The mark that begins a field, or may end it.
            (FieldPlace::Start | FieldPlace::Blank, FieldPlace::Quoted)
            | (_, FieldPlace::Mark | FieldPlace::Blank | FieldPlace::Escaped) => {}
            (_, FieldPlace::Start) => cells.end(dialect),
            (FieldPlace::Escaped, _) if !b"\"\\".contains(&byte) => {
                cells.bytes.extend_from_slice(&[b'\\', byte]);
            }
            _ => cells.bytes.push(byte),
        }
        place = next;
    }
    cells.end(dialect);
    cells
}
