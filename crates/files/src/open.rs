//! Opens files: new ones, regular ones, and pipes without waiting for the other end.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

/// Why something in the place of a file is not opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refused {
    #[error("it is a link, and no link is followed")]
    Link,
    #[error("it is a folder")]
    Folder,
    #[error("it is no regular file")]
    Special,
    #[error("it has another name too (a hard link)")]
    SecondName,
    #[error("it is a pipe, and no program reads from it")]
    Unread,
}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> Self {
        Self::other(refused)
    }
}

/// Makes a file with this content where nothing is.
///
/// # Errors
///
/// The words of the system, [`io::ErrorKind::AlreadyExists`] if anything is there, also a link that leads nowhere.
pub fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let new = File::options().write(true).create_new(true).open(path);
    new?.write_all(content)
}

/// Opens a regular file for writing at its end. It is made if nothing is there. No link is followed.
///
/// # Errors
///
/// The words of the system, or `Refused`.
pub fn open_end(path: &Path) -> io::Result<File> {
    opened(unfollowed().append(true).create(true), path)
}

/// Opens a regular file for reading. No link is followed, and nobody waits for a pipe.
///
/// # Errors
///
/// The words of the system, or `Refused`.
pub fn open_regular(path: &Path) -> io::Result<File> {
    opened(unfollowed().read(true), path)
}

/// Returns the bytes of a regular file, as [`open_regular`] opens it.
///
/// # Errors
///
/// As [`open_regular`].
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a file for reading that a user has named. Links are followed. A pipe that no program writes to is empty.
///
/// # Errors
///
/// The words of the system.
pub fn open_named(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    unwaiting(&mut options);
    let file = options.open(path)?;
    wait(&file)?;
    Ok(file)
}

/// Opens a device or a pipe for writing. Links to one are followed, as `/dev/stdout` is one.
///
/// # Errors
///
/// The words of the system, or `Refused`: a regular file is not written in place.
pub fn open_special(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true);
    unwaiting(&mut options);
    // Time for a program that is about to open the other end.
    let mut attempts = 0..50;
    let file = loop {
        match options.open(path) {
            Err(error) if is_unread(&error) => match attempts.next() {
                Some(_) => std::thread::sleep(std::time::Duration::from_millis(100)),
                None => return Err(Refused::Unread.into()),
            },
            opened => break opened?,
        }
    };
    if file.metadata()?.is_file() {
        return Err(Refused::Link.into());
    }
    wait(&file)?;
    Ok(file)
}

/// Returns the file in the place of one that is to be replaced, none if there is none.
///
/// # Errors
///
/// The words of the system; [`Refused`] if it is not a regular file.
pub(crate) fn replaceable(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
        Ok(metadata) => regular(metadata).map(Some),
    }
}

/// Opens a regular file, with options of [`unfollowed`].
pub(super) fn opened(options: &OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.open(path).map_err(|error| {
        let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        match is_link {
            true => Refused::Link.into(),
            false => error,
        }
    })?;
    regular(file.metadata()?)?;
    Ok(file)
}

fn regular(metadata: Metadata) -> io::Result<Metadata> {
    match metadata.file_type() {
        kind if kind.is_file() => Ok(metadata),
        kind if kind.is_symlink() => Err(Refused::Link.into()),
        kind if kind.is_dir() => Err(Refused::Folder.into()),
        _ => Err(Refused::Special.into()),
    }
}

/// Returns options that open no link, and wait for no other program that opens a pipe.
#[cfg(unix)]
pub(super) fn unfollowed() -> OpenOptions {
    use nix::fcntl::OFlag;
    use std::os::unix::fs::OpenOptionsExt;

    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_CLOEXEC;
    let mut options = File::options();
    options.custom_flags(flags.bits());
    options
}

/// Returns options that open a link itself.
#[cfg(not(unix))]
pub(super) fn unfollowed() -> OpenOptions {
    let mut options = File::options();
    // FILE_FLAG_OPEN_REPARSE_POINT.
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, 0x0020_0000);
    options
}

/// Makes options open a pipe without waiting for its other end.
#[cfg(unix)]
fn unwaiting(options: &mut OpenOptions) {
    use nix::fcntl::OFlag;
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags((OFlag::O_NONBLOCK | OFlag::O_NOCTTY).bits());
}

#[cfg(not(unix))]
fn unwaiting(_options: &mut OpenOptions) {}

/// Makes reads and writes of an open pipe wait.
#[cfg(unix)]
fn wait(file: &File) -> io::Result<()> {
    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    let flags = OFlag::from_bits_retain(fcntl(file, FcntlArg::F_GETFL)?);
    fcntl(file, FcntlArg::F_SETFL(flags - OFlag::O_NONBLOCK))?;
    Ok(())
}

#[cfg(not(unix))]
fn wait(_file: &File) -> io::Result<()> {
    Ok(())
}

/// Returns whether a pipe was not opened for writing because no program reads from it.
#[cfg(unix)]
fn is_unread(error: &io::Error) -> bool {
    error.raw_os_error() == Some(nix::errno::Errno::ENXIO as i32)
}

#[cfg(not(unix))]
fn is_unread(_error: &io::Error) -> bool {
    false
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn refusal(error: &io::Error) -> Option<Refused> {
        error.get_ref()?.downcast_ref().copied()
    }

    #[test]
    fn only_regular_files_are_opened_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").unwrap();
        symlink("file", at("link")).unwrap();
        symlink("nowhere", at("dangling")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        nix::unistd::mkfifo(&at("fifo"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        for (name, reason) in [
            ("link", Refused::Link),
            ("dangling", Refused::Link),
            ("folder", Refused::Folder),
            ("fifo", Refused::Special),
        ] {
            let read = open_regular(&at(name)).unwrap_err();
            assert_eq!(refusal(&read), Some(reason), "{name}: {read}");
            let replaced = replaceable(&at(name)).unwrap_err();
            assert_eq!(refusal(&replaced), Some(reason), "{name}: {replaced}");
            let new = write_new(&at(name), b"").unwrap_err();
            assert_eq!(new.kind(), io::ErrorKind::AlreadyExists, "{name}");
            assert!(open_end(&at(name)).is_err(), "{name}");
        }
        assert_eq!(read_regular(&at("file")).unwrap(), b"text");
        assert!(replaceable(&at("file")).unwrap().is_some());
        assert!(replaceable(&at("new")).unwrap().is_none());
        assert!(!at("nowhere").exists());
    }

    #[test]
    fn a_pipe_without_another_end_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fifo");
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let mut bytes = Vec::new();
        open_named(&path).unwrap().read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, b"");
    }
}
