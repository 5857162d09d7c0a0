//! Steps of the file system. Each one is done as a whole, or not at all.

use std::ffi::OsString;
use std::fs::{self, File, FileTimes};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::clean::plan::hash::bytes_hash;
use dupfind_files::UNFINISHED;
use dupfind_files::open::{create_new, rename};

/// Returns the name of a file that is being made to replace another one. Such a file is never a document. Of a long name it
/// has the hash, as names have up to 255 bytes.
pub(super) fn unfinished(path: &Path) -> PathBuf {
    let own = path.file_name().unwrap_or_default();
    let mut name = OsString::from(".");
    match own.len() {
        0..=200 => name.push(own),
        _ => name.push(bytes_hash(own.as_encoded_bytes()).replace(':', "-")),
    }
    name.push(UNFINISHED);
    path.with_file_name(name)
}

/// Removes the unfinished file that an earlier run left.
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

/// Removes a file for another one that stays. If both are one file by two names, it stays.
pub(super) fn remove_for(stays: &Path, path: &Path) -> io::Result<()> {
    let away = unfinished(path);
    clear(&away)?;
    rename(path, &away)?;
    let is_there = File::open(stays).and_then(|file| Ok(file.metadata()?.is_file()));
    let removed = match is_there {
        Ok(true) => fs::remove_file(&away),
        _ => Err(io::Error::other(
            "it is the file that stays, by another name",
        )),
    };
    if removed.is_err() {
        rename(&away, path)?;
    }
    removed
}

/// Moves a file to a place where nothing is, for another one that stays, see [`remove_for`].
pub(super) fn move_for(stays: &Path, from: &Path, to: &Path) -> io::Result<()> {
    link_or_copy(from, to)?;
    sync_folder(to.parent().unwrap_or(Path::new(".")));
    let removed = remove_for(stays, from);
    if removed.is_err() && is_file(from) {
        fs::remove_file(to)?;
    }
    removed
}

/// Gives a file another content. It keeps its mode. The old content stays where it has another name.
pub(super) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let made = unfinished(path);
    clear(&made)?;
    let mut file = create_new(&made)?;
    file.write_all(content)?;
    file.set_permissions(fs::metadata(path)?.permissions())?;
    file.sync_all()?;
    rename(&made, path)
}

/// Moves a file to a place where nothing is.
pub(super) fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    link_or_copy(from, to)?;
    sync_folder(to.parent().unwrap_or(Path::new(".")));
    fs::remove_file(from)
}

/// Returns whether a file is there: no folder, and no link.
pub(in crate::clean) fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_does_not_go_for_itself() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let entries = || fs::read_dir(&folder).unwrap().count();
        fs::write(at("a"), "text").unwrap();
        // As two names that differ in case are where case makes no difference.
        std::os::unix::fs::symlink("a", at("A")).unwrap();
        for failed in [
            remove_for(&at("A"), &at("a")),
            move_for(&at("A"), &at("a"), &at("to")),
        ] {
            assert!(failed.unwrap_err().to_string().contains("another name"));
            assert_eq!(fs::read_to_string(at("a")).unwrap(), "text");
            assert_eq!(entries(), 2);
        }
        fs::write(at("b"), "text").unwrap();
        move_for(&at("A"), &at("b"), &at("to")).unwrap();
        remove_for(&at("A"), &at("to")).unwrap();
        assert_eq!(entries(), 2);
    }

    #[test]
    fn a_long_name_has_an_unfinished_file_too() {
        let folder = tempfile::tempdir().unwrap();
        let [path, stays] = ["x".repeat(255), "y".into()].map(|name| folder.path().join(name));
        fs::write(&path, "text").unwrap();
        fs::write(&stays, "text").unwrap();
        remove_for(&stays, &path).unwrap();
        assert!(!path.exists());
    }

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
