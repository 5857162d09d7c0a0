//! The summary of the records on standard error.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use crate::commands::dedup::DedupArgs;
use crate::decision::keepers::left_alone;
use crate::terminal::messages;
use dupfind_decide::Drops;
use dupfind_decide::clean::drops::Ground;
use dupfind_decide::clean::records::copy::Counts;
use dupfind_decide::clean::records::verdict::Verdicts;
use dupfind_decide::clean::ties::{Left, Measures};
use dupfind_engine::{Relation, Relations};
use dupfind_report::language::filled;
use dupfind_report::{amount, phrase, say};
use dupfind_scan::Scan;

/// Prints how many records stay, and how many go.
pub(super) fn print(
    args: &DedupArgs,
    outcome: &Scan,
    verdicts: &Verdicts<'_>,
    counts: Counts,
    left: Left,
    drops: Drops,
) {
    let Counts { kept, removed } = counts;
    let going = verdicts.going().count() as u64;
    let keepers: HashSet<u32> = verdicts
        .going()
        .map(|(_, _, going)| going.document)
        .collect();
    let ground = |ground: Ground| {
        let count = verdicts
            .going()
            .filter(|(_, _, going)| going.ground == ground)
            .count();
        say!("{} {}", count, phrase(ground.as_str()))
    };
    // Equal texts are similar.
    let exact = drops.by_similarity.then_some(Relation::Exact);
    let relations: Relations = drops.relations.iter().chain(exact).collect();
    let similar = drops.by_similarity.then_some(Ground::Similar);
    let grounds = relations.iter().map(Ground::Relation).chain(similar);
    let relations: Vec<String> = grounds.map(ground).collect();
    let all = kept + removed;
    let text = match args.against.is_empty() {
        true => phrase("{}: {} kept, {} removed ({}) for {} that stay"),
        false => phrase("{}: {} kept, {} removed ({}), as {} of the other set are like them"),
    };
    let relations = relations.join(phrase(", "));
    let mut words = filled(
        text,
        &[
            &amount(all, "record"),
            &(all - going),
            &going,
            &relations,
            &keepers.len(),
        ],
    );
    let unresolved = verdicts.unresolved();
    if unresolved > 0 {
        words.push_str(&say!(", {} kept although they are like others", unresolved));
    }
    messages::note(&words);
    let not_compared = all.saturating_sub(outcome.sources.own() as u64);
    if not_compared > 0 {
        messages::note(&say!(
            "not compared, and kept as they are: {}",
            amount(not_compared, "line")
        ));
    }
    let is_usual = args.keep.drops().relations.is_none() && args.against.is_empty();
    let near = verdicts
        .going()
        .any(|(_, _, going)| going.ground == Ground::Relation(Relation::Near));
    if is_usual && near {
        messages::note(&say!(
            "near-copies went from a similarity of {} on; --drop exact keeps them",
            Measures::number(drops.least)
        ));
    }
    // Where relations decide nothing, not all of the other pairs were looked for.
    if drops.need_relations() {
        left_alone(left, drops);
    }
    let written = [
        (&args.output, say!("what stays: {}", amount(kept, "record"))),
        (
            &args.verdicts,
            say!("the reasons for what goes: {}", amount(going, "record")),
        ),
    ];
    for (path, what) in written {
        if let Some(path) = path.as_deref().filter(|path| *path != Path::new("-")) {
            messages::note(&say!("{} has {}", path.display(), what));
        }
    }
}

/// Prints how many records are like one that differs in a field.
pub(super) fn print_apart(fields: &[String], records: usize) {
    if records > 0 {
        messages::note(&say!(
            "{}: like others with another '{}', and go only for those that have the same",
            amount(records as u64, "record"),
            fields.join("', '")
        ));
    }
}

/// How many near-copies of one record are so many that another field may tell them apart: nine of ten. So many of several
/// records are, too, if they are half of all.
const MANY: usize = 9;

/// Warns of near-copies that are many: they may be ten questions about one passage, or three about each of twenty.
pub(super) fn warn_of_many(verdicts: &Verdicts<'_>, all: u64, text_fields: &[String]) {
    let mut copies: BTreeMap<u32, usize> = BTreeMap::new();
    let going = verdicts.going().map(|(_, _, going)| going);
    let near = Ground::Relation(Relation::Near);
    for going in going.filter(|going| going.ground == near) {
        *copies.entry(going.document).or_default() += 1;
    }
    let sum: usize = copies.values().sum();
    let most = copies
        .into_iter()
        .max_by_key(|&(at, count)| (count, Reverse(at)));
    let field = match text_fields {
        [_, .., last] => last,
        _ => "FIELD",
    };
    match most {
        Some((at, count)) if count >= MANY => messages::warning(&say!(
            "{} near-copies go for {} alone; if a field tells them apart, such as a question, --unless-field {} keeps them",
            count,
            verdicts.name(at),
            field
        )),
        Some(_) if sum >= MANY && sum as u64 * 2 >= all => messages::warning(&say!(
            "{} of {} records go as near-copies; if a field tells them apart, such as a question, --unless-field {} keeps them",
            sum,
            all,
            field
        )),
        _ => {}
    }
}

/// Warns that records went whose texts may be about other pictures: a field beside the text tells which.
pub(super) fn warn_of_media(beside: Option<&str>, text_fields: &[String]) {
    let is_text = |field: &&str| text_fields.iter().any(|text| text == field);
    if let Some(field) = beside.filter(|field| !is_text(field)) {
        messages::warning(&say!(
            "only texts were compared; --unless-field {} keeps records that differ there",
            field
        ));
    }
}

/// How many records with damage are named.
const NAMED: usize = 5;

/// Prints the records that stay as their texts are damaged.
pub(super) fn print_damaged(names: &[String]) {
    if names.is_empty() {
        return;
    }
    let mut named = names[..names.len().min(NAMED)].join(", ");
    if names.len() > NAMED {
        named.push_str(" …");
    }
    messages::note(&say!(
        "{}: kept though like others, as the texts were not read whole: {}",
        amount(names.len() as u64, "record"),
        named
    ));
}
