//! One batch of bands: who agrees in which of them.
//!
//! Each band is one task: it sorts the sets by their keys and goes through those with the same one. A pair
//! is verified if its sketches are alike, in the first band of the batch in which it agrees and in no
//! other, which the keys tell; and not at all if it was found in a batch before. So tasks need not know of
//! each other.
//!
//! Sets with the same key are brought together first, with all that two of them are compared by: of many,
//! each is compared with each, and most have nothing else in common.

use crate::join::approximate::bands::{Bands, by_key, is_same_key, place};
use crate::join::approximate::sketches::{Bytes, equal};
use crate::join::held::Held;
use crate::join::index::Found;

/// Candidates of one task that are verified together: 8 MiB.
const FULL: usize = 1 << 20;

/// Some bands, the keys of all sets in them, and the pairs that had been found before.
pub(super) struct Batch<'b, 'i> {
    bands: &'b Bands<'i>,
    /// How many bands there are.
    width: usize,
    keys: Vec<u32>,
    found: &'b [Found],
    /// Where those of each set begin, by place; one longer than the sets.
    starts: Vec<usize>,
}

/// The sets with one key of a band, ascending.
#[derive(Default)]
struct Group {
    members: Vec<Member>,
    /// Their keys in the bands before, one set after the other.
    keys: Vec<u32>,
}

struct Member {
    place: u32,
    set: u32,
    size: u32,
    sketch: Bytes,
}

impl<'b, 'i> Batch<'b, 'i> {
    /// Takes what is to be joined, the number of bands, so many keys of each set, and the pairs that were found,
    /// in order.
    pub(super) fn new(
        bands: &'b Bands<'i>,
        width: usize,
        keys: Vec<u32>,
        found: &'b [Found],
    ) -> Self {
        Self {
            bands,
            width,
            keys,
            found,
            starts: starts(&bands.sets, found),
        }
    }

    /// Returns the new pairs of a band.
    pub(super) fn band(&self, band: usize) -> Vec<Found> {
        let order = by_key(self.keys.iter().skip(band).step_by(self.width).copied());
        let (mut candidates, mut pairs) = (Vec::new(), Vec::new());
        let (mut group, mut held) = (Group::default(), Held::default());
        for same in order.chunk_by(is_same_key).filter(|same| same.len() > 1) {
            self.gather(band, same, &mut group);
            for later in 1..same.len() {
                self.candidates(band, &group, later, &mut candidates);
                if candidates.len() >= FULL {
                    self.verify(&mut candidates, &mut held, &mut pairs);
                }
            }
        }
        self.verify(&mut candidates, &mut held, &mut pairs);
        pairs
    }

    fn gather(&self, band: usize, same: &[u64], group: &mut Group) {
        let Bands {
            sets,
            sizes,
            sketches,
            ..
        } = self.bands;
        group.members.clear();
        group.keys.clear();
        for place in same.iter().copied().map(place) {
            let set = sets[place as usize];
            group.members.push(Member {
                place,
                set,
                size: sizes[set as usize],
                sketch: *sketches.first(place),
            });
            let keys = &self.keys[place as usize * self.width..];
            group.keys.extend(&keys[..band]);
        }
    }

    /// Takes a group and the number of a set in it, and appends this with those before it that are alike and
    /// do not agree with it in a band before.
    fn candidates(
        &self,
        band: usize,
        group: &Group,
        later: usize,
        candidates: &mut Vec<(u32, u32)>,
    ) {
        let Bands {
            sketches,
            probing,
            indexed,
            threshold,
            ..
        } = self.bands;
        let (before, rest) = group.members.split_at(later);
        let x = &rest[0];
        if !probing.contains(&x.set) {
            return;
        }
        let keys = |number: usize| &group.keys[number * band..][..band];
        let own = keys(later);
        for (number, y) in before.iter().enumerate() {
            if y.set >= *indexed {
                break;
            }
            let equal = equal(&x.sketch, &y.sketch);
            let is_alike = || {
                threshold.admits(x.size.min(y.size), x.size.max(y.size))
                    && sketches.may_be_by_rest(equal, x.place, y.place)
            };
            let is_new = || {
                let keys = own.iter().zip(keys(number));
                keys.fold(true, |is_new, (own, other)| is_new & (own != other))
            };
            if sketches.may_be_by_first(equal) && is_new() && is_alike() {
                candidates.push((x.place, y.place));
            }
        }
    }

    /// Empties the candidates, which are places, and appends those that are similar enough and were not found
    /// before.
    fn verify(&self, candidates: &mut Vec<(u32, u32)>, held: &mut Held, pairs: &mut Vec<Found>) {
        let Bands { sets, postings, .. } = self.bands;
        candidates.sort_unstable();
        for of_one in candidates.chunk_by(|a, b| a.0 == b.0) {
            let later = of_one[0].0 as usize;
            let x = sets[later];
            let found = &self.found[self.starts[later]..self.starts[later + 1]];
            let mut is_held = false;
            for &(_, earlier) in of_one {
                let y = sets[earlier as usize];
                if found.binary_search_by_key(&y, |found| found.y).is_ok() {
                    continue;
                }
                if !std::mem::replace(&mut is_held, true) {
                    held.fill(postings.ranks(x));
                }
                let overlap = self.bands.overlap(held, x, y);
                pairs.extend(overlap.map(|overlap| Found { x, y, overlap }));
            }
        }
        candidates.clear();
    }
}

/// Takes sets, ascending, and pairs in order, and returns where those of each set begin, and the last ones end.
fn starts(sets: &[u32], found: &[Found]) -> Vec<usize> {
    let mut at = 0;
    let mut start = |&set: &u32| {
        at += found[at..].iter().take_while(|found| found.x < set).count();
        at
    };
    let mut starts: Vec<usize> = sets.iter().map(&mut start).collect();
    starts.push(found.len());
    starts
}
