//! The weights of the sets of an index and of their elements; see [`crate::join::weighted`].

use crate::join::inverted::postings::Frequencies;
use crate::join::inverted::postings::Postings;
use crate::join::inverted::search::rank_set::WeightedRankSet;
use crate::join::weighted::{COMMON, Counted, LARGEST_WEIGHT, Weighted, weight};

/// The weights of the sets of an index and of their elements.
#[derive(Debug)]
pub(crate) struct Rarity {
    /// The weight of each set.
    sets: Vec<u64>,
    /// The weight of each rank; `None` if it follows from the length of the list.
    ranks: Option<Vec<u32>>,
    /// Elements of this rank and of higher ones weigh nothing.
    end: u32,
}

impl Rarity {
    /// Returns the weights of sets beside which there are no others. With `counted` only some of them count.
    pub(crate) fn of_all(sizes: &[u32], postings: &Postings, counted: Option<&Counted>) -> Self {
        if let Some(counted) = counted {
            return Self::by_frequency(sizes, postings, |sets| {
                counted.frequency(sets.iter().copied())
            });
        }
        let mut sets = alone(sizes, postings);
        let end = postings.first_of(COMMON);
        for rank in 0..end {
            let list = list(postings, rank);
            let weight = weight(u32::try_from(list.len()).expect("not more than sets"));
            for &set in list {
                sets[set as usize] += u64::from(weight);
            }
        }
        Self {
            sets,
            ranks: None,
            end,
        }
    }

    /// Returns the weights of sets as if those that are gone had never been there.
    pub(crate) fn without(sizes: &[u32], postings: &Postings, gone: &[bool]) -> Self {
        Self::by_frequency(sizes, postings, |sets| {
            let left = sets.iter().filter(|&&set| !gone[set as usize]).count();
            u32::try_from(left).expect("not more than sets")
        })
    }

    /// Returns the weights of sets by how many of the sets that have an element count.
    fn by_frequency(sizes: &[u32], postings: &Postings, frequency: impl Fn(&[u32]) -> u32) -> Self {
        let mut sets = alone(sizes, postings);
        let mut ranks = vec![0; postings.list_count() as usize];
        let mut end = 0;
        for (rank, of_rank) in (0..).zip(&mut ranks) {
            let list = list(postings, rank);
            *of_rank = weight(frequency(list));
            if *of_rank > 0 {
                end = rank + 1;
            }
            for &set in list {
                sets[set as usize] += u64::from(*of_rank);
            }
        }
        Self {
            sets,
            ranks: Some(ranks),
            end,
        }
    }

    /// Returns the weights of some of more sets: the weight of each set and of each rank.
    pub(crate) fn among_more(sets: Vec<u64>, ranks: Vec<u32>) -> Self {
        Self {
            sets,
            ranks: Some(ranks),
            end: u32::MAX,
        }
    }

    /// Returns the weight of a set.
    pub(crate) fn of_set(&self, set: u32) -> u64 {
        self.sets[set as usize]
    }

    /// Returns the weight of a rank whose list has this length.
    #[inline]
    pub(crate) fn of_rank(&self, rank: u32, length: usize) -> u32 {
        match &self.ranks {
            Some(weights) => weights[rank as usize],
            None => weight(u32::try_from(length).expect("not more than sets")),
        }
    }

    /// Returns those of some ascending ranks that may weigh something.
    pub(crate) fn weighing<'r>(&self, ranks: &'r [u32]) -> &'r [u32] {
        &ranks[..ranks.partition_point(|&rank| rank < self.end)]
    }

    /// Fills `held` with a set, so that it can be compared with others.
    pub(crate) fn hold(&self, postings: &Postings, set: u32, held: &mut WeightedRankSet) {
        let ranks = self.weighing(postings.ranks(set));
        held.fill(ranks, |rank| self.of_rank(rank, postings.list(rank).len()));
    }

    /// Returns the weight of the elements that the held set shares with another one.
    pub(crate) fn shared(&self, postings: &Postings, held: &WeightedRankSet, other: u32) -> u64 {
        held.shared(postings.ranks(other), self.end)
    }

    /// Returns the measures of two sets that share elements of this weight.
    pub(crate) fn measure(&self, shared: u64, x: u32, y: u32) -> Weighted {
        Weighted::new(shared, self.sets[x as usize], self.sets[y as usize])
    }
}

/// Returns the sets that have the element of a rank.
fn list(postings: &Postings, rank: u32) -> &[u32] {
    let list = postings.list(rank);
    &postings.all_lists()[list.start as usize..list.end as usize]
}

/// Returns for each set the weight of the elements that no other set has. They have no lists.
fn alone(sizes: &[u32], postings: &Postings) -> Vec<u64> {
    let alone = |(set, &size): (u32, &u32)| {
        let listed = postings.ranks(set).len() as u64;
        (u64::from(size) - listed) * u64::from(LARGEST_WEIGHT)
    };
    (0..).zip(sizes).map(alone).collect()
}

/// The weights of the sets of one part of a collection that is joined part by part.
#[derive(Debug)]
pub struct Known<'k> {
    /// How many of all sets have each element.
    pub(crate) frequencies: &'k Frequencies,
    /// The weights of the sets of this part.
    pub(crate) sets: Vec<u64>,
}

/// Where the weights of an index come from.
#[derive(Debug)]
pub enum Weighing<'k> {
    /// There are none: the weighted measures are all zero.
    None,
    /// From its own sets, beside which there are no others.
    Own(Option<Counted>),
    /// From all sets; the index has only some of them.
    Known(Known<'k>),
}
