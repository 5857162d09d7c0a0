//! The ties of records that go by their similarity alone.
//!
//! A thousand pages of one form are half a million similar pairs, and yet all but one go for the same page. So nobody looks for
//! all pairs: the records are taken in the order of the rules, and only one that stays looks for those that are similar to it.

use crate::clean::drops::Ground;
use crate::clean::tied::Tied;
use crate::clean::ties::{Collected, Measures, Tie, short, too_many};
use dupfind_engine::join::groups::NONE;
use dupfind_engine::join::inverted::SetPair;
use dupfind_engine::pairing::joined::Joined;
use dupfind_engine::{DocId, Error, Observer, Resemblance, Threshold, in_pool};
use dupfind_scan::Scan;

/// How many records look for similar ones at a time at most.
const MOST_TOGETHER: usize = 128;

/// If so many pairs are found, only one record looks next: pages of one form would all find the same ones.
const MANY: usize = 1 << 12;

impl Collected {
    /// Adds the ties of those that stay with all that are at least as similar as `least`, if the scan has left that to the caller:
    /// see [`Ties::by_keepers`](crate::clean::ties::Ties::by_keepers). `place` gives the place of a file, and `rank` that of each
    /// document in the order of the rules.
    ///
    /// # Errors
    ///
    /// Those of `rank`; [`Error::Sink`] if there is no memory for so many ties, and [`Error::Stopped`] if the observer asks for it.
    ///
    /// # Panics
    ///
    /// If the scan has not kept what it joined.
    pub fn with_similar<'s, E: From<Error>>(
        self,
        scan: &'s Scan,
        least: u16,
        observer: &dyn Observer,
        place: impl Fn(u32) -> u64,
        rank: impl FnOnce(&mut Tied<'s>, &[DocId]) -> Result<Vec<u32>, E>,
    ) -> Result<Self, E> {
        let least = Threshold::new(least.into(), 10_000);
        let (Some(least), Some(most)) = (least, self.most_of_keepers) else {
            return Ok(self);
        };
        let joined = scan.joined.as_deref();
        let joined = joined.expect("the scan has kept what it joined");
        // Sets in a file were joined, and their pairs collected.
        if !joined.is_in_memory() {
            return Ok(self);
        }
        let (mut all, ids) = Tied::of_all(scan, place);
        let rank = rank(&mut all, &ids)?;
        let ordered = Ordered::new(joined, &all, &rank, &self);
        let threads = scan.options.engine.threads;
        let pairs = in_pool(threads, || ordered.ties(least, most, observer))?;
        Ok(Self { pairs, ..self })
    }
}

/// Documents in the order of the rules, and what was found.
struct Ordered<'o> {
    joined: &'o Joined,
    all: &'o Tied<'o>,
    rank: &'o [u32],
    /// The documents in this order. Of copies the best one stands for all.
    order: Vec<u32>,
    /// The same with the set of each, by the sets.
    by_set: Vec<(u32, u32)>,
    goes: Vec<bool>,
    ties: Vec<Tie>,
}

impl<'o> Ordered<'o> {
    fn new(joined: &'o Joined, all: &'o Tied<'o>, rank: &'o [u32], collected: &Collected) -> Self {
        let mut looks: Vec<bool> = all
            .candidates
            .iter()
            .zip(&joined.group_of)
            .map(|(candidate, &set)| set != NONE && !candidate.document.is_code)
            .collect();
        for group in collected.copies.iter().filter(|it| it.have_same_ties) {
            let place = |document: &&u32| rank[**document as usize];
            let best = group.documents.iter().min_by_key(place);
            let others = group.documents.iter().filter(|it| Some(*it) != best);
            others.for_each(|&document| looks[document as usize] = false);
        }
        let mut order: Vec<u32> = (0..)
            .zip(&looks)
            .filter_map(|(document, looks)| looks.then_some(document))
            .collect();
        let set = |&document: &u32| (joined.group_of[document as usize], document);
        let mut by_set: Vec<(u32, u32)> = order.iter().map(set).collect();
        by_set.sort_unstable();
        order.sort_unstable_by_key(|&document| rank[document as usize]);
        Self {
            joined,
            all,
            rank,
            order,
            by_set,
            goes: vec![false; rank.len()],
            ties: Vec::new(),
        }
    }

    /// Returns the ties of those that stay.
    fn ties(
        mut self,
        least: Threshold,
        most: usize,
        observer: &dyn Observer,
    ) -> Result<Vec<Tie>, Error> {
        let order = std::mem::take(&mut self.order);
        let mut rest = &*order;
        let mut together = 1;
        while !rest.is_empty() {
            if observer.is_stopped() {
                return Err(Error::Stopped);
            }
            let (some, others) = rest.split_at(rest.len().min(together));
            together = match self.look(some, least) > MANY {
                true => 1,
                false => MOST_TOGETHER.min(together * 2),
            };
            rest = others;
            if self.ties.len() > most {
                return Err(Error::Sink(too_many(most)));
            }
        }
        Ok(self.ties)
    }

    /// Looks for what is similar to those of some documents that do not go for others. Returns how many pairs were found.
    fn look(&mut self, some: &[u32], least: Threshold) -> usize {
        let set = |document: u32| self.joined.group_of[document as usize];
        let stay = some
            .iter()
            .filter(|&&document| !self.goes[document as usize]);
        let mut sets: Vec<u32> = stay.map(|&document| set(document)).collect();
        sets.sort_unstable();
        sets.dedup();
        let mut pairs = self.joined.beside(&sets, least);
        pairs.sort_unstable();
        for &document in some {
            if self.goes[document as usize] {
                continue;
            }
            let own = self.joined.group_of[document as usize];
            let start = pairs.partition_point(|pair| pair.x < own);
            let of_own = pairs[start..].iter().take_while(|pair| pair.x == own);
            self.tie(document, own, None);
            for pair in of_own {
                self.tie(document, pair.y, Some(pair));
            }
        }
        pairs.len()
    }

    /// Ties a document that stays to those of a set that are behind it. Without a pair the set is its own.
    fn tie(&mut self, document: u32, set: u32, pair: Option<&SetPair>) {
        let start = self.by_set.partition_point(|it| it.0 < set);
        let members = self.by_set[start..].iter().take_while(|it| it.0 == set);
        for &(_, other) in members {
            if self.rank[other as usize] > self.rank[document as usize] {
                let [a, b] = [document.min(other), document.max(other)];
                self.ties.push(self.made(a, b, pair));
                self.goes[other as usize] |= !self.all.candidates[other as usize].stays;
            }
        }
    }

    /// Returns the tie of two documents.
    fn made(&self, a: u32, b: u32, pair: Option<&SetPair>) -> Tie {
        let two = [a, b].map(|at| self.all.candidates[at as usize].document);
        let sizes = two.map(|document| document.shingles);
        let resemblance = match pair {
            Some(pair) => Resemblance::new(pair.overlap, pair.union),
            None => Resemblance::new(sizes[0], sizes[0]),
        };
        let measures = Measures {
            hamming: self.joined.signatures.compare(a, b).hamming,
            jaccard: resemblance.map(|it| short(it.steps())),
            weighted: Some(pair.map_or(10_000, |pair| pair.weighted.similarity)),
            shares: resemblance.map(|it| it.shares(sizes)),
        };
        Tie {
            a,
            b,
            ground: match two[0].text() == two[1].text() {
                true => Ground::EXACT,
                false => Ground::Similar,
            },
            container: None,
            measures,
        }
    }
}
