//! The hash of a file's bytes, by which a plan recognises a file that has changed.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use dupfind_read::source::read::open;

/// How many bytes are read at a time.
const CHUNK: usize = 256 << 10;

/// Returns the hash of a file's bytes as plans write it: `xxh3:` and 32 hexadecimal digits.
///
/// # Errors
///
/// The message of the operating system.
pub fn file_hash(path: &Path) -> io::Result<String> {
    hash(open(path)?)
}

fn hash(mut file: File) -> io::Result<String> {
    let mut hasher = Xxh3::new();
    let mut chunk = vec![0; CHUNK];
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Ok(written(hasher.digest128())),
            Ok(size) => hasher.update(&chunk[..size]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Returns the hash of some bytes.
#[must_use]
pub fn bytes_hash(bytes: &[u8]) -> String {
    written(xxhash_rust::xxh3::xxh3_128(bytes))
}

fn written(hash: u128) -> String {
    format!("xxh3:{hash:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_hash_of_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        for bytes in [vec![], b"text".to_vec(), vec![7; CHUNK * 2 + 1]] {
            std::fs::write(&path, &bytes).unwrap();
            assert_eq!(file_hash(&path).unwrap(), bytes_hash(&bytes));
        }
        assert!(file_hash(&folder.path().join("none")).is_err());
    }
}
