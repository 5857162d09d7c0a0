//! The verdict on two documents: what they are to each other, by which rule, and which detectors find them.
//!
//! [`judge`] decides, from the options of a run, the measures of the two, and what is known of them beside their texts: titles,
//! names, and how alike others are. Nothing else does: a scan, an index, a query and a comparison call it, or
//! [`found_by_sets`] and `found_by` where they look for candidates. A pair keeps its verdict, and every report prints that.
//!
//! * [`pair`]: a pair, its measures, and how these are made
//! * `relations`: the relations, and how many pairs have each
//! * `names`: what the names of two files tell of them
//! * `titles`: what the titles, the names and the folders of two documents tell together
//! * `rule`: the rules by name, and their relations
//! * [`rules`]: the limits, and the rules that use them
//! * [`reason`]: the reason for a verdict, with its figures and in words
//! * [`folders`]: what the name of a folder tells of the pages in it
//! * [`versions`]: which pages the versions of a site have

pub mod folders;
mod names;
pub mod pair;
mod place;
pub mod reason;
mod relations;
mod rule;
pub mod rules;
mod titles;
pub mod versions;

pub use names::{OTHER_TABLE, name_counts, name_two_releases, name_two_subjects, unnumbered};
pub use relations::{Counts, Relation, Relations};
pub use rule::Rule;
pub use titles::Titles;

use crate::detect::options::{BRIEF, Options};
use crate::detect::{Agreeing, Detector, Detectors, SignatureMeasures, i_match};
use crate::features::document::Document;
use crate::fingerprint::super_shingle;
use crate::join::threshold::WeightedThreshold;
use crate::join::weighted::Weighted;
use crate::verdict::pair::Resemblance;
use crate::verdict::rules::{rule, sketches_matter};
use crate::verdict::versions::Versions;

/// The measures of two shingle sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetMeasures {
    /// Their similarity.
    pub jaccard: Resemblance,
    /// The measures in which rare shingles weigh more.
    pub weighted: Weighted,
}

impl SetMeasures {
    /// Returns the measures of two sets with so many shingles in both and in at least one of them; `None` if both are empty.
    pub fn new(overlap: u32, union: u32, weighted: Weighted) -> Option<Self> {
        let jaccard = Resemblance::new(overlap, union)?;
        Some(Self { jaccard, weighted })
    }
}

/// Whether two documents have the same normalised text, but for white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameText {
    /// They do not.
    No,
    /// Their few words are the same, and their files are not: one includes another file, or leads to another page.
    Words,
    /// They do once Traditional characters are folded.
    Folded,
    /// They do.
    Yes,
}

/// What is known of two documents among all others.
#[derive(Clone, Copy)]
pub struct Among<'v> {
    /// [`PairMeasures::closest`].
    pub closest: Option<u16>,
    /// Which pages the versions have.
    pub versions: &'v Versions<'v>,
}

/// All measures of two documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairMeasures {
    /// Whether the texts are the same.
    pub same_text: SameText,
    /// How many distinct shingles each document has; 0 if no detector looks at shingles.
    pub shingles: [u32; 2],
    /// How many distinct terms each document has; 0 if no detector looks at terms.
    pub terms: [u32; 2],
    /// The measures of the shingle sets; `None` if the shingle detector is off.
    pub sets: Option<SetMeasures>,
    /// The measures of the signatures.
    pub signatures: SignatureMeasures,
    /// Whether one of them repeats few words: [`Document::repeats`].
    pub repeat: bool,
    /// Whether one of them has fewer than [`BRIEF`] shingles, and both have titles that differ, and are no versions of a page.
    pub are_stubs: bool,
    /// What their titles, their names and their folders tell.
    pub titles: Titles,
    /// How similar their prose is: [`prose`].
    pub prose: Option<u64>,
    /// How alike each of them is to the one that is most like it, as a weighted similarity: the lower of the two. `None`
    /// if it is not known, if other duplicates connect the two, or if they are copies of two versions of a page.
    pub closest: Option<u16>,
}

impl PairMeasures {
    /// Returns the measures of two documents.
    pub(crate) fn new(
        options: &Options,
        [a, b]: [&Document; 2],
        sets: Option<SetMeasures>,
        signatures: SignatureMeasures,
        Among { closest, versions }: Among<'_>,
    ) -> Self {
        let titles = Titles::of_two([a, b], sets, versions);
        Self {
            same_text: match a.text_hash == b.text_hash {
                false => SameText::No,
                true if a.text() != b.text() => SameText::Words,
                true if a.unfolded_hash == b.unfolded_hash => SameText::Yes,
                true => SameText::Folded,
            },
            shingles: [a.shingles, b.shingles],
            terms: [a.terms, b.terms],
            sets,
            signatures,
            repeat: a.repeats(options) || b.repeats(options),
            are_stubs: (1..BRIEF).contains(&a.shingles.min(b.shingles))
                && !(a.title.is_line() || b.title.is_line())
                && Titles::of([&a.title, &b.title]) == Titles::Differ
                && titles.differ(),
            titles,
            prose: sets.and_then(|sets| prose(sets, [a, b])),
            closest,
        }
    }
}

/// Returns how similar the prose of two documents with code is, in ten-thousandths. `None` if that does not matter, or if one
/// of them has no code, or little prose beside it.
pub fn prose(sets: SetMeasures, [a, b]: [&Document; 2]) -> Option<u64> {
    let (a, b) = (&a.sketches.prose, &b.sketches.prose);
    let are_known = !a.is_none() && !b.is_none() && sketches_matter(sets);
    are_known.then(|| a.similarity(b))
}

/// What is decided about two documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// The rule that decided their relation.
    pub rule: Rule,
    /// The detectors that find the two.
    pub found_by: Detectors,
}

/// Returns the verdict on two documents of these measures. There is one even if no detector finds them.
pub fn judge(options: &Options, measures: &PairMeasures) -> Verdict {
    let &PairMeasures {
        sets,
        shingles,
        signatures,
        ..
    } = measures;
    Verdict {
        rule: rule(measures, options.judging()),
        found_by: found_by(options, sets, shingles, signatures),
    }
}

/// Returns the detectors that find two documents of so many shingles.
#[inline]
pub(crate) fn found_by(
    options: &Options,
    sets: Option<SetMeasures>,
    shingles: [u32; 2],
    signatures: SignatureMeasures,
) -> Detectors {
    let by_sets = sets.map_or(Detectors::NONE, |sets| {
        found_by_sets(options, sets.jaccard, shingles, || sets.weighted)
    });
    by_sets.union(found_by_signatures(options, signatures))
}

/// Returns the detectors that find two shingle sets of these sizes. `weigh` returns the weighted measures. It is called
/// only if a detector needs them.
#[inline]
pub fn found_by_sets(
    options: &Options,
    jaccard: Resemblance,
    [a, b]: [u32; 2],
    weigh: impl FnOnce() -> Weighted,
) -> Detectors {
    let (overlap, union) = (jaccard.overlap, jaccard.union.get());
    let smaller = a.min(b);
    let contains = options.containment;
    let shares_weight =
        |least: WeightedThreshold| smaller >= least.min_size && least.admits(weigh(), smaller);
    Detectors::NONE
        .with(
            Detector::Shingle,
            options.min_jaccard.admits(overlap, union),
        )
        .with(
            Detector::Containment,
            contains.is_some_and(|least| least.admits(overlap, a, b)),
        )
        .with(
            Detector::Weighted,
            options.weighted().is_some_and(shares_weight),
        )
}

/// Returns the detectors that find two documents by their signatures.
#[inline]
pub fn found_by_signatures(options: &Options, measures: SignatureMeasures) -> Detectors {
    let agree = |detector, least: u32| {
        let equal = measures.agreeing.of(detector);
        equal.is_some_and(|equal| u32::from(equal) >= least.min(Agreeing::MOST.into()))
    };
    let is_near = |distance: u8| u32::from(distance) <= options.max_hamming;
    Detectors::NONE
        .with(Detector::Simhash, measures.hamming.is_some_and(is_near))
        .with(
            Detector::SuperShingle,
            agree(Detector::SuperShingle, super_shingle::LEAST),
        )
        .with(Detector::IMatch, agree(Detector::IMatch, i_match::LEAST))
}
