//! The CI system that the program runs in, from the environment.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dupfind_files::open_end;
use dupfind_read::root_around;
use dupfind_report::Findings;
use dupfind_report::formats::markdown::write_markdown;

use crate::process::{CI_BASE, CI_TARGET};
use crate::terminal::messages;

/// The last commit: later changes are not committed.
pub(crate) const LAST: &str = "HEAD";

/// The largest summary of a step of GitHub Actions, in bytes.
const SUMMARY_LIMIT: usize = 1 << 20;

/// The variables with the folder of the repository, for jobs without its `.git`.
const WORKSPACES: [&str; 2] = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"];

/// The values from the environment for the reports for CI systems.
#[derive(Debug)]
pub(crate) struct Ci {
    /// The folder that paths are relative to.
    root: PathBuf,
    /// The file of the job summary of GitHub Actions.
    summary: Option<PathBuf>,
}

impl Ci {
    /// Reads the environment. `folder` is the current folder.
    pub(crate) fn new(folder: &Path) -> Self {
        let path = |name: &str| {
            env::var_os(name)
                .filter(|path| !path.is_empty())
                .map(PathBuf::from)
        };
        let repository = root_around(folder);
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

    /// Returns the folder that paths in reports for CI are relative to.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the place of the rest, as annotations name it. `command` prints it where there is no summary.
    pub(crate) fn rest(&self, command: &'static str) -> &'static str {
        match &self.summary {
            Some(_) => "the job summary",
            None => command,
        }
    }

    /// Appends the findings to the job summary, if there is one: annotations cannot hold all of them.
    pub(crate) fn add_to_summary(&self, findings: &Findings<'_>) {
        if let Some(path) = &self.summary
            && let Err(error) = append_summary(findings, path)
        {
            messages::warning(&format!(
                "cannot write the job summary {}: {error}",
                path.display()
            ));
        }
    }
}

/// Returns the revisions that the checked change may be based on, the likeliest first: the target of a pull or merge
/// request, or else the last commit.
pub(crate) fn bases() -> impl Iterator<Item = String> {
    let variable = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let target = variable(CI_TARGET);
    let remote = target.as_ref().map(|branch| format!("origin/{branch}"));
    let commit = variable(CI_BASE);
    [commit, remote, target, Some(LAST.into())]
        .into_iter()
        .flatten()
}

/// Appends the Markdown report to the summary of a step. What others have written there stays. It counts against
/// the limit; GitHub shows nothing of a larger summary.
fn append_summary(findings: &Findings<'_>, path: &Path) -> io::Result<()> {
    let mut file = open_end(path)?;
    let used = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    let mut text = Vec::new();
    write_markdown(findings, SUMMARY_LIMIT.saturating_sub(used), &mut text)?;
    if used + text.len() > SUMMARY_LIMIT {
        return Err(io::Error::other("it is full"));
    }
    file.write_all(&text)
}
