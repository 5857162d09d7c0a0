//! Which arguments of `dupfind scan` do not go together.

use crate::detect::Detector;
use crate::engine::pair::relation::Relation;
use crate::join::hamming::{MAX_DISTANCE, MAX_DISTANCE_128};
use crate::report::TABLE;

use crate::cli::args::similarity::SimhashBits;
use crate::cli::scan::args::ScanArgs;
use crate::cli::scan::args::detect::DetectArgs;
use crate::cli::scan::args::format;
use crate::cli::scan::args::gate::FailOn;
use crate::cli::scan::files::LIST_FORMATS;

/// Returns why the arguments do not go together, if they do not.
pub(crate) fn conflict(args: &ScanArgs) -> Option<String> {
    let general = args.input.conflict().or_else(|| of_hamming(&args.detect));
    let general = general
        .or_else(|| of_index(args))
        .or_else(|| of_baseline(args))
        .or_else(|| format::conflict(&args.formats, args.output.output.as_deref()));
    match general {
        None if args.files => of_list(args),
        None => of_formats(args)
            .or_else(|| of_detectors(&args.detect))
            .or_else(|| of_gate(args)),
        found => found,
    }
}

/// Returns why the arguments about what makes a pair do not go together, if they do not.
pub(crate) fn of_detection(detect: &DetectArgs) -> Option<String> {
    of_hamming(detect).or_else(|| of_detectors(detect))
}

fn of_hamming(detect: &DetectArgs) -> Option<String> {
    let most = detect.similarity.max_hamming;
    let is_too_far = detect.simhash.simhash_bits == SimhashBits::Bits64 && most > MAX_DISTANCE;
    is_too_far.then(|| {
        format!(
            "--max-hamming {most}: at most {MAX_DISTANCE} of 64 bits, beyond that most pairs are chance; \
             --simhash-bits 128 takes up to {MAX_DISTANCE_128}"
        )
    })
}

fn of_index(args: &ScanArgs) -> Option<String> {
    let is_unused = args.frozen && args.index.is_none();
    is_unused.then(|| "--frozen is about the index of --index, which is missing".into())
}

fn of_baseline(args: &ScanArgs) -> Option<String> {
    let gate = &args.gate;
    let conflict = if gate.baseline.is_some() && gate.baseline_from.is_some() {
        "--baseline cannot be used with --baseline-from: leave one of them out"
    } else if gate.update_baseline && gate.fail_on_new {
        "--update-baseline cannot be used with --fail-on-new: it accepts all pairs"
    } else if gate.update_baseline && gate.baseline.is_none() {
        "--update-baseline needs --baseline FILE, the file to update"
    } else {
        return None;
    };
    Some(conflict.into())
}

/// Returns what does not go together with `--files`.
fn of_list(args: &ScanArgs) -> Option<String> {
    if args.formats.len() > 1 {
        return Some("--files: one list, one --format".into());
    }
    let mut formats = args.formats.iter().map(|to| to.format);
    if let Some(format) = formats.find(|format| !LIST_FORMATS.contains(format)) {
        let name = format.name;
        return Some(format!(
            "--files: {name} is for pairs; a list of files is a table or jsonl"
        ));
    }
    let gate = &args.gate;
    let options = [
        ("--fail-on", gate.fail_on.is_some()),
        ("--fail-on-new", gate.fail_on_new),
        ("--max-pairs", gate.max_pairs.is_some()),
        ("--fail-on-empty", gate.fail_on_empty),
        ("--allow-empty", gate.allow_empty),
        ("--baseline", gate.baseline.is_some()),
        ("--baseline-from", gate.baseline_from.is_some()),
        ("--changed-since", args.scope.changed_since.is_some()),
        ("--top", args.top.is_some()),
        ("--no-pairs", args.no_pairs),
    ];
    let (name, _) = options.into_iter().find(|&(_, is_given)| is_given)?;
    Some(format!(
        "--files compares nothing, so there is nothing for {name}: leave out one of them"
    ))
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
    let is_never = gate.fail_on == Some(FailOn::Never);
    let conflict = if gate.update_baseline && args.scope.changed_since.is_some() {
        "--update-baseline and --changed-since: a run that sees only a part of the pairs cannot \
         tell which are gone; leave out --changed-since"
    } else if gate.fail_on_new && gate.baseline.is_none() && gate.baseline_from.is_none() {
        "--fail-on-new: new compared with what? --baseline FILE names the accepted pairs, \
         --baseline-from REF a git revision"
    } else if gate.fail_on_empty && gate.allow_empty {
        "--fail-on-empty and --allow-empty: leave one of them out"
    } else if is_never && gate.fail_on_new {
        "--fail-on never and --fail-on-new: leave one of them out"
    } else if is_never && gate.max_pairs.is_some() {
        "--fail-on never and --max-pairs: leave one of them out"
    } else {
        return None;
    };
    Some(conflict.into())
}
