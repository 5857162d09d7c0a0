//! A share of a whole.

use crate::args::values::size::number;

number!(
    /// A share from 0 to 1.
    Share(f64),
    share
);

/// Returns a share from 0 to 1 of `5%` or `0.05`.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let expected = || {
        format!(
            "'{text}' is not a share: expected a percentage such as 5%, or a number from 0 to 1"
        )
    };
    let (number, whole) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim(), 100.0),
        None => (text, 1.0),
    };
    let number: f64 = number.parse().map_err(|_| expected())?;
    let share = number / whole;
    if (0.0..=1.0).contains(&share) {
        Ok(share)
    } else {
        Err(expected())
    }
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn shares() {
        assert_eq!(share("5%").unwrap().to_string(), "0.05");
        assert_eq!(share("0.5").unwrap().to_string(), "0.5");
        for text in ["5", "", "%", "-1%", "NaN", "101%"] {
            assert!(share(text).unwrap_err().contains("such as 5%"), "{text}");
        }
    }
}
