//! Paths and globs of one folder, as they are written in another one.
//!
//! Only names are used: links are not followed.

use std::path::{Component, Path, PathBuf};

use dupfind_read::source::name::plain;

/// Returns a path of an absolute folder as an absolute path without `.` and `..`.
pub(crate) fn absolute(path: &Path, folder: &Path) -> PathBuf {
    plain(&folder.join(path))
}

/// Returns a path of folder `from` as it is written in folder `to`: absolute if they have only the root in common,
/// else relative.
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
    use super::*;
    use proptest::prelude::*;

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
