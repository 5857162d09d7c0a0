//! `dupfind scan`: the pairs and clusters of near-duplicate documents.

pub(crate) mod ci;
pub(crate) mod next;
mod reports;

use std::path::Path;

use anyhow::Result;
use dupfind_decide::Gate;
use dupfind_engine::Options;
use dupfind_scan::{Scan, scan_judged};

use crate::args::{ComparingArgs, ConfigArgs, IndexArgs, ListArgs, ReportArgs, RunningArgs};
use crate::commands::scan::reports::{Reports, Written};
use crate::decision::gate::scope;
use crate::decision::messages as decided;
use crate::input::{stdin, without_documents};
use crate::process::Status;
use crate::terminal::{Progress, messages};

/// The end of the short help.
pub(crate) const AFTER_SHORT_HELP: &str =
    "--help lists all options. 'dupfind' alone lists the commands.";

/// Examples for every group of options, the words of the report, and the exit status.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  Input:      dupfind docs --glob '*.md' --exclude 'docs/archive/**'
              git ls-files -z '*.md' | dupfind --files-from -
              dupfind pages.csv.gz --text-field title,body --id-field url
              jq -c '.articles[]' export.json | dupfind - --text-field body
  Text:       dupfind novels --shingle-size 5
  Detection:  dupfind docs --detectors shingle --min-jaccard 0.5
              dupfind docs --min-containment 0.8
  Scope:      dupfind drafts --against published
              dupfind docs --within 'docs/{*}/'
  Output:     dupfind docs -o report.html
              dupfind docs --format json | jq '.pairs[] | select(.relation == \"near\")'
              dupfind docs --top 20 --show exact,near,contains
              dupfind docs -f table
              dupfind pages.jsonl --format json --no-pairs | jq '.clusters[].representative'
  Running:    dupfind docs --threads 1 --stats
              dupfind pages.jsonl --memory-limit 2G
              dupfind docs --config ci/dupfind.toml

Words in the report:
  relation        what two documents are to each other: exact, the same text; near, copies with changes; contains, one
                  within the other; variant, the same page for another subject; related, they share something rare;
                  template, what they share is common text; short, too short to judge
  Jaccard         the shingles that both documents have, as a share of the shingles that at least one
                  has: from 0 to 1
  weighted        the same share, but a shingle counts less the more documents have it. It decides
                  the relation: two documents that share mostly common text have a low one
  Hamming         the number of bits in which the two fingerprints differ
  representative  the document of a cluster that a user would keep, marked with *
  least similarity
                  how alike the documents of a cluster are: the lowest Jaccard similarity of one of
                  them to the representative. With 1 all have the same shingles. A low value means
                  that some are in the cluster only because they are near to another member

Exit status:
  0  it ran, whether or not there are near-duplicates; 'dupfind check' fails because of them
  2  an error: a wrong option, a path that does not exist, a file that cannot be read
     (everything else is still compared and reported)";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct ScanArgs {
    #[command(flatten)]
    pub(crate) comparing: ComparingArgs,
    #[command(flatten)]
    pub(crate) index: IndexArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    #[command(flatten)]
    pub(crate) list: ListArgs,
    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

/// Runs the command.
pub(crate) fn run(args: &ScanArgs) -> Result<Status> {
    let reads_stdin = !args.comparing.input.is_of_current_folder();
    let is_explained = reads_stdin || stdin::warn_if_stdin_is_unread();
    let status = report_of(args)?;
    if !is_explained {
        // It may have been written to while the documents were read.
        stdin::warn_if_stdin_is_unread();
    }
    Ok(status)
}

/// Warns if rewritten texts were asked for, and there are too few documents to tell what is rare.
pub(crate) fn warn_of_few(outcome: &Scan, config: &ConfigArgs) {
    let is_asked = config
        .typed
        .options
        .iter()
        .any(|option| ["rewritten", "min-weighted"].contains(&&*option.name));
    let least = Options::MIN_WEIGHTED_DOCUMENTS;
    if is_asked && outcome.documents.len() < least {
        messages::warning(&format!(
            "--rewritten has no effect: it needs {least} documents or more, which tell what is rare"
        ));
    }
}

/// Scans and writes the reports.
///
/// # Errors
///
/// Those of a scan; the options do not go together; a report cannot be written.
fn report_of(args: &ScanArgs) -> Result<Status> {
    let reports = Reports::open(args)?;
    let written: Vec<&Path> = args.report.files().collect();
    let mut options = (args.comparing).options(&args.running, &written, None)?;
    args.index.added_to(&mut options);
    let _stdin = stdin::spool(&mut options)?;
    let progress = Progress::new(!reports.stream_to_terminal());
    let mut gate = Gate::new(
        scope(&args.comparing.scope, &args.running.config, &options)?,
        None,
    );
    let Written { outcome, files } = reports.write(&options, &mut gate, |gate, sink| {
        let outcome = scan_judged(&options, &progress, Some(gate), sink);
        progress.clear();
        let outcome = outcome?;
        messages::of_scan(&options.walk, &outcome);
        Ok(outcome)
    })?;
    args.running.print_stats(&outcome)?;
    warn_of_few(&outcome, &args.running.config);
    warn_of_scope(args, &outcome, &gate);
    for file in &files {
        messages::note(file);
    }
    Ok(match without_documents::report(&options, &outcome) {
        true => Status::Error,
        false => Status::of_scan(&outcome),
    })
}

/// Prints the options that left out pairs, and the arguments about the scope that had no effect.
fn warn_of_scope(args: &ScanArgs, outcome: &Scan, gate: &Gate) {
    if args.report.lists() {
        gate.left_out_by().iter().for_each(decided::left_out);
    }
    decided::of_scope(&args.comparing.scope, outcome, gate);
}
