//! The pages of a column, within bounds. The crate `parquet` decodes them.
//!
//! The crate bounds some of what a page claims, and not the rest: it skips an unknown field of a header element by
//! element, expands gzip and brotli without a limit, and reserves memory for as many values of a dictionary and as many
//! lengths of strings as a page says it has. So `polars_parquet_format` reads the header first, within a bound on memory,
//! and the sizes in it are checked. Then the crate reads the page from memory, with its header written anew.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Take};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use brotli_decompressor::Decompressor;
use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::basic::{CompressionCodec, Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::Result;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::ColumnDescPtr;
use polars_parquet_format::thrift::protocol::{TCompactInputProtocol, TCompactOutputProtocol};
use polars_parquet_format::{PageHeader, PageType};

use super::{damaged, delta};
use crate::read::source::read::open;

/// The largest page that is read, in bytes, unless a document may be larger. Programs end a page at about 1 MB, but
/// some look only after every thousand values.
const PAGE_BYTES: u64 = 256 << 20;

/// The largest header of a page that is read, in bytes. It may have the smallest and the largest value of the page.
const HEADER_BYTES: usize = 64 << 20;

/// How many values of a list or of a dictionary are held at once. Each takes 32 bytes and more.
const VALUES: u32 = 1 << 22;

/// How much brotli reads at a time.
const BUFFER: usize = 4 << 10;

/// Reads the pages of a column in a row group.
pub(super) struct Pages {
    /// What is left of the column.
    source: Take<BufReader<File>>,
    column: ColumnDescPtr,
    codec: CompressionCodec,
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
        let codec = column.compression_codec();
        // The crate expands the first one without a limit, and does not know the second one.
        if matches!(codec, CompressionCodec::LZ4 | CompressionCodec::LZO) {
            let words = format!("pages compressed with {codec:?} are not read");
            return Err(damaged(&words));
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
            column: column.column_descr_ptr(),
            codec,
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

    /// Checks how many values a page says it has. Its size is known to be one that is read.
    fn check_values(&self, header: &PageHeader) -> io::Result<()> {
        let count = count(values(header))?;
        if header.type_ == PageType::DICTIONARY_PAGE {
            // No value takes less than four bytes.
            let fits = i64::from(count) * 4 <= i64::from(header.uncompressed_page_size);
            if !fits || count > VALUES {
                return Err(damaged("a dictionary claims more values than it has"));
            }
        } else if self.column.max_rep_level() > 0 {
            // The crate holds all values of a record with a list at once.
            let before = self.values_read.fetch_add(count, Ordering::Relaxed);
            if count.saturating_add(before) > VALUES {
                return Err(damaged("a page has too many values in lists"));
            }
        }
        Ok(())
    }

    /// Expands a page if the crate would expand it without a limit. Returns its bytes, and how they are compressed.
    fn expand(
        &self,
        header: &mut PageHeader,
        bytes: Vec<u8>,
    ) -> io::Result<(Vec<u8>, CompressionCodec)> {
        let (mut levels, mut is_compressed) = (0, true);
        if let Some(data) = &header.data_page_header_v2 {
            let [repetition, definition] = [
                count(data.repetition_levels_byte_length)?,
                count(data.definition_levels_byte_length)?,
            ];
            levels = (repetition + definition) as usize;
            is_compressed = data.is_compressed.unwrap_or(true);
        }
        let Some((levels, values)) = bytes.split_at_checked(levels) else {
            return Err(ErrorKind::UnexpectedEof.into());
        };
        let size = count(header.uncompressed_page_size)? as usize;
        let mut out = levels.to_vec();
        match self.codec {
            CompressionCodec::GZIP if is_compressed => {
                take(MultiGzDecoder::new(values), size, &mut out)?;
            }
            CompressionCodec::BROTLI if is_compressed => {
                take(Decompressor::new(values, BUFFER), size, &mut out)?;
            }
            CompressionCodec::GZIP | CompressionCodec::BROTLI => {
                return Ok((bytes, CompressionCodec::UNCOMPRESSED));
            }
            codec => return Ok((bytes, codec)),
        }
        header.compressed_page_size = header.uncompressed_page_size;
        Ok((out, CompressionCodec::UNCOMPRESSED))
    }

    /// Checks that a page whose strings have their lengths in front claims no more strings than it has values. The
    /// crate reads all these lengths at once.
    fn check_lengths(&self, page: &Page) -> io::Result<()> {
        let encoding = page.encoding();
        let is_delta = matches!(
            encoding,
            Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY
        );
        if !is_delta || self.column.physical_type() != Type::BYTE_ARRAY {
            return Ok(());
        }
        let mut values = &page.buffer()[..];
        match page {
            Page::DataPage {
                def_level_encoding,
                rep_level_encoding,
                ..
            } => {
                for (most, encoding) in [
                    (self.column.max_rep_level(), rep_level_encoding),
                    (self.column.max_def_level(), def_level_encoding),
                ] {
                    if most == 0 {
                        continue;
                    }
                    if *encoding != Encoding::RLE {
                        return Err(damaged("a page has levels of a kind that it cannot have"));
                    }
                    let size = values.split_off(..4).and_then(|size| size.try_into().ok());
                    let size = u32::from_le_bytes(size.ok_or(ErrorKind::UnexpectedEof)?);
                    values = values
                        .get(size as usize..)
                        .ok_or(ErrorKind::UnexpectedEof)?;
                }
            }
            Page::DataPageV2 {
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => {
                let levels = (def_levels_byte_len + rep_levels_byte_len) as usize;
                values = values.get(levels..).ok_or(ErrorKind::UnexpectedEof)?;
            }
            Page::DictionaryPage { .. } => return Ok(()),
        }
        let most = page.num_values();
        if most > VALUES {
            return Err(damaged("a page has too many values"));
        }
        delta::check(values, encoding == Encoding::DELTA_BYTE_ARRAY, most)
    }
}

/// Appends what a decoder gives to `out`, so that there are `size` bytes in it.
fn take(decoder: impl Read, size: usize, out: &mut Vec<u8>) -> io::Result<()> {
    let left = size
        .checked_sub(out.len())
        .ok_or(ErrorKind::UnexpectedEof)?;
    // If no bytes are left, all values of the page are missing. Otherwise one byte more shows that there are too many.
    if left > 0 {
        decoder.take(left as u64 + 1).read_to_end(out)?;
    }
    if out.len() != size {
        return Err(damaged("a page expands to another size than it says"));
    }
    Ok(())
}

/// Returns how many values a page has, with the missing ones.
fn values(header: &PageHeader) -> i32 {
    let data = header.data_page_header.as_ref();
    let data_v2 = header.data_page_header_v2.as_ref();
    let dictionary = header.dictionary_page_header.as_ref();
    match header.type_ {
        PageType::DATA_PAGE => data.map_or(1, |data| data.num_values),
        PageType::DATA_PAGE_V2 => data_v2.map_or(1, |data| data.num_values),
        PageType::DICTIONARY_PAGE => dictionary.map_or(0, |dictionary| dictionary.num_values),
        _ => 0,
    }
}

/// Returns a number that cannot be below 0.
fn count(value: i32) -> io::Result<u32> {
    u32::try_from(value).map_err(|_| damaged("a page has a size that cannot be"))
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.header()?;
        let Some(mut header) = self.next.take() else {
            return Ok(None);
        };
        let size = count(header.compressed_page_size)?;
        let (largest, most) = (
            size.max(count(header.uncompressed_page_size)?),
            self.page_bytes,
        );
        if u64::from(largest) > most {
            let words = format!("a page takes {largest} bytes, and no more than {most} are read");
            return Err(damaged(&words).into());
        }
        self.check_values(&header)?;
        let mut bytes = vec![0; size as usize];
        self.source.read_exact(&mut bytes)?;
        let (mut bytes, codec) = self.expand(&mut header, bytes)?;
        let mut page = Vec::new();
        header
            .write_to_out_protocol(&mut TCompactOutputProtocol::new(&mut page))
            .map_err(io::Error::other)?;
        page.append(&mut bytes);
        let chunk = ColumnChunkMetaData::builder(Arc::clone(&self.column))
            .set_compression_codec(codec)
            .set_total_compressed_size(i64::try_from(page.len())?)
            .build()?;
        let mut reader = SerializedPageReader::new(Arc::new(Bytes::from(page)), &chunk, 0, None)?;
        let page = reader.get_next_page()?;
        if let Some(page) = &page {
            self.check_lengths(page)?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        Ok(self.header()?.map(|header| PageMetadata {
            num_rows: header
                .data_page_header_v2
                .as_ref()
                .and_then(|data| usize::try_from(data.num_rows).ok()),
            num_levels: usize::try_from(values(header)).ok(),
            is_dict: header.type_ == PageType::DICTIONARY_PAGE,
        }))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.get_next_page().map(drop)
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
    use parquet::schema::parser::parse_message_type;
    use parquet::schema::types::SchemaDescriptor;
    use polars_parquet_format::{DataPageHeader, DictionaryPageHeader, Encoding as Numbered};
    use std::io::Write;

    /// The header of a page, with its sizes. It is a dictionary or has data.
    fn header(type_: PageType, expanded: i32, size: i32, values: i32, encoding: i32) -> Vec<u8> {
        let encoding = Numbered(encoding);
        let levels = Numbered::RLE;
        let data = DataPageHeader::new(values, encoding, levels, levels, None);
        let dictionary = DictionaryPageHeader::new(values, encoding, None);
        let header = PageHeader::new(type_, expanded, size, None, data, None, dictionary, None);
        let mut bytes = Vec::new();
        header
            .write_to_out_protocol(&mut TCompactOutputProtocol::new(&mut bytes))
            .unwrap();
        bytes
    }

    /// The first page of a column, whose bytes these are, or what is wrong with it.
    fn first(
        schema: &str,
        codec: CompressionCodec,
        bytes: &[u8],
    ) -> std::result::Result<Option<Vec<u8>>, String> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&[b"PAR1", bytes].concat()).unwrap();
        let schema = parse_message_type(&format!("message m {{ {schema} }}")).unwrap();
        let column = SchemaDescriptor::new(Arc::new(schema)).column(0);
        let length = i64::try_from(bytes.len()).unwrap();
        let chunk = |offset| {
            ColumnChunkMetaData::builder(Arc::clone(&column))
                .set_compression_codec(codec)
                .set_data_page_offset(offset)
                .set_total_compressed_size(length)
                .build()
                .unwrap()
        };
        let size = 4 + bytes.len() as u64;
        let open = |offset| Pages::open(file.path(), size, &chunk(offset), 0, Arc::default());
        assert!(open(5).is_err());
        assert!(open(-1).is_err());
        let mut pages = open(4).map_err(|error| error.to_string())?;
        let page = pages.get_next_page().map_err(|error| error.to_string())?;
        Ok(page.map(|page| page.buffer().to_vec()))
    }

    #[test]
    fn a_page_that_lies_is_not_believed() {
        let (flat, list) = ("required binary a;", "repeated binary a;");
        let [plain, snappy] = [CompressionCodec::UNCOMPRESSED, CompressionCodec::SNAPPY];
        let lz4 = CompressionCodec::LZ4;
        let value = [&3_u32.to_le_bytes()[..], b"abc"].concat();
        let said =
            |type_, schema, codec, [expanded, size, values, encoding]: [i32; 4], rest: &[u8]| {
                let header = header(type_, expanded, size, values, encoding);
                first(schema, codec, &[&header[..], rest].concat())
            };
        let of_data = |schema, codec, numbers, rest: &[u8]| {
            said(PageType::DATA_PAGE, schema, codec, numbers, rest)
        };
        let good = of_data(flat, plain, [7, 7, 1, 0], &value);
        assert_eq!(good, Ok(Some(value.clone())));
        assert_eq!(first(flat, plain, &[]), Ok(None));
        assert_eq!(of_data(flat, plain, [0, 0, 0, 0], &[]), Ok(None));
        // Blocks of 128 values in one part, of which there are as many as it says, from 0 on.
        let [none, fifty] = [0, 50].map(|count| [0x80, 1, 1, count, 0]);
        // Its length, and one literal.
        let snapped = [&[7, 6 << 2][..], &value].concat();
        let most = i32::MAX;
        for (schema, codec, numbers, rest, part) in [
            (flat, plain, [7, 8, 1, 0], &value[..], "larger than its"),
            (flat, snappy, [most, 7, 1, 0], &value, "no more than"),
            (list, plain, [7, 7, most, 0], &value, "values in lists"),
            (flat, plain, [5, 5, 1, 6], &fifty, "more strings"),
            (flat, plain, [5, 5, most, 7], &none, "too many values"),
            (flat, snappy, [5, 9, 1, 0], &snapped, "buffer"),
            (flat, lz4, [7, 7, 1, 0], &value, "LZ4 are not read"),
        ] {
            let error = of_data(schema, codec, numbers, rest).unwrap_err();
            assert!(error.contains(part), "{part}: {error}");
        }
        let dictionary = said(
            PageType::DICTIONARY_PAGE,
            flat,
            plain,
            [7, 7, most, 0],
            &value,
        );
        assert!(dictionary.unwrap_err().contains("a dictionary claims"));
    }

    #[test]
    fn gzip_and_brotli_expand_to_what_they_say() {
        const TEXT: &[u8] = b"\x30\0\0\0the old park by the river, the old park by the r";
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(TEXT).unwrap();
        let size = u8::try_from(TEXT.len() - 1).unwrap();
        // A window of 64 KiB; no last block, four nibbles for the size, stored; the last block, which is empty.
        let brotli = [&[size << 4, size >> 4, 0x10][..], TEXT, &[3]].concat();
        for (codec, bytes) in [
            (CompressionCodec::GZIP, gzip.finish().unwrap()),
            (CompressionCodec::BROTLI, brotli),
        ] {
            let said = |expanded: i32| {
                let size = i32::try_from(bytes.len()).unwrap();
                let header = header(PageType::DATA_PAGE, expanded, size, 1, 0);
                first("required binary a;", codec, &[&header[..], &bytes].concat())
            };
            let size = i32::from(size) + 1;
            assert_eq!(said(size), Ok(Some(TEXT.to_vec())));
            for other in [1, size - 1, size + 1, 1 << 20] {
                let error = said(other).unwrap_err();
                assert!(error.contains("another size than it says"), "{error}");
            }
        }
    }

    #[test]
    fn a_bomb_stops_at_the_size_it_claims() {
        let mut out = Vec::new();
        assert!(take(io::repeat(0), 100, &mut out).is_err());
        assert!(out.capacity() < 1 << 16, "{}", out.capacity());
    }
}
