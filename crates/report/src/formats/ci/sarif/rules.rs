//! The rules of a SARIF report: one for each relation that is listed.

use crate::formats::ci::sarif::model::{Configuration, Rule, RuleProperties};
use crate::formats::findings::Gravity;
use crate::formats::findings::relation::words;
use dupfind_engine::verdict::{Relation, Relations};

/// Advice for all of them.
const HELP: &str = "Keep one of the documents and let the others link to it, or merge what differs. If both are \
    meant to be there, accept the pair in the baseline or leave it out with a reason. 'dupfind compare A B' shows \
    what two documents share, passage by passage.";

/// Returns the rules of the relations that are listed, in order.
pub(super) fn rules(watched: Relations) -> Vec<Rule> {
    watched.iter().map(rule).collect()
}

/// Returns the identifier of the rule of a relation.
pub(super) fn id(relation: Relation) -> String {
    format!("dupfind/{}", relation.as_str())
}

/// Returns the name of a gravity in SARIF.
pub(super) fn level(gravity: Gravity) -> &'static str {
    match gravity {
        Gravity::Error => "error",
        Gravity::Warning => "warning",
        Gravity::Note => "note",
    }
}

fn rule(relation: Relation) -> Rule {
    let words = words(relation);
    let is_duplicate = Relations::DUPLICATES.have(relation);
    let level = level(if is_duplicate {
        Gravity::Warning
    } else {
        Gravity::Note
    });
    Rule {
        id: id(relation),
        name: words.rule,
        short_description: words.title.into(),
        full_description: words.meaning.into(),
        help: HELP.into(),
        default_configuration: Configuration { level },
        properties: RuleProperties {
            tags: ["documentation", "duplicate"],
            severity: if is_duplicate {
                "warning"
            } else {
                "recommendation"
            },
        },
    }
}
