//! JUnit XML: a test case for each document, which fails if the run fails because of it. What is found without
//! making the run fail is output of a case that passes: a green run has a green report.

use std::collections::HashMap;
use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::document::{DocId, Skipped};
use crate::engine::because::Because;
use crate::read::source::name::display_name;
use crate::report::escape::visible;
use crate::report::findings::words::{counted, title};
use crate::report::findings::{Finding, Findings};

/// Of more documents than this those that pass are one test case together: the pages that show test results
/// become slow, and the documents that pass are not what anybody looks for there.
const MOST_CASES: usize = 20_000;

type Xml<'w> = Writer<&'w mut dyn Write>;

/// Writes findings as a test suite. Documents that nothing else is compared with (those of `--against`) are no
/// test cases. What was skipped is a skipped test, or one with an error if it could not be read.
pub(crate) fn write_junit(findings: &Findings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let outcome = findings.report.outcome;
    let at_fault: HashMap<DocId, &Finding> = findings
        .list
        .iter()
        .map(|finding| (finding.subject, finding))
        .collect();
    let ids = (0_u32..).map(DocId::from).take(outcome.documents.len());
    let judged: Vec<DocId> = ids
        .filter(|&id| !findings.document(id).is_against)
        .collect();
    let has_passing = judged.len() <= MOST_CASES;
    let cases: Vec<DocId> = judged
        .iter()
        .copied()
        .filter(|id| has_passing || at_fault.contains_key(id))
        .collect();
    let passing = judged.len() - at_fault.len();
    let nothing = findings.nothing_compared();
    let failing = findings.list.iter().filter(|finding| finding.fails).count();
    let alone = usize::from(!has_passing) + usize::from(nothing.is_some());
    let errors = outcome
        .skipped
        .iter()
        .filter(|s| s.reason.is_error())
        .count();
    let counts = [
        ("tests", cases.len() + alone + outcome.skipped.len()),
        ("failures", failing + usize::from(nothing.is_some())),
        ("errors", errors),
        ("skipped", outcome.skipped.len() - errors),
    ];
    let counts = counts.map(|(name, count)| (name, count.to_string()));
    let attributes = || counts.iter().map(|(name, count)| (*name, count.as_str()));

    let mut xml = Writer::new_with_indent(out, b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let suites = xml
        .create_element("testsuites")
        .with_attribute(("name", "dupfind"));
    suites
        .with_attributes(attributes())
        .write_inner_content(|xml| {
            let suite = xml
                .create_element("testsuite")
                .with_attribute(("name", "dupfind"));
            suite
                .with_attributes(attributes())
                .write_inner_content(|xml| {
                    for &id in &cases {
                        document(findings, id, at_fault.get(&id).copied(), xml)?;
                    }
                    if let Some(nothing) = nothing {
                        let case = xml
                            .create_element("testcase")
                            .with_attribute(("classname", "."));
                        case.with_attribute(("name", "there are documents"))
                            .write_inner_content(|xml| {
                                xml.create_element("failure")
                                    .with_attribute(("message", nothing))
                                    .with_attribute(("type", "empty"))
                                    .write_empty()?;
                                Ok(())
                            })?;
                    }
                    if !has_passing {
                        let name = counted(passing as u64, ("document", "documents"));
                        let name = format!("{name} without a duplicate");
                        let case = xml
                            .create_element("testcase")
                            .with_attribute(("classname", "."));
                        case.with_attribute(("name", name.as_str())).write_empty()?;
                    }
                    outcome
                        .skipped
                        .iter()
                        .try_for_each(|entry| skipped(entry, xml))
                })?;
            Ok(())
        })?;
    writeln!(xml.get_mut())
}

/// The test case of a document.
fn document(
    findings: &Findings<'_>,
    id: DocId,
    finding: Option<&Finding>,
    xml: &mut Xml<'_>,
) -> io::Result<()> {
    let document = findings.document(id);
    let files = &findings.report.outcome.files;
    // The id of a record may have slashes too, which are no folders.
    let file = files.get(document.place.file as usize);
    let file = file.map_or_else(
        || document.name.clone(),
        |file| display_name(file, &findings.report.settings.walk.base),
    );
    let (class, name) = split(&document.name, file.rfind('/'));
    let path = readable(&findings.place(id, None).name());
    let case = xml
        .create_element("testcase")
        .with_attribute(("classname", class.as_str()))
        .with_attribute(("name", name.as_str()))
        .with_attribute(("file", path.as_str()));
    let Some(finding) = finding else {
        case.write_empty()?;
        return Ok(());
    };
    case.write_inner_content(|xml| {
        let (message, details) = (findings.message(finding), details(findings, finding));
        if !finding.fails {
            let text = readable_lines(&format!("{message}\n{details}"));
            xml.create_element("system-out")
                .write_text_content(BytesText::new(&text))?;
            return Ok(());
        }
        xml.create_element("failure")
            .with_attribute(("message", readable(&message).as_str()))
            .with_attribute(("type", finding.relation().as_str()))
            .write_text_content(BytesText::new(&readable_lines(&details)))?;
        Ok(())
    })?;
    Ok(())
}

/// Every pair of a finding, one a line, and what to do.
fn details(findings: &Findings<'_>, finding: &Finding) -> String {
    let documents = &findings.report.outcome.documents;
    let name = findings.name(finding.subject);
    let mut text = format!("{}: {name}\n", title(finding.relation()));
    for pair in &finding.pairs {
        let (relation, other) = (pair.relation.as_str(), findings.name(finding.other(pair)));
        let because = Because::new(documents, pair);
        text.push_str(&format!("{relation}: {other} ({because})\n"));
    }
    match finding.count - finding.pairs.len() as u64 {
        0 => {}
        more => text.push_str(&format!("and {}\n", counted(more, ("more", "more")))),
    }
    if let Some(next) = findings.next_step(finding) {
        text.push_str(&format!("See what they share: {next}\n"));
    }
    text
}

/// The test case of an entry that was not compared.
fn skipped(entry: &Skipped, xml: &mut Xml<'_>) -> io::Result<()> {
    let (class, name) = split(&entry.path, entry.path.rfind('/'));
    let case = xml
        .create_element("testcase")
        .with_attribute(("classname", class.as_str()))
        .with_attribute(("name", name.as_str()));
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
            .write_empty()?;
        Ok(())
    })?;
    Ok(())
}

/// A name in two: the folder and the rest.
fn split(name: &str, slash: Option<usize>) -> (String, String) {
    match slash.and_then(|at| Some((name.get(..at)?, name.get(at + 1..)?))) {
        Some((folder, rest)) => (readable(folder), readable(rest)),
        None => (".".into(), readable(name)),
    }
}

/// Text of one line that XML can hold.
fn readable(text: &str) -> String {
    legal(&visible(text))
}

/// Text of several lines that XML can hold.
fn readable_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(readable).collect();
    lines.join("\n")
}

/// Replaces what no XML document may have, not even escaped. Control characters are visible by now.
fn legal(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::relation::{Counts, Relation};
    use crate::gate::Tripped;
    use crate::report::testing::{canned, copies, empty, listed};

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
            let xml = listed(&copies(documents), None, |findings, out| {
                write_junit(findings, out)
            });
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
            let xml = listed(&canned, tripped, |findings, out| write_junit(findings, out));
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
