//! The line that is printed for a record.

use std::borrow::Cow;
use std::io::{self, Write};

use dupfind_read::records::endless::Line;
use dupfind_read::records::json::Entries;
use memchr::memmem;
use serde::Serialize;

use crate::commands::stream::args::StreamArgs;

/// The verdict on a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RecordVerdict {
    /// How many of its parts were seen before, and how many it has; none for a record without parts.
    pub(crate) seen: Option<(u32, u32)>,
    pub(crate) is_duplicate: bool,
}

/// A share is shown with four decimals.
const DECIMALS: u64 = 10_000;

impl RecordVerdict {
    /// The verdict on a record without parts.
    pub(crate) const UNJUDGED: Self = Self {
        seen: None,
        is_duplicate: false,
    };

    /// Returns the share that was seen, as JSON. It is rounded down, so that 1.0000 is all of it.
    fn share(self) -> String {
        match self.seen {
            None => "null".into(),
            Some((seen, all)) => {
                let share = u64::from(seen) * DECIMALS / u64::from(all.max(1));
                format!("{}.{:04}", share / DECIMALS, share % DECIMALS)
            }
        }
    }
}

/// How records are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The record with two keys added.
    Judged,
    /// The verdict alone.
    Verdict,
    /// The record as it came, if it is new.
    New,
}

impl Form {
    /// Returns the form that was requested.
    pub(crate) fn of(args: &StreamArgs) -> Self {
        match (args.filter, args.verdicts) {
            (true, _) => Self::New,
            (_, true) => Self::Verdict,
            _ => Self::Judged,
        }
    }

    /// Writes the line for a record.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub(crate) fn print(
        self,
        line: Line<'_>,
        id: Option<&str>,
        verdict: RecordVerdict,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let (share, is_duplicate) = (verdict.share(), verdict.is_duplicate);
        let Ok(content) = line.content else {
            return Ok(());
        };
        match self {
            Self::New if is_duplicate => Ok(()),
            Self::New => {
                out.write_all(content)?;
                out.write_all(line.end)
            }
            Self::Judged => {
                // The keys are added to the bytes of the record, so that its numbers, escapes and order of keys stay
                // as they are. The last brace is its end.
                let replaced = without_verdict(content);
                let content = replaced.as_deref().unwrap_or(content);
                let end = content.iter().rposition(|&byte| byte == b'}');
                let (record, rest) = content.split_at(end.unwrap_or(content.len()));
                out.write_all(record)?;
                let is_empty = record.trim_ascii_end().ends_with(b"{");
                let comma = if is_empty { "" } else { "," };
                write!(out, "{comma}\"seen\":{share},\"duplicate\":{is_duplicate}")?;
                out.write_all(rest)?;
                out.write_all(b"\n")
            }
            Self::Verdict => {
                #[derive(Serialize)]
                struct Named<'i> {
                    line: u64,
                    id: Option<&'i str>,
                }
                let number = line.number;
                let named = serde_json::to_string(&Named { line: number, id })?;
                let named = named.trim_end_matches('}');
                writeln!(
                    out,
                    "{named},\"seen\":{share},\"duplicate\":{is_duplicate}}}"
                )
            }
        }
    }
}

/// Returns a record without its own values of the keys that are added, or nothing if it has neither of them. A key may
/// be written with escapes.
fn without_verdict(record: &[u8]) -> Option<Vec<u8>> {
    const ADDED: [&str; 2] = ["seen", "duplicate"];
    // Letters are escaped as `\u00..`.
    let mut signs = ADDED.iter().chain(&["\\u00"]);
    if signs.all(|sign| memmem::find(record, sign.as_bytes()).is_none()) {
        return None;
    }
    let Entries(mut entries) = serde_json::from_slice(record).ok()?;
    let count = entries.len();
    entries.retain(|(key, _)| {
        let name: Option<Cow<'_, str>> = serde_json::from_str(key.get()).ok();
        name.is_none_or(|name| !ADDED.contains(&&*name))
    });
    if entries.len() == count {
        return None;
    }
    let mut out = Vec::with_capacity(record.len());
    for (key, value) in entries {
        out.push(if out.is_empty() { b'{' } else { b',' });
        out.extend_from_slice(key.get().as_bytes());
        out.push(b':');
        out.extend_from_slice(value.get().as_bytes());
    }
    out.extend_from_slice(if out.is_empty() { b"{}" } else { b"}" });
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(form: Form, content: &[u8], seen: Option<(u32, u32)>, is_duplicate: bool) -> String {
        let line = Line {
            number: 7,
            content: Ok(content),
            end: b"\r\n",
        };
        let verdict = RecordVerdict { seen, is_duplicate };
        let mut out = Vec::new();
        form.print(line, Some("a\"}"), verdict, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn records_stay_as_they_are() {
        let record = br#"{"n":1.0e2,"text":"\u4e2d}"} "#;
        assert_eq!(
            printed(Form::Judged, record, Some((2, 3)), true),
            "{\"n\":1.0e2,\"text\":\"\\u4e2d}\",\"seen\":0.6666,\"duplicate\":true} \n"
        );
        assert_eq!(
            printed(Form::Verdict, record, None, false),
            "{\"line\":7,\"id\":\"a\\\"}\",\"seen\":null,\"duplicate\":false}\n"
        );
        assert_eq!(printed(Form::New, b"{ }", Some((9, 9)), false), "{ }\r\n");
        assert_eq!(printed(Form::New, b"{ }", Some((9, 9)), true), "");
    }

    #[test]
    fn keys_of_the_verdict_are_written_once() {
        let record =
            br#"{"seen":1, "n": 1.0e2,"text":"a \"seen\"", "duplicate":{"seen":2},"\u00e9":[ ]}"#;
        assert_eq!(
            printed(Form::Judged, record, Some((1, 2)), false),
            "{\"n\":1.0e2,\"text\":\"a \\\"seen\\\"\",\"\\u00e9\":[ ],\"seen\":0.5000,\"duplicate\":false}\n"
        );
        let record = br#"{"te\u0078t":"a","s\u0065en":1,"\u0064uplicate":true,"b":"\u00e9"}"#;
        assert_eq!(
            printed(Form::Judged, record, None, true),
            "{\"te\\u0078t\":\"a\",\"b\":\"\\u00e9\",\"seen\":null,\"duplicate\":true}\n"
        );
        for record in [&b"{ }"[..], br#"{"seen":1}"#] {
            let printed = printed(Form::Judged, record, None, false);
            let value: serde_json::Value = serde_json::from_str(&printed).unwrap();
            assert_eq!(value, serde_json::json!({"seen": null, "duplicate": false}));
        }
        let record = br#"{"text":"the duplicate was seen"}"#;
        assert_eq!(
            printed(Form::Judged, record, None, false),
            "{\"text\":\"the duplicate was seen\",\"seen\":null,\"duplicate\":false}\n"
        );
    }

    #[test]
    fn shares_are_rounded_down() {
        for (seen, share) in [
            (Some((0, 5)), "0.0000"),
            (Some((99_999, 100_000)), "0.9999"),
            (Some((5, 5)), "1.0000"),
            (Some((u32::MAX, u32::MAX)), "1.0000"),
            (None, "null"),
        ] {
            let verdict = RecordVerdict {
                seen,
                is_duplicate: false,
            };
            assert_eq!(verdict.share(), share);
        }
    }
}
