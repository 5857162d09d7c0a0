//! Whether a path stays within a folder: the one rule for what a configuration, a plan or a list names.
//!
//! Such a file may come from somebody else. What it names is below the root that the user chose, which links may lead to.
//! On the way from there is no link of a folder, and no folder `.git`, whose hooks are programs.

use std::path::{Component, Path, PathBuf};

/// Why a path is not within a folder.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Outside {
    /// It is not below the folder, or leads out of it again.
    #[error("it is not below {}", .0.display())]
    NotBelow(PathBuf),
    /// A link is on the way.
    #[error("a link is on the way, and no link is followed")]
    Link,
    /// It is in a folder `.git`.
    #[error("it is in a folder .git")]
    Git,
}

/// Returns the names from the folder `root` on to a path, which is relative to `base`. Neither need exist.
///
/// The path itself may be a link to a place that is within the root too. Who writes or removes refuses that as well.
///
/// # Errors
///
/// [`Outside`].
pub fn inside(path: &Path, base: &Path, root: &Path) -> Result<PathBuf, Outside> {
    let not_below = || Outside::NotBelow(root.to_owned());
    let real_root = real(root).ok_or_else(not_below)?;
    let real_base = real(base).ok_or_else(not_below)?;
    let ways = [base, &real_base].map(|base| base.join(path));
    let below = |way: &PathBuf| {
        let plain_way = plain(way);
        let roots = [&plain(root), &real_root];
        let names = roots.map(|root| plain_way.strip_prefix(root).ok().map(Path::to_owned));
        Some((way.clone(), names.into_iter().flatten().next()?))
    };
    let (way, names) = ways.iter().find_map(below).ok_or_else(not_below)?;
    if is_in_git(&names) {
        return Err(Outside::Git);
    }
    let place = real(&way).ok_or(Outside::Link)?;
    if place == real_root.join(&names) {
        return Ok(names);
    }
    // Only the last name is a link.
    let folder = way.parent().and_then(real);
    let is_at = |folder: PathBuf| Some(folder.as_path()) == real_root.join(&names).parent();
    match place.strip_prefix(&real_root) {
        Ok(target) if folder.is_some_and(is_at) && !is_in_git(target) => Ok(names),
        _ => Err(Outside::Link),
    }
}

fn is_in_git(names: &Path) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(".git"))
}

/// Returns a path without links. The last names of it need not exist. `None` if a link leads nowhere.
fn real(path: &Path) -> Option<PathBuf> {
    let is_there = |path: &&Path| path.symlink_metadata().is_ok();
    let Some(existing) = path.ancestors().find(is_there) else {
        return Some(plain(path));
    };
    let rest = path.strip_prefix(existing).ok()?;
    Some(plain(&existing.canonicalize().ok()?.join(rest)))
}

/// Returns a path without `.`, and without `..` where a name is before it. It looks at names only and follows no
/// links.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match (part, plain.components().next_back()) {
            (Component::CurDir, _) | (Component::ParentDir, Some(Component::RootDir)) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                plain.pop();
            }
            (part, _) => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_made_plain_by_their_words() {
        for (path, expected) in [
            ("/a/./b/../c.md", "/a/c.md"),
            ("/../a", "/a"),
            ("a/../../b", "../b"),
            ("../../b", "../../b"),
            ("./a/..", ""),
        ] {
            assert_eq!(plain(Path::new(path)), Path::new(expected), "{path}");
        }
    }

    #[test]
    fn what_leads_out_of_a_folder_is_outside() {
        let root = Path::new("/none/site");
        for (path, expected) in [
            ("a.md", Some("a.md")),
            ("./docs/a.md", Some("docs/a.md")),
            ("docs/../a.md", Some("a.md")),
            ("/none/site/a.md", Some("a.md")),
            (".", Some("")),
            ("../a.md", None),
            ("../site2/a.md", None),
            ("/etc/passwd", None),
            (".git/hooks/pre-commit", None),
            ("sub/.GIT/config", None),
        ] {
            let names = inside(Path::new(path), root, root).ok();
            assert_eq!(names.as_deref(), expected.map(Path::new), "{path}");
        }
        let from = inside(Path::new("../b.md"), Path::new("/none/site/docs"), root);
        assert_eq!(from, Ok("b.md".into()));
    }

    #[cfg(unix)]
    #[test]
    fn the_root_may_be_a_link_and_no_folder_below_it() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
        std::fs::create_dir_all(at("site/docs/v2")).unwrap();
        std::fs::create_dir_all(at("site/.git")).unwrap();
        std::fs::create_dir_all(at("other/docs")).unwrap();
        std::fs::write(at("site/docs/v2/a.md"), "").unwrap();
        symlink("site", at("link")).unwrap();
        for (link, target) in [
            ("docs/current", "v2"),
            ("docs/out", "../../other"),
            ("docs/b.md", "v2/a.md"),
            ("docs/git", "../.git"),
            ("docs/nowhere", "none"),
        ] {
            symlink(target, at("site").join(link)).unwrap();
        }
        for root in ["site", "link"].map(at) {
            for (path, is_inside) in [
                ("docs/v2/a.md", true),
                ("docs/new/folder/a.md", true),
                ("docs/v2/../v2/a.md", true),
                ("docs/..", true),
                ("docs/current/a.md", false),
                ("docs/current/../new.md", true),
                ("docs/out/docs/a.md", false),
                ("docs/out/../site/docs/v2/a.md", false),
                ("docs/nowhere/a.md", false),
                // Links to files, for those who read.
                ("docs/b.md", true),
                ("docs/out", false),
                ("docs/git", false),
                ("docs/nowhere", false),
            ] {
                let found = inside(Path::new(path), &root, &root);
                assert_eq!(found.is_ok(), is_inside, "{path}: {found:?}");
            }
            // However the folder is written.
            for base in ["site", "link"].map(at) {
                assert!(inside(Path::new("docs/v2/a.md"), &base, &root).is_ok());
            }
        }
    }
}
