//! Reads features from a file.

use std::io::{self, Read};

use xxhash_rust::xxh3::xxh3_64;

use crate::detect::options::Options;
use crate::features::Features;
use crate::features::file::document::{DocumentForm, take_set};
use crate::features::file::numbers::{bytes, varint};
use crate::features::file::{Identity, LONGEST_BLOCK, LONGEST_IDENTITY, MARK, VERSION};
use crate::run::error::{Error, Result};

/// Reads the names and features of documents one after the other, in the form of
/// [`crate::features::file`]. `R` is a file, or the bytes of one that is in memory.
///
/// A file is refused if it was made with other options or by another version, or if it is damaged. A file that was cut
/// off gives its whole blocks, and then an error.
#[derive(Debug)]
pub struct FeaturesReader<R> {
    input: R,
    form: DocumentForm,
    block: Vec<u8>,
    /// Where the next document begins in the block.
    at: usize,
    left_in_block: u32,
    before: u32,
    is_done: bool,
}

impl<R: Read> FeaturesReader<R> {
    /// Opens a file of features that were made with these options.
    ///
    /// # Errors
    ///
    /// [`Error::FeaturesFile`] if it is no file of features, is damaged or has another version.
    /// [`Error::FeaturesDiffer`] if it was made with other options. [`Error::FeaturesIo`] if it cannot be read.
    pub fn new(options: &Options, mut input: R) -> Result<Self> {
        let mut head = read(&mut input, MARK.len() + 8)?;
        if !head.starts_with(&MARK) {
            return Err(refused("this is no file of features"));
        }
        let version = number(&head[MARK.len()..]);
        if version != VERSION {
            return Err(refused(&format!(
                "the file has version {version}, and this program reads version {VERSION}"
            )));
        }
        let length = number(&head[MARK.len() + 4..]);
        if length > LONGEST_IDENTITY {
            return Err(refused("its head is damaged"));
        }
        let identity = read(&mut input, length as usize)?;
        let checksum = read(&mut input, 8)?;
        head.extend_from_slice(&identity);
        if checksum != xxh3_64(&head).to_le_bytes() {
            return Err(refused("its head is damaged"));
        }
        let text = std::str::from_utf8(&identity).ok();
        let found = text.and_then(Identity::parse);
        let found = found.ok_or_else(|| refused("its head is damaged"))?;
        Identity::of(options).check(&found)?;
        Ok(Self {
            input,
            form: DocumentForm::new(options),
            block: Vec::new(),
            at: 0,
            left_in_block: 0,
            before: 0,
            is_done: false,
        })
    }

    /// Reads the next block. Returns whether there is one.
    fn next_block(&mut self) -> Result<bool> {
        if self.at != self.block.len() {
            return Err(self.damaged());
        }
        let head = read(&mut self.input, 20)?;
        let [length, documents, before] = [0, 4, 8].map(|at| number(&head[at..]));
        if length > LONGEST_BLOCK || before != self.before {
            return Err(self.damaged());
        }
        self.block = read(&mut self.input, length as usize)?;
        let mut checked = head[..12].to_vec();
        checked.extend_from_slice(&self.block);
        if head[12..] != xxh3_64(&checked).to_le_bytes() {
            return Err(self.damaged());
        }
        self.at = 0;
        self.left_in_block = documents;
        self.before = before
            .checked_add(documents)
            .ok_or_else(|| self.damaged())?;
        Ok(documents > 0)
    }

    fn damaged(&self) -> Error {
        refused(&format!(
            "it is damaged behind document {}",
            self.before - self.left_in_block
        ))
    }

    fn document(&mut self) -> Result<Option<(String, Features)>> {
        if self.left_in_block == 0 && !self.next_block()? {
            return Ok(None);
        }
        let document = self.parse().ok_or_else(|| self.damaged())?;
        self.left_in_block -= 1;
        Ok(Some(document))
    }

    fn parse(&mut self) -> Option<(String, Features)> {
        let mut rest = &self.block[self.at..];
        let whole = rest.len();
        let length = usize::try_from(varint(&mut rest)?).ok()?;
        let name = std::str::from_utf8(bytes(&mut rest, length)?)
            .ok()?
            .to_owned();
        let facts = self.form.facts(&mut rest)?;
        let mut shingles = Vec::new();
        take_set(&mut rest, facts.shingles, &mut shingles)?;
        self.at += whole - rest.len();
        Some((name, Features { facts, shingles }))
    }
}

impl<R: Read + io::Seek> FeaturesReader<R> {
    /// Passes over documents. Blocks that have only such documents are not read, and damage in them is not seen.
    ///
    /// # Errors
    ///
    /// As reading them; also if there are fewer documents.
    pub fn skip_documents(&mut self, mut count: u32) -> Result<()> {
        while count > 0 {
            if self.left_in_block > 0 {
                self.document()?;
                count -= 1;
                continue;
            }
            let head = read(&mut self.input, 20)?;
            let [length, documents, before] = [0, 4, 8].map(|at| number(&head[at..]));
            if self.at != self.block.len() || before != self.before || documents == 0 {
                return Err(self.damaged());
            }
            if documents <= count {
                let passed = self.input.seek_relative(length.into());
                passed.map_err(Error::FeaturesIo)?;
                self.before += documents;
                (self.block, self.at) = (Vec::new(), 0);
                count -= documents;
            } else {
                let back = self.input.seek_relative(-20);
                back.map_err(Error::FeaturesIo)?;
                self.next_block()?;
            }
        }
        Ok(())
    }
}

impl<R: Read> Iterator for FeaturesReader<R> {
    type Item = Result<(String, Features)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let document = self.document().transpose();
        self.is_done = !matches!(document, Some(Ok(_)));
        document
    }
}

fn refused(reason: &str) -> Error {
    Error::FeaturesFile(reason.into())
}

/// Reads this many bytes. A damaged length uses no more memory than the file has bytes.
fn read(input: &mut impl Read, length: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(length).unwrap_or(u64::MAX);
    input
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(Error::FeaturesIo)?;
    if bytes.len() < length {
        let cut_off = io::Error::new(io::ErrorKind::UnexpectedEof, "it is cut off");
        return Err(Error::FeaturesIo(cut_off));
    }
    Ok(bytes)
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes[..4].try_into().expect("four bytes"))
}
