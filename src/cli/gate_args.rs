//! What can be typed about which pairs count, and which make the run fail.

use std::path::PathBuf;

use crate::engine::relation::{Relation, Relations};
use crate::gate::Conditions;
use clap::ValueEnum;

use crate::cli::size;

const SCOPE: &str = "Scope";
const GATE: &str = "Gate";

/// Which pairs count at all.
#[derive(Debug, clap::Args)]
pub(crate) struct ScopeArgs {
    /// Compare with the documents of PATH; neither side is compared with itself (repeatable)
    ///
    /// One collection against another: 'dupfind scan drafts --against published'. A document that both
    /// sides have belongs to the first one.
    #[arg(long, value_name = "PATH", help_heading = SCOPE)]
    pub(crate) against: Vec<PathBuf>,

    /// Do not compare documents that match the glob with each other (repeatable)
    ///
    /// For versions or translations: --skip-within 'docs/v1/**' still compares those pages with all others.
    /// Each glob is for itself. The syntax is that of .gitignore, relative to the current folder.
    #[arg(long, value_name = "GLOB", help_heading = SCOPE)]
    pub(crate) skip_within: Vec<String>,

    /// Leave out the pairs that FILE lists, with reasons (repeatable)
    ///
    /// A TOML file of tables [[ignore]], each with 'documents', a list of names and globs, and a 'reason'. Two
    /// documents of one table are no pair. Names and globs are relative to the folder of FILE.
    #[arg(long, value_name = "FILE", help_heading = SCOPE)]
    pub(crate) ignore_pairs: Vec<PathBuf>,

    /// Report only pairs in which a document was changed since a git revision
    ///
    /// Changed are files that differ from where the current branch left REF, and untracked ones that are not
    /// ignored. A file that was renamed and nothing else is not changed. In files of records it goes by lines.
    #[arg(long, value_name = "REF", help_heading = SCOPE)]
    pub(crate) changed_since: Option<String>,
}

/// What makes the run fail.
#[derive(Debug, clap::Args)]
pub(crate) struct GateArgs {
    /// Exit with status 1 if there is a pair of this relation or a stronger one [default: never]
    ///
    /// The default is 'contains' with --fail-on-new or --max-pairs: copies, near-duplicates and pages within
    /// pages.
    #[arg(long, value_enum, value_name = "RELATION", help_heading = GATE)]
    pub(crate) fail_on: Option<FailOn>,

    /// Exit with status 1 if there is a pair that the baseline does not accept
    ///
    /// As --fail-on contains, or as --fail-on says: with a baseline, accepted pairs never count.
    #[arg(long, help_heading = GATE)]
    pub(crate) fail_on_new: bool,

    /// Allow up to N such pairs
    #[arg(long, value_name = "N", value_parser = size::count::<u64>, help_heading = GATE)]
    pub(crate) max_pairs: Option<u64>,

    /// Exit with status 1 if there is nothing to compare, which usually means a wrong path
    #[arg(hide_short_help = true, long, help_heading = GATE)]
    pub(crate) fail_on_empty: bool,

    /// File of accepted pairs
    ///
    /// Make it with --update-baseline and commit it. An accepted pair stays accepted when its documents are
    /// renamed or edited, as long as they do not become more similar; a further copy of an accepted text is
    /// new.
    #[arg(long, value_name = "FILE", conflicts_with = "baseline_from", help_heading = GATE)]
    pub(crate) baseline: Option<PathBuf>,

    /// Write the pairs of this run to the baseline: accept them all
    ///
    /// Reasons and expiry dates of entries that are still there are kept. Entries whose pairs are gone
    /// are dropped.
    #[arg(long, requires = "baseline", conflicts_with = "fail_on_new", help_heading = GATE)]
    pub(crate) update_baseline: bool,

    /// Take the pairs of a git revision as the baseline
    ///
    /// Its documents, as they were where the current branch left REF, are read and compared first, with the
    /// same options. It needs no file, and two to four times as long: the documents are also checked out.
    #[arg(long, value_name = "REF", help_heading = GATE)]
    pub(crate) baseline_from: Option<String>,
}

/// From which relation on a pair makes the run fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// No pair does
    Never,
    /// Copies
    Exact,
    /// And near-duplicates
    Near,
    /// And pages that are contained in others
    Contains,
    /// And documents that share something rare
    Related,
    /// Every pair, pages of one template and short ones too
    Any,
}

impl FailOn {
    /// The relations that count against the run.
    fn relations(self) -> Relations {
        match self {
            Self::Never => Relations::NONE,
            Self::Exact => Relations::up_to(Relation::Exact),
            Self::Near => Relations::up_to(Relation::Near),
            Self::Contains => Relations::up_to(Relation::Contains),
            Self::Related => Relations::up_to(Relation::Related),
            Self::Any => Relations::up_to(Relation::Short),
        }
    }
}

impl GateArgs {
    /// The relations that are looked at where nothing is said.
    const USUAL: FailOn = FailOn::Contains;

    /// What makes the run fail.
    pub(crate) fn conditions(&self) -> Conditions {
        let asks = self.fail_on_new || self.max_pairs.is_some();
        let usual = if asks { Self::USUAL } else { FailOn::Never };
        let fail_on = match self.fail_on.unwrap_or(usual) {
            // All that is found is accepted.
            _ if self.update_baseline => FailOn::Never,
            fail_on => fail_on,
        };
        Conditions {
            // Nothing can be too much for `never`.
            max_pairs: match fail_on {
                FailOn::Never => u64::MAX,
                _ => self.max_pairs.unwrap_or(0),
            },
            fail_on: fail_on.relations(),
            only_new: self.baseline.is_some() || self.baseline_from.is_some(),
            on_empty: self.fail_on_empty,
        }
    }

    /// The relations of the pairs that a baseline holds and reports for machines list.
    pub(crate) fn watched(&self) -> Relations {
        match self.fail_on {
            None | Some(FailOn::Never) => Self::USUAL.relations(),
            Some(fail_on) => fail_on.relations(),
        }
    }

    /// What is wrong with these options together.
    pub(crate) fn conflict(&self, scope: &ScopeArgs) -> Option<&'static str> {
        if self.update_baseline && scope.changed_since.is_some() {
            Some(
                "--update-baseline and --changed-since: a run that sees only a part of the pairs cannot \
                 tell which are gone; leave out --changed-since",
            )
        } else if self.fail_on_new && self.baseline.is_none() && self.baseline_from.is_none() {
            Some(
                "--fail-on-new: new compared with what? --baseline FILE names the accepted pairs, \
                 --baseline-from REF a git revision",
            )
        } else if self.fail_on == Some(FailOn::Never) && self.fail_on_new {
            Some("--fail-on never and --fail-on-new: leave one of them out")
        } else if self.fail_on == Some(FailOn::Never) && self.max_pairs.is_some() {
            Some("--fail-on never and --max-pairs: leave one of them out")
        } else {
            None
        }
    }
}
