//! One plain sentence on an entry.

use crate::formats::worklist::details::Details;
use crate::formats::worklist::differences::{Differences, Swapped};
use crate::language::{phrase, reason};
use crate::model::Report;
use crate::say;
use crate::style::numbers::{amount, place_in_words};
use dupfind_decide::clean::worklist::{Entry, Kind, Member, Worklist};
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::Pair;
use dupfind_engine::verdict::reason::Reason;

/// How many folders that have the same pages too are named.
const NAMED: usize = 8;

/// Returns the sentence on the entry at a position: `95 % of b.md is in a.md, 80 % the other way, 4 words differ`.
pub(crate) fn sentence(
    report: &Report<'_>,
    list: &Worklist,
    position: usize,
    details: &Details,
) -> String {
    let text = of_entry(report, list, position, details);
    let also: Vec<&str> = list.also(&list.entries()[position]).collect();
    if also.is_empty() {
        return text;
    }
    let mut named = also[..also.len().min(NAMED)].join(phrase(", "));
    if also.len() > NAMED {
        named = say!("{} and {} more", named, also.len() - NAMED);
    }
    say!("{}; also in {}", text, named)
}

/// Returns the sentence on an entry, without the folders that have the same pages.
fn of_entry(report: &Report<'_>, list: &Worklist, position: usize, details: &Details) -> String {
    let entry = &list.entries()[position];
    let members = list.members(entry);
    let count = amount(members.len() + 1, noun(report, entry));
    match (entry.kind, members) {
        (Kind::Group, [member]) => of_two(report, entry, member, details.differences(position)),
        (Kind::Group, _) => of_many(report, members, &count),
        (Kind::Related, _) => {
            let shares = members.iter().map(|member| shares(report, entry, member));
            say!("related: {}", shares.collect::<String>())
        }
        (Kind::Variants, _) => match details
            .differences(position)
            .and_then(|found| found.swap.as_ref())
        {
            None => say!("variant: {} that are alike but for their subjects", count),
            Some(Swapped {
                words: [one, other],
                places,
            }) => say!(
                "variant: {} that are alike but for their subjects, such as '{}' and '{}' in {} places",
                count,
                one,
                other,
                places
            ),
        },
        (Kind::Subjects, _) => say!("related: {} of one family that share rare text", count),
        (Kind::Family, _) => say!("template: {} of one form", count),
        (Kind::Short, _) => {
            let pairs = amount(entry.pairs, "pair");
            say!("short: {} of texts that are too short to judge", pairs)
        }
        (Kind::Versions, _) => say!(
            "versions and translations: {} that are in several folders",
            count
        ),
        (Kind::Generated, _) => say!("generated: {} that are alike", count),
        (Kind::Code, _) => {
            let count = amount(members.len() + 1, "file");
            say!("code and data: {} that are alike", count)
        }
    }
}

/// Returns the noun for the documents of an entry.
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
    differences: Option<&Differences>,
) -> String {
    let relation = pair_of(report, member).relation();
    if relation == Relation::Exact {
        return phrase("2 copies of one text").into();
    }
    let shares = shares(report, entry, member);
    match differences {
        None => shares,
        Some(found) if relation == Relation::Contains => match found.place {
            None => shares,
            Some(place) if found.is_one_place => say!("{} ({})", shares, place_in_words(place)),
            Some(place) => say!("{} (scattered over {})", shares, place_in_words(place)),
        },
        Some(found) => say!("{}, {}", shares, found.words()),
    }
}

/// Returns how much of each of two documents is in the other one, that of the smaller one first.
fn shares(report: &Report<'_>, entry: &Entry, member: &Member) -> String {
    let (documents, pair) = (&report.outcome.documents, pair_of(report, member));
    let Some([(smaller, share), (larger, other)]) = pair.smaller_first(documents) else {
        return reason::sentence(&Reason::new(documents, pair));
    };
    let names = [smaller, larger].map(|id| short_name(report.outcome.name(id)));
    let [share, other] = [share, other].map(|share| share.percent());
    match names[0] == names[1] {
        false => say!(
            "{} % of {} is in {}, {} % the other way",
            share,
            names[0],
            names[1],
            other
        ),
        // They are listed in this order.
        true if smaller == entry.document => say!(
            "{} % of the first is in the second, {} % the other way",
            share,
            other
        ),
        true => say!(
            "{} % of the second is in the first, {} % the other way",
            share,
            other
        ),
    }
}

/// Returns the sentence on a group of more documents: how much of each of them is in the first one.
fn of_many(report: &Report<'_>, members: &[Member], pages: &str) -> String {
    let is_copy = |member: &&Member| pair_of(report, member).relation() == Relation::Exact;
    let copies = members.iter().filter(is_copy).count();
    if copies == members.len() {
        return say!("{} copies of one text", members.len() + 1);
    }
    let others = members.iter().filter(|member| !is_copy(member));
    let shares = others.filter_map(|member| {
        let shares = pair_of(report, member).shares(&report.outcome.documents)?;
        let is_first = pair_of(report, member).a == member.document;
        Some(shares[usize::from(!is_first)].percent())
    });
    let range = shares.fold(None, |range, share| match range {
        None => Some((share, share)),
        Some((least, most)) => Some((share.min(least), share.max(most))),
    });
    let others = match range {
        None => phrase("the others are like the first").into(),
        Some((_, most)) if members.len() - copies == 1 => {
            say!("{} % of the other is in the first", most)
        }
        Some((least, most)) if least == most => {
            say!("{} % of the others is in the first", most)
        }
        Some((least, most)) => say!("{} to {} % of the others is in the first", least, most),
    };
    match copies {
        0 => say!("{}: {}", pages, others),
        1 => say!("{}: 1 copy of the first; {}", pages, others),
        _ => say!("{}: {} copies of the first; {}", pages, copies, others),
    }
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
