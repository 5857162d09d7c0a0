//! The definition of the command line: its commands and their arguments.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;

use crate::args::group::Group;
use crate::args::live::LiveArgs;
use crate::commands::{
    accept, apply, check, compare, completions, dedup, lsp, mcp, plan, query, reuse, scan, show,
};
use crate::config;
use crate::config::Refused;

const SEE_HELP: &str = "See --help for all options, their full text and examples.";

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Find documents that say the same thing: copies, rewritten pages, pages within pages
#[derive(Debug, Parser)]
#[command(name = "dupfind", version, styles = STYLES, disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the documents that say the same thing: copies, rewritten pages, pages within pages
    ///
    /// Compares every document with every other, in Chinese, English and other languages, and lists each pair whose SimHash
    /// fingerprints differ in at most 3 of 64 bits or whose sets of 3-unit shingles have a Jaccard similarity of at least
    /// 0.2. 'dupfind docs' is the same as 'dupfind scan docs'.
    #[command(after_help = scan::help::SHORT, after_long_help = scan::help::AFTER_HELP)]
    #[command(override_usage = "dupfind [OPTIONS] [PATH]...\n       dupfind COMMAND ...")]
    Scan(Box<scan::args::ScanArgs>),
    /// Show how two documents differ: measures, shared passages, text that only one has
    #[command(after_help = SEE_HELP, after_long_help = compare::args::EXAMPLES)]
    Compare(Box<compare::args::CompareArgs>),
    /// Report which passages are in several documents, and in which wordings
    ///
    /// Cuts every document into its paragraphs, list items, table rows and so on, and groups those that are equal or alike.
    /// Blocks that follow each other in the same documents are one passage. Those that save most come first: the copies but
    /// one, times their length.
    #[command(after_help = SEE_HELP, after_long_help = reuse::args::EXAMPLES)]
    Reuse(Box<reuse::args::ReuseArgs>),
    /// Decide which document of each group stays, and write down which go and why
    ///
    /// Writes a plan: one JSON object a line for each document that goes, with the one that stays for it, the measures of
    /// the two and the rule that decided. Nothing is touched: 'dupfind apply' carries out a plan. A document goes only if it
    /// is itself a duplicate of the one that stays. To be a duplicate of another duplicate is not enough.
    #[command(after_help = SEE_HELP, after_long_help = plan::args::EXAMPLES)]
    Plan(Box<plan::args::PlanArgs>),
    /// Carry out a plan, or undo it
    ///
    /// Moves the files that go to a folder beside the plan, and moves them back. Without --yes it only shows what it would
    /// do. Each file is hashed again before it is touched, and one that was changed is left alone.
    #[command(after_help = SEE_HELP, after_long_help = apply::args::EXAMPLES)]
    Apply(Box<apply::args::ApplyArgs>),
    /// Write the records of files without those that are in them already
    ///
    /// Compares the records of JSON Lines, CSV, TSV or Parquet, decides as 'dupfind plan' does, and copies those that stay
    /// as they are, in their order. The files are only read.
    #[command(after_help = SEE_HELP, after_long_help = dedup::args::EXAMPLES)]
    Dedup(Box<dedup::args::DedupArgs>),
    /// Fail if there is a duplicate that is not accepted: for CI and hooks
    ///
    /// Lists the pages that repeat others, each with its twin, the lines and the command that accepts the two, and nothing
    /// else. With --since only what a change adds fails; with a file of accepted pairs, which 'dupfind accept' writes, only
    /// what it does not have. Documents that stay as they are are compared too: a new page may be a copy of one of them.
    #[command(after_help = SEE_HELP, after_long_help = check::args::EXAMPLES)]
    Check(Box<check::args::CheckArgs>),
    /// Accept a pair, a family, or all pairs that there are
    ///
    /// Scans the paths, finds the pair of the two documents and adds it to the file of '--baseline', with the reason. Two
    /// documents that a scan does not report as a pair are refused.
    #[command(after_help = SEE_HELP, after_long_help = accept::args::EXAMPLES)]
    Accept(Box<accept::args::AcceptArgs>),
    /// Find the documents of a folder that are like a draft
    ///
    /// Reports the pairs that a scan of the folder with the draft would report, with the same relations and reasons, in
    /// milliseconds. Drafts are not compared with each other. An index keeps the features of each page: it is made the first
    /// time, and brought up to date with what has changed. To make it anew, remove its folder.
    #[command(after_help = SEE_HELP, after_long_help = query::args::EXAMPLES)]
    Query(Box<query::args::QueryArgs>),
    /// Answer the questions of an agent about the documents of a folder
    ///
    /// A server of the Model Context Protocol on standard input and output: 'is this already written?', 'what repeats itself?'.
    /// It keeps an index of the folder, brings it up to date before each answer, and reads nothing outside of the folder. There
    /// is no port: who starts the program is the only one who can ask it.
    #[command(after_help = SEE_HELP, after_long_help = mcp::EXAMPLES)]
    Mcp(Box<LiveArgs>),
    /// Show in an editor the text of a page that other pages have too
    ///
    /// A language server on standard input and output: diagnostics when a page is opened, saved or typed in, and actions. Each
    /// folder of the workspace has its own dupfind.toml, and an index that is brought up to date. Nothing outside of the workspace
    /// is read.
    #[command(after_help = SEE_HELP, after_long_help = lsp::EXAMPLES)]
    Lsp(Box<LiveArgs>),
    /// Print a document as it is read and compared: its text, units, shingles, tokens or fingerprint
    ///
    /// Of one document it prints the text, or a unit, shingle or token a line. On a terminal, characters that would act on it
    /// are escaped; a file or pipe gets the exact text. Of folders and files of records it prints a JSON object a line for each
    /// document.
    #[command(after_help = SEE_HELP, after_long_help = show::args::EXAMPLES)]
    Show(Box<show::args::ShowArgs>),
    /// Print the completions of a shell, or a manual page
    #[command(after_help = completions::args::EXAMPLES)]
    Completions(completions::args::CompletionsArgs),
}

impl Args {
    /// Returns the definition.
    pub(crate) fn definition() -> clap::Command {
        // The value of an option may be a wrong number, and is no option then.
        let with_numbers = |arg: Arg| match arg.get_action().takes_values() && !arg.is_positional()
        {
            true => arg.allow_negative_numbers(true),
            false => arg,
        };
        Self::command().mut_subcommands(|command| command.mut_args(with_numbers))
    }

    /// Returns the definition for the short help: its options are one list.
    fn in_short() -> clap::Command {
        let without_heading = |arg: Arg| arg.help_heading(None::<&str>);
        Self::definition().mut_subcommands(|command| command.mut_args(without_heading))
    }

    /// Reads the words of the command line, with the name of the program first, and the configuration. `cwd` is the
    /// current folder.
    ///
    /// # Errors
    ///
    /// The command line or the configuration is wrong.
    pub(crate) fn read(words: &[OsString], cwd: Result<PathBuf>) -> Result<Command, Refused> {
        let mut root = match words.iter().any(|word| word == "-h") {
            true => Self::in_short(),
            false => Self::definition(),
        };
        let matches = root.try_get_matches_from_mut(words)?;
        let definition = matches
            .subcommand_name()
            .and_then(|name| root.find_subcommand(name));
        let Some(definition) = definition else {
            return Ok(Self::from_arg_matches(&matches)?.command);
        };
        let mut typed = Self::from_arg_matches(&matches)?.command;
        let args = typed.group();
        args.typed();
        if let Some(conflict) = args.conflict() {
            return Err(Refused::Told(conflict.reason));
        }
        let cwd = cwd.map_err(|error| Refused::Told(format!("{error:#}")))?;
        let file = config::read(args, definition, &cwd).map_err(Refused::Told)?;
        let mut overruled = BTreeSet::new();
        loop {
            let mut command = Self::from_arg_matches(&matches)?.command;
            let args = command.group();
            let is_complete = config::complete(args, file.as_ref(), definition, &mut overruled);
            if is_complete.map_err(Refused::Told)? {
                args.speak();
                return Ok(command);
            }
        }
    }
}

impl Command {
    /// Returns the arguments.
    fn group(&mut self) -> &mut dyn Group {
        match self {
            Self::Scan(args) => &mut **args,
            Self::Compare(args) => &mut **args,
            Self::Reuse(args) => &mut **args,
            Self::Plan(args) => &mut **args,
            Self::Apply(args) => &mut **args,
            Self::Dedup(args) => &mut **args,
            Self::Check(args) => &mut **args,
            Self::Accept(args) => &mut **args,
            Self::Query(args) => &mut **args,
            Self::Mcp(args) => &mut **args,
            Self::Lsp(args) => &mut **args,
            Self::Show(args) => &mut **args,
            Self::Completions(args) => args,
        }
    }
}
