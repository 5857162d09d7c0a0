//! Keeps the pairs of a scan in its index.

use std::collections::HashSet;

use crate::Index;
use crate::files::folder::{create, part};
use crate::files::manifest::{FrequenciesEntry, Manifest, PairsEntry};
use crate::pairs::file::{PairsOfSets, write_pairs};
use crate::pairs::{PairsOfIndex, ToKeep, rules};
use crate::segment::frequencies::Counting;
use crate::segment::set_hash;
use crate::segment::write::{Source, each_shingle, set_hashes};
use crate::update::Update;
use dupfind_engine::error::{Error, Result};

impl PairsOfIndex {
    /// Keeps the pairs in the index, if they are not those that it has. If another program writes to the index, they
    /// are not kept.
    ///
    /// # Errors
    ///
    /// A file cannot be written, or the index cannot be read.
    pub fn save(mut self, reading: &str) -> Result<()> {
        if let Some(today) = self.today.take().filter(|today| today.has_changed) {
            self.to_keep = Some(ToKeep {
                pairs: PairsOfSets {
                    sets: today.sets,
                    known: today.known,
                },
                is_anew: false,
            });
        }
        let Some(to_keep) = self.to_keep else {
            return Ok(());
        };
        let update = match Update::begin(&self.index.folder, self.index.options(), reading) {
            Err(Error::IndexLocked { .. }) => return Ok(()),
            update => update?,
        };
        let before = self.index.manifest.pairs.map(|entry| entry.frequencies);
        update.keep_pairs(|index, manifest| {
            let frequencies = if to_keep.is_anew {
                frequencies_among(index, manifest, &to_keep.pairs.sets)?
            } else {
                // They are gone if another program has kept other pairs meanwhile.
                before.filter(|before| manifest.files().contains(&before.file))
            };
            let Some(frequencies) = frequencies else {
                return Ok(());
            };
            let file = manifest.new_file();
            let checksum = write_pairs(&index.folder, file, &to_keep.pairs)?;
            manifest.pairs = Some(PairsEntry {
                file,
                checksum,
                rules: rules(&self.options),
                frequencies,
            });
            Ok(())
        })
    }
}

/// Returns the frequencies of shingles among the documents of an index whose sets have these hashes, which are written if
/// they are not the frozen ones; `None` if the index does not have all of the sets.
fn frequencies_among(
    index: &Index,
    manifest: &mut Manifest,
    wanted: &[u128],
) -> Result<Option<FrequenciesEntry>> {
    let segments = index.segments.iter();
    let sources: Vec<Source<'_>> = segments.map(|segment| Source::Segment(segment)).collect();
    let mut left: HashSet<u128> = wanted.iter().copied().collect();
    let hashes = set_hashes(&sources)?;
    let is_first: Vec<bool> = hashes.iter().map(|hash| left.remove(hash)).collect();
    if !left.is_empty() {
        return Ok(None);
    }
    let empty = set_hash(&[]);
    let all: HashSet<u128> = hashes.into_iter().filter(|&hash| hash != empty).collect();
    if manifest.changes == 0 && all.len() == wanted.len() {
        return Ok(manifest.frequencies.clone());
    }
    let file = manifest.new_file();
    let path = part(&index.folder, file);
    let entry = create(&path, |out| {
        let mut counting = Counting::of(&path, out, file, is_first);
        each_shingle(&sources, |shingle, documents| {
            counting.weight(shingle, documents).map(|_| ())
        })?;
        counting.finish(file)
    })?;
    Ok(Some(entry))
}
