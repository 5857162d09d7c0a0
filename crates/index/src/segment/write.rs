//! Writes a segment of new documents and of older segments.

use std::collections::HashSet;
use std::io::Write;

use crate::files::manifest::SegmentEntry;
use crate::files::manifest::failed;
use crate::files::pages::PageWriter;
use crate::files::terms::TermsWriter;
use crate::segment::document::KeptDocument;
use crate::segment::frequencies::Weigher;
use crate::segment::lists::{Lists, each_list};
use crate::segment::{BEFORE_SIGNATURES, Segment, name_hash, set_hash};
use dupfind_engine::Result;
use dupfind_engine::features::bytes::push_varint;
use dupfind_engine::join::inverted::distinct::SetKey;
use rayon::prelude::*;
use std::path::Path;

/// New documents in memory.
#[derive(Debug, Default)]
pub struct Run {
    pub(crate) documents: Vec<RunDocument>,
    /// The shingles with the numbers of their documents.
    postings: Vec<(u64, u32)>,
}

/// A new document.
#[derive(Debug)]
pub(crate) struct RunDocument {
    /// The number of the file it was read from; 0 for none.
    pub(crate) file: u32,
    pub(crate) kept: KeptDocument,
    /// The key of its shingle set.
    pub(crate) key: SetKey,
    /// The hash of its shingle set.
    pub(crate) set: u128,
}

impl Run {
    /// Adds a document. `features` are without facts, which `kept` has.
    pub(crate) fn push(&mut self, file: u32, kept: KeptDocument, shingles: &[u64]) {
        let number =
            u32::try_from(self.documents.len()).expect("documents have numbers of 32 bits");
        self.postings
            .extend(shingles.iter().map(|&shingle| (shingle, number)));
        self.documents.push(RunDocument {
            file,
            kept,
            key: SetKey::of(shingles),
            set: set_hash(shingles),
        });
    }

    /// Returns how many shingles there are.
    pub(crate) fn postings(&self) -> usize {
        self.postings.len()
    }

    /// Puts the shingles in order, as [`Source::Run`] needs them.
    pub(crate) fn sort(&mut self) {
        self.postings.par_sort_unstable();
    }
}

/// Where the documents of a new segment come from.
#[derive(Debug)]
pub(crate) enum Source<'s> {
    /// A sorted run.
    Run(&'s Run),
    /// The documents of a segment that are not gone.
    Segment(&'s Segment),
}

impl Source<'_> {
    /// Returns how many documents the source has.
    fn count(&self) -> u32 {
        match self {
            Self::Run(run) => u32::try_from(run.documents.len()).expect("checked when pushed"),
            Self::Segment(segment) => segment.live(),
        }
    }

    /// Returns the hashes of the shingle sets of its documents.
    fn set_hashes(&self) -> Result<Vec<u128>> {
        match self {
            Self::Run(run) => Ok(run.documents.iter().map(|new| new.set).collect()),
            Self::Segment(segment) => {
                let hashes = segment.set_hashes()?;
                let left = segment.tombstones.left();
                Ok(left.map(|number| hashes[number as usize]).collect())
            }
        }
    }
}

/// Calls `take` with every shingle of some sources in ascending order, and with the new numbers of its documents. The
/// documents are numbered in the order of the sources.
fn each_shingle(sources: &[Source<'_>], take: impl FnMut(u64, &[u32]) -> Result<()>) -> Result<()> {
    let mut first = 0;
    let mut lists = Vec::with_capacity(sources.len());
    for source in sources {
        lists.push(match source {
            Source::Run(run) => Lists::of_run(&run.postings, first),
            Source::Segment(segment) => {
                let left = segment.tombstones.left().zip(first..);
                Lists::of_segment(segment, left)
            }
        });
        first += source.count();
    }
    each_list(lists, take)
}

/// Returns for each document of some sources whether it is the first one with its shingle set. Two sets count as equal
/// if their hashes are.
pub(crate) fn first_of_their_sets(sources: &[Source<'_>]) -> Result<Vec<bool>> {
    let hashes = sources.iter().map(Source::set_hashes);
    let mut seen = HashSet::new();
    let hashes = hashes.collect::<Result<Vec<_>>>()?.concat().into_iter();
    Ok(hashes.map(|hash| seen.insert(hash)).collect())
}

/// Writes a segment with the documents of some sources. Returns its entry in the manifest.
///
/// # Errors
///
/// A source cannot be read, or the file cannot be written.
pub(crate) fn write_segment(
    path: &Path,
    out: impl Write,
    file: u64,
    sources: &[Source<'_>],
    weigher: &mut Weigher<'_>,
) -> Result<SegmentEntry> {
    let fail = |source| failed("write", path, source);
    let count: u32 = sources.iter().map(Source::count).sum();
    let mut pages = PageWriter::new(out, file);
    let mut terms = TermsWriter::default();
    let mut weights = vec![0_u64; count as usize];
    let mut value = Vec::new();
    let mut postings = 0;
    each_shingle(sources, |shingle, documents| {
        value.clear();
        push_documents(&mut value, documents);
        postings += documents.len() as u64;
        let weight = u64::from(weigher.weight(shingle, documents)?);
        if weight > 0 {
            documents
                .iter()
                .for_each(|&document| weights[document as usize] += weight);
        }
        terms.push(&mut pages, shingle, &value).map_err(fail)
    })?;
    let terms = terms.finish(&mut pages).map_err(fail)?;
    let columns = pages.position();
    let rest = Rest::of(sources)?;
    let mut write = |bytes: &[u8]| pages.write(bytes).map_err(fail);
    let first =
        columns + u64::from(count) * (BEFORE_SIGNATURES + 8 + 8 * rest.signatures_each) as u64 + 8;
    for file in &rest.files {
        write(&file.to_le_bytes())?;
    }
    for size in &rest.sizes {
        write(&size.to_le_bytes())?;
    }
    for number in weights.iter().chain(&rest.names).chain(&rest.keys) {
        write(&number.to_le_bytes())?;
    }
    for hash in &rest.sets {
        write(&hash.to_le_bytes())?;
    }
    for signature in &rest.signatures {
        write(&signature.to_le_bytes())?;
    }
    for start in &rest.starts {
        write(&(first + start).to_le_bytes())?;
    }
    write(&rest.bytes)?;
    let (_, pages) = pages.finish().map_err(fail)?;
    Ok(SegmentEntry {
        file,
        pages,
        terms,
        columns,
        documents: count,
        postings,
        tombstones: Vec::new(),
    })
}

/// Appends the numbers of the documents of a shingle; there is at least one.
fn push_documents(value: &mut Vec<u8>, documents: &[u32]) {
    if let [only] = documents {
        push_varint(value, u64::from(*only) << 1 | 1);
        return;
    }
    push_varint(value, (documents.len() as u64) << 1);
    push_varint(value, documents[0].into());
    for pair in documents.windows(2) {
        push_varint(value, u64::from(pair[1] - pair[0] - 1));
    }
}

/// The data about the documents of a segment, besides their shingles.
#[derive(Default)]
struct Rest {
    files: Vec<u32>,
    sizes: Vec<u32>,
    names: Vec<u64>,
    /// The keys of the shingle sets, two numbers each.
    keys: Vec<u64>,
    /// The hashes of the shingle sets.
    sets: Vec<u128>,
    signatures: Vec<u64>,
    signatures_each: usize,
    bytes: Vec<u8>,
    /// Where each document begins in `bytes`, and the end of the last one.
    starts: Vec<u64>,
}

impl Rest {
    fn of(sources: &[Source<'_>]) -> Result<Self> {
        let mut rest = Self::default();
        for source in sources {
            match source {
                Source::Run(run) => run.documents.iter().for_each(|new| rest.push(new)),
                Source::Segment(segment) => rest.append(segment)?,
            }
        }
        rest.starts.push(rest.bytes.len() as u64);
        let count = rest.files.len().max(1);
        rest.signatures_each = rest.signatures.len() / count;
        Ok(rest)
    }

    fn push(&mut self, new: &RunDocument) {
        self.files.push(new.file);
        self.sizes.push(new.kept.facts.shingles);
        self.names.push(name_hash(&new.kept.name));
        self.keys.extend([new.key.least, new.key.hash]);
        self.sets.push(new.set);
        self.signatures
            .extend_from_slice(&new.kept.facts.signatures);
        self.starts.push(self.bytes.len() as u64);
        new.kept.push(&mut self.bytes);
    }

    fn append(&mut self, segment: &Segment) -> Result<()> {
        let (files, names) = (segment.files()?, segment.names()?);
        let (keys, sets) = (segment.keys()?, segment.set_hashes()?);
        let (sizes, signatures) = (segment.sizes()?, segment.signatures()?);
        let each = signatures.len() / (segment.count() as usize).max(1);
        segment.each_document(|number, bytes| {
            let at = number as usize;
            self.files.push(files[at]);
            self.sizes.push(sizes[at]);
            self.names.push(names[at]);
            self.keys.extend([keys[at].least, keys[at].hash]);
            self.sets.push(sets[at]);
            self.signatures
                .extend_from_slice(&signatures[at * each..(at + 1) * each]);
            self.starts.push(self.bytes.len() as u64);
            self.bytes.extend_from_slice(bytes);
            Ok(())
        })
    }
}
