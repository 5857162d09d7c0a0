//! The options that decide which document of a group stays, and which may go.

use clap::Args;
use clap::builder::PossibleValue;
use dupfind_decide::clean::drops::Ground;
use dupfind_decide::clean::ties::Measures;
use dupfind_decide::{ChosenDrops, KeepRule};
use dupfind_engine::{Relation, Relations};

use crate::args::DECISION;
use crate::args::output::meaning;
use crate::args::values::{self, choice, named};

/// Which document of a group stays, and which may go.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = DECISION)]
pub(crate) struct KeepArgs {
    /// Rules for which of two documents stays; the first that distinguishes them decides (repeatable)
    ///
    /// in:GLOB: one that matches the glob, such as in:docs/current. linked: the page that most others link to. oldest,
    /// newest: by the commit that made the page, under whatever name, or the last one that touched it; else the time of
    /// the file. longest: the longer text. shortest-path: the fewer folders, then the shorter path. shortest-name: the
    /// shorter file name. field:NAME, field:NAME:min: the larger or smaller value in front matter, or in the record.
    /// home: the page of its folder, such as index or README. path: the first by its path. Where your rules decide
    /// nothing, the first record stays, and of pages home, linked, oldest, longest, shortest-name and path decide, in
    /// this order.
    #[arg(long, value_name = "RULE,...", value_parser = rules)]
    keep: Vec<KeepRules>,

    /// Relations that let a document go [default: exact; of dedup: exact,near]
    ///
    /// In dedup, near-copies with different titles stay unless this option is given.
    ///
    /// 'similar' is no relation: the Jaccard similarity decides alone, from --min-similarity on. It also removes pages that
    /// were made of one form for several subjects, which 'near' keeps.
    ///
    /// Only texts are compared. What is no text goes too, such as the targets of links, or the other fields of a record.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = choice(dropped()))]
    drop: Vec<Dropped>,

    /// Jaccard similarity from which on a near-duplicate goes, or all that is similar [default: 0.5; of dedup: 0.8]
    ///
    /// It is the similarity to the one that stays. A pair can be near from a much lower one on.
    #[arg(long, value_name = "T", value_parser = values::share)]
    pub(crate) min_similarity: Option<f64>,
}

/// Pages that something leads to.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = DECISION)]
pub(crate) struct LinkedArgs {
    /// Let pages go that other files of the repository mention
    ///
    /// A page stays by default if its name is in a link, in navigation or in configuration, in any text file around it. The
    /// places are named, so that you can change them and make a new plan.
    #[arg(long)]
    pub(crate) even_if_linked: bool,
}

/// Rules that are in one word.
type KeepRules = Vec<KeepRule>;

/// What lets a document go: a relation, or with `None` the similarity alone.
type Dropped = Option<Relation>;

impl KeepArgs {
    /// Returns the rules in order.
    pub(crate) fn rules(&self) -> Vec<KeepRule> {
        self.keep.concat()
    }

    /// Returns the choice of pairs that let a document go.
    pub(crate) fn drops(&self) -> ChosenDrops {
        let relations = || self.drop.iter().flatten().copied().collect();
        ChosenDrops {
            relations: (!self.drop.is_empty()).then(relations),
            by_similarity: self.drop.contains(&None),
            least: self.min_similarity.map(Measures::steps),
        }
    }
}

/// Returns rules, which commas separate. A comma within `{a,b}` belongs to a glob.
fn rules(text: &str) -> Result<KeepRules, String> {
    let mut depth = 0_u32;
    let parts = text.split(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(str::parse).collect()
}

fn dropped() -> Vec<(Dropped, PossibleValue)> {
    let relations = Relations::DUPLICATES.iter().chain([Relation::Short]);
    let known = relations.map(|relation| {
        let help = match relation {
            Relation::Contains => "The one that stays contains most of the other, and much more",
            other => meaning(other),
        };
        named(Some(relation), relation.as_str(), help)
    });
    let similar = "At least as similar as --min-similarity, whatever the relation is";
    known
        .chain([named(None, Ground::Similar.as_str(), similar)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_separate_rules() {
        let expected = [KeepRule::Newest, KeepRule::Path];
        assert_eq!(rules("newest,path").unwrap(), expected);
        let expected = [KeepRule::In("{a,b}/*".into())];
        assert_eq!(rules("in:{a,b}/*").unwrap(), expected);
        assert!(rules("newest,").unwrap_err().contains("no rule"));
    }
}
