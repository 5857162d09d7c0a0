//! The links to pages that go: who has them, and how they change.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use crate::terminal::messages;
use dupfind_decide::clean::apply::actions::{Action, Operation, rewriting};
use dupfind_decide::clean::links::rewrite::edits;
use dupfind_decide::clean::plan::check::Checked;
use dupfind_report::style::numbers::amount;

/// How many pages a warning names.
const NAMED: usize = 3;

/// Warns of links that will lead nowhere.
pub(super) fn warn(checked: &Checked) {
    for (gone, pages) in checked.links_to_gone() {
        let count = amount(pages.len() as u64, "page");
        let named: Vec<&str> = pages.iter().copied().take(NAMED).collect();
        let more = match pages.len() > NAMED {
            true => ", …",
            false => "",
        };
        let link = if pages.len() == 1 { "links" } else { "link" };
        messages::warning(&format!(
            "{count} {link} to {gone} ({}{more}); --rewrite-links changes that",
            named.join(", ")
        ));
    }
}

/// Adds the changes of links. A page whose links cannot be changed is left alone, and those that it links to stay.
/// Returns whether there is no such page.
pub(super) fn rewrite(
    plan: &Path,
    checked: &mut Checked,
    base: &Path,
    operations: &mut Vec<Operation>,
) -> bool {
    let plan = plan.display();
    let mut stay: BTreeSet<PathBuf> = BTreeSet::new();
    // A page that stays after all may have links to others that go.
    loop {
        let mut gone = checked.gone();
        gone.retain(|gone, _| !stay.contains(Path::new(gone)));
        let known = stay.len();
        let mut rewritings = Vec::new();
        for (line, page) in &checked.links {
            if gone.contains_key(&*page.page) {
                continue;
            }
            match edits(page, &gone, base) {
                Ok(None) => {}
                Ok(Some((edits, after))) => rewritings.push(rewriting(page, edits, after)),
                Err(why) => {
                    messages::error(&format!(
                        "{plan}:{line}: {why}: it and what it links to are left alone"
                    ));
                    stay.extend(page.links.iter().map(|link| PathBuf::from(&link.to)));
                }
            }
        }
        if stay.len() == known {
            operations.extend(rewritings);
            break;
        }
    }
    checked.steps.retain(|step| !stay.contains(&step.drop));
    stay.is_empty()
}

/// Returns the hash that each file has when its links have changed.
pub(super) fn hashes_after(operations: &[Operation]) -> HashMap<PathBuf, String> {
    let after = operations
        .iter()
        .filter_map(|operation| match &operation.action {
            Action::Rewrite { after, .. } => Some((operation.path.clone(), after.clone())),
            _ => None,
        });
    after.collect()
}
