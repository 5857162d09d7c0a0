//! The definition of the command line: its commands and their arguments.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use anyhow::{Error, Result, bail};
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use dupfind_report::{Language, language};

use crate::args::running::{Lang, Typed, TypedOption, word};
use crate::args::{
    ConfigArgs, Conflict, DetectArgs, ListArgs, LiveArgs, OUTPUT, RUNNING, ReportArgs, TextArgs,
};
use crate::commands::{
    accept, apply, check, compare, completions, dedup, lsp, mcp, plan, query, reuse, scan, show,
};
use crate::config::{self, is_typed};
use crate::terminal::messages;

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
    #[command(after_help = scan::AFTER_SHORT_HELP, after_long_help = scan::AFTER_HELP)]
    #[command(override_usage = "dupfind [OPTIONS] [PATH]...\n       dupfind COMMAND ...")]
    Scan(Box<scan::ScanArgs>),
    /// Show how two documents differ: measures, shared passages, text that only one has
    #[command(after_help = SEE_HELP, after_long_help = compare::EXAMPLES)]
    Compare(Box<compare::CompareArgs>),
    /// Report which passages are in several documents, and in which wordings
    ///
    /// Cuts every document into its paragraphs, list items, table rows and so on, and groups those that are equal or alike.
    /// Blocks that follow each other in the same documents are one passage. Those that save most come first: the copies but
    /// one, times their length.
    #[command(after_help = SEE_HELP, after_long_help = reuse::EXAMPLES)]
    Reuse(Box<reuse::ReuseArgs>),
    /// Decide which document of each group stays, and write down which go and why
    ///
    /// Writes a plan: one JSON object a line for each document that goes, with the one that stays for it, the measures of
    /// the two and the rule that decided. Nothing is touched: 'dupfind apply' carries out a plan. A document goes only if it
    /// is itself a duplicate of the one that stays. To be a duplicate of another duplicate is not enough.
    #[command(after_help = SEE_HELP, after_long_help = plan::EXAMPLES)]
    Plan(Box<plan::PlanArgs>),
    /// Carry out a plan, or undo it
    ///
    /// Moves the files that go to a folder beside the plan, and moves them back. Without --yes it only shows what it would
    /// do. Each file is hashed again before it is touched, and one that was changed is left alone.
    #[command(after_help = SEE_HELP, after_long_help = apply::EXAMPLES)]
    Apply(Box<apply::ApplyArgs>),
    /// Write the records of files without those that are in them already
    ///
    /// Compares the records of JSON Lines, CSV, TSV or Parquet, decides as 'dupfind plan' does, and copies those that stay
    /// as they are, in their order. The files are only read.
    #[command(after_help = SEE_HELP, after_long_help = dedup::EXAMPLES)]
    Dedup(Box<dedup::DedupArgs>),
    /// Fail if there is a duplicate that is not accepted: for CI and hooks
    ///
    /// Lists the pages that repeat others, each with its twin, the lines and the command that accepts the two, and nothing
    /// else. With --since only what a change adds fails; with a file of accepted pairs, which 'dupfind accept' writes, only
    /// what it does not have. Documents that stay as they are are compared too: a new page may be a copy of one of them.
    #[command(after_help = SEE_HELP, after_long_help = check::EXAMPLES)]
    Check(Box<check::CheckArgs>),
    /// Accept a pair, a family, or all pairs that there are
    ///
    /// Scans the paths, finds the pair of the two documents and adds it to the file of '--baseline', with the reason. Two
    /// documents that a scan does not report as a pair are refused.
    #[command(
        after_help = SEE_HELP,
        after_long_help = accept::EXAMPLES,
        override_usage = "dupfind accept [OPTIONS] A B [PATH]...\n       dupfind accept [OPTIONS] --family FOLDER\n       dupfind accept [OPTIONS] --all [PATH]..."
    )]
    Accept(Box<accept::AcceptArgs>),
    /// Find the documents of a folder that are like a draft
    ///
    /// Reports the pairs that 'scan DRAFT --against PATH' would report, with the same relations and reasons, in milliseconds; of a
    /// page of the folder those of a scan. Drafts are not compared with each other. An index keeps the features of each page: it
    /// is made the first time, and brought up to date with what has changed. To make it anew, remove its folder.
    #[command(after_help = SEE_HELP, after_long_help = query::EXAMPLES)]
    Query(Box<query::QueryArgs>),
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
    /// Print a document as it is read and compared: its text, units, shingles, votes, signatures and more
    ///
    /// Of one document it prints the text, or a unit, shingle or token a line. On a terminal, characters that would act on it
    /// are escaped; a file or pipe gets the exact text. Of folders and files of records it prints a JSON object a line for each
    /// document.
    #[command(after_help = SEE_HELP, after_long_help = show::EXAMPLES)]
    Show(Box<show::ShowArgs>),
    /// Print the completions of a shell, or a manual page
    #[command(after_help = completions::EXAMPLES)]
    Completions(completions::CompletionsArgs),
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
    pub(crate) fn in_short() -> clap::Command {
        let without_heading = |arg: Arg| arg.help_heading(None::<&str>);
        Self::definition().mut_subcommands(|command| command.mut_args(without_heading))
    }

    /// Reads the words of the command line, with the name of the program first, and the configuration. `cwd` is the
    /// current folder.
    ///
    /// # Errors
    ///
    /// A [`clap::Error`] if a typed word is wrong or asks for help. Else typed options do not go together, or the configuration is
    /// wrong: then the reason names its file and line.
    pub(crate) fn read(words: &[OsString], cwd: Result<PathBuf>) -> Result<Command> {
        let has = |option: &str| words.iter().any(|word| word == option);
        let mut root = match has("-h") {
            true => Self::in_short(),
            false => Self::definition(),
        };
        if language::current() == Language::Chinese {
            // Its lines are those of the Chinese help.
            root = root.term_width(0);
        }
        let matches = root.try_get_matches_from_mut(words)?;
        let Some((name, typed)) = matches.subcommand() else {
            return Ok(Self::from_arg_matches(&matches)?.command);
        };
        let definition = root.find_subcommand(name).unwrap_or(&root);
        if let Some(conflict) = conflict(definition, typed) {
            bail!(conflict.reason);
        }
        let mut file = config::read(name, typed, &cwd?).map_err(Error::msg)?;
        if let Some(file) = &mut file {
            config::put_in_force(file, definition, typed);
        }
        let matches = loop {
            let root = Self::definition().mut_subcommand(name, |command| match &file {
                Some(file) => config::added_to(file, command),
                None => command,
            });
            let matches = root.try_get_matches_from(words)?;
            let conflict = matches
                .subcommand()
                .and_then(|(_, all)| conflict(definition, all));
            match (conflict, &mut file) {
                (Some(conflict), Some(file)) => {
                    config::give_way(file, &conflict, typed).map_err(Error::msg)?;
                }
                (Some(conflict), None) => bail!(conflict.reason),
                (None, _) => break matches,
            }
        };
        let mut command = Self::from_arg_matches(&matches)?.command;
        if let Command::Accept(args) = &mut command {
            args.take_paths();
        }
        if let Some(config) = command.config() {
            config.used = file;
            config.typed = typed_options(&root, definition, typed);
        }
        if let Some((_, all)) = matches.subcommand() {
            speak(all);
        }
        Ok(command)
    }
}

/// Decides how much the program says, and in which language.
fn speak(matches: &ArgMatches) {
    let quiet: Option<&bool> = matches.try_get_one("quiet").ok().flatten();
    messages::set_quiet(quiet == Some(&true));
    let lang: Option<&Lang> = matches.try_get_one("lang").ok().flatten();
    language::set(lang.copied().unwrap_or_default().language());
}

/// Returns why the options of a command do not go together, if they do not.
fn conflict(command: &clap::Command, matches: &ArgMatches) -> Option<Conflict> {
    let report: Option<ReportArgs> = group(command, matches);
    let of_list = |report| group(command, matches).and_then(|list: ListArgs| list.conflict(report));
    let text = || group(command, matches).and_then(|text: TextArgs| text.conflict());
    let detect = || group(command, matches).and_then(|detect: DetectArgs| detect.conflict());
    let reports = || report.as_ref().and_then(ReportArgs::conflict);
    let lists = || report.as_ref().and_then(of_list);
    text().or_else(detect).or_else(reports).or_else(lists)
}

/// Returns a group of options, if a command has it.
fn group<G: clap::Args>(command: &clap::Command, matches: &ArgMatches) -> Option<G> {
    let id = G::group_id()?;
    let has = command.get_groups().any(|group| *group.get_id() == id);
    has.then(|| G::from_arg_matches(matches).ok())?
}

/// Returns the options of a command that were typed and decide about the result, as they are typed again.
fn typed_options(root: &clap::Command, command: &clap::Command, typed: &ArgMatches) -> Typed {
    let decides = |arg: &&Arg| !matches!(arg.get_help_heading(), Some(OUTPUT | RUNNING));
    let options = command.get_arguments().filter(decides).filter_map(|arg| {
        let (id, long) = (arg.get_id().as_str(), arg.get_long()?);
        let option = OsString::from(format!("--{long}"));
        let words = |value: &OsStr| match value.as_encoded_bytes() {
            // It would be taken for an option.
            [b'-', ..] => vec![
                [option.as_os_str(), OsStr::new("="), value]
                    .into_iter()
                    .collect(),
            ],
            _ => vec![option.clone(), value.to_owned()],
        };
        let has = |command: &&clap::Command| {
            command
                .get_arguments()
                .any(|arg| arg.get_long() == Some(long))
        };
        let commands = root.get_subcommands().filter(has);
        is_typed(typed, id).then(|| TypedOption {
            name: long.to_owned(),
            words: match arg.get_action().takes_values() {
                true => typed
                    .get_raw(id)
                    .into_iter()
                    .flatten()
                    .flat_map(words)
                    .collect(),
                false => vec![option.clone()],
            },
            commands: commands
                .map(|command| command.get_name().to_owned())
                .collect(),
        })
    });
    let paths = is_typed(typed, "paths")
        .then(|| typed.try_get_many("paths").ok())
        .flatten();
    Typed {
        paths: paths
            .flatten()
            .into_iter()
            .flatten()
            .map(|path: &PathBuf| word(path))
            .collect(),
        options: options.collect(),
    }
}

impl Command {
    /// Returns the place of the configuration in force, if the command takes one.
    fn config(&mut self) -> Option<&mut ConfigArgs> {
        Some(match self {
            Self::Scan(args) => &mut args.running.config,
            Self::Compare(args) => &mut args.config,
            Self::Reuse(args) => &mut args.running.config,
            Self::Plan(args) => &mut args.running.config,
            Self::Dedup(args) => &mut args.running.config,
            Self::Check(args) => &mut args.running.config,
            Self::Accept(args) => &mut args.running.config,
            Self::Query(args) => &mut args.collection.config,
            Self::Mcp(args) | Self::Lsp(args) => &mut args.collection.config,
            Self::Show(args) => &mut args.config,
            Self::Apply(_) | Self::Completions(_) => return None,
        })
    }
}
