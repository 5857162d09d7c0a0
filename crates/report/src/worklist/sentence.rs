//! One plain sentence on an entry.

use std::collections::BTreeSet;

use crate::compare::shares;
use crate::language::{phrase, reason};
use crate::say;
use crate::style::{amount, place_in_words};
use crate::worklist::differences::Swapped;
use crate::worklist::groups::parting;
use crate::worklist::{Entry, Kind, Member, Worklist, common_folder};
use dupfind_engine::{Reason, Relation};

/// How many folders that have the same pages too are named.
const NAMED: usize = 8;

impl Worklist<'_> {
    /// Returns the sentence on an entry: `95 % of b.md is in a.md (80 % of that text), 4 words differ`.
    pub(crate) fn sentence(&self, entry: &Entry) -> String {
        let text = self.of_entry(entry);
        let also = entry.also.iter().map(|&at| &*self.editions[at]);
        let also: Vec<&str> = also.collect();
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
            (Kind::Parallel, members) => self.of_parallel(entry, members),
            (Kind::Family, members) => self.of_family(entry, members, &pages),
            (Kind::Short, _) => {
                let pairs = amount(entry.pairs, "pair");
                say!("short: {} of texts that are too short to judge", pairs)
            }
            (Kind::Untranslated, _) => self.untranslated(entry),
            (Kind::Generated, _) => {
                self.in_folder(entry, say!("generated: {} that are alike", pages))
            }
            (Kind::Code, _) => {
                let files = amount(count, "file");
                self.in_folder(entry, say!("code and data: {} that are alike", files))
            }
        }
    }

    /// Returns the folder that all documents of an entry are in, if there is one.
    fn folder(&self, entry: &Entry) -> Option<&str> {
        common_folder(entry.documents().map(|id| self.report.outcome.name(id)))
    }

    /// Adds the folder that all documents of an entry are in.
    fn in_folder(&self, entry: &Entry, text: String) -> String {
        match self.folder(entry) {
            Some(folder) => say!("{}, in {}", text, folder),
            None => text,
        }
    }

    /// Returns the sentence on a family: its folder, and the two pages that are most alike.
    fn of_family(&self, entry: &Entry, members: &[Member], pages: &str) -> String {
        let text = self.in_folder(entry, say!("family: {} of one form", pages));
        let Some(first) = members.first() else {
            return text;
        };
        let pair = self.pair(first);
        let names = [pair.a, pair.b].map(|id| self.report.outcome.name(id));
        let [a, b] = match names.map(short_name) {
            // Files such as `index.md` are known by their folders.
            [a, b] if a == b => {
                let folder = self.folder(entry).map_or(0, |folder| folder.len() + 1);
                names.map(|name| &name[folder..])
            }
            short => short,
        };
        let found = entry.differences.as_ref();
        match found.and_then(|found| found.swap.as_ref()) {
            None => say!("{}, such as {} and {}", text, a, b),
            Some(Swapped { words, places }) => say!(
                "{}, such as {} and {} ('{}' and '{}' in {} places)",
                text,
                a,
                b,
                words[0],
                words[1],
                places
            ),
        }
    }

    /// Returns the sentence on parallel folders: how much their pages are alike.
    fn of_parallel(&self, entry: &Entry, members: &[Member]) -> String {
        let name = |id| self.report.outcome.name(id);
        let folders = parting(name(entry.first), name(members[0].document));
        let [a, b] = folders.unwrap_or_default();
        let shares = members.iter().filter_map(|member| {
            let pair = self.pair(member);
            let [(_, share), _] = pair.smaller_first(self.documents())?;
            Some(share.percent())
        });
        let shares: BTreeSet<u64> = shares.collect();
        let (least, most) = (
            shares.first().unwrap_or(&100),
            shares.last().unwrap_or(&100),
        );
        let pages = amount(members.len().div_ceil(2), "page");
        match least == most {
            true => say!(
                "parallel folders {} and {}: {} alike, {} %",
                a,
                b,
                pages,
                most
            ),
            false => say!(
                "parallel folders {} and {}: {} alike, {} to {} %",
                a,
                b,
                pages,
                least,
                most
            ),
        }
    }

    /// Returns the sentence on the pages of a language that has the fewest: the others have the text from elsewhere.
    fn untranslated(&self, entry: &Entry) -> String {
        let language = self.language_without(entry.documents());
        let pages = entry.documents();
        let pages = pages.filter(|id| self.documents()[id.index()].edition.language == language);
        let (count, first) = (pages.clone().count(), pages.min().unwrap_or(entry.first));
        let text = say!(
            "untranslated: {} of {} with the text of another language",
            amount(count, "page"),
            self.language(language)
        );
        let text = self.in_folder(entry, text);
        say!(
            "{}, such as {}",
            text,
            short_name(self.report.outcome.name(first))
        )
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
        let Some([(smaller, share), (_, other)]) = pair.smaller_first(documents) else {
            return reason(&Reason::new(documents, pair));
        };
        let names = [pair.a, pair.b].map(|id| short_name(self.report.outcome.name(id)));
        let [share, other] = [share, other].map(|share| share.percent());
        match names[0] == names[1] {
            false => shares(documents, pair, names),
            // They are listed in this order.
            true if smaller == entry.first => say!(
                "{} % of the first is in the second ({} % of that text)",
                share,
                other
            ),
            true => say!(
                "{} % of the second is in the first ({} % of that text)",
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
                say!("{} % of each of the others is in the first", most)
            }
            (Some(least), Some(most)) => {
                say!(
                    "{} to {} % of each of the others is in the first",
                    least,
                    most
                )
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
