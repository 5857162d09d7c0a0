//! How it is decided what stays.

use dupfind_decide::clean::keep::KeepRule;
use dupfind_decide::clean::ties::{Drops, Measures};
use dupfind_engine::verdict::Relation;
use pyo3::prelude::*;

use crate::errors::OptionError;
use crate::options::{Words, relations};

/// The rules that decide what stays, and what may go.
#[derive(Debug, Clone)]
pub(crate) struct Deciding {
    pub(crate) rules: Vec<KeepRule>,
    pub(crate) drops: Drops,
}

impl Deciding {
    pub(crate) fn new(
        keep: Option<Words>,
        drop: Option<Words>,
        min_drop: Option<f64>,
    ) -> PyResult<Self> {
        let rules = keep.map_or_else(Vec::new, Words::into_all).into_iter();
        let rules = rules.map(|rule| rule.trim().parse());
        let rules = rules
            .collect::<Result<Vec<KeepRule>, String>>()
            .map_err(|reason| OptionError::new_err(format!("keep: {reason}")))?;
        let relations = match drop {
            None => Drops::COPIES.relations,
            Some(words) => relations("drop", words)?,
        };
        let duplicates = dupfind_engine::verdict::Relations::DUPLICATES;
        if let Some(other) = relations
            .iter()
            .find(|&relation| !duplicates.have(relation))
        {
            let names: Vec<&str> = duplicates.iter().map(Relation::as_str).collect();
            return Err(OptionError::new_err(format!(
                "drop: a document goes only if it is {}, and not {}",
                names.join(", "),
                other.as_str()
            )));
        }
        let least = min_drop.unwrap_or_else(|| Measures::number(Drops::LEAST));
        if !(0.0..=1.0).contains(&least) {
            return Err(OptionError::new_err(
                "min_drop: expected a number from 0 to 1, such as 0.5",
            ));
        }
        Ok(Self {
            rules,
            drops: Drops {
                relations,
                least: Measures::steps(least),
            },
        })
    }
}
