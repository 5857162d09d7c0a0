//! The arguments about how text is cut and weighed.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use dupfind_engine::Options;
use dupfind_engine::fingerprint::idf::Idf;
use dupfind_engine::text::units::ShingleUnit;

use crate::args::headings::TEXT;
use crate::args::values::choice::choice;
use crate::args::values::size;

/// How text is cut and weighed.
#[derive(Debug, clap::Args)]
pub(crate) struct TextArgs {
    #[command(flatten)]
    pub(crate) cut: CutArgs,

    /// Where the weights of terms come from: 'dictionary' or a file
    ///
    /// 'dictionary' is jieba's own table. A file has lines 'term weight'.
    #[arg(long, value_name = "SOURCE", value_parser = idf_source, default_value = "dictionary", help_heading = TEXT)]
    pub(crate) idf: IdfArg,
}

/// Where the weights of terms come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum IdfArg {
    Dictionary,
    /// A file of lines `term weight`.
    File(PathBuf),
}

impl IdfArg {
    /// Returns the source. A file is read here.
    ///
    /// # Errors
    ///
    /// The file cannot be read as UTF-8, or has a line that is not a term and its weight.
    pub(crate) fn source(&self) -> Result<Arc<Idf>> {
        Ok(Arc::new(match self {
            Self::Dictionary => Idf::Dictionary,
            Self::File(path) => {
                let name = path.display();
                let text =
                    fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
                Idf::parse(&text).map_err(|(line, reason)| anyhow!("{name}:{line}: {reason}"))?
            }
        }))
    }
}

/// How text is cut.
#[derive(Debug, clap::Args)]
pub(crate) struct CutArgs {
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
    /// Returns the options of the engine with these arguments. A file of weights is read here.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub(crate) fn added_to(&self, options: Options) -> Result<Options> {
        Ok(Options {
            shingle_size: self.cut.shingle_size(),
            shingle_unit: self.cut.shingle_unit(),
            idf: self.idf.source()?,
            ..options
        })
    }
}

impl CutArgs {
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

fn idf_source(text: &str) -> Result<IdfArg, String> {
    match text {
        "dictionary" => Ok(IdfArg::Dictionary),
        path if Path::new(path).exists() => Ok(IdfArg::File(path.into())),
        path => Err(format!(
            "there is no file '{path}': expected 'dictionary' or the path of a file"
        )),
    }
}
