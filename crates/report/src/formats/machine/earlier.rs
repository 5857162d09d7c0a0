//! Tells the report of an earlier run from a document, by what every report of a format holds.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use dupfind_read::source::data::{FINGERPRINTS, JSON_REPORT, REPORTS_OF_RECORDS};

/// How many bytes of the beginning and of the end are looked at.
const LOOKED_AT: u64 = 4 << 10;

/// What reports begin with.
const BEGINNINGS: [&str; 2] = [
    // github
    "::",
    // markdown
    "<!-- dupfind -->",
];

/// The whole report of gitlab without findings.
const NOTHING_FOUND: &str = "[]";

/// Texts near the beginning of reports.
const NEAR_BEGINNINGS: [&str; 4] = [
    // json, sarif
    JSON_REPORT[1],
    "\"driver\":{\"name\":\"dupfind\"",
    // gitlab
    "\"check_name\":\"dupfind/",
    // html
    "<meta name=\"generator\" content=\"dupfind",
];

/// What is in the last line of a table, behind which there may be a command.
const IN_LAST_LINE: [&str; 2] = ["document compared", "documents compared"];

/// What the same line of a Chinese table begins with, and what is in it.
const LAST_LINE_ZH: [&str; 2] = ["比较了 ", " 篇文档"];

/// What the line with the command begins with.
const NEXT: [&str; 2] = ["Next: dupfind ", "下一步：dupfind "];

/// Returns whether a file is empty or the report of a run.
///
/// # Errors
///
/// The file cannot be read.
pub fn is_report(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut part = |start: u64| {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        file.by_ref().take(LOOKED_AT).read_to_end(&mut bytes)?;
        io::Result::Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let (head, tail) = (part(0)?, part(length.saturating_sub(LOOKED_AT))?);
    Ok(is_of_report(&head, &tail))
}

fn is_of_report(head: &str, tail: &str) -> bool {
    let first = head.lines().next().unwrap_or_default();
    let mut lines = tail.trim_end().lines().rev();
    let last = lines
        .find(|line| !NEXT.iter().any(|next| line.starts_with(next)))
        .unwrap_or_default();
    head.is_empty()
        || head.trim_end() == NOTHING_FOUND
        || (BEGINNINGS.iter().chain(&REPORTS_OF_RECORDS)).any(|text| head.starts_with(text))
        || first.starts_with(FINGERPRINTS[0]) && first.contains(FINGERPRINTS[1])
        || NEAR_BEGINNINGS.iter().any(|text| head.contains(text))
        || IN_LAST_LINE.iter().any(|text| last.contains(text))
        || last.starts_with(LAST_LINE_ZH[0]) && last.contains(LAST_LINE_ZH[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::FORMATS;
    use crate::tests::{canned, empty, written};

    #[test]
    fn every_report_is_known_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for format in FORMATS {
            for run in [canned(), empty()] {
                let report = written(&run, format);
                std::fs::write(&path, &report).unwrap();
                assert!(is_report(&path).unwrap(), "{}: {report}", format.name);
            }
        }
    }

    #[test]
    fn documents_are_no_reports() {
        for text in [
            "The old river park opened to the public.\n",
            "# dupfind\n\nIt says how many documents compared well.\n\nEnd.\n",
            "{\"text\":\"one\"}\n",
            "[]\nThe old river park opened.",
            "a,b\n1,2\n",
        ] {
            assert!(!is_of_report(text, text), "{text}");
        }
    }
}
