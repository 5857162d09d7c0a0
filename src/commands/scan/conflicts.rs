//! Which arguments of `dupfind scan` do not go together.

use dupfind_report::formats::{LIST, TABLE};

use crate::args::group::Group;
use crate::commands::scan::args::ScanArgs;
use crate::config::Conflict;

/// Returns why the arguments do not go together, if they do not. clap has checked the declarations of each option: the
/// options that it needs, and those that it excludes. The rest depends on values.
pub(crate) fn conflict(args: &ScanArgs) -> Option<Conflict> {
    (args.comparing.engine.detect.conflict())
        .or_else(|| args.report.conflict())
        .or_else(|| of_formats(args))
}

fn of_formats(args: &ScanArgs) -> Option<Conflict> {
    let formats = args.report.formats(&LIST).unwrap_or_default();
    let of_pairs = formats.iter().find(|to| to.format.is_of_pairs());
    if let (true, Some(to)) = (args.list.no_pairs, of_pairs) {
        let name = to.format.name;
        return Some(Conflict {
            options: &["no-pairs", "format"],
            reason: format!("--no-pairs leaves nothing for {name}, which is made of pairs only"),
        });
    }
    let has_list = args
        .report
        .have(&LIST, |format| format == &LIST || format == &TABLE);
    (args.list.top.is_some() && !has_list).then(|| Conflict {
        options: &["top", "format"],
        reason: "--top is for list and table: the other formats hold every pair".into(),
    })
}
