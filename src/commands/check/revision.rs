//! A scan of the documents as they were in a git revision.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use dupfind_engine::{Document, Observer, PairSink};
use dupfind_files::{TemporaryFolder, folder, read_regular, write_new};
use dupfind_read as read;
use dupfind_read::source::git::BranchPoint;
use dupfind_read::source::name::plain;
use dupfind_read::source::walk::Globs;
use dupfind_read::{Changes, Repository, WalkOptions, display_name};
use dupfind_scan::{Scan, ScanOptions, Source, scan};

use crate::process::relative;

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
    let top = mirror.of(mirror.top);
    repository.export(point, &inside, &top, &working)?;
    let base = mirror.of(mirror.base);
    // It must exist, because a path with `..` goes through it.
    fs::create_dir_all(&base).with_context(|| format!("cannot make {}", base.display()))?;
    let moved = mirror.moved(&inside, changes);
    if !moved.is_empty() {
        let from = moved.iter().filter_map(|(before, _)| before.parent());
        let from: BTreeSet<&Path> = from.collect();
        let from: Vec<&Path> = from.into_iter().collect();
        let old = temporary.path().join("old");
        repository.export(point, &from, &old, &temporary.path().join("git-old"))?;
        mirror.bring(&moved, &old)?;
    }

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

    /// Returns the files of those folders that were not there before: a folder that is new as a whole was moved. The names
    /// before and now are relative to the root of the repository.
    fn moved<'c>(&self, inside: &[&Path], changes: &'c Changes) -> Vec<(&'c Path, &'c Path)> {
        let is_new = |folder: &&&Path| {
            self.top.join(folder).is_dir() && !self.of(self.top).join(folder).exists()
        };
        let folders: Vec<&&Path> = inside.iter().filter(is_new).collect();
        let relative = |(before, now): (&'c Path, &'c Path)| {
            let [before, now] = [before, now].map(|path| path.strip_prefix(self.top).ok());
            before.zip(now)
        };
        let renames = changes.renames().filter_map(relative);
        let is_moved = |now: &Path| folders.iter().any(|folder| now.starts_with(folder));
        renames.filter(|(_, now)| is_moved(now)).collect()
    }

    /// Brings moved files from a folder that has them under their old names to where they are now.
    fn bring(&self, moved: &[(&Path, &Path)], old: &Path) -> Result<()> {
        for (before, now) in moved {
            let (before, now) = (old.join(before), self.of(self.top).join(now));
            // A submodule was not written.
            if before.is_file() {
                let made = fs::create_dir_all(folder(&now));
                let brought = made.and_then(|()| write_new(&now, &read_regular(&before)?));
                brought.with_context(|| format!("cannot write {}", now.display()))?;
            }
        }
        Ok(())
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
