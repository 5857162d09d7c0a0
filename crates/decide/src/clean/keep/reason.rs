//! Why a rule keeps one document rather than another one, in words.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::clean::keep::candidate::{Candidate, Facts};
use crate::clean::keep::{Keep, KeepRule};

impl Keep {
    /// Returns the rule that keeps one document rather than another one, and what it found.
    #[must_use]
    pub fn reason(
        &self,
        candidates: &[Candidate],
        facts: &Facts,
        keep: u32,
        drop: u32,
    ) -> (&KeepRule, String) {
        let rule = self.decided(candidates, facts, keep, drop);
        let [keep, drop] = [keep as usize, drop as usize];
        let of_date = |dates: &[Option<i64>], verb: &str| match [keep, drop].map(|at| day(dates.get(at).copied().flatten())) {
            [Some(own), Some(other)] if own == other => format!("it was {verb} on {own}, at another time of the day"),
            [Some(own), Some(other)] => format!("it was {verb} on {own}, the other on {other}"),
            [Some(own), None] => format!("it was {verb} on {own}; of the other no date is known"),
            _ => format!("it was {verb} before the history begins, the other later"),
        };
        let reason = match rule {
            KeepRule::In(glob) => format!("it is in {glob}"),
            KeepRule::Newest => of_date(&facts.changed, "changed"),
            KeepRule::Oldest => of_date(&facts.made, "made"),
            KeepRule::Longest => {
                let [own, other] = [keep, drop].map(|at| candidates[at].length);
                format!("it has {own} bytes of text, the other {other}")
            }
            KeepRule::ShortestPath => "its path is shorter".into(),
            KeepRule::Field(name, _) => {
                let value = |at| facts.field(name, at).map_or("none".to_owned(), |value| format!("'{value}'"));
                format!("its {name} is {}, of the other {}", value(keep), value(drop))
            }
            KeepRule::Path => "its path comes first".into(),
            KeepRule::Against => "the other is compared with it".into(),
            KeepRule::Home => "it is the page of its folder".into(),
            KeepRule::Linked => {
                let count = |at: usize| facts.linked.get(at).copied().unwrap_or_default();
                let pages = match count(keep) {
                    1 => "1 page links".into(),
                    count => format!("{count} pages link"),
                };
                format!("{pages} to it, {} to the other", count(drop))
            }
        };
        (rule, reason)
    }
}

/// Returns the day of a date; `None` if it is not known.
fn day(seconds: Option<i64>) -> Option<String> {
    let time = Timestamp::from_second(seconds?).ok()?;
    Some(time.to_zoned(TimeZone::UTC).date().to_string())
}
