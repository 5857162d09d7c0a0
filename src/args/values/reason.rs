//! Why a value is refused.

use clap::Error;
use clap::error::{ContextKind, ContextValue};

/// Returns the error in a value, without the name of the option: the value was not typed on the command line.
pub(crate) fn reason(error: &Error) -> String {
    let context = |kind| error.get(kind);
    let own = std::error::Error::source(error);
    match (
        context(ContextKind::InvalidValue),
        context(ContextKind::ValidValue),
    ) {
        _ if own.is_some() => own.map_or_else(String::new, ToString::to_string),
        (Some(ContextValue::String(value)), Some(ContextValue::Strings(valid)))
            if !valid.is_empty() =>
        {
            let meant = match context(ContextKind::SuggestedValue) {
                Some(ContextValue::String(meant)) => format!(": did you mean '{meant}'?"),
                _ => String::new(),
            };
            format!("'{value}' is none of {}{meant}", valid.join(", "))
        }
        (Some(ContextValue::String(value)), _) if value.is_empty() => "there is no value".into(),
        _ => {
            // The first sentence, without the usage and where to find help.
            let text = error.render().to_string();
            let text = text.split("\n\n").next().unwrap_or_default();
            let lines = text.strip_prefix("error: ").unwrap_or(text).lines();
            lines.map(str::trim).collect::<Vec<_>>().join(" ")
        }
    }
}
