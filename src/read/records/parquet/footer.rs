//! The end of a file, where it says what is in it.
//!
//! The crate parses it, but reserves memory for what it claims and descends as deep as it says. So it is gone through
//! once before, to see that what it claims can be.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

use super::grammar;
use super::thrift::{Fields, Kind, wrong};
use crate::read::format::PARQUET_MAGIC;

/// The largest of it that is read. A thousand groups of rows in twenty columns take some 3 MB.
const FOOTER_BYTES: u64 = 64 << 20;

/// The same if it is encrypted.
const ENCRYPTED: [u8; 4] = *b"PARE";

/// How many structures it may have, columns of groups of rows above all, of which each has about six. The crate
/// takes up to a few hundred bytes for each.
const STRUCTURES: u64 = 1 << 20;

/// How many columns and groups of columns there may be.
const COLUMNS: u64 = 1 << 16;

/// How deep columns may be nested: each level is one of the crate's recursion.
const DEPTH: usize = 64;

/// How long the full names of all columns may be together, with what it takes to keep them: a group's name is part of
/// that of every column in it.
const NAMES_BYTES: u64 = 64 << 20;

/// What it takes to keep a part of a name.
const NAME_BYTES: u64 = 32;

/// Takes a file and returns what it says of itself, and its size.
pub(super) fn read(file: &mut File) -> io::Result<(ParquetMetaData, u64)> {
    let size = file.seek(SeekFrom::End(0))?;
    // The magic twice, and the length of what stands before the last.
    let Some(most) = size.checked_sub(12) else {
        return Err(wrong("it is too short for a Parquet file"));
    };
    let mut end = [0; 8];
    file.seek(SeekFrom::End(-8))?;
    file.read_exact(&mut end)?;
    let [a, b, c, d, magic @ ..] = end;
    match magic {
        PARQUET_MAGIC => {}
        ENCRYPTED => return Err(wrong("it is encrypted")),
        _ => return Err(wrong("it does not end as a Parquet file does")),
    }
    let length = u64::from(u32::from_le_bytes([a, b, c, d]));
    if length > most {
        return Err(wrong("its metadata would be larger than the file"));
    }
    if length > FOOTER_BYTES {
        let words =
            format!("its metadata takes {length} bytes, and no more than {FOOTER_BYTES} are read");
        return Err(wrong(&words));
    }
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(size - 8 - length))?;
    file.take(length).read_to_end(&mut bytes)?;
    check(&bytes).map_err(|error| wrong(&format!("its metadata cannot be read: {error}")))?;
    let metadata = ParquetMetaDataReader::decode_metadata(&bytes);
    let metadata = metadata.map_err(|error| wrong(&format!("its metadata is damaged: {error}")))?;
    Ok((metadata, size))
}

/// Looks for claims that cannot be, or that nothing could be read with. The tree of the columns comes first, since
/// it tells best what is wrong; it is read again as what the format says it is.
fn check(bytes: &[u8]) -> io::Result<()> {
    let mut fields = Fields::new(bytes);
    let mut number = 0;
    while let Some((next, kind)) = fields.next(number)? {
        number = next;
        match (number, kind) {
            (2, Kind::List) => schema(&mut fields)?,
            _ => fields.skip(kind)?,
        }
    }
    if grammar::structures(bytes)? > STRUCTURES {
        return Err(wrong("it has too many parts"));
    }
    Ok(())
}

/// The columns: a tree, depth first, in which each says how many are in it.
fn schema(fields: &mut Fields<&[u8]>) -> io::Result<()> {
    let (count, kind) = fields.list()?;
    if kind != Kind::Structure || count > COLUMNS {
        return Err(wrong(&format!("{count} columns cannot be read")));
    }
    // Of every group that is open, how many are to come in it, and how long the names are that lead to it.
    let mut open: Vec<(u64, u64)> = Vec::new();
    let mut names = 0;
    for at in 0..count {
        let (children, name) = column(fields)?;
        let mut path = name + NAME_BYTES;
        if let Some((left, above)) = open.last_mut() {
            *left -= 1;
            path += *above;
        }
        names += path;
        if children > count - at - 1 {
            return Err(wrong("a group of columns has more columns than there are"));
        }
        if names > NAMES_BYTES {
            return Err(wrong("the names of its columns are too long"));
        }
        open.push((children, path));
        while open.last().is_some_and(|&(left, _)| left == 0) {
            open.pop();
        }
        if open.len() > DEPTH {
            return Err(wrong("its columns are nested too deep"));
        }
    }
    Ok(())
}

/// How many columns are in one, and how long its name is.
fn column(fields: &mut Fields<&[u8]>) -> io::Result<(u64, u64)> {
    let (mut number, mut children, mut name) = (0, 0, 0);
    while let Some((next, kind)) = fields.next(number)? {
        number = next;
        match (number, kind) {
            (4, Kind::Bytes) => name = fields.bytes()?,
            (5, Kind::Integer) => {
                let count = fields.integer()?;
                children = u64::try_from(count).map_err(|_| wrong("a group has no size"))?;
            }
            _ => fields.skip(kind)?,
        }
    }
    Ok((children, name))
}
