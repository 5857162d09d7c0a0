//! Steps of the file system, each of which is done or not done.

use std::ffi::OsString;
use std::fs::{self, File, FileTimes};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::clean::apply::actions::LinkKind;
use crate::read::source::walk::UNFINISHED;

/// Returns the name of what is being made to take the place of a file. Such a file is never a document.
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

/// Gives a file a second name, or where the file system has no such names, copies it with its mode and time. Something
/// that is there already is not replaced. When the name is there, so is all of the content.
pub(super) fn second_name(from: &Path, to: &Path) -> io::Result<()> {
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
    let mut target = File::options().write(true).create_new(true).open(&made)?;
    io::copy(&mut source, &mut target)?;
    let times = FileTimes::new();
    let times = metadata
        .modified()
        .map_or(times, |time| times.set_modified(time));
    target.set_times(times)?;
    target.set_permissions(metadata.permissions())?;
    target.sync_all()?;
    fs::rename(&made, to)
}

/// Moves a file to a place where nothing is.
pub(super) fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    second_name(from, to)?;
    sync_folder(to.parent().unwrap_or(Path::new(".")));
    fs::remove_file(from)
}

/// Puts a link to `keep` in the place of a file.
pub(super) fn replace_by_link(path: &Path, keep: &Path, kind: LinkKind) -> io::Result<()> {
    let made = unfinished(path);
    clear(&made)?;
    match kind {
        LinkKind::Hard => fs::hard_link(keep, &made)?,
        LinkKind::Reflink => {
            reflink_copy::reflink(keep, &made)?;
            fs::set_permissions(&made, fs::metadata(path)?.permissions())?;
        }
        LinkKind::Symlink => symlink(&way(path, keep), &made)?,
    }
    fs::rename(&made, path)
}

/// Returns the path from the folder of a file to another file. Both are absolute.
pub(super) fn way(path: &Path, to: &Path) -> PathBuf {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let shared = folder.components().zip(to.components());
    let shared = shared.take_while(|(a, b)| a == b).count();
    let up = folder
        .components()
        .skip(shared)
        .map(|_| std::path::Component::ParentDir);
    up.chain(to.components().skip(shared)).collect()
}

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(windows)]
fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(target, link)
}

#[cfg(not(any(unix, windows)))]
fn symlink(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Replaces the content of a file. Its mode stays.
pub(super) fn replace_content(path: &Path, content: &[u8]) -> io::Result<()> {
    let made = unfinished(path);
    clear(&made)?;
    let mut file = File::options().write(true).create_new(true).open(&made)?;
    file.write_all(content)?;
    file.set_permissions(fs::metadata(path)?.permissions())?;
    file.sync_all()?;
    fs::rename(&made, path)
}

/// Puts the file at `from` in the place of whatever is at `to`.
pub(super) fn put_back(from: &Path, to: &Path) -> io::Result<()> {
    if fs::rename(from, to).is_ok() {
        return Ok(());
    }
    // Another file system.
    let made = unfinished(to);
    clear(&made)?;
    copy(from, &made)?;
    fs::rename(&made, to)?;
    fs::remove_file(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_lead_from_a_file_to_another() {
        for (path, to, expected) in [
            ("/s/a.md", "/s/b.md", "b.md"),
            ("/s/x/a.md", "/s/b.md", "../b.md"),
            ("/s/a.md", "/s/y/b.md", "y/b.md"),
            ("/s/x/y/a.md", "/s/z/b.md", "../../z/b.md"),
        ] {
            assert_eq!(
                way(Path::new(path), Path::new(to)),
                Path::new(expected),
                "{path}"
            );
        }
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
            second_name(&from, &to).unwrap_err().kind(),
            ErrorKind::AlreadyExists
        );
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    }
}
