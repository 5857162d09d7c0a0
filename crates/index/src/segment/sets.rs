//! The shingle sets of documents, read from a segment.

use crate::segment::{Segment, each_number};
use dupfind_engine::Result;

/// How many shingles are read at a time, unless one document has more.
const AT_A_TIME: u64 = 1 << 25;

/// Marks a document that nobody asks for.
const NOT_ASKED: u32 = u32::MAX;

impl Segment {
    /// Calls `take` with the position in `asked` and the ascending shingle set of each of these documents, which are
    /// ascending numbers.
    ///
    /// The segment is read once for all of them, or once for every 32 million shingles.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged, or `take` fails.
    pub fn each_set(
        &self,
        asked: &[u32],
        mut take: impl FnMut(usize, &[u64]) -> Result<()>,
    ) -> Result<()> {
        let sizes = self.sizes()?;
        let size = |number: &u32| u64::from(sizes[*number as usize]);
        let mut first = 0;
        while first < asked.len() {
            let mut end = first;
            let mut total = 0;
            while end < asked.len() && (end == first || total + size(&asked[end]) <= AT_A_TIME) {
                total += size(&asked[end]);
                end += 1;
            }
            self.some_sets(&asked[first..end], |at, set| take(first + at, set))?;
            first = end;
        }
        Ok(())
    }

    fn some_sets(
        &self,
        asked: &[u32],
        mut take: impl FnMut(usize, &[u64]) -> Result<()>,
    ) -> Result<()> {
        let sizes = self.sizes()?;
        let mut places = vec![NOT_ASKED; self.count() as usize];
        let mut starts = Vec::with_capacity(asked.len() + 1);
        let mut end = 0;
        for (&number, at) in asked.iter().zip(0..) {
            places[number as usize] = at;
            starts.push(end);
            end += sizes[number as usize] as usize;
        }
        starts.push(end);
        let mut shingles = vec![0_u64; end];
        let mut next = starts.clone();
        let mut is_damaged = false;
        let mut cursor = self.shingles();
        while let Some(shingle) = cursor.next()? {
            each_number(cursor.value(), |number| {
                let place = places.get(number as usize).copied().unwrap_or(NOT_ASKED);
                if place == NOT_ASKED {
                    return;
                }
                let at = &mut next[place as usize];
                if *at < starts[place as usize + 1] {
                    shingles[*at] = shingle;
                    *at += 1;
                } else {
                    is_damaged = true;
                }
            })?;
        }
        if is_damaged || next[..asked.len()] != starts[1..] {
            return Err(self
                .pages
                .damaged("a document has other shingles than it says"));
        }
        for (at, ends) in starts.windows(2).enumerate() {
            take(at, &shingles[ends[0]..ends[1]])?;
        }
        Ok(())
    }
}
