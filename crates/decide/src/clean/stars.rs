//! Chooses the documents that stay, and the one that each of the others goes for: stars.
//!
//! A document goes only for one that stays, and only if the two are a pair that may be dropped. So no document goes for a
//! neighbour of a neighbour: the end of a chain stays, and is listed as unresolved.
//!
//! Documents are looked at in the order of the rules, the best first. One that has not been dropped stays, and all that
//! come later and are tied to it go for it. This is the greedy maximal independent set of the graph of ties: no two
//! documents that stay are tied, unless the later one contains the other.

use std::cmp::Reverse;

use crate::clean::drops::Ground;
use crate::clean::ties::{Copies, Measures, Tie};

/// The decision about a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It stays.
    Keep,
    /// It goes for this partner, which stays.
    Drop(Partner),
    /// It stays, though it is tied to a document that goes, or to one that it may not go for. This is the partner that it is
    /// most like.
    Unresolved(Partner),
}

/// The other document of the pair that decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partner {
    /// The other document.
    pub document: u32,
    /// What lets one of the two go.
    pub ground: Ground,
    /// The measures of the two.
    pub measures: Measures,
}

impl Partner {
    /// Returns the partner of a document in a tie.
    pub(in crate::clean) fn of(document: u32, tie: &Tie) -> Self {
        let shares = tie.measures.shares;
        let turned = shares.map(|[a, b]| if tie.a == document { [a, b] } else { [b, a] });
        Self {
            document: tie.other(document),
            ground: tie.ground,
            measures: Measures {
                shares: turned,
                ..tie.measures
            },
        }
    }
}

/// Returns the decision about each document. `rank` has the place of each document in the order of the rules, 0 for the
/// one that is kept before all others; no two documents have the same. `copies` are groups of documents of the same
/// text, whose pairs are not in `ties`. `stays` has the documents that never go; it is empty if there are none.
pub fn stars(rank: &[u32], ties: &[Tie], copies: &[Copies], stays: &[bool]) -> Vec<Decision> {
    let may_go = |document: u32| !stays.get(document as usize).is_some_and(|stays| *stays);
    let mut equals = Equals::new(rank, copies);
    // Of each group with the same ties the best one represents all.
    let alike = || copies.iter().filter(|group| group.have_same_ties);
    let mut leader: Vec<u32> = (0..).take(rank.len()).collect();
    for group in alike() {
        let best = group
            .documents
            .iter()
            .min_by_key(|&&document| rank[document as usize]);
        let best = *best.expect("a group has documents");
        for &document in &group.documents {
            leader[document as usize] = best;
        }
    }
    let led = |tie: &Tie| Tie {
        a: leader[tie.a as usize],
        b: leader[tie.b as usize],
        ..*tie
    };
    let ties: Vec<Tie> = ties.iter().map(led).collect();
    let mut of: Vec<Vec<&Tie>> = vec![Vec::new(); rank.len()];
    for tie in &ties {
        of[tie.a as usize].push(tie);
        of[tie.b as usize].push(tie);
    }

    let mut order: Vec<u32> = (0..).take(rank.len()).collect();
    order.sort_unstable_by_key(|&document| rank[document as usize]);
    let mut decisions = vec![Decision::Keep; rank.len()];
    for &document in &order {
        if matches!(decisions[document as usize], Decision::Drop(_))
            || leader[document as usize] != document
        {
            continue;
        }
        let mut keep_from = |tie: &Tie| {
            let other = tie.other(document);
            let is_behind = rank[other as usize] > rank[document as usize];
            let may_go = tie.may_go(other) && may_go(other);
            if is_behind && may_go && decisions[other as usize] == Decision::Keep {
                decisions[other as usize] = Decision::Drop(Partner::of(other, tie));
            }
        };
        for other in equals.kept_by(document) {
            keep_from(&exact(document, *other));
        }
        of[document as usize].iter().copied().for_each(keep_from);
    }
    // Of several that stay, it goes for the one that is most like it.
    for document in (0..).take(rank.len()) {
        let stays = |tie: &&Tie| {
            let other = tie.other(document) as usize;
            decisions[other] == Decision::Keep && rank[other] < rank[document as usize]
        };
        if matches!(decisions[document as usize], Decision::Drop(_)) {
            let keeper = equals.keeper(document);
            let keeper = keeper.filter(|&it| rank[it as usize] < rank[document as usize]);
            let copy = keeper.map(|keeper| exact(keeper, document));
            let may = of[document as usize]
                .iter()
                .copied()
                .filter(stays)
                .filter(|tie| tie.may_go(document))
                .chain(&copy);
            if let Some(tie) = may.max_by_key(|tie| likeness(tie, document, rank)) {
                decisions[document as usize] = Decision::Drop(Partner::of(document, tie));
            }
        }
    }
    let mut keeps = vec![false; rank.len()];
    for group in alike() {
        keeps[leader[group.documents[0] as usize] as usize] = true;
    }
    for decision in &decisions {
        if let Decision::Drop(partner) = decision {
            keeps[partner.document as usize] = true;
        }
    }
    for document in (0..).take(rank.len()) {
        let at = document as usize;
        if leader[at] != document {
            let copy = Partner {
                document: leader[at],
                ground: Ground::EXACT,
                measures: Measures::EQUAL,
            };
            decisions[at] = match decisions[leader[at] as usize] {
                _ if !may_go(document) => Decision::Unresolved(copy),
                Decision::Drop(partner) => Decision::Drop(partner),
                _ => Decision::Drop(copy),
            };
        } else if decisions[at] == Decision::Keep && !keeps[at] {
            let copy = equals.best_copy(document).map(|copy| exact(copy, document));
            let ties = of[document as usize].iter().copied().chain(&copy);
            let most = ties.max_by_key(|tie| likeness(tie, document, rank));
            if let Some(tie) = most {
                decisions[at] = Decision::Unresolved(Partner::of(document, tie));
            }
        }
    }
    decisions
}

/// Returns the tie of two copies.
pub(in crate::clean) fn exact(a: u32, b: u32) -> Tie {
    Tie {
        a,
        b,
        ground: Ground::EXACT,
        container: None,
        measures: Measures::EQUAL,
    }
}

/// Groups of copies that have ties of their own.
struct Equals {
    /// The documents of each group, in the order of the rules, and the first of them that stays.
    groups: Vec<(Vec<u32>, Option<u32>)>,
    /// The group of each document that is in one; empty if there are no groups.
    group_of: Vec<Option<u32>>,
}

impl Equals {
    fn new(rank: &[u32], copies: &[Copies]) -> Self {
        let own = copies.iter().filter(|group| !group.have_same_ties);
        let mut group_of = match own.clone().next() {
            None => Vec::new(),
            Some(_) => vec![None; rank.len()],
        };
        let mut groups = Vec::new();
        for (number, group) in (0_u32..).zip(own) {
            let mut documents = group.documents.clone();
            documents.sort_unstable_by_key(|&document| rank[document as usize]);
            for &document in &documents {
                group_of[document as usize] = Some(number);
            }
            groups.push((documents, None));
        }
        Self { groups, group_of }
    }

    fn group(&self, document: u32) -> Option<u32> {
        self.group_of.get(document as usize).copied().flatten()
    }

    /// Returns the copies that may go for a document that stays. Only the first document of a group that stays has any:
    /// after it, none of the others is left.
    fn kept_by(&mut self, document: u32) -> &[u32] {
        let Some(number) = self.group(document) else {
            return &[];
        };
        let (documents, keeper) = &mut self.groups[number as usize];
        match keeper {
            Some(_) => &[],
            None => {
                *keeper = Some(document);
                documents
            }
        }
    }

    /// Returns the first copy of a document that stays, which may be the document itself.
    fn keeper(&self, document: u32) -> Option<u32> {
        self.groups[self.group(document)? as usize].1
    }

    /// Returns the first other copy of a document by the rules.
    fn best_copy(&self, document: u32) -> Option<u32> {
        let (documents, _) = &self.groups[self.group(document)? as usize];
        documents.iter().copied().find(|&copy| copy != document)
    }
}

/// Returns how alike the documents of a tie are: copies most of all; of equally alike ones, the first by the rules.
fn likeness(tie: &Tie, document: u32, rank: &[u32]) -> impl Ord + use<> {
    let Measures {
        weighted, jaccard, ..
    } = tie.measures;
    let is_exact = tie.ground == Ground::EXACT;
    (
        is_exact,
        weighted,
        jaccard,
        Reverse(rank[tie.other(document) as usize]),
    )
}

/// The documents for which documents go.
#[cfg(test)]
pub(crate) fn keepers(decisions: &[Decision]) -> Vec<Option<u32>> {
    let keeper = |decision: &Decision| match decision {
        Decision::Drop(partner) => Some(partner.document),
        _ => None,
    };
    decisions.iter().map(keeper).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clean::ties::Side;
    use dupfind_engine::Relation;
    use proptest::prelude::*;

    fn tie(a: u32, b: u32, container: Option<Side>) -> Tie {
        Tie {
            a,
            b,
            ground: Ground::Relation(container.map_or(Relation::Near, |_| Relation::Contains)),
            container,
            measures: Measures::default(),
        }
    }

    fn with_same_ties(documents: Vec<u32>) -> Copies {
        Copies {
            documents,
            have_same_ties: true,
        }
    }

    #[test]
    fn a_chain_is_not_followed() {
        // 0 - 1 - 2 - 3: 1 goes for 0, and 3 for 2, which is not tied to 0.
        let ties = [tie(0, 1, None), tie(1, 2, None), tie(2, 3, None)];
        let decisions = stars(&[0, 1, 2, 3], &ties, &[], &[]);
        assert_eq!(keepers(&decisions), [None, Some(0), None, Some(2)]);
        // With the middle first, both ends go.
        let decisions = stars(&[1, 0, 2], &ties[..2], &[], &[]);
        assert_eq!(keepers(&decisions), [Some(1), None, Some(1)]);
        // The end of a chain of three is listed.
        let decisions = stars(&[0, 1, 2], &ties[..2], &[], &[]);
        assert!(matches!(decisions[2], Decision::Unresolved(partner) if partner.document == 1));
    }

    #[test]
    fn a_container_never_goes_for_its_part() {
        let ties = [tie(0, 1, Some(Side::B))];
        assert_eq!(keepers(&stars(&[1, 0], &ties, &[], &[])), [Some(1), None]);
        let decisions = stars(&[0, 1], &ties, &[], &[]);
        for decision in decisions {
            assert!(matches!(decision, Decision::Unresolved(_)));
        }
    }

    #[test]
    fn copies_go_where_their_best_one_goes() {
        let copies = [with_same_ties(vec![0, 2, 3])];
        let decisions = stars(&[3, 4, 1, 2], &[tie(0, 1, None)], &copies, &[]);
        assert_eq!(keepers(&decisions), [Some(2), Some(2), None, Some(2)]);
        let decisions = stars(&[3, 0, 1, 2], &[tie(0, 1, None)], &copies, &[]);
        assert_eq!(keepers(&decisions), [Some(1), None, Some(1), Some(1)]);
    }

    #[test]
    fn documents_that_never_go_are_kept_or_listed() {
        let copies = [with_same_ties(vec![0, 2, 3])];
        let stay = [true, true, false, false];
        let decisions = stars(&[3, 4, 1, 2], &[tie(0, 1, None)], &copies, &stay);
        assert_eq!(keepers(&decisions), [None, None, None, Some(2)]);
        for stays in [0, 1] {
            let decision = decisions[stays];
            assert!(matches!(decision, Decision::Unresolved(partner) if partner.document == 2));
        }
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
            let decisions = stars(&rank, &ties, &[], &[]);
            let goes = |document: u32| matches!(decisions[document as usize], Decision::Drop(_));
            for (document, decision) in (0..).zip(&decisions) {
                let Decision::Drop(partner) = decision else { continue };
                // Never both, never a chain, and always a pair of the engine with the keeper itself.
                prop_assert!(!goes(partner.document));
                prop_assert!(rank[partner.document as usize] < rank[document as usize]);
                let is_of_both = |tie: &&Tie| {
                    [(tie.a, tie.b), (tie.b, tie.a)].contains(&(document, partner.document))
                };
                let mut own = ties.iter().filter(is_of_both);
                prop_assert!(own.any(|tie| tie.may_go(document) && tie.ground == partner.ground));
            }
            // A document that simply stays is the keeper of another one, or has no ties.
            for document in (0..).zip(&decisions).filter(|(_, decision)| **decision == Decision::Keep).map(|(at, _)| at) {
                let is_tied = ties.iter().any(|tie| [tie.a, tie.b].contains(&document));
                prop_assert!(!is_tied || keepers(&decisions).contains(&Some(document)));
            }
            // A plan of the remaining documents drops none.
            let left: Vec<Tie> =
                ties.iter().filter(|tie| !goes(tie.a) && !goes(tie.b)).copied().collect();
            let again = stars(&rank, &left, &[], &[]);
            prop_assert!(keepers(&again).iter().all(Option::is_none));
        }

        #[test]
        fn groups_of_copies_are_decided_as_by_their_pairs((rank, ties) in graphs(), size in 2_u32..5) {
            // Each document becomes a group of copies, and each copy has every pair.
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
            let copies: Vec<Copies> = copies.into_iter().map(with_same_ties).collect();
            let grouped = keepers(&stars(&rank, &ties, &copies, &[]));
            let single = keepers(&stars(&rank, &all, &[], &[]));
            prop_assert_eq!(grouped, single);
        }

        #[test]
        fn copies_with_ties_of_their_own_are_decided_as_by_their_pairs(
            (rank, mut ties) in graphs(),
            texts in prop::collection::vec(0_usize..12, 24),
            stays in prop::collection::vec(prop::bool::weighted(0.2), 24),
        ) {
            ties.retain(|tie| texts[tie.a as usize] != texts[tie.b as usize]);
            let (mut copies, mut all) = (Vec::new(), ties.clone());
            for text in 0..12 {
                let count = u32::try_from(rank.len()).unwrap();
                let documents: Vec<u32> = (0..count).filter(|&at| texts[at as usize] == text).collect();
                for (at, &a) in documents.iter().enumerate() {
                    all.extend(documents[at + 1..].iter().map(|&b| exact(a, b)));
                }
                if documents.len() > 1 {
                    copies.push(Copies { documents, have_same_ties: false });
                }
            }
            let grouped = stars(&rank, &ties, &copies, &stays);
            prop_assert_eq!(grouped, stars(&rank, &all, &[], &stays));
        }
    }
}
