//! What the page needs at once, as JSON. Lists instead of objects where there are thousands: the order
//! of their items is said here, and `app/data.js` is the other side of it.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::document::DocId;
use crate::engine::because::Because;
use crate::engine::outcome::{Document, Pair, Resemblance};
use crate::engine::relation::Relation;
use crate::gate::Gate;
use crate::gate::baseline::Standing;
use crate::join::weighted::Weighted;
use crate::report::escape::visible;
use crate::report::html::MOST_PAIRS;
use crate::report::html::details::Details;
use crate::report::model::{Report, SettingsRecord, SummaryRecord, ToolRecord};

/// The most documents of clusters that are named.
const MOST_MEMBERS: usize = 100_000;

/// The most entries that are named of what was skipped, and the most notes.
const MOST_SKIPPED: usize = 1_000;

/// Everything about a run but texts.
#[derive(Debug, Serialize)]
pub(super) struct Data {
    pub(super) tool: ToolRecord,
    pub(super) settings: SettingsRecord,
    pub(super) summary: SummaryRecord,
    /// How many pairs no baseline accepts; `null` without a baseline.
    pub(super) open: Option<u64>,
    /// How many pairs the baseline accepts.
    pub(super) accepted: u64,
    /// How many pairs were left out by options and files that say so.
    pub(super) left_out: u64,
    /// The names of relations, in their order.
    relations: [&'static str; Relation::ALL.len()],
    /// The documents of the lists below, by name. They are called by their positions here.
    pub(super) documents: Vec<DocumentItem>,
    /// The pairs, the open ones first, then the best; `null` if they were not asked for.
    pub(super) pairs: Option<Vec<PairItem>>,
    /// How many of them can be opened.
    shown: usize,
    clusters: Vec<ClusterItem>,
    /// What was not compared: name, reason, detail.
    skipped: Vec<(String, &'static str, String)>,
    /// What to know about single documents: name, note.
    notes: Vec<(String, String)>,
    #[serde(skip)]
    ids: Numbers,
}

/// Name, number of shingles, whether it was changed (`null` if that is not known), and whether its text is
/// only shown in part.
#[derive(Debug, Serialize)]
pub(super) struct DocumentItem(pub(super) String, u32, Option<bool>, bool);

/// Documents; relation; weighted similarity, Jaccard similarity and containment in ten-thousandths and
/// Hamming distance, `null` where not measured; who found it (1 `simhash`, 2 `shingle`, 4 `containment`);
/// how it stands to the baseline, if there is one; why; 0 if it can be opened, 1 if there was no room, 2 if
/// a document could not be read again; and the reason that was given for accepting it.
#[derive(Debug, Serialize)]
pub(super) struct PairItem(
    pub(super) usize,
    pub(super) usize,
    pub(super) Relation,
    pub(super) Option<u16>,
    pub(super) Option<u64>,
    pub(super) Option<u64>,
    pub(super) Option<u8>,
    pub(super) u8,
    pub(super) Option<&'static str>,
    pub(super) String,
    pub(super) u8,
    pub(super) Option<String>,
);

/// Representative, cohesion, how many documents it has, those that are named.
#[derive(Debug, Serialize)]
struct ClusterItem(usize, Option<f64>, usize, Vec<usize>);

impl Data {
    /// Takes a report, and what is known of its pairs.
    pub(super) fn new(report: &Report<'_>, details: &Details) -> Self {
        let outcome = report.outcome;
        let pairs = report
            .pairs
            .map(|pairs| &pairs[..pairs.len().min(MOST_PAIRS)]);
        let mut named = 0;
        let clusters: Vec<_> = outcome
            .clusters
            .iter()
            .map(|cluster| {
                let room = MOST_MEMBERS.saturating_sub(named);
                let members = &cluster.documents[..cluster.documents.len().min(room)];
                named += members.len();
                (cluster, members)
            })
            .collect();
        let mut ids = BTreeSet::new();
        ids.extend(
            pairs
                .into_iter()
                .flatten()
                .flat_map(|pair| [pair.a, pair.b]),
        );
        for (cluster, members) in &clusters {
            ids.insert(cluster.representative);
            ids.extend(members.iter().copied());
        }
        let ids = Numbers(ids.into_iter().collect());
        let cut: BTreeSet<DocId> = details
            .texts
            .iter()
            .filter(|text| text.is_cut)
            .map(|text| text.id)
            .collect();
        let document = |&id: &DocId| {
            let document = &outcome.documents[id.index()];
            let is_changed = report.gate.is_changed(id);
            let name = visible(&document.name);
            DocumentItem(name, document.shingles, is_changed, cut.contains(&id))
        };
        let pair = |(at, pair): (usize, &Pair)| {
            let state = details.states.get(at).map_or(1, |&state| state as u8);
            PairItem::new(&outcome.documents, pair, &ids, report.gate, state)
        };
        Self {
            tool: ToolRecord::THIS,
            settings: report.settings(),
            summary: report.summary(),
            open: report.gate.new_counts().map(|counts| counts.total()),
            accepted: report.gate.accepted(),
            left_out: report.gate.left_out(),
            relations: Relation::ALL.map(Relation::as_str),
            documents: ids.0.iter().map(document).collect(),
            pairs: pairs.map(|pairs| pairs.iter().enumerate().map(pair).collect()),
            shown: details.shown(),
            clusters: clusters
                .iter()
                .map(|(cluster, members)| {
                    ClusterItem(
                        ids.of(cluster.representative),
                        cluster.cohesion,
                        cluster.documents.len(),
                        members.iter().map(|&id| ids.of(id)).collect(),
                    )
                })
                .collect(),
            skipped: report
                .skipped()
                .take(MOST_SKIPPED)
                .map(|item| (visible(item.path), item.reason, visible(item.detail)))
                .collect(),
            notes: report
                .notes()
                .take(MOST_SKIPPED)
                .map(|item| (visible(item.path), visible(item.note)))
                .collect(),
            ids,
        }
    }

    /// The number of a document, if it is in a list.
    pub(super) fn number(&self, id: DocId) -> Option<usize> {
        self.ids.0.binary_search(&id).ok()
    }

    /// The name of a document.
    pub(super) fn name(&self, number: usize) -> &str {
        &self.documents[number].0
    }
}

impl PairItem {
    fn new(documents: &[Document], pair: &Pair, ids: &Numbers, gate: &Gate, state: u8) -> Self {
        let size = |id: DocId| documents[id.index()].shingles;
        let contained = |jaccard: Resemblance| jaccard.contained_steps(size(pair.a), size(pair.b));
        Self(
            ids.of(pair.a),
            ids.of(pair.b),
            pair.relation,
            pair.weighted.map(|Weighted { similarity, .. }| similarity),
            pair.jaccard.map(Resemblance::steps),
            pair.jaccard.map(contained),
            pair.hamming,
            pair.found_by.bits(),
            gate.standing(pair).map(Standing::as_str),
            Because::new(documents, pair).to_string(),
            state,
            gate.standings().reason(pair).map(visible),
        )
    }
}

/// The documents of the page, ascending; their positions are their numbers.
#[derive(Debug)]
struct Numbers(Vec<DocId>);

impl Numbers {
    fn of(&self, id: DocId) -> usize {
        let found = self.0.binary_search(&id);
        found.expect("every document that is named was numbered")
    }
}
