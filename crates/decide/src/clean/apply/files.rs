//! Steps of the file system, each of which is done or not done.

use std::ffi::OsString;
use std::fs::{self, File, FileTimes};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use dupfind_files::UNFINISHED;
use dupfind_files::open::{create_new, rename};

/// Returns the name of a file that is being made to replace another one. Such a file is never a document.
pub(super) fn unfinished(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(UNFINISHED);
    path.with_file_name(name)
}

/// Removes what an earlier run left there.
pub(super) fn clear(unfinished: &Path) -> io::Result<()> {
    match fs::remove_file(unfinished) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Writes the names in a folder to the disk. Systems that cannot do that report no error.
pub(super) fn sync_folder(folder: &Path) {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// Makes a hard link to a file, or where the file system has no hard links, copies the file with its mode and time.
/// Something that is there already is not replaced. When the link or the copy is there, so is all of the content.
pub(super) fn link_or_copy(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
        Err(_) => copy(from, to),
    }
}

/// Copies a file with its mode and time.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if to.symlink_metadata().is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    let made = unfinished(to);
    clear(&made)?;
    let metadata = fs::metadata(from)?;
    let mut source = File::open(from)?;
    let mut target = create_new(&made)?;
    io::copy(&mut source, &mut target)?;
    let times = FileTimes::new();
    let times = metadata
        .modified()
        .map_or(times, |time| times.set_modified(time));
    target.set_times(times)?;
    target.set_permissions(metadata.permissions())?;
    target.sync_all()?;
    rename(&made, to)
}

/// Moves a file to a place where nothing is.
pub(super) fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    link_or_copy(from, to)?;
    sync_folder(to.parent().unwrap_or(Path::new(".")));
    fs::remove_file(from)
}

/// Returns whether a file is there: no folder, and no link.
pub(super) fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_mode_and_time_and_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["a", "b"].map(|name| folder.path().join(name));
        fs::write(&from, "text").unwrap();
        let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::new(1_000_000, 5000);
        let file = File::options().write(true).open(&from).unwrap();
        file.set_times(FileTimes::new().set_modified(time)).unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(fs::metadata(&to).unwrap().modified().unwrap(), time);
        assert_eq!(
            copy(&from, &to).unwrap_err().kind(),
            ErrorKind::AlreadyExists
        );
        assert_eq!(
            link_or_copy(&from, &to).unwrap_err().kind(),
            ErrorKind::AlreadyExists
        );
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    }
}
