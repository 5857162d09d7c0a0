//! The option about the language of texts for people.

use std::env;

use crate::args::group::group;
use crate::args::values::choice::choices;
use dupfind_report::language;
use dupfind_report::language::Language;

/// The variables with the locale, the most important one first.
const LOCALE: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

group! {
    /// Which language to speak.
    pub(crate) struct LangArgs in OUTPUT {
        /// Language of tables, pages and the notes of commands [default: auto]
        ///
        /// By default that of the locale (LC_ALL, LC_MESSAGES or LANG): Chinese for zh, English for all others. Machine
        /// formats, errors, warnings, progress and this help are always English.
        #[arg(hide_short_help = true, long, value_name = "LANG")]
        pub(crate) lang: Option<Lang>,
    }
    own {
        fn speak(&self) {
            language::set(self.lang.unwrap_or_default().language());
        }
    }
}

/// Which language to speak.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Lang {
    /// That of the locale
    #[default]
    Auto,
    /// English
    En,
    /// Chinese
    Zh,
}

choices!(Lang);

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
