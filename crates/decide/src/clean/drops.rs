//! Which pairs let a document go.

use dupfind_engine::Options;
use dupfind_engine::{Containment, Relation, Relations, Threshold};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What lets a document of a pair go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// The relation of the two.
    Relation(Relation),
    /// Their similarity alone, whatever their relation is: see [`Drops::by_similarity`].
    Similar,
}

impl Ground {
    /// That of equal texts.
    pub const EXACT: Self = Self::Relation(Relation::Exact);

    /// Returns its name, as `--drop` has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Relation(relation) => relation.as_str(),
            Self::Similar => "similar",
        }
    }
}

impl Serialize for Ground {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'d> Deserialize<'d> for Ground {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let of_relation = Relation::named(&name).map(Self::Relation);
        let similar = (name == Self::Similar.as_str()).then_some(Self::Similar);
        let unknown = || serde::de::Error::custom(format!("there is no relation '{name}'"));
        of_relation.or(similar).ok_or_else(unknown)
    }
}

/// Which pairs make a tie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drops {
    /// The relations that let a document go.
    pub relations: Relations,
    /// Whether the Jaccard similarity alone lets a document go, whatever the relation is.
    pub by_similarity: bool,
    /// The least Jaccard similarity, in ten-thousandths: of near-duplicates, and of all pairs if it decides alone. Where it
    /// was not measured, it does not matter to near-duplicates.
    pub least: u16,
    /// Whether a document goes for one of another title, too. Copies have one title.
    pub over_titles: bool,
}

impl Drops {
    /// The default of the least similarity: half of the text of both.
    pub const LEAST: u16 = 5_000;

    /// Copies alone. No text is lost with a copy, but the text that only one of two near-duplicates has would be gone.
    pub const COPIES: Self = Self {
        relations: Relations::EXACT,
        by_similarity: false,
        least: Self::LEAST,
        over_titles: true,
    };

    /// Copies and near-copies of records. The text of such a record is there once more, but for a few words.
    pub const RECORDS: Self = Self {
        relations: Relations::COPIES,
        by_similarity: false,
        least: 8_000,
        over_titles: false,
    };

    /// All relations of possible copies, for records that must not be in another set. Variants are among them: where a
    /// record and its edited form both have copies, the two are more like their copies than like each other.
    pub const LEAKS: Self = Self {
        relations: Relations::COPIES_OR_VARIANTS,
        by_similarity: false,
        least: 0,
        over_titles: true,
    };

    /// Returns the pairs that let a document go by default. `of_records` tells whether the documents are records, and
    /// `has_sides` whether they are compared with another set.
    pub fn usual(of_records: bool, has_sides: bool) -> Self {
        match (of_records, has_sides) {
            (true, true) => Self::LEAKS,
            (true, false) => Self::RECORDS,
            (false, _) => Self::COPIES,
        }
    }

    /// Returns whether a document of a pair may go.
    pub fn admit(self, relation: Relation, jaccard: Option<u16>) -> bool {
        let is_alike = jaccard.is_none_or(|jaccard| jaccard >= self.least);
        let needs_likeness = Self::needs_likeness(relation);
        let by_relation = self.relations.have(relation) && (!needs_likeness || is_alike);
        by_relation || self.admit_similar(relation, jaccard)
    }

    /// Returns whether the documents of a pair of this relation must be similar.
    fn needs_likeness(relation: Relation) -> bool {
        matches!(relation, Relation::Near | Relation::Short)
    }

    /// Returns whether no pair lets a document go that is less similar than [`Self::least`].
    pub fn need_likeness(self) -> bool {
        let mut others = self.relations.iter().filter(|it| *it != Relation::Exact);
        others.all(Self::needs_likeness)
    }

    /// Returns whether a document of a pair may go by its similarity alone. Equal texts are similar.
    pub(in crate::clean) fn admit_similar(self, relation: Relation, jaccard: Option<u16>) -> bool {
        let is_alike = jaccard.is_some_and(|jaccard| jaccard >= self.least);
        self.by_similarity && (is_alike || relation == Relation::Exact)
    }

    /// Returns the names of what lets a document go, as a user types them.
    pub fn names(self) -> Vec<&'static str> {
        let relations = self.relations.iter().map(Relation::as_str);
        let similar = self.by_similarity.then_some(Ground::Similar.as_str());
        relations.chain(similar).collect()
    }

    /// Returns whether other relations than that of equal texts decide.
    pub fn need_relations(self) -> bool {
        !Relations::EXACT.include(self.relations)
    }

    /// Returns whether documents go by their similarity alone: what is similar to those that stay is enough then.
    pub fn need_similarity_alone(self) -> bool {
        self.by_similarity && !self.need_relations()
    }

    /// Returns options that find all pairs which let a document go. Where no relation but that of equal texts decides, they
    /// find no others: relations depend on the neighbours of a pair, similarities do not. With `has_sides` equal texts are
    /// found as pairs, and not by their hashes, so that it is not so then.
    ///
    /// # Errors
    ///
    /// The similarity is 0, which every pair has.
    pub fn finding(self, engine: Options, has_sides: bool) -> Result<Options, String> {
        let least = match self.by_similarity {
            true => Threshold::new(self.least.into(), 10_000)
                .ok_or("with 'similar' it is above 0, such as 0.8")?,
            false => Threshold::ONE,
        };
        if !has_sides && !self.need_relations() {
            return Ok(Options {
                min_jaccard: least,
                min_weighted: None,
                containment: None,
                ..engine
            });
        }
        Ok(match engine.min_jaccard.is_above(least) {
            true => Options {
                min_jaccard: least,
                ..engine
            },
            false => engine,
        })
    }
}

/// The choice of a user for [`Drops`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChosenDrops {
    /// The relations that let a document go.
    pub relations: Option<Relations>,
    /// See [`Drops::by_similarity`].
    pub by_similarity: bool,
    /// See [`Drops::least`].
    pub least: Option<u16>,
}

impl ChosenDrops {
    /// Returns the choice, with the values of `usual` for those that are missing.
    pub fn or(self, usual: Drops) -> Drops {
        Drops {
            relations: self.relations.unwrap_or(usual.relations),
            by_similarity: self.by_similarity || usual.by_similarity,
            least: self.least.unwrap_or(usual.least),
            over_titles: self.relations.is_some() || self.by_similarity || usual.over_titles,
        }
    }
}

/// Returns options that find short records within longer ones, too.
pub fn finding_leaks(engine: Options) -> Options {
    Options {
        containment: engine.containment.or(Some(Containment::OF_LEAKS)),
        ..engine
    }
}
