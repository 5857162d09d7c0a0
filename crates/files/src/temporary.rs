//! Temporary files and folders. An interrupt removes them. Those of a run that was ended with `kill -9` are removed by
//! the next run that makes a temporary file in the same folder.
//!
//! A temporary file is recognised by its name, `.` and 12 letters or digits and `.dupfind.tmp`, and by its owner. Its
//! run holds a lock on it, which the system releases however the run ends. So a file without a lock belongs to no run.
//! Windows removes the files of ended programs by other means, and has no such locks.

use std::fs::{self, File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::{Builder, TempPath};

use crate::UNFINISHED;
use crate::lock::hold_existing;
use crate::removal::Removal;

/// How many letters and digits a name has.
const LETTERS: usize = 12;

/// How often a file is made again that another run removed as left over, before its lock was there.
const ATTEMPTS: usize = 100;

/// A temporary file, open for writing. It is removed when this is dropped.
#[derive(Debug)]
pub struct TemporaryFile {
    /// The file, open for writing.
    pub file: File,
    /// Its path. The file is removed when this is dropped.
    pub path: TempPath,
    pub(super) claim: Claim,
}

impl TemporaryFile {
    /// Makes a file in a folder. `suffix` is the end of its name. Without `permissions` only its owner can read it.
    ///
    /// # Errors
    ///
    /// The words of the system.
    pub fn new(folder: &Path, suffix: &str, permissions: Option<&Permissions>) -> io::Result<Self> {
        let make = |builder: &mut Builder<'_, '_>| {
            if let Some(permissions) = permissions {
                builder.permissions(permissions.clone());
            }
            Ok(builder.tempfile_in(folder)?.into_parts())
        };
        let made = make_in(folder, suffix, make, |(_, path): &(File, TempPath)| path);
        let ((file, path), claim) = made?;
        Ok(Self { file, path, claim })
    }
}

/// A temporary folder that only its owner can read. It is removed with its content when this is dropped.
#[derive(Debug)]
pub struct TemporaryFolder {
    folder: tempfile::TempDir,
    _claim: Claim,
}

impl TemporaryFolder {
    /// Makes a folder in another one.
    ///
    /// # Errors
    ///
    /// The words of the system.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let make = |builder: &mut Builder<'_, '_>| {
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
            builder.tempdir_in(folder)
        };
        let (folder, claim) = make_in(folder, "", make, tempfile::TempDir::path)?;
        Ok(Self {
            folder,
            _claim: claim,
        })
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// A temporary file or folder belongs to this run as long as this value exists.
#[derive(Debug)]
pub(super) struct Claim {
    _removal: Removal,
    /// None where the system has no locks.
    _held: Option<File>,
}

/// Makes a temporary file or folder in a folder. `make` makes it with the builder, `suffix` is the end of its name, and
/// `path` returns its path.
///
/// Returns what `make` returned, with the [`Claim`], which must be dropped after it.
///
/// # Errors
///
/// The error of `make`.
fn make_in<T>(
    folder: &Path,
    suffix: &str,
    make: impl Fn(&mut Builder<'_, '_>) -> io::Result<T>,
    path: fn(&T) -> &Path,
) -> io::Result<(T, Claim)> {
    let suffix = format!("{UNFINISHED}{suffix}");
    let mut attempts = 1..=ATTEMPTS;
    loop {
        let made = Removal::of_new(
            || {
                make(
                    Builder::new()
                        .prefix(".")
                        .suffix(&suffix)
                        .rand_bytes(LETTERS),
                )
            },
            path,
        );
        let (made, removal) = made?;
        let held = match hold_existing(path(&made)) {
            Ok(Some(held)) => Some(held),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => None,
            // Another run removed it as left over.
            _ if attempts.next().is_some() => continue,
            _ => None,
        };
        collect(folder, path(&made));
        let claim = Claim {
            _removal: removal,
            _held: held,
        };
        return Ok((made, claim));
    }
}

/// Removes the files that ended runs of the owner of the file `own` left in a folder. Does it once for each folder.
pub fn collect(folder: &Path, own: &Path) {
    static DONE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    let mut done = DONE.lock().expect("never poisoned");
    if done.iter().any(|done| done == folder) {
        return;
    }
    done.push(folder.to_owned());
    drop(done);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_left = entry.file_name().to_str().is_some_and(is_temporary)
            && path != own
            && has_same_owner(&path, own);
        // The lock is held until the file is gone.
        if is_left && let Ok(Some(_held)) = hold_existing(&path) {
            let _ = match path.is_dir() {
                true => fs::remove_dir_all(&path),
                false => fs::remove_file(&path),
            };
        }
    }
}

/// Returns whether a file has the name of a temporary file.
fn is_temporary(name: &str) -> bool {
    let random = name.strip_prefix('.').and_then(|name| name.get(..LETTERS));
    random.is_some_and(|random| {
        random.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && name[1 + LETTERS..].starts_with(UNFINISHED)
    })
}

/// Returns whether both are files or folders, not links, of one owner.
#[cfg(unix)]
fn has_same_owner(path: &Path, own: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let owner = |path: &Path| {
        let metadata = fs::symlink_metadata(path).ok()?;
        (metadata.is_file() || metadata.is_dir()).then_some(metadata.uid())
    };
    owner(path).is_some_and(|uid| Some(uid) == owner(own))
}

#[cfg(not(unix))]
fn has_same_owner(_path: &Path, _own: &Path) -> bool {
    false
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    #[test]
    fn a_run_removes_the_files_of_ended_runs_and_nothing_else() {
        let folder = TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        let left = [
            ".aaaaaaaaaaaa.dupfind.tmp",
            ".Bbbbbbbbbbb1.dupfind.tmp.jsonl",
        ];
        let others = [
            ".aaaaaa.dupfind.tmp",
            ".aaaaaaaaaaa-.dupfind.tmp",
            ".aaaaaaaaaaaa.tmp",
            "aaaaaaaaaaaaa.dupfind.tmp",
        ];
        for name in left.iter().chain(&others) {
            fs::write(at(name), "x").unwrap();
        }
        fs::create_dir(at(".cccccccccccc.dupfind.tmp")).unwrap();
        fs::write(at(".cccccccccccc.dupfind.tmp/x"), "x").unwrap();
        symlink(at(others[0]), at(".dddddddddddd.dupfind.tmp")).unwrap();
        let live = ".eeeeeeeeeeee.dupfind.tmp";
        fs::write(at(live), "x").unwrap();
        let held = hold_existing(&at(live)).unwrap().unwrap();

        let own = TemporaryFile::new(folder.path(), "", None).unwrap();
        let mut names: Vec<_> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let own = own.path.file_name().unwrap().to_str().unwrap();
        let mut expected = others.to_vec();
        expected.extend([".dddddddddddd.dupfind.tmp", live, own]);
        expected.sort_unstable();
        assert_eq!(names, expected);
        assert!(is_temporary(own));
        drop(held);
    }
}
