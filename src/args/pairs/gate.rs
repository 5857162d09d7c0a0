//! The arguments about what makes a check fail, and which pairs are accepted.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::builder::PossibleValue;
use dupfind_engine::verdict::{Relation, Relations};
use dupfind_files::replace::folder;
use dupfind_read::source::git::root_around;

use crate::args::config::ConfigArgs;
use crate::args::group::group;
use crate::args::values::choice::{Choice, named};
use crate::process::current_folder;
use crate::process::paths::relative;

group! {
    /// What makes a check fail.
    pub(crate) struct GateArgs in GATE {
        /// Allow up to N pairs that fail [default: 0]
        #[arg(hide_short_help = true, long, value_name = "N")]
        pub(crate) max_pairs: Option<u64>,

        /// Fail only because of what was changed since the current branch left a git revision
        ///
        /// A pair fails if one of its documents was changed since then, and the pair was not there before, or was weaker than
        /// --fail-on. A file is changed if it differs from the commit where the branch left REV, or if it is untracked. A file
        /// that was only renamed is not changed. In files of records, lines are compared.
        #[arg(long, value_name = "REV", value_parser = clap::value_parser!(String))]
        pub(crate) since: Option<String>,
    }
    with {
        pub(crate) fail_on: FailOnArgs,
        pub(crate) baseline: BaselineArgs,
        pub(crate) empty: EmptyArgs,
    }
}

group! {
    /// Which pairs fail.
    pub(crate) struct FailOnArgs in GATE {
        /// The weakest relation of pairs that fail [default: contains]
        #[arg(long, value_name = "RELATION")]
        fail_on: Option<FailOn>,
    }
}

impl FailOnArgs {
    /// Returns the relations of the pairs that fail.
    pub(crate) fn relations(&self) -> Relations {
        self.fail_on
            .map_or(Relations::DUPLICATES, |FailOn(relations)| relations)
    }
}

group! {
    /// The file of accepted pairs.
    pub(crate) struct BaselineArgs in GATE {
        /// File of accepted pairs [default: the nearest .dupfind-baseline]
        ///
        /// It is in the current folder, beside the dupfind.toml in force, or at the root of the repository. 'dupfind accept'
        /// writes it. An accepted pair stays accepted when its documents are renamed or edited, as long as they do not become
        /// copies; a further copy of an accepted text is new. Both documents of an accepted pair stay.
        #[arg(hide_short_help = true, long, value_name = "FILE")]
        pub(crate) baseline: Option<PathBuf>,
    }
}

impl BaselineArgs {
    /// The name of the file that needs no option.
    const NAME: &str = ".dupfind-baseline";

    /// Returns the file of a folder that has its own.
    pub(crate) fn file(&self) -> &Path {
        self.baseline.as_deref().unwrap_or(Path::new(Self::NAME))
    }

    /// Returns the file that is read: the one that the user names, or the nearest one, if there is one.
    ///
    /// # Errors
    ///
    /// The current folder is not known.
    pub(crate) fn read(&self, config: &ConfigArgs) -> Result<Option<PathBuf>> {
        if self.baseline.is_some() || config.no_config {
            return Ok(self.baseline.clone());
        }
        let mut places = places(config)?.into_iter();
        Ok(places.find(|place| place.is_file()))
    }

    /// Returns the file that is written: the one that is read, or a new one beside the `dupfind.toml` in force, at the root of
    /// the repository, or in the current folder.
    ///
    /// # Errors
    ///
    /// The current folder is not known.
    pub(crate) fn written(&self, config: &ConfigArgs) -> Result<PathBuf> {
        if let Some(found) = self.read(config)? {
            return Ok(found);
        }
        let mut places = places(config)?;
        // Behind the current folder.
        let new = usize::from(places.len() > 1);
        Ok(places.swap_remove(new))
    }
}

/// Returns where the file of accepted pairs may be: in the current folder, beside the `dupfind.toml` in force, at the root of
/// the repository. The paths are as a user would type them.
fn places(config: &ConfigArgs) -> Result<Vec<PathBuf>> {
    let here = current_folder()?;
    let beside = config.file().map(folder);
    let root = root_around(&here);
    let folders = [Some(&*here), beside, root].into_iter().flatten();
    let place = |folder: &Path| relative(folder.join(BaselineArgs::NAME), &here);
    Ok(folders.map(place).collect())
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
    /// Returns whether a run fails because it has nothing to compare. `own` is how many documents are checked, and `other` how
    /// many they are compared with, if these are others.
    pub(crate) fn fails(&self, own: usize, other: Option<usize>) -> bool {
        !self.allow_empty && (own == 0 || other == Some(0))
    }
}

/// The relations of the pairs that make a run fail: those from the strongest to the named one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FailOn(pub(crate) Relations);

impl Choice for FailOn {
    fn choices() -> Vec<(Self, PossibleValue)> {
        let from = |relation, help| {
            let name = match relation {
                Relation::Short => "any",
                relation => relation.as_str(),
            };
            named(Self(Relations::up_to(relation)), name, help)
        };
        vec![
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
