//! Pages that are in a few others together: their texts are read again.

use std::collections::HashMap;

use crate::formats::explained::{Explained, ExplainedRecord};
use crate::formats::worklist::wanted::wanted;
use crate::model::Report;
use dupfind_decide::clean::worklist::{self, Gathered};
use dupfind_engine::DocId;
use dupfind_index::gather;
use dupfind_read::format::Format;
use dupfind_scan::texts::read_texts;

/// The pages of a report that are in a few others together, with the lines of each.
pub(crate) struct GatheredPages<'r>(Vec<(&'r str, Explained)>);

impl<'r> GatheredPages<'r> {
    /// Finds such pages among the pairs of a report that are to be looked at.
    pub(crate) fn of(report: &Report<'r>) -> Self {
        let pairs = report.pairs.unwrap_or_default();
        let documents = &report.outcome.documents;
        let found = wanted(report, |wanted| {
            worklist::gathered(documents, pairs, wanted)
        });
        let explain =
            |page: &Gathered| (report.outcome.name(page.document), explained(report, page));
        Self(found.iter().map(explain).collect())
    }

    /// Returns their records, by name.
    pub(crate) fn records(&self) -> impl Iterator<Item = ExplainedRecord<'_>> {
        self.0.iter().map(|(name, page)| page.record(name))
    }
}

fn explained(report: &Report<'_>, page: &Gathered) -> Explained {
    let others = page.parts.iter().map(|part| part.document);
    let ids: Vec<DocId> = [page.document].into_iter().chain(others).collect();
    let read = read_texts(report.settings, report.outcome, &ids);
    let outcome = report.outcome;
    let read = ids.iter().zip(read).filter_map(|(&id, text)| {
        let format = outcome.sources.of(id).format;
        Some((outcome.name(id), (text.ok()?, format)))
    });
    let texts: HashMap<&str, (String, Format)> = read.collect();
    let parts = page.parts.iter().map(|part| gather::Part {
        name: report.outcome.name(part.document).to_owned(),
        text_hash: report.outcome.documents[part.document.index()].text_hash,
        adds: part.adds.clone(),
        shared: part.shared,
    });
    let gathered = gather::Gathered {
        shingles: page.shingles,
        parts: parts.collect(),
        nowhere: page.shingles - page.covered(),
    };
    let text = texts.get(report.outcome.name(page.document));
    let text = text.map(|(text, format)| (text.as_str(), *format));
    let read = |part: &gather::Part| texts.get(part.name.as_str()).cloned();
    Explained::new(&gathered, text, &report.settings.engine, read)
}
