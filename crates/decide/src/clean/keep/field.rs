//! The values of fields that rules compare.

use humantime::{format_rfc3339, parse_rfc3339_weak};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::RangeInclusive;
use std::time::{Duration, UNIX_EPOCH};

/// The first second of the year 10000, which RFC 3339 cannot write.
pub(super) const FAR: u64 = 253_402_300_800;

/// Which value of a field is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extreme {
    /// The largest one.
    Max,
    /// The smallest one.
    Min,
}

impl Extreme {
    /// Returns whether the first of two values is kept: less if it is. A document with a number is kept rather than one with
    /// another value, and that rather than one without a value.
    pub fn compare(self, a: Option<&str>, b: Option<&str>) -> Ordering {
        let (a, b) = (FieldValue::of(a), FieldValue::of(b));
        a.kind().cmp(&b.kind()).then_with(|| match self {
            Self::Max => b.compare(&a),
            Self::Min => a.compare(&b),
        })
    }
}

/// Returns whether a text means that there is no value, as programs write it.
fn is_no_value(text: &str) -> bool {
    let mut written = ["", "null", "nan", "none", "n/a"].iter();
    written.any(|none| text.eq_ignore_ascii_case(none))
}

/// The names of the months, in lower case.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Returns whether a text begins with a date whose characters do not give the order: `1/31/2023`, `31.01.2023 10:00`,
/// `Tue, 31 Jan 2023`, `May 1, 2023`, `2023-5-1`, `2023年5月1日`.
pub(super) fn is_unordered_date(text: &str) -> bool {
    let is_number = |text: &str, digits: RangeInclusive<usize>| {
        digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_small = |text: &str| is_number(text, 1..=2);
    let is_name = |text: &str| {
        let text = text.to_ascii_lowercase();
        text.len() >= 3 && MONTHS.iter().any(|name| name.starts_with(&text))
    };
    // A weekday may be before it.
    let [first, second, third] =
        first_parts(text.trim_start_matches(|c: char| c.is_alphabetic() || ", ".contains(c)));
    let [month, day, year] = first_parts(text);
    let begins_with_day = is_small(first) && (is_small(second) || is_name(second));
    let has_digit_alone = second.len() == 1 || third.len() == 1;
    begins_with_day && is_number(third, 4..=4)
        || is_number(first, 4..=4) && is_small(second) && is_small(third) && has_digit_alone
        || is_name(month) && is_small(day) && is_number(year, 4..=4)
}

/// Returns the first three parts of a date; empty ones if there are fewer.
fn first_parts(date: &str) -> [&str; 3] {
    let parts = date.split(['.', '/', '-', ' ', ',', 'T', '年', '月', '日']);
    let mut parts = parts.filter(|part| !part.is_empty());
    [(); 3].map(|()| parts.next().unwrap_or_default())
}

/// A value of a field.
enum FieldValue<'v> {
    /// A number, and its digits if it is an integer: large ones can be one number of this type.
    Number(f64, Option<i128>),
    Text(Cow<'v, str>),
    Missing,
}

impl<'v> FieldValue<'v> {
    fn of(value: Option<&'v str>) -> Self {
        let text = value.unwrap_or_default().trim();
        if is_no_value(text) {
            return Self::Missing;
        }
        match text.parse::<f64>() {
            // Sums turn -0 into 0.
            Ok(number) if number.is_finite() => Self::Number(number + 0.0, text.parse().ok()),
            _ => Self::Text(in_utc(text).map_or(Cow::Borrowed(text), Cow::Owned)),
        }
    }

    /// The kinds in the order in which they are kept.
    fn kind(&self) -> u8 {
        match self {
            Self::Number(..) => 0,
            Self::Text(_) => 1,
            Self::Missing => 2,
        }
    }

    /// Compares two values of one kind: numbers by size, everything else, such as dates, by its characters.
    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(a, x), Self::Number(b, y)) => a.total_cmp(b).then_with(|| x.cmp(y)),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            _ => Ordering::Equal,
        }
    }
}

/// Returns a time with an offset as one of UTC, without the letter at its end.
fn in_utc(text: &str) -> Option<String> {
    let (local, offset) = match text.strip_suffix('Z') {
        Some(local) => (local, "+00:00"),
        None => text.split_at_checked(text.len().checked_sub(6)?)?,
    };
    let (sign, offset) = offset.split_at_checked(1)?;
    let (hours, minutes) = offset.split_once(':')?;
    let [hours, minutes] = [hours, minutes].map(|digits| digits.parse::<u32>().ok());
    let seconds = u64::from(hours?) * 3600 + u64::from(minutes?) * 60;
    let local = parse_rfc3339_weak(local).ok()?;
    let offset = Duration::from_secs(seconds);
    let time = match sign {
        "+" => local.checked_sub(offset),
        "-" => local.checked_add(offset),
        _ => None,
    };
    let since_1970 = time?.duration_since(UNIX_EPOCH).ok()?;
    (since_1970.as_secs() < FAR).then(|| {
        let time = format_rfc3339(UNIX_EPOCH + since_1970).to_string();
        time.trim_end_matches('Z').to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;
    use proptest::prelude::*;

    #[test]
    fn numbers_dates_and_nothing() {
        for [better, worse] in table(
            "10                            | 9
             2.5                           | 2
             9007199254740993              | 9007199254740992
             2026-01-02                    | 2025-12-31
             true                          | false
             -3                            | -4
             2024-01-05T02:00:00Z          | 2024-01-05T10:00:00+09:00
             2024-01-05T01:30:00.5-00:30   | 2024-01-05 03:00:00+01:00",
        ) {
            let (better, worse) = (Some(better), Some(worse));
            let expected = Ordering::Less;
            assert_eq!(Extreme::Max.compare(better, worse), expected, "{better:?}");
            assert_eq!(Extreme::Min.compare(better, worse), Ordering::Greater);
        }
        // A number is kept rather than a text, and that rather than nothing.
        for (better, worse) in [
            ("3", "N/B"),
            ("-3", ""),
            ("b", "NaN"),
            ("a", "null"),
            ("0", "n/a"),
        ] {
            for extreme in [Extreme::Max, Extreme::Min] {
                let order = extreme.compare(Some(better), Some(worse));
                assert_eq!(order, Ordering::Less, "{better} {worse}");
            }
        }
        assert_eq!(Extreme::Max.compare(Some(""), None), Ordering::Equal);
    }

    #[test]
    fn dates_whose_characters_have_no_order() {
        for text in [
            "01/31/2023",
            "31.01.2023",
            "31-1-2023T10:00",
            "31.01.2023, 10:00",
            "1 Feb 2023 00:10:00 GMT",
            "Tue, 31 Jan 2023 10:00:00 +0100",
            "May 1, 2023",
            "december 31 2023",
            "2023-5-1",
            "2023/12/1 10:00",
            "2023年5月1日",
        ] {
            assert!(is_unordered_date(text), "{text}");
        }
        for text in [
            "2023-01-31",
            "2023-01-30T10:00:00Z",
            "2023/01/30",
            "2023年05月01日",
            "20230130",
            "2023",
            "1/2",
            "10.12.1",
            "a.b.2023",
            "v1",
            "3 men 2023",
            "",
        ] {
            assert!(!is_unordered_date(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_order_is_total(values in prop::collection::vec("(-?[0-9]{1,3}(\\.[0-9])?|-?0(\\.0)?|170000000000000000[0-3](\\.5)?|1.7e18|[a-z]{0,2}|2024-01-05T0[0-9]:00:00(Z|[+-]0[0-9]:00)?)", 3)) {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let (a, b, c) = (values[0], values[1], values[2]);
            for extreme in [Extreme::Max, Extreme::Min] {
                let compare = |a, b| extreme.compare(Some(a), Some(b));
                prop_assert_eq!(compare(a, b), compare(b, a).reverse());
                if compare(a, b).is_le() && compare(b, c).is_le() {
                    prop_assert!(compare(a, c).is_le());
                }
            }
        }
    }
}
