//! What is said of a plan on standard error.

use std::path::Path;

use crate::clean::plan::make::Summary;
use crate::clean::ties::Drops;
use crate::cli::decision::left_alone;
use crate::cli::terminal::messages;
use crate::report::style::numbers::counted;

/// Prints the counts of a plan, and how to go on. `others` is how many pairs may not go.
pub(super) fn print(summary: &Summary, plan: Option<&Path>, others: u64, drops: Drops) {
    let Summary {
        groups,
        drops: dropped,
        unresolved,
        bytes,
    } = *summary;
    let mut words = match dropped {
        0 => "nothing goes".to_owned(),
        _ => {
            let go = if dropped == 1 { "goes" } else { "go" };
            let stay = if groups == 1 { "stays" } else { "stay" };
            let dropped = counted(dropped as u64, "document");
            format!("{dropped} {go} ({}) for {groups} that {stay}", size(bytes))
        }
    };
    match unresolved {
        0 => {}
        1 => words.push_str("; 1 is unresolved, and stays"),
        _ => words.push_str(&format!("; {unresolved} are unresolved, and stay")),
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
        0 => format!("{plan} has a plan that drops nothing"),
        _ => {
            let dropped = counted(dropped as u64, "document");
            format!("{plan} has the plan to drop {dropped}; look at it, then: dupfind apply {plan}")
        }
    });
}

/// Returns a number of bytes as people read it.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes of text"),
        1_000..1_000_000 => format!("{}.{} kB of text", bytes / 1_000, bytes % 1_000 / 100),
        _ => format!(
            "{}.{} MB of text",
            bytes / 1_000_000,
            bytes % 1_000_000 / 100_000
        ),
    }
}
