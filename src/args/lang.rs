//! The argument about the language of texts for people.

use std::env;

use clap::ValueEnum;

use crate::args::headings::OUTPUT;
use dupfind_report::language::Language;

/// The variables with the locale, the most important one first.
const LOCALE: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

/// Which language to speak.
#[derive(Debug, Default, Clone, Copy, clap::Args)]
pub(crate) struct LangArgs {
    /// Language of tables, pages and the notes of commands
    ///
    /// By default that of the locale (LC_ALL, LC_MESSAGES or LANG): Chinese for zh, English for all others. Machine
    /// formats, errors, warnings, progress and this help are always English.
    #[arg(hide_short_help = true, long, value_enum, value_name = "LANG", default_value_t = Lang::Auto, help_heading = OUTPUT)]
    lang: Lang,
}

/// Which language to speak.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lang {
    /// That of the locale
    #[default]
    Auto,
    /// English
    En,
    /// Chinese
    Zh,
}

impl Lang {
    pub(crate) fn language(self) -> Language {
        match self {
            Self::Auto => of_locale(),
            Self::En => Language::English,
            Self::Zh => Language::Chinese,
        }
    }
}

/// Returns the language of the locale, from the environment.
fn of_locale() -> Language {
    let values = LOCALE.iter().filter_map(env::var_os);
    let locale = values.into_iter().find(|value| !value.is_empty());
    let locale = locale.as_deref().unwrap_or_default();
    Language::of_locale(&locale.to_string_lossy())
}
