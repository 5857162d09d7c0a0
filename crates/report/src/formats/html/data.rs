//! The data that the page needs at once, as JSON. Items that come by the thousand are lists instead of objects. The
//! order of their parts is given here, and `app/data.js` reads them in that order.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use xxhash_rust::xxh3::Xxh3;

use crate::compare::shares;
use crate::formats::html::MAX_PAIRS;
use crate::formats::html::details::{Details, PairState};
use crate::language::{phrase, reason};
use crate::model::{Head, Link, Report, SummaryRecord, ToolRecord};
use crate::style::escape::{legible, visible};
use crate::worklist::{Entry, STEPS, Worklist};
use dupfind_decide::Standing;
use dupfind_engine::verdict::pair::Share;
use dupfind_engine::{Cluster, DocId, Pair, Reason, Relation, Resemblance};
use dupfind_read::display_name;

/// The most documents of clusters that are named.
const MAX_MEMBERS: usize = 100_000;

/// The most skipped entries that are named, and the most notes.
const MAX_SKIPPED: usize = 1_000;

/// Everything about a run but texts.
#[derive(Debug)]
pub(super) struct Data {
    pub(super) json: Value,
    numbers: Numbers,
}

impl Data {
    pub(super) fn new(report: &Report<'_>, details: &Details, list: &Worklist<'_>) -> Self {
        let outcome = report.outcome;
        let pairs = report
            .pairs
            .map(|pairs| &pairs[..pairs.len().min(MAX_PAIRS)]);
        let listed = pairs.unwrap_or_default();
        let clusters = named_members(&outcome.clusters);
        let numbers = Numbers::new(listed, &clusters);
        // What is set apart is in sums only.
        let counts = outcome.pair_counts.without(report.gate.apart);
        let summary = SummaryRecord {
            pairs: counts.total(),
            relations: counts,
            ..report.summary()
        };
        let items = listed.iter().enumerate().map(|(at, pair)| {
            let state = details.states.get(at).copied();
            pair_item(report, pair, &numbers, state)
        });
        let entries = list.entries.iter();
        let entries = entries.map(|entry| entry_item(list, entry, &numbers));
        let documents = numbers.0.iter();
        let documents = documents.map(|&id| document_item(report, details, id));
        let clusters = clusters
            .iter()
            .map(|(cluster, members)| cluster_item(cluster, members, &numbers));
        let skipped = outcome.skipped.iter().take(MAX_SKIPPED).map(|item| {
            let reason = phrase(item.reason.as_str());
            json!([visible(&item.path), reason, visible(&item.detail)])
        });
        let notes = outcome.notes.iter().take(MAX_SKIPPED);
        let notes = notes.map(|item| json!([visible(&item.path), visible(&item.note)]));
        let json = json!({
            "tool": ToolRecord::THIS,
            "settings": report.settings(),
            "summary": summary,
            // What was missing for a comparison; `null` if documents were compared.
            "lack": report.lack(),
            // How many pairs no baseline accepts; `null` without a baseline.
            "open": report.gate.new_counts().map(|counts| counts.total()),
            // How many pairs the baseline accepts, and how many were left out by rules and options.
            "accepted": report.gate.accepted,
            "left_out": report.gate.left_out,
            // The names of relations, in their order.
            "relations": Relation::ALL.map(Relation::as_str),
            // The documents of the lists below, by name. They are called by their positions here.
            "documents": documents.collect::<Vec<_>>(),
            // The pairs, the open ones first, then the best; `null` if they were not asked for.
            "pairs": pairs.map(|_| items.collect::<Vec<_>>()),
            // How many of them can be opened.
            "shown": details.shown(),
            "clusters": clusters.collect::<Vec<_>>(),
            // `null` if the pairs were not asked for.
            "worklist": pairs.map(|_| entries.collect::<Vec<_>>()),
            "head": head_item(report.typed.head.as_ref()),
            // The identity of the report: a hash of its documents and pairs, as 16 hexadecimal digits.
            "key": key(report, listed),
            // The entries that were not compared: name, reason, detail.
            "skipped": skipped.collect::<Vec<_>>(),
            // Notes about single documents: name, note.
            "notes": notes.collect::<Vec<_>>(),
        });
        Self { json, numbers }
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

/// Returns the name of a document, its number of shingles, whether it was changed (`null` if that is not known), whether
/// its text is only shown in part, its title, its language, its true name if that holds characters that are not shown, and
/// for a record the file and the line.
fn document_item(report: &Report<'_>, details: &Details, id: DocId) -> Value {
    let sources = &report.outcome.sources;
    let document = &report.outcome.documents[id.index()];
    let name = legible(&document.name);
    let text = details.text(id);
    let source = sources.of(id);
    let file = sources.file(id).filter(|_| source.is_record());
    let file = file.map(|file| display_name(file, &report.outcome.options.walk.base));
    json!([
        name,
        document.shingles,
        report.gate.is_changed(id),
        text.is_some_and(|text| text.is_cut),
        document.title.shown().map(visible),
        text.and_then(|text| text.lang),
        (name != document.name).then_some(&document.name),
        file.map(|file| (file, source.line)),
    ])
}

/// Returns the scanned paths, the command and the template of links, each `null` if it is not known; and the options of
/// `dupfind compare`.
fn head_item(head: Option<&Head>) -> Value {
    let Some(head) = head else {
        return json!([null, null, null, ""]);
    };
    let scanned = Some(visible(&head.scanned)).filter(|scanned| !scanned.is_empty());
    let link = head.link.as_ref().map(Link::as_str);
    json!([scanned, head.command, link, head.compare])
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

/// Returns the representative of a cluster, its least similarity, how many documents it has, and those that are named.
fn cluster_item(cluster: &Cluster, members: &[DocId], numbers: &Numbers) -> Value {
    let members: Vec<usize> = members.iter().map(|&id| numbers.of(id)).collect();
    json!([
        numbers.of(cluster.representative),
        cluster.least_similarity,
        cluster.documents.len(),
        members,
    ])
}

/// Returns the documents of a pair; its relation; its weighted similarity and Jaccard similarity in ten-thousandths, how much
/// of each document is in the other one in percent, and the Hamming distance, `null` where not measured; the detectors that
/// found it (1 `simhash`, 2 `shingle`, 4 `containment`, 8 `super-shingle`, 16 `i-match`, 32 `weighted`); its place in the
/// baseline, if there is one; why; 0 if it can be opened, 1 if its texts are not in the page, 2 if a document could not be
/// read again, 3 if one was changed; the reason that was given for accepting it; whether it is set apart; and the shares as a
/// sentence.
fn pair_item(
    report: &Report<'_>,
    pair: &Pair,
    numbers: &Numbers,
    state: Option<PairState>,
) -> Value {
    let (documents, gate) = (&report.outcome.documents, report.gate);
    json!([
        numbers.of(pair.a),
        numbers.of(pair.b),
        pair.relation(),
        pair.weighted().map(|weighted| weighted.similarity),
        pair.jaccard().map(Resemblance::steps),
        pair.shares(documents)
            .map(|shares| shares.map(Share::percent)),
        pair.hamming,
        pair.found_by.bits(),
        gate.standing(pair).map(Standing::as_str),
        reason(&Reason::new(documents, pair)),
        state.unwrap_or(PairState::NotKept) as u8,
        gate.standings.reason(pair).map(visible),
        pair.is_apart(documents),
        shares(documents, pair, ["A", "B"]),
    ])
}

/// Returns a group, a related pair, or pairs that are summed up: its kind; its first document; how many shingles are gained
/// by fixing it; how many pairs it has; a sentence on it; and its members, each with the position of its pair.
fn entry_item(list: &Worklist<'_>, entry: &Entry, numbers: &Numbers) -> Value {
    let members = entry.members.iter();
    let members = members.map(|member| (numbers.of(member.document), member.pair));
    json!([
        entry.kind,
        numbers.of(entry.first),
        entry.gain / STEPS,
        entry.pairs,
        legible(&list.sentence(entry)),
        members.collect::<Vec<_>>(),
    ])
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
