//! How rare the shingles of two documents are among the documents of an index.

use crate::Index;
use crate::segment::{each_number, set_hash};
use dupfind_engine::Result;
use dupfind_engine::verdict::two_documents::ShingleFrequencies;

impl Index {
    /// Returns how many documents of the index have each shingle of two sets. Documents with equal sets count once. The
    /// two sets count as documents of the index, whether they are or not. So the weights are those of a scan of all of
    /// them, and not those of the frozen frequencies.
    ///
    /// # Errors
    ///
    /// The index cannot be read, or is damaged.
    pub fn shingle_frequencies<'s>(
        &self,
        a: &'s [u64],
        b: &'s [u64],
    ) -> Result<ShingleFrequencies<'s>> {
        let mut frequencies = ShingleFrequencies::of_two(a, b);
        // These have been counted.
        let own = [set_hash(a), set_hash(b)];
        let mut shingles = [a, b].concat();
        shingles.sort_unstable();
        shingles.dedup();
        let mut segments = Vec::with_capacity(self.segments.len());
        for segment in &self.segments {
            segments.push((segment, segment.set_hashes()?, segment.shingles()));
        }
        let mut sets: Vec<u128> = Vec::new();
        for shingle in shingles {
            sets.clear();
            for (segment, hashes, cursor) in &mut segments {
                if !cursor.find(shingle)? {
                    continue;
                }
                each_number(cursor.value(), |number| {
                    let hash = hashes.get(number as usize).copied();
                    let is_live = !segment.tombstones.have(number);
                    sets.extend(hash.filter(|hash| is_live && !own.contains(hash)));
                })?;
            }
            sets.sort_unstable();
            sets.dedup();
            frequencies.add_documents(shingle, sets.len());
        }
        Ok(frequencies)
    }
}
