//! The options about which pairs count, which are accepted, and which make a check fail.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use clap::builder::PossibleValue;
use dupfind_engine::{Relation, Relations};
use dupfind_files::folder;
use dupfind_read::root_around;

use crate::args::values::{self, choice, named};
use crate::args::{ConfigArgs, GATE, SCOPE};
use crate::config::find;
use crate::process::{absolute, current_folder, relative};

/// Which pairs count.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = SCOPE)]
pub(crate) struct ScopeArgs {
    /// Compare only with the documents of PATH (repeatable)
    ///
    /// One collection against another: 'dupfind drafts --against published'. Neither side is compared with itself. A
    /// document that both sides have belongs to the first one.
    #[arg(long, value_name = "PATH")]
    pub(crate) against: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) within: WithinArgs,
}

/// Which documents are compared with each other.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = SCOPE)]
pub(crate) struct WithinArgs {
    /// Compare only documents with the same {*} in the pattern, such as 'docs/{*}/'
    ///
    /// For versions and languages: --within 'docs/{*}/' compares docs/v1 with itself and docs/v2 with itself, --within
    /// '**/*.{*}.md' each language. {*} is a part of a path between slashes, or a part of it; * and ** may be beside it.
    /// Documents that do not match are compared with each other only.
    #[arg(long, value_name = "PATTERN", value_parser = values::pattern)]
    pub(crate) within: Option<String>,
}

/// Whether the languages and versions of a site are compared with each other.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = SCOPE)]
pub(crate) struct AcrossArgs {
    /// Compare the languages and versions of a site with each other, too
    ///
    /// By default each is compared with itself: in the list, in a check and in a plan. JSON has the pairs between them, marked
    /// with "apart". They are known by the configuration of the site's generator, or by folders such as en and zh-CN, v1 and v2,
    /// that have the same pages. With --against and --within all are compared.
    #[arg(long, conflicts_with = "within")]
    across: bool,
}

impl AcrossArgs {
    /// Whether languages and versions are told apart.
    pub(crate) fn has_editions(&self, within: &WithinArgs) -> bool {
        !self.across && within.within.is_none()
    }
}

/// What makes a check fail.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = GATE)]
pub(crate) struct GateArgs {
    /// Allow up to N pairs that fail [default: 0]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = values::count::<u64>)]
    pub(crate) max_pairs: Option<u64>,

    #[command(flatten)]
    pub(crate) fail_on: FailOnArgs,
    #[command(flatten)]
    pub(crate) baseline: BaselineArgs,
    #[command(flatten)]
    pub(crate) empty: EmptyArgs,
}

/// Which pairs fail.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = GATE)]
pub(crate) struct FailOnArgs {
    /// The weakest relation of pairs that fail [default: contains]
    #[arg(long, value_name = "RELATION", value_parser = choice(up_to()))]
    fail_on: Option<Relations>,
}

impl FailOnArgs {
    /// Returns the relations of the pairs that fail: those from the strongest to the named one.
    pub(crate) fn relations(&self) -> Relations {
        self.fail_on.unwrap_or(Relations::DUPLICATES)
    }
}

fn up_to() -> [(Relations, PossibleValue); 7] {
    [
        (Relation::Exact, "exact", "Copies"),
        (Relation::Near, "near", "Copies and near-duplicates"),
        (
            Relation::Contains,
            "contains",
            "These, and pages that are contained in others",
        ),
        (
            Relation::Variant,
            "variant",
            "These, and pages that are the same for another subject",
        ),
        (
            Relation::Related,
            "related",
            "These, and documents that share something rare",
        ),
        (
            Relation::Template,
            "any",
            "Every pair that can be judged, also pages of one template",
        ),
        (
            Relation::Short,
            "short",
            "These, and documents that are too short to judge",
        ),
    ]
    .map(|(weakest, name, help)| named(Relations::up_to(weakest), name, help))
}

/// The file of accepted pairs.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = GATE)]
pub(crate) struct BaselineArgs {
    /// File of accepted pairs [default: the nearest .dupfind-baseline]
    ///
    /// It is looked for from the first PATH upwards, to the root of the repository, then in the current folder. 'dupfind accept'
    /// writes it. An accepted pair stays accepted when its documents are renamed or edited, as long as they do not become
    /// copies; a further copy of an accepted text is new. Both documents of an accepted pair stay.
    #[arg(hide_short_help = true, long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
}

impl BaselineArgs {
    /// The name of the file that needs no option.
    pub(crate) const NAME: &str = ".dupfind-baseline";

    /// Returns the file that is read: the one that the user names, or the nearest one, if there is one. `start` is the first
    /// path.
    ///
    /// # Errors
    ///
    /// The current folder is not known.
    pub(crate) fn read(
        &self,
        config: &ConfigArgs,
        start: Option<&PathBuf>,
    ) -> Result<Option<PathBuf>> {
        let here = current_folder()?;
        let mut places = self.places(config, start, &here).into_iter();
        Ok(match &self.baseline {
            Some(named) => Some(named.clone()),
            None => places
                .find(|place| place.is_file())
                .map(|place| relative(place, &here)),
        })
    }

    /// Returns the file that is written: the one that is read, or a new one beside the `dupfind.toml` in force, at the root of
    /// the repository, or in the current folder.
    ///
    /// # Errors
    ///
    /// The current folder is not known.
    pub(crate) fn written(&self, config: &ConfigArgs, start: Option<&PathBuf>) -> Result<PathBuf> {
        if let Some(found) = self.read(config, start)? {
            return Ok(found);
        }
        let here = current_folder()?;
        let start = start.map_or_else(|| here.clone(), |path| absolute(path, &here));
        let beside = config.file().map(folder);
        let new = beside.or_else(|| root_around(&start)).unwrap_or(&here);
        Ok(relative(new.join(Self::NAME), &here))
    }

    /// Returns where the file may be, as absolute paths, the nearest one first: in the folder of the first path or above, as
    /// far as a `dupfind.toml` is looked for; beside the one in force; at the root of the repository; in the folder `here`,
    /// which paths are relative to. A file that was named is the only one.
    pub(crate) fn places(
        &self,
        config: &ConfigArgs,
        start: Option<&PathBuf>,
        here: &Path,
    ) -> Vec<PathBuf> {
        if let Some(named) = &self.baseline {
            return vec![here.join(named)];
        }
        if config.no_config {
            return Vec::new();
        }
        let path = start.map_or_else(|| here.to_owned(), |path| absolute(path, here));
        let above = find::searched(start.map(PathBuf::as_path), here);
        let others = [config.file().map(folder), root_around(&path), Some(here)];
        let others = others.into_iter().flatten().map(Path::to_owned);
        let folders = above.into_iter().chain(others);
        folders.map(|folder| folder.join(Self::NAME)).collect()
    }
}

/// Whether a run may have nothing to compare.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = GATE)]
pub(crate) struct EmptyArgs {
    /// Do not fail if there is nothing to compare
    ///
    /// For runs that may have no document, such as those of the files that a commit changes.
    #[arg(hide_short_help = true, long)]
    pub(crate) allow_empty: bool,
}

impl EmptyArgs {
    /// Returns whether a run fails because it has nothing to compare. `own` is how many documents are checked, and `other` how
    /// many they are compared with, if these are others.
    pub(crate) fn fails(&self, own: usize, other: Option<usize>) -> bool {
        !self.allow_empty && (own == 0 || other == Some(0))
    }
}
