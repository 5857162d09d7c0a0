//! The summary of a plan on standard error.

use std::fmt::Display;
use std::path::Path;

use crate::commands::plan::args::PlanArgs;
use crate::decision::keepers::pages_left_alone;
use crate::terminal::messages;
use dupfind_decide::clean::plan::line::{Drop, Line};
use dupfind_decide::clean::plan::make::Summary;
use dupfind_decide::clean::ties::Left;
use dupfind_decide::{Drops, Plan};
use dupfind_report::language::filled;
use dupfind_report::style::shell::{shown, word};
use dupfind_report::{amount, phrase, say};

/// How many documents that go are named.
const NAMED: usize = 20;

/// Prints the documents that go and the counts of a plan, and how to go on. `left` are the pairs that let no document
/// go. `has_ages` is whether git knows the age of a page.
pub(super) fn print(made: &Plan, args: &PlanArgs, left: Left, drops: Drops, has_ages: bool) {
    let plan = args.output.output.as_deref();
    let plan = plan.filter(|plan| *plan != Path::new("-"));
    if plan.is_some() {
        list(made);
    }
    let Summary {
        groups,
        drops: dropped,
        unresolved,
        bytes,
    } = made.summary;
    let mut words = match dropped {
        0 => phrase("nothing goes").to_owned(),
        _ => {
            let text = match (dropped, groups) {
                (1, _) => phrase("{} goes ({}) for {} that stays"),
                (_, 1) => phrase("{} go ({}) for {} that stays"),
                _ => phrase("{} go ({}) for {} that stay"),
            };
            let dropped = amount(dropped as u64, "document");
            filled(text, &[&dropped, &size(bytes), &groups])
        }
    };
    if !has_ages && dropped > 0 {
        words.push_str(phrase(
            "; their age decided nothing, as git does not know it",
        ));
    }
    match unresolved {
        0 => {}
        1 => words.push_str(phrase("; 1 is unresolved, and stays")),
        _ => words.push_str(&say!("; {} are unresolved, and stay", unresolved)),
    }
    messages::note(&words);
    losses(made);
    if let Some(left) = pages_left_alone(left, drops) {
        messages::note(&left);
    }
    let Some(plan) = plan else {
        return;
    };
    messages::note(&match dropped {
        0 => say!("{} has a plan that drops nothing", plan.display()),
        _ => {
            let dropped = amount(dropped as u64, "document");
            let text = phrase("{} has the plan to drop {}; look at it, then: dupfind apply {}{}");
            let option = match args.linked.even_if_linked {
                true => " --even-if-linked",
                false => "",
            };
            filled(text, &[&plan.display(), &dropped, &shown(plan), &option])
        }
    });
}

/// Prints how many documents go whose files have more than the files that stay, though their texts are the same.
fn losses(made: &Plan) {
    let mut drops = made.lines.iter().filter_map(|line| match line {
        Line::Drop(line) if line.only_in_drop > Some(0) => Some(line),
        _ => None,
    });
    let Some(first) = drops.next() else {
        return;
    };
    let words = [&first.keep, &first.drop].map(|name| word(name));
    let command = match &words {
        [Some(keep), Some(drop)] => format!("dupfind compare {keep} {drop}"),
        _ => "dupfind compare A B".to_owned(),
    };
    let kinds = phrase("links, pictures, comments, front matter, capitals");
    messages::note(&match drops.count() {
        0 => say!(
            "the file of 1 of them has lines that the one that stays does not have ({}); look at it first: {}",
            kinds,
            command
        ),
        more => say!(
            "the files of {} of them have lines that the ones that stay do not have ({}); look at them first, such as: {}",
            more + 1,
            kinds,
            command
        ),
    });
}

/// Prints which documents go, and why the others stay.
fn list(made: &Plan) {
    for (line, reason) in made.lines.iter().zip(&made.reasons).take(NAMED) {
        let Line::Drop(Drop {
            keep,
            drop,
            linked_from,
            ..
        }) = line
        else {
            continue;
        };
        let values: Vec<&dyn Display> = reason
            .values
            .iter()
            .map(|value| value as &dyn Display)
            .collect();
        let reason = filled(phrase(reason.text), &values);
        let mut words = say!("{} goes for {}: {}", drop, keep, reason);
        if !linked_from.is_empty() {
            words.push_str(&say!("; it is named in {}", linked_from.join(", ")));
        }
        messages::note(&words);
    }
    if let Some(more @ 1..) = made.reasons.len().checked_sub(NAMED) {
        messages::note(&say!("… and {} more", more));
    }
}

/// Returns a number of bytes as people read it.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => say!("{} bytes of text", bytes),
        1_000..1_000_000 => say!("{}.{} kB of text", bytes / 1_000, bytes % 1_000 / 100),
        _ => say!(
            "{}.{} MB of text",
            bytes / 1_000_000,
            bytes % 1_000_000 / 100_000
        ),
    }
}
