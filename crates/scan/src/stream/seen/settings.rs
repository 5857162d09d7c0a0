//! The options that a state was made with, and how they differ from those requested now.

use serde::{Deserialize, Serialize};

use crate::stream::seen::asked::{Asked, Rate, size};
use crate::stream::seen::parts::PartOptions;
use dupfind_engine::text::cutter::CUT_VERSION;
use dupfind_engine::text::han::Han;

/// The options that a state was made with. How texts are cut must be the same for a part to be found again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeenOptions {
    by: String,
    shingle_unit: String,
    shingle_size: u64,
    fold_han: bool,
    cut_version: u32,
    memory: Option<u64>,
    expected_documents: Option<u64>,
    false_positive_rate: Option<Rate>,
    parts_per_document: Option<u64>,
    window: Option<u64>,
}

/// An option that a state was made with and another one that is requested now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What is different, as people call it.
    pub name: &'static str,
    /// Its value in the state, if it was given.
    pub kept: Option<String>,
    /// Its value now.
    pub asked: String,
}

impl SeenOptions {
    /// Returns the options of a state, as they were given.
    pub fn new(cutting: PartOptions, asked: &Asked) -> Self {
        Self {
            by: cutting.by.as_str().into(),
            shingle_unit: cutting.unit.as_str().into(),
            shingle_size: cutting.size.get() as u64,
            fold_han: cutting.han == Han::Folded,
            cut_version: CUT_VERSION,
            memory: asked.memory,
            expected_documents: asked.documents,
            false_positive_rate: asked.rate,
            parts_per_document: asked.parts,
            window: asked.window,
        }
    }

    /// Returns the options that differ from those requested now. A size that is not requested now does not differ.
    pub fn differences(&self, asked: &Self) -> Vec<Difference> {
        let both = self.values().into_iter().zip(asked.values());
        let different = both.filter_map(|((name, kept), (_, asked))| {
            let asked = asked.filter(|asked| kept.as_ref() != Some(asked))?;
            Some(Difference { name, kept, asked })
        });
        different.collect()
    }

    /// Returns the options as they are typed. Different values are different texts.
    fn values(&self) -> [(&'static str, Option<String>); 10] {
        let number = |number: Option<u64>| number.map(|number| number.to_string());
        let rate = self.false_positive_rate.map(|rate| rate.get().to_string());
        let version = Some(self.cut_version.to_string());
        [
            ("the version of cutting texts", version),
            ("--by", Some(self.by.clone())),
            ("--shingle-unit", Some(self.shingle_unit.clone())),
            ("--shingle-size", number(Some(self.shingle_size))),
            ("--fold-han", Some(self.fold_han.to_string())),
            ("--memory", self.memory.map(size)),
            ("--expected-documents", number(self.expected_documents)),
            ("--false-positive-rate", rate),
            ("--parts-per-document", number(self.parts_per_document)),
            ("--window", number(self.window)),
        ]
    }

    /// Returns how many of the last documents are to be remembered, if not all.
    pub(super) fn window(&self) -> Option<u64> {
        self.window
    }

    /// Returns the rate of false positives that was requested, or the default one.
    pub(super) fn rate(&self) -> Rate {
        self.false_positive_rate.unwrap_or(Rate::DEFAULT)
    }
}
