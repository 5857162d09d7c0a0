//! The arguments of `dupfind show`.

use clap::ValueEnum;
use dupfind_report::listings::stages::TextStage;

use crate::args::OUTPUT;
use crate::args::comparing::TextArgs;
use crate::args::input::InputArgs;
use crate::args::output::OutputArgs;
use crate::args::running::{ConfigArgs, RunArgs};

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
            Self::Fingerprint => return None,
        })
    }
}
