//! The arguments of `dupfind apply`.

use std::path::PathBuf;

use crate::args::headings::OUTPUT;
use crate::args::headings::RUNNING;
use crate::args::lang::LangArgs;
use dupfind_decide::clean::redirects::form::RedirectForm;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Action:   dupfind apply plan.jsonl --move ../removed
            dupfind apply plan.jsonl --move ../removed --yes
            dupfind apply plan.jsonl --delete --yes
            dupfind apply plan.jsonl --delete --rewrite-links --yes
            dupfind apply --undo plan.jsonl.undo
  Output:   dupfind apply plan.jsonl --redirects netlify --site-root content >> static/_redirects
            dupfind apply plan.jsonl --redirects 'rewrite \"^{from:regex}$\" {to} permanent;'
  Running:  dupfind apply plan.jsonl --delete --yes --quiet

Without --yes nothing is touched: it says what would be done.

Exit status:
  0  all lines were carried out, or can be
  2  an error: a plan that contradicts itself, a file that was changed since, one that cannot be
     written (all other lines are still carried out)";

const ACTION: &str = "Action";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct ApplyArgs {
    /// A plan, made by 'dupfind plan'; for --redirects the folder of a journal too
    ///
    /// Run this in the folder where the plan was made.
    #[arg(value_name = "PLAN", required_unless_present = "undo")]
    pub(crate) plan: Option<PathBuf>,

    /// Do it; without this, show what would be done
    #[arg(short, long, help_heading = ACTION)]
    pub(crate) yes: bool,

    /// Move the files that go to DIR, each to its path below it
    #[arg(long = "move", value_name = "DIR", conflicts_with = "delete", help_heading = ACTION)]
    pub(crate) move_to: Option<PathBuf>,

    /// Delete the files that go
    ///
    /// The folder of the journal keeps their content for --undo, until you remove it.
    #[arg(long, help_heading = ACTION)]
    pub(crate) delete: bool,

    /// Let links to the pages that go lead to those that stay
    ///
    /// These are the links that the plan found, in Markdown and HTML. Each keeps its form and its fragment. A page that
    /// was changed since the plan was made is left alone, and so are the pages that it links to.
    #[arg(long, conflicts_with_all = ["undo", "redirects"], help_heading = ACTION)]
    pub(crate) rewrite_links: bool,

    /// Undo the changes that the journal in DIR lists: every file as it was, with its mode and time
    #[arg(long, value_name = "DIR", conflicts_with_all = ["plan", "move_to", "delete", "redirects"], help_heading = ACTION)]
    pub(crate) undo: Option<PathBuf>,

    /// Folder outside of the current one whose files may be changed, as the plan names it (repeatable)
    #[arg(long, value_name = "DIR", help_heading = ACTION)]
    pub(crate) root: Vec<PathBuf>,

    /// Folder for the journal; it must not exist [default: PLAN.undo]
    #[arg(long, value_name = "DIR", conflicts_with = "undo", help_heading = ACTION)]
    pub(crate) journal: Option<PathBuf>,

    /// Write redirects from the pages that go to those that stay: for hugo, docusaurus, mkdocs, netlify, nginx or apache,
    /// or by a line with {from} and {to}
    ///
    /// To standard output, or to --output, also those of lines that were carried out before. For hugo, the lines are
    /// for the front matter of the pages that stay.
    ///
    /// A line of your own has {from} and {to} where the two addresses belong, encoded as in a URL. {from:json} and
    /// {from:quoted} put an address in quotes, {from:regex} makes a regular expression of it, and so for {to}.
    #[arg(long, value_name = "FORM", help_heading = OUTPUT)]
    pub(crate) redirects: Option<RedirectForm>,

    /// Folder with the pages of the site, for --redirects
    ///
    /// The address of DIR/guide/start.md is /guide/start/, as the format has it.
    #[arg(long, value_name = "DIR", default_value = ".", help_heading = OUTPUT)]
    pub(crate) site_root: PathBuf,

    /// Write redirects to FILE instead of standard output ('-' is standard output)
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    /// Print only what could not be done
    #[arg(short, long, help_heading = RUNNING)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}
