//! The process: its exit status, interrupts and signals, its memory and its folder.

pub(crate) mod interrupt;
pub(crate) mod itself;
pub(crate) mod memory;

use std::collections::HashSet;
use std::env;
use std::panic::{PanicHookInfo, set_hook, take_hook};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use dupfind_read::contained::is_contained;
use dupfind_read::source::name::plain;
use dupfind_read::{SkipReason, Skipped, display_name};
use dupfind_scan::Scan;

/// Returns the current folder.
pub(crate) fn current_folder() -> Result<PathBuf> {
    env::current_dir().context("cannot tell the current folder")
}

/// The variable with the target branch of a pull request on GitHub.
pub(crate) const CI_TARGET: &str = "GITHUB_BASE_REF";

/// The variable with the commit that a merge request on GitLab is based on.
pub(crate) const CI_BASE: &str = "CI_MERGE_REQUEST_DIFF_BASE_SHA";

/// Returns whether GitHub Actions runs the program.
pub(crate) fn is_github() -> bool {
    env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Returns whether a CI system runs the program.
pub(crate) fn runs_in_ci() -> bool {
    ["CI", "GITHUB_ACTIONS", CI_TARGET, CI_BASE]
        .iter()
        .any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// It ran: 0, whatever it found.
    Ok,
    /// It ran, and found something on which it must fail, as the options require: 1.
    Failed,
    /// Something went wrong, or something the user named could not be read: 2.
    Error,
    /// The user interrupted it, and it ended in order: 130, which is 128 + SIGINT, as shells expect.
    Interrupted,
}

impl Status {
    /// Returns the status of a scan: an error if a file could not be read, or not to its end.
    pub(crate) fn of_scan(outcome: &Scan) -> Self {
        let files = &outcome.sources.files;
        let read: HashSet<String> = outcome
            .sources
            .documents
            .iter()
            .filter(|it| it.is_record())
            .map(|source| display_name(&files[source.file as usize], Path::new("")))
            .collect();
        let ends_early = |skipped: &Skipped| {
            skipped.records == 0
                && skipped.reason == SkipReason::Malformed
                && read.contains(&skipped.path)
        };
        match outcome.skipped.iter().any(ends_early) {
            true => Self::Error,
            false => Self::of(&outcome.skipped),
        }
    }

    /// Returns the status of a run that skipped these entries.
    pub(crate) fn of(skipped: &[Skipped]) -> Self {
        if skipped.iter().any(|skipped| skipped.reason.is_error()) {
            Self::Error
        } else {
            Self::Ok
        }
    }
}

impl From<Status> for u8 {
    fn from(status: Status) -> Self {
        match status {
            Status::Ok => 0,
            Status::Failed => 1,
            Status::Error => 2,
            Status::Interrupted => 130,
        }
    }
}

/// Installs a hook that prints nothing for panics that are caught. Others are printed as before.
pub fn silence_contained() {
    set_hook(Box::new(unless_contained(take_hook())));
}

/// Returns a hook that calls another one, except for panics that are caught.
fn unless_contained(
    next: impl Fn(&PanicHookInfo<'_>) + Send + Sync,
) -> impl Fn(&PanicHookInfo<'_>) + Send + Sync {
    move |info| {
        if !is_contained() {
            next(info);
        }
    }
}

/// Returns a path of an absolute folder as an absolute path without `.` and `..`.
pub(crate) fn absolute(path: &Path, folder: &Path) -> PathBuf {
    plain(&folder.join(path))
}

/// Returns a path of folder `from` as it is written in folder `to`: absolute if they have only the root in common,
/// else relative. Only names are used: links are not followed.
pub(crate) fn rebased(path: &Path, from: &Path, to: &Path) -> PathBuf {
    if from == to && path.is_relative() {
        return path.to_owned();
    }
    let target = absolute(path, from);
    if path.is_absolute() && !target.starts_with(to) {
        return target;
    }
    relative(target, to)
}

/// Returns an absolute path as it is written in a folder, in the same way.
pub(crate) fn relative(target: PathBuf, to: &Path) -> PathBuf {
    let shared = target.components().zip(to.components());
    let shared = shared.take_while(|(a, b)| a == b).count();
    let root = target
        .components()
        .take_while(|part| !matches!(part, Component::Normal(_)));
    if shared <= root.count() && target.components().count() > shared {
        return target;
    }
    let up = to.components().skip(shared).map(|_| Component::ParentDir);
    let down = target.components().skip(shared);
    let relative: PathBuf = up.chain(down).collect();
    if relative.as_os_str().is_empty() {
        return ".".into();
    }
    relative
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use dupfind_read::contained::contained;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_contained_panic_is_silent_and_others_are_not() {
        let said = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&said);
        let previous = Arc::new(take_hook());
        let kept = Arc::clone(&previous);
        set_hook(Box::new(unless_contained(move |info| {
            match info.payload().downcast_ref() {
                Some(&"counted") => {
                    count.fetch_add(1, Ordering::SeqCst);
                }
                // A panic of a test that runs at the same time.
                _ => kept(info),
            }
        })));
        assert!(contained(|| panic!("counted")).is_none());
        assert_eq!(said.load(Ordering::SeqCst), 0);
        assert!(catch_unwind(|| panic!("counted")).is_err());
        assert_eq!(said.load(Ordering::SeqCst), 1);
        set_hook(Box::new(move |info| previous(info)));
    }

    #[test]
    fn paths_are_written_for_another_folder() {
        for (path, from, to, expected) in [
            ("docs", "/r", "/r", "docs"),
            ("docs", "/r", "/r/sub", "../docs"),
            ("docs", "/r", "/r/docs", "."),
            ("docs", "/r/a/b", "/r", "a/b/docs"),
            ("../x", "/r/a", "/r", "x"),
            ("../x", "/r/a", "/q", "/r/x"),
            ("/other/x", "/r", "/r", "/other/x"),
            ("/r/a/x", "/r", "/r/a", "x"),
            (".", "/r", "/r/a", ".."),
        ] {
            let (path, from, to) = (Path::new(path), Path::new(from), Path::new(to));
            let found = rebased(path, from, to);
            assert_eq!(found, Path::new(expected), "{path:?} {to:?}");
        }
    }

    proptest! {
        #[test]
        fn a_path_means_the_same_wherever_it_is_written(
            path in "(/?)([ab]|\\.\\.)(/([ab]|\\.\\.|\\.)){0,3}",
            from in "(/[ab]){1,4}",
            to in "(/[ab]){1,4}",
        ) {
            let (path, from, to) = (Path::new(&path), Path::new(&from), Path::new(&to));
            prop_assert_eq!(
                absolute(&rebased(path, from, to), to),
                absolute(path, from)
            );
        }
    }
}
