//! What else is in the files of exact copies: their texts are the same, and their files need not be. And the hashes of
//! files.

use crate::compare::sources::{SourceLine, Sources};
use dupfind_read::ReadOptions;
use dupfind_read::source::read::hash;
use std::io;
use std::path::Path;

/// How many characters of a line are quoted.
const QUOTED: usize = 80;

/// What is in the file of a document that goes and not in that of its copy, which stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileLoss {
    /// How many lines of the file that goes are not in the one that stays; `None` if it is not known.
    pub(super) lines: Option<usize>,
    /// Why the document may go, for people.
    pub(super) because: String,
}

impl FileLoss {
    /// Returns that of two files that have the same bytes.
    pub(super) fn of_same_bytes() -> Self {
        Self {
            lines: Some(0),
            because: "the same file, byte for byte".into(),
        }
    }

    /// Reads two files that differ.
    pub(super) fn of_files(keep: &Path, goes: &Path, options: &ReadOptions) -> Self {
        Self::of(Sources::read([keep, goes], options).as_ref())
    }

    fn of(sources: Option<&Sources>) -> Self {
        let Some(sources) = sources else {
            let because = "the same text; the files differ, and only their texts were compared";
            return Self {
                lines: None,
                because: because.into(),
            };
        };
        let (mut lines, mut example) = (0, None);
        for line in sources.only_in(1) {
            lines += 1;
            // The first line of front matter tells nothing.
            if !example.is_some_and(has_words) && (example.is_none() || has_words(line)) {
                example = Some(line);
            }
        }
        let because = match (example, lines) {
            _ if sources.are_same() => "the same file but for its encoding and white space".into(),
            (None, _) => match sources.only_in(0).next() {
                Some(_) => {
                    "the same text; each line of the file that goes is in the one that stays".into()
                }
                None => "the same text; the files have the same lines in another order".to_owned(),
            },
            (Some(line), 1) => format!(
                "the same text; 1 line of the file that goes is not in the one that stays: {}",
                quoted(line)
            ),
            (Some(line), _) => format!(
                "the same text; {lines} lines of the file that goes are not in the one that stays, such as: {}",
                quoted(line)
            ),
        };
        Self {
            lines: Some(lines),
            because,
        }
    }
}

fn has_words(line: SourceLine<'_>) -> bool {
    line.text.contains(char::is_alphanumeric)
}

/// Returns the beginning of a line.
fn quoted(line: SourceLine<'_>) -> String {
    match line.text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &line.text[..end]),
        None => line.text.to_owned(),
    }
}

/// Returns the hash of a file's bytes as plans write it: `xxh3:` and 32 hexadecimal digits.
///
/// # Errors
///
/// The message of the operating system.
pub fn file_hash(path: &Path) -> io::Result<String> {
    hash(path).map(written)
}

/// Returns the hash of some bytes.
pub fn bytes_hash(bytes: &[u8]) -> String {
    written(xxhash_rust::xxh3::xxh3_128(bytes))
}

fn written(hash: u128) -> String {
    format!("xxh3:{hash:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loss(keep: &str, goes: &str) -> (Option<usize>, String) {
        let sources = Sources::new([keep.into(), goes.into()]);
        let FileLoss { lines, because } = FileLoss::of(Some(&sources));
        (lines, because)
    }

    #[test]
    fn what_is_lost_is_told() {
        for (keep, goes, lines, because) in [
            (
                "a\nb",
                "a\r\n b",
                0,
                "the same file but for its encoding and white space",
            ),
            (
                "a\n<!-- x -->",
                "a",
                0,
                "the same text; each line of the file that goes is in the one that stays",
            ),
            (
                "a\nb",
                "b\na",
                0,
                "the same text; the files have the same lines in another order",
            ),
            (
                "a",
                "a\n<!-- x -->",
                1,
                "the same text; 1 line of the file that goes is not in the one that stays: <!-- x -->",
            ),
            (
                "a",
                "---\nweight: 1\n---\na",
                3,
                "the same text; 3 lines of the file that goes are not in the one that stays, such as: weight: 1",
            ),
            (
                "a",
                "a\n---\n***",
                2,
                "the same text; 2 lines of the file that goes are not in the one that stays, such as: ---",
            ),
        ] {
            assert_eq!(loss(keep, goes), (Some(lines), because.into()));
        }
        assert_eq!(FileLoss::of(None).lines, None);
    }

    #[test]
    fn long_lines_are_cut() {
        let (_, because) = loss("a", &format!("a\n{}", "长".repeat(QUOTED + 1)));
        assert!(
            because.ends_with(&format!(": {}…", "长".repeat(QUOTED))),
            "{because}"
        );
    }

    #[test]
    fn a_file_has_the_hash_of_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        for bytes in [vec![], b"text".to_vec(), vec![7; (64 << 10) * 2 + 1]] {
            std::fs::write(&path, &bytes).unwrap();
            assert_eq!(file_hash(&path).unwrap(), bytes_hash(&bytes));
        }
        assert!(file_hash(&folder.path().join("none")).is_err());
    }
}
