//! Why a page may not go although its text is elsewhere.

use std::path::Path;

use crate::clean::heads::Role;
use crate::clean::keep::candidate::{Candidate, Facts};
use dupfind_read::site::names::{is_instruction, is_licence, sides};
use dupfind_read::source::no_page::may_be_canonical;

/// A document of a plan has at least so many shingles. Then it has 30 words or characters of text.
pub const LEAST_SIZE: u32 = 28;

/// How many places that mention a page are named.
const NAMED: usize = 3;

/// Returns whether two pages are of different languages or versions, by their paths. Records have none.
pub(in crate::clean) fn is_apart(a: &Candidate, b: &Candidate) -> bool {
    a.record == 0 && b.record == 0 && sides(&a.name) != sides(&b.name)
}

/// Returns why a page may not go for another one, in words, but for the places that name it. Records have no titles of pages, may be short, and nothing leads
/// to them.
pub(in crate::clean) fn doubt(own: &Candidate, other: &Candidate, facts: &Facts) -> Option<String> {
    if own.record > 0 || other.record > 0 {
        return None;
    }
    if own.size.min(other.size) < LEAST_SIZE {
        return Some("it stays, as one of the two has fewer than 30 words of text".into());
    }
    for (is_kept, what) in [
        (is_licence(&own.name), "a licence"),
        (
            is_instruction(&own.name),
            "instructions that an agent reads alone",
        ),
    ] {
        if is_kept {
            return Some(format!("it stays, as it is {what}"));
        }
    }
    if own.title != other.title && own.title > 0 && other.title > 0 {
        return Some("it stays, as the two have different titles".into());
    }
    if is_apart(own, other) {
        let names = |sides: Vec<&str>| match sides.is_empty() {
            true => "no such folder".to_owned(),
            false => sides.join("/"),
        };
        return Some(format!(
            "it stays, as the two are of different languages or versions: {} and {}",
            names(sides(&own.name)),
            names(sides(&other.name))
        ));
    }
    let names_other = |page: &Candidate, other: &Candidate| {
        let head = facts.heads.get(&page.name);
        let canonical = head.and_then(|head| head.canonical.as_deref());
        canonical.is_some_and(|address| may_be_canonical(Path::new(&other.name), address))
    };
    if names_other(own, other) || names_other(other, own) {
        return Some(Role::Redirect.because().into());
    }
    let [own, other] = [own, other].map(|page| facts.heads.get(&page.name));
    let heads = || own.iter().chain(&other);
    if let Some(role) = heads().find_map(|head| head.role) {
        return Some(role.because().into());
    }
    let (own, other) = (own?, other?);
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
pub(in crate::clean) fn named_in(own: &Candidate, facts: &Facts) -> Option<String> {
    let mentions = facts.mentions.get(&own.name)?;
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
