//! Files of text that hold data and nothing to read: they are documents only if the user names them.

use std::path::Path;

use crate::format::Format;
use crate::source::read::head;

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

/// The beginnings of the files of this program that look like a file of records.
const RECORDS: [&str; 14] = [
    // csv; csv-excel in English and Chinese
    "a,b,jaccard,hamming,",
    "\u{feff}\"a\",\"b\",\"jaccard\",",
    "\u{feff}\"文档 A\",\"文档 B\",\"Jaccard",
    // jsonl
    "{\"type\":\"pair\",",
    "{\"type\":\"cluster\",",
    "{\"type\":\"skipped\",",
    "{\"type\":\"summary\",",
    // plan; people delete lines of it
    "{\"type\":\"plan\",",
    "{\"type\":\"drop\",",
    "{\"type\":\"unresolved\",",
    // baselines, verdicts, and the passages of `reuse`
    "{\"dupfind_baseline\":",
    "{\n  \"schema_version\": 1,\n  \"kind\": \"dupfind",
    "{\"keep\":\"",
    "group,kind,blocks,units,copies,",
];

/// Why what this program wrote is not compared.
pub(crate) const OWN_OUTPUT: &str = "a file that dupfind wrote";

/// What a page of this program has in its head.
pub const OWN_PAGE: &str = "<meta name=\"generator\" content=\"dupfind";

/// How fingerprints as JSON Lines begin, and what follows in the first line.
const FINGERPRINTS: [&str; 2] = ["{\"path\":\"", "\",\"fingerprint\":"];

/// The beginning of a report in JSON, and the name of the program in its next line.
const JSON_REPORT: [&str; 2] = ["{\n\"schema_version\": ", "\"tool\": {\"name\":\"dupfind\""];

/// How a report in Markdown begins.
pub const MARKDOWN_REPORT: &str = "<!-- dupfind -->";

/// What SARIF of this program has in its head.
const SARIF_REPORT: &str = "\"driver\":{\"name\":\"dupfind\"";

/// What a report for GitLab has in its head.
const GITLAB_REPORT: &str = "\"check_name\":\"dupfind/";

/// Words of the line that sums a list up, of answers of an index, and of passages; and the beginning and other words of the same
/// lines in Chinese. A line without a beginning here begins with a number.
const SUMS_UP: [[&str; 2]; 7] = [
    ["", "document compared"],
    ["", "documents compared"],
    ["", " asked about, "],
    ["", " units are copies"],
    ["", " 个字词中有 "],
    ["比较了 ", " 篇文档"],
    ["查询了 ", "，索引中有 "],
];

/// The line that sums up is among so many last ones: notes and a command may follow.
const LAST_LINES: usize = 7;

/// How many bytes of a file are looked at.
const LOOKED_AT: u64 = 4 << 10;

/// Whether a file of records was written by this program. A file that cannot be read was not.
pub(super) fn is_own_output(path: &Path) -> bool {
    let head = head(path, LOOKED_AT);
    head.is_ok_and(|head| is_head_of_own_output(&String::from_utf8_lossy(&head)))
}

/// Returns whether a file that begins so was written by this program: a report, a plan, a file of accepted pairs.
pub fn is_head_of_own_output(head: &str) -> bool {
    let first = head.lines().next().unwrap_or_default();
    let begins =
        |[start, then]: [&str; 2], text: &str| text.starts_with(start) && text.contains(then);
    RECORDS.iter().any(|start| head.starts_with(start))
        || begins(FINGERPRINTS, first)
        || begins(JSON_REPORT, head)
        || head.starts_with(MARKDOWN_REPORT)
        || head.starts_with('{') && head.contains(SARIF_REPORT)
        || head.starts_with('[') && head.contains(GITLAB_REPORT)
        || head.starts_with("::") && first.contains("title=") && first.contains("dupfind")
        || is_of_plan(first)
}

/// Returns whether a text that may be read as a page was written or printed by this program.
pub(crate) fn is_own_page(content: &str, format: Format) -> bool {
    let head = content.get(..4 << 10).unwrap_or(content);
    match format {
        Format::Html => head.contains(OWN_PAGE),
        Format::Markdown | Format::Text => is_head_of_own_output(head) || is_own_print(content),
        _ => false,
    }
}

/// Returns whether a line is one of a plan, however its JSON is written: another program may have read it and written it.
fn is_of_plan(line: &str) -> bool {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(line) else {
        return false;
    };
    let kinds = [
        ("plan", "schema_version"),
        ("drop", "keep"),
        ("unresolved", "document"),
    ];
    let is_of = |(kind, key): &(&str, &str)| value["type"] == *kind && value.get(key).is_some();
    kinds.iter().any(is_of)
}

/// Returns whether a text ends as the list or the table of a scan does.
pub fn ends_as_list(text: &str) -> bool {
    let sums_up = |line: &str| {
        let is_counted = line.starts_with(|c: char| c.is_ascii_digit());
        let is_it = |[start, then]: &[&str; 2]| {
            line.starts_with(start) && line.contains(then) && (is_counted || !start.is_empty())
        };
        SUMS_UP.iter().any(is_it)
    };
    text.trim_end().lines().rev().take(LAST_LINES).any(sums_up)
}

/// Returns whether a text is what this program prints for people: a list, the findings of `check`, a comparison, or
/// messages.
pub fn is_own_print(text: &str) -> bool {
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    // Advice is indented.
    let is_message =
        |line: &str| line.is_empty() || line.starts_with("dupfind: ") || line.starts_with("  ");
    let is_messages = last.starts_with("dupfind: ") && text.lines().all(is_message);
    // A guide shows what is printed between fences.
    let has_fence = || {
        let is_fence = |line: &str| ["```", "~~~", "----"].iter().any(|f| line.starts_with(f));
        text.lines().any(is_fence)
    };
    let next = last.strip_prefix("  ").unwrap_or_default();
    let is_of_finding = |line: &str| {
        line.is_empty() || line.starts_with("  ") || line.contains(": ") || line.contains('：')
    };
    let is_finding = !next.starts_with([' ', '`'])
        && !next.starts_with("dupfind")
        && (next.contains("dupfind compare ") || next.contains("dupfind accept "))
        && text.lines().all(is_of_finding);
    let mut heads = text.lines();
    let mut names = |name: &str| heads.next().is_some_and(|line| line.starts_with(name));
    let is_comparison = names("A  ")
        && names("B  ")
        && heads
            .take(LAST_LINES * 2)
            .any(|line| line.starts_with("Jaccard "));
    is_finding || is_comparison || is_messages || ends_as_list(text) && !has_fence()
}

#[cfg(test)]
mod tests;
