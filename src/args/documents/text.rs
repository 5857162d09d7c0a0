//! The arguments about how text is cut.

use std::num::NonZeroUsize;

use dupfind_engine::Options;
use dupfind_engine::text::units::ShingleUnit;

use crate::args::headings::TEXT;
use crate::args::values::choice::choice;
use crate::args::values::size;

/// How text is cut.
#[derive(Debug, clap::Args)]
pub(crate) struct TextArgs {
    /// Units in a shingle
    #[arg(long, value_name = "N", value_parser = size::count::<NonZeroUsize>, default_value_t = Options::SHINGLE_SIZE, help_heading = TEXT)]
    shingle_size: NonZeroUsize,

    /// What a unit is
    #[arg(long, value_parser = choice(UNITS), value_name = "UNIT", default_value = "auto", help_heading = TEXT)]
    shingle_unit: ShingleUnit,

    /// Compare texts that were read from scans, with the wrong letters that are in them
    ///
    /// A shingle is then 5 letters, ideographs or digits, and letters that are mistaken for each other are the same
    /// (o and 0, long s and f, m and rn). So words may be cut at the ends of lines, and a wrong letter changes 5
    /// shingles of a page instead of all with that word.
    #[arg(hide_short_help = true, long, conflicts_with_all = ["shingle_size", "shingle_unit"], help_heading = TEXT)]
    ocr: bool,
}

impl TextArgs {
    /// Returns the options of the engine with these arguments.
    pub(crate) fn added_to(&self, options: Options) -> Options {
        Options {
            shingle_size: self.shingle_size(),
            shingle_unit: self.shingle_unit(),
            ..options
        }
    }

    /// Returns how many units a shingle has.
    pub(crate) fn shingle_size(&self) -> NonZeroUsize {
        if self.ocr {
            Options::OCR_SHINGLE_SIZE
        } else {
            self.shingle_size
        }
    }

    /// Returns what a unit is.
    pub(crate) fn shingle_unit(&self) -> ShingleUnit {
        if self.ocr {
            ShingleUnit::Ocr
        } else {
            self.shingle_unit
        }
    }
}

/// The units.
const UNITS: [(ShingleUnit, &str, &str); 3] = [
    (
        ShingleUnit::Auto,
        "auto",
        "A character of Chinese and Japanese, a word of everything else",
    ),
    (ShingleUnit::Char, "char", "A letter, ideograph or digit"),
    (ShingleUnit::Word, "word", "A word, Chinese cut by jieba"),
];
