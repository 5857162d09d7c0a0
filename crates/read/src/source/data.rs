//! Files of text that hold data and nothing to read: they are documents only if the user names them.

use std::io::Read;
use std::path::Path;

use crate::source::read::open;

/// How their names end.
const ENDS: [&str; 10] = [
    ".drawio",
    ".excalidraw",
    ".lock",
    ".map",
    ".min.css",
    ".min.js",
    ".min.json",
    ".sarif",
    ".svg",
    ".tfstate",
];

/// Their names.
const NAMES: [&str; 6] = [
    "bun.lockb",
    "go.sum",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "packages.lock.json",
    "pnpm-lock.yaml",
];

/// Whether a file holds data, by its name.
pub(super) fn is_data(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    NAMES.contains(&&*name) || ENDS.iter().any(|end| name.ends_with(end))
}

/// The longest line of JSON that people write, in bytes.
const LONGEST_LINE: usize = 1_000;

/// In data, at least one in so many characters is a sign of JSON or a digit. In JSON that holds a text it is one in
/// twenty.
const PER_SIGN: usize = 8;

/// Whether a text is JSON that was written by a program: one long line that is no prose.
pub(super) fn is_minified_json(text: &str) -> bool {
    let text = text.trim();
    if text.len() <= LONGEST_LINE || !text.starts_with(['{', '[']) || text.contains('\n') {
        return false;
    }
    let is_sign = |c: &char| "{}[]\":,".contains(*c) || c.is_ascii_digit();
    text.chars().filter(is_sign).count() * PER_SIGN >= text.chars().count()
}

/// The beginnings of those reports of this program that look like a file of records: CSV, JSON Lines and plans.
pub const REPORTS_OF_RECORDS: [&str; 9] = [
    // csv, csv-excel
    "a,b,jaccard,hamming,",
    "\u{feff}\"a\",\"b\",\"jaccard\",",
    // jsonl
    "{\"type\":\"pair\",",
    "{\"type\":\"cluster\",",
    "{\"type\":\"skipped\",",
    "{\"type\":\"summary\",",
    // plan; people delete lines of it
    "{\"type\":\"plan\",",
    "{\"type\":\"drop\",",
    "{\"type\":\"unresolved\",",
];

/// The beginnings of other files of records that this program writes: baselines, verdicts, and the passages of `reuse`.
const OTHER_RECORDS: [&str; 4] = [
    "{\"dupfind_baseline\":",
    "{\n  \"schema_version\": 1,\n  \"kind\": \"dupfind",
    "{\"keep\":\"",
    "group,kind,blocks,units,copies,",
];

/// What a page of this program has in its head.
pub const OWN_PAGE: &str = "<meta name=\"generator\" content=\"dupfind";

/// How fingerprints as JSON Lines begin, and what follows in the first line.
pub const FINGERPRINTS: [&str; 2] = ["{\"path\":\"", "\",\"fingerprint\":"];

/// The beginning of a report in JSON, and the name of the program in its next line.
pub const JSON_REPORT: [&str; 2] = ["{\n\"schema_version\": ", "\"tool\": {\"name\":\"dupfind\""];

/// How many bytes of a file are looked at.
const LOOKED_AT: u64 = 4 << 10;

/// Whether a file of records was written by this program. A file that cannot be read was not.
pub(super) fn is_own_output(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = open(path).and_then(|file| file.take(LOOKED_AT).read_to_end(&mut head));
    read.is_ok() && is_head_of_own_output(&String::from_utf8_lossy(&head))
}

/// Returns whether a file that begins so was written by this program: a report, a plan, a file of accepted pairs.
#[must_use]
pub fn is_head_of_own_output(head: &str) -> bool {
    let first = head.lines().next().unwrap_or_default();
    let begins =
        |[start, then]: [&str; 2], text: &str| text.starts_with(start) && text.contains(then);
    REPORTS_OF_RECORDS
        .iter()
        .chain(&OTHER_RECORDS)
        .any(|start| head.starts_with(start))
        || begins(FINGERPRINTS, first)
        || begins(JSON_REPORT, head)
}

#[cfg(test)]
mod tests;
