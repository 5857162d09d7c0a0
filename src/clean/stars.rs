//! Chooses the documents that stay, and the one that each of the others goes for: stars.
//!
//! A document goes only for one that stays, and only if the two are a pair that may be dropped. So no document goes for a
//! neighbour of a neighbour: the end of a chain stays, and is listed as unresolved.
//!
//! Documents are looked at in the order of the rules, the best first. One that has not been dropped stays, and all that
//! come later and are tied to it go for it. This is the greedy maximal independent set of the graph of ties: no two
//! documents that stay are tied, unless the later one contains the other.

use std::cmp::Reverse;

use crate::clean::ties::{Measures, Tie};
use crate::engine::pair::relation::Relation;

/// What becomes of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It stays.
    Stays,
    /// It goes.
    Goes(Going),
    /// It stays, though it is tied to a document that goes, or to one that it may not go for.
    Unresolved(Loose),
}

/// Why a document goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Going {
    /// The document that stays for it.
    pub keeper: u32,
    /// What the two are to each other.
    pub relation: Relation,
    /// The measures of the two.
    pub measures: Measures,
}

/// Why a document that is tied to another one stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loose {
    /// The document it is most like.
    pub other: u32,
    /// What the two are to each other.
    pub relation: Relation,
    /// The measures of the two.
    pub measures: Measures,
}

/// Returns what becomes of each document. `rank` has the place of each document in the order of the rules, 0 for the one
/// that is kept before all others; no two documents have the same. `copies` are groups of documents of the same text, of
/// which only the first is in `ties`.
#[must_use]
pub fn stars(rank: &[u32], ties: &[Tie], copies: &[Vec<u32>]) -> Vec<Fate> {
    // Of each group of copies the best one stands for all.
    let mut leader: Vec<u32> = (0..).take(rank.len()).collect();
    for group in copies {
        let best = group
            .iter()
            .min_by_key(|&&document| rank[document as usize]);
        let best = *best.expect("a group has documents");
        for &document in group {
            leader[document as usize] = best;
        }
    }
    let led = |tie: &Tie| Tie {
        a: leader[tie.a as usize],
        b: leader[tie.b as usize],
        ..*tie
    };
    let ties: Vec<Tie> = ties.iter().map(led).collect();
    let of = TiesOf::new(rank.len(), &ties);

    let mut order: Vec<u32> = (0..).take(rank.len()).collect();
    order.sort_unstable_by_key(|&document| rank[document as usize]);
    let mut fates = vec![Fate::Stays; rank.len()];
    for &document in &order {
        if matches!(fates[document as usize], Fate::Goes(_))
            || leader[document as usize] != document
        {
            continue;
        }
        for tie in of.document(document) {
            let other = tie.other(document);
            let is_behind = rank[other as usize] > rank[document as usize];
            if is_behind && tie.may_go(other) && fates[other as usize] == Fate::Stays {
                fates[other as usize] = Fate::Goes(Going {
                    keeper: document,
                    relation: tie.relation,
                    measures: tie.measures,
                });
            }
        }
    }
    // Of several that stay, it goes for the one that is most like it.
    for document in (0..).take(rank.len()) {
        let stays = |tie: &&Tie| {
            let other = tie.other(document) as usize;
            fates[other] == Fate::Stays && rank[other] < rank[document as usize]
        };
        if matches!(fates[document as usize], Fate::Goes(_)) {
            let may = of
                .document(document)
                .filter(stays)
                .filter(|tie| tie.may_go(document));
            if let Some(tie) = may.max_by_key(|tie| likeness(tie, document, rank)) {
                fates[document as usize] = Fate::Goes(Going {
                    keeper: tie.other(document),
                    relation: tie.relation,
                    measures: tie.measures,
                });
            }
        }
    }
    let mut keeps = vec![false; rank.len()];
    for group in copies {
        keeps[leader[group[0] as usize] as usize] = true;
    }
    for fate in &fates {
        if let Fate::Goes(going) = fate {
            keeps[going.keeper as usize] = true;
        }
    }
    for document in (0..).take(rank.len()) {
        let at = document as usize;
        if leader[at] != document {
            fates[at] = match fates[leader[at] as usize] {
                Fate::Goes(going) => Fate::Goes(going),
                _ => Fate::Goes(Going {
                    keeper: leader[at],
                    relation: Relation::Exact,
                    measures: Measures::EQUAL,
                }),
            };
        } else if fates[at] == Fate::Stays && !keeps[at] {
            let ties = of.document(document);
            let most = ties.max_by_key(|tie| likeness(tie, document, rank));
            if let Some(tie) = most {
                fates[at] = Fate::Unresolved(Loose {
                    other: tie.other(document),
                    relation: tie.relation,
                    measures: tie.measures,
                });
            }
        }
    }
    fates
}

/// Returns how alike the documents of a tie are: copies most of all; of equally alike ones, the first by the rules.
fn likeness(tie: &Tie, document: u32, rank: &[u32]) -> impl Ord + use<> {
    let Measures {
        weighted, jaccard, ..
    } = tie.measures;
    let is_exact = tie.relation == Relation::Exact;
    (
        is_exact,
        weighted,
        jaccard,
        Reverse(rank[tie.other(document) as usize]),
    )
}

/// The ties of each document.
struct TiesOf<'t> {
    ties: &'t [Tie],
    /// Where the ties of each document begin in `positions`; one more at the end.
    starts: Vec<usize>,
    positions: Vec<u32>,
}

impl<'t> TiesOf<'t> {
    fn new(documents: usize, ties: &'t [Tie]) -> Self {
        let mut starts = vec![0_usize; documents + 1];
        for tie in ties {
            starts[tie.a as usize + 1] += 1;
            starts[tie.b as usize + 1] += 1;
        }
        for at in 0..documents {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut positions = vec![0_u32; ties.len() * 2];
        for (position, tie) in (0..).zip(ties) {
            for document in [tie.a, tie.b] {
                positions[next[document as usize]] = position;
                next[document as usize] += 1;
            }
        }
        Self {
            ties,
            starts,
            positions,
        }
    }

    fn document(&self, document: u32) -> impl Iterator<Item = &'t Tie> + '_ {
        let at = document as usize;
        let positions = &self.positions[self.starts[at]..self.starts[at + 1]];
        positions
            .iter()
            .map(|&position| &self.ties[position as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clean::ties::Side;
    use proptest::prelude::*;

    fn tie(a: u32, b: u32, container: Option<Side>) -> Tie {
        Tie {
            a,
            b,
            relation: container.map_or(Relation::Near, |_| Relation::Contains),
            container,
            measures: Measures::default(),
        }
    }

    fn keepers(fates: &[Fate]) -> Vec<Option<u32>> {
        let keeper = |fate: &Fate| match fate {
            Fate::Goes(going) => Some(going.keeper),
            _ => None,
        };
        fates.iter().map(keeper).collect()
    }

    #[test]
    fn a_chain_is_not_followed() {
        // 0 - 1 - 2 - 3: 1 goes for 0, and 3 for 2, which is not tied to 0.
        let ties = [tie(0, 1, None), tie(1, 2, None), tie(2, 3, None)];
        let fates = stars(&[0, 1, 2, 3], &ties, &[]);
        assert_eq!(keepers(&fates), [None, Some(0), None, Some(2)]);
        // With the middle first, both ends go.
        let fates = stars(&[1, 0, 2], &ties[..2], &[]);
        assert_eq!(keepers(&fates), [Some(1), None, Some(1)]);
        // The end of a chain of three is listed.
        let fates = stars(&[0, 1, 2], &ties[..2], &[]);
        assert!(matches!(fates[2], Fate::Unresolved(loose) if loose.other == 1));
    }

    #[test]
    fn what_contains_another_never_goes_for_it() {
        let ties = [tie(0, 1, Some(Side::B))];
        assert_eq!(keepers(&stars(&[1, 0], &ties, &[])), [Some(1), None]);
        let fates = stars(&[0, 1], &ties, &[]);
        assert!(fates.iter().all(|fate| matches!(fate, Fate::Unresolved(_))));
    }

    #[test]
    fn copies_go_where_their_best_one_goes() {
        let copies = [vec![0, 2, 3]];
        let fates = stars(&[3, 4, 1, 2], &[tie(0, 1, None)], &copies);
        assert_eq!(keepers(&fates), [Some(2), Some(2), None, Some(2)]);
        let fates = stars(&[3, 0, 1, 2], &[tie(0, 1, None)], &copies);
        assert_eq!(keepers(&fates), [Some(1), None, Some(1), Some(1)]);
    }

    prop_compose! {
        fn graphs()(
            count in 1_u32..24,
            seeds in prop::collection::vec((any::<u32>(), any::<u32>(), 0_u8..4), 0..60),
            turn in any::<u32>(),
        ) -> (Vec<u32>, Vec<Tie>) {
            let ties = seeds.into_iter().filter_map(|(a, b, kind)| {
                let (a, b) = (a % count, b % count);
                let container = [None, None, Some(Side::A), Some(Side::B)][usize::from(kind)];
                (a < b).then(|| tie(a, b, container))
            });
            // Some permutation: multiplication by a number that has no divisor in common with a prime above.
            let rank: Vec<(u64, u32)> = (0..count)
                .map(|at| ((u64::from(at) + 1) * (u64::from(turn) | 1) % 1_000_003, at))
                .collect();
            let mut sorted = rank.clone();
            sorted.sort_unstable();
            let rank = rank.iter().map(|of| sorted.binary_search(of).unwrap());
            (rank.map(|at| u32::try_from(at).unwrap()).collect(), ties.collect())
        }
    }

    proptest! {
        #[test]
        fn a_document_that_goes_is_tied_to_one_that_stays((rank, ties) in graphs()) {
            let fates = stars(&rank, &ties, &[]);
            let goes = |document: u32| matches!(fates[document as usize], Fate::Goes(_));
            for (document, fate) in (0..).zip(&fates) {
                let Fate::Goes(going) = fate else { continue };
                // Never both, never a chain, and always a pair of the engine with the keeper itself.
                prop_assert!(!goes(going.keeper));
                prop_assert!(rank[going.keeper as usize] < rank[document as usize]);
                let is_of_both = |tie: &&Tie| {
                    [(tie.a, tie.b), (tie.b, tie.a)].contains(&(document, going.keeper))
                };
                let mut own = ties.iter().filter(is_of_both);
                prop_assert!(own.any(|tie| tie.may_go(document) && tie.relation == going.relation));
            }
            // A document that simply stays is the keeper of another one, or has no ties.
            for document in (0..).zip(&fates).filter(|(_, fate)| **fate == Fate::Stays).map(|(at, _)| at) {
                let is_tied = ties.iter().any(|tie| [tie.a, tie.b].contains(&document));
                prop_assert!(!is_tied || keepers(&fates).contains(&Some(document)));
            }
            // A plan of what is left drops no document.
            let left: Vec<Tie> =
                ties.iter().filter(|tie| !goes(tie.a) && !goes(tie.b)).copied().collect();
            let again = stars(&rank, &left, &[]);
            prop_assert!(keepers(&again).iter().all(Option::is_none));
        }

        #[test]
        fn groups_of_copies_are_what_their_pairs_are((rank, ties) in graphs(), size in 2_u32..5) {
            // Each document becomes a group of copies, of which each has every pair.
            let count = u32::try_from(rank.len()).unwrap();
            let copies: Vec<Vec<u32>> =
                (0..count).map(|at| (0..size).map(|copy| at + copy * count).collect()).collect();
            let rank: Vec<u32> = (0..size).flat_map(|copy| rank.iter().map(move |r| r * size + copy)).collect();
            let mut all: Vec<Tie> = Vec::new();
            for tie in &ties {
                for (x, y) in (0..size).flat_map(|x| (0..size).map(move |y| (x, y))) {
                    all.push(Tie { a: tie.a + x * count, b: tie.b + y * count, ..*tie });
                }
            }
            for group in &copies {
                for (at, &a) in group.iter().enumerate() {
                    all.extend(group[at + 1..].iter().map(|&b| tie(a, b, None)));
                }
            }
            let grouped = keepers(&stars(&rank, &ties, &copies));
            let single = keepers(&stars(&rank, &all, &[]));
            prop_assert_eq!(grouped, single);
        }
    }
}
