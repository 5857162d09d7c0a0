//! What is said of a plan on standard error.

use std::path::Path;

use crate::decision::left_alone;
use crate::terminal::messages;
use dupfind_decide::clean::plan::make::Summary;
use dupfind_decide::clean::ties::Drops;
use dupfind_report::language::{filled, phrase};
use dupfind_report::say;
use dupfind_report::style::numbers::amount;

/// Prints the counts of a plan, and how to go on. `others` is how many pairs may not go.
pub(super) fn print(summary: &Summary, plan: Option<&Path>, others: u64, drops: Drops) {
    let Summary {
        groups,
        drops: dropped,
        unresolved,
        bytes,
    } = *summary;
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
    match unresolved {
        0 => {}
        1 => words.push_str(phrase("; 1 is unresolved, and stays")),
        _ => words.push_str(&say!("; {} are unresolved, and stay", unresolved)),
    }
    messages::note(&words);
    if others > 0 {
        messages::note(&left_alone(others, drops));
    }
    let Some(plan) = plan.filter(|plan| *plan != Path::new("-")) else {
        return;
    };
    let plan = plan.display();
    messages::note(&match dropped {
        0 => say!("{} has a plan that drops nothing", plan),
        _ => {
            let dropped = amount(dropped as u64, "document");
            let text = phrase("{} has the plan to drop {}; look at it, then: dupfind apply {0}");
            filled(text, &[&plan, &dropped])
        }
    });
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
