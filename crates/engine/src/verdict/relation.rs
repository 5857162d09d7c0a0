//! What two documents are to each other.

use serde::{Deserialize, Serialize};

/// What two documents are to each other, copies first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// The normalised texts are equal, but for white space.
    Exact,
    /// They are near-duplicates: a copy, a revision, a rewritten text.
    Near,
    /// One contains most of the other, and much more.
    Contains,
    /// They are the same page for another subject: another product, statement, place or release.
    Variant,
    /// They share some text, and it is rare.
    Related,
    /// They share common text.
    Template,
    /// One of them is too short to judge.
    Short,
}

impl Relation {
    /// All relations, in order.
    pub const ALL: [Self; 7] = [
        Self::Exact,
        Self::Near,
        Self::Contains,
        Self::Variant,
        Self::Related,
        Self::Template,
        Self::Short,
    ];

    /// Returns its name in options and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Near => "near",
            Self::Contains => "contains",
            Self::Variant => "variant",
            Self::Related => "related",
            Self::Template => "template",
            Self::Short => "short",
        }
    }

    /// Returns the relation of a name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|relation| relation.as_str() == name)
    }
}
