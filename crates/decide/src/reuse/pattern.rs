//! The text that all wordings of a passage have, with slots where they differ.

use crate::reuse::difference::Change;

/// A slot in a text, and what stands in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The text before the slot.
    pub before: String,
    /// The text behind the slot.
    pub after: String,
    /// What the wordings have in the slot, in their order.
    pub values: Vec<String>,
}

/// Returns the pattern of some wordings, if all differ from the first one in the same place and nowhere else. `others` are
/// the texts of the others with their differences from the first one.
#[must_use]
pub fn pattern(first: &str, others: &[(&str, &[Change])]) -> Option<Pattern> {
    let slot = &others.first()?.1.first()?.before;
    let mut values = vec![first[slot.clone()].to_owned()];
    for (text, changes) in others {
        match changes {
            [change] if change.before == *slot => {
                values.push(text[change.after.clone()].to_owned());
            }
            _ => return None,
        }
    }
    Some(Pattern {
        before: first[..slot.start].to_owned(),
        after: first[slot.end..].to_owned(),
        values,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reuse::difference::changes;

    #[test]
    fn one_place_is_a_slot_and_two_are_none() {
        let first = "Wait 30 seconds for it.";
        let with = |texts: &[&'static str]| {
            let changes: Vec<_> = texts.iter().map(|text| changes(first, text)).collect();
            let others: Vec<_> = texts
                .iter()
                .copied()
                .zip(changes.iter().map(Vec::as_slice))
                .collect();
            pattern(first, &others)
        };
        let found = with(&["Wait 60 seconds for it.", "Wait 5 seconds for it."]).unwrap();
        assert_eq!(
            (found.before.as_str(), found.after.as_str()),
            ("Wait ", " seconds for it.")
        );
        assert_eq!(found.values, ["30", "60", "5"]);
        assert_eq!(
            with(&["Wait 60 seconds for it.", "Wait 30 minutes for it."]),
            None
        );
        assert_eq!(with(&["Wait 60 minutes for them."]), None);
        assert_eq!(with(&[]), None);
    }
}
