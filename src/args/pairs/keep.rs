//! The arguments that decide which document of a group stays, and which may go.

use std::ffi::OsString;

use clap::builder::PossibleValue;

use crate::args::group::group;
use crate::args::pairs::detect;
use crate::args::values::Value;
use crate::args::values::choice::{Choice, named};
use crate::args::values::share::Share;
use dupfind_decide::clean::keep::KeepRule;
use dupfind_decide::clean::ties::{ChosenDrops, Ground, Measures};
use dupfind_engine::verdict::{Relation, Relations};

group! {
/// Which document of a group stays, and which may go.
pub(crate) struct KeepArgs in DECISION {
    /// Rules for which of two documents stays; the first that distinguishes them decides (repeatable)
    ///
    /// in:GLOB: one that matches the glob, such as in:docs/current. linked: the page that most others link to. oldest,
    /// newest: by the commit that made the page, under whatever name, or the last one that touched it; else the time of
    /// the file. longest: the longer text. shortest-path: the fewer folders, then the shorter path. shortest-name: the
    /// shorter file name. field:NAME, field:NAME:min: the larger or smaller value in front matter, or in the record.
    /// home: the page of its folder, such as index or README. path: the first by its path. Where your rules decide
    /// nothing, the first record stays, and of pages home, linked, oldest, longest, shortest-name and path decide, in
    /// this order.
    #[arg(long, value_name = "RULE,...")]
    keep: Vec<KeepRules>,

    /// Relations that let a document go [default: exact; of dedup: exact,near]
    ///
    /// 'similar' is no relation: the Jaccard similarity decides alone, from --min-similarity on. It also removes pages that
    /// were made of one form for several subjects, which 'near' keeps.
    ///
    /// Only texts are compared. What is no text goes too, such as the targets of links, or the other fields of a record.
    #[arg(long, value_name = "LIST")]
    drop: Vec<Dropped>,

    /// Jaccard similarity from which on a near-duplicate goes, or all that is similar [default: 0.5; of dedup: 0.8]
    ///
    /// It is the similarity to the one that stays. A pair can be near from a much lower one on.
    #[arg(long, value_name = "T")]
    min_similarity: Option<Share>,
}
}

impl KeepArgs {
    /// Returns the rules in order.
    pub(crate) fn rules(&self) -> Vec<KeepRule> {
        self.keep
            .iter()
            .flat_map(|rules| rules.rules.clone())
            .collect()
    }

    /// Returns the similarity from which on a document goes, if it was given.
    pub(crate) fn min_similarity(&self) -> Option<f64> {
        self.min_similarity.map(|Share(least)| least)
    }

    /// Returns the choice of pairs that let a document go.
    pub(crate) fn drops(&self) -> ChosenDrops {
        ChosenDrops {
            relations: (!self.drop.is_empty()).then(|| {
                let relations = self.drop.iter().filter_map(|dropped| match dropped {
                    Dropped::Relation(relation) => Some(*relation),
                    Dropped::Similar => None,
                });
                relations.collect()
            }),
            by_similarity: self.drop.contains(&Dropped::Similar),
            least: self
                .min_similarity
                .map(|Share(least)| Measures::steps(least)),
        }
    }
}

/// Rules that are in one word, separated by commas. A comma within `{a,b}` belongs to a glob.
#[derive(Debug, Clone)]
struct KeepRules {
    rules: Vec<KeepRule>,
    typed: String,
}

impl Value for KeepRules {
    fn word(&self) -> OsString {
        self.typed.clone().into()
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut rules = Vec::new();
        let (mut start, mut depth) = (0, 0_u32);
        for (at, c) in text.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    rules.push(text[start..at].parse()?);
                    start = at + 1;
                }
                _ => {}
            }
        }
        rules.push(text[start..].parse()?);
        Ok(Self {
            rules,
            typed: text.to_owned(),
        })
    }
}

/// What lets a document go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dropped {
    Relation(Relation),
    Similar,
}

impl Choice for Dropped {
    const DELIMITER: Option<char> = Some(',');

    fn choices() -> Vec<(Self, PossibleValue)> {
        let known = Relations::DUPLICATES.iter().map(|relation| {
            let help = match relation {
                Relation::Contains => {
                    "The one that stays contains most of the other, and much more"
                }
                other => detect::help(other),
            };
            named(Self::Relation(relation), relation.as_str(), help)
        });
        let similar = "At least as similar as --min-similarity, whatever the relation is";
        let similar = named(Self::Similar, Ground::Similar.as_str(), similar);
        known.chain([similar]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_separate_rules() {
        let rules = |text: &str| KeepRules::parse(text).map(|rules| rules.rules);
        assert_eq!(
            rules("newest,path").unwrap(),
            [KeepRule::Newest, KeepRule::Path]
        );
        assert_eq!(
            rules("in:{a,b}/*").unwrap(),
            [KeepRule::In("{a,b}/*".into())]
        );
        assert!(rules("newest,").unwrap_err().contains("no rule"));
    }
}
