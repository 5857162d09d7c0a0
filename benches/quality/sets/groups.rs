//! All reported pairs next to the groups that documents truly belong to. Random negatives are hardly ever alike; those that
//! a tool reports are what a user meets.

use std::collections::HashMap;
use std::path::Path;

use super::tool::Reported;
use crate::metrics::Decision;
use crate::support::labels::rows;

/// Returns the decisions to call a pair a duplicate, and to call it a duplicate or a variant, over all pairs that are
/// reported or within a group. `None` if there is no table of groups.
pub(super) fn by_group(
    groups: &Path,
    found: &HashMap<(String, String), Reported>,
) -> Option<[Decision; 2]> {
    if !groups.exists() {
        return None;
    }
    let rows = rows(groups);
    let group_of: HashMap<&str, &str> = rows
        .iter()
        .map(|row| (row[0].as_str(), row[1].as_str()))
        .collect();
    let mut sizes: HashMap<&str, u32> = HashMap::new();
    for group in group_of.values() {
        *sizes.entry(group).or_default() += 1;
    }
    let within: u32 = sizes.values().map(|size| size * (size - 1) / 2).sum();
    let mut decisions = [Decision::default(); 2];
    for ((a, b), pair) in found {
        let (Some(a), Some(b)) = (group_of.get(&**a), group_of.get(&**b)) else {
            continue;
        };
        let is_duplicate = pair.is_duplicate();
        let taken = [is_duplicate, is_duplicate || pair.relation == "variant"];
        for (decision, taken) in decisions.iter_mut().zip(taken) {
            decision.add(taken, a == b);
        }
    }
    // Pairs within groups that were not reported.
    for decision in &mut decisions {
        decision.false_negatives = within - decision.true_positives;
    }
    Some(decisions)
}
