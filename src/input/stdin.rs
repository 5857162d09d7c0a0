//! Records on standard input and in pipes. They are copied to temporary files, because reports read documents again.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use dupfind_files::TemporaryFile;
use dupfind_read::decode::PARQUET_MAGIC;
use dupfind_read::{Compression, STDIN};
use dupfind_scan::ScanOptions;

use crate::terminal::messages;

/// How many bytes at the start show the compression.
const HEAD: u64 = 6;

/// Copies standard input to a file and puts its path into the options, if the options name standard input.
/// The file exists as long as the returned value.
///
/// # Errors
///
/// Standard input is a terminal, or a file cannot be written.
pub(crate) fn spool(options: &mut ScanOptions) -> Result<Vec<TemporaryFile>> {
    copied(options, |_| true, false)
}

/// As [`spool`], with the pipes that the options name: `<(zcat a.gz)` of a shell is one.
///
/// # Errors
///
/// As [`spool`].
pub(crate) fn spool_with_pipes(options: &mut ScanOptions) -> Result<Vec<TemporaryFile>> {
    copied(options, |_| true, true)
}

/// As [`spool`], for standard input that may be one document. Its first bytes decide: records begin with a brace.
///
/// # Errors
///
/// As [`spool`].
pub(crate) fn spool_by_content(options: &mut ScanOptions) -> Result<Vec<TemporaryFile>> {
    copied(options, begins_records, false)
}

/// `holds_records` decides by the first bytes whether an input holds records or one document.
fn copied(
    options: &mut ScanOptions,
    holds_records: fn(&[u8]) -> bool,
    with_pipes: bool,
) -> Result<Vec<TemporaryFile>> {
    let folder = options.engine.budget.temp_dir.clone();
    let folder = folder.unwrap_or_else(std::env::temp_dir);
    let walk = &mut options.walk;
    let mut copies = Vec::new();
    for path in walk.paths.iter().chain(&walk.against) {
        // Nobody writes to a pipe a second time.
        if walk.spooled.iter().any(|(known, _)| known == path) {
            continue;
        }
        let mut name = path.display().to_string();
        let source: Box<dyn Read> = if path == Path::new(STDIN) {
            name = "standard input".into();
            let stdin = io::stdin();
            if stdin.is_terminal() {
                bail!(
                    "'-' reads JSON Lines from standard input, and that is the terminal; pipe them in, as in \
                     'zcat pages.jsonl.gz | dupfind scan -', or name a file ('./-' if it is called so)"
                );
            }
            Box::new(stdin.lock())
        } else if with_pipes && is_pipe(path) {
            Box::new(File::open(path).with_context(|| format!("cannot read {name}"))?)
        } else {
            continue;
        };
        let copy = copy(source, &name, &folder, holds_records)?;
        walk.spooled.push((path.clone(), copy.path.to_path_buf()));
        copies.push(copy);
    }
    Ok(copies)
}

/// Returns whether a path leads to a pipe.
fn is_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        std::fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    false
}

/// Copies an input to a file, whose name has the ending of the format.
fn copy(
    mut source: Box<dyn Read>,
    name: &str,
    folder: &Path,
    holds_records: fn(&[u8]) -> bool,
) -> Result<TemporaryFile> {
    let mut head = Vec::new();
    let read = (&mut source).take(HEAD).read_to_end(&mut head);
    read.with_context(|| format!("cannot read {name}"))?;
    let suffix = match Compression::of_content(&head) {
        // People and agents write Markdown; a plain text is read as one, too.
        _ if !holds_records(&head) => ".md".to_owned(),
        Some(compression) if compression.refusal().is_some() => {
            bail!("{name} {}", compression.piped())
        }
        Some(compression) => format!(".jsonl.{}", compression.extension()),
        // A build without Parquet refuses it later, when it is read.
        None if head.starts_with(&PARQUET_MAGIC) => ".parquet".to_owned(),
        None => ".jsonl".to_owned(),
    };
    let failed = || {
        let folder = folder.display();
        format!("cannot keep {name} in a file in {folder}; TMPDIR names another folder")
    };
    let mut copy = TemporaryFile::new(folder, &suffix, None).with_context(failed)?;
    io::copy(&mut head.as_slice().chain(source), &mut copy.file).with_context(failed)?;
    Ok(copy)
}

/// Returns whether standard input that begins with these bytes holds records: JSON, Parquet, or compressed data.
fn begins_records(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    Compression::of_content(head).is_some()
        || head.starts_with(&PARQUET_MAGIC)
        || text.trim_ascii_start().starts_with(b"{")
}

/// Prints that standard input is not read, if something waits to be read there. Returns whether something does.
pub(crate) fn warn_if_stdin_is_unread() -> bool {
    let waits = has_unread();
    if waits {
        messages::warning(
            "standard input is not read, and the current folder is compared: 'dupfind scan -' compares the records \
             on standard input, '--files-from -' the files that it lists",
        );
    }
    waits
}

/// Returns whether standard input is a pipe or a file with something in it.
#[cfg(unix)]
fn has_unread() -> bool {
    use std::os::fd::AsFd;

    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use nix::sys::stat::{SFlag, fstat};

    let stdin = io::stdin();
    let Ok(stat) = fstat(stdin.as_fd()) else {
        return false;
    };
    let kind = SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT;
    if kind == SFlag::S_IFREG {
        return stat.st_size > 0;
    }
    let mut wanted = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
    kind == SFlag::S_IFIFO
        && poll(&mut wanted, PollTimeout::ZERO).is_ok()
        && (wanted[0].revents()).is_some_and(|events| events.contains(PollFlags::POLLIN))
}

#[cfg(not(unix))]
fn has_unread() -> bool {
    false
}

/// Returns whether one of the paths means standard input.
pub(crate) fn is_named<'p>(
    paths: impl IntoIterator<Item = &'p (impl AsRef<Path> + ?Sized + 'p)>,
) -> bool {
    let mut paths = paths.into_iter();
    paths.any(|path| path.as_ref() == Path::new(STDIN))
}
