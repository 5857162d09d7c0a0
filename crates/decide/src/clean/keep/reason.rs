//! Why a rule keeps one document rather than another one, in words.

use std::fmt::{self, Display};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::clean::keep::candidate::{Candidate, Facts};
use crate::clean::keep::{Keep, KeepRule};

/// What a rule found. `to_string()` returns it as an English sentence.
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
    /// Returns the rule that keeps one document rather than another one, and what it found.
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

/// Returns the day of a date in UTC, with the time: two dates may be of one day. What is older than the history has none.
fn day(seconds: Option<i64>) -> String {
    let time = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
    time.map_or("-".to_owned(), |time| {
        time.to_zoned(TimeZone::UTC)
            .strftime("%Y-%m-%d %H:%M:%S")
            .to_string()
    })
}
