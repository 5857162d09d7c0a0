//! Redirects, for other programs.

use anyhow::Result;

use crate::commands::apply::args::ApplyArgs;
use crate::terminal::messages;
use crate::terminal::output::Output;
use dupfind_decide::clean::plan::check::{Checked, Step};

/// Writes the redirects of the lines that can be carried out, and of those that were.
pub(super) fn write(args: &ApplyArgs, checked: &Checked) -> Result<()> {
    let Some(line) = &args.redirects else {
        return Ok(());
    };
    let mut steps: Vec<&Step> = checked.steps.iter().chain(&checked.done).collect();
    steps.sort_by_key(|step| step.line);
    let pages = steps.iter().map(|step| (&*step.keep, &*step.drop));
    let written = line.write(pages, &checked.folder);
    // Pages that an earlier run left alone. Before the first run all pages are there, and a run with --yes removes them.
    if !checked.done.is_empty() && !args.yes {
        let has_redirect =
            |step: &&Step| written.without.iter().all(|(page, _)| *page != step.drop);
        for Step { drop, keep, .. } in checked.steps.iter().filter(has_redirect) {
            messages::warning(&format!(
                "{} is still there: its redirect to {} would hide it",
                drop.display(),
                keep.display()
            ));
        }
    }
    for (page, why) in &written.without {
        messages::warning(&format!("{}: no redirect: {why}", page.display()));
    }
    Output::open(args.output.as_deref())?.write(|out| Ok(out.write_all(written.text.as_bytes())?))
}
