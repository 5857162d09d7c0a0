//! A scan of the documents as they were in a git revision.

use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use dupfind_engine::features::document::Document;
use dupfind_engine::pairing::sink::PairSink;
use dupfind_engine::run::observer::Observer;
use dupfind_files::temporary::TemporaryFolder;
use dupfind_read as read;
use dupfind_read::source::git::{BranchPoint, Changes, Repository};
use dupfind_read::source::name::{display_name, plain};
use dupfind_read::source::walk::Globs;
use dupfind_read::source::walk::WalkOptions;
use dupfind_scan::Scan;
use dupfind_scan::sources::Source;
use dupfind_scan::{ScanOptions, scan};

use crate::process::paths::relative;

/// Scans the documents as they were where the current branch left a revision, with the same options. The sink gets the
/// pairs.
///
/// The branch is compared with that point, and not with the revision itself: a pair that was removed on the other
/// branch since then is not a new pair of this branch.
///
/// Documents have their current names. The files exist only during the call. Paths that did not exist at that point
/// are left out. A path of `--against` outside of the repository is read as it is now.
///
/// # Errors
///
/// Git fails, or the scan fails.
pub(super) fn scan_revision(
    options: &ScanOptions,
    (repository, point): (&Repository, &BranchPoint),
    changes: &Changes,
    observer: &dyn Observer,
    sink: &mut dyn PairSink,
) -> Result<Scan> {
    let walk = &options.walk;
    let temporary = temporary(options)?;
    let mirror = Mirror {
        root: temporary.path().join("tree"),
        base: &walk.base,
        top: repository.top(),
    };
    let all = walk.paths.iter().chain(&walk.against);
    let inside: Vec<PathBuf> = all.flat_map(|path| mirror.inside(path)).collect();
    let inside: Vec<&Path> = inside.iter().map(PathBuf::as_path).collect();
    let working = temporary.path().join("git");
    repository.export(point, &inside, &mirror.of(mirror.top), &working)?;
    let base = mirror.of(mirror.base);
    // It must exist, because a path with `..` goes through it.
    fs::create_dir_all(&base).with_context(|| format!("cannot make {}", base.display()))?;

    let exists = |path: &PathBuf| path.exists();
    let pre = options.read.pre.as_ref();
    let pre = pre.map(|pre| pre.moved(base.clone(), |globs| mirror.globs(globs)));
    let options = ScanOptions {
        // It knows the documents as they are now.
        index: None,
        read: read::ReadOptions {
            pre: pre.transpose()?,
            ..options.read.clone()
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
            within: walk.within.as_ref().map(|folder| mirror.path(folder)),
            globs: mirror.globs(&walk.globs),
            excluded: mirror.globs(&walk.excluded),
            base,
            ..walk.clone()
        },
        ..options.clone()
    };
    let mut outcome = scan(&options, observer, Some(sink))?;
    mirror.rename(&mut outcome, changes);
    Ok(outcome)
}

/// Returns a temporary folder, which no other user can read.
fn temporary(options: &ScanOptions) -> Result<TemporaryFolder> {
    let folder = options.engine.budget.temp_dir.clone();
    let folder = folder.unwrap_or_else(std::env::temp_dir);
    TemporaryFolder::new(&folder).with_context(|| {
        format!(
            "cannot make a temporary folder in {}; TMPDIR names another",
            folder.display()
        )
    })
}

/// A folder that holds copies at the paths that the originals have below the root of the file system. So documents
/// get the names of their originals, whatever the user typed.
struct Mirror<'m> {
    root: PathBuf,
    base: &'m Path,
    top: &'m Path,
}

impl Mirror<'_> {
    /// Returns the copy of an absolute path.
    fn of(&self, path: &Path) -> PathBuf {
        let is_folder =
            |part: &Component<'_>| matches!(part, Component::Normal(_) | Component::ParentDir);
        let parts = path.components().filter(is_folder);
        parts.fold(self.root.clone(), |path, part| path.join(part))
    }

    /// Gives the documents the names that they have now. The names of those outside of the user's folder begin with the
    /// temporary folder.
    fn rename(&self, outcome: &mut Scan, changes: &Changes) {
        let root = display_name(&self.root, Path::new(""));
        let now = |source: &Source, name: &str| {
            let file = &outcome.sources.files[source.file as usize];
            let file = self.of(self.base).join(file);
            let before = Path::new("/").join(file.strip_prefix(&self.root).ok()?);
            let now = (!source.is_record()).then(|| changes.renamed(&before))??;
            let now = match name.starts_with('/') {
                true => now.to_owned(),
                false => relative(now.to_owned(), self.base),
            };
            Some(display_name(&now, Path::new("")))
        };
        let sources = outcome.sources.documents.iter();
        for (Document { name, .. }, source) in outcome.documents.iter_mut().zip(sources) {
            if let Some(rest) = name.strip_prefix(&root) {
                *name = rest.to_owned();
            }
            if let Some(now) = now(source, name) {
                *name = now;
            }
        }
    }

    /// Returns the same globs, relative to the copy of their folder.
    fn globs(&self, globs: &Globs) -> Globs {
        Globs {
            base: self.of(&globs.base),
            patterns: globs.patterns.clone(),
        }
    }

    /// Returns the copy of a path that the user typed; the path itself if it is outside of the repository.
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

    /// Returns the path from the root of the repository, once as typed and once without links; nothing if it is
    /// outside.
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
    use tempfile::TempDir;

    use crate::decision::scope::repository;
    use dupfind_engine::pairing::sink::TopPairs;
    use dupfind_engine::run::observer::Silent;

    const TEXT: &str = "The old river park opened to the public thirty years ago. On spring mornings runners \
                        circle the lake while retired teachers practise tai chi under the willow trees.\n";

    /// A repository in a temporary folder.
    struct Site(TempDir);

    impl Site {
        /// Returns a repository with these files in its one commit.
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

        /// Returns the names of the documents of the first revision, as seen from a folder, and the number of pairs.
        /// Checks that the folder for temporary files is empty afterwards.
        #[track_caller]
        fn first(
            &self,
            base: &Path,
            change: impl FnOnce(&mut ScanOptions),
            paths: &[&str],
        ) -> (Vec<String>, usize) {
            let temporary = TempDir::new().unwrap();
            let paths = paths.iter().map(PathBuf::from).collect();
            let mut options = ScanOptions {
                walk: WalkOptions::new(paths, base.to_owned()),
                ..ScanOptions::for_paths([""; 0])
            };
            options.engine.budget.temp_dir = Some(temporary.path().to_owned());
            change(&mut options);
            let repository = repository(&options.walk).unwrap();
            let point = repository.branch_point("first").unwrap();
            let changes = repository.changes(&point).unwrap();
            let mut pairs = TopPairs::all();
            let git = (&repository, &point);
            let found = scan_revision(&options, git, &changes, &Silent, &mut pairs);
            let outcome = found.unwrap();
            assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
            let names = outcome.documents.into_iter().map(|document| document.name);
            (names.collect(), pairs.into_pairs().len())
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
            let expected = (named(prefix), 3);
            assert_eq!(site.first(&base, |_| {}, &[path]), expected, "{path}");
        }
        // Paths that were not there are left out.
        let paths = ["docs/new.md", "docs/a.md", "docs/sub/gone.md"];
        let (names, pairs) = site.first(&root, |_| {}, &paths);
        assert_eq!(names, ["docs/a.md", "docs/sub/gone.md"]);
        assert_eq!(pairs, 1);
        let (names, _) = site.first(&root, |_| {}, &["docs/new.md"]);
        assert!(names.is_empty());
        // The options of the walk apply.
        let (names, _) = site.first(
            &root,
            |options| options.walk.globs.patterns = vec!["/docs/*.md".into()],
            &["docs"],
        );
        assert_eq!(names.len(), 2);
        let against = |options: &mut ScanOptions| {
            options.walk.against = vec!["other".into()];
            options.walk.outputs = vec!["docs/a.md".into()];
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
}
