//! Which options of `dupfind scan` have no effect beside the others. Each is said, and the run goes on.

use crate::detect::Detector;
use crate::report::HTML;

use crate::cli::scan::args::ScanArgs;
use crate::cli::scan::args::detect::Required;
use crate::cli::terminal::messages;

/// Options that have an effect only in some runs.
struct Rule {
    /// Their names.
    options: &'static [&'static str],
    /// Returns whether they have an effect.
    have_effect: fn(&ScanArgs) -> bool,
    /// Why they have none otherwise.
    reason: &'static str,
}

const RULES: [Rule; 9] = [
    Rule {
        options: &[
            "cluster-on",
            "detectors",
            "i-match-idf",
            "i-match-lexicons",
            "idf",
            "max-hamming",
            "memory-limit",
            "min-containment",
            "min-jaccard",
            "min-super-shingles",
            "min-weighted",
            "require",
            "shingle-size",
            "shingle-unit",
            "simhash-bits",
            "skip-within",
            "within",
            "across",
            "super-shingle-hashes",
            "super-shingle-run",
        ],
        have_effect: |args| !args.files,
        reason: "--files compares nothing",
    },
    Rule {
        options: &["max-hamming", "simhash-bits"],
        have_effect: |args| runs(args, &[Detector::Simhash]),
        reason: "the detector simhash does not run",
    },
    Rule {
        options: &["min-jaccard", "min-weighted"],
        have_effect: |args| runs(args, &[Detector::Shingle]),
        reason: "the detector shingle does not run",
    },
    Rule {
        options: &[
            "super-shingle-hashes",
            "super-shingle-run",
            "min-super-shingles",
        ],
        have_effect: |args| runs(args, &[Detector::SuperShingle]),
        reason: "the detector super-shingle does not run",
    },
    Rule {
        options: &["i-match-idf", "i-match-lexicons"],
        have_effect: |args| runs(args, &[Detector::IMatch]),
        reason: "the detector i-match does not run",
    },
    Rule {
        options: &["idf"],
        have_effect: |args| runs(args, &[Detector::Simhash, Detector::IMatch]),
        reason: "no detector that runs weighs terms",
    },
    Rule {
        options: &["require"],
        have_effect: |args| {
            args.detect.detectors.len() > 1 || args.detect.min_containment.is_some()
        },
        reason: "only one detector runs",
    },
    Rule {
        options: &["min-weighted"],
        have_effect: |args| matches!(args.detect.require, Required::Any),
        reason: "--require all takes no more pairs",
    },
    Rule {
        options: &["link"],
        have_effect: |args| args.formats.iter().any(|to| to.format == &HTML),
        reason: "only the page of --format html has links",
    },
];

/// Returns whether one of the detectors runs.
fn runs(args: &ScanArgs, detectors: &[Detector]) -> bool {
    detectors
        .iter()
        .any(|detector| args.detect.detectors.contains(detector))
}

/// Warns of the options that were typed and have no effect. Those of a configuration are for other runs, too.
pub(crate) fn warn(args: &ScanArgs) {
    if args.run.quiet {
        return;
    }
    for option in &args.config.typed {
        let without = |rule: &&Rule| rule.options.contains(&&**option) && !(rule.have_effect)(args);
        if let Some(rule) = RULES.iter().find(without) {
            messages::warning(&format!("--{option} has no effect: {}", rule.reason));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command_line::Args;
    use crate::cli::config::keys::keys;

    #[test]
    fn the_options_exist() {
        let definition = Args::definition();
        let scan = definition.find_subcommand("scan").unwrap();
        for name in RULES.iter().flat_map(|rule| rule.options) {
            assert!(keys(scan).any(|key| key.name() == *name), "{name}");
        }
    }
}
