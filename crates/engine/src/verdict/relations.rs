//! What two documents are to each other: relations, sets of them, and how many pairs have each.

use serde::{Deserialize, Serialize};

/// A set of relations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relations([bool; Relation::ALL.len()]);

impl Relations {
    /// No relation.
    pub const NONE: Self = Self([false; Relation::ALL.len()]);

    /// Every relation.
    pub const ALL: Self = Self([true; Relation::ALL.len()]);

    /// Copies alone.
    pub const EXACT: Self = Self([true, false, false, false, false, false, false]);

    /// Copies, and the same text with changes.
    pub const COPIES: Self = Self([true, true, false, false, false, false, false]);

    /// The relations of two documents where one can replace the other.
    pub const DUPLICATES: Self = Self([true, true, true, false, false, false, false]);

    /// Duplicates, and the same pages for other subjects.
    pub const COPIES_OR_VARIANTS: Self = Self([true, true, true, true, false, false, false]);

    /// Returns whether a relation is in the set.
    pub fn have(self, relation: Relation) -> bool {
        self.0[relation as usize]
    }

    /// Returns whether all of some other relations are in the set.
    pub fn include(self, others: Self) -> bool {
        others.iter().all(|relation| self.have(relation))
    }

    /// Returns the relations of the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Relation> {
        Relation::ALL.into_iter().filter(move |&r| self.have(r))
    }

    /// Returns a relation and all before it.
    pub fn up_to(relation: Relation) -> Self {
        Relation::ALL
            .into_iter()
            .filter(|&r| r <= relation)
            .collect()
    }
}

impl FromIterator<Relation> for Relations {
    fn from_iter<I: IntoIterator<Item = Relation>>(relations: I) -> Self {
        let mut is_in = [false; Relation::ALL.len()];
        for relation in relations {
            is_in[relation as usize] = true;
        }
        Self(is_in)
    }
}

/// How many pairs there are of each relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts([u64; Relation::ALL.len()]);

impl Counts {
    /// Adds a number of pairs of a relation.
    pub fn add(&mut self, relation: Relation, pairs: u64) {
        self.0[relation as usize] += pairs;
    }

    /// Returns the counts without those of other pairs that are among them.
    #[must_use]
    pub fn without(mut self, others: Self) -> Self {
        for (count, other) in self.0.iter_mut().zip(others.0) {
            *count -= other;
        }
        self
    }

    /// Returns how many pairs there are of some relations.
    pub fn of_any(self, relations: Relations) -> u64 {
        self.only(relations).total()
    }

    /// Returns the counts of some relations. All others are 0.
    #[must_use]
    pub fn only(self, relations: Relations) -> Self {
        let mut counts = Self::default();
        for relation in relations.iter() {
            counts.add(relation, self.of(relation));
        }
        counts
    }

    /// Returns how many pairs there are of a relation.
    pub fn of(self, relation: Relation) -> u64 {
        self.0[relation as usize]
    }

    /// Returns how many pairs there are.
    pub fn total(self) -> u64 {
        self.0.iter().sum()
    }
}

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
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|relation| relation.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_are_a_set() {
        let some: Relations = [Relation::Template, Relation::Exact].into_iter().collect();
        assert!(some.iter().eq([Relation::Exact, Relation::Template]));
        assert!(!some.have(Relation::Near));
        assert!(Relations::up_to(Relation::Template).include(some));
        assert!(!some.include(Relations::DUPLICATES));
        let names: Vec<&str> = Relations::DUPLICATES.iter().map(Relation::as_str).collect();
        assert_eq!(names, ["exact", "near", "contains"]);
    }
}
