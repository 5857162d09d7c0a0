//! `dupfind show`: documents as they are read and compared.

use std::path::Path;

use anyhow::Result;
use clap::ValueEnum;
use dupfind_decide::compare::Document;
use dupfind_engine::{Options, in_pool};
use dupfind_read::{Ingested, Refusal, STDIN, file_of, path_of_name};
use dupfind_report::listings::stages::{
    StageOptions, TextStage, stage_line, write_fingerprints_jsonl, write_stage,
};
use dupfind_scan::{ScanOptions, fingerprints, read_pages};

use crate::args::{ConfigArgs, InputArgs, OUTPUT, OutputArgs, RunArgs, TextArgs};
use crate::input::refused::refuse_overwriting;
use crate::input::{explained, stdin};
use crate::process::{Status, current_folder};
use crate::terminal::{Output, Progress, messages, stats};

pub(crate) const EXAMPLES: &str = "\
Examples:
  A document:   dupfind show page.html --web-part all | less
                dupfind show pages.jsonl#17 --id-field id
                dupfind show old.txt --encoding gb18030 > new.txt
                dupfind show a.md --as tokens | sort | uniq -c | sort -rn | head
                diff <(dupfind show a.md --as shingles) <(dupfind show b.md --as shingles)
  A folder:     dupfind show docs | jq -r .text
                dupfind show docs --as fingerprint | jq -r '[.fingerprint, .path] | @tsv' | sort

Exit status: 0 there was a document, 2 an error (everything else that can be read is still printed)";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) text: TextArgs,

    /// What to print of a document
    #[arg(long = "as", value_name = "WHAT", default_value = "text", help_heading = OUTPUT)]
    pub(crate) stage: Stage,
    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// What is printed of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stage {
    /// Its text, as reports show it
    Text,
    /// Its text, as it is compared
    Normalized,
    /// The units that shingles are made of, one a line
    Units,
    /// The shingles, one a line, each once
    Shingles,
    /// The tokens that the fingerprint is made of, one a line
    Tokens,
    /// The votes for the fingerprint, one token a line: idf, count, weight, and + or - for each of the 64 bits
    Votes,
    /// Super-shingles, I-Match signatures and min-hashes, as a line of JSON
    Signatures,
    /// The fingerprint and some counts, as a line of JSON
    Fingerprint,
}

impl Stage {
    /// Returns the text, or what it is cut into; `None` for the fingerprint.
    pub(crate) fn of_text(self) -> Option<TextStage> {
        Some(match self {
            Self::Text => TextStage::Text,
            Self::Normalized => TextStage::Normalized,
            Self::Units => TextStage::Units,
            Self::Shingles => TextStage::Shingles,
            Self::Tokens => TextStage::Tokens,
            Self::Votes => TextStage::Votes,
            Self::Signatures => TextStage::Signatures,
            Self::Fingerprint => return None,
        })
    }
}

/// Runs the command.
pub(crate) fn run(args: &ShowArgs) -> Result<Status> {
    let output = Output::open(args.output.file())?;
    match args.stage.of_text() {
        None => print_fingerprints(args, output),
        Some(stage) => match only_document(args)? {
            Some(document) => print_document(args, &document, stage, output),
            None => print_documents(args, stage, output),
        },
    }
}

/// Returns the document, if one is named: a file, or a record of one. `None` if a folder or a file of records is named, or
/// several paths are.
fn only_document(args: &ShowArgs) -> Result<Option<Document>> {
    let [path] = args.input.paths.as_slice() else {
        return Ok(None);
    };
    if args.input.files_from.is_some() || path.is_dir() || path == Path::new(STDIN) {
        return Ok(None);
    }
    let options = args.input.reading.options(&args.config)?;
    let named = path_of_name(path.clone());
    match Document::read(&named, &current_folder()?, &options) {
        Ok(document) => {
            refuse_overwriting(args.output.file(), &[file_of(&named).to_owned()])?;
            Ok(Some(document))
        }
        Err(refused) if matches!(refused.refusal, Refusal::Records) => Ok(None),
        Err(refused) => Err(explained(refused)),
    }
}

fn print_document(
    args: &ShowArgs,
    document: &Document,
    stage: TextStage,
    output: Output,
) -> Result<Status> {
    if document.read.is_repaired {
        messages::repaired(&document.name, document.read.encoding);
    }
    let is_terminal = output.is_terminal();
    output.write(|out| {
        let (name, text) = (&document.name, &document.read.text);
        Ok(write_stage(
            name,
            text,
            stage,
            cutting(args),
            is_terminal,
            out,
        )?)
    })?;
    Ok(Status::Ok)
}

fn cutting(args: &ShowArgs) -> StageOptions {
    let cut = args.text.added_to(Options::default());
    StageOptions {
        unit: cut.shingle_unit,
        size: cut.shingle_size,
    }
}

/// Prints all documents as JSON Lines.
fn print_documents(args: &ShowArgs, stage: TextStage, output: Output) -> Result<Status> {
    let mut options = options(args)?;
    let _stdin = stdin::spool(&mut options)?;
    let text = |(): &mut (), document: &Ingested<'_>| Ok(document.text.to_string());
    let (pages, texts) = Progress::during(|progress| {
        in_pool(options.engine.threads, || {
            read_pages(&options, progress, || (), text)
        })
    })?;
    messages::documents(&options.walk, &pages.skipped, &pages.notes, &pages.warnings);
    output.write(|out| {
        for (page, text) in pages.pages.iter().zip(texts) {
            writeln!(
                out,
                "{}",
                stage_line(&page.name, &text, stage, cutting(args))
            )?;
        }
        Ok(())
    })?;
    Ok(Status::of(&pages.skipped))
}

fn print_fingerprints(args: &ShowArgs, output: Output) -> Result<Status> {
    let mut options = options(args)?;
    let _stdin = stdin::spool(&mut options)?;
    let corpus = Progress::during(|progress| fingerprints(&options, progress))?;
    messages::documents(
        &options.walk,
        &corpus.skipped,
        &corpus.notes,
        &corpus.warnings,
    );
    let (documents, sources) = (&corpus.collection.documents, &corpus.sources);
    output.write(|out| Ok(write_fingerprints_jsonl(documents, sources, out)?))?;
    if args.run.stats {
        let of_run = &corpus.collection.stats;
        stats::print(args.config.name(), of_run, &sources.documents, None)?;
    }
    Ok(Status::of(&corpus.skipped))
}

fn options(args: &ShowArgs) -> Result<ScanOptions> {
    let engine = args.text.added_to(Options {
        threads: args.run.threads(),
        ..Options::default()
    });
    let target = args.output.file();
    args.input
        .options(&[], &args.config, engine, target.as_slice(), None)
}
