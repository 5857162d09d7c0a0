//! Moves a file to a place where nothing is, also to another file system.

use std::fs::{self, FileTimes, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::open::open_regular;
use crate::replace::{folder, sync_folder};
use crate::temporary::TemporaryFile;

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
    use super::*;
    use std::fs::File;
    use std::time::{Duration, SystemTime};

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
