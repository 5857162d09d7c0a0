//! The metadata at the end of a file.
//!
//! The crate `parquet` trusts what it reads here: it nests as deep as the file says, and skips a field of two billion
//! elements one by one. So `polars_parquet_format` reads the metadata first, within a bound on memory, and writes anew
//! only what is needed. The crate `parquet` sees nothing else of it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use polars_parquet_format::thrift::protocol::{TCompactInputProtocol, TCompactOutputProtocol};
use polars_parquet_format::{FileMetaData, SchemaElement};

use super::damaged;
use crate::read::format::PARQUET_MAGIC;

/// The magic of an encrypted file.
const ENCRYPTED: [u8; 4] = *b"PARE";

/// The largest metadata that are read. A thousand row groups in twenty columns take some 3 MB.
const METADATA_BYTES: u64 = 64 << 20;

/// How much `polars_parquet_format` may read: bytes of strings, 8 for each element of a list, 2 for each structure.
/// Well-formed metadata need at most 10 for each of their bytes. At worst it reserves some 70 times as much memory.
const READ_BYTES: usize = 16 << 20;
const READ_PER_BYTE: usize = 10;

/// How many columns and groups of columns there may be, and how deep they may be nested.
const COLUMNS: usize = 1 << 16;
const DEPTH: usize = 64;

/// How long the full names of all columns may be together. A full name has the names of all groups around the column,
/// and each of these names costs some memory of its own.
const NAMES_BYTES: usize = 64 << 20;
const NAME_BYTES: usize = 32;

/// Returns the metadata of a file and the size of the file.
pub(super) fn read(file: &mut File) -> io::Result<(ParquetMetaData, u64)> {
    let size = file.seek(SeekFrom::End(0))?;
    // The magic twice, and the length of the metadata.
    let Some(most) = size.checked_sub(12) else {
        return Err(damaged("it is too short for a Parquet file"));
    };
    let mut end = [0; 8];
    file.seek(SeekFrom::End(-8))?;
    file.read_exact(&mut end)?;
    let [a, b, c, d, magic @ ..] = end;
    match magic {
        PARQUET_MAGIC => {}
        ENCRYPTED => return Err(damaged("it is encrypted")),
        _ => return Err(damaged("it does not end as a Parquet file does")),
    }
    let length = u64::from(u32::from_le_bytes([a, b, c, d]));
    if length > most {
        return Err(damaged("its metadata would be larger than the file"));
    }
    if length > METADATA_BYTES {
        return Err(damaged(&format!(
            "its metadata takes {length} bytes, and no more than {METADATA_BYTES} are read"
        )));
    }
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(size - 8 - length))?;
    file.take(length).read_to_end(&mut bytes)?;
    let bytes = rewrite(&bytes)
        .map_err(|error| damaged(&format!("its metadata cannot be read: {error}")))?;
    let metadata = ParquetMetaDataReader::decode_metadata(&bytes)
        .map_err(|error| damaged(&format!("its metadata is damaged: {error}")))?;
    Ok((metadata, size))
}

/// Returns the same metadata with only what is needed to read columns.
fn rewrite(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let limit = READ_BYTES.min(bytes.len().saturating_mul(READ_PER_BYTE));
    let mut input = TCompactInputProtocol::new(bytes, limit);
    let metadata = FileMetaData::read_from_in_protocol(&mut input).map_err(io::Error::other)?;
    check_columns(&metadata.schema)?;
    let mut metadata = FileMetaData {
        key_value_metadata: None,
        created_by: None,
        column_orders: None,
        encryption_algorithm: None,
        footer_signing_key_metadata: None,
        ..metadata
    };
    for group in &mut metadata.row_groups {
        group.sorting_columns = None;
        for column in group
            .columns
            .iter_mut()
            .flat_map(|chunk| &mut chunk.meta_data)
        {
            column.encodings.clear();
            column.path_in_schema.clear();
            column.key_value_metadata = None;
            column.statistics = None;
            column.encoding_stats = None;
        }
    }
    let mut bytes = Vec::new();
    let mut output = TCompactOutputProtocol::new(&mut bytes);
    metadata
        .write_to_out_protocol(&mut output)
        .map_err(io::Error::other)?;
    Ok(bytes)
}

/// Checks the tree of columns, which stands in the file depth first. Each group says how many columns are in it.
fn check_columns(columns: &[SchemaElement]) -> io::Result<()> {
    if columns.len() > COLUMNS {
        let words = format!("{} columns cannot be read", columns.len());
        return Err(damaged(&words));
    }
    // For each open group: how many of its columns are to come, and the length of its full name.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut names = 0;
    for (at, column) in columns.iter().enumerate() {
        let mut name = column.name.len() + NAME_BYTES;
        if let Some((left, above)) = open.last_mut() {
            *left -= 1;
            name += *above;
        }
        names += name;
        let children = usize::try_from(column.num_children.unwrap_or(0));
        let Ok(children) = children else {
            return Err(damaged("a group has no size"));
        };
        if children > columns.len() - at - 1 {
            return Err(damaged(
                "a group of columns has more columns than there are",
            ));
        }
        if names > NAMES_BYTES {
            return Err(damaged("the names of its columns are too long"));
        }
        open.push((children, name));
        while open.last().is_some_and(|&(left, _)| left == 0) {
            open.pop();
        }
        if open.len() > DEPTH {
            return Err(damaged("its columns are nested too deep"));
        }
    }
    Ok(())
}
