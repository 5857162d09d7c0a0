//! Which options of `dupfind scan` have no effect beside the others. The run warns of each, and goes on.

use dupfind_report::formats::HTML;

use crate::args::headings::{DETECTION, TEXT};
use crate::command_line::Args;
use crate::commands::scan::args::ScanArgs;
use crate::config::keys::{Key, keys, scan_of};
use crate::terminal::messages;

/// Warns of the options that were typed and have no effect. Those of a configuration are for other runs, too.
pub(crate) fn warn(args: &ScanArgs) {
    if args.run.quiet {
        return;
    }
    let definition = Args::definition();
    let is_typed = |key: &Key<'_>| args.config.typed.contains(key.name());
    let mut typed: Vec<_> = keys(scan_of(&definition)).filter(is_typed).collect();
    typed.sort_by_key(|key| key.name());
    for option in typed {
        if let Some(reason) = why_unused(args, option) {
            let option = option.name();
            messages::warning(&format!("--{option} has no effect: {reason}"));
        }
    }
}

/// Returns why an option has no effect, if it has none.
fn why_unused(args: &ScanArgs, option: Key<'_>) -> Option<&'static str> {
    let is_of_comparing = matches!(option.0.get_help_heading(), Some(TEXT | DETECTION))
        || ["within", "across", "memory-limit", "temp-dir"].contains(&option.name());
    if args.files && is_of_comparing {
        return Some("--files compares nothing");
    }
    let has_page = || args.formats.iter().any(|to| to.format == &HTML);
    if option.name() == "link" && !has_page() {
        return Some("only the page of --format html has links");
    }
    args.detect.why_unused(option.name())
}
