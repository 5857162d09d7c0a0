//! What the environment says about the CI system that the program runs in.

use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::report::findings::{Findings, Listing};
use crate::report::markdown::write_markdown;
use crate::report::model::Report;
use anyhow::Result;

use crate::cli::args::ScanArgs;
use crate::cli::{gate, messages};

/// How long the summary of a step of GitHub Actions may be, in bytes.
const SUMMARY_LIMIT: usize = 1 << 20;

/// Where the checked-out repository is, for jobs without its `.git`.
const WORKSPACES: [&str; 2] = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"];

/// The target of a pull request on GitHub.
const TARGET: &str = "GITHUB_BASE_REF";

/// The commit that a merge request on GitLab is based on.
const BASE: &str = "CI_MERGE_REQUEST_DIFF_BASE_SHA";

/// What CI systems set in the environment of a job.
const JOB: [&str; 4] = ["CI", "GITHUB_ACTIONS", TARGET, BASE];

/// What reports for CI need to know of their surroundings.
#[derive(Debug)]
pub(crate) struct Ci {
    /// The folder that paths are relative to.
    root: PathBuf,
    /// The file of the job summary of GitHub Actions.
    summary: Option<PathBuf>,
}

impl Ci {
    /// Takes the folder the user is in and looks around.
    pub(crate) fn new(folder: &Path) -> Self {
        let path = |name: &str| {
            env::var_os(name)
                .filter(|path| !path.is_empty())
                .map(PathBuf::from)
        };
        let repository = folder.ancestors().find(|above| above.join(".git").exists());
        let workspace = || {
            let named = WORKSPACES.iter().filter_map(|name| path(name));
            let mut known = named.filter_map(|path| fs::canonicalize(path).ok());
            known.find(|path| folder.starts_with(path))
        };
        let root = repository.map(Path::to_owned).or_else(workspace);
        Self {
            root: root.unwrap_or_else(|| folder.to_owned()),
            summary: path("GITHUB_STEP_SUMMARY"),
        }
    }

    /// Takes a report and finds the documents at fault.
    pub(crate) fn findings<'r>(
        &'r self,
        args: &ScanArgs,
        report: Report<'r>,
    ) -> Result<Findings<'r>> {
        let listing = Listing {
            watched: args.gate.watched(),
            tripped: gate::tripped(args.gate.conditions(), report.outcome, report.gate),
            root: &self.root,
            rest: match &self.summary {
                Some(_) => "the job summary",
                None => "dupfind scan --format markdown",
            },
        };
        Ok(Findings::new(report, listing)?)
    }

    /// Appends what annotations cannot hold to the job summary, if there is one.
    pub(crate) fn add_to_summary(&self, findings: &Findings<'_>) {
        if let Some(path) = &self.summary
            && let Err(error) = append_summary(findings, path)
        {
            messages::no_summary(path, &error);
        }
    }
}

/// Whether a CI system runs the program.
pub(crate) fn runs() -> bool {
    JOB.iter()
        .any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// What the change that is being checked is probably based on, the likeliest first: the target of a pull or merge
/// request, or else what was committed last.
pub(crate) fn bases() -> impl Iterator<Item = String> {
    let variable = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let target = variable(TARGET);
    let remote = target.as_ref().map(|branch| format!("origin/{branch}"));
    let commit = variable(BASE);
    [commit, remote, target, Some("HEAD".into())]
        .into_iter()
        .flatten()
}

/// Appends the markdown report to the summary of a step. What others have written there stays, and counts against
/// the limit, beyond which GitHub would show nothing at all.
fn append_summary(findings: &Findings<'_>, path: &Path) -> io::Result<()> {
    let mut file = File::options().append(true).create(true).open(path)?;
    let used = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    let mut text = Vec::new();
    write_markdown(findings, SUMMARY_LIMIT.saturating_sub(used), &mut text)?;
    if used + text.len() > SUMMARY_LIMIT {
        return Err(io::Error::other("it is full"));
    }
    file.write_all(&text)
}
