//! Why a rule keeps one document rather than another one, in words.

use crate::clean::keep::candidate::{Candidate, Facts};
use crate::clean::keep::field::FAR;
use crate::clean::keep::{Keep, KeepRule};
use humantime::format_rfc3339_seconds;
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
    pub fn reason(
        &self,
        candidates: &[Candidate<'_>],
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
                let lengths = two.map(|at| candidates[at].document.length.to_string());
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
