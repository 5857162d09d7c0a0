//! One plain sentence on an entry.

use crate::language::{phrase, reason};
use crate::say;
use crate::style::numbers::{amount, place_in_words};
use crate::worklist::differences::Swapped;
use crate::worklist::{Entry, Kind, Member, Worklist};
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::reason::Reason;

/// How many folders that have the same pages too are named.
const NAMED: usize = 8;

impl Worklist<'_> {
    /// Returns the sentence on an entry: `95 % of b.md is in a.md, 80 % the other way, 4 words differ`.
    pub(crate) fn sentence(&self, entry: &Entry) -> String {
        let text = self.of_entry(entry);
        let values = self.layout.iter().flat_map(|layout| &layout.values);
        let values: Vec<&str> = values.map(String::as_str).collect();
        let also: Vec<&str> = entry.also.iter().map(|&at| values[at]).collect();
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
    fn of_entry(&self, entry: &Entry) -> String {
        let count = entry.members.len() + 1;
        let pages = amount(count, self.noun(entry));
        match (entry.kind, entry.members.as_slice()) {
            (Kind::Group, [member]) => self.of_two(entry, member),
            (Kind::Group, members) => self.of_many(members, &pages),
            (Kind::Related, members) => {
                let shares = members.iter().map(|member| self.shares(entry, member));
                say!("related: {}", shares.collect::<String>())
            }
            (Kind::Variants, _) => {
                let found = entry.differences.as_ref();
                match found.and_then(|found| found.swap.as_ref()) {
                    None => say!("variant: {} that are alike but for their subjects", pages),
                    Some(Swapped {
                        words: [one, other],
                        places,
                    }) => say!(
                        "variant: {} that are alike but for their subjects, such as '{}' and '{}' in {} places",
                        pages,
                        one,
                        other,
                        places
                    ),
                }
            }
            (Kind::Subjects, _) => say!("related: {} of one family that share rare text", pages),
            (Kind::Family, _) => say!("template: {} of one form", pages),
            (Kind::Short, _) => {
                let pairs = amount(entry.pairs, "pair");
                say!("short: {} of texts that are too short to judge", pairs)
            }
            (Kind::Versions, _) => say!(
                "versions and translations: {} that are in several folders",
                pages
            ),
            (Kind::Generated, _) => say!("generated: {} that are alike", pages),
            (Kind::Code, _) => say!("code and data: {} that are alike", amount(count, "file")),
        }
    }

    /// Returns the noun for the documents of an entry.
    fn noun(&self, entry: &Entry) -> &'static str {
        match self.report.outcome.sources.of(entry.first).is_record() {
            true => "record",
            false => "page",
        }
    }

    /// Returns the sentence on a group of two documents.
    fn of_two(&self, entry: &Entry, member: &Member) -> String {
        let relation = self.pair(member).relation();
        if relation == Relation::Exact {
            return phrase("2 copies of one text").into();
        }
        let shares = self.shares(entry, member);
        match &entry.differences {
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
    fn shares(&self, entry: &Entry, member: &Member) -> String {
        let (documents, pair) = (self.documents(), self.pair(member));
        let Some([(smaller, share), (larger, other)]) = pair.smaller_first(documents) else {
            return reason(&Reason::new(documents, pair));
        };
        let names = [smaller, larger].map(|id| short_name(self.report.outcome.name(id)));
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
            true if smaller == entry.first => say!(
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
    fn of_many(&self, members: &[Member], pages: &str) -> String {
        let is_copy = |member: &&Member| self.pair(member).relation() == Relation::Exact;
        let copies = members.iter().filter(is_copy).count();
        if copies == members.len() {
            return say!("{} copies of one text", members.len() + 1);
        }
        let others = members.iter().filter(|member| !is_copy(member));
        let shares = others.filter_map(|member| {
            let pair = self.pair(member);
            let shares = pair.shares(self.documents())?;
            Some(shares[usize::from(pair.a != member.document)].percent())
        });
        let shares: Vec<u64> = shares.collect();
        let others = match (shares.iter().min(), shares.iter().max()) {
            (Some(_), Some(most)) if members.len() - copies == 1 => {
                say!("{} % of the other is in the first", most)
            }
            (Some(least), Some(most)) if least == most => {
                say!("{} % of the others is in the first", most)
            }
            (Some(least), Some(most)) => {
                say!("{} to {} % of the others is in the first", least, most)
            }
            _ => phrase("the others are like the first").into(),
        };
        match copies {
            0 => say!("{}: {}", pages, others),
            1 => say!("{}: 1 copy of the first; {}", pages, others),
            _ => say!("{}: {} copies of the first; {}", pages, copies, others),
        }
    }
}

/// Returns the last part of a name: that of the file.
fn short_name(name: &str) -> &str {
    match name.rsplit_once('/') {
        Some((_, last)) if !last.is_empty() => last,
        _ => name,
    }
}
