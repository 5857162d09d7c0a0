//! Options of the engine, from what a caller in Python says.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use dupfind::{default_memory_limit, parse_size};
use dupfind_engine::collection::store::Budget;
use dupfind_engine::detect::{Detector, Detectors, Require};
use dupfind_engine::join::threshold::{Containment, Threshold};
use dupfind_engine::text::han::Han;
use dupfind_engine::text::units::ShingleUnit;
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::Relations;
use dupfind_engine::{IdfSource, Options};
use pyo3::prelude::*;

use crate::errors::OptionError;

/// A number, or a word.
#[derive(FromPyObject)]
pub(crate) enum NumberOrWord {
    Number(f64),
    Word(String),
}

/// A number of bytes, or a text such as `2G`.
#[derive(FromPyObject)]
pub(crate) enum Size {
    Bytes(u64),
    Text(String),
}

/// One word, or several.
#[derive(FromPyObject)]
pub(crate) enum Words {
    One(String),
    Several(Vec<String>),
}

impl Words {
    /// Returns all words. Commas separate them in one text, too.
    pub(crate) fn into_all(self) -> Vec<String> {
        match self {
            Self::One(words) => words.split(',').map(str::to_owned).collect(),
            Self::Several(words) => words,
        }
    }
}

/// What makes a pair.
#[derive(Default)]
pub(crate) struct Thresholds {
    pub(crate) min_jaccard: Option<f64>,
    pub(crate) max_hamming: Option<u32>,
    pub(crate) min_containment: Option<f64>,
    pub(crate) min_weighted: Option<NumberOrWord>,
    pub(crate) cluster_on: Option<Words>,
}

impl Thresholds {
    /// Returns options with these thresholds; what is not said stays.
    pub(crate) fn of(self, mut options: Options) -> PyResult<Options> {
        if let Some(least) = self.min_jaccard {
            options.min_jaccard = threshold("min_jaccard", least)?;
        }
        if let Some(most) = self.max_hamming {
            if most > 63 {
                return Err(OptionError::new_err(format!(
                    "max_hamming: {most} is more than 63, the bits of a fingerprint but one"
                )));
            }
            options.max_hamming = most;
        }
        if let Some(least) = self.min_containment {
            options.containment = Some(Containment {
                least: threshold("min_containment", least)?,
                min_size: Options::MIN_CONTAINED,
            });
        }
        if let Some(least) = self.min_weighted {
            let text = match least {
                NumberOrWord::Number(number) => number.to_string(),
                NumberOrWord::Word(word) => word,
            };
            let parsed = text.parse();
            options.min_weighted =
                parsed.map_err(|reason| OptionError::new_err(format!("min_weighted: {reason}")))?;
        }
        if let Some(relations) = self.cluster_on {
            options.cluster_on = self::relations("cluster_on", relations)?;
        }
        Ok(options)
    }
}

/// How texts are cut.
#[derive(Default)]
pub(crate) struct Cutting {
    pub(crate) shingle_size: Option<usize>,
    pub(crate) shingle_unit: Option<String>,
    pub(crate) fold_han: bool,
}

impl Cutting {
    /// Returns options that cut texts so.
    pub(crate) fn of(self, mut options: Options) -> PyResult<Options> {
        if let Some(unit) = self.shingle_unit {
            let units = [
                ShingleUnit::Auto,
                ShingleUnit::Char,
                ShingleUnit::Word,
                ShingleUnit::Ocr,
            ];
            options.shingle_unit = named("shingle_unit", &unit, units, ShingleUnit::as_str)?;
            if options.shingle_unit == ShingleUnit::Ocr {
                options.shingle_size = Options::OCR_SHINGLE_SIZE;
            }
        }
        if let Some(size) = self.shingle_size {
            options.shingle_size = NonZeroUsize::new(size)
                .ok_or_else(|| OptionError::new_err("shingle_size: expected at least 1"))?;
        }
        if self.fold_han {
            options.han = Han::Folded;
        }
        Ok(options)
    }
}

/// How a run works.
#[derive(Default)]
pub(crate) struct Running {
    pub(crate) threads: usize,
    pub(crate) memory_limit: Option<Size>,
    pub(crate) temp_dir: Option<PathBuf>,
}

impl Running {
    /// Returns options of a run that works so.
    pub(crate) fn of(self, mut options: Options) -> PyResult<Options> {
        options.threads = self.threads;
        let limit = match self.memory_limit {
            None => default_memory_limit(),
            Some(size) => bytes("memory_limit", size)?,
        };
        if let Some(folder) = self.temp_dir.as_ref().filter(|folder| !folder.is_dir()) {
            let folder = folder.display();
            return Err(OptionError::new_err(format!(
                "temp_dir: no folder {folder}"
            )));
        }
        options.budget = Budget {
            limit: Some(limit),
            temp_dir: self.temp_dir,
        };
        Ok(options)
    }
}

/// Which detectors run, and where weights come from.
#[derive(Default)]
pub(crate) struct Detection {
    pub(crate) detectors: Option<Words>,
    pub(crate) require: Option<String>,
    pub(crate) idf: Option<String>,
}

impl Detection {
    /// Returns options with these detectors.
    pub(crate) fn of(self, mut options: Options) -> PyResult<Options> {
        if let Some(words) = self.detectors {
            let known = [
                Detector::Simhash,
                Detector::Shingle,
                Detector::SuperShingle,
                Detector::IMatch,
            ];
            let mut detectors = Detectors::NONE;
            for word in words.into_all() {
                let detector = named("detectors", &word, known, Detector::as_str)?;
                detectors = detectors.with(detector, true);
            }
            if detectors.is_empty() {
                return Err(OptionError::new_err("detectors: expected at least one"));
            }
            options.detectors = detectors;
        }
        if let Some(require) = self.require {
            let known = [Require::Any, Require::All];
            options.require = named("require", &require, known, Require::as_str)?;
        }
        if let Some(idf) = self.idf {
            let word = named("idf", &idf, ["dictionary", "corpus"], |word| word)?;
            options.idf = match word {
                "corpus" => IdfSource::Corpus,
                _ => IdfSource::Dictionary,
            };
        }
        Ok(options)
    }
}

/// Returns a number of bytes.
pub(crate) fn bytes(option: &str, size: Size) -> PyResult<u64> {
    match size {
        Size::Bytes(bytes) => Ok(bytes),
        Size::Text(text) => {
            parse_size(&text).map_err(|reason| OptionError::new_err(format!("{option}: {reason}")))
        }
    }
}

/// Returns the threshold that a number means.
pub(crate) fn threshold(name: &str, number: f64) -> PyResult<Threshold> {
    let threshold = Threshold::from_number(number);
    threshold.map_err(|reason| OptionError::new_err(format!("{name}: {reason}")))
}

/// Returns relations by their names.
pub(crate) fn relations(option: &str, words: Words) -> PyResult<Relations> {
    let found = words.into_all().into_iter();
    found
        .map(|word| named(option, &word, Relation::ALL, Relation::as_str))
        .collect()
}

/// Returns the value of this name.
pub(crate) fn named<T: Copy, const N: usize>(
    option: &str,
    word: &str,
    values: [T; N],
    name: impl Fn(T) -> &'static str,
) -> PyResult<T> {
    let found = values.into_iter().find(|&value| name(value) == word.trim());
    found.ok_or_else(|| {
        let names = values.map(|value| format!("'{}'", name(value)));
        OptionError::new_err(format!(
            "{option}: '{word}' is unknown: expected {}",
            names.join(", ")
        ))
    })
}
