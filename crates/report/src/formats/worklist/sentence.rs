//! One plain sentence on an entry.

use std::iter;

use crate::formats::worklist::details::Details;
use crate::language::{filled, phrase};
use crate::model::Report;
use crate::say;
use crate::style::numbers::{amount, lines_in_words};
use dupfind_decide::clean::worklist::{Entry, Kind, Member, Worklist};
use dupfind_engine::document::DocId;
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::Pair;

/// Returns the sentence on the entry at a position: `2 pages, 95 % the same, 4 words differ`.
pub(crate) fn sentence(
    report: &Report<'_>,
    list: &Worklist,
    position: usize,
    details: &Details,
) -> String {
    let entry = &list.entries()[position];
    let members = list.members(entry);
    let pages = noun(report, entry);
    let count = amount(members.len() + 1, pages);
    match entry.kind {
        Kind::Group => match members {
            [member] => of_two(report, entry, member, position, details),
            _ => of_many(report, entry, members),
        },
        Kind::Related => {
            let same = percents(report, entry, members.iter());
            say!(
                "{} that share a rare passage, {} of their text",
                count,
                same
            )
        }
        Kind::Variants => say!("variant: {} that are alike but for their subjects", count),
        Kind::Family => say!("template: {} of one form", count),
        Kind::Short => {
            let pairs = amount(entry.pairs, "pair");
            say!("short: {} of texts that are too short to judge", pairs)
        }
    }
}

/// Returns what the documents of an entry are called.
fn noun(report: &Report<'_>, entry: &Entry) -> &'static str {
    match report.outcome.sources.of(entry.document).is_record() {
        true => "record",
        false => "page",
    }
}

/// Returns the sentence on a group of two documents.
fn of_two(
    report: &Report<'_>,
    entry: &Entry,
    member: &Member,
    position: usize,
    details: &Details,
) -> String {
    let pages = amount(2, noun(report, entry));
    let pair = pair_of(report, member);
    let differences = details.differences(position);
    match pair.relation {
        Relation::Exact => phrase("2 copies of one text").into(),
        Relation::Contains => {
            let [larger, smaller] =
                [entry.document, member.document].map(|id| report.outcome.name(id));
            let names = [larger, smaller].map(short_name);
            let [larger, smaller] = if names[0] == names[1] {
                [larger, smaller]
            } else {
                names
            };
            let how_much = match contained(report, pair) {
                percent if percent >= 99 => say!("{} stands whole in {}", smaller, larger),
                percent => say!("{} % of {} stands in {}", percent, smaller, larger),
            };
            match differences.and_then(|found| found.lines.map(|lines| (lines, found.is_one_place)))
            {
                Some((lines, true)) => say!("{} ({})", how_much, lines_in_words(lines)),
                Some((lines, false)) => {
                    say!("{} (scattered over {})", how_much, lines_in_words(lines))
                }
                None => how_much,
            }
        }
        _ => {
            let percents = percents(report, entry, [member].into_iter());
            let differ = differences.map_or(String::new(), |found| say!(", {}", found.words()));
            say!("{}, {} the same{}", pages, percents, differ)
        }
    }
}

/// Returns the sentence on a group of more documents.
fn of_many(report: &Report<'_>, entry: &Entry, members: &[Member]) -> String {
    let of = |relation| {
        let members = members.iter();
        members.filter(move |member| pair_of(report, member).relation == relation)
    };
    let count = |relation| of(relation).count();
    let [copies, near, contained] = [
        count(Relation::Exact),
        count(Relation::Near),
        count(Relation::Contains),
    ];
    if copies == members.len() {
        return say!("{} copies of one text", members.len() + 1);
    }
    let pages = amount(members.len() + 1, noun(report, entry));
    let percents = percents(report, entry, of(Relation::Near));
    if near == members.len() {
        return say!("{}, {} the same as the first", pages, percents);
    }
    let parts = [
        match copies {
            0 => None,
            1 => Some(phrase("1 is a copy of")),
            _ => Some(phrase("{} are copies of")),
        }
        .map(|text| filled(text, &[&copies])),
        match near {
            0 => None,
            1 => Some(phrase("1 is {1} the same as")),
            _ => Some(phrase("{} are {} the same as")),
        }
        .map(|text| filled(text, &[&near, &percents])),
        match contained {
            0 => None,
            1 => Some(phrase("1 stands mostly in")),
            _ => Some(phrase("{} stand mostly in")),
        }
        .map(|text| filled(text, &[&contained])),
    ];
    let firsts = iter::once(phrase("{} the first")).chain(iter::repeat(phrase("{} it")));
    let parts = parts.into_iter().flatten().zip(firsts);
    let parts = parts.map(|(part, text)| filled(text, &[&part]));
    let parts = parts.reduce(|all, part| say!("{}, {}", all, part));
    say!("{}: {}", pages, parts.unwrap_or_default())
}

/// Returns how much of two documents is the same, of the one that is least and the one that is most like the first:
/// `80-95 %`.
fn percents<'m>(
    report: &Report<'_>,
    entry: &Entry,
    members: impl Iterator<Item = &'m Member>,
) -> String {
    let shares = members.map(|member| same(report, entry.document, pair_of(report, member)));
    let (least, most) = shares.fold((u64::MAX, 0), |(least, most), share| {
        (least.min(share), most.max(share))
    });
    match least == most {
        true => say!("{} %", most),
        false => say!("{}-{} %", least, most),
    }
}

/// Returns how many percent of the shingles of two documents both have, rounded down: the coefficient of Dice. Without
/// shingles it is the share of equal bits of their fingerprints.
fn same(report: &Report<'_>, document: DocId, pair: &Pair) -> u64 {
    let documents = &report.outcome.documents;
    let other = if pair.a == document { pair.b } else { pair.a };
    let size = |id: DocId| u64::from(documents[id.index()].shingles);
    match (pair.jaccard, pair.hamming) {
        (Some(jaccard), _) => {
            200 * u64::from(jaccard.overlap) / (size(document) + size(other)).max(1)
        }
        (None, Some(hamming)) => {
            let bits = u64::from(report.settings.engine.simhash_width.bits());
            100 * bits.saturating_sub(hamming.into()) / bits
        }
        (None, None) => 100,
    }
}

/// Returns how many percent of the smaller document are in the other one.
fn contained(report: &Report<'_>, pair: &Pair) -> u64 {
    let [a, b] = [pair.a, pair.b].map(|id| report.outcome.documents[id.index()].shingles);
    pair.jaccard
        .map_or(0, |jaccard| jaccard.contained_steps(a, b) / 100)
}

fn pair_of<'r>(report: &Report<'r>, member: &Member) -> &'r Pair {
    &report.pairs.unwrap_or_default()[member.pair]
}

/// Returns the last part of a name: that of the file.
fn short_name(name: &str) -> &str {
    match name.rsplit_once('/') {
        Some((_, last)) if !last.is_empty() => last,
        _ => name,
    }
}
