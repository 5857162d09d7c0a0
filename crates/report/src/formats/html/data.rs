//! The data that the page needs at once, as JSON. Items that come by the thousand are lists instead of objects. The
//! order of their parts is given here, and `app/data.js` reads them in that order.

use std::collections::BTreeSet;

use serde::Serialize;
use xxhash_rust::xxh3::Xxh3;

use crate::compare::shares;
use crate::formats::html::MAX_PAIRS;
use crate::formats::html::details::{Details, PairState};
use crate::language::{phrase, reason};
use crate::model::typed::Head;
use crate::model::{Lack, Report, SettingsRecord, SummaryRecord, ToolRecord};
use crate::style::escape::{legible, visible};
use crate::worklist::{Entry, Kind, STEPS, Worklist};
use dupfind_decide::gate::baseline::Standing;
use dupfind_engine::DocId;
use dupfind_engine::join::weighted::Weighted;
use dupfind_engine::pairing::cluster::Cluster;
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::{Pair, Resemblance, Share};
use dupfind_engine::verdict::reason::Reason;
use dupfind_read::source::name::display_name;

/// The most documents of clusters that are named.
const MAX_MEMBERS: usize = 100_000;

/// The most skipped entries that are named, and the most notes.
const MAX_SKIPPED: usize = 1_000;

/// Everything about a run but texts.
#[derive(Debug, Serialize)]
pub(super) struct Data {
    pub(super) tool: ToolRecord,
    pub(super) settings: SettingsRecord,
    pub(super) summary: SummaryRecord,
    /// What was missing for a comparison; `null` if documents were compared.
    lack: Option<Lack>,
    /// How many pairs no baseline accepts; `null` without a baseline.
    pub(super) open: Option<u64>,
    /// How many pairs the baseline accepts.
    pub(super) accepted: u64,
    /// How many pairs were left out by rules and options.
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
    /// The worklist; `null` if the pairs were not asked for.
    pub(super) worklist: Option<Vec<EntryItem>>,
    /// The head of the page.
    pub(super) head: HeadItem,
    /// The identity of the report: a hash of its documents and pairs, as 16 hexadecimal digits.
    key: String,
    /// The entries that were not compared: name, reason, detail.
    skipped: Vec<(String, &'static str, String)>,
    /// Notes about single documents: name, note.
    notes: Vec<(String, String)>,
    #[serde(skip)]
    numbers: Numbers,
}

/// Name, number of shingles, whether it was changed (`null` if that is not known), whether its text is
/// only shown in part, its title, its language, its true name if that holds characters that are not shown, and for a
/// record the file and the line.
#[derive(Debug, Serialize)]
pub(super) struct DocumentItem(
    pub(super) String,
    u32,
    Option<bool>,
    bool,
    pub(super) Option<String>,
    Option<&'static str>,
    Option<String>,
    Option<(String, u64)>,
);

/// The scanned paths, the command and the template of links, each `null` if it is not known; and the options of
/// `dupfind compare`.
#[derive(Debug, Serialize)]
pub(super) struct HeadItem(
    pub(super) Option<String>,
    pub(super) Option<String>,
    Option<String>,
    String,
);

/// Documents; relation; weighted similarity and Jaccard similarity in ten-thousandths, how much of each document is in
/// the other one in percent, and Hamming distance, `null` where not measured; the detectors that found it (1 `simhash`,
/// 2 `shingle`, 4 `containment`, 8 `super-shingle`, 16 `i-match`, 32 `weighted`); its place in the baseline, if there
/// is one; why; 0 if it can be opened, 1 if there was no room, 2 if a document could not be read again, 3 if one was
/// changed; the reason that was given for accepting it; whether it is set apart; and the shares as a sentence.
#[derive(Debug, Serialize)]
pub(super) struct PairItem(
    pub(super) usize,
    pub(super) usize,
    pub(super) Relation,
    pub(super) Option<u16>,
    pub(super) Option<u64>,
    pub(super) Option<[u64; 2]>,
    pub(super) Option<u8>,
    pub(super) u8,
    pub(super) Option<&'static str>,
    pub(super) String,
    pub(super) u8,
    pub(super) Option<String>,
    bool,
    String,
);

/// Representative, least similarity, how many documents it has, those that are named.
#[derive(Debug, Serialize)]
struct ClusterItem(usize, Option<f64>, usize, Vec<usize>);

/// A group, a related pair, or pairs that are summed up: its kind; its first document; how many shingles are gained by
/// fixing it; how many pairs it has; a sentence on it; and its members, each with the position of its pair.
#[derive(Debug, Serialize)]
pub(super) struct EntryItem(&'static str, usize, u64, u64, String, Vec<(usize, usize)>);

impl EntryItem {
    fn new(list: &Worklist<'_>, entry: &Entry, numbers: &Numbers) -> Self {
        let kind = match entry.kind {
            Kind::Group => "group",
            Kind::Related => "related",
            Kind::Parallel => "parallel",
            Kind::Family => "family",
            Kind::Short => "short",
            Kind::Untranslated => "untranslated",
            Kind::Generated => "generated",
            Kind::Code => "code",
        };
        let members = entry.members.iter();
        Self(
            kind,
            numbers.of(entry.first),
            entry.gain / STEPS,
            entry.pairs,
            legible(&list.sentence(entry)),
            members
                .map(|member| (numbers.of(member.document), member.pair))
                .collect(),
        )
    }
}

impl Data {
    pub(super) fn new(report: &Report<'_>, details: &Details, list: &Worklist<'_>) -> Self {
        let pairs = report
            .pairs
            .map(|pairs| &pairs[..pairs.len().min(MAX_PAIRS)]);
        let clusters = named_members(&report.outcome.clusters);
        let numbers = Numbers::new(pairs.unwrap_or_default(), &clusters);
        // What is set apart is in sums only.
        let counts = report.outcome.pair_counts.without(report.gate.apart());
        Self {
            tool: ToolRecord::THIS,
            settings: report.settings(),
            summary: SummaryRecord {
                pairs: counts.total(),
                relations: counts,
                ..report.summary()
            },
            lack: report.lack(),
            open: report.gate.new_counts().map(|counts| counts.total()),
            accepted: report.gate.accepted(),
            left_out: report.gate.left_out(),
            relations: Relation::ALL.map(Relation::as_str),
            documents: documents(report, details, &numbers),
            pairs: pairs.map(|pairs| {
                let states = details
                    .states
                    .iter()
                    .map(Some)
                    .chain(std::iter::repeat(None));
                let pairs = pairs.iter().zip(states);
                pairs
                    .map(|(pair, state)| PairItem::new(report, pair, &numbers, state))
                    .collect()
            }),
            shown: details.shown(),
            clusters: clusters
                .iter()
                .map(|(cluster, members)| ClusterItem::new(cluster, members, &numbers))
                .collect(),
            worklist: pairs.map(|_| {
                let entries = list.entries.iter();
                entries
                    .map(|entry| EntryItem::new(list, entry, &numbers))
                    .collect()
            }),
            head: HeadItem::new(report.typed.head.as_ref()),
            key: key(report, pairs.unwrap_or_default()),
            skipped: report
                .outcome
                .skipped
                .iter()
                .take(MAX_SKIPPED)
                .map(|item| {
                    (
                        visible(&item.path),
                        phrase(item.reason.as_str()),
                        visible(&item.detail),
                    )
                })
                .collect(),
            notes: report
                .outcome
                .notes
                .iter()
                .take(MAX_SKIPPED)
                .map(|item| (visible(&item.path), visible(&item.note)))
                .collect(),
            numbers,
        }
    }

    /// Returns the number of a document, if it is in a list.
    pub(super) fn number(&self, id: DocId) -> Option<usize> {
        self.numbers.0.binary_search(&id).ok()
    }
}

/// Returns clusters with those of their members that are named.
fn named_members(clusters: &[Cluster]) -> Vec<(&Cluster, &[DocId])> {
    let mut room = MAX_MEMBERS;
    let clusters = clusters.iter().map(|cluster| {
        let members = &cluster.documents[..cluster.documents.len().min(room)];
        room -= members.len();
        (cluster, members)
    });
    clusters.collect()
}

fn documents(report: &Report<'_>, details: &Details, numbers: &Numbers) -> Vec<DocumentItem> {
    let sources = &report.outcome.sources;
    let item = |&id: &DocId| {
        let document = &report.outcome.documents[id.index()];
        let is_changed = report.gate.is_changed(id);
        let name = legible(&document.name);
        let text = details.text(id);
        let source = sources.of(id);
        let file = sources.file(id).filter(|_| source.is_record());
        let file = file.map(|file| display_name(file, &report.outcome.options.walk.base));
        DocumentItem(
            name.clone(),
            document.shingles,
            is_changed,
            text.is_some_and(|text| text.is_cut),
            document.title.shown().map(visible),
            text.and_then(|text| text.lang),
            (name != document.name).then(|| document.name.clone()),
            file.map(|file| (file, source.line)),
        )
    };
    numbers.0.iter().map(item).collect()
}

impl HeadItem {
    fn new(head: Option<&Head>) -> Self {
        let Some(head) = head else {
            return Self(None, None, None, String::new());
        };
        let scanned = Some(visible(&head.scanned)).filter(|scanned| !scanned.is_empty());
        let link = head.link.as_ref().map(|link| link.as_str().to_owned());
        Self(scanned, head.command.clone(), link, head.compare.clone())
    }
}

/// Returns the identity of a report. It changes with the names, the texts and the pairs.
fn key(report: &Report<'_>, pairs: &[Pair]) -> String {
    let mut hash = Xxh3::new();
    for id in pairs.iter().flat_map(|pair| [pair.a, pair.b]) {
        let document = &report.outcome.documents[id.index()];
        hash.update(document.name.as_bytes());
        hash.update(&[0]);
        hash.update(&document.text_hash.to_le_bytes());
    }
    format!("{:016x}", hash.digest())
}

impl ClusterItem {
    fn new(cluster: &Cluster, members: &[DocId], numbers: &Numbers) -> Self {
        Self(
            numbers.of(cluster.representative),
            cluster.least_similarity,
            cluster.documents.len(),
            members.iter().map(|&id| numbers.of(id)).collect(),
        )
    }
}

impl PairItem {
    fn new(report: &Report<'_>, pair: &Pair, numbers: &Numbers, state: Option<&PairState>) -> Self {
        let (documents, gate) = (&report.outcome.documents, report.gate);
        Self(
            numbers.of(pair.a),
            numbers.of(pair.b),
            pair.relation(),
            pair.weighted()
                .map(|Weighted { similarity, .. }| similarity),
            pair.jaccard().map(Resemblance::steps),
            pair.shares(documents)
                .map(|shares| shares.map(Share::percent)),
            pair.hamming,
            pair.found_by.bits(),
            gate.standing(pair).map(Standing::as_str),
            reason(&Reason::new(documents, pair)),
            state.copied().unwrap_or(PairState::NoRoom) as u8,
            gate.standings().reason(pair).map(visible),
            pair.is_apart(documents),
            shares(documents, pair),
        )
    }
}

/// The documents of the page, ascending. Their positions are their numbers.
#[derive(Debug)]
struct Numbers(Vec<DocId>);

impl Numbers {
    fn new(pairs: &[Pair], clusters: &[(&Cluster, &[DocId])]) -> Self {
        let mut ids: BTreeSet<DocId> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
        for (cluster, members) in clusters {
            ids.insert(cluster.representative);
            ids.extend(members.iter().copied());
        }
        Self(ids.into_iter().collect())
    }

    fn of(&self, id: DocId) -> usize {
        let found = self.0.binary_search(&id);
        found.expect("every document that is named was numbered")
    }
}
