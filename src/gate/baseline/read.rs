//! Reads the file of a baseline: JSON Lines, the header and one entry a line.
//!
//! The file is merged by git and edited by people, so the order of lines, repeated entries and blank
//! lines are no damage. Everything else that is not understood is: what was meant as a reason or a date
//! must not be passed over.

use std::borrow::Cow;

use jiff::civil::Date;
use serde::Deserialize;

use crate::engine::outcome::Resemblance;
use crate::engine::relation::{Relation, Relations};
use crate::gate::baseline::content::{Content, Cut};
use crate::gate::baseline::entry::{Entry, Side};
use crate::gate::baseline::write::VERSION;
use crate::read;
use crate::read::extract::{self, Html};
use crate::read::format::Format;
use crate::text::han::Han;
use crate::text::units::ShingleUnit;

/// The largest file that is read, in bytes: some million entries.
pub(crate) const LARGEST: u64 = 1 << 29;

/// How many characters of an error message are kept.
const MESSAGE: usize = 200;

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Damage {
    /// In which line, from 1.
    pub(crate) line: usize,
    /// What, in words.
    pub(crate) reason: String,
}

/// What to do about the marks that git leaves where two branches changed the same lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Conflicts {
    /// They are damage: somebody has to choose.
    Refused,
    /// Take the entries of both sides: the file is about to be written anew.
    Joined,
}

/// Takes the bytes of a file and returns what it holds.
pub(crate) fn read(bytes: &[u8], conflicts: Conflicts) -> Result<Content, Damage> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut header: Option<Header> = None;
    let mut entries = Vec::new();
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let damage = |reason: String| Damage { line, reason };
        let text = str::from_utf8(text).map_err(|_| damage("not valid UTF-8".into()))?;
        let text = text.trim_ascii();
        if text.is_empty() {
            continue;
        }
        if is_mark(text) {
            match conflicts {
                Conflicts::Joined => continue,
                Conflicts::Refused => return Err(damage(CONFLICT.into())),
            }
        }
        if is_header(text) {
            let found = read_header(text).map_err(damage)?;
            match &header {
                Some(known) if *known != found && conflicts == Conflicts::Refused => {
                    return Err(damage("another header than the first one".into()));
                }
                Some(_) => {}
                None => header = Some(found),
            }
            continue;
        }
        match read_entry(text) {
            Ok(entry) => entries.push(entry),
            // A file of another kind is told from a damaged one by its first line.
            Err(_) if header.is_none() && entries.is_empty() => {
                return Err(damage(NO_BASELINE.into()));
            }
            Err(reason) => return Err(damage(reason)),
        }
    }
    let Some(Header { relations, cut }) = header else {
        let reason = NO_BASELINE.into();
        return Err(Damage { line: 1, reason });
    };
    Ok(Content::new(relations, cut, entries))
}

const CONFLICT: &str = "an unresolved conflict of a merge: keep the lines of both sides, or run with \
                        --update-baseline, which keeps the reasons of both";

const NO_BASELINE: &str =
    "this is no baseline: its first line is not the header {\"dupfind_baseline\":1,...}";

/// Whether a line is one of those that git puts around what conflicts.
fn is_mark(line: &str) -> bool {
    ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// Whether a line is meant as a header. Within a text in JSON the quotes would have backslashes.
fn is_header(line: &str) -> bool {
    line.starts_with('{') && line.contains("\"dupfind_baseline\"")
}

/// What the header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Header {
    relations: Relations,
    cut: Cut,
}

/// Of any version, those to come included.
#[derive(Deserialize)]
struct VersionLine {
    dupfind_baseline: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderLine<'l> {
    #[serde(rename = "dupfind_baseline")]
    _version: u64,
    #[serde(borrow)]
    relations: Vec<Cow<'l, str>>,
    #[serde(borrow)]
    shingle_unit: Cow<'l, str>,
    shingle_size: std::num::NonZeroUsize,
    #[serde(default)]
    fold_han: bool,
    #[serde(borrow)]
    html: Option<Cow<'l, str>>,
    #[serde(borrow)]
    markdown_code: Option<Cow<'l, str>>,
    #[serde(borrow)]
    record_format: Option<Cow<'l, str>>,
}

fn read_header(line: &str) -> Result<Header, String> {
    let version: VersionLine = serde_json::from_str(line).map_err(|error| in_words(&error))?;
    match version.dupfind_baseline {
        VERSION => {}
        newer if newer > VERSION => {
            return Err(format!(
                "written by a newer dupfind (version {newer} of the format; this one reads {VERSION}): \
                 use that one"
            ));
        }
        other => return Err(format!("there is no version {other} of the format")),
    }
    let header: HeaderLine<'_> = serde_json::from_str(line).map_err(|error| in_words(&error))?;
    let relations = header.relations.iter().map(|name| relation(name));
    let units = [ShingleUnit::Auto, ShingleUnit::Char, ShingleUnit::Word];
    let unit = units
        .into_iter()
        .find(|unit| unit.as_str() == header.shingle_unit);
    let usual = read::ReadOptions::default();
    let html = match &header.html {
        Some(name) => Html::named(name).ok_or("html: expected main, all or raw")?,
        None => usual.extract.html,
    };
    let skips_code = match header.markdown_code.as_deref() {
        Some("skip") => true,
        Some("text") => false,
        Some(_) => return Err("markdown_code: expected text or skip".into()),
        None => usual.extract.skips_code,
    };
    let record_format = match &header.record_format {
        Some(name) => Format::named(name).ok_or("record_format: no such format")?,
        None => usual.record_format,
    };
    Ok(Header {
        relations: relations.collect::<Result<_, _>>()?,
        cut: Cut {
            unit: unit.ok_or("shingle_unit: expected auto, char or word")?,
            size: header.shingle_size,
            han: Han::folded(header.fold_han),
            extract: extract::ExtractOptions { html, skips_code },
            record_format,
        },
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryLine<'l> {
    #[serde(borrow)]
    a: Cow<'l, str>,
    #[serde(borrow)]
    b: Cow<'l, str>,
    #[serde(borrow)]
    relation: Cow<'l, str>,
    jaccard: Option<f64>,
    hamming: Option<u8>,
    #[serde(borrow)]
    text_a: Cow<'l, str>,
    #[serde(borrow)]
    text_b: Cow<'l, str>,
    #[serde(borrow)]
    fingerprint_a: Option<Cow<'l, str>>,
    #[serde(borrow)]
    fingerprint_b: Option<Cow<'l, str>>,
    #[serde(borrow)]
    reason: Option<Cow<'l, str>>,
    #[serde(borrow)]
    expires: Option<Cow<'l, str>>,
}

fn read_entry(line: &str) -> Result<Entry, String> {
    let line: EntryLine<'_> = serde_json::from_str(line).map_err(|error| in_words(&error))?;
    let side = |name: Cow<'_, str>, text: &str, fingerprint: Option<&str>| {
        Ok::<_, String>(Side {
            name: name.into_owned(),
            text: hex(text)?,
            fingerprint: fingerprint.map(hex).transpose()?,
        })
    };
    let hamming = line.hamming.filter(|&distance| distance > 64);
    if let Some(distance) = hamming {
        return Err(format!("hamming: {distance} is more than 64 bits"));
    }
    let reason = line.reason.map(Cow::into_owned);
    Ok(Entry {
        a: side(line.a, &line.text_a, line.fingerprint_a.as_deref())?,
        b: side(line.b, &line.text_b, line.fingerprint_b.as_deref())?,
        relation: relation(&line.relation)?,
        jaccard: line.jaccard.map(similarity).transpose()?,
        hamming: line.hamming,
        reason: reason.filter(|reason| !reason.trim().is_empty()),
        expires: line.expires.as_deref().map(date).transpose()?,
    })
}

fn relation(name: &str) -> Result<Relation, String> {
    Relation::named(name).ok_or_else(|| {
        let names = Relation::ALL.map(Relation::as_str).join(", ");
        let name = shortened(name);
        format!("there is no relation '{name}': expected one of {names}")
    })
}

/// 16 hexadecimal digits.
fn hex(digits: &str) -> Result<u64, String> {
    let is_whole = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = is_whole.then(|| u64::from_str_radix(digits, 16).ok());
    number.flatten().ok_or_else(|| {
        let digits = shortened(digits);
        format!("'{digits}' is no hash: expected 16 hexadecimal digits")
    })
}

/// A number from 0 to 1 in ten-thousandths.
fn similarity(number: f64) -> Result<u16, String> {
    if !(0.0..=1.0).contains(&number) {
        return Err(format!("jaccard: {number} is not between 0 and 1"));
    }
    #[expect(clippy::cast_precision_loss, reason = "10,000")]
    let steps = (number * Resemblance::STEPS as f64).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and 10,000"
    )]
    Ok(steps as u16)
}

/// A day, written as `2027-03-31` and in no other way.
fn date(text: &str) -> Result<Date, String> {
    let date = text.parse().ok();
    date.filter(|date: &Date| date.to_string() == text)
        .ok_or_else(|| {
            let text = shortened(text);
            format!("expires: '{text}' is no date; expected one such as 2027-03-31")
        })
}

/// What the parser says, without the line that it counts from 1 for every line.
fn in_words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let words = match text.rfind(" at line ") {
        Some(at) => &text[..at],
        None => &text,
    };
    let column = error.column();
    if error.is_data() {
        shortened(words)
    } else {
        format!("damaged JSON in column {column}: {}", shortened(words))
    }
}

/// The first characters of what may be very long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MESSAGE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HEADER: &str = r#"{"dupfind_baseline":1,"relations":["exact","near"],"shingle_unit":"auto","shingle_size":3}"#;
    const ENTRY: &str = r#"{"a":"a.md","b":"b.md","relation":"near","jaccard":0.9312,"hamming":2,"text_a":"00000000000000ab","text_b":"ffffffffffffffff","fingerprint_a":"0000000000000001","fingerprint_b":"0000000000000002","reason":"translations","expires":"2027-03-31"}"#;

    fn written(content: &Content) -> Vec<u8> {
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
            let [entry] = content.entries() else {
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
                "expected auto, char or word",
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
            (format!("{HEADER}\n{}", &ENTRY[..40]), 2, "damaged JSON"),
            (with("reason", "reasn"), 3, "unknown field `reasn`"),
            (with("expires", "reason"), 3, "duplicate field `reason`"),
            (with("\"b\":\"b.md\",", ""), 3, "missing field `b`"),
            (with("near", "nearly"), 3, "no relation 'nearly'"),
            (with("0.9312", "93.12"), 3, "93.12 is not between 0 and 1"),
            (with("0.9312", "-0.1"), 3, "-0.1 is not between 0 and 1"),
            (
                with("\"hamming\":2", "\"hamming\":65"),
                3,
                "more than 64 bits",
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
        assert_eq!(content.entries().len(), 2);
    }

    fn sides() -> impl Strategy<Value = Side> {
        let names = prop_oneof!["[a-c/]{1,3}", ".{0,20}"];
        (names, any::<u64>(), any::<Option<u64>>()).prop_map(|(name, text, fingerprint)| Side {
            name,
            text,
            fingerprint,
        })
    }

    fn entries() -> impl Strategy<Value = Entry> {
        let dates = (1_i16..9999, 1_i8..13, 1_i8..29);
        (
            (sides(), sides()),
            prop::sample::select(Relation::ALL.to_vec()),
            prop::option::of(0_u16..=10_000),
            prop::option::of(0_u8..=64),
            prop::option::of("x.{0,20}"),
            prop::option::of(dates.prop_map(|(y, m, d)| jiff::civil::date(y, m, d))),
        )
            .prop_map(
                |((a, b), relation, jaccard, hamming, reason, expires)| Entry {
                    a,
                    b,
                    relation,
                    jaccard,
                    hamming,
                    reason,
                    expires,
                },
            )
    }

    fn contents() -> impl Strategy<Value = Content> {
        let html = prop::sample::select(vec![Html::Main, Html::All, Html::Raw]);
        let formats = prop::sample::select(vec![Format::Text, Format::Markdown, Format::Html]);
        let cuts = (any::<bool>(), html, any::<bool>(), formats);
        let cuts = cuts.prop_map(|(folds, html, skips_code, record_format)| Cut {
            unit: ShingleUnit::Word,
            size: std::num::NonZeroUsize::new(4).unwrap(),
            han: Han::folded(folds),
            extract: extract::ExtractOptions { html, skips_code },
            record_format,
        });
        let relations = prop::sample::subsequence(Relation::ALL.to_vec(), 0..=6);
        let entries = prop::collection::vec(entries(), 0..8);
        (relations, cuts, entries).prop_map(|(relations, cut, entries)| {
            Content::new(relations.into_iter().collect(), cut, entries)
        })
    }

    proptest! {
        #[test]
        fn what_is_written_can_be_read(content in contents()) {
            let bytes = written(&content);
            prop_assert_eq!(read(&bytes, Conflicts::Refused), Ok(content.clone()));
            prop_assert_eq!(bytes.iter().filter(|&&b| b == b'\n').count(), content.entries().len() + 1);
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
