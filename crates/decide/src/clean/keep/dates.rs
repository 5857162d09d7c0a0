//! The values of a field that a rule compares, and how their dates are written.

use std::borrow::Cow;

/// The months as mails write them.
const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// What programs write for no value, in lower case.
const NO_VALUE: [&str; 5] = ["", "null", "nan", "none", "n/a"];

/// Returns whether a text means that there is no value.
pub(super) fn is_no_value(text: &str) -> bool {
    NO_VALUE.iter().any(|none| text.eq_ignore_ascii_case(none))
}

/// The values of a field of some documents.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The value of each document.
    pub values: Vec<Option<String>>,
    dates: Dates,
}

/// How the dates of a field are written. Only if all are of one kind, they can be ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dates {
    /// As ISO 8601 has it, or there are none: the characters give the order.
    Plain,
    /// `31.01.2023`, perhaps with a time.
    Dotted,
    /// `Tue, 31 Jan 2023 10:00:00 +0100`, as RFC 2822 has it.
    Mail,
    /// In several ways, or in one that does not tell the day from the month. This is the position of such a value.
    Unclear(usize),
}

impl Field {
    /// Returns a field with its values.
    pub fn new(name: String, values: Vec<Option<String>>) -> Self {
        let dates = Dates::of(&values);
        Self {
            name,
            values,
            dates,
        }
    }

    /// Returns the value of a document, with the day as ISO 8601 writes it.
    pub(super) fn ordered(&self, at: usize) -> Option<Cow<'_, str>> {
        let value = self.values.get(at)?.as_deref()?;
        let iso = match self.dates {
            Dates::Dotted => dotted(value),
            Dates::Mail => mail(value),
            Dates::Plain | Dates::Unclear(_) => None,
        };
        Some(iso.map_or(Cow::Borrowed(value), Cow::Owned))
    }

    /// Returns a value that is a date and cannot be ordered among the others, if there is one.
    pub(super) fn unclear(&self) -> Option<&str> {
        match self.dates {
            Dates::Unclear(at) => self.values[at].as_deref(),
            _ => None,
        }
    }
}

impl Dates {
    fn of(values: &[Option<String>]) -> Self {
        let given = values.iter().enumerate();
        let given = given.filter_map(|(at, value)| Some((at, value.as_deref()?.trim())));
        let given = given.filter(|(_, value)| !is_no_value(value));
        let mut all: Option<Self> = None;
        for (at, value) in given {
            let own = match () {
                () if dotted(value).is_some() => Self::Dotted,
                () if mail(value).is_some() => Self::Mail,
                () if day_and_month(value).is_some() => Self::Unclear(at),
                () => Self::Plain,
            };
            match all {
                _ if matches!(own, Self::Unclear(_)) => return own,
                Some(all) if all != own => return Self::Unclear(at),
                _ => all = Some(own),
            }
        }
        all.unwrap_or(Self::Plain)
    }
}

/// Returns the two numbers that a text begins with, a year behind them, and the rest: `1/31/2023 10:00`.
fn day_and_month(text: &str) -> Option<(char, [u32; 3], &str)> {
    let end = text
        .find(|c: char| c.is_whitespace() || c == ',' || c == 'T')
        .unwrap_or(text.len());
    let (day, rest) = text.split_at(end);
    let sign = day.chars().find(|c| !c.is_ascii_digit())?;
    let mut parts = day.split(sign);
    let mut number = |digits: std::ops::RangeInclusive<usize>| {
        let part = parts.next().filter(|part| digits.contains(&part.len()))?;
        part.parse().ok()
    };
    let numbers = [number(1..=2)?, number(1..=2)?, number(4..=4)?];
    let is_whole = parts.next().is_none() && matches!(sign, '.' | '/' | '-');
    is_whole.then_some((sign, numbers, rest))
}

/// Returns the ISO date of `31.01.2023`, with what is behind it.
fn dotted(text: &str) -> Option<String> {
    let ('.', [day, month, year], rest) = day_and_month(text)? else {
        return None;
    };
    let is_day = (1..=31).contains(&day) && (1..=12).contains(&month);
    is_day.then(|| format!("{year:04}-{month:02}-{day:02}{rest}"))
}

/// Returns the ISO time of `Tue, 31 Jan 2023 10:00:00 +0100`.
fn mail(text: &str) -> Option<String> {
    let text = text.split_once(',').map_or(text, |(_, date)| date);
    let mut words = text.split_whitespace();
    let day: u32 = words.next()?.parse().ok().filter(|day| *day <= 31)?;
    let month = words.next()?.to_ascii_lowercase();
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let year: u32 = words.next().filter(|year| year.len() == 4)?.parse().ok()?;
    let mut time = words.next()?.to_owned();
    if time.len() == "10:00".len() {
        time.push_str(":00");
    }
    let zone = match words.next() {
        None | Some("GMT" | "UT" | "UTC" | "Z") => "Z".to_owned(),
        Some(zone) => {
            let (hours, minutes) = zone.split_at_checked(3)?;
            format!("{hours}:{minutes}")
        }
    };
    Some(format!("{year:04}-{month:02}-{day:02}T{time}{zone}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clean::keep::reason::Extreme;

    fn field(values: &[&str]) -> Field {
        let values = values.iter().map(|value| Some((*value).to_owned()));
        Field::new("date".into(), values.collect())
    }

    #[test]
    fn dates_of_one_kind_have_their_order() {
        for values in [
            // Each is later than the one before.
            &["31.12.2022", "1.2.2023", "02.02.2023 09:00", "n/a"][..],
            &[
                "Tue, 31 Jan 2023 10:00:00 +0100",
                "Tue, 31 Jan 2023 09:30:00 GMT",
                "1 Feb 2023 00:10 -0500",
            ],
            &["2022-12-31", "2023-01-30T10:00:00Z"],
        ] {
            let field = field(values);
            assert_eq!(field.unclear(), None, "{values:?}");
            for later in 1..values.len().min(3) {
                if is_no_value(values[later]) {
                    continue;
                }
                let [a, b] = [later, later - 1].map(|at| field.ordered(at));
                let order = Extreme::Max.compare(a.as_deref(), b.as_deref());
                assert!(order.is_lt(), "{values:?} {later}");
            }
        }
    }

    #[test]
    fn dates_of_several_kinds_have_none() {
        for (values, unclear) in [
            (&["2023-01-05", "01/31/2023"][..], "01/31/2023"),
            (&["31.01.2023", "2023-01-31"], "2023-01-31"),
            (&["31.01.2023", "31-01-2023"], "31-01-2023"),
            (
                &["draft", "1 Feb 2023 00:10:00 GMT"],
                "1 Feb 2023 00:10:00 GMT",
            ),
        ] {
            assert_eq!(field(values).unclear(), Some(unclear), "{values:?}");
        }
        for plain in [&["1/2", "3/4"][..], &["10.12.1", "a.b.2023"], &["v1", "v2"]] {
            assert_eq!(field(plain).unclear(), None, "{plain:?}");
        }
    }
}
