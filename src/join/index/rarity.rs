//! What the sets of an index and their elements weigh; see [`crate::join::weighted`].

use crate::join::index::postings::Postings;
use crate::join::index::postings::frequencies::Frequencies;
use crate::join::index::search::held::Weighed;
use crate::join::weighted::{COMMON, LARGEST_WEIGHT, Weighted, weight};

/// What the sets of an index and their elements weigh.
#[derive(Debug)]
pub(crate) struct Rarity {
    /// By set.
    sets: Vec<u64>,
    /// By rank; none if the lists of the index have all the sets that count.
    ranks: Option<Vec<u32>>,
    /// No element of this rank or a higher one weighs anything.
    end: u32,
}

impl Rarity {
    /// Of sets that are all there are: takes their sizes and their index.
    pub(crate) fn of_all(sizes: &[u32], postings: &Postings) -> Self {
        // What has no list is in one set only.
        let alone = |(set, &size): (u32, &u32)| {
            let listed = postings.ranks(set).len() as u64;
            (u64::from(size) - listed) * u64::from(LARGEST_WEIGHT)
        };
        let mut sets: Vec<u64> = (0..).zip(sizes).map(alone).collect();
        let end = postings.first_of(COMMON);
        for rank in 0..end {
            let list = postings.list(rank);
            let weight = u64::from(weight(list.end - list.start));
            for &set in &postings.all_lists()[list.start as usize..list.end as usize] {
                sets[set as usize] += weight;
            }
        }
        Self {
            sets,
            ranks: None,
            end,
        }
    }

    /// Of at most two sets, whose elements all weigh the same: takes their sizes.
    pub(crate) fn even(sizes: &[u32]) -> Self {
        let sets = sizes
            .iter()
            .map(|&size| u64::from(size) * u64::from(LARGEST_WEIGHT));
        Self {
            sets: sets.collect(),
            ranks: None,
            end: 0,
        }
    }

    /// Of some sets among more: takes what each weighs and each of their ranks.
    pub(crate) fn among_more(sets: Vec<u64>, ranks: Vec<u32>) -> Self {
        Self {
            sets,
            ranks: Some(ranks),
            end: u32::MAX,
        }
    }

    /// Takes the index and a set, and makes ready for comparing it with others.
    pub(crate) fn hold(&self, postings: &Postings, set: u32, held: &mut Weighed) {
        let ranks = postings.ranks(set);
        let end = ranks.partition_point(|&rank| rank < self.end);
        held.fill(&ranks[..end], |rank| match &self.ranks {
            Some(weights) => weights[rank as usize],
            None => {
                let list = postings.list(rank);
                weight(list.end - list.start)
            }
        });
    }

    /// Takes the index, a set that is held and another one; returns the weight of what they share.
    pub(crate) fn shared(&self, postings: &Postings, held: &Weighed, other: u32) -> u64 {
        held.shared(postings.ranks(other), self.end)
    }

    /// Takes the weight of what two sets share, and the sets.
    pub(crate) fn measure(&self, shared: u64, x: u32, y: u32) -> Weighted {
        Weighted::new(shared, self.sets[x as usize], self.sets[y as usize])
    }
}

/// What sets that are joined part by part weigh among all there are.
#[derive(Debug)]
pub(crate) struct Known<'k> {
    /// How many sets have each element.
    pub(crate) frequencies: &'k Frequencies,
    /// The weights of the sets of this part.
    pub(crate) sets: Vec<u64>,
}

/// Where the weights of an index come from.
#[derive(Debug)]
pub(crate) enum Weighing<'k> {
    /// There are none: the weighted measures are all zero.
    None,
    /// From its own sets, which are all there are.
    Own,
    /// From all sets, of which these are some.
    Known(Known<'k>),
}
