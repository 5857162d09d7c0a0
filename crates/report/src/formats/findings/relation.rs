//! The words of reports for CI on each relation: the one table of them.

use dupfind_engine::verdict::Relation;

/// The words for a relation.
pub(crate) struct RelationWords {
    /// The title of a finding.
    pub(crate) title: &'static str,
    /// The relation of the document of a finding to the other one, as words before the name of that one.
    pub(crate) verdict: &'static str,
    /// One such document, and several.
    pub(crate) nouns: [&'static str; 2],
    /// The name of the rule in SARIF.
    pub(crate) rule: &'static str,
    /// The meaning of the relation, in a sentence.
    pub(crate) meaning: &'static str,
}

/// Returns the words for a relation.
pub(crate) fn words(relation: Relation) -> RelationWords {
    match relation {
        Relation::Exact => RelationWords {
            title: "Copy of another document",
            verdict: "copy of",
            nouns: ["copy", "copies"],
            rule: "ExactCopy",
            meaning: "The document has the same text as another one, but for case, width, white space and Chinese script.",
        },
        Relation::Near => RelationWords {
            title: "Near-duplicate of another document",
            verdict: "near-duplicate of",
            nouns: ["near-duplicate", "near-duplicates"],
            rule: "NearDuplicate",
            meaning: "The document is a revision or a rewritten version of another one: they have much in common that \
                      few other documents have.",
        },
        Relation::Contains => RelationWords {
            title: "One document contains another one",
            verdict: "contained in",
            nouns: ["page within a page", "pages within pages"],
            rule: "ContainedDocument",
            meaning: "Most of a document is within another one that is much longer.",
        },
        Relation::Variant => RelationWords {
            title: "One page for different subjects",
            verdict: "for another subject than",
            nouns: ["variant", "variants"],
            rule: "VariantPage",
            meaning: "The document is the same page as another one, for another subject: another product, statement, \
                      place or release.",
        },
        Relation::Related => RelationWords {
            title: "Documents share rare text",
            verdict: "shares rare text with",
            nouns: ["related document", "related documents"],
            rule: "RelatedDocument",
            meaning: "The document shares something rare with another one, but little.",
        },
        Relation::Template => RelationWords {
            title: "Documents of one template",
            verdict: "of one template with",
            nouns: ["page of a template", "pages of a template"],
            rule: "TemplatePage",
            meaning: "What the document shares with another one is mostly what many documents here have.",
        },
        Relation::Short => RelationWords {
            title: "Short documents alike",
            verdict: "similar to",
            nouns: ["short document", "short documents"],
            rule: "ShortDocument",
            meaning: "The document is like another one, and one of them is too short to judge by.",
        },
    }
}
