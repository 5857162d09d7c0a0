//! Which arguments of `dupfind scan` do not go together.

use clap::{ArgMatches, Command, FromArgMatches};
use dupfind_engine::detect::Detector;
use dupfind_engine::fingerprint::simhash::Width;
use dupfind_engine::join::hamming::{MAX_DISTANCE, MAX_DISTANCE_128};
use dupfind_engine::verdict::Relation;
use dupfind_report::formats::TABLE;

use crate::commands::scan::args::ScanArgs;
use crate::commands::scan::args::detect::DetectArgs;
use crate::commands::scan::args::format;
use crate::commands::scan::args::gate::FailOn;

/// Returns whether a command has an argument. The values of a command cannot tell: in a release build clap returns nothing
/// for an argument that it does not know, and in a development build an error.
pub(crate) fn has_argument(command: &Command, id: &str) -> bool {
    command.get_arguments().any(|arg| arg.get_id() == id)
}

/// Returns why the arguments of a command do not go together, if they do not. clap has checked what each option declares:
/// what it needs, and what it cannot be used with. The rest depends on values.
pub(crate) fn conflict(command: &Command, matches: &ArgMatches) -> Option<String> {
    let has = |id| has_argument(command, id);
    if has("show") {
        return of_scan(&ScanArgs::from_arg_matches(matches).ok()?);
    }
    if has("cluster_on") {
        let detect = DetectArgs::from_arg_matches(matches).ok()?;
        return of_hamming(&detect).or_else(|| of_detectors(&detect));
    }
    None
}

fn of_scan(args: &ScanArgs) -> Option<String> {
    of_hamming(&args.detect)
        .or_else(|| format::conflict(&args.formats, args.output.output.as_deref()))
        .or_else(|| of_formats(args))
        .or_else(|| of_detectors(&args.detect))
        .or_else(|| of_gate(args))
}

fn of_hamming(detect: &DetectArgs) -> Option<String> {
    let most = detect.similarity.max_hamming;
    let is_too_far = detect.simhash.simhash_bits == Width::Bits64 && most > MAX_DISTANCE;
    is_too_far.then(|| {
        format!(
            "--max-hamming {most}: at most {MAX_DISTANCE} of 64 bits, beyond that most pairs are chance; \
             --simhash-bits 128 takes up to {MAX_DISTANCE_128}"
        )
    })
}

fn of_formats(args: &ScanArgs) -> Option<String> {
    let formats = &args.formats;
    let of_pairs = formats.iter().find(|to| to.format.is_of_pairs());
    if let (true, Some(to)) = (args.no_pairs, of_pairs) {
        let name = to.format.name;
        return Some(format!(
            "--no-pairs leaves nothing for {name}, which is made of pairs only"
        ));
    }
    let has_table = formats.is_empty() || formats.iter().any(|to| to.format == &TABLE);
    (args.top.is_some() && !has_table)
        .then(|| "--top is for the table: the other formats hold every pair".into())
}

fn of_detectors(detect: &DetectArgs) -> Option<String> {
    // The relations that fingerprints alone can tell.
    let is_told = |relation: &Relation| {
        matches!(relation, Relation::Exact | Relation::Near | Relation::Short)
    };
    if detect.detectors.contains(&Detector::Shingle) {
        None
    } else if detect.min_containment.is_some() {
        Some("--min-containment compares shingles: it needs the shingle detector".into())
    } else if !detect.cluster_on.iter().any(is_told) {
        Some(
            "--cluster-on: without the shingle detector there are exact, near and short pairs only"
                .into(),
        )
    } else {
        None
    }
}

fn of_gate(args: &ScanArgs) -> Option<String> {
    let gate = &args.gate;
    if gate.fail_on_new && gate.baseline.is_none() && gate.baseline_from.is_none() {
        return Some(
            "--fail-on-new needs the accepted pairs: --baseline FILE or --baseline-from REF".into(),
        );
    }
    if gate.update_baseline && args.scope.changed_since.is_some() {
        return Some(
            "--update-baseline with --changed-since would drop the accepted pairs of documents that have not changed"
                .into(),
        );
    }
    let others = [
        ("--fail-on-new", gate.fail_on_new),
        ("--max-pairs", gate.max_pairs.is_some()),
    ];
    let (other, _) = others.into_iter().find(|&(_, is_given)| is_given)?;
    (gate.fail_on == Some(FailOn::Never))
        .then(|| format!("--fail-on never and {other}: leave one of them out"))
}
