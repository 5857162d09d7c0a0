//! Numbers as people read them.

use std::fmt::Display;

/// Returns a number with its noun, which is put into the plural unless the number is one: `1 copy`,
/// `2 copies`.
pub(crate) fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    if count == N::from(1) {
        return format!("{count} {noun}");
    }
    match noun.strip_suffix('y') {
        Some(stem) => format!("{count} {stem}ies"),
        None if noun.ends_with("ch") => format!("{count} {noun}es"),
        None => format!("{count} {noun}s"),
    }
}

/// Returns a number with commas between thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns the first and the last line of a range: `3`, or `3-80`.
pub(crate) fn line_numbers<N: Display + PartialEq>((first, last): (N, N)) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first}-{last}")
    }
}

/// Returns `line 3` or `lines 3-80`.
pub(crate) fn line_range(lines: (usize, usize)) -> String {
    let noun = if lines.0 == lines.1 { "line" } else { "lines" };
    format!("{noun} {}", line_numbers(lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        for (number, expected) in [(1, "1"), (1234, "1,234"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), expected);
        }
    }

    #[test]
    fn nouns_follow_their_numbers() {
        for (count, noun, expected) in [
            (1, "copy", "1 copy"),
            (0, "more entry", "0 more entries"),
            (2, "stretch", "2 stretches"),
            (3, "document", "3 documents"),
        ] {
            assert_eq!(counted::<u64>(count, noun), expected);
        }
    }
}
