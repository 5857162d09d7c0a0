//! What can be typed after `dupfind scan`.

use std::path::Path;

use crate::engine::detectors::Detector;
use crate::engine::relation::Relation;
use crate::report::TABLE;

use crate::cli::args::{
    ColorArgs, DetectArgs, InputArgs, MemoryArgs, OUTPUT, OutputArgs, RunArgs, TextArgs,
};
use crate::cli::config::{CONFIGURATION, ConfigArgs};
use crate::cli::files::FORMATS;
use crate::cli::format::{self, FormatParser, FormatTo};
use crate::cli::gate_args::{GateArgs, ScopeArgs};
use crate::cli::size;

pub(crate) const SCAN_EXAMPLES: &str = "\
Examples:
  Input:      dupfind scan docs --glob '*.md' --exclude 'docs/archive/**'
              dupfind scan docs --files
              git ls-files -z '*.md' | dupfind scan --files-from - --null
              dupfind scan pages.csv.gz --text-field title,body --id-field url
              jq -c '.articles[]' export.json | dupfind scan - --text-field body
  Text:       dupfind scan novels --shingle-size 5 --idf corpus
  Detection:  dupfind scan docs --detectors shingle --min-jaccard 0.5
              dupfind scan docs --min-containment 0.8
  Scope:      dupfind scan drafts --against published
              dupfind scan docs --skip-within 'docs/v1/**' --changed-since origin/main
  Output:     dupfind scan docs --format html=report.html
              dupfind scan docs --format json | jq '.pairs[] | select(.relation == \"near\")'
              dupfind scan docs --top 20
              dupfind scan pages.jsonl --format json --no-pairs | jq '.clusters[].representative'
  Gate:       dupfind scan docs --fail-on near
              dupfind scan docs --baseline .dupfind-baseline --update-baseline
              dupfind scan docs --baseline .dupfind-baseline --fail-on-new --format github
  Running:    dupfind scan docs --threads 1 --stats
              dupfind scan pages.jsonl --memory-limit 2G --temp-dir /scratch
  Configuration:
              dupfind scan --dump-config > dupfind.toml
              dupfind scan docs --config ci/dupfind.toml

Exit status:
  0  it ran, whether or not there are near-duplicates
  1  it ran, and the gate tripped (--fail-on and the like); one line says why
  2  an error: a wrong option, a path that does not exist, a file that cannot be read
     (everything else is still compared and reported)";

/// `dupfind scan`.
#[derive(Debug, clap::Args)]
pub(crate) struct ScanArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) text: TextArgs,
    #[command(flatten)]
    pub(crate) detect: DetectArgs,

    #[command(flatten)]
    pub(crate) scope: ScopeArgs,

    /// Format of the report, and a file for it [default: table] (repeatable)
    ///
    /// One scan can write several reports: '--format table --format sarif=dupfind.sarif'. A format without a
    /// file goes to standard output or where --output says.
    #[arg(short, long = "format", value_parser = FormatParser, value_name = "FORMAT[=FILE]", help_heading = OUTPUT)]
    pub(crate) formats: Vec<FormatTo>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// List the files that would be read, with format and encoding, and compare nothing
    ///
    /// As a table, or with --format jsonl as objects. A file of records is listed once.
    #[arg(hide_short_help = true, long, help_heading = OUTPUT)]
    pub(crate) files: bool,
    /// Show only the first N pairs and clusters of the table
    ///
    /// The table says how many are left out.
    #[arg(long, value_name = "N", value_parser = size::count::<usize>, help_heading = OUTPUT)]
    pub(crate) top: Option<usize>,

    /// Report the clusters without the pairs; these are counted only
    ///
    /// A thousand copies of one document are half a million pairs and one cluster.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) no_pairs: bool,

    #[command(flatten)]
    pub(crate) color: ColorArgs,

    #[command(flatten)]
    pub(crate) gate: GateArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// Print these options as a configuration file, with all others in comments
    ///
    /// 'dupfind scan --dump-config > dupfind.toml' makes a file to edit. Paths and globs are relative to the
    /// folder of the configuration that is used, or to the current folder.
    #[arg(long, help_heading = CONFIGURATION)]
    pub(crate) dump_config: bool,
}

/// Whether fingerprints alone can tell a relation.
fn needs_no_shingles(relation: Relation) -> bool {
    matches!(relation, Relation::Exact | Relation::Near | Relation::Short)
}

impl ScanArgs {
    /// The files that the run writes.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &Path> {
        let formats = self.formats.iter().filter_map(|to| to.file.as_deref());
        let output = self.output.output.as_deref();
        output
            .into_iter()
            .chain(formats)
            .chain(self.gate.baseline.as_deref())
    }

    /// What goes not with a list of files: nothing is compared.
    fn conflict_of_list(&self) -> Option<String> {
        if let [_, _, ..] = self.formats.as_slice() {
            return Some("--files: one list, one --format".into());
        }
        let other = self.formats.iter().find(|to| !FORMATS.contains(&to.format));
        if let Some(to) = other {
            let name = to.format.name;
            return Some(format!(
                "--files: {name} is for pairs; a list of files is a table or jsonl"
            ));
        }
        let gate = &self.gate;
        let options = [
            ("--fail-on", gate.fail_on.is_some()),
            ("--fail-on-new", gate.fail_on_new),
            ("--max-pairs", gate.max_pairs.is_some()),
            ("--fail-on-empty", gate.fail_on_empty),
            ("--baseline", gate.baseline.is_some()),
            ("--baseline-from", gate.baseline_from.is_some()),
            ("--changed-since", self.scope.changed_since.is_some()),
            ("--top", self.top.is_some()),
            ("--no-pairs", self.no_pairs),
        ];
        let (name, _) = options.into_iter().find(|&(_, is_given)| is_given)?;
        Some(format!(
            "--files compares nothing, so there is nothing for {name}: leave out one of them"
        ))
    }

    /// What is wrong with its options together.
    pub(super) fn conflict(&self) -> Option<String> {
        let (detect, formats) = (&self.detect, &self.formats);
        let has_shingles = detect.detectors.contains(&Detector::Shingle);
        let has_table = formats.is_empty() || formats.iter().any(|to| to.format == &TABLE);
        let of_pairs = formats.iter().find(|to| to.format.is_of_pairs());
        if let Some(conflict) = detect.conflict() {
            return Some(conflict);
        }
        if let Some(conflict) = format::conflict(formats, self.output.output.as_deref()) {
            return Some(conflict);
        }
        if self.files {
            return self.conflict_of_list();
        }
        if let (true, Some(to)) = (self.no_pairs, of_pairs) {
            let name = to.format.name;
            return Some(format!(
                "--no-pairs leaves nothing for {name}, which holds pairs only"
            ));
        }
        let conflict = if self.top.is_some() && !has_table {
            "--top is for the table: the other formats hold every pair"
        } else if detect.min_containment.is_some() && !has_shingles {
            "--min-containment compares shingles: it needs the shingle detector"
        } else if !has_shingles
            && !detect
                .cluster_on
                .iter()
                .any(|&relation| needs_no_shingles(relation))
        {
            "--cluster-on: without the shingle detector there are exact, near and short pairs only"
        } else {
            self.gate.conflict(&self.scope)?
        };
        Some(conflict.into())
    }
}
