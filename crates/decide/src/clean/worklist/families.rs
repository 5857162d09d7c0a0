//! Families: pages of one form, or one page for several subjects.

use crate::clean::worklist::gain::gain;
use crate::clean::worklist::{Kind, Listed, Member, Worklist};
use dupfind_engine::DocId;
use dupfind_engine::features::document::Document;
use dupfind_engine::pairing::cluster::Forest;
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::Pair;

/// The most similar pair of a document, none before it is known.
const NONE: usize = usize::MAX;

/// Adds the families of a kind: the documents that are connected by its pairs.
pub(super) fn add(list: &mut Worklist, documents: &[Document], listed: &Listed<'_>, kind: Kind) {
    let relation = match kind {
        Kind::Variants => Relation::Variant,
        Kind::Subjects => Relation::Related,
        _ => Relation::Template,
    };
    let is_it = |pair: &Pair| kind != Kind::Subjects || listed.is_summed(pair);
    let pairs = || listed.of(relation).filter(|(_, pair)| is_it(pair));
    if pairs().next().is_none() {
        return;
    }
    let index = |id: DocId| u32::try_from(id.index()).expect("ids have 32 bits");
    let mut forest = Forest::new(documents.len());
    // The most similar pairs come first.
    let mut best = vec![NONE; documents.len()];
    let mut counts = vec![0_u32; documents.len()];
    for (at, pair) in pairs() {
        forest.union(index(pair.a), index(pair.b));
        counts[pair.a.index()] += 1;
        for id in [pair.a, pair.b] {
            let best = &mut best[id.index()];
            *best = (*best).min(at);
        }
    }
    let lengths: Vec<usize> = documents.iter().map(|document| document.length).collect();
    for family in forest.clusters(&lengths) {
        let members = family.documents.iter().copied();
        let members = members.filter(|&id| id != family.representative);
        let mut members: Vec<Member> = members
            .map(|document| Member {
                document,
                pair: best[document.index()],
            })
            .collect();
        members.sort_unstable_by_key(|member| (member.pair, member.document));
        let gains = members
            .iter()
            .map(|member| gain(documents, listed.pair(member.pair)));
        let gain = gains.sum();
        let pairs = family
            .documents
            .iter()
            .map(|id| u64::from(counts[id.index()]));
        let pairs = pairs.sum();
        list.push(kind, family.representative, members, gain);
        list.set_pairs(pairs);
    }
}
