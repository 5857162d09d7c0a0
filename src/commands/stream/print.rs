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
mod tests;
