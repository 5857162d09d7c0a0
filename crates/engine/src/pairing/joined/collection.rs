//! What is left of a collection after its pairs were found: any two of its documents can still be measured.

use crate::detect::options::Options;
use crate::features::collection::signatures::Signatures;
use crate::features::document::DocId;
use crate::features::document::Document;
use crate::join::groups::NONE;
use crate::join::weighted::Weighted;
use crate::pairing::closest::Closest;
use crate::pairing::cluster::{Cluster, Forest};
use crate::pairing::joined::sets::JoinedSets;
use crate::run::error::Result;
use crate::verdict::SetMeasures;
use crate::verdict::pair::Pair;
use crate::verdict::two_documents::pair;

/// The signatures and shingle sets of a collection whose pairs were found.
pub struct Joined {
    /// The signatures of each document, for the detectors that need them.
    pub signatures: Signatures,
    /// The shingle sets; `None` if the shingle detector was off, or if the pairs are known from a run before.
    pub sets: Option<JoinedSets>,
    /// The rank of each document's shingle set; empty if the shingle detector was off.
    pub group_of: Vec<u32>,
    /// How alike each set, by rank, is to the one that is most like it.
    pub closest: Closest,
}

impl Joined {
    /// Returns the pair of two documents with all measures, among all the others. The pair is there even if no detector
    /// finds it. Fails with [`crate::run::error::Error::TempFile`].
    pub fn pair(
        &self,
        options: &Options,
        documents: &[Document],
        [a, b]: [DocId; 2],
    ) -> Result<Pair> {
        let (a, b) = (a.min(b), a.max(b));
        let [first, second] = [a, b].map(|id| &documents[id.index()]);
        let positions = [a, b].map(position);
        let ranks = positions.map(|at| self.group_of.get(at as usize).copied().unwrap_or(NONE));
        let measures = match &self.sets {
            _ if ranks.contains(&NONE) => None,
            None => None,
            Some(_) if ranks[0] == ranks[1] => {
                SetMeasures::new(first.shingles, first.shingles, Weighted::EQUAL)
            }
            Some(sets) => sets.measure(ranks[0], ranks[1])?,
        };
        let compared = self.signatures.compare(positions[0], positions[1]);
        let options = options.among(documents.len());
        let measured = (measures, self.closest.of(ranks.map(|rank| rank as usize)));
        Ok(pair(&options, [a, b], [first, second], measured, compared))
    }

    /// Returns the clusters that some pairs make. Fails with [`crate::run::error::Error::TempFile`].
    pub fn clusters<'p>(
        &self,
        documents: &[Document],
        pairs: impl IntoIterator<Item = &'p Pair>,
    ) -> Result<Vec<Cluster>> {
        let mut forest = Forest::new(documents.len());
        for pair in pairs {
            forest.union(position(pair.a), position(pair.b));
        }
        let lengths: Vec<usize> = documents.iter().map(|document| document.length).collect();
        let mut clusters = forest.clusters(&lengths);
        if let Some(sets) = &self.sets {
            sets.measure_cohesion(&mut clusters, &self.group_of)?;
        }
        Ok(clusters)
    }
}

fn position(id: DocId) -> u32 {
    u32::try_from(id.index()).expect("ids are 32 bits wide")
}
