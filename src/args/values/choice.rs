//! Values that have names.

use std::ffi::OsString;
use std::fmt::Debug;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};

use crate::args::values::Value;

/// A value of a few that have names.
pub(crate) trait Choice: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// The character between several values in one word.
    const DELIMITER: Option<char> = None;

    /// Returns the values, each with its name and help.
    fn choices() -> Vec<(Self, &'static str, &'static str)>;
}

impl<T: Choice> Value for T {
    const DELIMITER: Option<char> = <T as Choice>::DELIMITER;

    fn parse(text: &str) -> Result<Self, String> {
        let choices = T::choices();
        let found = choices.iter().find(|(_, name, _)| *name == text);
        found.map(|(value, _, _)| *value).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|(_, name, _)| *name).collect();
            format!("'{text}' is none of {}", names.join(", "))
        })
    }

    fn parser() -> ValueParser {
        choice(T::choices()).into()
    }

    fn word(&self) -> OsString {
        let choices = T::choices();
        let own = choices.iter().find(|(value, _, _)| value == self);
        own.map_or("", |(_, name, _)| *name).into()
    }
}

/// Returns the parser of a value by its name: each value has a name and a help. The help of the option and its errors list
/// them.
pub(crate) fn choice<T: Copy + Send + Sync + 'static>(
    values: impl IntoIterator<Item = (T, &'static str, &'static str)>,
) -> impl TypedValueParser<Value = T> {
    let values: Vec<(T, &str, &str)> = values.into_iter().collect();
    let offered = values
        .iter()
        .map(|(_, name, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(offered).map(move |name| {
        let mut known = values.iter();
        let found = known.find(|(_, known, _)| *known == name);
        found.expect("the parser takes no other name").0
    })
}
