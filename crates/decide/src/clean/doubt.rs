//! Why a page may not go although its text is elsewhere.

use std::path::Path;

use crate::clean::drops::Ground;
use crate::clean::heads::Role;
use crate::clean::keep::candidate::{Candidate, Facts};
use crate::clean::mentions::dated;
use dupfind_engine::Relation;
use dupfind_engine::verdict::{name_two_releases, name_two_subjects};
use dupfind_read::site::names::{is_instruction, is_navigation, sides};
use dupfind_read::source::code::{is_licence, may_be_of_program};
use dupfind_read::source::no_page::may_be_canonical;

/// A document of a plan has at least so many shingles. Then it has 30 words or characters of text.
pub const LEAST_SIZE: u32 = 28;

/// How many characters of what a page has besides its text are shown.
const NAME: usize = 80;

/// How many places that mention a page are named.
const NAMED: usize = 3;

/// The languages and versions in the path of a page, whatever is beside it, those that the scan tells by its place, and whether
/// it is in Traditional characters.
pub(in crate::clean) type Sides<'p> = (Vec<&'p str>, [u16; 2], bool);

/// Returns what parts a page from others: a scan lists such a pair, and a plan lets none of its pages go.
pub(in crate::clean) fn sides_of<'p>(page: &Candidate<'p>) -> Sides<'p> {
    (sides(page.name()), page.edition, is_traditional(page))
}

/// Returns whether two pages are of different languages, scripts or versions. Records have none.
pub(in crate::clean) fn are_of_other_sides(a: &Candidate<'_>, b: &Candidate<'_>) -> bool {
    !a.is_record() && !b.is_record() && sides_of(a) != sides_of(b)
}

/// Returns whether a document is in Traditional characters. Readers of Simplified ones cannot do with it.
pub(in crate::clean) fn is_traditional(page: &Candidate<'_>) -> bool {
    page.document.unfolded_hash != page.document.text_hash
}

/// Returns whether a page names another one as canonical, and not itself: an address may fit both paths, and the shorter one better.
fn names_other(page: &Candidate<'_>, other: &Candidate<'_>, facts: &Facts) -> bool {
    let head = facts.heads.get(page.name());
    let Some(address) = head.and_then(|head| head.canonical.as_deref()) else {
        return false;
    };
    let left = |page: &Candidate<'_>| {
        let path = Path::new(page.name());
        // Of Markdown too, an address is that of the page that is made of it.
        let paths = [path.to_owned(), path.with_extension("html")];
        let fits = paths.iter().any(|path| may_be_canonical(path, address));
        fits.then(|| path.components().count())
    };
    left(other).is_some_and(|others| left(page).is_none_or(|own| others < own))
}

/// Returns whether a page is in a folder of drafts. Such a copy may go for the published page, and that page never for the copy.
fn is_in_drafts(path: &str) -> bool {
    let mut folders = path.split('/');
    folders.any(|folder| matches!(folder, "_drafts" | "drafts"))
}

/// Returns why a page may not go for another one on a ground, in words, but for the places that name it. Records have no
/// titles of pages, may be short, and nothing leads to them.
pub(in crate::clean) fn doubt(
    own: &Candidate<'_>,
    other: &Candidate<'_>,
    ground: Ground,
    facts: &Facts,
) -> Option<String> {
    if own.is_record() || other.is_record() {
        return None;
    }
    let mut both = [own, other].into_iter();
    if let Some(page) = both.find(|page| page.file.to_str().is_none()) {
        return Some(format!(
            "it stays, as no plan can name {}, whose name is not UTF-8",
            page.name()
        ));
    }
    if own.size().min(other.size()) < LEAST_SIZE {
        return Some("it stays, as one of the two has fewer than 30 words (in Chinese or Japanese: characters)".into());
    }
    for (is_kept, what) in [
        (is_licence(own.name()), "a licence"),
        (
            is_navigation(own.name()),
            "a table of contents for a generator",
        ),
        (
            is_instruction(own.name()),
            "instructions that an agent reads alone",
        ),
    ] {
        if is_kept {
            return Some(format!("it stays, as it is {what}"));
        }
    }
    if may_be_of_program(own.file) {
        return Some("it stays, as a program may read it".into());
    }
    if name_two_releases(own.name(), other.name()) {
        return Some("it stays, as the names of the two tell two versions".into());
    }
    if ground == Ground::Relation(Relation::Near) && name_two_subjects(own.name(), other.name()) {
        return Some("it stays, as the names of the two tell two subjects".into());
    }
    if own.title() != other.title() && own.title() > 0 && other.title() > 0 {
        return Some("it stays, as the two have different titles".into());
    }
    if is_traditional(own) != is_traditional(other) {
        return Some("it stays, as one of the two is in Traditional characters, and the other one in Simplified ones".into());
    }
    if are_of_other_sides(own, other) {
        let names = [own, other].map(|page| match sides(page.name()) {
            names if names.is_empty() => "no such folder".to_owned(),
            names => names.join("/"),
        });
        let told = match names[0] == names[1] {
            true => String::new(),
            false => format!(": {}", names.join(" and ")),
        };
        return Some(format!(
            "it stays, as the two are of different languages or versions by their paths{told}"
        ));
    }
    if names_other(own, other, facts) || names_other(other, own, facts) {
        return Some(Role::Redirect.because().into());
    }
    if is_in_drafts(other.name()) && !is_in_drafts(own.name()) {
        return Some(Role::Hidden.because().into());
    }
    let days = [own, other].map(|page| dated(page.file.file_stem()?.to_str()?).map(|(day, _)| day));
    let [own, other] = [own, other].map(|page| facts.heads.get(page.name()));
    let heads = || own.iter().chain(&other);
    if let Some(role) = heads().find_map(|head| head.role) {
        return Some(role.because().into());
    }
    let (own, other) = (own?, other?);
    if let [Some(a), Some(b)] = days
        && a != b
        && own.date != other.date
    {
        return Some("it stays, as the two are posts of two days".into());
    }
    if own.is_described && !other.is_described {
        let part = "it stays, as the other one has no title or the like in its front matter, and may be a part of pages";
        return Some(part.into());
    }
    if let Some(label) = own.labels.difference(&other.labels).next() {
        return Some(format!(
            "it stays, as it has a label that the other one lacks: {label}"
        ));
    }
    let has_more = |(key, _): &(&String, &String)| !other.beside.contains_key(*key);
    if let Some((_, name)) = own.beside.iter().find(has_more) {
        let name: String = name.chars().take(NAME).collect();
        return Some(format!(
            "it stays, as it has a picture, a header or the like that the other one lacks: {name}"
        ));
    }
    let differs = |(key, value): &(&String, &String)| {
        let other = other.keys.get(*key);
        other.is_some_and(|other| other != *value)
    };
    let differing: Vec<&str> = own
        .keys
        .iter()
        .filter(differs)
        .map(|(key, _)| &**key)
        .collect();
    (!differing.is_empty()).then(|| {
        let keys = differing.join(", ");
        format!("it stays, as the two have other values in their front matter: {keys}")
    })
}

/// Returns where a page is named that may not go for that, in words.
pub(in crate::clean) fn named_in(
    own: &Candidate<'_>,
    other: &Candidate<'_>,
    facts: &Facts,
) -> Option<String> {
    let mentions = facts.mentions.of(own.name(), other.name())?;
    let named: Vec<&str> = mentions.iter().take(NAMED).map(String::as_str).collect();
    let more = match mentions.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "it stays, as it is named in {}{more}",
        named.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clean::heads::Head;

    #[test]
    fn a_page_with_a_label_of_its_own_stays() {
        let head = |labels: &[&str]| Head {
            labels: labels.iter().map(|&label| label.to_owned()).collect(),
            ..Head::default()
        };
        let heads = [("a.md", head(&["x"])), ("b.md", head(&["x", "y"]))];
        let facts = Facts {
            heads: heads.map(|(name, head)| (name.to_owned(), head)).into(),
            ..Facts::default()
        };
        let [a, b] = ["a.md", "b.md"].map(|name| Candidate::of_file(name, 10));
        assert_eq!(doubt(&a, &b, Ground::EXACT, &facts), None);
        let because = "it stays, as it has a label that the other one lacks: y";
        assert_eq!(
            doubt(&b, &a, Ground::EXACT, &facts).as_deref(),
            Some(because)
        );
    }

    #[test]
    fn posts_of_two_days_stay() {
        let posts = ["_posts/2015-01-08-call.md", "_posts/2016-01-07-call.md"];
        let because = "it stays, as the two are posts of two days";
        for (dates, expected) in [
            (["2015-01-08", "2016-01-07"], Some(because)),
            (["2015-01-08", "2015-01-08"], None),
        ] {
            let head = |date: &str| Head {
                date: Some(date.to_owned()),
                ..Head::default()
            };
            let heads = posts.into_iter().zip(dates);
            let heads = heads.map(|(name, date)| (name.to_owned(), head(date)));
            let facts = Facts {
                heads: heads.collect(),
                ..Facts::default()
            };
            let [a, b] = posts.map(|name| Candidate::of_file(name, 10));
            let found = doubt(&a, &b, Ground::EXACT, &facts);
            assert_eq!(found.as_deref(), expected, "{dates:?}");
        }
    }

    #[test]
    fn a_canonical_address_is_of_the_page_whose_path_it_fits_best() {
        for (page, other, address, expected) in [
            ("old/kiln.html", "kiln.html", "https://s/kiln.html", true),
            ("kiln.html", "old/kiln.html", "https://s/kiln.html", false),
            ("v1/kiln.html", "v2/kiln.html", "https://s/kiln.html", false),
            ("old/kiln.html", "kiln.html", "https://s/old/kiln", false),
            ("copy.md", "docs/kiln.md", "https://s/docs/kiln/", true),
            ("copy.md", "docs/kiln/index.md", "/docs/kiln", true),
            ("copy.md", "kiln.md", "https://other/tea", false),
        ] {
            let head = Head {
                canonical: Some(address.into()),
                ..Head::default()
            };
            let facts = Facts {
                heads: [(page.to_owned(), head)].into(),
                ..Facts::default()
            };
            let [page, other] = [page, other].map(|name| Candidate::of_file(name, 10));
            let names = names_other(&page, &other, &facts);
            assert_eq!(
                names,
                expected,
                "{} {} {address}",
                page.name(),
                other.name()
            );
        }
    }
}
