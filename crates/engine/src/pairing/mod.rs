//! Finds the pairs of a collection and hands them on as they are found.
//!
//! Equal shingle sets form one *group*. Groups are joined, and each pair of groups represents pairs of documents.
//!
//! [`finder`] is the front door: texts in, pairs and clusters out.
//!
//! | file | task |
//! |---|---|
//! | `search` | finds the pairs of groups in an index of the sets |
//! | `tiled`, `two_tiles` | the same for sets that are in a file |
//! | `joined::known` | the same from pairs that the tasks of a job have found |
//! | `document_pairs` | makes pairs of documents from pairs of groups, counts them, and connects their documents |
//! | `pruned` | finds the pairs of groups for a sink that takes similar pairs alone |
//! | `joined` | measures any two documents afterwards, and finds the pairs again when some documents are gone |
//! | `judge`, `sink` | decide which pairs count, and receive them |

pub mod closest;
pub mod cluster;
pub mod document_pairs;
pub mod explanation;
pub mod finder;
pub mod joined;
mod pruned;
pub mod sink;
pub mod tiled;

use std::convert::Infallible;
use std::fmt;

use crate::detect::Detector;
use crate::detect::options::Options;
use crate::features::collection::Collection;
use crate::features::collection::store::sets::Sets;
use crate::features::document::{DocId, Document};
use crate::join::inverted::distinct::Distinct;
use crate::join::inverted::rarity::Weighing;
use crate::join::inverted::{Index, Prepared, SetPair};
use crate::join::threshold::Threshold;
use crate::join::weighted::Counted;
use crate::pairing::closest::Closest;
use crate::pairing::cluster::{Cluster, Forest};
use crate::pairing::document_pairs::{DocumentPairs, GroupedDocuments, PairHandlers};
use crate::pairing::explanation::Explanation;
use crate::pairing::finder::search;
use crate::pairing::joined::{Joined, JoinedSets, KnownJoin};
use crate::pairing::pruned::{Similar, decisive_pairs, similar_pairs};
use crate::pairing::tiled::join_tiles;
use crate::run::{Error, Join, Observer, Result, Stage, Stats};
use crate::verdict::Counts;
use crate::verdict::pair::Pair;

/// The documents of a collection, and all that was found in it.
pub struct Found {
    /// The documents, ordered by name. A [`DocId`] is a position in them.
    pub documents: Vec<Document>,
    /// The pairs: copies first, then the most similar, then the nearest, then by name. There are none here if a sink got
    /// them.
    pub pairs: Vec<Pair>,
    /// How many pairs there are of each relation.
    pub counts: Counts,
    /// The clusters, the largest first.
    pub clusters: Vec<Cluster>,
    /// The names of the texts without a letter, ideograph or digit, in order. They were not compared.
    pub empty: Vec<String>,
    /// By which any two documents can still be measured.
    pub joined: Joined,
    /// What it cost.
    pub stats: Stats,
}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found")
            .field("documents", &self.documents.len())
            .field("pairs", &self.pairs)
            .field("clusters", &self.clusters)
            .finish_non_exhaustive()
    }
}

impl Found {
    /// Returns the name of a document.
    pub fn name(&self, id: DocId) -> &str {
        &self.documents[id.index()].name
    }

    /// Returns the id of the document of a name; `None` if no such document was compared.
    pub fn id(&self, name: &str) -> Option<DocId> {
        id_of(&self.documents, name)
    }

    /// Returns the relation of two documents among all the others, and the reason for it. They need not be a pair. `options`
    /// are those that the pairs were found with.
    ///
    /// # Errors
    ///
    /// [`Error::TempFile`] if shingle sets are in a file that cannot be read.
    ///
    /// # Panics
    ///
    /// If an id is not that of one of these documents.
    pub fn explain(&self, options: &Options, a: DocId, b: DocId) -> Result<Explanation> {
        let pair = self.joined.pair(options, &self.documents, [a, b])?;
        Ok(Explanation::of(&self.documents, pair))
    }
}

/// Returns the id of the document of a name, among documents that are ordered by name.
pub fn id_of(documents: &[Document], name: &str) -> Option<DocId> {
    let position = documents.binary_search_by(|document| document.name.as_str().cmp(name));
    DocId::new(position.ok()?).ok()
}

/// Finds the pairs of a collection, hands on those that count, and returns the rest. If the sets were joined before, their
/// pairs are `known`.
///
/// # Errors
///
/// [`crate::run::Error::TempFile`], [`crate::run::Error::Sink`], and [`crate::run::Error::Stopped`] if the
/// observer asks for it.
pub fn find_pairs(
    options: &Options,
    observer: &dyn Observer,
    collection: Collection,
    handlers: PairHandlers<'_>,
    known: Option<KnownJoin<'_>>,
) -> Result<Found> {
    if options.detectors.have(Detector::Shingle) {
        let options = &options.among(collection.documents.len());
        match known {
            Some(known) => by_known(options, observer, collection, handlers, &known),
            None => by_sets(options, observer, collection, handlers),
        }
    } else {
        by_signatures(options, observer, collection, handlers)
    }
}

/// Finds pairs without the shingle detector.
fn by_signatures(
    options: &Options,
    observer: &dyn Observer,
    collection: Collection,
    handlers: PairHandlers<'_>,
) -> Result<Found> {
    let Collection {
        documents,
        signatures,
        mut stats,
        ..
    } = collection;
    let join = || {
        let groups = signatures.groups(documents.len());
        let group_of = groups.by_position(documents.len());
        let similar = signatures.similar(&group_of).into_iter();
        let pairs = similar.map(|(x, y)| SetPair {
            x,
            y,
            ..SetPair::default()
        });
        let pairs: Vec<SetPair> = pairs.collect();
        let grouped = GroupedDocuments {
            documents: &documents,
            groups: &groups,
            sizes: &[],
            signatures: &signatures,
        };
        let mut document_pairs = DocumentPairs::new(options, observer, grouped, handlers);
        document_pairs.hand_on_groups(0..groups.count(), &pairs)?;
        document_pairs.finish()?;
        Ok(document_pairs.into_counts_and_forest())
    };
    let counted = stats.time(observer, (Stage::HammingJoin, None), join)?;
    let joined = Joined {
        signatures,
        ..Joined::default()
    };
    found(observer, documents, counted, joined, stats, None)
}

/// Returns what was found, with the clusters. Sets that were joined before are `known`.
fn found(
    observer: &dyn Observer,
    documents: Vec<Document>,
    (counts, forest): (Counts, Forest),
    joined: Joined,
    mut stats: Stats,
    known: Option<&KnownJoin<'_>>,
) -> Result<Found> {
    let clusters = stats.time(observer, (Stage::Cluster, None), || {
        let mut clusters = forest.clusters(&lengths(&documents));
        if let Some(sets) = &joined.sets {
            sets.measure_least_similarity(&mut clusters, &joined.group_of)?;
        }
        if let Some(known) = known {
            known.measure_least_similarity(&mut clusters, &joined.group_of)?;
        }
        Ok::<_, Error>(clusters)
    })?;
    Ok(Found {
        documents,
        pairs: Vec::new(),
        counts,
        clusters,
        empty: Vec::new(),
        joined,
        stats,
    })
}

/// Finds pairs with the shingle detector, and perhaps with others.
fn by_sets(
    options: &Options,
    observer: &dyn Observer,
    collection: Collection,
    handlers: PairHandlers<'_>,
) -> Result<Found> {
    let Collection {
        documents,
        sets,
        signatures,
        mut stats,
    } = collection;
    let keys = sets.keys();
    let distinct = stats.time(observer, (Stage::Index, None), || {
        Distinct::new(&keys, |a, b| sets.are_equal(a, b))
    })?;
    let group_of = distinct.groups.by_position(documents.len());
    let candidates = candidates_of(options, &handlers, || {
        stats.time(observer, (Stage::HammingJoin, None), || {
            signatures.similar(&group_of)
        })
    });
    let grouped = GroupedDocuments {
        documents: &documents,
        groups: &distinct.groups,
        sizes: &distinct.sizes,
        signatures: &signatures,
    };
    let mut document_pairs = DocumentPairs::new(options, observer, grouped, handlers);
    let join = SetJoin {
        options,
        observer,
        distinct: &distinct,
        candidates,
    };
    let (sets, (closest, similar)) = if sets.are_in_memory() {
        join.in_memory(sets, &mut document_pairs, &mut stats)?
    } else {
        join.in_tiles(sets, &mut document_pairs, &mut stats)?
    };
    let counted = document_pairs.into_counts_and_forest();
    let joined = Joined {
        signatures,
        sets: Some(sets),
        group_of,
        closest,
        similar,
    };
    found(observer, documents, counted, joined, stats, None)
}

/// Finds pairs of documents from those of sets that were joined before.
fn by_known(
    options: &Options,
    observer: &dyn Observer,
    collection: Collection,
    handlers: PairHandlers<'_>,
    known: &KnownJoin<'_>,
) -> Result<Found> {
    let Collection {
        documents,
        sets,
        signatures,
        mut stats,
    } = collection;
    let keys = sets.keys();
    let rank = |at: u32| known.rank_of[at as usize];
    let Ok(distinct) = stats.time(observer, (Stage::Index, None), || {
        Distinct::new(&keys, |a, b| Ok::<_, Infallible>(rank(a) == rank(b)))
    });
    // They differ if somebody has made two different sets of one key.
    if distinct.sizes != known.sizes {
        let reason = "its sets are not in the order of the job";
        return Err(Error::TileJob(reason.into()));
    }
    let group_of = distinct.groups.by_position(documents.len());
    let grouped = GroupedDocuments {
        documents: &documents,
        groups: &distinct.groups,
        sizes: &distinct.sizes,
        signatures: &signatures,
    };
    let mut document_pairs = DocumentPairs::new(options, observer, grouped, handlers);
    document_pairs.hand_on_groups(0..distinct.groups.count(), &known.pairs)?;
    let closest = document_pairs.finish()?;
    let counted = document_pairs.into_counts_and_forest();
    let joined = Joined {
        signatures,
        group_of,
        closest,
        ..Joined::default()
    };
    found(observer, documents, counted, joined, stats, Some(known))
}

/// Returns the similarity from which on pairs are taken, if it is above that from which on there are pairs.
fn least_above(options: &Options, handlers: &PairHandlers<'_>) -> Option<Threshold> {
    let only_sets = options.containment.is_none() && options.weighted().is_none();
    let least = handlers.least().filter(|_| only_sets)?;
    least.is_above(options.min_jaccard).then_some(least)
}

/// Returns the pairs of groups `(later, earlier)`, ordered, that have documents with similar signatures, if they are looked for.
fn candidates_of(
    options: &Options,
    handlers: &PairHandlers<'_>,
    similar: impl FnOnce() -> Vec<(u32, u32)>,
) -> Vec<(u32, u32)> {
    // A sink that takes similar pairs alone takes none that only signatures find.
    let takes_all = least_above(options, handlers).is_none() && !handlers.look_for_similar();
    match takes_all && options.detectors.compare_signatures() {
        true => similar(),
        false => Vec::new(),
    }
}

/// A join of shingle sets.
struct SetJoin<'j> {
    options: &'j Options,
    observer: &'j dyn Observer,
    distinct: &'j Distinct,
    /// The pairs of groups `(later, earlier)`, ordered, that are measured even if their sets are not similar.
    candidates: Vec<(u32, u32)>,
}

impl SetJoin<'_> {
    /// Joins sets that are in memory. Returns them, and what [`find_in`] does.
    fn in_memory(
        self,
        sets: Sets,
        document_pairs: &mut DocumentPairs<'_, '_>,
        stats: &mut Stats,
    ) -> Result<(JoinedSets, (Closest, Option<Similar>))> {
        let counted = document_pairs.counted();
        let index = stats.time(self.observer, (Stage::Index, None), || {
            set_index(sets, self.distinct, counted)
        })?;
        let found = stats.time(self.observer, (Stage::JaccardJoin, None), || {
            find_in(&index, self.candidates, document_pairs, None)
        })?;
        stats.join = Some(Join {
            tiles: 1,
            spilled: 0,
        });
        Ok((JoinedSets::Index(Box::new(index)), found))
    }

    /// As [`Self::in_memory`], of sets that are in a temporary file.
    fn in_tiles(
        self,
        sets: Sets,
        document_pairs: &mut DocumentPairs<'_, '_>,
        stats: &mut Stats,
    ) -> Result<(JoinedSets, (Closest, Option<Similar>))> {
        let (sets, closest, join) =
            stats.time(self.observer, (Stage::JaccardJoin, None), || {
                let candidates = &self.candidates;
                let joined = join_tiles(
                    self.options,
                    sets,
                    self.distinct,
                    candidates,
                    document_pairs,
                )?;
                Ok((joined.0, document_pairs.finish()?, joined.1))
            })?;
        stats.join = Some(join);
        Ok((JoinedSets::Sorted(sets), (closest, None)))
    }
}

/// Hands on the pairs of all sets of an index. Returns how alike each of them is to the one that is most like it, and the pairs
/// that are similar enough for a sink that takes these alone. `known` are such pairs, if sets are gone since they were found.
fn find_in(
    index: &Index,
    candidates: Vec<(u32, u32)>,
    document_pairs: &mut DocumentPairs<'_, '_>,
    known: Option<&Similar>,
) -> Result<(Closest, Option<Similar>)> {
    let all = 0..index.count();
    if document_pairs.handlers.look_for_similar() {
        document_pairs.hand_on_groups(all, &[])?;
        return Ok((document_pairs.finish()?, None));
    }
    let least = least_above(document_pairs.options, &document_pairs.handlers);
    let found = least.and_then(|least| Some((least, similar_pairs(index, least, known)?)));
    let similar = found
        .as_ref()
        .map(|(least, pairs)| Similar::of(*least, pairs));
    let decisive =
        found.and_then(|(least, pairs)| decisive_pairs(index, least, document_pairs, pairs));
    match decisive {
        Some(pairs) => document_pairs.hand_on_groups(all, &pairs)?,
        None => {
            let options = document_pairs.options;
            search(index, all, options, candidates, |part, found| {
                document_pairs.hand_on_groups(part, &found)
            })?;
        }
    }
    Ok((document_pairs.finish()?, similar))
}

/// Returns the length of each document's text, in bytes.
fn lengths(documents: &[Document]) -> Vec<usize> {
    documents.iter().map(|document| document.length).collect()
}

/// Returns the index of the distinct ones of sets that are in memory.
fn set_index(sets: Sets, distinct: &Distinct, counted: Option<Counted>) -> Result<Index> {
    let slices = sets.slices().expect("asked for sets in memory only");
    let firsts = distinct.groups.firsts();
    let firsts: Vec<&[u64]> = firsts.map(|first| slices[first as usize]).collect();
    let prepared = Prepared::new(&firsts, distinct.groups.count(), Weighing::Own(counted))?;
    // The sets are dropped before the index is made: both at once would be the peak of the run.
    drop((firsts, slices));
    drop(sets);
    Ok(prepared.index())
}
