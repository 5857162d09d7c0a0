//! The words of a finding: the relation of a document to another one, the measures, and the next step.

use std::io::{self, Write};

use crate::formats::findings::{Finding, Findings, SharedText, folders_above};
use crate::language::{self, Phrase, filled, reason_in};
use crate::say;
use crate::style::escape::{Lines, visible};
use crate::style::{TableStyle, painted, place_in, relation_style};
use dupfind_decide::{Standing, Tripped};
use dupfind_engine::verdict::{name_two_releases, name_two_subjects};
use dupfind_engine::{Counts, DocId, Reason, Relation, Rule};

impl Findings<'_> {
    /// Returns the name of a document as it is shown. Nothing in it can act on a terminal or turn the
    /// reading direction.
    pub(crate) fn name(&self, id: DocId) -> String {
        visible(&self.document(id).name)
    }

    /// Returns the relation of the document of a finding to the best other one, as words before the name of that one.
    pub(crate) fn verdict(&self, finding: &Finding) -> &'static str {
        match finding.relation() {
            Relation::Contains if self.is_container(finding) => "contains",
            _ => verdict_of(finding.best().rule),
        }
    }

    /// Returns the whole message: `near-duplicate of b.md (94 % of it is there, 90 % of that page is here; lines 3-80); see
    /// also c.md, d.md`.
    pub(crate) fn message(&self, phrase: Phrase, finding: &Finding) -> String {
        let name = |id| self.name(id);
        let best = self.about_best(phrase, finding, name);
        format!("{best}{}", self.see_also(phrase, finding, name))
    }

    /// Returns the words on the best pair: `copy of b.md (the same text)`. `name` writes the name of
    /// a document.
    pub(crate) fn about_best(
        &self,
        phrase: Phrase,
        finding: &Finding,
        name: impl Fn(DocId) -> String,
    ) -> String {
        let other = name(finding.other(finding.best()));
        let verdict = format!("{} {{}}", self.verdict(finding));
        let verdict = filled(phrase(&verdict), &[&other]);
        filled(
            phrase("{} ({})"),
            &[&verdict, &self.measures(phrase, finding)],
        )
    }

    /// Returns the words on the other pairs: `; see also c.md, d.md, e.md and 4 more`, or nothing if
    /// there are none. `name` writes the name of a document.
    pub(crate) fn see_also(
        &self,
        phrase: Phrase,
        finding: &Finding,
        name: impl Fn(DocId) -> String,
    ) -> String {
        let named: Vec<String> = finding.named().skip(1).map(name).collect();
        if named.is_empty() {
            return String::new();
        }
        let mut all = named.join(phrase(", "));
        let more = finding.count - 1 - named.len() as u64;
        if more > 0 {
            all = filled(phrase("{} and {} more"), &[&all, &more]);
        }
        filled(phrase("; see also {}"), &[&all])
    }

    /// Returns why the run fails if nothing was compared, and so no finding can tell.
    pub(crate) fn nothing_compared(&self) -> Option<&'static str> {
        let is_it = self.listing.tripped == Some(Tripped::Empty);
        is_it.then_some(
            "nothing was compared: no document was found, or none to compare with, which usually means a wrong path",
        )
    }

    /// Returns the figures of the best pair.
    pub(crate) fn measures(&self, phrase: Phrase, finding: &Finding) -> String {
        let mut words = Vec::new();
        let (pair, documents) = (finding.best(), &self.report.outcome.documents);
        words.push(match pair.smaller_first(documents) {
            Some([(smaller, share), (_, other)]) if pair.relation() != Relation::Exact => {
                let text = match smaller == finding.subject {
                    true => phrase("{} of it is there, {} of that page is here"),
                    false => phrase("{} of that page is here, {} of this one is there"),
                };
                filled(text, &[&share, &other])
            }
            _ => reason_in(phrase, &Reason::new(documents, pair)),
        });
        let shared = finding.shared.as_ref();
        words.extend(shared.and_then(|shared| self.lines(phrase, finding, shared)));
        if finding.standing == Some(Standing::Worse) {
            words.push(phrase("became more similar since it was accepted").to_owned());
        }
        if self.report.gate.cannot_tell_the_copy(pair) {
            words.push(phrase("one of the two is new").to_owned());
        }
        words.join(phrase("; "))
    }

    /// Returns the lines of the shared text, in the document where the reader has to look for it.
    fn lines(&self, phrase: Phrase, finding: &Finding, shared: &SharedText) -> Option<String> {
        let is_contained = finding.relation() == Relation::Contains && !self.is_container(finding);
        let (id, place, text) = if is_contained {
            let other = finding.other(finding.best());
            (other, shared.place(1)?, phrase("{} there"))
        } else {
            (finding.subject, shared.place(0)?, "{}")
        };
        self.has(id, place)
            .then(|| filled(text, &[&place_in(phrase, place)]))
    }

    /// Returns a line with the command that compares the document with the best other one, and if the run fails because of
    /// it, a line for each document that the message names, with the command that accepts the pair; none if they cannot be
    /// copied into a shell.
    pub(crate) fn next_step(&self, phrase: Phrase, finding: &Finding) -> Option<String> {
        let compare = (self.report).compare([finding.subject, finding.other(finding.best())])?;
        let mut lines = vec![filled(phrase("See what they share: {}"), &[&compare])];
        let wanted = finding.named().filter(|_| finding.fails);
        let accept = wanted.filter_map(|other| self.report.accept([finding.subject, other]));
        lines.extend(accept.map(|command| filled(phrase("Wanted? {}"), &[&command])));
        let family = self.family(finding);
        lines.extend(family.map(|command| filled(phrase("A family? {}"), &[&command])));
        Some(lines.join("\n"))
    }

    /// Returns the command that accepts all pages of a folder as one family; none unless the document of a finding
    /// is no copy, and it and those that it is like are half of the folder or more, and at least three, each named after a subject
    /// or release of its own.
    fn family(&self, finding: &Finding) -> Option<String> {
        if !finding.fails || finding.relation() == Relation::Exact {
            return None;
        }
        let folder = |id| folders_above(&self.document(id).name).next();
        let own = folder(finding.subject)?;
        let are_named = |other| {
            let [a, b] = [finding.subject, other].map(|id| &*self.document(id).name);
            name_two_subjects(a, b) || name_two_releases(a, b)
        };
        let beside = finding.others().filter(|&other| folder(other) == Some(own));
        let beside = beside.filter(|&other| are_named(other));
        let alike = beside.count() + 1;
        if alike < 3 || alike * 2 < self.documents_below(own) {
            return None;
        }
        self.report.accept_family(own)
    }

    fn is_container(&self, finding: &Finding) -> bool {
        let documents = &self.report.outcome.documents;
        finding.best().container(documents) == Some(finding.subject)
    }
}

/// Returns the relation that a rule gives, as words before the name of the other document.
fn verdict_of(rule: Rule) -> &'static str {
    match rule.relation() {
        Relation::Variant if rule.tells_subjects() => "for another subject than",
        relation => words(relation).verdict,
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

/// The words for a relation.
pub(crate) struct RelationWords {
    /// The title of a finding.
    pub(crate) title: &'static str,
    /// The relation of the document of a finding to the other one, as words before the name of that one.
    pub(crate) verdict: &'static str,
    /// One such document, and several.
    pub(crate) nouns: [&'static str; 2],
    /// The name of the rule in SARIF.
    pub(crate) rule: &'static str,
    /// The meaning of the relation, in a sentence.
    pub(crate) meaning: &'static str,
}

/// Returns the words for a relation.
pub(crate) fn words(relation: Relation) -> RelationWords {
    match relation {
        Relation::Exact => RelationWords {
            title: "Copy of another document",
            verdict: "copy of",
            nouns: ["copy", "copies"],
            rule: "ExactCopy",
            meaning: "The document has the same text as another one, but for case, width, white space and Chinese script.",
        },
        Relation::Near => RelationWords {
            title: "Near-duplicate of another document",
            verdict: "near-duplicate of",
            nouns: ["near-duplicate", "near-duplicates"],
            rule: "NearDuplicate",
            meaning: "The document is a revision or a rewritten version of another one: they have much in common that \
                      few other documents have.",
        },
        Relation::Contains => RelationWords {
            title: "One document contains another one",
            verdict: "contained in",
            nouns: ["page within a page", "pages within pages"],
            rule: "ContainedDocument",
            meaning: "Most of a document is within another one that is much longer.",
        },
        Relation::Variant => RelationWords {
            title: "Pages of the same form",
            verdict: "of the same form as",
            nouns: ["variant", "variants"],
            rule: "VariantPage",
            meaning: "The document has the same form as another one, usually for another subject: another product, \
                      statement, place or release.",
        },
        Relation::Related => RelationWords {
            title: "Documents share rare text",
            verdict: "shares rare text with",
            nouns: ["related document", "related documents"],
            rule: "RelatedDocument",
            meaning: "The document shares something rare with another one, but little.",
        },
        Relation::Template => RelationWords {
            title: "Documents of one template",
            verdict: "of one template with",
            nouns: ["page of a template", "pages of a template"],
            rule: "TemplatePage",
            meaning: "What the document shares with another one is mostly what many documents here have.",
        },
        Relation::Short => RelationWords {
            title: "Short documents alike",
            verdict: "similar to",
            nouns: ["short document", "short documents"],
            rule: "ShortDocument",
            meaning: "The document is like another one, and one of them is too short to judge by.",
        },
    }
}

/// Writes a paragraph for each document at fault; nothing if there is none.
/// Nothing in a name acts on a terminal or in the log of a CI system.
pub fn write_list(
    findings: &Findings<'_>,
    style: TableStyle,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut out = Lines::new(out);
    for (at, finding) in findings.list.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        let (name, message) = (
            findings.name(finding.subject),
            findings.message(language::phrase, finding),
        );
        let color = relation_style(finding.relation());
        writeln!(
            out,
            "{}",
            say!("{}: {}", painted(color, &name, style.color), message)
        )?;
        if let Some(next) = findings.next_step(language::phrase, finding) {
            for line in next.lines() {
                writeln!(out, "  {line}")?;
            }
        }
    }
    // The commands accept only pairs with documents that are named.
    let named: usize = findings.list.iter().map(|it| it.named().count()).sum();
    let fails = findings.list.iter().any(|finding| finding.fails);
    let all = findings.report.accept_all().filter(|_| fails);
    if let Some(all) = all.filter(|_| findings.report.outcome.pair_counts.total() > named as u64) {
        writeln!(out, "\n{}", say!("Are all pairs wanted? {}", all))?;
    }
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::english;
    use crate::table::table;
    use crate::tests::{copies, listed};
    use dupfind_engine::Pair;

    #[test]
    fn up_to_three_more_documents_are_named() {
        for [others, expected] in table(
            "1 |
             2 | ; see also docs/000001.md
             4 | ; see also docs/000001.md, docs/000002.md, docs/000003.md
             6 | ; see also docs/000001.md, docs/000002.md, docs/000003.md and 2 more",
        ) {
            let others: u32 = others.parse().unwrap();
            let mut canned = copies(others + 1);
            // All of them with the last one, which is at fault then.
            let pair = canned.pairs.unwrap()[0];
            let (ids, b) = ((0..others).map(DocId::from), DocId::from(others));
            canned.pairs = Some(ids.map(|a| Pair { a, b, ..pair }).collect());
            listed(&canned, None, |findings, _| {
                let message = findings.message(english, &findings.list[0]);
                let best =
                    "copy of docs/000000.md (the same text but for case, width and white space)";
                assert_eq!(message, format!("{best}{expected}"));
                Ok(())
            });
        }
    }

    #[test]
    fn another_subject_is_said_only_if_names_or_titles_tell_it() {
        for rule in [Rule::VariantSubjects, Rule::VariantReleases] {
            assert_eq!(verdict_of(rule), "for another subject than");
        }
        for rule in [
            Rule::VariantTitles,
            Rule::VariantCloser,
            Rule::VariantTemplate,
        ] {
            assert_eq!(verdict_of(rule), "of the same form as");
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
