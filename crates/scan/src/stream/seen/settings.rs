//! The options that a state was made with, and how they differ from those requested now.

use serde::{Deserialize, Serialize};

use crate::stream::seen::parts::PartOptions;
use crate::stream::seen::sizes::{DEFAULT_MEMORY, Sizes, size};
use dupfind_engine::text::cutter::CUT_VERSION;

/// The options that a state was made with. How texts are cut must be the same for a part to be found again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeenOptions {
    shingle_unit: String,
    shingle_size: u64,
    cut_version: u32,
    memory: Option<u64>,
    window: Option<u64>,
}

/// An option that a state was made with and another one that is requested now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}, not {asked}", kept_in_words(name, kept.as_deref()))]
pub struct Difference {
    /// The name of the option, for people.
    pub name: &'static str,
    /// Its value in the state, if it was given.
    pub kept: Option<String>,
    /// Its value now.
    pub asked: String,
}

fn kept_in_words(name: &str, kept: Option<&str>) -> String {
    kept.map_or_else(|| format!("no {name}"), |kept| format!("{name} {kept}"))
}

impl SeenOptions {
    /// Returns the options of a state, as they were given.
    pub fn new(cutting: PartOptions, sizes: Sizes) -> Self {
        Self {
            shingle_unit: cutting.unit.as_str().into(),
            shingle_size: cutting.size.get() as u64,
            cut_version: CUT_VERSION,
            memory: sizes.memory,
            window: sizes.window,
        }
    }

    /// Returns the options that differ from those requested now. A size that is not requested now does not differ.
    pub fn differences(&self, asked: &Self) -> Vec<Difference> {
        let both = self.values().into_iter().zip(asked.values());
        let different = both.filter_map(|((name, kept), (_, asked))| {
            let kept = kept.or_else(|| (name == "memory").then(|| size(DEFAULT_MEMORY)));
            let asked = asked.filter(|asked| kept.as_ref() != Some(asked))?;
            Some(Difference { name, kept, asked })
        });
        different.collect()
    }

    /// Returns the options in words. Different values are different texts.
    fn values(&self) -> [(&'static str, Option<String>); 5] {
        let number = |number: Option<u64>| number.map(|number| number.to_string());
        let version = Some(self.cut_version.to_string());
        [
            ("the version of cutting texts", version),
            ("shingle_unit", Some(self.shingle_unit.clone())),
            ("shingle_size", number(Some(self.shingle_size))),
            ("memory", self.memory.map(size)),
            ("window", number(self.window)),
        ]
    }

    /// Returns the requested sizes.
    pub(super) fn sizes(&self) -> Sizes {
        Sizes {
            memory: self.memory,
            window: self.window,
        }
    }
}
