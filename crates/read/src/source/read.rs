//! Reads one file up to a limit.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use crate::format::Compression;
use crate::skipped::{Refused, SkipReason};
use crate::source::expand::expand;

/// Replaces the content of `bytes` by the bytes of a file, expanded. A file with more bytes than `limit` is refused.
///
/// # Errors
///
/// The reason for not comparing the file, and the words of the system.
pub fn read_into(
    path: &Path,
    compression: Option<Compression>,
    limit: u64,
    bytes: &mut Vec<u8>,
) -> Result<(), Refused> {
    bytes.clear();
    let expanded = open(path).and_then(|file| expand(file, compression));
    let read = expanded.and_then(|expanded| {
        let mut expanded = expanded.take(limit.saturating_add(1));
        expanded.read_to_end(bytes)
    });
    match read {
        Ok(size) if size as u64 > limit => Err((SkipReason::TooLarge, String::new())),
        Ok(_) => Ok(()),
        Err(error) => Err(skipped(&error)),
    }
}

/// Opens a regular file. Another program may have put a FIFO or a device in its place since it was listed: that is
/// closed at once, and nobody waits for it.
///
/// # Errors
///
/// The error of the system, or [`NotAFile`].
#[expect(clippy::disallowed_methods, reason = "it only reads")]
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use nix::fcntl::OFlag;
        use std::os::unix::fs::OpenOptionsExt;
        // Opening a FIFO would wait for a program that writes to it.
        options.custom_flags((OFlag::O_NONBLOCK | OFlag::O_NOCTTY).bits());
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    // Reading a folder gives the words of the system.
    if metadata.is_file() || metadata.is_dir() {
        Ok(file)
    } else {
        Err(io::Error::other(NotAFile))
    }
}

/// The error of opening a FIFO, a socket or a device.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("it is no longer a regular file")]
pub struct NotAFile;

/// Returns the reason for not comparing a file that gave this error, and the words of the error.
#[must_use]
pub fn skipped(error: &io::Error) -> Refused {
    (reason(error), error.to_string())
}

/// Returns the reason for not comparing a file that gave this error.
#[must_use]
pub fn reason(error: &io::Error) -> SkipReason {
    if error.get_ref().is_some_and(|inner| inner.is::<NotAFile>()) {
        return SkipReason::NotAFile;
    }
    match error.kind() {
        io::ErrorKind::NotFound => SkipReason::NotFound,
        // The errors of decoders on damaged data.
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
            SkipReason::Malformed
        }
        _ => SkipReason::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_up_to_the_limit_and_no_further() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, b"12345").unwrap();
        let mut bytes = vec![1, 2, 3];
        assert_eq!(read_into(&path, None, 5, &mut bytes), Ok(()));
        assert_eq!(bytes, b"12345");
        assert_eq!(
            read_into(&path, None, 4, &mut bytes),
            Err((SkipReason::TooLarge, String::new()))
        );
        assert_eq!(
            read_into(&folder.path().join("b"), None, 4, &mut bytes)
                .unwrap_err()
                .0,
            SkipReason::NotFound
        );
    }
    #[cfg(unix)]
    #[test]
    fn a_fifo_is_not_waited_for() {
        use nix::sys::stat::Mode;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fifo");
        nix::unistd::mkfifo(&path, Mode::S_IRWXU).unwrap();
        let refused = read_into(&path, None, 4, &mut Vec::new()).unwrap_err();
        assert_eq!(refused.0, SkipReason::NotAFile);
    }
}
