//! JUnit XML: a test case for each document, which fails if the run fails because of it. What is found without
//! making the run fail is output of a case that passes: a green run has a green report.

use std::collections::HashMap;
use std::io::{self, Write};

use quick_xml::Writer as XmlWriter;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::formats::ci::findings::relation::words;
use crate::formats::ci::findings::{Finding, Findings};
use crate::formats::format::{Format, Writer};
use crate::style::escape::visible;
use crate::style::numbers::counted;
use dupfind_engine::document::{DocId, Skipped};
use dupfind_engine::verdict::reason::Reason;
use dupfind_read::source::name::display_name;

pub(crate) static JUNIT: Format = Format {
    name: "junit",
    help: "A test case for each document",
    writer: Writer::Findings(write_junit),
};

/// If there are more documents than this, those that pass are one test case together. Pages that show
/// test results become slow, and nobody looks there for the documents that pass.
const MOST_CASES: usize = 20_000;

type Xml<'w> = XmlWriter<&'w mut dyn Write>;

/// Writes findings as a test suite. What was skipped is a skipped test, or one with an error if it could not be
/// read.
fn write_junit(findings: &Findings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let suite = Suite::new(findings);
    let counts = suite
        .counts()
        .map(|(name, count)| (name, count.to_string()));
    let attributes = || {
        let counts = counts.iter().map(|(name, count)| (*name, count.as_str()));
        [("name", "dupfind")].into_iter().chain(counts)
    };
    let mut xml = XmlWriter::new_with_indent(out, b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let suites = xml.create_element("testsuites");
    suites
        .with_attributes(attributes())
        .write_inner_content(|xml| {
            let element = xml.create_element("testsuite");
            element
                .with_attributes(attributes())
                .write_inner_content(|xml| suite.write_cases(xml))
                .map(drop)
        })?;
    writeln!(xml.get_mut())
}

/// The test cases of a report.
struct Suite<'f> {
    findings: &'f Findings<'f>,
    at_fault: HashMap<DocId, &'f Finding>,
    /// The documents with a test case of their own.
    cases: Vec<DocId>,
    /// How many documents pass, if they are one test case together.
    passing: Option<usize>,
}

impl<'f> Suite<'f> {
    /// Documents that are only there for others to be compared with are no test cases.
    fn new(findings: &'f Findings<'_>) -> Self {
        let list = findings.list.iter();
        let at_fault: HashMap<DocId, &Finding> =
            list.map(|finding| (finding.subject, finding)).collect();
        let sources = &findings.report.outcome.sources.documents;
        let mut cases: Vec<DocId> = (0_u32..)
            .zip(sources)
            .filter(|(_, source)| !source.is_against)
            .map(|(id, _)| DocId::from(id))
            .collect();
        let passing = (cases.len() > MOST_CASES).then(|| cases.len() - at_fault.len());
        if passing.is_some() {
            cases.retain(|id| at_fault.contains_key(id));
        }
        Self {
            findings,
            at_fault,
            cases,
            passing,
        }
    }

    /// Returns the numbers that are attributes of the suite.
    fn counts(&self) -> [(&'static str, usize); 4] {
        let skipped = &self.findings.report.outcome.skipped;
        let errors = skipped.iter().filter(|entry| entry.reason.is_error());
        let errors = errors.count();
        let is_empty = usize::from(self.findings.nothing_compared().is_some());
        let together = usize::from(self.passing.is_some());
        let failing = self.findings.list.iter().filter(|finding| finding.fails);
        [
            (
                "tests",
                self.cases.len() + together + is_empty + skipped.len(),
            ),
            ("failures", failing.count() + is_empty),
            ("errors", errors),
            ("skipped", skipped.len() - errors),
        ]
    }

    fn write_cases(&self, xml: &mut Xml<'_>) -> io::Result<()> {
        for id in &self.cases {
            let finding = self.at_fault.get(id).copied();
            write_document(self.findings, *id, finding, xml)?;
        }
        if let Some(failure) = self.findings.nothing_compared() {
            let case = xml
                .create_element("testcase")
                .with_attributes([("classname", "."), ("name", "there are documents")]);
            case.write_inner_content(|xml| {
                xml.create_element("failure")
                    .with_attributes([("message", failure), ("type", "empty")])
                    .write_empty()
                    .map(drop)
            })?;
        }
        if let Some(passing) = self.passing {
            let name = format!("{} without a duplicate", counted(passing, "document"));
            xml.create_element("testcase")
                .with_attributes([("classname", "."), ("name", name.as_str())])
                .write_empty()?;
        }
        let skipped = &self.findings.report.outcome.skipped;
        skipped
            .iter()
            .try_for_each(|entry| write_skipped(entry, xml))
    }
}

fn write_document(
    findings: &Findings<'_>,
    id: DocId,
    finding: Option<&Finding>,
    xml: &mut Xml<'_>,
) -> io::Result<()> {
    let name = &findings.document(id).name;
    // The id of a record may have slashes too, which separate no folders.
    let file = display_name(findings.file(id), &findings.report.settings.walk.base);
    let (class, name) = split(name, file.rfind('/'));
    let path = readable(&findings.place(id, None).name());
    let case = xml.create_element("testcase").with_attributes([
        ("classname", class.as_str()),
        ("name", name.as_str()),
        ("file", path.as_str()),
    ]);
    let Some(finding) = finding else {
        return case.write_empty().map(drop);
    };
    case.write_inner_content(|xml| {
        let (message, details) = (findings.message(finding), details(findings, finding));
        let (element, text) = if finding.fails {
            let message = readable(&message);
            let attributes = [
                ("message", message.as_str()),
                ("type", finding.relation().as_str()),
            ];
            let failure = xml.create_element("failure");
            (failure.with_attributes(attributes), details)
        } else {
            let output = xml.create_element("system-out");
            (output, format!("{message}\n{details}"))
        };
        element
            .write_text_content(BytesText::new(&readable_lines(&text)))
            .map(drop)
    })
    .map(drop)
}

/// Returns every pair of a finding, one a line, and a command to compare them.
fn details(findings: &Findings<'_>, finding: &Finding) -> String {
    let documents = &findings.report.outcome.documents;
    let name = findings.name(finding.subject);
    let mut text = format!("{}: {name}\n", words(finding.relation()).title);
    for pair in &finding.pairs {
        let (relation, other) = (pair.relation.as_str(), findings.name(finding.other(pair)));
        let because = Reason::new(documents, pair);
        text.push_str(&format!("{relation}: {other} ({because})\n"));
    }
    match finding.count - finding.pairs.len() as u64 {
        0 => {}
        more => text.push_str(&format!("and {more} more\n")),
    }
    if let Some(next) = findings.next_step(finding) {
        text.push_str(&format!("{next}\n"));
    }
    text
}

fn write_skipped(entry: &Skipped, xml: &mut Xml<'_>) -> io::Result<()> {
    let (class, name) = split(&entry.path, entry.path.rfind('/'));
    let case = xml
        .create_element("testcase")
        .with_attributes([("classname", class.as_str()), ("name", name.as_str())]);
    let reason = entry.reason.as_str();
    let message = match entry.detail.as_str() {
        "" => reason.to_owned(),
        detail => format!("{reason}: {}", readable(detail)),
    };
    case.write_inner_content(|xml| {
        let element = if entry.reason.is_error() {
            xml.create_element("error").with_attribute(("type", reason))
        } else {
            xml.create_element("skipped")
        };
        element
            .with_attribute(("message", message.as_str()))
            .write_empty()
            .map(drop)
    })
    .map(drop)
}

/// Returns the folder of a name, and the rest of it.
fn split(name: &str, slash: Option<usize>) -> (String, String) {
    match slash.and_then(|at| Some((name.get(..at)?, name.get(at + 1..)?))) {
        Some((folder, rest)) => (readable(folder), readable(rest)),
        None => (".".into(), readable(name)),
    }
}

/// Returns text of one line without what XML cannot hold, not even escaped.
fn readable(text: &str) -> String {
    visible(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// Returns text of several lines without what XML cannot hold.
fn readable_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(readable).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::TableStyle;
    use crate::tests::{canned, copies, empty, written, written_with};
    use dupfind_decide::gate::Tripped;
    use dupfind_engine::verdict::{Counts, Relation};

    #[test]
    fn of_very_many_documents_those_that_pass_are_one_case() {
        let most = u32::try_from(MOST_CASES).unwrap();
        for (documents, cases, expected) in [
            (most, MOST_CASES, None),
            (
                most + 1,
                MOST_CASES + 1,
                Some("1 document without a duplicate"),
            ),
        ] {
            let xml = written(&copies(documents), &JUNIT);
            assert_eq!(xml.matches("<testcase ").count(), cases);
            assert!(xml.contains(&format!("<testsuite name=\"dupfind\" tests=\"{cases}\"")));
            assert_eq!(xml.contains("without a duplicate"), expected.is_some());
            assert!(xml.contains(expected.unwrap_or_default()));
        }
    }

    #[test]
    fn only_what_makes_the_run_fail_is_a_failure() {
        let mut counts = Counts::default();
        counts.add(Relation::Exact, 1);
        let too_many = Tripped::Pairs {
            counts,
            allowed: 0,
            only_new: false,
        };
        for (canned, tripped, failures, outputs) in [
            (canned(), None, 0, 2),
            (canned(), Some(too_many), 1, 1),
            (empty(), None, 0, 0),
            (empty(), Some(Tripped::Empty), 1, 0),
        ] {
            let xml = written_with(&canned, &JUNIT, TableStyle::default(), tripped);
            assert_eq!(xml.matches("<failure ").count(), failures, "{xml}");
            assert_eq!(xml.matches("<system-out>").count(), outputs, "{xml}");
            let tests = xml.matches("<testcase ").count();
            let suite =
                format!("<testsuite name=\"dupfind\" tests=\"{tests}\" failures=\"{failures}\"");
            assert!(xml.contains(&suite), "{xml}");
        }
    }

    #[test]
    fn names_are_split_at_the_folder_of_the_file() {
        for (name, slash, expected) in [
            ("a/b/c.md", Some(3), ("a/b", "c.md")),
            ("a/b.jsonl#x/y", Some(1), ("a", "b.jsonl#x/y")),
            ("c.md", None, (".", "c.md")),
            ("/c.md", Some(0), ("", "c.md")),
        ] {
            let (folder, rest) = split(name, slash);
            assert_eq!((folder.as_str(), rest.as_str()), expected);
        }
    }

    #[test]
    fn what_xml_cannot_hold_is_replaced() {
        assert_eq!(
            readable("a\u{0}\u{1b}\u{ffff}\n<"),
            "a\\u{0}\\u{1b}\u{fffd}\\n<"
        );
    }
}
