//! What is said of the records on standard error.

use std::collections::HashSet;
use std::path::Path;

use crate::clean::records::copy::Counts;
use crate::clean::records::verdict::Verdicts;
use crate::clean::ties::Drops;
use crate::cli::decision::left_alone;
use crate::cli::dedup::args::DedupArgs;
use crate::cli::terminal::messages;
use crate::engine::pair::relation::Relation;
use crate::report::style::numbers::counted;
use crate::scan::outcome::Outcome;

/// Prints what became of the records.
pub(super) fn print(
    args: &DedupArgs,
    outcome: &Outcome,
    verdicts: &Verdicts<'_>,
    counts: Counts,
    others: u64,
    drops: Drops,
) {
    let Counts { kept, removed } = counts;
    let going = verdicts.going().count() as u64;
    let keepers: HashSet<u32> = verdicts.going().map(|(_, _, going)| going.keeper).collect();
    let relation = |relation: Relation| {
        let count = verdicts
            .going()
            .filter(|(_, _, going)| going.relation == relation)
            .count();
        format!("{count} {}", relation.as_str())
    };
    let relations: Vec<String> = drops.relations.iter().map(relation).collect();
    let all = kept + removed;
    let verb = if args.annotate { "would go" } else { "removed" };
    let mut words = format!(
        "{}: {} kept, {going} {verb} ({}) for {} that stay",
        counted(all, "record"),
        all - going,
        relations.join(", "),
        keepers.len()
    );
    let unresolved = verdicts.unresolved();
    if unresolved > 0 {
        words.push_str(&format!(
            ", {unresolved} kept although they are like one that goes"
        ));
    }
    messages::note(&words);
    let not_compared = all.saturating_sub(outcome.documents.len() as u64);
    if not_compared > 0 {
        messages::note(&format!(
            "{} could not be compared, and stay as they are",
            counted(not_compared, "line")
        ));
    }
    if others > 0 {
        messages::note(&left_alone(others, drops));
    }
    let records = |count: u64, one: &str, many: &str| match count {
        1 => format!("the record that {one}"),
        _ => format!("the {count} records that {many}"),
    };
    let kept = match args.annotate {
        true => format!("{}, each with its verdict", counted(all, "record")),
        false => records(kept, "stays", "stay"),
    };
    let written = [
        (&args.output, kept),
        (&args.removed, records(removed, "goes", "go")),
        (
            &args.verdicts,
            format!("the reasons for {}", records(going, "goes", "go")),
        ),
    ];
    for (path, what) in written {
        if let Some(path) = path.as_deref().filter(|path| *path != Path::new("-")) {
            messages::note(&format!("{} has {what}", path.display()));
        }
    }
}
