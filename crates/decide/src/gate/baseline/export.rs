//! Lines that accept pairs, for people who choose some of them.

use crate::gate::baseline::Baseline;
use crate::gate::baseline::accepted::identities;
use crate::gate::baseline::accepted_pair::{AcceptedPair, DocumentIdentity};
use crate::gate::baseline::content::{header, line};
use crate::gate::baseline::names::Names;
use dupfind_engine::DocId;
use dupfind_engine::features::document::Document;
use dupfind_engine::verdict::Relations;
use dupfind_engine::verdict::pair::Pair;
use dupfind_scan::sources::Sources;

/// The lines of a baseline that would hold some pairs.
#[derive(Debug)]
pub struct Lines {
    /// The first line of a new file; `None` if there is a baseline already.
    pub header: Option<String>,
    /// The line of each pair, which is a JSON object; `None` for a pair of a relation that the baseline does not hold.
    pub pairs: Vec<Option<String>>,
}

impl Lines {
    /// Returns the lines of some pairs of a run. Names of documents are relative to the folder of the baseline of the
    /// run, or without one to the current folder.
    pub fn new(
        baseline: Option<&Baseline>,
        documents: &[Document],
        sources: &Sources,
        pairs: &[Pair],
    ) -> Self {
        let own: Vec<DocumentIdentity>;
        let run = baseline.and_then(|baseline| baseline.accepted.run());
        let identities = match run {
            Some(run) => &run.documents,
            None => {
                own = identities(&Names::default(), documents, Some(sources));
                &own
            }
        };
        let relations = match baseline {
            Some(baseline) => baseline.content().relations,
            None => Relations::DUPLICATES,
        };
        let is_known = |id: DocId| id.index() < identities.len();
        let line_of = |pair: &Pair| {
            (is_known(pair.a) && is_known(pair.b))
                .then(|| line(&AcceptedPair::new(identities, pair)))
        };
        Self {
            header: baseline.is_none().then(|| header(relations)),
            pairs: pairs.iter().map(line_of).collect(),
        }
    }
}
