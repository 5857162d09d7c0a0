//! The command line: exactly what was typed, checked one option at a time.

mod detect;
mod fingerprint;
mod input;
mod reading;
mod run;
mod scan;
mod text;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::builder::styling::{AnsiColor, Styles};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::cli::args::fingerprint::FINGERPRINT_EXAMPLES;
use crate::cli::args::scan::SCAN_EXAMPLES;
use crate::cli::compare_args::{COMPARE_EXAMPLES, CompareArgs};
use crate::cli::config::keys;
use crate::cli::exit::Status;
use crate::cli::generate::{GENERATE_EXAMPLES, GenerateArgs};
use crate::cli::messages;
use crate::cli::stream::args::{STREAM_EXAMPLES, StreamArgs};
use crate::cli::text_args::{ShowArgs, TEXT_EXAMPLES};
use crate::cli::tune_args::{TUNE_EXAMPLES, TuneArgs};

pub(crate) use detect::{DetectArgs, SimhashArgs, SimilarityArgs};
pub(crate) use fingerprint::{FingerprintArgs, FingerprintFormat};
pub(crate) use input::InputArgs;
pub(crate) use reading::{ContentArgs, ReadingArgs};
pub(crate) use run::{Color, ColorArgs, MemoryArgs, OutputArgs, RunArgs};
pub(crate) use scan::ScanArgs;
pub(crate) use text::{CutArgs, IdfArg, TextArgs};

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
    #[command(after_help = "See --help for all options, their full text and examples.", after_long_help = SCAN_EXAMPLES)]
    Scan(Box<ScanArgs>),
    /// Print the fingerprint of every document, one JSON object a line
    #[command(after_help = "See --help for all options, their full text and examples.", after_long_help = FINGERPRINT_EXAMPLES)]
    Fingerprint(FingerprintArgs),
    /// Show how two documents differ: measures, shared passages, what only one has
    #[command(after_help = "See --help for all options, their full text and examples.", after_long_help = COMPARE_EXAMPLES)]
    Compare(CompareArgs),
    /// Show how similar the documents are, to choose thresholds by
    ///
    /// Draws how the similarities of all pairs are distributed, lists how many pairs each threshold would
    /// report, and shows the pairs nearest to what decides about them. It looks at more pairs than a scan
    /// reports and keeps none of them, so there may be many millions.
    #[command(after_help = "See --help for all options, their full text and examples.", after_long_help = TUNE_EXAMPLES)]
    Tune(TuneArgs),
    /// Tell of each record of an endless stream whether it was seen before
    ///
    /// Reads JSON Lines from standard input and decides about each record, as soon as it is there and in memory of a
    /// fixed size, how much of it earlier records had. Prints each with two keys added: "seen", the share
    /// of its distinct shingles that were there before, and "duplicate". What was seen is kept in a Bloom filter,
    /// which never forgets, and now and then takes a shingle for seen that was not.
    #[command(after_help = "See --help for all options, their full text and examples.", after_long_help = STREAM_EXAMPLES)]
    Stream(StreamArgs),
    /// Print the text of a document that is compared, and what it is cut into
    ///
    /// Shows a document at each stage on its way: decoded and extracted, normalised, as units, shingles and tokens.
    /// On a terminal what would act on it is escaped; to a file or pipe goes the exact text.
    #[command(after_help = "See --help for all options, their full text and examples.", after_long_help = TEXT_EXAMPLES)]
    Text(ShowArgs),
    /// Print the man page or the completions of a shell
    #[command(after_help = GENERATE_EXAMPLES)]
    Generate(GenerateArgs),
}

pub(crate) const INPUT: &str = "Input";
pub(crate) const TEXT: &str = "Text";
pub(crate) const DETECTION: &str = "Detection";
pub(crate) const OUTPUT: &str = "Output";
pub(crate) const RUNNING: &str = "Running";

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

    /// Takes the words of a command line, the program's name first, and returns what they say.
    pub(crate) fn parse_words(words: &[OsString]) -> Result<Self, clap::Error> {
        let mut matches = Self::definition().try_get_matches_from(words)?;
        Self::from_arg_matches_mut(&mut matches)?.checked()
    }

    /// The command line with what takes flags back: `--no-hidden` after `--hidden`.
    pub(crate) fn definition() -> clap::Command {
        keys::with_negations(Self::command())
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
    use crate::read::ReadOptions;

    fn parse(line: &str) -> Result<Args, clap::Error> {
        let words: Vec<OsString> = line.split_whitespace().map(Into::into).collect();
        Args::parse_words(&words)
    }

    #[test]
    fn the_definition_is_sound() {
        Args::definition().debug_assert();
    }

    #[test]
    fn defaults_are_the_library_s() {
        let Command::Scan(scan) = parse("dupfind scan").unwrap().command else {
            panic!("another command");
        };
        assert_eq!(
            scan.input.reading.content.max_filesize,
            ReadOptions::MAX_FILESIZE
        );
    }

    #[test]
    fn wrong_values_are_explained() {
        for (line, part) in [
            ("dupfind scan --min-jaccard 90", "did you mean 0.9?"),
            ("dupfind scan --max-hamming 17", "at most 16 of 64 bits"),
            ("dupfind scan --max-hamming 33 --simhash-bits 128", "0..=32"),
            ("dupfind scan --max-filesize big", "such as 16M"),
            ("dupfind scan --shingle-size 0", "--shingle-size"),
            ("dupfind scan --threads 2000", "0..=256"),
            (
                "dupfind scan --detectors minhash",
                "possible values: simhash, shingle, super-shingle, i-match",
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
