//! The pages of a column, read and expanded in bounds, for the crate to decode.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Take};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bytes::Bytes;
use parquet::basic::{CompressionCodec, Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;

use super::codec::expand;
use super::delta;
use super::header::{Content, Header};
use super::thrift::wrong;

/// The largest page that is read, in bytes, unless a document may be larger. Programs end a page at about 1 MB, but
/// some look only after every thousand values.
const PAGE_BYTES: u64 = 256 << 20;

/// How many values are held at once, of lists and of dictionaries: each takes 32 bytes and more.
const VALUES: u32 = 1 << 22;

/// Reads the pages of a column in a group of rows.
pub(super) struct Pages {
    /// What is left of the column.
    source: Take<BufReader<File>>,
    codec: CompressionCodec,
    physical: Type,
    /// How deep it repeats and how much of it may be missing, which is how many levels there are in front of values.
    max_repetition: i16,
    max_definition: i16,
    page_bytes: u64,
    /// A header that was read before its page was asked for.
    next: Option<Header>,
    /// How many values were given out for the record that is being read.
    given: Arc<AtomicU32>,
}

impl Pages {
    /// Takes a file, its size, where a column is in it, and the size of the largest document. Also returns the count
    /// of values that were given out, which whoever reads sets to 0 before every record.
    pub(super) fn open(
        path: &Path,
        size: u64,
        column: &ColumnChunkMetaData,
        limit: u64,
    ) -> io::Result<(Self, Arc<AtomicU32>)> {
        if column.file_path().is_some() {
            return Err(wrong("its columns are in other files"));
        }
        let first = column.dictionary_page_offset();
        let start = u64::try_from(first.unwrap_or(column.data_page_offset())).ok();
        let length = u64::try_from(column.compressed_size()).ok();
        let is_inside = |start: &u64| {
            let end = length.and_then(|length| start.checked_add(length));
            end.is_some_and(|end| end <= size)
        };
        let (Some(start), Some(length)) = (start.filter(is_inside), length) else {
            return Err(wrong("a column would be outside of the file"));
        };
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(start))?;
        let given = Arc::new(AtomicU32::new(0));
        let pages = Self {
            source: BufReader::new(file).take(length),
            codec: column.compression_codec(),
            physical: column.column_type(),
            max_repetition: column.column_descr().max_rep_level(),
            max_definition: column.column_descr().max_def_level(),
            page_bytes: PAGE_BYTES.max(limit),
            next: None,
            given: Arc::clone(&given),
        };
        Ok((pages, given))
    }

    /// The header of the next page, which is not passed over.
    fn header(&mut self) -> io::Result<Option<Header>> {
        while self.next.is_none() && self.source.limit() > 0 {
            let header = Header::read(&mut self.source)?;
            if u64::from(header.bytes) > self.source.limit() {
                return Err(wrong("a page would be larger than its column"));
            }
            let is_dictionary = matches!(header.content, Content::Dictionary { .. });
            // To the crate, a page without values is the end.
            if header.content == Content::Other || !is_dictionary && header.values == 0 {
                self.pass_over(header)?;
            } else {
                self.next = Some(header);
            }
        }
        Ok(self.next)
    }

    fn pass_over(&mut self, header: Header) -> io::Result<()> {
        let mut page = (&mut self.source).take(u64::from(header.bytes));
        io::copy(&mut page, &mut io::sink()).map(drop)
    }

    fn page(&mut self) -> io::Result<Option<Page>> {
        let Some(header) = self.header()? else {
            return Ok(None);
        };
        self.next = None;
        self.check(header)?;
        let mut bytes = Vec::new();
        let mut page = (&mut self.source).take(u64::from(header.bytes));
        page.read_to_end(&mut bytes)?;
        let bytes = self.expanded(header, bytes)?;
        self.check_strings(header, &bytes)?;
        let num_values = header.values;
        Ok(Some(match header.content {
            Content::Data {
                encoding,
                definition,
                repetition,
            } => Page::DataPage {
                buf: bytes,
                num_values,
                encoding: known(encoding)?,
                def_level_encoding: known(definition)?,
                rep_level_encoding: known(repetition)?,
                statistics: None,
            },
            Content::DataV2 {
                encoding,
                nulls,
                rows,
                definition_bytes,
                repetition_bytes,
                is_compressed,
            } => Page::DataPageV2 {
                buf: bytes,
                num_values,
                encoding: known(encoding)?,
                num_nulls: nulls,
                num_rows: rows,
                def_levels_byte_len: definition_bytes,
                rep_levels_byte_len: repetition_bytes,
                is_compressed,
                statistics: None,
            },
            Content::Dictionary { encoding } => Page::DictionaryPage {
                buf: bytes,
                num_values,
                encoding: known(encoding)?,
                is_sorted: false,
            },
            Content::Other => unreachable!("these have been passed over"),
        }))
    }

    /// Looks for claims that memory would be reserved for.
    fn check(&self, header: Header) -> io::Result<()> {
        let (size, most) = (header.expanded.max(header.bytes), self.page_bytes);
        if u64::from(size) > most {
            let words = format!("a page takes {size} bytes, and no more than {most} are read");
            return Err(wrong(&words));
        }
        let values = header.values;
        match header.content {
            // Nothing takes less than four bytes.
            Content::Dictionary { .. } if values > VALUES.min(header.expanded / 4) => {
                Err(wrong("a dictionary claims more values than it has"))
            }
            Content::Dictionary { .. } | Content::Other => Ok(()),
            Content::Data { .. } | Content::DataV2 { .. } if self.max_repetition > 0 => {
                let given = self.given.fetch_add(values, Ordering::Relaxed);
                if values.saturating_add(given) > VALUES {
                    return Err(wrong("a page has too many values in lists"));
                }
                Ok(())
            }
            Content::Data { .. } | Content::DataV2 { .. } => Ok(()),
        }
    }

    fn expanded(&self, header: Header, bytes: Vec<u8>) -> io::Result<Bytes> {
        let (levels, is_compressed) = match header.content {
            Content::DataV2 {
                definition_bytes,
                repetition_bytes,
                is_compressed,
                ..
            } => (
                definition_bytes.saturating_add(repetition_bytes),
                is_compressed,
            ),
            _ => (0, true),
        };
        if levels > header.bytes.min(header.expanded) || bytes.len() < header.bytes as usize {
            return Err(wrong("a page is cut off"));
        }
        if !is_compressed || self.codec == CompressionCodec::UNCOMPRESSED {
            return Ok(Bytes::from(bytes));
        }
        let (levels, values) = bytes.split_at(levels as usize);
        let mut expanded = levels.to_vec();
        let size = header.expanded as usize - levels.len();
        expand(values, self.codec, size, &mut expanded)?;
        Ok(Bytes::from(expanded))
    }

    /// Looks at the lengths of strings if they stand together: the crate takes all of them at once.
    fn check_strings(&self, header: Header, bytes: &[u8]) -> io::Result<()> {
        let (encoding, levels) = match header.content {
            Content::Data {
                encoding,
                definition,
                repetition,
            } => (encoding, [repetition, definition]),
            Content::DataV2 { encoding, .. } => (encoding, [RLE; 2]),
            Content::Dictionary { .. } | Content::Other => return Ok(()),
        };
        let is_delta = matches!(encoding, DELTA_LENGTHS | DELTA_STRINGS);
        if !is_delta || self.physical != Type::BYTE_ARRAY {
            return Ok(());
        }
        if header.values > VALUES {
            return Err(wrong("a page has too many values"));
        }
        let mut rest = bytes;
        if let Content::DataV2 {
            definition_bytes,
            repetition_bytes,
            ..
        } = header.content
        {
            pass(&mut rest, definition_bytes + repetition_bytes)?;
        } else {
            let most = [self.max_repetition, self.max_definition];
            for (most, encoding) in most.into_iter().zip(levels) {
                if most > 0 {
                    if encoding != RLE {
                        return Err(wrong("a page has levels of a kind that it cannot have"));
                    }
                    let size = rest.split_off(..4).and_then(|size| size.try_into().ok());
                    let size = size.ok_or(io::ErrorKind::UnexpectedEof)?;
                    pass(&mut rest, u32::from_le_bytes(size))?;
                }
            }
        }
        delta::check(rest, encoding == DELTA_STRINGS, header.values)
    }
}

fn pass(bytes: &mut &[u8], size: u32) -> io::Result<()> {
    let passed = bytes.split_off(..size as usize);
    passed.map(drop).ok_or(io::ErrorKind::UnexpectedEof.into())
}

/// The encodings that are looked at here, as files number them.
const RLE: i64 = 3;
const DELTA_LENGTHS: i64 = 6;
const DELTA_STRINGS: i64 = 7;

fn known(encoding: i64) -> io::Result<Encoding> {
    Ok(match encoding {
        0 => Encoding::PLAIN,
        2 => Encoding::PLAIN_DICTIONARY,
        RLE => Encoding::RLE,
        #[expect(deprecated, reason = "old files have it for levels")]
        4 => Encoding::BIT_PACKED,
        5 => Encoding::DELTA_BINARY_PACKED,
        DELTA_LENGTHS => Encoding::DELTA_LENGTH_BYTE_ARRAY,
        DELTA_STRINGS => Encoding::DELTA_BYTE_ARRAY,
        8 => Encoding::RLE_DICTIONARY,
        9 => Encoding::BYTE_STREAM_SPLIT,
        other => return Err(wrong(&format!("encoding {other} is not read"))),
    })
}

fn external(error: io::Error) -> ParquetError {
    ParquetError::External(Box::new(error))
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.page().map_err(external)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        let header = self.header().map_err(external)?;
        Ok(header.map(|header| PageMetadata {
            num_rows: match header.content {
                Content::DataV2 { rows, .. } => Some(rows as usize),
                _ => None,
            },
            num_levels: Some(header.values as usize),
            is_dict: matches!(header.content, Content::Dictionary { .. }),
        }))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        let header = self.header().map_err(external)?;
        self.next = None;
        header.map_or(Ok(()), |header| self.pass_over(header).map_err(external))
    }
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::basic::Compression;
    use parquet::schema::parser::parse_message_type;
    use parquet::schema::types::SchemaDescriptor;
    use std::io::Write;

    /// An integer as Thrift has it.
    fn integer(value: u32) -> Vec<u8> {
        let mut rest = u64::from(value) << 1;
        let mut bytes = Vec::new();
        while rest > 0x7f {
            bytes.push(u8::try_from(rest & 0x7f).unwrap() | 0x80);
            rest >>= 7;
        }
        bytes.push(u8::try_from(rest).unwrap());
        bytes
    }

    /// The header of a page of this kind (0 of data, 2 a dictionary), with its sizes.
    fn header(kind: u32, expanded: u32, size: u32, values: u32, encoding: u32) -> Vec<u8> {
        let field = |head: u8, value: u32| [vec![head], integer(value)].concat();
        let part = if kind == 2 { 0x4c } else { 0x2c };
        let sizes = [field(0x15, kind), field(0x15, expanded), field(0x15, size)].concat();
        let inner = [
            field(0x15, values),
            field(0x15, encoding),
            field(0x15, 3),
            field(0x15, 3),
        ];
        [&sizes[..], &[part], &inner.concat(), &[0, 0]].concat()
    }

    /// What is said of the first page of a column, whose bytes these are.
    fn first(schema: &str, codec: Compression, bytes: &[u8]) -> std::result::Result<bool, String> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&[b"PAR1", bytes].concat()).unwrap();
        let schema = parse_message_type(&format!("message m {{ {schema} }}")).unwrap();
        let column = SchemaDescriptor::new(Arc::new(schema)).column(0);
        let length = i64::try_from(bytes.len()).unwrap();
        let chunk = |offset| {
            ColumnChunkMetaData::builder(Arc::clone(&column))
                .set_compression(codec)
                .set_data_page_offset(offset)
                .set_total_compressed_size(length)
                .build()
                .unwrap()
        };
        let size = 4 + bytes.len() as u64;
        assert!(Pages::open(file.path(), size, &chunk(5), 0).is_err());
        assert!(Pages::open(file.path(), size, &chunk(-1), 0).is_err());
        let (mut pages, _) = Pages::open(file.path(), size, &chunk(4), 0).unwrap();
        let page = pages.get_next_page();
        page.map(|page| page.is_some())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_page_that_lies_is_not_believed() {
        let (flat, list) = ("required binary a;", "repeated binary a;");
        let value = [&3_u32.to_le_bytes()[..], b"abc"].concat();
        let page = |header: Vec<u8>, rest: &[u8]| [&header[..], rest].concat();
        let plain = page(header(0, 7, 7, 1, 0), &value);
        assert_eq!(first(flat, Compression::UNCOMPRESSED, &plain), Ok(true));
        assert_eq!(first(flat, Compression::UNCOMPRESSED, &[]), Ok(false));
        let empty = page(header(0, 0, 0, 0, 0), &[]);
        assert_eq!(first(flat, Compression::UNCOMPRESSED, &empty), Ok(false));
        // Blocks of 128 values in one part, of which there are as many as it says, from 0 on.
        let lengths = |count: u8| [0x80, 1, 1, count, 0];
        let most = u32::try_from(i32::MAX).unwrap();
        for (schema, codec, bytes, part) in [
            (
                flat,
                Compression::UNCOMPRESSED,
                page(header(0, 7, 8, 1, 0), &value),
                "larger than its column",
            ),
            (
                flat,
                Compression::SNAPPY,
                page(header(0, most, 7, 1, 0), &value),
                "no more than",
            ),
            (
                flat,
                Compression::UNCOMPRESSED,
                page(header(2, 7, 7, most, 0), &value),
                "a dictionary claims",
            ),
            (
                list,
                Compression::UNCOMPRESSED,
                page(header(0, 7, 7, most, 0), &value),
                "too many values in lists",
            ),
            (
                flat,
                Compression::UNCOMPRESSED,
                page(header(0, 5, 5, 1, 6), &lengths(50)),
                "more strings than it has",
            ),
            (
                flat,
                Compression::UNCOMPRESSED,
                page(header(0, 5, 5, most, 7), &lengths(0)),
                "too many values",
            ),
            (
                flat,
                Compression::SNAPPY,
                page(header(0, 9, 7, 1, 0), &value),
                "another size than it says",
            ),
        ] {
            let error = first(schema, codec, &bytes).unwrap_err();
            assert!(error.contains(part), "{part}: {error}");
        }
    }
}
