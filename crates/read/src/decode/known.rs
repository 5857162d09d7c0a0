//! Formats that are no text, by their first bytes.

use crate::skipped::Wording;

/// The first and the last bytes of a file of Parquet.
pub const PARQUET_MAGIC: [u8; 4] = *b"PAR1";

/// How a pointer of Git LFS begins, and how many bytes it may have.
const LFS: (&[u8], usize) = (b"version https://git-lfs.github.com/spec/", 1024);

/// Returns whether a file is a pointer of Git LFS to the content that it should have.
#[must_use]
pub fn is_lfs_pointer(bytes: &[u8]) -> bool {
    bytes.len() < LFS.1 && bytes.starts_with(LFS.0)
}

/// Returns the format of a file that is no text, with advice on how to read it, if its first bytes show the format.
/// Some of these formats have no NUL for a long time.
#[must_use]
pub fn known_binary(bytes: &[u8], wording: &Wording) -> Option<&'static str> {
    Some(match bytes {
        [b'%', b'P', b'D', b'F', b'-', b'0'..=b'9', ..] => wording.pdf,
        [b'P', b'K', 3 | 5, 4 | 6, ..] => {
            "a zip archive: office files are read if their names end as usual, such as .docx"
        }
        // A column begins behind the name.
        [a, b, c, d, 0x15, ..] if [*a, *b, *c, *d] == PARQUET_MAGIC => {
            "a Parquet file: it is read if its name ends in .parquet"
        }
        [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, ..] => wording.old_office,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_of_git_lfs() {
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:6b86\nsize 10137\n";
        assert!(is_lfs_pointer(pointer.as_bytes()));
        let page = format!("{pointer}{}", "words of a page about it ".repeat(50));
        for text in ["", "version 1", &page, &format!("# LFS\n{pointer}")] {
            assert!(!is_lfs_pointer(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn formats_that_are_no_text() {
        for (bytes, part) in [
            (&b"%PDF-1.7\n%"[..], "a PDF"),
            (b"PK\x03\x04\x14", "a zip archive"),
            (b"PK\x05\x06", "a zip archive"),
            (b"PAR1\x15\x04", "a Parquet file"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Office 97"),
        ] {
            let known = known_binary(bytes, &Wording::default());
            assert!(known.is_some_and(|known| known.contains(part)));
        }
        for text in [
            "%PDF- is how they begin",
            "PK was here",
            "PAR1 is a word",
            "",
            "text",
        ] {
            assert_eq!(
                known_binary(text.as_bytes(), &Wording::default()),
                None,
                "{text}"
            );
        }
    }
}
