//! The weights of the sets of an index and of their elements; see [`crate::join::weighted`].

use crate::join::inverted::postings::Postings;
use crate::join::inverted::postings::frequencies::Frequencies;
use crate::join::inverted::search::rank_set::WeightedRankSet;
use crate::join::weighted::{COMMON, LARGEST_WEIGHT, Weighted, weight};

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
        // An element without a list is in one set only.
        let alone = |(set, &size): (u32, &u32)| {
            let listed = postings.ranks(set).len() as u64;
            (u64::from(size) - listed) * u64::from(LARGEST_WEIGHT)
        };
        let mut sets: Vec<u64> = (0..).zip(sizes).map(alone).collect();
        let (end, mut ranks) = match counted {
            None => (postings.first_of(COMMON), None),
            Some(_) => (postings.list_count(), Some(Vec::new())),
        };
        for rank in 0..end {
            let list = postings.list(rank);
            let list = &postings.all_lists()[list.start as usize..list.end as usize];
            let frequency = match counted {
                None => u32::try_from(list.len()).expect("not more than sets"),
                Some(counted) => counted.frequency(list.iter().copied()),
            };
            let weight = weight(frequency);
            if let Some(ranks) = &mut ranks {
                ranks.push(weight);
            }
            for &set in list {
                sets[set as usize] += u64::from(weight);
            }
        }
        Self { sets, ranks, end }
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

/// The weights of the sets of one part of a collection that is joined part by part.
#[derive(Debug)]
pub struct Known<'k> {
    /// How many of all sets have each element.
    pub(crate) frequencies: &'k Frequencies,
    /// The weights of the sets of this part.
    pub(crate) sets: Vec<u64>,
}

/// Which sets count where others are compared with a reference side. What is common is what is common there: text that one
/// reference has is rare, however many copies of it the other side has. All sets of the other side count once.
#[derive(Debug)]
pub struct Counted {
    /// For each set, by rank, whether it is on the reference side.
    pub(crate) is_reference: Vec<bool>,
}

impl Counted {
    /// Returns how many of some sets count.
    pub(crate) fn frequency(&self, sets: impl ExactSizeIterator<Item = u32>) -> u32 {
        let all = sets.len();
        let references = sets.filter(|&set| self.is_reference[set as usize]).count();
        let counted = references + usize::from(references < all);
        u32::try_from(counted).expect("sets are numbered by 32 bits")
    }
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
