//! One plain sentence on an entry.

use std::iter;

use crate::clean::worklist::{Entry, Kind, Member, Worklist};
use crate::document::DocId;
use crate::engine::pair::Pair;
use crate::engine::pair::relation::Relation;
use crate::report::model::Report;
use crate::report::style::numbers::{counted, line_range};
use crate::report::worklist::details::Details;

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
    let count = counted(members.len() + 1, pages);
    match entry.kind {
        Kind::Group => match members {
            [member] => of_two(report, entry, member, position, details),
            _ => of_many(report, entry, members),
        },
        Kind::Related => format!("{count} that share a rare passage, {}", {
            let same = percents(report, entry, members.iter());
            format!("{same} of their text")
        }),
        Kind::Family => format!("template: {count} of one form"),
        Kind::Short => {
            let pairs = counted(entry.pairs, "pair");
            format!("short: {pairs} of texts that are too short to judge")
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
    let pages = counted(2, noun(report, entry));
    let pair = pair_of(report, member);
    let differences = details.differences(position);
    match pair.relation {
        Relation::Exact => "2 copies of one text".into(),
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
                percent if percent >= 99 => format!("{smaller} stands whole in {larger}"),
                percent => format!("{percent} % of {smaller} stands in {larger}"),
            };
            match differences.and_then(|found| found.lines.map(|lines| (lines, found.is_one_place)))
            {
                Some((lines, true)) => format!("{how_much} ({})", line_range(lines)),
                Some((lines, false)) => {
                    format!("{how_much} (scattered over {})", line_range(lines))
                }
                None => how_much,
            }
        }
        _ => {
            let percents = percents(report, entry, [member].into_iter());
            let differ = differences.map_or(String::new(), |found| format!(", {}", found.words()));
            format!("{pages}, {percents} the same{differ}")
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
        return format!("{} copies of one text", members.len() + 1);
    }
    let pages = counted(members.len() + 1, noun(report, entry));
    let percents = percents(report, entry, of(Relation::Near));
    if near == members.len() {
        return format!("{pages}, {percents} the same as the first");
    }
    let verb = |count: usize, one: &str, more: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {more}"),
    };
    let parts = [
        (copies, verb(copies, "is a copy of", "are copies of")),
        (
            near,
            format!("{} {percents} the same as", verb(near, "is", "are")),
        ),
        (
            contained,
            verb(contained, "stands mostly in", "stand mostly in"),
        ),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .zip(iter::once("the first").chain(iter::repeat("it")))
        .map(|((_, words), first)| format!("{words} {first}"))
        .collect();
    format!("{pages}: {}", parts.join(", "))
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
        true => format!("{most} %"),
        false => format!("{least}-{most} %"),
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
