//! A scan of the documents as they were in a git revision.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::engine::observer::Observer;
use crate::engine::outcome::{Document, Outcome, Pair};
use crate::engine::sink::Best;
use crate::read;
use crate::read::source::git::Repository;
use crate::read::source::name::{display_name, plain};
use crate::read::source::walk::{Globs, WalkOptions};
use crate::scan::{ScanOptions, scan};
use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::cli::interrupt::{self, Listed};
use crate::cli::messages;

/// Takes the settings of a scan, a revision, whether to keep warnings back, and who hears of the progress.
/// Scans the documents as they were where the current branch left the revision, with the same settings, and
/// returns what was found and all pairs. Documents have the names that they have now, or would have; their
/// files are gone when this returns.
///
/// That point, and not the revision itself, is what the branch is to be held against: a pair that was repaired
/// on the other branch in the meantime is not made by this one.
///
/// Paths that were not there are left out. What is compared `--against` is read as it is now where it lies
/// outside of the repository.
pub(crate) fn scan_revision(
    settings: &ScanOptions,
    reference: &str,
    quiet: bool,
    observer: &dyn Observer,
) -> Result<(Outcome, Vec<Pair>)> {
    let walk = &settings.walk;
    let repository = Repository::of(&walk.paths, &walk.base)?;
    let point = repository.branch_point(reference)?;
    if let Some(warning) = point.warning.as_ref().filter(|_| !quiet) {
        messages::warning(warning);
    }
    let temporary = Temporary::new(settings)?;
    let mirror = Mirror {
        root: temporary.folder.path().join("tree"),
        base: &walk.base,
        top: repository.top(),
    };
    let all = walk.paths.iter().chain(&walk.against);
    let inside: Vec<PathBuf> = all.flat_map(|path| mirror.inside(path)).collect();
    let inside: Vec<&Path> = inside.iter().map(PathBuf::as_path).collect();
    let working = temporary.folder.path().join("git");
    repository.export(&point, &inside, &mirror.of(mirror.top), &working)?;
    let base = mirror.of(mirror.base);
    // `..` in a path leads through it.
    fs::create_dir_all(&base).with_context(|| format!("cannot make {}", base.display()))?;

    let exists = |path: &PathBuf| path.exists();
    let pre = settings.read.pre.as_ref();
    let pre = pre.map(|pre| pre.moved(base.clone(), |globs| mirror.globs(globs)));
    let settings = ScanOptions {
        read: read::ReadOptions {
            pre: pre.transpose()?,
            ..settings.read.clone()
        },
        walk: WalkOptions {
            paths: walk
                .paths
                .iter()
                .map(|path| mirror.path(path))
                .filter(exists)
                .collect(),
            against: walk
                .against
                .iter()
                .map(|path| mirror.path(path))
                .filter(exists)
                .collect(),
            outputs: walk.outputs.iter().map(|path| mirror.path(path)).collect(),
            globs: mirror.globs(&walk.globs),
            excluded: mirror.globs(&walk.excluded),
            base,
            ..walk.clone()
        },
        ..settings.clone()
    };
    let mut best = Best::all();
    let mut outcome = scan(&settings, observer, Some(&mut best))?;
    // Named by an absolute path outside of the user's folder.
    let root = display_name(&mirror.root, Path::new(""));
    for Document { name, .. } in &mut outcome.documents {
        if let Some(rest) = name.strip_prefix(&root) {
            *name = rest.to_owned();
        }
    }
    Ok((outcome, best.into_pairs()))
}

/// A temporary folder that no interrupt leaves behind.
struct Temporary {
    folder: TempDir,
    _listed: Listed,
}

impl Temporary {
    fn new(settings: &ScanOptions) -> Result<Self> {
        let folder = settings.engine.budget.temp_dir.clone();
        let folder = folder.unwrap_or_else(std::env::temp_dir);
        let make = || {
            tempfile::Builder::new()
                .prefix("dupfind-")
                .tempdir_in(&folder)
        };
        let made = interrupt::removes(make, TempDir::path)?;
        let made = made.map(|(folder, listed)| Self {
            folder,
            _listed: listed,
        });
        made.with_context(|| {
            format!(
                "cannot make a temporary folder in {}; --temp-dir names another",
                folder.display()
            )
        })
    }
}

/// A folder with the same paths below it as there are below the root of the file system: documents in it
/// are called as those they stand for, whatever the user typed.
struct Mirror<'m> {
    root: PathBuf,
    base: &'m Path,
    top: &'m Path,
}

impl Mirror<'_> {
    /// What stands for an absolute path.
    fn of(&self, path: &Path) -> PathBuf {
        let is_folder =
            |part: &Component<'_>| matches!(part, Component::Normal(_) | Component::ParentDir);
        let parts = path.components().filter(is_folder);
        parts.fold(self.root.clone(), |path, part| path.join(part))
    }

    /// The same globs, relative to what stands for their folder.
    fn globs(&self, globs: &Globs) -> Globs {
        Globs {
            base: self.of(&globs.base),
            patterns: globs.patterns.clone(),
        }
    }

    /// What stands for a path that the user typed: the path itself if it is outside of the repository.
    fn path(&self, typed: &Path) -> PathBuf {
        let full = self.base.join(typed);
        if self.inside(typed).is_empty() {
            full.strip_prefix(self.base)
                .map_or(full.clone(), Path::to_owned)
        } else if typed.is_relative() {
            self.of(self.base).join(typed)
        } else {
            self.of(typed)
        }
    }

    /// The path from the root of the repository, as typed and without links; nothing if it is outside.
    fn inside(&self, typed: &Path) -> Vec<PathBuf> {
        let full = self.base.join(typed);
        let places = [Some(plain(&full)), fs::canonicalize(&full).ok()];
        let inside = |place: PathBuf| Some(place.strip_prefix(self.top).ok()?.to_owned());
        places.into_iter().flatten().filter_map(inside).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    use crate::engine::observer::Silent;

    const TEXT: &str = "The old river park opened to the public thirty years ago. On spring mornings runners \
                        circle the lake while retired teachers practise tai chi under the willow trees.\n";

    /// A repository in a temporary folder, and what a scan of its first revision finds.
    struct Site(TempDir);

    impl Site {
        /// A repository with these files in its one commit.
        fn new(files: &[(&str, &str)]) -> Self {
            let site = Self(TempDir::new().unwrap());
            site.git(&["init", "--quiet"]);
            for (name, text) in files {
                site.write(name, text);
            }
            site.commit();
            site.git(&["tag", "first"]);
            site
        }

        fn root(&self) -> PathBuf {
            fs::canonicalize(self.0.path()).unwrap()
        }

        fn write(&self, name: &str, text: &str) {
            let path = self.root().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn git(&self, args: &[&str]) {
            let mut command = Command::new("git");
            command.args(["-c", "user.name=A", "-c", "user.email=a@example.org"]);
            command.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE");
            let output = command
                .args(args)
                .current_dir(self.root())
                .output()
                .unwrap();
            assert!(output.status.success(), "{output:?}");
        }

        fn commit(&self) {
            self.git(&["add", "--all"]);
            self.git(&["commit", "--quiet", "--allow-empty", "-m", "x"]);
        }

        /// The names of the documents of the first revision, seen from a folder, and how many pairs there are.
        /// Nothing may be left in the folder for temporary files.
        #[track_caller]
        fn first(
            &self,
            base: &Path,
            change: impl FnOnce(&mut ScanOptions),
            paths: &[&str],
        ) -> (Vec<String>, usize) {
            let temporary = TempDir::new().unwrap();
            let paths = paths.iter().map(PathBuf::from).collect();
            let mut settings = ScanOptions {
                walk: WalkOptions::new(paths, base.to_owned()),
                ..ScanOptions::for_paths([""; 0])
            };
            settings.engine.budget.temp_dir = Some(temporary.path().to_owned());
            change(&mut settings);
            let found = scan_revision(&settings, "first", true, &Silent);
            let (outcome, pairs) = found.unwrap();
            assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
            let names = outcome.documents.into_iter().map(|document| document.name);
            (names.collect(), pairs.len())
        }
    }

    #[test]
    fn documents_are_those_of_the_revision_with_the_names_of_now() {
        let site = Site::new(&[
            ("docs/a.md", TEXT),
            ("docs/城 市.md", TEXT),
            ("docs/sub/gone.md", TEXT),
            ("docs/x.draft", TEXT),
            ("other/b.md", TEXT),
            (".gitignore", "*.draft\n"),
            ("docs/.dupfindignore", "!kept.draft\n"),
        ]);
        site.git(&["add", "-f", "docs/x.draft"]);
        fs::remove_dir_all(site.root().join("docs/sub")).unwrap();
        site.write("docs/a.md", "changed");
        site.write("docs/new.md", TEXT);
        site.write(".gitignore", "*.md\n");
        site.commit();
        let root = site.root();
        let docs = ["a.md", "sub/gone.md", "城 市.md"];
        let named = |prefix: &str| docs.map(|name| format!("{prefix}{name}")).to_vec();
        let absolute = root.join("docs").to_str().unwrap().to_owned();
        for (base, path, prefix) in [
            (root.clone(), "docs", "docs/"),
            (root.clone(), "./docs/", "docs/"),
            (root.join("docs"), ".", ""),
            (root.join("other"), "../docs", "../docs/"),
            (root.clone(), &absolute, "docs/"),
            (root.join("other"), &absolute, &format!("{absolute}/")),
        ] {
            assert_eq!(
                site.first(&base, |_| {}, &[path]),
                (named(prefix), 3),
                "{path}"
            );
        }
        // What was not there is left out.
        let paths = ["docs/new.md", "docs/a.md", "docs/sub/gone.md"];
        let (names, pairs) = site.first(&root, |_| {}, &paths);
        assert_eq!(
            (names, pairs),
            (vec!["docs/a.md".into(), "docs/sub/gone.md".into()], 1)
        );
        let (names, _) = site.first(&root, |_| {}, &["docs/new.md"]);
        assert!(names.is_empty());
        // All settings of the walk hold.
        let (names, _) = site.first(
            &root,
            |settings| settings.walk.globs.patterns = vec!["/docs/*.md".into()],
            &["docs"],
        );
        assert_eq!(names.len(), 2);
        let against = |settings: &mut ScanOptions| {
            settings.walk.against = vec!["other".into()];
            settings.walk.outputs = vec!["docs/a.md".into()];
        };
        let (names, _) = site.first(&root, against, &["docs"]);
        assert_eq!(names, ["docs/sub/gone.md", "docs/城 市.md", "other/b.md"]);
    }

    #[test]
    fn it_is_where_the_branch_left_and_the_repository_stays_as_it_is() {
        let site = Site::new(&[("a.md", TEXT), ("b.md", TEXT)]);
        site.git(&["checkout", "--quiet", "-b", "topic"]);
        site.git(&["checkout", "--quiet", "-B", "moved"]);
        fs::remove_file(site.root().join("b.md")).unwrap();
        site.commit();
        site.git(&["tag", "--force", "first"]);
        site.git(&["checkout", "--quiet", "topic"]);
        site.write("staged.md", TEXT);
        site.git(&["add", "staged.md"]);
        let index = fs::read(site.root().join(".git/index")).unwrap();
        assert_eq!(site.first(&site.root(), |_| {}, &["."]).1, 1);
        assert_eq!(fs::read(site.root().join(".git/index")).unwrap(), index);
    }

    #[test]
    fn without_a_repository_there_is_no_revision() {
        let folder = TempDir::new().unwrap();
        let mut settings = ScanOptions::for_paths(["."]);
        settings.walk.base = folder.path().to_owned();
        let error = scan_revision(&settings, "HEAD", true, &Silent).unwrap_err();
        assert!(error.to_string().contains("no working tree"), "{error}");
    }
}
