//! From the arguments of `dupfind scan` to the options of a scan.

use std::path::Path;

use anyhow::Result;
use dupfind_files::lock::Lock;
use dupfind_scan::ScanOptions;
use dupfind_scan::indexed::IndexOptions;

use crate::commands::scan::args::ScanArgs;
use crate::input::options::options_of_sides;
use crate::input::replaced::refuse_documents;
use crate::terminal::output;

/// Returns the options of the scan.
///
/// # Errors
///
/// A file of options cannot be read, a report would replace a file that is to be read, or numbers do not go
/// together.
pub(crate) fn options(args: &ScanArgs) -> Result<ScanOptions> {
    let targets = args.targets().collect();
    let mut options = options_of_sides(&args.comparing, &args.scope, &args.running, targets)?;
    options.index = args.index.as_ref().map(|path| IndexOptions {
        path: path.clone(),
        is_frozen: args.frozen,
    });
    options.walk.outputs.extend(args.index.clone());
    let baseline = args.gate.baseline.as_deref().and_then(output::place);
    let locks = baseline.iter().map(|baseline| Lock::file(baseline));
    options.walk.outputs.extend(locks);
    // A report over the baseline has a message of its own.
    let is_baseline = |report: &&Path| baseline.is_some() && output::place(report) == baseline;
    refuse_documents(
        &options,
        args.reports().filter(|report| !is_baseline(report)),
    )?;
    Ok(options)
}
