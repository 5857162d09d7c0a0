//! The parser of options with a few values that have names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

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
