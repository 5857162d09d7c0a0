//! Writes a file so that it is the old one or the whole new one, whenever the run ends.

use std::fs::{self, File, FileTimes, Metadata, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::open::{open_regular, replaceable};
use crate::temporary::TemporaryFile;

/// A temporary file beside another file, which it replaces when it is finished. If it is dropped before, it is
/// removed.
#[derive(Debug)]
pub struct Replacement {
    temporary: TemporaryFile,
    target: PathBuf,
}

impl Replacement {
    /// Begins to write a file. One that is there keeps its permissions.
    ///
    /// # Errors
    ///
    /// The words of the system; `Refused` if something else than a regular file is there.
    pub fn of(target: &Path) -> io::Result<Self> {
        let existing = replaceable(target)?;
        let permissions = existing.map_or_else(usual_permissions, |file| Some(file.permissions()));
        let temporary = TemporaryFile::new(folder(target), "", permissions.as_ref());
        Ok(Self {
            // The path of the temporary file would mean nothing to the user.
            temporary: temporary.map_err(|error| match error.kind() {
                kind @ ErrorKind::NotFound => {
                    let folder = folder(target).display();
                    io::Error::new(kind, format!("there is no folder {folder}"))
                }
                kind => io::Error::from(kind),
            })?,
            target: target.to_owned(),
        })
    }

    /// Takes the place of the file.
    ///
    /// # Errors
    ///
    /// The words of the system.
    pub fn finish(self) -> io::Result<()> {
        // The file is this run's until it is in its place.
        let TemporaryFile {
            file,
            path,
            removal: _removal,
        } = self.temporary;
        drop(file);
        path.persist(&self.target).map_err(|failed| failed.error)
    }

    /// Takes the place of the file so that a power cut leaves either the old file or the whole new one.
    ///
    /// # Errors
    ///
    /// The words of the system.
    pub fn finish_durably(self) -> io::Result<()> {
        self.temporary.file.sync_all()?;
        let target = self.target.clone();
        self.finish()?;
        sync_folder(folder(&target));
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.file.flush()
    }
}

/// Returns the permissions of a new file, before the system reduces them by the umask.
#[cfg(unix)]
fn usual_permissions() -> Option<Permissions> {
    Some(std::os::unix::fs::PermissionsExt::from_mode(0o666))
}

#[cfg(not(unix))]
fn usual_permissions() -> Option<Permissions> {
    None
}

/// Writes the names in a folder to the disk. Systems that cannot do that report no error: there names may be lost in a
/// power cut, but the files they lead to are as before or as after.
pub fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// Returns the folder of a file.
pub fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Returns the path of a file that is to be written, such that two paths to one file give the same path: its folder
/// without links, and its name. The file need not exist.
///
/// # Errors
///
/// The words of the system; `Refused` if something else than a regular file is there.
pub fn place(target: &Path) -> io::Result<PathBuf> {
    replaceable(target)?;
    let place = || {
        Some(
            fs::canonicalize(folder(target))
                .ok()?
                .join(target.file_name()?),
        )
    };
    // A path without a folder is an error when it is written.
    Ok(place().unwrap_or_else(|| target.to_owned()))
}

/// Moves a regular file with its mode and time to a place where nothing is. What is there is never replaced.
///
/// Whenever the run ends, the whole file is in one of the two places, or in both. If it changes meanwhile, it stays.
///
/// # Errors
///
/// The words of the system, [`ErrorKind::AlreadyExists`] if anything is in the place.
pub fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    let before = regular(from)?;
    match fs::hard_link(from, to) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(error),
        Err(_) => copy(from, to)?,
        Ok(()) => {}
    }
    sync_folder(folder(to));
    let removed = match is_same(&before, &regular(from)?) {
        true => fs::remove_file(from),
        false => Err(io::Error::other("it was changed just now")),
    };
    if removed.is_err() {
        fs::remove_file(to)?;
    }
    removed
}

/// Copies a file with its mode and time.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = open_regular(from)?;
    let metadata = source.metadata()?;
    let mut made = TemporaryFile::new(folder(to), "", Some(&metadata.permissions()))?;
    io::copy(&mut source, &mut made.file)?;
    let times = FileTimes::new();
    let times = metadata
        .modified()
        .map_or(times, |time| times.set_modified(time));
    made.file.set_times(times)?;
    made.file.set_permissions(metadata.permissions())?;
    made.file.sync_all()?;
    let TemporaryFile {
        file,
        path,
        removal: _removal,
    } = made;
    drop(file);
    path.persist_noclobber(to).map_err(|failed| failed.error)
}

fn regular(path: &Path) -> io::Result<Metadata> {
    let metadata = fs::symlink_metadata(path)?;
    match metadata.is_file() {
        true => Ok(metadata),
        false => Err(ErrorKind::InvalidInput.into()),
    }
}

/// Returns whether a file has not been changed or replaced.
fn is_same(before: &Metadata, now: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if (before.dev(), before.ino()) != (now.dev(), now.ino()) {
            return false;
        }
    }
    before.len() == now.len() && before.modified().ok() == now.modified().ok()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::fs::File;
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn a_file_is_there_when_it_is_finished_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("report");
        let entries = || fs::read_dir(&folder).unwrap().count();
        for content in ["old", "new"] {
            let mut replacement = Replacement::of(&target).unwrap();
            replacement.write_all(content.as_bytes()).unwrap();
            drop(Replacement::of(&target).unwrap());
            replacement.finish_durably().unwrap();
            assert_eq!(entries(), 1);
            assert_eq!(fs::read_to_string(&target).unwrap(), content);
        }
        let target = folder.path().join("missing/report");
        let failed = Replacement::of(&target).map(drop).unwrap_err();
        assert!(failed.to_string().starts_with("there is no folder "));
    }

    #[cfg(unix)]
    #[test]
    fn another_name_of_the_old_file_keeps_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let [target, other] = ["a", "b"].map(|name| folder.path().join(name));
        fs::write(&target, "old").unwrap();
        fs::hard_link(&target, &other).unwrap();
        let mut replacement = Replacement::of(&target).unwrap();
        replacement.write_all(b"new").unwrap();
        replacement.finish().unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "old");
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
    }

    #[test]
    fn a_copy_has_mode_and_time_and_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["a", "b"].map(|name| folder.path().join(name));
        fs::write(&from, "text").unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::new(1_000_000, 5000);
        let file = File::options().write(true).open(&from).unwrap();
        file.set_times(FileTimes::new().set_modified(time)).unwrap();
        let mut permissions = file.metadata().unwrap().permissions();
        permissions.set_readonly(true);
        file.set_permissions(permissions).unwrap();
        copy(&from, &to).unwrap();
        let copied = fs::metadata(&to).unwrap();
        assert_eq!(copied.modified().unwrap(), time);
        assert!(copied.permissions().readonly());
        for failed in [copy(&from, &to), move_file(&from, &to)] {
            assert_eq!(failed.unwrap_err().kind(), ErrorKind::AlreadyExists);
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    }

    #[test]
    fn a_file_is_in_its_new_place_only() {
        let folder = tempfile::tempdir().unwrap();
        // Names have up to 255 bytes.
        let [from, to] = ["a", "b"].map(|name| folder.path().join(name.repeat(255)));
        fs::write(&from, "text").unwrap();
        move_file(&from, &to).unwrap();
        assert!(!from.exists());
        assert_eq!(fs::read_to_string(&to).unwrap(), "text");
        assert!(move_file(folder.path(), &from).is_err());
    }
}
