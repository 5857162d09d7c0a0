//! Reads the file of a baseline: JSON Lines, the header and one accepted pair a line.
//!
//! The file is merged by git and edited by people, so lines may come in any order, a pair may come twice,
//! and lines may be blank. Everything else that is not understood is an error: what was meant as a reason
//! or a date must not be lost.

use crate::gate::baseline::accepted_pair::AcceptedPair;
use crate::gate::baseline::content::BaselineContent;
use crate::gate::baseline::lines::{BaselineHeader, read_header, read_pair};

/// The largest file that is read, in bytes: some million entries.
pub const LARGEST: u64 = 1 << 29;

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// In which line, from 1.
    pub line: usize,
    /// What is wrong, in words.
    pub reason: String,
}

/// What to do about the marks that git leaves where two branches changed the same lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflicts {
    /// They are an error: somebody has to choose.
    Refused,
    /// The pairs of both sides are taken: the file is about to be written anew.
    Joined,
}

/// Returns what the bytes of a file hold, or the error in the first wrong line.
pub fn read(bytes: &[u8], conflicts: Conflicts) -> Result<BaselineContent, Damage> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut lines = LineReader {
        conflicts,
        header: None,
        pairs: Vec::new(),
    };
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let text = str::from_utf8(text).map_err(|_| "not valid UTF-8".into());
        let added = text.and_then(|text| lines.add(text.trim_ascii()));
        added.map_err(|reason| Damage { line, reason })?;
    }
    match lines.header {
        Some(BaselineHeader { relations, cut }) => {
            Ok(BaselineContent::new(relations, cut, lines.pairs))
        }
        None => Err(Damage {
            line: 1,
            reason: NO_BASELINE.into(),
        }),
    }
}

/// What the lines so far hold.
struct LineReader {
    conflicts: Conflicts,
    header: Option<BaselineHeader>,
    pairs: Vec<AcceptedPair>,
}

impl LineReader {
    fn add(&mut self, line: &str) -> Result<(), String> {
        if line.is_empty() {
            return Ok(());
        }
        if is_mark(line) {
            return match self.conflicts {
                Conflicts::Joined => Ok(()),
                Conflicts::Refused => Err(CONFLICT.into()),
            };
        }
        if is_header(line) {
            let header = read_header(line)?;
            let first = *self.header.get_or_insert(header);
            return match self.conflicts {
                Conflicts::Refused if first != header => {
                    Err("another header than the first one".into())
                }
                _ => Ok(()),
            };
        }
        match read_pair(line) {
            Ok(pair) => self.pairs.push(pair),
            // A file of another kind is distinguished from a damaged one by its first line.
            Err(_) if self.header.is_none() && self.pairs.is_empty() => {
                return Err(NO_BASELINE.into());
            }
            Err(reason) => return Err(reason),
        }
        Ok(())
    }
}

const CONFLICT: &str = "an unresolved conflict of a merge: keep the lines of both sides, or run with \
                        --update-baseline, which keeps the reasons of both";

const NO_BASELINE: &str =
    "this is no baseline: its first line is not the header {\"dupfind_baseline\":1,...}";

/// Whether a line is a mark that git puts around a conflict.
fn is_mark(line: &str) -> bool {
    ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// Whether a line is meant as a header. In a JSON text the quotes would have backslashes.
fn is_header(line: &str) -> bool {
    line.starts_with('{') && line.contains("\"dupfind_baseline\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::baseline::accepted_pair::DocumentIdentity;
    use crate::gate::baseline::content::Cut;
    use crate::gate::baseline::lines::MESSAGE;
    use dupfind_engine::text::units::ShingleUnit;
    use dupfind_engine::verdict::Relation;
    use dupfind_read::extract::{ExtractOptions, Html};
    use dupfind_read::format::Format;
    use proptest::prelude::*;

    const HEADER: &str = r#"{"dupfind_baseline":1,"relations":["exact","near"],"shingle_unit":"auto","shingle_size":3}"#;
    const ENTRY: &str = r#"{"a":"a.md","b":"b.md","relation":"near","jaccard":0.9312,"hamming":2,"text_a":"00000000000000ab","text_b":"ffffffffffffffff","fingerprint_a":"0000000000000001","fingerprint_b":"0000000000000002","reason":"translations","expires":"2027-03-31"}"#;

    fn written(content: &BaselineContent) -> Vec<u8> {
        let mut bytes = Vec::new();
        content.write(&mut bytes).unwrap();
        bytes
    }

    fn damage(text: &str) -> (usize, String) {
        let Damage { line, reason } = read(text.as_bytes(), Conflicts::Refused).unwrap_err();
        (line, reason)
    }

    #[test]
    fn what_is_written_is_one_pair_a_line() {
        let text = format!("{HEADER}\n{ENTRY}\n");
        let content = read(text.as_bytes(), Conflicts::Refused).unwrap();
        assert_eq!(String::from_utf8(written(&content)).unwrap(), text);
    }

    #[test]
    fn what_editors_and_merges_leave_is_no_damage() {
        let second = ENTRY.replace("b.md", "c.md");
        let turned = r#"{"relation":"near","b":"a.md","a":"c.md","text_a":"ffffffffffffffff","text_b":"00000000000000ab"}"#;
        let expected = read(
            format!("{HEADER}\n{ENTRY}\n{second}\n").as_bytes(),
            Conflicts::Refused,
        );
        for text in [
            format!("\u{feff}{HEADER}\r\n{ENTRY}\r\n{second}"),
            format!("\n{second}\n\n{HEADER}\n  {ENTRY}\n{HEADER}\n{second}\n{ENTRY}\n"),
            format!("{HEADER}\n{turned}\n{ENTRY}\n{second}\n"),
        ] {
            assert_eq!(
                read(text.as_bytes(), Conflicts::Refused),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn entries_of_one_pair_are_joined() {
        let more = ENTRY.replace("0.9312", "0.95").replace("ab\"", "ac\"");
        let plain = more.replace(r#","reason":"translations","expires":"2027-03-31""#, "");
        let earlier = plain
            .replace("0.95", "0.5")
            .replace('}', r#","expires":"2026-01-01"}"#);
        let lines = [ENTRY, &plain, &earlier];
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            let [x, y, z] = order.map(|at| lines[at]);
            let text = format!("{HEADER}\n{x}\n{y}\n{z}\n");
            let content = read(text.as_bytes(), Conflicts::Refused).unwrap();
            let [entry] = content.pairs() else {
                panic!("{content:?}");
            };
            assert_eq!((entry.jaccard, entry.a.text), (Some(9_500), 0xac), "{text}");
            assert_eq!(entry.reason.as_deref(), Some("translations"));
            assert_eq!(entry.expires, Some(jiff::civil::date(2026, 1, 1)));
        }
    }

    #[test]
    fn damage_is_named_with_its_line() {
        let with = |from: &str, to: &str| format!("{HEADER}\n\n{}", ENTRY.replacen(from, to, 1));
        for (text, line, part) in [
            (String::new(), 1, "this is no baseline"),
            ("# Title\n".into(), 1, "this is no baseline"),
            (
                "\n\n{\"text\":\"a record\"}".into(),
                3,
                "this is no baseline",
            ),
            (ENTRY.into(), 1, "this is no baseline"),
            (
                HEADER.replace(":1,", ":2,\"x\":[],"),
                1,
                "a newer dupfind (version 2",
            ),
            (HEADER.replace(":1,", ":0,"), 1, "no version 0"),
            (HEADER.replace(":1,", ":-1,"), 1, "invalid value"),
            (
                HEADER.replace("near", "far"),
                1,
                "no relation 'far': expected one of exact, near",
            ),
            (
                HEADER.replace("auto", "byte"),
                1,
                "expected auto, char, word or ocr",
            ),
            (HEADER.replace("size\":3", "size\":0"), 1, "nonzero"),
            (
                HEADER.replace("size\":3", "size\":3,\"more\":1"),
                1,
                "unknown field `more`",
            ),
            (
                format!("{HEADER}\n{}", HEADER.replace(":3", ":4")),
                2,
                "another header",
            ),
            (
                format!("{HEADER}\n<<<<<<< HEAD\n{ENTRY}"),
                2,
                "unresolved conflict",
            ),
            (
                format!("{HEADER}\n{ENTRY}\n>>>>>>> branch"),
                3,
                "unresolved conflict",
            ),
            (
                with(r#","relation""#, r#""relation""#),
                3,
                "damaged JSON in column",
            ),
            (
                format!("{HEADER}\n{}", &ENTRY[..40]),
                2,
                "damaged JSON: the line is cut off",
            ),
            (format!("{HEADER}\n{{\"a\":1"), 2, "the line is cut off"),
            (with("reason", "reasn"), 3, "unknown field `reasn`"),
            (with("expires", "reason"), 3, "duplicate field `reason`"),
            (with("\"b\":\"b.md\",", ""), 3, "missing field `b`"),
            (with("near", "nearly"), 3, "no relation 'nearly'"),
            (with("0.9312", "93.12"), 3, "93.12 is not between 0 and 1"),
            (with("0.9312", "-0.1"), 3, "-0.1 is not between 0 and 1"),
            (
                with("\"hamming\":2", "\"hamming\":129"),
                3,
                "more than 128 bits",
            ),
            (with("00000000000000ab", "ab"), 3, "'ab' is no hash"),
            (
                with("00000000000000ab", "+0000000000000ab"),
                3,
                "is no hash",
            ),
            (
                with("2027-03-31", "2027-02-29"),
                3,
                "'2027-02-29' is no date; expected",
            ),
            (with("2027-03-31", "31.3.2027"), 3, "is no date"),
            (with("2027-03-31", "20270331"), 3, "is no date"),
            (with("2027-03-31", "2027-03-31T12:00"), 3, "is no date"),
            (with("near", &"y".repeat(999)), 3, "yyy…'"),
        ] {
            let (found, reason) = damage(&text);
            assert!(reason.contains(part), "{text}: {reason}");
            assert_eq!(found, line, "{text}: {reason}");
            assert!(reason.chars().count() < 2 * MESSAGE, "{reason}");
        }
        let damaged = [HEADER.as_bytes(), b"\n\xff\n"].concat();
        let reason = "not valid UTF-8".into();
        assert_eq!(
            read(&damaged, Conflicts::Refused),
            Err(Damage { line: 2, reason })
        );
    }

    #[test]
    fn both_sides_of_a_conflict_are_taken_to_be_written_anew() {
        let other = ENTRY.replace("b.md", "c.md");
        let text = format!(
            "{HEADER}\n<<<<<<< HEAD\n{ENTRY}\n||||||| base\n=======\n{other}\n>>>>>>> branch\n"
        );
        let content = read(text.as_bytes(), Conflicts::Joined).unwrap();
        assert_eq!(content.pairs().len(), 2);
    }

    fn sides() -> impl Strategy<Value = DocumentIdentity> {
        let names = prop_oneof!["[a-c/]{1,3}", ".{0,20}"];
        (names, any::<u64>(), any::<Option<u64>>()).prop_map(|(name, text, fingerprint)| {
            DocumentIdentity {
                name,
                text,
                fingerprint,
            }
        })
    }

    fn entries() -> impl Strategy<Value = AcceptedPair> {
        let dates = (1_i16..9999, 1_i8..13, 1_i8..29);
        (
            (sides(), sides()),
            prop::sample::select(Relation::ALL.to_vec()),
            prop::option::of(0_u16..=10_000),
            prop::option::of(0_u8..=64),
            prop::option::of("x.{0,20}"),
            prop::option::of(dates.prop_map(|(y, m, d)| jiff::civil::date(y, m, d))),
        )
            .prop_map(|((a, b), relation, jaccard, hamming, reason, expires)| {
                AcceptedPair {
                    a,
                    b,
                    relation,
                    jaccard,
                    hamming,
                    reason,
                    expires,
                }
            })
    }

    fn contents() -> impl Strategy<Value = BaselineContent> {
        let html = prop::sample::select(vec![Html::Main, Html::All, Html::Raw]);
        let formats = prop::sample::select(vec![Format::Text, Format::Markdown, Format::Html]);
        let cuts = (html, any::<bool>(), formats);
        let cuts = cuts.prop_map(|(html, skips_code, record_format)| Cut {
            unit: ShingleUnit::Word,
            size: std::num::NonZeroUsize::new(4).unwrap(),
            extract: ExtractOptions { html, skips_code },
            record_format,
        });
        let relations = prop::sample::subsequence(Relation::ALL.to_vec(), 0..=6);
        let entries = prop::collection::vec(entries(), 0..8);
        (relations, cuts, entries).prop_map(|(relations, cut, entries)| {
            BaselineContent::new(relations.into_iter().collect(), cut, entries)
        })
    }

    proptest! {
        #[test]
        fn what_is_written_can_be_read(content in contents()) {
            let bytes = written(&content);
            prop_assert_eq!(read(&bytes, Conflicts::Refused), Ok(content.clone()));
            prop_assert_eq!(bytes.iter().filter(|&&b| b == b'\n').count(), content.pairs().len() + 1);
        }

        #[test]
        fn random_bytes_are_no_baseline(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(read(&bytes, Conflicts::Refused).is_err());
            prop_assert!(read(&bytes, Conflicts::Joined).is_err());
        }

        #[test]
        fn damaged_files_are_read_or_refused(
            content in contents(),
            damages in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        ) {
            let mut bytes = written(&content);
            for (at, byte) in damages {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            for conflicts in [Conflicts::Refused, Conflicts::Joined] {
                if let Ok(content) = read(&bytes, conflicts) {
                    prop_assert_eq!(read(&written(&content), conflicts), Ok(content));
                }
            }
        }
    }
}
