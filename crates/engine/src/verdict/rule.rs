//! The rules by name, and the relation that each gives. [`super::rules`] applies them.

use serde::Serialize;

use crate::verdict::Relation;

/// A rule that decided a relation. It is one byte of every pair: its figures come from the measures of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// The texts are the same.
    SameText,
    /// The texts are the same once Traditional characters are folded.
    SameTextFolded,
    /// A document has fewer than [`JUDGEABLE`](super::rules::JUDGEABLE) shingles.
    TooFewShingles,
    /// A document has fewer than [`JUDGEABLE`](super::rules::JUDGEABLE) terms, and no detector looks at shingles.
    TooFewTerms,
    /// Two documents have a few words that are alike, but their titles or the rest of their files differ.
    TooFewWords,
    /// The larger document contains the smaller one.
    Contains,
    /// The weighted similarity is high enough.
    NearWeighted,
    /// They are two versions of a page, and their weighted similarity is at least
    /// [`REWRITTEN_WEIGHTED`](super::rules::REWRITTEN_WEIGHTED), or one contains the other.
    NearVersions,
    /// The Jaccard similarity is high enough.
    NearJaccard,
    /// The texts were read from scans, and their weighted similarity is at least
    /// [`SCANNED_WEIGHTED`](super::rules::SCANNED_WEIGHTED).
    NearScanned,
    /// Without shingle sets, the signatures alone make near-duplicates.
    BySignatures,
    /// Each of the documents is [`CLOSER`](super::rules::CLOSER) times as similar to another one.
    VariantCloser,
    /// The titles of the documents differ, and so does rare text.
    VariantTitles,
    /// The titles of two documents of one folder differ, and the names of their files are those of two subjects; or the titles
    /// differ in their numbers alone, also in two folders of years; or the two have one name in folders for two subjects
    /// ([`Titles::Subjects`](super::Titles::Subjects)).
    VariantSubjects,
    /// The titles of two documents of one folder differ, and the names of their files differ in version numbers alone
    /// ([`Titles::Releases`](super::Titles::Releases)).
    VariantReleases,
    /// The documents share common text, and it is most of what they have, or of what the smaller one has.
    VariantTemplate,
    /// The documents share little text, and it is rare.
    Related,
    /// The same, of two documents for two subjects or releases ([`Titles::Subjects`](super::Titles::Subjects),
    /// [`Titles::Releases`](super::Titles::Releases)).
    RelatedSubjects,
    /// The documents share no shingle: only their signatures are similar.
    RelatedBySignatures,
    /// The documents share code, and their prose is not alike.
    RelatedCode,
    /// One of the texts repeats few words: any others of these words are as similar.
    RelatedRepeated,
    /// The shared text is common.
    Template,
}

impl Rule {
    /// Returns the relation that the rule gives.
    pub fn relation(self) -> Relation {
        match self {
            Self::SameText | Self::SameTextFolded => Relation::Exact,
            Self::TooFewShingles | Self::TooFewTerms | Self::TooFewWords => Relation::Short,
            Self::Contains => Relation::Contains,
            Self::NearWeighted
            | Self::NearVersions
            | Self::NearJaccard
            | Self::NearScanned
            | Self::BySignatures => Relation::Near,
            Self::VariantCloser
            | Self::VariantTitles
            | Self::VariantSubjects
            | Self::VariantReleases
            | Self::VariantTemplate => Relation::Variant,
            Self::Related
            | Self::RelatedSubjects
            | Self::RelatedBySignatures
            | Self::RelatedCode
            | Self::RelatedRepeated => Relation::Related,
            Self::Template => Relation::Template,
        }
    }

    /// Returns whether the documents are pages of a family: they have one form, or their names or titles say that they are for
    /// two subjects or releases.
    pub fn is_of_family(self) -> bool {
        self.tells_subjects() || matches!(self.relation(), Relation::Variant | Relation::Template)
    }

    /// Returns whether the names or titles of the documents say that they are for two subjects or releases.
    pub fn tells_subjects(self) -> bool {
        matches!(
            self,
            Self::VariantSubjects | Self::VariantReleases | Self::RelatedSubjects
        )
    }

    /// Returns the plainest rule of a relation, for examples and tests.
    pub fn of(relation: Relation) -> Self {
        match relation {
            Relation::Exact => Self::SameText,
            Relation::Short => Self::TooFewShingles,
            Relation::Contains => Self::Contains,
            Relation::Near => Self::NearWeighted,
            Relation::Variant => Self::VariantCloser,
            Relation::Related => Self::Related,
            Relation::Template => Self::Template,
        }
    }
}
