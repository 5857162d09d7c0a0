//! The arguments of `dupfind text`.

use std::path::{Path, PathBuf};

use dupfind_report::listings::stages::TextStage;

use crate::args::config::ConfigArgs;
use crate::args::documents::reading::ReadingArgs;
use crate::args::documents::text::TextArgs;
use crate::args::group::groups;
use crate::args::headings::OUTPUT;
use crate::args::output::OutputArgs;
use crate::args::values::document::document;
use crate::config::Configured;
use dupfind_read::named::file_of;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Input:   dupfind text page.html --web-part all
           dupfind text pages.jsonl#17 --id-field id
           dupfind text old.txt --encoding gb18030 --extracted > new.txt
  Text:    dupfind text novel.txt --units --shingle-unit word
           diff <(dupfind text a.md --shingles) <(dupfind text b.md --shingles)
  Output:  dupfind text page.html --extracted | less
           dupfind text a.md --tokens | sort | uniq -c | sort -rn | head

Exit status: 0 there was text, 2 an error (a document that cannot be compared is one)";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct PrintArgs {
    /// The document: a file, or FILE#ID for a record of a file of records
    #[arg(value_name = "FILE", value_parser = document())]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) text: TextArgs,

    #[command(flatten)]
    stage: StageArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// What to print of the text.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct StageArgs {
    /// Print the text before it is normalised, with its lines and capitals
    ///
    /// It is what reports and dupfind compare show of the document: decoded, and without the parts that do not count.
    #[arg(long, help_heading = OUTPUT)]
    extracted: bool,

    /// Print the units, one a line
    #[arg(long, help_heading = OUTPUT)]
    units: bool,

    /// Print the shingles, one a line, each once
    #[arg(long, help_heading = OUTPUT)]
    shingles: bool,

    /// Print the tokens that the fingerprint is made of, one a line
    #[arg(long, help_heading = OUTPUT)]
    tokens: bool,
}

impl PrintArgs {
    /// Returns the stage that was asked for; the normalised text if none was.
    pub(crate) fn stage(&self) -> TextStage {
        match self.stage {
            StageArgs {
                extracted: true, ..
            } => TextStage::Extracted,
            StageArgs { units: true, .. } => TextStage::Units,
            StageArgs { shingles: true, .. } => TextStage::Shingles,
            StageArgs { tokens: true, .. } => TextStage::Tokens,
            _ => TextStage::Normalized,
        }
    }
}
groups!(PrintArgs: reading, text, config);

impl Configured for PrintArgs {
    fn config(&mut self) -> &mut ConfigArgs {
        &mut self.config
    }

    fn start(&self) -> Option<&Path> {
        Some(file_of(&self.file))
    }
}
