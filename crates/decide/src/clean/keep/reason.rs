//! Why a rule keeps one document rather than another one, in words, and the values of fields that it compares.

use crate::clean::keep::candidate::{Candidate, Facts};
use crate::clean::keep::{Keep, KeepRule};
use humantime::format_rfc3339_seconds;
use std::cmp::Ordering;
use std::fmt::{self, Display};
use std::time::{Duration, UNIX_EPOCH};

/// The difference that a rule found. `to_string()` returns it as an English sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The text, with a hole `{}` for each value.
    pub text: &'static str,
    /// The values.
    pub values: Vec<String>,
}

impl Reason {
    fn new(text: &'static str, values: impl IntoIterator<Item = String>) -> Self {
        Self {
            text,
            values: values.into_iter().collect(),
        }
    }
}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut values = self.values.iter();
        let mut parts = self.text.split("{}");
        f.write_str(parts.next().unwrap_or_default())?;
        for part in parts {
            f.write_str(values.next().map_or("", String::as_str))?;
            f.write_str(part)?;
        }
        Ok(())
    }
}

impl Keep {
    /// Returns the rule that keeps one document rather than another one, and the difference that it found.
    #[must_use]
    pub fn reason(
        &self,
        candidates: &[Candidate],
        facts: &Facts,
        keep: u32,
        drop: u32,
    ) -> (&KeepRule, Reason) {
        let rule = self.decided(candidates, facts, keep, drop);
        let two = [keep as usize, drop as usize];
        let days = |dates: &[Option<i64>]| two.map(|at| day(dates.get(at).copied().flatten()));
        let reason = match rule {
            KeepRule::In(glob) => Reason::new("it is in {}", [glob.clone()]),
            KeepRule::Newest => Reason::new("last changed {}, the other {}", days(&facts.changed)),
            KeepRule::Oldest => Reason::new("made {}, the other {}", days(&facts.made)),
            KeepRule::Longest => {
                let lengths = two.map(|at| candidates[at].length.to_string());
                Reason::new("it has {} bytes of text, the other {}", lengths)
            }
            KeepRule::ShortestPath => Reason::new("its path is shorter", []),
            KeepRule::ShortestName => Reason::new("its file name is shorter", []),
            KeepRule::Field(name, _) => {
                let value = |at| facts.field(name, at).unwrap_or("-").to_owned();
                let [own, other] = two.map(value);
                Reason::new("{}: {}, of the other {}", [name.clone(), own, other])
            }
            KeepRule::Path => Reason::new("its path comes first", []),
            KeepRule::Against => Reason::new("the other is compared with it", []),
            KeepRule::Home => Reason::new("it is the page of its folder", []),
            KeepRule::Linked => {
                let counts = two.map(|at| facts.linked.get(at).copied().unwrap_or_default());
                let text = "pages that link to it: {}, to the other: {}";
                Reason::new(text, counts.map(|count| count.to_string()))
            }
        };
        (rule, reason)
    }
}

/// The first second of the year 10000, which RFC 3339 cannot write.
const FAR: u64 = 253_402_300_800;

/// Returns the day of a date in UTC, with the time: two dates may be of one day. A document that is older than the
/// history has none.
fn day(seconds: Option<i64>) -> String {
    let since_1970 = seconds.and_then(|seconds| u64::try_from(seconds).ok());
    let Some(since_1970) = since_1970.filter(|&seconds| seconds < FAR) else {
        return "-".to_owned();
    };
    let time = UNIX_EPOCH + Duration::from_secs(since_1970);
    let time = format_rfc3339_seconds(time).to_string();
    time.trim_end_matches('Z').replace('T', " ")
}

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
    fn days_are_those_of_utc() {
        assert_eq!(day(Some(1_700_000_000)), "2023-11-14 22:13:20");
        assert_eq!(day(Some(0)), "1970-01-01 00:00:00");
        let last = day(i64::try_from(FAR - 1).ok());
        assert_eq!(last, "9999-12-31 23:59:59");
        for none in [None, Some(-1), i64::try_from(FAR).ok(), Some(i64::MAX)] {
            assert_eq!(day(none), "-");
        }
    }

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
