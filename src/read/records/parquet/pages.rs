//! The pages of a column, read and expanded within bounds. The crate `parquet` decodes them.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Take};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bytes::Bytes;
use parquet::basic::{CompressionCodec, Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use polars_parquet_format::thrift::protocol::TCompactInputProtocol;
use polars_parquet_format::{self as thrift, PageHeader, PageType};

use super::codec::expand;
use super::{damaged, delta};
use crate::read::source::read::open;

/// The largest page that is read, in bytes, unless a document may be larger. Programs end a page at about 1 MB, but
/// some look only after every thousand values.
const PAGE_BYTES: u64 = 256 << 20;

/// The largest header of a page that is read, in bytes. It may have the smallest and the largest value of the page.
const HEADER_BYTES: usize = 64 << 20;

/// How many values of a list or of a dictionary are held at once. Each takes 32 bytes and more.
const VALUES: u32 = 1 << 22;

/// Reads the pages of a column in a row group.
pub(super) struct Pages {
    /// What is left of the column.
    source: Take<BufReader<File>>,
    codec: CompressionCodec,
    physical: Type,
    max_repetition: i16,
    max_definition: i16,
    /// The largest page that is read.
    page_bytes: u64,
    /// The header of the next page, if it has been read.
    next: Option<PageHeader>,
    /// How many values the pages of this record have. The caller sets it to 0 before every record.
    values_read: Arc<AtomicU32>,
}

impl Pages {
    /// Opens a column of a file of this size. `limit` is the size of the largest document.
    pub(super) fn open(
        path: &Path,
        size: u64,
        column: &ColumnChunkMetaData,
        limit: u64,
        values_read: Arc<AtomicU32>,
    ) -> io::Result<Self> {
        if column.file_path().is_some() {
            return Err(damaged("its columns are in other files"));
        }
        let first = column.dictionary_page_offset();
        let start = u64::try_from(first.unwrap_or(column.data_page_offset())).ok();
        let length = u64::try_from(column.compressed_size()).ok();
        let is_inside = |start: &u64| {
            let end = length.and_then(|length| start.checked_add(length));
            end.is_some_and(|end| end <= size)
        };
        let (Some(start), Some(length)) = (start.filter(is_inside), length) else {
            return Err(damaged("a column would be outside of the file"));
        };
        let mut file = open(path)?;
        file.seek(SeekFrom::Start(start))?;
        Ok(Self {
            source: BufReader::new(file).take(length),
            codec: column.compression_codec(),
            physical: column.column_type(),
            max_repetition: column.column_descr().max_rep_level(),
            max_definition: column.column_descr().max_def_level(),
            page_bytes: PAGE_BYTES.max(limit),
            next: None,
            values_read,
        })
    }

    /// Reads the header of the next page with values, unless it has been read.
    fn header(&mut self) -> io::Result<Option<&PageHeader>> {
        while self.next.is_none() && self.source.limit() > 0 {
            let mut input = TCompactInputProtocol::new(&mut self.source, HEADER_BYTES);
            let header = PageHeader::read_from_in_protocol(&mut input)
                .map_err(|error| damaged(&format!("a page is damaged: {error}")))?;
            let size = u64::from(count(header.compressed_page_size)?);
            if size > self.source.limit() {
                return Err(damaged("a page would be larger than its column"));
            }
            // To the crate, a page without values is the end.
            if header.type_ == PageType::DICTIONARY_PAGE || values(&header) > 0 {
                self.next = Some(header);
            } else {
                io::copy(&mut (&mut self.source).take(size), &mut io::sink())?;
            }
        }
        Ok(self.next.as_ref())
    }

    fn page(&mut self) -> io::Result<Option<Page>> {
        self.header()?;
        let Some(header) = self.next.take() else {
            return Ok(None);
        };
        let size = count(header.compressed_page_size)?;
        let expanded = count(header.uncompressed_page_size)?;
        let (largest, most) = (size.max(expanded), self.page_bytes);
        if u64::from(largest) > most {
            let words = format!("a page takes {largest} bytes, and no more than {most} are read");
            return Err(damaged(&words));
        }
        let mut bytes = Vec::new();
        let mut source = (&mut self.source).take(u64::from(size));
        source.read_to_end(&mut bytes)?;
        if bytes.len() < size as usize {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let missing = || damaged("a page does not say what is in it");
        let page = match header.type_ {
            PageType::DATA_PAGE => {
                let header = header.data_page_header.ok_or_else(missing)?;
                self.data(&header, bytes, expanded)
            }
            PageType::DATA_PAGE_V2 => {
                let header = header.data_page_header_v2.ok_or_else(missing)?;
                self.data_v2(&header, bytes, expanded)
            }
            _ => {
                let header = header.dictionary_page_header.ok_or_else(missing)?;
                self.dictionary(&header, bytes, expanded)
            }
        };
        page.map(Some)
    }

    fn dictionary(
        &self,
        header: &thrift::DictionaryPageHeader,
        bytes: Vec<u8>,
        expanded: u32,
    ) -> io::Result<Page> {
        let num_values = count(header.num_values)?;
        // No value takes less than four bytes.
        if num_values > VALUES.min(expanded / 4) {
            return Err(damaged("a dictionary claims more values than it has"));
        }
        Ok(Page::DictionaryPage {
            buf: self.expanded(bytes, 0, expanded, true)?,
            num_values,
            encoding: known(header.encoding)?,
            is_sorted: false,
        })
    }

    /// Returns a page whose levels stand in front of the values and are compressed with them.
    fn data(
        &self,
        header: &thrift::DataPageHeader,
        bytes: Vec<u8>,
        expanded: u32,
    ) -> io::Result<Page> {
        let num_values = self.count_values(header.num_values)?;
        let encoding = known(header.encoding)?;
        let [repetition, definition] = [
            known(header.repetition_level_encoding)?,
            known(header.definition_level_encoding)?,
        ];
        let buf = self.expanded(bytes, 0, expanded, true)?;
        if self.has_lengths(encoding) {
            let mut rest = &buf[..];
            for (most, encoding) in [
                (self.max_repetition, repetition),
                (self.max_definition, definition),
            ] {
                if most == 0 {
                    continue;
                }
                if encoding != Encoding::RLE {
                    return Err(damaged("a page has levels of a kind that it cannot have"));
                }
                let size = rest.split_off(..4).and_then(|size| size.try_into().ok());
                let size = u32::from_le_bytes(size.ok_or(ErrorKind::UnexpectedEof)?);
                rest = rest.get(size as usize..).ok_or(ErrorKind::UnexpectedEof)?;
            }
            check_lengths(rest, encoding, num_values)?;
        }
        Ok(Page::DataPage {
            buf,
            num_values,
            encoding,
            def_level_encoding: definition,
            rep_level_encoding: repetition,
            statistics: None,
        })
    }

    /// Returns a page whose levels stand in front of the values and are not compressed.
    fn data_v2(
        &self,
        header: &thrift::DataPageHeaderV2,
        bytes: Vec<u8>,
        expanded: u32,
    ) -> io::Result<Page> {
        let num_values = self.count_values(header.num_values)?;
        let encoding = known(header.encoding)?;
        let def_levels_byte_len = count(header.definition_levels_byte_length)?;
        let rep_levels_byte_len = count(header.repetition_levels_byte_length)?;
        let levels = (def_levels_byte_len + rep_levels_byte_len) as usize;
        let is_compressed = header.is_compressed.unwrap_or(true);
        let buf = self.expanded(bytes, levels, expanded, is_compressed)?;
        if self.has_lengths(encoding) {
            let values = buf.get(levels..).ok_or(ErrorKind::UnexpectedEof)?;
            check_lengths(values, encoding, num_values)?;
        }
        Ok(Page::DataPageV2 {
            buf,
            num_values,
            encoding,
            num_nulls: count(header.num_nulls)?,
            num_rows: count(header.num_rows)?,
            def_levels_byte_len,
            rep_levels_byte_len,
            is_compressed,
            statistics: None,
        })
    }

    /// Returns how many values a page has. The crate holds all values of a record with a list at once.
    fn count_values(&self, values: i32) -> io::Result<u32> {
        let values = count(values)?;
        if self.max_repetition > 0 {
            let before = self.values_read.fetch_add(values, Ordering::Relaxed);
            if values.saturating_add(before) > VALUES {
                return Err(damaged("a page has too many values in lists"));
            }
        }
        Ok(values)
    }

    /// Returns the bytes of a page, of which the first ones (the levels) are not compressed.
    fn expanded(
        &self,
        bytes: Vec<u8>,
        levels: usize,
        expanded: u32,
        is_compressed: bool,
    ) -> io::Result<Bytes> {
        let size = (expanded as usize).checked_sub(levels);
        let (Some(size), Some((levels, values))) = (size, bytes.split_at_checked(levels)) else {
            return Err(ErrorKind::UnexpectedEof.into());
        };
        if !is_compressed || self.codec == CompressionCodec::UNCOMPRESSED {
            return Ok(Bytes::from(bytes));
        }
        let mut out = levels.to_vec();
        expand(values, self.codec, size, &mut out)?;
        Ok(Bytes::from(out))
    }

    /// Whether the lengths of all strings of a page stand together. The crate reads all of them at once.
    fn has_lengths(&self, encoding: Encoding) -> bool {
        let is_delta = matches!(
            encoding,
            Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY
        );
        is_delta && self.physical == Type::BYTE_ARRAY
    }
}

fn check_lengths(values: &[u8], encoding: Encoding, most: u32) -> io::Result<()> {
    if most > VALUES {
        return Err(damaged("a page has too many values"));
    }
    delta::check(values, encoding == Encoding::DELTA_BYTE_ARRAY, most)
}

/// Returns how many values a page has, with the missing ones.
fn values(header: &PageHeader) -> i32 {
    let data = header.data_page_header.as_ref();
    let data_v2 = header.data_page_header_v2.as_ref();
    match header.type_ {
        PageType::DATA_PAGE => data.map_or(1, |data| data.num_values),
        PageType::DATA_PAGE_V2 => data_v2.map_or(1, |data| data.num_values),
        _ => 0,
    }
}

/// Returns a number that cannot be below 0.
fn count(value: i32) -> io::Result<u32> {
    u32::try_from(value).map_err(|_| damaged("a page has a size that cannot be"))
}

fn known(encoding: thrift::Encoding) -> io::Result<Encoding> {
    Ok(match encoding.0 {
        0 => Encoding::PLAIN,
        2 => Encoding::PLAIN_DICTIONARY,
        3 => Encoding::RLE,
        #[expect(deprecated, reason = "old files have it for levels")]
        4 => Encoding::BIT_PACKED,
        5 => Encoding::DELTA_BINARY_PACKED,
        6 => Encoding::DELTA_LENGTH_BYTE_ARRAY,
        7 => Encoding::DELTA_BYTE_ARRAY,
        8 => Encoding::RLE_DICTIONARY,
        9 => Encoding::BYTE_STREAM_SPLIT,
        other => return Err(damaged(&format!("encoding {other} is not read"))),
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
            num_rows: header
                .data_page_header_v2
                .as_ref()
                .and_then(|data| usize::try_from(data.num_rows).ok()),
            num_levels: usize::try_from(values(header)).ok(),
            is_dict: header.type_ == PageType::DICTIONARY_PAGE,
        }))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.page().map(drop).map_err(external)
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
    use polars_parquet_format::thrift::protocol::TCompactOutputProtocol;
    use std::io::Write;

    /// The header of a page, with its sizes. It is a dictionary or has data.
    fn header(type_: PageType, expanded: i32, size: i32, values: i32, encoding: i32) -> Vec<u8> {
        let encoding = thrift::Encoding(encoding);
        let levels = thrift::Encoding::RLE;
        let data = thrift::DataPageHeader::new(values, encoding, levels, levels, None);
        let dictionary = thrift::DictionaryPageHeader::new(values, encoding, None);
        let header = PageHeader::new(type_, expanded, size, None, data, None, dictionary, None);
        let mut bytes = Vec::new();
        header
            .write_to_out_protocol(&mut TCompactOutputProtocol::new(&mut bytes))
            .unwrap();
        bytes
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
        let open = |offset| Pages::open(file.path(), size, &chunk(offset), 0, Arc::default());
        assert!(open(5).is_err());
        assert!(open(-1).is_err());
        let mut pages = open(4).unwrap();
        let page = pages.get_next_page();
        page.map(|page| page.is_some())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_page_that_lies_is_not_believed() {
        let (flat, list) = ("required binary a;", "repeated binary a;");
        let value = [&3_u32.to_le_bytes()[..], b"abc"].concat();
        let page = |header: Vec<u8>, rest: &[u8]| [&header[..], rest].concat();
        let plain = page(header(PageType::DATA_PAGE, 7, 7, 1, 0), &value);
        assert_eq!(first(flat, Compression::UNCOMPRESSED, &plain), Ok(true));
        assert_eq!(first(flat, Compression::UNCOMPRESSED, &[]), Ok(false));
        let empty = page(header(PageType::DATA_PAGE, 0, 0, 0, 0), &[]);
        assert_eq!(first(flat, Compression::UNCOMPRESSED, &empty), Ok(false));
        // Blocks of 128 values in one part, of which there are as many as it says, from 0 on.
        let lengths = |count: u8| [0x80, 1, 1, count, 0];
        let most = i32::MAX;
        for (schema, codec, bytes, part) in [
            (
                flat,
                Compression::UNCOMPRESSED,
                page(header(PageType::DATA_PAGE, 7, 8, 1, 0), &value),
                "larger than its column",
            ),
            (
                flat,
                Compression::SNAPPY,
                page(header(PageType::DATA_PAGE, most, 7, 1, 0), &value),
                "no more than",
            ),
            (
                flat,
                Compression::UNCOMPRESSED,
                page(header(PageType::DICTIONARY_PAGE, 7, 7, most, 0), &value),
                "a dictionary claims",
            ),
            (
                list,
                Compression::UNCOMPRESSED,
                page(header(PageType::DATA_PAGE, 7, 7, most, 0), &value),
                "too many values in lists",
            ),
            (
                flat,
                Compression::UNCOMPRESSED,
                page(header(PageType::DATA_PAGE, 5, 5, 1, 6), &lengths(50)),
                "more strings than it has",
            ),
            (
                flat,
                Compression::UNCOMPRESSED,
                page(header(PageType::DATA_PAGE, 5, 5, most, 7), &lengths(0)),
                "too many values",
            ),
            (
                flat,
                Compression::SNAPPY,
                page(header(PageType::DATA_PAGE, 9, 7, 1, 0), &value),
                "another size than it says",
            ),
        ] {
            let error = first(schema, codec, &bytes).unwrap_err();
            assert!(error.contains(part), "{part}: {error}");
        }
    }
}
