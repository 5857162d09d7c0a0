//! Clusters: the connected components of pairs, by union-find (union by size with path
//! halving, Tarjan and van Leeuwen 1984).

use std::cmp::Reverse;

use crate::features::document::DocId;

/// Documents that are connected by pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    /// The member that a user would keep: the one with the longest text. Of equally long ones it is the first by
    /// name.
    pub representative: DocId,
    /// All members, ascending.
    pub documents: Vec<DocId>,
    /// The lowest Jaccard similarity of a member to the representative, from 0 to 1; `None` if it was not measured.
    pub least_similarity: Option<f64>,
}

/// The documents that are connected so far. It needs 8 bytes for each document.
#[derive(Debug, Clone, Default)]
pub struct Forest {
    parent: Vec<u32>,
    size: Vec<u32>,
}

impl Forest {
    /// Returns a forest of so many documents, none of which are connected.
    ///
    /// # Panics
    ///
    /// If there are 2^32 documents or more.
    pub fn new(count: usize) -> Self {
        let count = u32::try_from(count).expect("documents were numbered before");
        Self {
            parent: (0..count).collect(),
            size: vec![1; count as usize],
        }
    }

    /// Returns the position that stands for all that are connected to one.
    pub(crate) fn root(&mut self, mut at: u32) -> u32 {
        while self.parent[at as usize] != at {
            let parent = self.parent[at as usize];
            self.parent[at as usize] = self.parent[parent as usize];
            at = self.parent[at as usize];
        }
        at
    }

    /// Returns whether the documents at two positions are connected.
    pub fn connects(&self, two: [usize; 2]) -> bool {
        let [a, b] = two.map(|mut at| {
            while self.parent[at] as usize != at {
                at = self.parent[at] as usize;
            }
            at
        });
        a == b
    }

    /// Connects the documents at two positions.
    pub fn union(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let (large, small) = if self.size[a as usize] >= self.size[b as usize] {
            (a, b)
        } else {
            (b, a)
        };
        self.parent[small as usize] = large;
        self.size[large as usize] += self.size[small as usize];
    }

    /// Returns the clusters of two or more documents: the largest first, those of equal size by their first member.
    /// `lengths` has the length of each document's text.
    pub fn clusters(mut self, lengths: &[usize]) -> Vec<Cluster> {
        let count = u32::try_from(lengths.len()).expect("documents were numbered before");
        let mut members: Vec<(u32, u32)> = (0..count)
            .filter_map(|at| {
                let root = self.root(at);
                (self.size[root as usize] > 1).then_some((root, at))
            })
            .collect();
        members.sort_unstable();
        let mut clusters: Vec<Cluster> = members
            .chunk_by(|x, y| x.0 == y.0)
            .map(|members| {
                let documents: Vec<DocId> = members.iter().map(|&(_, at)| at.into()).collect();
                let longest = |&&id: &&DocId| (lengths[id.index()], Reverse(id));
                let representative = documents.iter().max_by_key(longest);
                Cluster {
                    representative: *representative.expect("not empty"),
                    documents,
                    least_similarity: None,
                }
            })
            .collect();
        clusters.sort_unstable_by_key(|c| (Reverse(c.documents.len()), c.documents[0]));
        clusters
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ids(numbers: &[u32]) -> Vec<DocId> {
        numbers.iter().map(|&n| DocId::from(n)).collect()
    }

    fn clusters(lengths: &[usize], pairs: &[(u32, u32)]) -> Vec<Cluster> {
        let mut forest = Forest::new(lengths.len());
        for &(a, b) in pairs {
            forest.union(a, b);
        }
        forest.clusters(lengths)
    }

    #[test]
    fn the_longest_represents_and_the_largest_comes_first() {
        let found = clusters(&[5, 9, 9, 1, 2, 3], &[(0, 5), (1, 2), (2, 4)]);
        let told = found
            .iter()
            .map(|cluster| (cluster.representative, cluster.documents.clone()));
        let expected = [(1, ids(&[1, 2, 4])), (0, ids(&[0, 5]))];
        assert!(
            told.eq(expected.map(|(id, documents)| (DocId::from(id), documents))),
            "{found:?}"
        );
    }

    /// Components by breadth-first search.
    fn by_search(count: u32, edges: &[(u32, u32)]) -> Vec<Vec<DocId>> {
        let mut seen = vec![false; count as usize];
        let mut found = Vec::new();
        for start in 0..count {
            let mut component = Vec::new();
            let mut queue = vec![start];
            while let Some(at) = queue.pop() {
                if std::mem::replace(&mut seen[at as usize], true) {
                    continue;
                }
                component.push(DocId::from(at));
                for &(a, b) in edges {
                    if a == at {
                        queue.push(b);
                    } else if b == at {
                        queue.push(a);
                    }
                }
            }
            component.sort_unstable();
            if component.len() > 1 {
                found.push(component);
            }
        }
        found.sort_unstable();
        found
    }

    proptest! {
        #[test]
        fn equals_a_search_and_ignores_the_order_of_pairs(
            edges in prop::collection::vec((0_u32..40, 0_u32..40), 0..40),
            turn in 0_usize..40,
        ) {
            let mut turned: Vec<(u32, u32)> = edges.iter().map(|&(a, b)| (b, a)).collect();
            turned.rotate_left(turn.min(edges.len()));
            let found = clusters(&[7; 40], &edges);
            prop_assert_eq!(&found, &clusters(&[7; 40], &turned));
            let mut members: Vec<_> = found.into_iter().map(|c| c.documents).collect();
            members.sort_unstable();
            prop_assert_eq!(members, by_search(40, &edges));
        }
    }
}
