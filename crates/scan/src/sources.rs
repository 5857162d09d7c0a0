//! Where the documents of a scan were read from: files, records of files, or rows of a table.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dupfind_engine::verdict::OTHER_TABLE;
use dupfind_engine::{DocId, Document};
use dupfind_read::records::position;
use dupfind_read::{Editions, Format};

/// Where the documents of a scan were read from.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The source of each document. Positions are ids.
    pub documents: Vec<Source>,
    /// The paths of the files, as they were typed or found.
    pub files: Vec<PathBuf>,
    /// The languages and versions of the pages, if there are two of either, and they are told apart.
    pub editions: Option<Arc<Editions>>,
    /// Which row is which document, if the documents are rows, and were read from no files.
    pub rows: Option<Arc<Rows>>,
    /// Reads the texts of rows again.
    pub texts: Option<RowTexts>,
}

/// Which row is which document.
#[derive(Debug)]
pub struct Rows {
    /// The document of each row; `None` if it was skipped.
    pub(crate) documents: Vec<Option<DocId>>,
    /// The rows that were skipped, by name, without those of the other table.
    pub(crate) skipped: HashMap<String, u64>,
}

/// Reads the texts of rows again.
#[derive(Clone)]
pub struct RowTexts(Arc<ReadRows>);

/// Returns the texts of these rows; none of a row that cannot be read.
pub(crate) type ReadRows = dyn Fn(&[Row]) -> Vec<Option<String>> + Send + Sync;

/// A row of one of the two tables that a scan may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row {
    /// Whether it is of the table that is read only to compare other rows with it.
    pub is_against: bool,
    /// Its number in its table, from 0.
    pub number: u64,
}

impl Row {
    /// Returns the name in reports of a row with this id. No two rows have one name.
    pub fn name(id: String, is_against: bool) -> String {
        match is_against {
            true => format!("{OTHER_TABLE}{id}"),
            false => id,
        }
    }

    /// Returns the id of the row, from its name in reports.
    pub fn id(self, name: &str) -> &str {
        let id = name.strip_prefix(OTHER_TABLE);
        id.filter(|_| self.is_against).unwrap_or(name)
    }

    /// Returns its number, if it is no row of the other table.
    pub(crate) fn own(self) -> Option<u64> {
        (!self.is_against).then_some(self.number)
    }

    /// Returns the source of the row.
    pub fn source(self) -> Source {
        Source {
            record: self.number + 1,
            is_against: self.is_against,
            ..Source::of_file(u32::from(self.is_against))
        }
    }
}

impl RowTexts {
    /// Returns texts that this function reads.
    pub fn new(read: impl Fn(&[Row]) -> Vec<Option<String>> + Send + Sync + 'static) -> Self {
        Self(Arc::new(read))
    }

    /// Returns the texts of these rows.
    pub fn read(&self, rows: &[Row]) -> Vec<Option<String>> {
        (self.0)(rows)
    }
}

impl fmt::Debug for RowTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RowTexts")
    }
}

impl Sources {
    /// Returns the sources of rows, which have no path.
    pub fn of_rows(rows: impl Iterator<Item = Source>) -> Self {
        let documents: Vec<Source> = rows.collect();
        let has_others = documents.iter().any(|source| source.is_against);
        Self {
            documents,
            files: vec![PathBuf::new(); 1 + usize::from(has_others)],
            editions: None,
            rows: None,
            texts: None,
        }
    }

    /// Returns the source of a document.
    pub fn of(&self, id: DocId) -> &Source {
        &self.documents[id.index()]
    }

    /// Marks the documents that are files of code or data, and those that others are compared with.
    pub(crate) fn mark(&self, documents: &mut [Document]) {
        for (document, source) in documents.iter_mut().zip(&self.documents) {
            document.is_code = source.is_code;
            if let Some(editions) = self.editions.as_ref().filter(|_| !source.is_record()) {
                document.edition = editions.edition(&document.name);
            }
            document.is_reference = source.is_against;
        }
    }

    /// Returns how many documents are not only read to compare others with them.
    pub fn own(&self) -> usize {
        let documents = self.documents.iter();
        documents.filter(|source| !source.is_against).count()
    }

    /// Returns the file of a document; `None` if it was read from no file.
    pub fn file(&self, id: DocId) -> Option<&Path> {
        let file = self.files.get(self.of(id).file as usize);
        file.map(PathBuf::as_path)
    }
}

/// Where a document was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// Its file's position in [`Sources::files`].
    pub file: u32,
    /// The number of a record, from 1; 0 for a document that is a whole file.
    pub record: u64,
    /// The line where a record begins, from 1; 0 for a document that is a whole file.
    pub line: u64,
    /// The line where a record ends; 0 for a document that is a whole file. A record may have several lines, as a
    /// quoted field of a table or an element of an array may.
    pub last_line: u64,
    /// Whether it is read only to compare other documents with it
    /// ([`WalkOptions::against`](dupfind_read::source::walk::WalkOptions::against)).
    pub is_against: bool,
    /// Whether the walk found its file under several names: hard links.
    pub has_names: bool,
    /// Whether it is a file of code or data, which nobody asked for by name.
    pub is_code: bool,
    /// The format of its file.
    pub format: Format,
    /// The name of the encoding it was decoded from.
    pub encoding: &'static str,
}

impl Source {
    /// Returns the source of a document that is a whole file of plain text.
    pub fn of_file(file: u32) -> Self {
        Self {
            file,
            record: 0,
            line: 0,
            last_line: 0,
            is_against: false,
            has_names: false,
            is_code: false,
            format: Format::Text,
            encoding: "UTF-8",
        }
    }

    /// Returns the row of a document of rows.
    pub fn row(&self) -> Row {
        Row {
            is_against: self.is_against,
            number: self.record - 1,
        }
    }

    /// Returns the line of a record, or its number in a file without lines: see [`position`].
    pub fn position(&self) -> u64 {
        position(self.record, self.line)
    }

    /// Returns whether the document is a record.
    pub fn is_record(&self) -> bool {
        self.record > 0
    }
}

impl Sources {
    /// Returns the sources of this many documents, a whole file each, for examples and tests.
    ///
    /// # Panics
    ///
    /// There are more than fit into 32 bits.
    pub fn sample(documents: usize) -> Self {
        let files = 0..u32::try_from(documents).expect("a few");
        Self {
            documents: files.map(Source::of_file).collect(),
            ..Self::default()
        }
    }
}
