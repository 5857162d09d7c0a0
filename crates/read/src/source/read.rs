//! Reads one file up to a limit, and expands compressed ones while they are read.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::panic::AssertUnwindSafe;
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use crate::contained::contained;
use crate::format::Compression;
use crate::skipped::{Refused, SkipReason};

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

/// Returns the first bytes of a regular file, at most so many.
///
/// # Errors
///
/// The error of the system, or [`NotAFile`].
pub fn head(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    open(path)?.take(most).read_to_end(&mut head)?;
    Ok(head)
}

/// Returns the XXH3 hash of the bytes of a regular file, of 128 bits.
///
/// # Errors
///
/// As [`head`].
pub fn hash(path: &Path) -> io::Result<u128> {
    let mut file = BufReader::with_capacity(BUFFER, open(path)?);
    let mut hash = Xxh3::new();
    io::copy(&mut file, &mut hash)?;
    Ok(hash.digest128())
}

/// The error of opening a FIFO, a socket or a device.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("it is no longer a regular file")]
pub struct NotAFile;

/// Returns the reason for not comparing a file that gave this error, and the words of the error.
pub fn skipped(error: &io::Error) -> Refused {
    (reason(error), error.to_string())
}

/// Returns the reason for not comparing a file that gave this error.
pub fn reason(error: &io::Error) -> SkipReason {
    if error.get_ref().is_some_and(|inner| inner.is::<NotAFile>()) {
        return SkipReason::NotAFile;
    }
    match error.kind() {
        ErrorKind::NotFound => SkipReason::NotFound,
        // The errors of decoders on damaged data.
        ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof => {
            SkipReason::Malformed
        }
        _ => SkipReason::Unreadable,
    }
}

/// How much is read from the file at a time.
const BUFFER: usize = 64 << 10;

/// The most memory that expanding zstd may use, as a power of two: 128 MiB, which is also the default of its own program.
const ZSTD_WINDOW_LOG: u32 = 27;

/// Returns a reader of the expanded bytes. Compressed files that were joined end to end expand to the content of
/// all of them.
///
/// # Errors
///
/// The message of the operating system about the first bytes; [`ErrorKind::InvalidData`] if they are not compressed that way,
/// or in a way that is not expanded.
/// The reader gives the same kind of error where the data is damaged or cut off, and again at each later read.
pub fn expand<'r>(
    compressed: impl Read + Send + 'r,
    compression: Option<Compression>,
) -> io::Result<Box<dyn Read + Send + 'r>> {
    let Some(compression) = compression else {
        return Ok(Box::new(compressed));
    };
    let mut compressed = BufReader::with_capacity(BUFFER, compressed);
    let name = compression.as_str();
    if Compression::of_content(compressed.fill_buf()?) != Some(compression) {
        let words = format!("it is not compressed with {name}, though its name says so");
        return Err(io::Error::new(ErrorKind::InvalidData, words));
    }
    Ok(Box::new(Expanding {
        decoder: decoder(Box::new(compressed), compression)?,
        name,
        failure: None,
    }))
}

fn decoder<'r>(
    compressed: Box<dyn BufRead + Send + 'r>,
    compression: Compression,
) -> io::Result<Box<dyn Read + Send + 'r>> {
    Ok(match compression {
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(compressed)),
        Compression::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(compressed)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG)?;
            Box::new(decoder)
        }
        Compression::Xz | Compression::Bzip2 => {
            let words = compression.refusal().unwrap_or_default();
            return Err(io::Error::new(ErrorKind::InvalidData, words));
        }
    })
}

/// A decoder whose errors are of one kind and whose panics are errors.
struct Expanding<R> {
    decoder: R,
    /// The name of its format.
    name: &'static str,
    /// The first error. The decoder is not called again after it.
    failure: Option<String>,
}

impl<R: Read> Read for Expanding<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let failed = |words: &str| io::Error::new(ErrorKind::InvalidData, words);
        if let Some(words) = &self.failure {
            return Err(failed(words));
        }
        let decoder = &mut self.decoder;
        // A decoder may panic on damaged data.
        let read = contained(AssertUnwindSafe(|| decoder.read(buffer)));
        let name = self.name;
        let words = match read {
            Some(Ok(size)) => return Ok(size),
            // An error of the system, not of the data.
            Some(Err(error)) if error.raw_os_error().is_some() => return Err(error),
            Some(Err(error)) => match error.kind() {
                ErrorKind::Interrupted => return Err(error),
                ErrorKind::UnexpectedEof => format!("the {name} data is cut off"),
                ErrorKind::OutOfMemory => {
                    format!("the {name} data asks for too much memory to expand")
                }
                _ => format!("the {name} data cannot be expanded: {error}"),
            },
            None => format!("the {name} data cannot be expanded: its decoder gave up"),
        };
        let error = failed(&words);
        self.failure = Some(words);
        Err(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzEncoder;
    use proptest::prelude::*;

    #[test]
    fn reads_up_to_the_limit_and_no_further() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, b"12345").unwrap();
        let mut bytes = vec![1, 2, 3];
        assert_eq!(read_into(&path, None, 5, &mut bytes), Ok(()));
        assert_eq!(bytes, b"12345");
        let expected = Err((SkipReason::TooLarge, String::new()));
        assert_eq!(read_into(&path, None, 4, &mut bytes), expected);
        let found = read_into(&folder.path().join("b"), None, 4, &mut bytes)
            .unwrap_err()
            .0;
        assert_eq!(found, SkipReason::NotFound);
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

    const ALL: [Compression; 2] = [Compression::Gzip, Compression::Zstd];

    fn compressed(text: &[u8], compression: Compression) -> Vec<u8> {
        let mut bytes = Vec::new();
        match compression {
            Compression::Gzip => GzEncoder::new(text, flate2::Compression::fast())
                .read_to_end(&mut bytes)
                .map(drop),
            Compression::Zstd => zstd::stream::copy_encode(text, &mut bytes, 1),
            Compression::Xz | Compression::Bzip2 => unreachable!("not in the list"),
        }
        .expect("memory takes it all");
        bytes
    }

    fn expanded(bytes: &[u8], compression: Compression) -> (Vec<u8>, io::Result<()>) {
        let mut text = Vec::new();
        let read = expand(bytes, Some(compression));
        let read = read.and_then(|mut reader| reader.read_to_end(&mut text));
        (text, read.map(drop))
    }

    #[test]
    fn all_compressed_bytes_come_back() {
        let text = "the old park by the river\n".repeat(9_000);
        for compression in ALL {
            let bytes = compressed(text.as_bytes(), compression);
            assert!(bytes.len() < text.len() / 2);
            let twice = [bytes.clone(), bytes].concat();
            let (found, read) = expanded(&twice, compression);
            read.unwrap();
            assert!(
                found == text.repeat(2).as_bytes(),
                "{compression:?}: {}",
                found.len()
            );
        }
    }

    #[test]
    fn damaged_data_is_named_in_words() {
        let text = "the old park by the river\n".repeat(9_000);
        for compression in ALL {
            let name = compression.as_str();
            let bytes = compressed(text.as_bytes(), compression);
            for (bytes, part) in [
                (
                    &b"plain text"[..],
                    format!("not compressed with {name}, though"),
                ),
                (b"", format!("not compressed with {name}, though")),
                (
                    &bytes[..bytes.len() / 2],
                    format!("the {name} data is cut off"),
                ),
                (
                    &[&bytes[..bytes.len() / 2], &[0x55; 99]].concat(),
                    format!("the {name} data "),
                ),
            ] {
                let error = expanded(bytes, compression).1.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::InvalidData);
                assert!(
                    error.to_string().contains(&part),
                    "{compression:?}: {error}"
                );
            }
        }
    }

    #[test]
    fn memory_that_a_header_asks_for_is_bounded() {
        // A window of 1 GiB.
        let bytes = [0x28, 0xb5, 0x2f, 0xfd, 0, 20 << 3, 1, 0, 0];
        let error = expanded(&bytes, Compression::Zstd).1.unwrap_err();
        assert!(error.to_string().contains("too much memory"), "{error}");
    }

    #[test]
    fn a_decoder_that_panics_is_damaged_data() {
        struct Panics;
        impl Read for Panics {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                panic!("a defect of the decoder");
            }
        }
        let mut reader = Expanding {
            decoder: Panics,
            name: "zstd",
            failure: None,
        };
        for _ in 0..2 {
            let error = reader.read(&mut [0; 9]).unwrap_err();
            assert!(error.to_string().ends_with("its decoder gave up"));
        }
    }

    proptest! {
        #[test]
        fn damaged_files_end(which in 0..2_usize, cut in 0..400_usize, at in 0..400_usize, byte: u8, tail in prop::collection::vec(any::<u8>(), 0..60)) {
            let text: String = (0..300).map(|n| format!("{n} {}\n", n * n % 97)).collect();
            let mut bytes = compressed(text.as_bytes(), ALL[which]);
            let place = at % bytes.len();
            bytes[place] = byte;
            let whole = bytes.len();
            bytes.truncate(whole.saturating_sub(cut));
            bytes.extend(tail);
            let mut reader = match expand(&*bytes, Some(ALL[which])) {
                Ok(reader) => reader.take(1 << 20),
                Err(error) => {
                    prop_assert_eq!(error.kind(), ErrorKind::InvalidData);
                    return Ok(());
                }
            };
            if let Err(error) = reader.read_to_end(&mut Vec::new()) {
                prop_assert_eq!(error.kind(), ErrorKind::InvalidData);
            }
        }
    }
}
