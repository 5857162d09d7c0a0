//! Two documents of a scan, and their pair.

use std::path::Path;

use anyhow::{Result, bail};

use dupfind_decide::Gate;
use dupfind_engine::Pair;
use dupfind_scan::Scan;

use crate::commands::accept::args::AcceptArgs;
use crate::decision::accepting::Wanted;
use crate::decision::scope::scope;
use crate::terminal::progress::Progress;

/// Scans the documents and returns the pair. `written` are the files that the command writes.
///
/// # Errors
///
/// The scan fails, it does not have one of the documents, or they are no pair, or one that does not count.
pub(super) fn find(args: &AcceptArgs, written: &Path) -> Result<(Pair, Scan)> {
    let options = (args.comparing).options(&args.scope, &args.running, &[], Some(written))?;
    let names = args.names(&options.walk.base);
    let scope = scope(&args.scope, &args.running.config, &options)?;
    let mut gate = Gate::new(scope, None);
    let mut wanted = Wanted::new(names.each_ref().map(String::as_str));
    let outcome = Progress::of_scan(&options, &mut gate, &mut wanted)?;
    let has = |name: &String| outcome.documents.iter().any(|known| known.name == *name);
    let [a, b] = &names;
    if let Some(missing) = names.iter().find(|name| !has(name)) {
        bail!("{missing} is none of the documents that were compared");
    }
    match wanted.found {
        Some(pair) => Ok((pair, outcome)),
        None if gate.left_out() > 0 => bail!(
            "{a} and {b} are no pair that counts: they are not alike, or --against or --within leaves them out"
        ),
        None => bail!(
            "{a} and {b} are no pair: a scan does not report them; 'dupfind compare' shows what they share"
        ),
    }
}
