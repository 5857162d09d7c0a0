//! The command line: exactly what was typed, checked one option at a time.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::styling::{AnsiColor, Styles};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use dupfind::join::hamming::MAX_DISTANCE;
use dupfind::join::threshold::Threshold;
use dupfind::scan::Settings;
use dupfind::scan::relation::Relation;
use dupfind::scan::settings::IdfSource;
use dupfind::text::units::ShingleUnit;

use crate::cli::compare_args::{COMPARE_EXAMPLES, CompareArgs};
use crate::cli::exit::Status;
use crate::cli::format::{self, Format, FormatParser, FormatTo};
use crate::cli::gate_args::{GateArgs, ScopeArgs};
use crate::cli::messages;
use crate::cli::size;
use crate::cli::tune_args::{TUNE_EXAMPLES, TuneArgs};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Finds near-duplicate documents, exactly.
///
/// Compares every document of a folder with every other, in Chinese, English and other languages,
/// and reports each pair whose SimHash fingerprints differ in at most 3 of 64 bits or whose sets of
/// 3-unit shingles have a Jaccard similarity of at least 0.2.
#[derive(Debug, Parser)]
#[command(name = "dupfind", version, styles = STYLES)]
#[command(after_help = "Start with:  dupfind scan FOLDER")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Report the near-duplicate documents of files and folders
    #[command(after_help = "See --help for the full text and examples.", after_long_help = SCAN_EXAMPLES)]
    Scan(Box<ScanArgs>),
    /// Print the fingerprint of every document, one JSON object a line
    #[command(after_help = "See --help for the full text and examples.", after_long_help = FINGERPRINT_EXAMPLES)]
    Fingerprint(FingerprintArgs),
    /// Show how two documents differ: measures, shared passages, what only one has
    #[command(after_help = "See --help for the full text and examples.", after_long_help = COMPARE_EXAMPLES)]
    Compare(CompareArgs),
    /// Show how similar the documents are, to choose thresholds by
    ///
    /// Draws how the similarities of all pairs are distributed, lists how many pairs each threshold would
    /// report, and shows the pairs nearest to what decides about them. It looks at more pairs than a scan
    /// reports and keeps none of them, so there may be many millions.
    #[command(after_help = "See --help for the full text and examples.", after_long_help = TUNE_EXAMPLES)]
    Tune(TuneArgs),
}

const SCAN_EXAMPLES: &str = "\
Examples:
  Input:      dupfind scan docs --glob '*.md' --exclude 'docs/archive/**'
              git ls-files -z '*.md' | dupfind scan --files-from - --null
              dupfind scan pages.jsonl --text-field body --id-field url
  Text:       dupfind scan novels --shingle-size 5 --idf corpus
  Detection:  dupfind scan docs --detectors shingle --min-jaccard 0.5
              dupfind scan docs --min-containment 0.8
  Output:     dupfind scan docs --format json | jq '.pairs[] | select(.relation == \"near\")'
              dupfind scan docs --top 20
              dupfind scan pages.jsonl --format json --no-pairs | jq '.clusters[].representative'
  Running:    dupfind scan docs --threads 1 --stats
              dupfind scan pages.jsonl --memory-limit 2G --temp-dir /scratch

Exit status:
  0  it ran, whether or not there are near-duplicates
  2  an error: a wrong option, a path that does not exist, a file that cannot be read
     (everything else is still compared and reported)";

const FINGERPRINT_EXAMPLES: &str = "\
Examples:
  Input:    dupfind fingerprint docs/a.md docs/b.md
  Text:     dupfind fingerprint docs --idf corpus
  Output:   dupfind fingerprint docs | jq -r '[.fingerprint, .path] | @tsv' | sort
            dupfind fingerprint docs --format table
  Running:  dupfind fingerprint docs --stats --quiet

Exit status: 0 it ran, 2 an error (everything that can be read is still printed)";

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
    /// Show only the first N pairs and clusters of the table
    ///
    /// The table says how many are left out.
    #[arg(long, value_name = "N", help_heading = OUTPUT)]
    pub(crate) top: Option<usize>,

    /// Report the clusters without the pairs; these are counted only
    ///
    /// A thousand copies of one document are half a million pairs and one cluster.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) no_pairs: bool,

    /// When to colour the table
    ///
    /// By default on a terminal only, and not if NO_COLOR is set.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = OUTPUT)]
    pub(crate) color: Color,

    #[command(flatten)]
    pub(crate) gate: GateArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}

/// `dupfind fingerprint`.
#[derive(Debug, clap::Args)]
pub(crate) struct FingerprintArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) text: TextArgs,

    /// Format of the list
    #[arg(short, long, value_enum, default_value_t = FingerprintFormat::Jsonl, help_heading = OUTPUT)]
    pub(crate) format: FingerprintFormat,
    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

pub(crate) const INPUT: &str = "Input";
pub(crate) const TEXT: &str = "Text";
pub(crate) const DETECTION: &str = "Detection";
pub(crate) const OUTPUT: &str = "Output";
const RUNNING: &str = "Running";

/// What to read.
#[derive(Debug, clap::Args)]
pub(crate) struct InputArgs {
    /// Files and folders to compare [default: the current folder]
    ///
    /// Folders are walked with all their subfolders. A file named here is always read, even if it is
    /// hidden, ignored or left out by a glob. A file that is reached in several ways counts once.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Take only files that match the glob, or with '!' leave them out (repeatable)
    ///
    /// The syntax is that of .gitignore, relative to the current folder: '*.md' matches in every
    /// folder, 'docs/*.md' in one. A later glob outweighs an earlier one, and a glob outweighs ignore
    /// files and hidden names.
    #[arg(short, long = "glob", value_name = "GLOB", help_heading = INPUT)]
    pub(crate) globs: Vec<String>,

    /// Leave out files and folders that match the glob (repeatable)
    ///
    /// The same as --glob '!GLOB' after all other globs.
    #[arg(long, value_name = "GLOB", help_heading = INPUT)]
    pub(crate) exclude: Vec<String>,

    /// Read hidden files and folders too
    #[arg(long, help_heading = INPUT)]
    pub(crate) hidden: bool,

    /// Do not honour .gitignore, .ignore and .dupfindignore files
    ///
    /// By default they are honoured the way git does: in every folder, and in the folders above up
    /// to the root of the repository, with .git/info/exclude. .dupfindignore outweighs .ignore, which
    /// outweighs .gitignore.
    #[arg(long, help_heading = INPUT)]
    pub(crate) no_ignore: bool,

    /// Follow symbolic links
    #[arg(short = 'L', long, help_heading = INPUT)]
    pub(crate) follow: bool,

    /// Go at most N folders deep; 1 is the files directly in a PATH
    #[arg(long, value_name = "N", help_heading = INPUT)]
    pub(crate) max_depth: Option<usize>,

    /// Skip files and records larger than this
    ///
    /// K, M and G are powers of 1024.
    #[arg(long, value_name = "SIZE", value_parser = size::parse, default_value = "16M", help_heading = INPUT)]
    pub(crate) max_filesize: u64,

    /// Also compare the paths listed in FILE, one a line ('-': standard input)
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub(crate) files_from: Option<PathBuf>,

    /// The list of --files-from is separated by NUL
    #[arg(short = '0', long, requires = "files_from", help_heading = INPUT)]
    pub(crate) null: bool,

    /// Field with the text of a record, in files of records (*.jsonl, *.ndjson)
    ///
    /// Each line of such a file is a JSON object and one document, called FILE#ID. The file may be
    /// larger than memory; --max-filesize is the limit for a line.
    #[arg(long, value_name = "FIELD", default_value = "text", help_heading = INPUT)]
    pub(crate) text_field: String,

    /// Field with the id of a record [default: the number of its line]
    #[arg(long, value_name = "FIELD", help_heading = INPUT)]
    pub(crate) id_field: Option<String>,
}

/// How text is cut and weighed.
#[derive(Debug, clap::Args)]
pub(crate) struct TextArgs {
    #[command(flatten)]
    pub(crate) cut: CutArgs,

    /// Where the weights of terms come from: 'dictionary', 'corpus' or a file
    ///
    /// 'dictionary' is jieba's own table: a fingerprint then does not depend on the other documents.
    /// 'corpus' weighs a term by how few of the documents have it. A file has lines 'term weight'.
    #[arg(long, value_name = "SOURCE", value_parser = idf_source, default_value = "dictionary", help_heading = TEXT)]
    pub(crate) idf: IdfSource,
}

/// How text is cut.
#[derive(Debug, clap::Args)]
pub(crate) struct CutArgs {
    /// Units in a shingle
    #[arg(long, value_name = "N", default_value_t = Settings::SHINGLE_SIZE, help_heading = TEXT)]
    pub(crate) shingle_size: NonZeroUsize,

    /// What a unit is
    #[arg(long, value_enum, value_name = "UNIT", default_value_t = Unit::Auto, help_heading = TEXT)]
    pub(crate) shingle_unit: Unit,
}

/// What makes a pair.
#[derive(Debug, clap::Args)]
pub(crate) struct DetectArgs {
    /// Report pairs whose fingerprints differ in at most K bits
    #[arg(long, value_name = "K", default_value_t = Settings::MAX_HAMMING, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DISTANCE)), help_heading = DETECTION)]
    pub(crate) max_hamming: u32,

    /// Report pairs with at least this Jaccard similarity of shingles
    #[arg(long, value_name = "T", default_value_t = Settings::MIN_JACCARD, help_heading = DETECTION)]
    pub(crate) min_jaccard: Threshold,

    /// Also report pairs of which one has this share of the other's shingles
    ///
    /// A short text inside a long one has a low Jaccard similarity and a high containment. Documents of
    /// fewer than 30 shingles are not looked for.
    #[arg(long, value_name = "C", help_heading = DETECTION)]
    pub(crate) min_containment: Option<Threshold>,

    /// Which detectors run, separated by commas
    ///
    /// A pair is reported if one of them finds it. A detector that does not run costs nothing, and
    /// its measure is missing from the report.
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',', default_value = "simhash,shingle", help_heading = DETECTION)]
    pub(crate) detectors: Vec<Detector>,

    /// Relations of pairs that make a cluster
    ///
    /// 'related' documents and pages of one 'template' are not duplicates: connecting them would chain
    /// what has nothing to do with each other.
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',', default_value = "exact,near,contains", help_heading = DETECTION)]
    pub(crate) cluster_on: Vec<PairRelation>,
}

/// Where the result goes.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// Write to FILE instead of standard output ('-' is standard output)
    ///
    /// The file is replaced when the result is complete, and untouched if the run fails.
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
}

/// How to run.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Worker threads, up to 256; 0 is one for each core
    ///
    /// The result is the same for any number.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=256), help_heading = RUNNING)]
    pub(crate) threads: u16,

    /// Print counts and the time of each stage to standard error
    #[arg(long, help_heading = RUNNING)]
    pub(crate) stats: bool,

    /// No progress bar and no warnings; errors are still printed
    #[arg(short, long, help_heading = RUNNING)]
    pub(crate) quiet: bool,

    /// No progress bar
    #[arg(long, help_heading = RUNNING)]
    pub(crate) no_progress: bool,
}

/// How much memory to take, and where to go on without.
#[derive(Debug, clap::Args)]
pub(crate) struct MemoryArgs {
    /// Memory for shingle sets [default: half of what there is]
    ///
    /// K, M and G are powers of 1024. Beyond it the sets go to a temporary file and are compared in
    /// parts: slower, with the same result. On top come about 100M, the texts at work and some 350
    /// bytes for each document.
    #[arg(long, value_name = "SIZE", value_parser = memory_size, help_heading = RUNNING)]
    pub(crate) memory_limit: Option<u64>,

    /// Folder for temporary files [default: the system's]
    ///
    /// They take 16 bytes for each distinct shingle of each document, which is two to five times the
    /// size of the text, and vanish when the program ends. Where the system's folder is kept in
    /// memory, name another one.
    #[arg(long, value_name = "DIR", help_heading = RUNNING)]
    pub(crate) temp_dir: Option<PathBuf>,
}

impl RunArgs {
    pub(crate) fn shows_progress(&self) -> bool {
        !self.quiet && !self.no_progress
    }
}

/// Formats of the list of fingerprints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FingerprintFormat {
    /// One JSON object a line
    Jsonl,
    /// For people
    Table,
}

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The detectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Detector {
    /// Fingerprints within --max-hamming
    Simhash,
    /// Shingle sets with at least --min-jaccard
    Shingle,
}

/// The relations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PairRelation {
    /// The same text, white space aside
    Exact,
    /// Near-duplicates: copies, revisions, rewritten texts
    Near,
    /// One contains most of the other, and much more
    Contains,
    /// They share something, and it is rare
    Related,
    /// What they share is common text
    Template,
    /// Too short to judge
    Short,
}

impl PairRelation {
    /// Whether fingerprints alone can tell it.
    fn needs_no_shingles(&self) -> bool {
        matches!(self, Self::Exact | Self::Near | Self::Short)
    }
}

impl From<PairRelation> for Relation {
    fn from(relation: PairRelation) -> Self {
        match relation {
            PairRelation::Exact => Self::Exact,
            PairRelation::Near => Self::Near,
            PairRelation::Contains => Self::Contains,
            PairRelation::Related => Self::Related,
            PairRelation::Template => Self::Template,
            PairRelation::Short => Self::Short,
        }
    }
}

/// The units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unit {
    /// A character of Chinese and Japanese, a word of everything else
    Auto,
    /// A letter, ideograph or digit
    Char,
    /// A word, Chinese cut by jieba
    Word,
}

impl From<Unit> for ShingleUnit {
    fn from(unit: Unit) -> Self {
        match unit {
            Unit::Auto => Self::Auto,
            Unit::Char => Self::Char,
            Unit::Word => Self::Word,
        }
    }
}

/// The least --memory-limit: with less, parts would be too small to get on.
const LEAST_MEMORY: u64 = 16 << 20;

fn memory_size(text: &str) -> Result<u64, String> {
    match size::parse(text)? {
        bytes if bytes < LEAST_MEMORY => Err("expected at least 16M".into()),
        bytes => Ok(bytes),
    }
}

fn idf_source(text: &str) -> Result<IdfSource, String> {
    match text {
        "dictionary" => Ok(IdfSource::Dictionary),
        "corpus" => Ok(IdfSource::Corpus),
        path if Path::new(path).exists() => Ok(IdfSource::File(path.into())),
        path => Err(format!(
            "there is no file '{path}': expected 'dictionary', 'corpus' or the path of a file"
        )),
    }
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

    /// What is wrong with its options together.
    fn conflict(&self) -> Option<String> {
        let (detect, formats) = (&self.detect, &self.formats);
        let has_shingles = detect.detectors.contains(&Detector::Shingle);
        let has_table = formats.is_empty() || formats.iter().any(|to| to.format == Format::Table);
        let of_pairs = formats.iter().find(|to| to.format.is_of_pairs());
        if let Some(conflict) = format::conflict(formats, self.output.output.as_deref()) {
            return Some(conflict);
        }
        if let (true, Some(to)) = (self.no_pairs, of_pairs) {
            let name = to.format.name();
            return Some(format!(
                "--no-pairs leaves nothing for {name}, which is made of pairs"
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
                .any(PairRelation::needs_no_shingles)
        {
            "--cluster-on: without the shingle detector there are exact, near and short pairs only"
        } else {
            self.gate.conflict()?
        };
        Some(conflict.into())
    }
}

impl Args {
    /// Checks what no single option can: whether they go together.
    fn checked(self) -> Result<Self, clap::Error> {
        let Command::Scan(scan) = &self.command else {
            return Ok(self);
        };
        let Some(conflict) = scan.conflict() else {
            return Ok(self);
        };
        let mut command = Self::command();
        command.build();
        let scan = command.find_subcommand_mut("scan").expect("it was typed");
        Err(scan.error(ErrorKind::ArgumentConflict, conflict))
    }

    /// Takes the words of the command line, the program's name first, and returns what they say.
    pub(crate) fn parse_words(words: &[OsString]) -> Result<Self, clap::Error> {
        Self::try_parse_from(words).and_then(Self::checked)
    }
}

/// Prints why the command line was not understood, or the help that was asked for, and returns the
/// exit status.
pub(crate) fn explain(error: &clap::Error, words: &[OsString]) -> ExitCode {
    // The commonest slip: a folder where the command should be.
    if let (ErrorKind::InvalidSubcommand, Some(word)) = (error.kind(), words.get(1))
        && Path::new(word).exists()
    {
        let path = word.to_string_lossy();
        messages::error(&format!(
            "'{path}' is no command; to compare its documents: dupfind scan {path}"
        ));
        return Status::Error.into();
    }
    // That nobody reads the message is no error.
    let _ = error.print();
    if error.use_stderr() {
        Status::Error.into()
    } else {
        Status::Ok.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupfind::source::walk::WalkSettings;

    fn parse(line: &str) -> Result<Args, clap::Error> {
        let words: Vec<OsString> = line.split_whitespace().map(Into::into).collect();
        Args::parse_words(&words)
    }

    #[test]
    fn the_definition_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn defaults_are_the_library_s() {
        let Command::Scan(scan) = parse("dupfind scan").unwrap().command else {
            panic!("another command");
        };
        assert_eq!(scan.input.max_filesize, WalkSettings::MAX_FILESIZE);
    }

    #[test]
    fn wrong_values_are_explained() {
        for (line, part) in [
            ("dupfind scan --min-jaccard 90", "did you mean 0.9?"),
            ("dupfind scan --max-hamming 17", "0..=16"),
            ("dupfind scan --max-filesize big", "such as 16M"),
            ("dupfind scan --shingle-size 0", "--shingle-size"),
            ("dupfind scan --threads 2000", "0..=256"),
            (
                "dupfind scan --detectors minhash",
                "possible values: simhash, shingle",
            ),
            (
                "dupfind scan --idf nowhere",
                "'dictionary', 'corpus' or the path",
            ),
            (
                "dupfind scan --format json --top 3",
                "--top is for the table",
            ),
            (
                "dupfind scan --format csv --no-pairs",
                "--no-pairs leaves nothing",
            ),
            ("dupfind scan --memory-limit 1M", "at least 16M"),
            ("dupfind scan --null", "--files-from"),
            ("dupfind scan --formt json", "--format"),
        ] {
            let error = parse(line).unwrap_err().to_string();
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
