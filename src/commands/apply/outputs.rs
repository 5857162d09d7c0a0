//! What `dupfind apply` prints for other programs: a list of files, and redirects.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::commands::apply::args::ApplyArgs;
use crate::terminal::messages;
use crate::terminal::output::Output;
use dupfind_decide::clean::apply::actions::{Action, Operation};
use dupfind_decide::clean::apply::front_matter::with_line;
use dupfind_decide::clean::plan::check::{Checked, Step};
use dupfind_decide::clean::plan::hash::bytes_hash;
use dupfind_decide::clean::redirects::{Written, list};

/// Writes the list of the files that go, or the redirects, if they are requested.
pub(super) fn write(args: &ApplyArgs, checked: &Checked) -> Result<()> {
    if args.list {
        let end: &[u8] = if args.null { b"\0" } else { b"\n" };
        return Output::open(args.output.as_deref())?.write(|out| {
            for step in &checked.steps {
                out.write_all(step.drop.as_os_str().as_encoded_bytes())?;
                out.write_all(end)?;
            }
            Ok(())
        });
    }
    let Some(written) = redirects(args, checked) else {
        return Ok(());
    };
    for (page, why) in &written.without {
        messages::warning(&format!("{}: no redirect: {why}", page.display()));
    }
    Output::open(args.output.as_deref())?.write(|out| Ok(out.write_all(written.text.as_bytes())?))
}

/// Returns the redirects, if they are requested: those of the lines that can be carried out, and of those that were.
fn redirects(args: &ApplyArgs, checked: &Checked) -> Option<Written> {
    let form = args.redirects.as_ref()?;
    let mut steps: Vec<&Step> = checked.steps.iter().chain(&checked.done).collect();
    steps.sort_by_key(|step| step.line);
    let pages = steps.iter().map(|step| (&*step.keep, &*step.drop));
    Some(form.write(pages, &args.site_root))
}

/// Returns the changes that write aliases into the front matter of the pages that stay.
pub(super) fn aliases(args: &ApplyArgs, checked: &Checked, base: &Path) -> Result<Vec<Operation>> {
    let Some(Written { aliases, .. }) = redirects(args, checked) else {
        return Ok(Vec::new());
    };
    let mut operations = Vec::new();
    for (page, own) in aliases {
        let content = fs::read(base.join(&page))?;
        match with_line(&page, &content, "aliases", &list(&own)) {
            Ok((added, edited)) => operations.push(Operation {
                hash: bytes_hash(&content),
                keep: page.clone(),
                keep_hash: bytes_hash(&content),
                action: Action::Edit {
                    added,
                    after: bytes_hash(&edited),
                },
                path: page,
            }),
            Err(why) => messages::warning(&format!(
                "{}: no aliases were added: {why}; to add: {}",
                page.display(),
                list(&own)
            )),
        }
    }
    Ok(operations)
}
