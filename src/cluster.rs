//! Clusters: the connected components of the reported pairs, by union-find (union by size with path
//! halving, Tarjan and van Leeuwen 1984).

use crate::document::DocId;

/// Documents that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    /// The member a user would keep: the longest text; of equally long ones the first by name.
    pub representative: DocId,
    /// All members, ascending.
    pub documents: Vec<DocId>,
}

/// Takes the length of every document's text and the pairs, and returns the clusters of two or more
/// documents, the largest first and those of equal size by their first member.
#[must_use]
pub fn clusters(
    lengths: &[usize],
    pairs: impl IntoIterator<Item = (DocId, DocId)>,
) -> Vec<Cluster> {
    let mut forest = Forest::new(lengths.len());
    for (a, b) in pairs {
        forest.union(a.index(), b.index());
    }
    let mut members: Vec<Vec<DocId>> = vec![Vec::new(); lengths.len()];
    for index in 0..lengths.len() {
        let id = DocId::new(index).expect("documents were numbered before");
        members[forest.root(index)].push(id);
    }
    let mut clusters: Vec<Cluster> = members
        .into_iter()
        .filter(|documents| documents.len() > 1)
        .map(|documents| {
            let longest = |&id: &DocId| (lengths[id.index()], std::cmp::Reverse(id));
            let representative = *documents
                .iter()
                .max_by_key(|id| longest(id))
                .expect("not empty");
            Cluster {
                representative,
                documents,
            }
        })
        .collect();
    clusters.sort_unstable_by_key(|c| (std::cmp::Reverse(c.documents.len()), c.documents[0]));
    clusters
}

/// The union-find forest.
struct Forest {
    parent: Vec<usize>,
    size: Vec<u32>,
}

impl Forest {
    fn new(count: usize) -> Self {
        Self {
            parent: (0..count).collect(),
            size: vec![1; count],
        }
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let (large, small) = if self.size[a] >= self.size[b] {
            (a, b)
        } else {
            (b, a)
        };
        self.parent[small] = large;
        self.size[large] += self.size[small];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ids(numbers: &[u32]) -> Vec<DocId> {
        numbers.iter().map(|&n| DocId::from(n)).collect()
    }

    fn pairs(numbers: &[(u32, u32)]) -> Vec<(DocId, DocId)> {
        numbers
            .iter()
            .map(|&(a, b)| (DocId::from(a), DocId::from(b)))
            .collect()
    }

    #[test]
    fn the_longest_represents_and_the_largest_comes_first() {
        let found = clusters(&[5, 9, 9, 1, 2, 3], pairs(&[(0, 5), (1, 2), (2, 4)]));
        let expected = [
            Cluster {
                representative: DocId::from(1),
                documents: ids(&[1, 2, 4]),
            },
            Cluster {
                representative: DocId::from(0),
                documents: ids(&[0, 5]),
            },
        ];
        assert_eq!(found, expected);
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
            let found = clusters(&[7; 40], pairs(&edges));
            prop_assert_eq!(&found, &clusters(&[7; 40], pairs(&turned)));
            let mut members: Vec<_> = found.into_iter().map(|c| c.documents).collect();
            members.sort_unstable();
            prop_assert_eq!(members, by_search(40, &edges));
        }
    }
}
