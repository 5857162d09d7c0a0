//! What people read of a finding: what a document is to which other one, how much, and what to do next.

use crate::formats::ci::findings::relation::words;
use crate::formats::ci::findings::{Finding, Findings, SharedText};
use crate::style::escape::visible;
use crate::style::numbers::line_range;
use dupfind_decide::gate::Tripped;
use dupfind_decide::gate::baseline::Standing;
use dupfind_engine::document::DocId;
use dupfind_engine::verdict::pair::Resemblance;
use dupfind_engine::verdict::reason::Reason;
use dupfind_engine::verdict::{Counts, Relation};
use dupfind_read::source::walk::is_of_stdin;

/// How many paths of the scan are named at most.
const MOST_PATHS: usize = 5;

/// How many documents are named beside the best other one.
const NAMED: usize = 3;

impl Findings<'_> {
    /// Returns the name of a document as it is shown. Nothing in it can act on a terminal or turn the
    /// reading direction.
    pub(crate) fn name(&self, id: DocId) -> String {
        visible(&self.document(id).name)
    }

    /// Returns what the document of a finding is to the best other one, as words before its name.
    pub(crate) fn verdict(&self, finding: &Finding) -> &'static str {
        match finding.relation() {
            Relation::Contains if self.is_container(finding) => "contains",
            relation => words(relation).verdict,
        }
    }

    /// Returns the whole message: `near-duplicate of b.md (weighted similarity 0.91; 94 % of its text; lines 3-80); see
    /// also c.md, d.md`.
    pub(crate) fn message(&self, finding: &Finding) -> String {
        let name = |id| self.name(id);
        let best = self.about_best(finding, name);
        format!("{best}{}", self.see_also(finding, name))
    }

    /// Returns what is said of the best pair: `copy of b.md (the same text)`. `name` writes the name of
    /// a document.
    pub(crate) fn about_best(&self, finding: &Finding, name: impl Fn(DocId) -> String) -> String {
        let other = name(finding.other(finding.best()));
        let (verdict, measures) = (self.verdict(finding), self.measures(finding));
        format!("{verdict} {other} ({measures})")
    }

    /// Returns what is said of the other pairs: `; see also c.md, d.md, e.md and 4 more`, or nothing if
    /// there are none. `name` writes the name of a document.
    pub(crate) fn see_also(&self, finding: &Finding, name: impl Fn(DocId) -> String) -> String {
        let named: Vec<String> = finding.others().skip(1).take(NAMED).map(name).collect();
        let more = match finding.count - 1 - named.len() as u64 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        match named.as_slice() {
            [] => String::new(),
            named => format!("; see also {}{more}", named.join(", ")),
        }
    }

    /// Returns why the run fails if nothing was compared, and so no finding can say why.
    pub(crate) fn nothing_compared(&self) -> Option<&'static str> {
        let is_it = self.listing.tripped == Some(Tripped::Empty);
        is_it.then_some(
            "nothing was compared: no document was found, or none to compare with, which usually means a wrong path",
        )
    }

    /// Returns the figures of the best pair.
    pub(crate) fn measures(&self, finding: &Finding) -> String {
        let mut words = Vec::new();
        let shared = finding.shared.as_ref();
        let (pair, is_container) = (finding.best(), self.is_container(finding));
        match (finding.relation(), pair.weighted, pair.jaccard) {
            (Relation::Near, Some(weighted), _) => {
                let similarity = two_decimals(weighted.similarity.into());
                words.push(format!("weighted similarity {similarity}"));
            }
            (Relation::Contains, _, Some(_)) if shared.is_some() => {}
            (Relation::Contains, _, Some(jaccard)) => {
                let [a, b] = [pair.a, pair.b].map(|id| self.document(id).shingles);
                let steps = jaccard.contained_steps(a, b);
                words.push(format!("containment {}", two_decimals(steps)));
            }
            _ => words.push(Reason::new(&self.report.outcome.documents, pair).to_string()),
        }
        if let Some(shared) = shared {
            let (percent, whose) = if is_container {
                (shared.percent_of_other, "the other's")
            } else {
                (shared.percent, "its")
            };
            words.push(format!("{percent} % of {whose} text"));
            words.extend(self.lines(finding, shared));
        }
        if finding.standing == Some(Standing::Worse) {
            words.push("became more similar since it was accepted".into());
        }
        if self.report.gate.cannot_tell_the_copy(pair) {
            words.push("one of the two is new".into());
        }
        words.join("; ")
    }

    /// Returns the lines of the shared text, in the document where the reader has to look for it.
    fn lines(&self, finding: &Finding, shared: &SharedText) -> Option<String> {
        let is_contained = finding.relation() == Relation::Contains && !self.is_container(finding);
        let (id, lines, there) = if is_contained {
            (finding.other(finding.best()), shared.there()?, " there")
        } else {
            (finding.subject, shared.here()?, "")
        };
        self.has_lines(id)
            .then(|| format!("{}{there}", line_range(lines)))
    }

    /// Returns a line with the command that shows what the two documents share, and if the run fails because of them one
    /// with the command that accepts that; none if a name cannot be typed.
    pub(crate) fn next_step(&self, finding: &Finding) -> Option<String> {
        let other = finding.other(finding.best());
        let [a, b] = [finding.subject, other].map(|id| typed(&self.document(id).name));
        let walk = &self.report.settings.walk;
        let paths = walk.paths.iter().chain(&walk.against);
        let paths: Option<Vec<String>> = paths.map(|path| typed(path.to_str()?)).collect();
        // Without the paths it finds the documents by itself.
        let paths = paths
            .filter(|paths| paths.len() <= MOST_PATHS)
            .into_iter()
            .flatten();
        let among: String = paths.map(|path| format!(" --among {path}")).collect();
        let options = self.report.typed.compare.as_deref().unwrap_or_default();
        let (a, b) = (a?, b?);
        let accept = self.report.typed.accept.as_ref().filter(|_| finding.fails);
        let accept = accept.map_or(String::new(), |words| {
            format!("\nWanted? dupfind accept {a} {b}{words} --reason \"...\"")
        });
        Some(format!(
            "See what they share: dupfind compare {a} {b}{among}{options}{accept}"
        ))
    }

    fn is_container(&self, finding: &Finding) -> bool {
        let documents = &self.report.outcome.documents;
        finding.best().container(documents) == Some(finding.subject)
    }
}

/// Returns numbers of findings by relation in words: `1 copy, 2 near-duplicates`.
pub(crate) fn counts_in_words(counts: Counts) -> String {
    let in_words = |relation| match (counts.of(relation), words(relation).nouns) {
        (0, _) => None,
        (1, [one, _]) => Some(format!("1 {one}")),
        (count, [_, several]) => Some(format!("{count} {several}")),
    };
    let all: Vec<String> = Relation::ALL.into_iter().filter_map(in_words).collect();
    all.join(", ")
}

/// Returns ten-thousandths as a number with two decimals, rounded down.
fn two_decimals(steps: u64) -> String {
    let hundredths = steps * 100 / Resemblance::STEPS;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Returns a name as it is typed in a shell; none if it cannot be typed. That is so for a name with
/// invisible characters, for one with a backslash, which may stand for a byte that is not UTF-8, and for
/// a record of standard input, which cannot be read again.
fn typed(name: &str) -> Option<String> {
    if visible(name) != name || name.contains('\\') || is_of_stdin(name) {
        return None;
    }
    // So that it is not taken for an option.
    let name = if name.starts_with('-') {
        format!("./{name}")
    } else {
        name.to_owned()
    };
    let is_plain = |c: char| c.is_alphanumeric() || "._/-+@%,:".contains(c);
    let is_bare = name.chars().all(|c| is_plain(c) || c == '#') && !name.starts_with('#');
    Some(if is_bare {
        name
    } else {
        format!("'{}'", name.replace('\'', r"'\''"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{copies, listed};
    use dupfind_engine::verdict::pair::Pair;

    #[test]
    fn up_to_three_more_documents_are_named() {
        for (others, expected) in [
            (1, ""),
            (2, "; see also docs/000001.md"),
            (
                4,
                "; see also docs/000001.md, docs/000002.md, docs/000003.md",
            ),
            (
                6,
                "; see also docs/000001.md, docs/000002.md, docs/000003.md and 2 more",
            ),
        ] {
            let mut canned = copies(others + 1);
            // All of them with the last one, which is at fault then.
            let pair = canned.pairs.unwrap()[0];
            let (ids, b) = ((0..others).map(DocId::from), DocId::from(others));
            canned.pairs = Some(ids.map(|a| Pair { a, b, ..pair }).collect());
            listed(&canned, None, |findings, _| {
                let message = findings.message(&findings.list[0]);
                let best =
                    "copy of docs/000000.md (the same text but for case, width and white space)";
                assert_eq!(message, format!("{best}{expected}"));
                Ok(())
            });
        }
    }

    #[test]
    fn names_are_typed_so_that_a_shell_reads_them_back() {
        for (name, expected) in [
            ("docs/a.md", Some("docs/a.md")),
            ("城市.jsonl#12", Some("城市.jsonl#12")),
            ("#1.md", Some("'#1.md'")),
            ("a b's.md", Some(r"'a b'\''s.md'")),
            ("$(rm x).md", Some("'$(rm x).md'")),
            ("-x", Some("./-x")),
            ("a\nb", None),
            ("\u{202e}a", None),
            ("a\\xff", None),
            ("-#17", None),
        ] {
            assert_eq!(typed(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn figures_are_rounded_down() {
        for (steps, expected) in [
            (10_000, "1.00"),
            (9_999, "0.99"),
            (905, "0.09"),
            (0, "0.00"),
        ] {
            assert_eq!(two_decimals(steps), expected);
        }
    }

    #[test]
    fn counts_name_only_what_there_is() {
        let mut counts = Counts::default();
        counts.add(Relation::Exact, 1);
        counts.add(Relation::Near, 2);
        assert_eq!(counts_in_words(counts), "1 copy, 2 near-duplicates");
        assert_eq!(counts_in_words(Counts::default()), "");
    }
}
