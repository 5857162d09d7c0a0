//! Clusters of duplicates next to the groups that documents truly belong to.

use std::collections::HashMap;
use std::path::Path;

use crate::metrics::adjusted_rand_index;
use crate::support::labels::rows;

/// Returns the adjusted Rand index of the clusters that pairs of duplicates connect; `None` if there is no table of
/// groups, or each document is a group.
pub(super) fn rand_index<'d>(
    groups: &Path,
    duplicates: impl Iterator<Item = (&'d str, &'d str)>,
) -> Option<f64> {
    if !groups.exists() {
        return None;
    }
    let rows = rows(groups);
    let positions = (0..).zip(&rows).map(|(at, row)| (row[0].as_str(), at));
    let positions: HashMap<&str, usize> = positions.collect();
    let mut parents: Vec<usize> = (0..rows.len()).collect();
    for (a, b) in duplicates {
        if let (Some(&a), Some(&b)) = (positions.get(a), positions.get(b)) {
            let (a, b) = (root(&mut parents, a), root(&mut parents, b));
            parents[a] = b;
        }
    }
    let items = (0..).zip(&rows);
    let items = items.map(|(at, row)| (row[1].as_str(), root(&mut parents, at)));
    adjusted_rand_index(&items.collect::<Vec<_>>())
}

/// Returns the root of a tree, and makes the way to it shorter.
fn root(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}
