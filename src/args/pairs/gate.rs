//! The arguments about what makes the run fail.

use std::path::{Path, PathBuf};

use dupfind_decide::gate::Conditions;
use dupfind_engine::verdict::{Relation, Relations};

use crate::args::config::ConfigArgs;
use crate::args::group::group;
use crate::args::values::choice::Choice;

group! {
/// What makes the run fail.
pub(crate) struct GateArgs in GATE {
    /// Exit with status 1 if there is a pair of this relation or a stronger one [default: never]
    ///
    /// The default is 'contains' with --fail-on-new or --max-pairs: copies, near-duplicates and pages within
    /// pages.
    #[arg(long, value_name = "RELATION")]
    pub(crate) fail_on: Option<FailOn>,

    /// Exit with status 1 if there is a pair that the baseline does not accept
    ///
    /// Pairs of the relation of --fail-on or a stronger one count, by default 'contains'. With a baseline, accepted
    /// pairs never count.
    #[arg(long)]
    pub(crate) fail_on_new: bool,

    /// Allow up to N such pairs
    #[arg(long, value_name = "N")]
    pub(crate) max_pairs: Option<u64>,

    /// Exit with status 1 if there is nothing to compare, which usually means a wrong path
    ///
    /// --fail-on, --fail-on-new and --max-pairs do so too.
    #[arg(hide_short_help = true, long, conflicts_with = "allow_empty")]
    pub(crate) fail_on_empty: bool,

    /// File of accepted pairs
    ///
    /// Make it with --update-baseline and commit it. An accepted pair stays accepted when its documents are
    /// renamed or edited, as long as they do not become more similar; a further copy of an accepted text is
    /// new. A run that can fail because of pairs uses .dupfind-baseline of the current folder if there is one: 'dupfind
    /// accept' writes it.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Write the pairs of this run to the baseline: accept them all
    ///
    /// Reasons of entries that are still there are kept. Entries whose pairs are gone
    /// are dropped.
    #[arg(long, requires = "baseline", conflicts_with = "fail_on_new")]
    pub(crate) update_baseline: bool,

    /// Take the pairs of a git revision as the baseline
    ///
    /// The documents are first read and compared as they were where the current branch left REF, with the same
    /// options. This needs no file, but two to four times as long, because the documents are also checked out.
    #[arg(hide_short_help = true, long, value_name = "REF", conflicts_with = "baseline")]
    pub(crate) baseline_from: Option<String>,
}
with {
    pub(crate) empty: EmptyArgs,
}
beside {
    /// The pairs that are accepted beside those of a revision.
    #[arg(skip)]
    pub(crate) accepted: Option<PathBuf>,
}
}

group! {
/// The file of accepted pairs.
pub(crate) struct BaselineArgs in DECISION {
    /// File of accepted pairs [default: .dupfind-baseline]
    ///
    /// 'dupfind accept' writes it. People have decided that both documents of such a pair stay.
    #[arg(hide_short_help = true, long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
}
}

impl BaselineArgs {
    /// Returns the file.
    pub(crate) fn file(&self) -> &Path {
        self.baseline
            .as_deref()
            .unwrap_or(Path::new(GateArgs::ACCEPTED))
    }
}

group! {
/// Whether a run may have nothing to compare.
pub(crate) struct EmptyArgs in GATE {
    /// Do not fail if there is nothing to compare
    ///
    /// For runs that may have no document, such as those of the files that a commit changes.
    #[arg(hide_short_help = true, long)]
    pub(crate) allow_empty: bool,
}
}

impl EmptyArgs {
    /// Returns whether a run fails because it has nothing to compare. `has_gate` is whether the run was asked to fail
    /// for anything. `own` is how many documents are checked, and `other` how many they are compared with, if these are
    /// others.
    pub(crate) fn fails(&self, has_gate: bool, own: usize, other: Option<usize>) -> bool {
        has_gate && !self.allow_empty && (own == 0 || other == Some(0))
    }
}

/// The relations of the pairs that make a run fail: those from the strongest to the named one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FailOn(pub(crate) Relations);

impl Choice for FailOn {
    fn choices() -> Vec<(Self, &'static str, &'static str)> {
        let from = |relation, help| {
            let name = match relation {
                Relation::Short => "any",
                relation => relation.as_str(),
            };
            (Self(Relations::up_to(relation)), name, help)
        };
        vec![
            (Self(Relations::NONE), "never", "No pair"),
            from(Relation::Exact, "Copies"),
            from(Relation::Near, "Copies and near-duplicates"),
            from(
                Relation::Contains,
                "These, and pages that are contained in others",
            ),
            from(
                Relation::Variant,
                "These, and pages that are the same for another subject",
            ),
            from(
                Relation::Related,
                "These, and documents that share something rare",
            ),
            from(
                Relation::Short,
                "Every pair, also pages of one template and short ones",
            ),
        ]
    }
}

impl GateArgs {
    /// The file of accepted pairs that needs no option.
    pub(crate) const ACCEPTED: &str = ".dupfind-baseline";

    /// Returns whether the current folder has a file of accepted pairs that a run may use without an option.
    pub(crate) fn finds_accepted(config: &ConfigArgs) -> bool {
        !config.no_config && Path::new(Self::ACCEPTED).is_file()
    }

    /// Uses the file of accepted pairs in the current folder, if there is one, the user names none, and pairs make the
    /// run fail.
    pub(crate) fn use_accepted(&mut self, config: &ConfigArgs) {
        let may_use = self.baseline.is_none() && self.fail_on() != Relations::NONE;
        if !may_use || !Self::finds_accepted(config) {
            return;
        }
        let path = PathBuf::from(Self::ACCEPTED);
        match self.baseline_from {
            Some(_) => self.accepted = Some(path),
            None => self.baseline = Some(path),
        }
    }

    /// Returns which pairs make the run fail.
    pub(crate) fn conditions(&self) -> Conditions {
        let fail_on = self.fail_on();
        Conditions {
            max_pairs: match fail_on {
                Relations::NONE => u64::MAX,
                _ => self.max_pairs.unwrap_or(0),
            },
            fail_on,
            only_new: self.baseline.is_some() || self.baseline_from.is_some(),
        }
    }

    /// Returns whether a run fails because it has nothing to compare, see [`EmptyArgs::fails`].
    pub(crate) fn fails_empty(&self, own: usize, other: Option<usize>) -> bool {
        self.empty.fails(self.may_fail(), own, other)
    }

    /// Returns whether the run was asked to fail for anything.
    pub(crate) fn may_fail(&self) -> bool {
        self.fail_on_empty || self.fail_on() != Relations::NONE
    }

    /// Returns the relations whose pairs make the run fail.
    fn fail_on(&self) -> Relations {
        let asks = self.fail_on_new || self.max_pairs.is_some();
        match self.fail_on {
            // A run that accepts all pairs does not fail because of them.
            _ if self.update_baseline => Relations::NONE,
            Some(FailOn(relations)) => relations,
            None if asks => Self::usual(),
            None => Relations::NONE,
        }
    }

    /// Returns the relations of the pairs that a baseline holds and that reports for CI systems list.
    pub(crate) fn watched(&self) -> Relations {
        let named = self.fail_on.map(|FailOn(named)| named);
        let named = named.filter(|&named| named != Relations::NONE);
        named.unwrap_or_else(Self::usual)
    }

    /// Returns the relations of the pairs that are watched, unless `--fail-on` names another.
    pub(crate) fn usual() -> Relations {
        Relations::up_to(Relation::Contains)
    }
}
