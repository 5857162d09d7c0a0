//! Which document stays: the common part of `plan` and `dedup`.

use std::path::Path;

use anyhow::{Result, anyhow};

use crate::terminal::messages;
use dupfind_decide::clean::keep::candidate::{Candidate, Facts};
use dupfind_decide::clean::ties::{Left, Measures};
use dupfind_decide::{Drops, Keep};
use dupfind_engine::pairing::sink::TooManyPairs;
use dupfind_engine::{Counts, Error, Relation, Relations};
use dupfind_read::ReadOptions;
use dupfind_report::{amount, phrase, say};

/// Returns the facts about documents that the rules need. Git runs only if a rule is about dates.
pub(crate) fn facts(
    keep: &Keep,
    candidates: &[Candidate<'_>],
    options: &ReadOptions,
    base: &Path,
) -> Result<Facts> {
    let (facts, warning) = Facts::gather(keep, candidates, options, base);
    if let Some(warning) = warning {
        messages::warning(&warning);
    }
    Ok(facts)
}

/// Returns the error of a scan; with advice, if there are more pairs than memory has room for.
pub(crate) fn too_many(error: Error) -> anyhow::Error {
    let most = match &error {
        Error::Sink(error) => TooManyPairs::of(error),
        _ => None,
    };
    match most {
        Some(TooManyPairs { most }) => anyhow!(
            "the documents of more than {most} pairs may go, and there is no memory to keep more of them; \
             a higher --min-similarity finds fewer"
        ),
        None => error.into(),
    }
}

/// Prints how many pairs let no document go, and which option lets them.
pub(crate) fn left_alone(left: Left, drops: Drops) {
    if left.duplicates.total() > 0 {
        messages::note(&duplicates_left_alone(left.duplicates, drops));
    }
    let names = drops.names().join(",");
    if left.titles > 0 {
        messages::note(&say!(
            "kept for different titles or pictures: {}; not with --drop {}",
            amount(left.titles, "pair"),
            names
        ));
    }
    let similar = left.similar.total();
    // If less similar documents go by their relation, they would stay with that option.
    let removes_more = drops.need_likeness() && drops.least > 0;
    if similar > 0 && removes_more && drops.relations.have(Relation::Near) && !drops.by_similarity {
        let relations = Relation::ALL
            .into_iter()
            .filter(|&it| left.similar.of(it) > 0);
        let names: Vec<&str> = relations.map(Relation::as_str).map(phrase).collect();
        let names = names.join(phrase(" or "));
        let least = Measures::number(drops.least);
        messages::note(&say!(
            "kept from a similarity of {} on: {} ({}); not with --drop similar",
            least,
            amount(similar, "pair"),
            names
        ));
        return;
    }
    let short = left.similar.of(Relation::Short);
    if short > 0 && !drops.by_similarity {
        messages::note(&say!(
            "kept as too short to judge: {}; not by a second run with --drop short",
            amount(short, "pair")
        ));
    }
}

/// Returns a note on the pairs of pages that both stay. No option is proposed: pages that are alike may both be meant, and each has
/// text of its own.
pub(crate) fn pages_left_alone(left: Left, drops: Drops) -> Option<String> {
    let (names, _) = left_out(left.duplicates, drops);
    let others = left.duplicates.total();
    (others > 0).then(|| {
        say!(
            "left alone: {} ({}); each page may have text of its own",
            amount(others, "other pair"),
            names
        )
    })
}

fn duplicates_left_alone(left: Counts, drops: Drops) -> String {
    let (names, way) = left_out(left, drops);
    let others = amount(left.total(), "other pair");
    say!("left alone: {} ({}); {}", others, names, way)
}

/// Returns the relations that let no document go, and which option lets them, in words.
fn left_out(left: Counts, drops: Drops) -> (String, &'static str) {
    let missing = Relations::DUPLICATES
        .iter()
        .filter(|&r| !drops.relations.have(r) && left.of(r) > 0);
    let mut names: Vec<&str> = missing.map(Relation::as_str).map(phrase).collect();
    let mut way = phrase("--drop exact,near,contains decides about them too");
    if drops.relations.have(Relation::Near) && left.of(Relation::Near) > 0 {
        names.push(phrase("near below --min-similarity"));
        if names.len() == 1 {
            way = phrase("a lower --min-similarity decides about them too");
        }
    }
    (names.join(phrase(" or ")), way)
}
