//! Whether a CI system runs the program, by its environment.

use std::env;

/// The variable with the target branch of a pull request on GitHub.
pub(crate) const TARGET: &str = "GITHUB_BASE_REF";

/// The variable with the commit that a merge request on GitLab is based on.
pub(crate) const BASE: &str = "CI_MERGE_REQUEST_DIFF_BASE_SHA";

/// The variables that CI systems set for a job.
const JOB: [&str; 4] = ["CI", "GITHUB_ACTIONS", TARGET, BASE];

/// Returns whether GitHub Actions runs the program.
pub(crate) fn is_github() -> bool {
    env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Returns whether a CI system runs the program.
pub(crate) fn runs() -> bool {
    JOB.iter()
        .any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
}
