//! Which arguments of `dupfind scan` do not go together.

use std::path::Path;

use dupfind_engine::verdict::Relations;
use dupfind_report::formats::TABLE;

use crate::args::format::FormatTo;
use crate::args::pairs::gate::{FailOn, GateArgs};
use crate::args::report::ReportArgs;
use crate::commands::scan::args::ScanArgs;
use crate::config::Conflict;
use crate::terminal::output;

/// Returns why the arguments do not go together, if they do not. clap has checked the declarations of each option: the
/// options that it needs, and those that it excludes. The rest depends on values.
pub(crate) fn conflict(args: &ScanArgs) -> Option<Conflict> {
    let ReportArgs { format, output, .. } = &args.report;
    let of_report = |reason| Conflict {
        options: &["output", "format"],
        reason,
    };
    (args.comparing.engine.detect.conflict())
        .or_else(|| of_targets(format, output.as_deref()).map(of_report))
        .or_else(|| of_formats(&args.report))
        .or_else(|| of_gate(args))
}

/// `named` is the file of `--output`.
fn of_targets(formats: &[FormatTo], named: Option<&Path>) -> Option<String> {
    for (at, one) in formats.iter().enumerate() {
        for other in &formats[..at] {
            if one.format == other.format {
                return Some(format!("--format {} is given twice", one.format.name));
            }
            let target = |to: &FormatTo| to.file.clone().or_else(|| named.map(Path::to_owned));
            let place = |to: &FormatTo| target(to).and_then(|file| output::place(&file));
            if place(one) == place(other) {
                let (one, other) = (one.format.name, other.format.name);
                let target = target(&formats[at]).filter(|file| output::place(file).is_some());
                let place =
                    target.map_or("standard output".into(), |file| file.display().to_string());
                return Some(format!(
                    "--format: {other} and {one} both go to {place}; {one}=FILE writes to a file"
                ));
            }
        }
    }
    let is_used = formats.is_empty() || formats.iter().any(|to| to.file.is_none());
    (named.is_some() && !is_used)
        .then(|| "--output names a file for nothing: every --format has one of its own".into())
}

fn of_formats(args: &ReportArgs) -> Option<Conflict> {
    let formats = &args.format;
    let of_pairs = formats.iter().find(|to| to.format.is_of_pairs());
    if let (true, Some(to)) = (args.no_pairs, of_pairs) {
        let name = to.format.name;
        return Some(Conflict {
            options: &["no-pairs", "format"],
            reason: format!("--no-pairs leaves nothing for {name}, which is made of pairs only"),
        });
    }
    let has_table = formats.is_empty() || formats.iter().any(|to| to.format == &TABLE);
    (args.top.is_some() && !has_table).then(|| Conflict {
        options: &["top", "format"],
        reason: "--top is for the table: the other formats hold every pair".into(),
    })
}

fn of_gate(args: &ScanArgs) -> Option<Conflict> {
    let gate = &args.gate;
    let has_accepted = gate.baseline.is_some()
        || gate.baseline_from.is_some()
        || GateArgs::finds_accepted(&args.running.config);
    if gate.fail_on_new && !has_accepted {
        return Some(Conflict {
            options: &["fail-on-new"],
            reason:
                "--fail-on-new needs the accepted pairs: --baseline FILE or --baseline-from REF"
                    .into(),
        });
    }
    if gate.update_baseline && args.scope.changed_since.is_some() {
        return Some(Conflict {
            options: &["update-baseline", "changed-since"],
            reason: "--update-baseline with --changed-since would drop the accepted pairs of documents that have not changed"
                .into(),
        });
    }
    let other = match gate.fail_on_new {
        true => "--fail-on-new",
        false => gate.max_pairs.map(|_| "--max-pairs")?,
    };
    (gate.fail_on == Some(FailOn(Relations::NONE))).then(|| Conflict {
        options: &["fail-on", "fail-on-new", "max-pairs"],
        reason: format!("--fail-on never and {other}: leave one of them out"),
    })
}
