//! The values of a field, for the rule `field:NAME`.

use std::cmp::Ordering;

/// Which value of a field is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extreme {
    /// The largest one.
    Max,
    /// The smallest one.
    Min,
}

impl Extreme {
    /// Returns whether the first of two values is kept: less if it is. A document with the field is kept rather than
    /// one without it.
    #[must_use]
    pub fn compare(self, a: Option<&str>, b: Option<&str>) -> Ordering {
        match (a, b) {
            (Some(a), Some(b)) => match self {
                Self::Max => ascending(b, a),
                Self::Min => ascending(a, b),
            },
            (a, b) => b.is_some().cmp(&a.is_some()),
        }
    }
}

/// Compares two values: numbers by size, everything else, such as dates, by its characters. Numbers come before texts.
fn ascending(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim(), b.trim());
    // Sums turn -0 into 0.
    let number = |text: &str| {
        let number = text.parse::<f64>().ok().map(|number| number + 0.0);
        number.filter(|number| number.is_finite())
    };
    // Large integers can be one number of this type. Among them the digits decide, and others come before them.
    let integer = |text: &str| text.parse::<i128>().ok();
    match (number(a), number(b)) {
        (Some(x), Some(y)) => x.total_cmp(&y).then_with(|| integer(a).cmp(&integer(b))),
        (None, None) => a.cmp(b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_dates_and_nothing() {
        for (better, worse) in [
            (Some("10"), Some("9")),
            (Some("2.5"), Some("2")),
            (Some("9007199254740993"), Some("9007199254740992")),
            (Some("2026-01-02"), Some("2025-12-31")),
            (Some("true"), Some("false")),
            (Some("-3"), Some("-4")),
            (Some(""), None),
        ] {
            assert_eq!(
                Extreme::Max.compare(better, worse),
                Ordering::Less,
                "{better:?}"
            );
            let expected = if worse.is_some() {
                Ordering::Greater
            } else {
                Ordering::Less
            };
            assert_eq!(Extreme::Min.compare(better, worse), expected, "{better:?}");
        }
    }

    proptest! {
        #[test]
        fn the_order_is_total(values in prop::collection::vec("(-?[0-9]{1,3}(\\.[0-9])?|-?0(\\.0)?|170000000000000000[0-3](\\.5)?|1.7e18|[a-z]{0,2})", 3)) {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let (a, b, c) = (values[0], values[1], values[2]);
            prop_assert_eq!(ascending(a, b), ascending(b, a).reverse());
            if ascending(a, b).is_le() && ascending(b, c).is_le() {
                prop_assert!(ascending(a, c).is_le());
            }
        }
    }
}
