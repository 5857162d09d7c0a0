//! The arguments of `dupfind apply`.

use std::path::PathBuf;

use crate::args::OUTPUT;
use crate::args::keep::LinkedArgs;
use crate::args::running::{LangArgs, QuietArgs};
use dupfind_decide::clean::redirects::RedirectLine;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Action:   dupfind apply plan.jsonl
            dupfind apply plan.jsonl --yes
            dupfind apply plan.jsonl --undo
            dupfind apply plan.jsonl --to ../removed --yes
  Output:   dupfind apply plan.jsonl --redirects '{from} {to} 301' >> static/_redirects
  Running:  dupfind apply plan.jsonl --yes --quiet

Without --yes nothing is touched: it says what would be done.

Exit status:
  0  all lines were carried out, or can be
  2  an error: a plan that contradicts itself, a file that was changed since, one that cannot be
     moved (all other lines are still carried out)";

const ACTION: &str = "Action";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct ApplyArgs {
    /// A plan, made by 'dupfind plan'
    ///
    /// Run this in the folder where the plan was made. Only files below that folder are touched.
    #[arg(value_name = "PLAN")]
    pub(crate) plan: PathBuf,

    /// Do it; without this, show what would be done
    #[arg(short, long, help_heading = ACTION)]
    pub(crate) yes: bool,

    /// Folder that the files move to, each to its path below it [default: PLAN.removed]
    ///
    /// It is a new one, or one with files of an earlier run. No scan reads it, and git ignores it.
    #[arg(long, value_name = "DIR", help_heading = ACTION)]
    pub(crate) to: Option<PathBuf>,

    /// Delete the files instead of moving them, for those who have them in git
    ///
    /// Nothing is kept, so that --undo cannot bring them back.
    #[arg(long, conflicts_with_all = ["to", "undo"], help_heading = ACTION)]
    pub(crate) delete: bool,

    /// Move all files back that are in the folder
    #[arg(long, conflicts_with = "redirects", help_heading = ACTION)]
    pub(crate) undo: bool,

    /// Write a redirect from each page that goes to the one that stays: a line with {from} and {to}
    ///
    /// To standard output, or to --output, also those of lines that were carried out before. In a plan of 'dupfind plan docs' the
    /// address of docs/guide/start.md is /guide/start/. {from} and {to} are the
    /// addresses of the two pages, encoded as in a URL. {from:text} and {to:text} are the addresses as text; pages whose
    /// address has quotes, brackets or control characters get no redirect then.
    #[arg(long, value_name = "LINE", help_heading = OUTPUT)]
    pub(crate) redirects: Option<RedirectLine>,

    /// Write redirects to FILE instead of standard output ('-' is standard output)
    #[arg(id = "own_output", short = 'o', long = "output", value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) linked: LinkedArgs,
    #[command(flatten)]
    quiet: QuietArgs,
    #[command(flatten)]
    lang: LangArgs,
}
