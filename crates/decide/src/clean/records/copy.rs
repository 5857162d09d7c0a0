//! Copies the records of files that stay.

use std::io::{self, ErrorKind, Write};

use dupfind_read::records::Dialect;
use dupfind_read::records::raw::{RawPart, RawRecords};

/// The longest header of a table.
const MAX_HEADER: usize = 1 << 20;

/// Where records go.
pub struct Copier<'o> {
    kept: Target<'o>,
    /// The columns of the first table, and how it is written.
    header: Option<(Vec<String>, Dialect)>,
    is_first: bool,
    /// The encoding of the first file.
    encoding: Option<&'static str>,
    /// How many records were copied.
    pub counts: Counts,
}

/// How many records were copied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// The records that stay, with lines that are no records. Blank lines do not count.
    pub kept: u64,
    /// The records that go.
    pub removed: u64,
}

struct Target<'o> {
    out: &'o mut (dyn Write + Send),
    /// Whether the last record has no line end.
    lacks_end: bool,
}

impl Target<'_> {
    /// Ends the last line, if it has no line end.
    fn begin(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.lacks_end) {
            self.out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(last) = bytes.last() {
            self.lacks_end = *last != b'\n';
        }
        self.out.write_all(bytes)
    }
}

/// How far the current record has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the first byte of a record.
    Between,
    /// In the header of a table.
    Header,
    Kept,
    Removed,
}

impl<'o> Copier<'o> {
    /// Returns a copier to an output.
    pub fn new(kept: &'o mut (dyn Write + Send)) -> Self {
        Self {
            kept: Target {
                out: kept,
                lacks_end: false,
            },
            header: None,
            is_first: true,
            encoding: None,
            counts: Counts::default(),
        }
    }

    /// Copies the records of a file. `removals` are those that go, ascending.
    ///
    /// # Errors
    ///
    /// Those of reading and writing; a file has another encoding than the first one; a table has a column that the first one lacks.
    /// Fields of another order are put into that of the first one.
    pub fn copy(&mut self, records: RawRecords, removals: &[u64]) -> io::Result<()> {
        let encoding = *self.encoding.get_or_insert(records.encoding);
        if encoding != records.encoding {
            let own = records.encoding;
            let way = match (own, encoding) {
                ("UTF-8", first) => {
                    format!("make UTF-8 of the first file: iconv -f {first} -t UTF-8")
                }
                (own, "UTF-8") => format!("make UTF-8 of it: iconv -f {own} -t UTF-8"),
                (own, first) => format!(
                    "make UTF-8 of both: iconv -f {own} -t UTF-8 for this one, iconv -f {first} -t UTF-8 for the first"
                ),
            };
            let words = format!("it is {own}, and the first file is {encoding}; {way}");
            return Err(io::Error::new(ErrorKind::InvalidData, words));
        }
        let mut removals = removals.iter().peekable();
        let dialect = records.dialect;
        let mut has_header = dialect.is_some();
        let mut arrangement: Option<Arrangement> = None;
        let mut state = State::Between;
        let mut held: Vec<u8> = Vec::new();
        let mut is_blank = true;
        let is_first = std::mem::take(&mut self.is_first);
        let mut is_at_start = true;
        records.read(|part| {
            let RawPart {
                number,
                mut bytes,
                is_end,
            } = part;
            if std::mem::take(&mut is_at_start) && !is_first {
                // In the middle of a file it would be part of a record.
                bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            }
            if state == State::Between {
                is_blank = true;
                while removals.next_if(|&&removal| removal < number).is_some() {}
                let goes = removals.next_if(|&&removal| removal == number).is_some();
                state = match goes {
                    _ if has_header => State::Header,
                    true => State::Removed,
                    false => State::Kept,
                };
                held.clear();
                if state == State::Kept {
                    self.kept.begin()?;
                }
            }
            is_blank &= bytes.trim_ascii().is_empty();
            match state {
                State::Kept if arrangement.is_none() => self.kept.write(bytes)?,
                State::Kept | State::Header => held.extend_from_slice(bytes),
                State::Removed | State::Between => {}
            }
            if state == State::Header && held.len() > MAX_HEADER {
                return Err(io::Error::new(
                    ErrorKind::InvalidData,
                    "the first row of the table does not end",
                ));
            }
            if !is_end {
                return Ok(());
            }
            if let (State::Kept, Some(arrangement)) = (state, &arrangement) {
                let row = match is_blank {
                    true => held.clone(),
                    false => arrangement.row(&held),
                };
                self.kept.write(&row)?;
            }
            match state {
                State::Header if is_blank => self.kept.write(&held)?,
                State::Header => {
                    has_header = false;
                    if let Some(dialect) = dialect {
                        arrangement = self.take_header(&held, dialect)?;
                    }
                }
                State::Kept => self.counts.kept += u64::from(!is_blank),
                State::Removed => self.counts.removed += 1,
                State::Between => {}
            }
            state = State::Between;
            Ok(())
        })
    }

    /// Writes the header of the first table. Returns how the rows of another one are put into its order, if they must be.
    fn take_header(&mut self, header: &[u8], dialect: Dialect) -> io::Result<Option<Arrangement>> {
        let names = dialect.names(header);
        let Some((first, of_first)) = &self.header else {
            self.header = Some((names, dialect));
            self.kept.begin()?;
            self.kept.write(header)?;
            return Ok(None);
        };
        if *first == names && *of_first == dialect {
            return Ok(None);
        }
        let fault = |words| Err(io::Error::new(ErrorKind::InvalidData, words));
        if *of_first != dialect {
            return fault(
                "its columns are separated by another character than those of the first table"
                    .to_owned(),
            );
        }
        if let Some(other) = names.iter().find(|name| !first.contains(name)) {
            return fault(format!(
                "the first table has no column '{other}': name this file first, or give each a run of its own"
            ));
        }
        let place = |name: &String| names.iter().position(|own| own == name);
        Ok(Some(Arrangement {
            dialect,
            places: first.iter().map(place).collect(),
            named: names.len(),
        }))
    }
}

/// How the fields of a row are put into the order of another table.
struct Arrangement {
    dialect: Dialect,
    /// For each column of the first table its place in the row; `None` if the row has none.
    places: Vec<Option<usize>>,
    /// How many columns of the row have names.
    named: usize,
}

impl Arrangement {
    fn row(&self, row: &[u8]) -> Vec<u8> {
        self.dialect.arranged(row, &self.places, self.named)
    }
}
