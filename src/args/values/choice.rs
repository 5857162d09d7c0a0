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
    fn choices() -> Vec<(Self, PossibleValue)>;
}

/// Makes enums choices: their variants have the names and helps of clap.
macro_rules! choices {
    ($($name:ident $(by $delimiter:literal)?),*) => {$(
        impl $crate::args::values::choice::Choice for $name {
            $(const DELIMITER: Option<char> = Some($delimiter);)?

            fn choices() -> Vec<(Self, clap::builder::PossibleValue)> {
                let all = <Self as clap::ValueEnum>::value_variants().iter();
                all.filter_map(|value| Some((*value, clap::ValueEnum::to_possible_value(value)?)))
                    .collect()
            }
        }
    )*};
}
pub(crate) use choices;

/// Returns a value with its name and help.
pub(crate) fn named<T>(value: T, name: &'static str, help: &'static str) -> (T, PossibleValue) {
    (value, PossibleValue::new(name).help(help))
}

impl<T: Choice> Value for T {
    const DELIMITER: Option<char> = <T as Choice>::DELIMITER;

    fn parse(text: &str) -> Result<Self, String> {
        let choices = T::choices();
        let found = choices.iter().find(|(_, known)| known.get_name() == text);
        found.map(|(value, _)| *value).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|(_, known)| known.get_name()).collect();
            format!("'{text}' is none of {}", names.join(", "))
        })
    }

    fn parser() -> ValueParser {
        choice(T::choices()).into()
    }

    fn word(&self) -> OsString {
        let choices = T::choices();
        let own = choices.iter().find(|(value, _)| value == self);
        own.map_or("", |(_, known)| known.get_name()).into()
    }
}

/// Returns the parser of a value by its name: each value has a name and a help. The help of the option and its errors list
/// them.
pub(crate) fn choice<T: Copy + Send + Sync + 'static>(
    values: impl IntoIterator<Item = (T, PossibleValue)>,
) -> impl TypedValueParser<Value = T> {
    let values: Vec<(T, PossibleValue)> = values.into_iter().collect();
    let offered: Vec<PossibleValue> = values.iter().map(|(_, known)| known.clone()).collect();
    PossibleValuesParser::new(offered).map(move |name| {
        let mut known = values.iter();
        let found = known.find(|(_, known)| known.get_name() == name);
        found.expect("the parser takes no other name").0
    })
}
