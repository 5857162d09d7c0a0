//! The rules of a SARIF report: one for each relation that is listed.

use crate::formats::ci::findings::Gravity;
use crate::formats::ci::findings::words::title;
use crate::formats::ci::sarif::model::{Configuration, Rule, RuleProperties};
use dupfind_engine::verdict::{Relation, Relations};

/// What to do about all of them.
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
    let (name, description) = match relation {
        Relation::Exact => (
            "ExactCopy",
            "The document has the same text as another one, but for case, width and white space, \
             and with --fold-han for the script.",
        ),
        Relation::Near => (
            "NearDuplicate",
            "The document is a revision or a rewritten version of another one: they have much in common \
             that few other documents have.",
        ),
        Relation::Contains => (
            "ContainedDocument",
            "Most of a document is within another one that is much longer.",
        ),
        Relation::Variant => (
            "VariantPage",
            "The document is the same page as another one, for another subject: another product, statement, \
             place or release.",
        ),
        Relation::Related => (
            "RelatedDocument",
            "The document shares something rare with another one, but little.",
        ),
        Relation::Template => (
            "TemplatePage",
            "What the document shares with another one is mostly what many documents here have.",
        ),
        Relation::Short => (
            "ShortDocument",
            "The document is like another one, and one of them is too short to judge by.",
        ),
    };
    let is_duplicate = Relations::DUPLICATES.have(relation);
    let level = level(if is_duplicate {
        Gravity::Warning
    } else {
        Gravity::Note
    });
    Rule {
        id: id(relation),
        name,
        short_description: title(relation).into(),
        full_description: description.into(),
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
