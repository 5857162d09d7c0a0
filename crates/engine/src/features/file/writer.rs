//! Writes features to a file.

use std::io::Write;

use xxhash_rust::xxh3::xxh3_64;

use crate::detect::options::Options;
use crate::features::Features;
use crate::features::file::document::{DocumentForm, push_set};
use crate::features::file::numbers::push_varint;
use crate::features::file::{BLOCK, Identity, LONGEST_BLOCK, MARK, VERSION};
use crate::run::error::{Error, Result};

/// Writes features one after the other, in the form of [`crate::features::file`].
///
/// # Examples
///
/// ```
/// use dupfind_engine::{DuplicateFinder, FeatureMaker, FeaturesReader, FeaturesWriter, Options};
///
/// let options = Options::default();
/// let (mut maker, mut file) = (FeatureMaker::new(&options), Vec::new());
/// let mut writer = FeaturesWriter::new(&options, &mut file)?;
/// for (name, text) in [("a", "one two three four"), ("b", "One two three, four!")] {
///     writer.write(name, &maker.features(text).expect("it has words"))?;
/// }
/// writer.finish()?;
///
/// let mut finder = DuplicateFinder::new(options.clone());
/// for document in FeaturesReader::new(&options, file.as_slice())? {
///     let (name, features) = document?;
///     finder.add_features(name, features)?;
/// }
/// assert_eq!(finder.finish()?.pairs().len(), 1);
/// # Ok::<(), dupfind_engine::Error>(())
/// ```
#[derive(Debug)]
pub struct FeaturesWriter<W> {
    out: W,
    options: Options,
    block: Vec<u8>,
    in_block: u32,
    before: u32,
}

impl<W: Write> FeaturesWriter<W> {
    /// Begins a file of features that are made with these options.
    ///
    /// # Errors
    ///
    /// [`Error::FeaturesIo`].
    pub fn new(options: &Options, mut out: W) -> Result<Self> {
        let identity = Identity::of(options).to_string();
        let mut head = MARK.to_vec();
        head.extend_from_slice(&VERSION.to_le_bytes());
        let length = u32::try_from(identity.len()).expect("a few lines");
        head.extend_from_slice(&length.to_le_bytes());
        head.extend_from_slice(identity.as_bytes());
        head.extend_from_slice(&xxh3_64(&head).to_le_bytes());
        out.write_all(&head).map_err(Error::FeaturesIo)?;
        Ok(Self {
            out,
            options: options.clone(),
            block: Vec::new(),
            in_block: 0,
            before: 0,
        })
    }

    /// Writes the features of a document.
    ///
    /// # Errors
    ///
    /// [`Error::FeaturesDiffer`] if they are features of other detectors, [`Error::FeaturesFile`] if they are too
    /// large, [`Error::TooManyDocuments`], and [`Error::FeaturesIo`] if they cannot be written.
    pub fn write(&mut self, name: &str, features: &Features) -> Result<()> {
        features.check(&self.options)?;
        let start = self.block.len();
        self.push(name, features);
        if self.block.len() > LONGEST_BLOCK as usize {
            self.block.truncate(start);
            return Err(Error::FeaturesFile(format!(
                "the features of '{name}' are too large"
            )));
        }
        self.in_block += 1;
        if self.block.len() >= BLOCK {
            self.end_block()?;
        }
        Ok(())
    }

    /// Ends the file, and returns the writer below. A file that was not ended gives an error when it is read.
    ///
    /// # Errors
    ///
    /// [`Error::FeaturesIo`].
    pub fn finish(mut self) -> Result<W> {
        if self.in_block > 0 {
            self.end_block()?;
        }
        self.end_block()?;
        self.out.flush().map_err(Error::FeaturesIo)?;
        Ok(self.out)
    }

    fn end_block(&mut self) -> Result<()> {
        let length = u32::try_from(self.block.len()).expect("checked before");
        let mut head = Vec::with_capacity(20);
        for number in [length, self.in_block, self.before] {
            head.extend_from_slice(&number.to_le_bytes());
        }
        let mut checked = head.clone();
        checked.extend_from_slice(&self.block);
        head.extend_from_slice(&xxh3_64(&checked).to_le_bytes());
        let written = self.out.write_all(&head);
        let written = written.and_then(|()| self.out.write_all(&self.block));
        written.map_err(Error::FeaturesIo)?;
        let before = self.before.checked_add(self.in_block);
        self.before = before.ok_or(Error::TooManyDocuments {
            limit: u32::MAX as usize,
        })?;
        self.in_block = 0;
        self.block.clear();
        Ok(())
    }

    fn push(&mut self, name: &str, features: &Features) {
        let out = &mut self.block;
        push_varint(out, name.len() as u64);
        out.extend_from_slice(name.as_bytes());
        DocumentForm::new(&self.options).push_facts(out, &features.facts);
        push_set(out, &features.shingles);
    }
}
