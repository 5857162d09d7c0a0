//! The options about how text is cut.

use std::num::NonZeroUsize;

use clap::builder::PossibleValue;
use dupfind_engine::Options;
use dupfind_engine::text::units::ShingleUnit;

use crate::args::group::group;
use crate::args::values::choice::{Choice, named};

group! {
    /// How text is cut.
    pub(crate) struct TextArgs in TEXT {
        /// Units in a shingle [default: 3]
        #[arg(hide_short_help = true, long, value_name = "N")]
        shingle_size: Option<NonZeroUsize>,

        /// What a unit is [default: auto]
        #[arg(hide_short_help = true, long, value_name = "UNIT")]
        shingle_unit: Option<ShingleUnit>,

        /// Compare texts that were read from scans, with the wrong letters that are in them
        ///
        /// A shingle is then 5 letters, ideographs or digits, and letters that are mistaken for each other are the same
        /// (o and 0, long s and f, m and rn). So words may be cut at the ends of lines, and a wrong letter changes 5
        /// shingles of a page instead of all with that word.
        #[arg(hide_short_help = true, long, conflicts_with_all = ["shingle_size", "shingle_unit"])]
        ocr: bool,
    }
}

impl TextArgs {
    /// Returns the options of the engine with these arguments.
    pub(crate) fn added_to(&self, options: Options) -> Options {
        let (size, unit) = match self.ocr {
            true => (Options::OCR_SHINGLE_SIZE, ShingleUnit::Ocr),
            false => (
                self.shingle_size.unwrap_or(options.shingle_size),
                self.shingle_unit.unwrap_or(ShingleUnit::Auto),
            ),
        };
        Options {
            shingle_size: size,
            shingle_unit: unit,
            ..options
        }
    }
}

impl Choice for ShingleUnit {
    fn choices() -> Vec<(Self, PossibleValue)> {
        vec![
            named(
                Self::Auto,
                "auto",
                "A character of Chinese and Japanese, a word of everything else",
            ),
            named(Self::Char, "char", "A letter, ideograph or digit"),
            named(Self::Word, "word", "A word, Chinese cut by jieba"),
        ]
    }
}
