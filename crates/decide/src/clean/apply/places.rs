//! The files that may be changed: those below folders that the user named, unless a link leads out of them.

use std::path::{Component, Path, PathBuf};

use crate::clean::apply::actions::below;

/// The folders whose files may be changed.
#[derive(Debug, Clone)]
pub struct Places {
    /// The folder that paths are relative to. Its files may be changed.
    base: PathBuf,
    /// More folders, as the user named them.
    named: Vec<PathBuf>,
}

impl Places {
    /// Returns the folder `base`, to which paths are relative, and more folders.
    #[must_use]
    pub fn new(base: &Path, named: &[PathBuf]) -> Self {
        Self {
            base: base.to_owned(),
            named: named.to_owned(),
        }
    }

    /// Returns the folder that paths are relative to.
    #[must_use]
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// Returns the paths of all folders.
    #[must_use]
    pub fn folders(&self) -> Vec<PathBuf> {
        let named = self.named.iter().map(|folder| self.base.join(folder));
        named.chain([self.base.clone()]).collect()
    }

    /// Returns the folders beside [`Self::base`].
    #[must_use]
    pub fn named(&self) -> &[PathBuf] {
        &self.named
    }

    /// Checks that a file may be changed: it is below one of the folders, and no folder on the way from there is a
    /// symbolic link.
    ///
    /// # Errors
    ///
    /// The reason why it may not be changed, in words.
    pub fn check(&self, path: &Path) -> Result<(), String> {
        let base = Path::new("");
        let mut folders = self.named.iter().map(PathBuf::as_path).chain([base]);
        let found = folders.find_map(|folder| Some((folder, names_below(path, folder)?)));
        let Some((folder, names)) = found else {
            let path = path.display();
            return Err(format!(
                "{path} is not below a folder whose files may be changed"
            ));
        };
        self.without_links(folder, &names)
    }

    /// Checks that a file may be moved to a place, or back from there: no folder below the one that all files move to is a
    /// symbolic link.
    ///
    /// # Errors
    ///
    /// The reason why it may not be moved, in words.
    pub fn check_target(&self, path: &Path, to: &Path) -> Result<(), String> {
        let names = below(path);
        let mut folder = to;
        for name in names.iter().rev() {
            folder = match (folder.file_name() == Some(name), folder.parent()) {
                (true, Some(parent)) => parent,
                _ => {
                    let (path, to) = (path.display(), to.display());
                    return Err(format!("{path} does not move to {to}"));
                }
            };
        }
        self.without_links(folder, &names)
    }

    /// Checks that no folder on the way from a folder to a file below it is a symbolic link.
    fn without_links(&self, folder: &Path, names: &Path) -> Result<(), String> {
        let mut way = folder.to_owned();
        for name in names.parent().into_iter().flatten() {
            way.push(name);
            if self.base.join(&way).is_symlink() {
                return Err(format!(
                    "{} is a symbolic link: no file is changed through it",
                    way.display()
                ));
            }
        }
        Ok(())
    }
}

/// Returns the path of a file from a folder on; `None` if it is not below it, or leads out of it again.
fn names_below(path: &Path, folder: &Path) -> Option<PathBuf> {
    let plain = |path: &Path| path.strip_prefix(".").unwrap_or(path).to_owned();
    let path = plain(path);
    let names = path.strip_prefix(plain(folder)).ok()?;
    let is_name = |part| matches!(part, Component::Normal(_));
    names.components().all(is_name).then(|| names.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_outside_of_the_named_folders_may_not_be_changed() {
        let named = ["../site", "/srv/docs", "link"].map(PathBuf::from);
        let places = Places::new(Path::new("/none"), &named);
        for (path, may) in [
            ("a.md", true),
            ("docs/a.md", true),
            ("./docs/a.md", true),
            ("docs/../a.md", false),
            ("../a.md", false),
            ("../site/a.md", true),
            ("../site/../a.md", false),
            ("../site2/a.md", false),
            ("/srv/docs/x/a.md", true),
            ("/srv/a.md", false),
        ] {
            assert_eq!(places.check(Path::new(path)).is_ok(), may, "{path}");
        }
    }

    #[test]
    fn a_file_moves_to_its_own_path_only() {
        let places = Places::new(Path::new("/none"), &[]);
        for (path, to, may) in [
            ("docs/a.md", "../old/docs/a.md", true),
            ("../docs/a.md", "/old/docs/a.md", true),
            ("docs/a.md", "old/a.md", false),
            ("docs/a.md", "a.md", false),
        ] {
            let checked = places.check_target(Path::new(path), Path::new(to));
            assert_eq!(checked.is_ok(), may, "{path} {to}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn no_link_of_a_folder_is_followed_below_a_named_folder() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("docs/v2")).unwrap();
        std::os::unix::fs::symlink("v2", root.path().join("docs/current")).unwrap();
        let path = Path::new("docs/current/a.md");
        let check = |named: &[PathBuf]| Places::new(root.path(), named).check(path);
        assert!(check(&[]).unwrap_err().contains("is a symbolic link"));
        assert_eq!(check(&["docs/current".into()]), Ok(()));
        let places = Places::new(root.path(), &[]);
        let to = Path::new("docs/current/a.md");
        assert!(places.check_target(Path::new("a.md"), to).is_ok());
        assert!(places.check_target(Path::new("current/a.md"), to).is_err());
    }
}
