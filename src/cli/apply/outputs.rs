//! What `dupfind apply` prints for other programs: a list of files, and redirects.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::clean::apply::actions::{Deed, Operation};
use crate::clean::apply::front_matter::with_line;
use crate::clean::plan::check::Step;
use crate::clean::plan::hash::bytes_hash;
use crate::clean::redirects::{Redirects, Written, list};
use crate::cli::apply::args::ApplyArgs;
use crate::cli::terminal::messages;
use crate::cli::terminal::output::Output;

/// Writes the list of the files that go, or the redirects, if they are asked for.
pub(super) fn write(args: &ApplyArgs, steps: &[Step]) -> Result<()> {
    if args.list {
        let end: &[u8] = if args.null { b"\0" } else { b"\n" };
        return Output::open(args.output.as_deref())?.write(|out| {
            for step in steps {
                out.write_all(step.drop.as_os_str().as_encoded_bytes())?;
                out.write_all(end)?;
            }
            Ok(())
        });
    }
    let Some(written) = redirects(args, steps) else {
        return Ok(());
    };
    for (page, why) in &written.without {
        messages::warning(&format!("{}: no redirect: {why}", page.display()));
    }
    Output::open(args.output.as_deref())?.write(|out| Ok(out.write_all(written.text.as_bytes())?))
}

/// Returns the redirects, if they are asked for.
fn redirects(args: &ApplyArgs, steps: &[Step]) -> Option<Written> {
    let format = Redirects::from(args.redirects?);
    let pages = steps.iter().map(|step| (&*step.keep, &*step.drop));
    Some(format.write(pages, &args.site_root))
}

/// Returns the changes that write aliases into the front matter of the pages that stay.
pub(super) fn aliases(args: &ApplyArgs, steps: &[Step], base: &Path) -> Result<Vec<Operation>> {
    let Some(Written { aliases, .. }) = redirects(args, steps) else {
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
                deed: Deed::Edit {
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
