//! A comparison as one JSON object.

use std::io::{self, Write};
use std::ops::Range;

use serde_json::{Value, json};

use crate::compare::ComparisonReport;
use crate::formats::json::JsonObject;
use crate::model::PairRecord;
use crate::style::ratio;
use dupfind_decide::compare::passages::{Passage, Swap, swaps};
use dupfind_decide::compare::side::Side;
use dupfind_decide::compare::{Compared, Comparison, SourceLine};
use dupfind_engine::Document;

impl<'r> ComparisonReport<'r> {
    /// Returns the verdict of a scan with these options on the two documents.
    pub(super) fn verdict(&self) -> PairRecord<'r> {
        let verdict = &self.comparison.verdict;
        PairRecord::new(&verdict.documents, &verdict.pair)
    }

    /// Returns the words that are swapped most often.
    pub(super) fn swaps(&self) -> Vec<Swap<'r>> {
        let Comparison { a, b, shared, .. } = self.comparison;
        swaps(&shared.passages, &a.side, &b.side)
    }
}

/// Writes a comparison as one JSON object.
///
/// # Errors
///
/// The writer fails.
pub fn write_comparison_json(report: &ComparisonReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Comparison {
        a,
        b,
        shared,
        verdict,
    } = report.comparison;
    let [measured_a, measured_b] = &verdict.documents;
    let settings = json!({
        "shingle_size": report.settings.shingle_size.get(),
        "shingle_unit": report.settings.shingle_unit.as_str(),
        "among_others": report.is_among_others,
    });
    let passages = shared.passages.iter();
    let passages = passages.map(|passage| passage_of(passage, &a.side, &b.side));
    let mut object = JsonObject::of_report(out)?;
    object.value("settings", &settings)?;
    object.value("verdict", &verdict_of(&report.verdict()))?;
    object.value("a", &document(a, measured_a))?;
    object.value("b", &document(b, measured_b))?;
    object.value("shared", &shared_text(report))?;
    object.list("passages", passages)?;
    object.list("only_a", only(&a.side, &shared.only[0]))?;
    object.list("only_b", only(&b.side, &shared.only[1]))?;
    object.value("files", &files(report))?;
    object.end()
}

fn verdict_of(pair: &PairRecord<'_>) -> Value {
    let mut verdict = json!({
        "relation": pair.relation,
        "rule": pair.rule,
        "because": pair.because,
        "container": pair.container,
        "jaccard": pair.jaccard.unwrap_or_default(),
        "weighted": pair.weighted.unwrap_or_default(),
        "a_in_b": pair.a_in_b.unwrap_or_default(),
        "b_in_a": pair.b_in_a.unwrap_or_default(),
        "hamming": pair.hamming.unwrap_or_default(),
        "matched_by": pair.matched_by,
    });
    if pair.family {
        verdict["family"] = true.into();
    }
    if let Some(prose) = pair.prose {
        verdict["prose"] = prose.into();
    }
    verdict
}

fn document(compared: &Compared<'_>, measured: &Document) -> Value {
    let read = &compared.document.read;
    json!({
        "path": compared.document.name,
        "fingerprint": format!("{:016x}", measured.fingerprint().unwrap_or_default()),
        "format": read.format.as_str(),
        "encoding": read.encoding,
        "bytes": read.bytes,
        "lines": compared.side.line_count(),
        "units": compared.side.units().len(),
        "shingles": measured.shingles,
        "tokens": measured.tokens,
        "terms": measured.terms,
    })
}

fn shared_text(report: &ComparisonReport<'_>) -> Value {
    let Comparison { a, b, shared, .. } = report.comparison;
    let (passages, units) = (&shared.passages, shared.same());
    let share = |side: &Side<'_>| ratio(units as u64, side.units().len() as u64);
    let swap = |swap: &Swap<'_>| json!({"a": swap.before, "b": swap.after, "places": swap.places});
    json!({
        "passages": passages.len(),
        "moved": passages.iter().filter(|passage| passage.is_moved).count(),
        "units": units,
        "share_of_a": share(&a.side),
        "share_of_b": share(&b.side),
        "swapped": report.swaps().iter().map(swap).collect::<Vec<_>>(),
    })
}

fn passage_of(passage: &Passage, a: &Side<'_>, b: &Side<'_>) -> Value {
    let (a_lines, b_lines) = (a.lines(&passage.a), b.lines(&passage.b));
    let [in_a, in_b] = passage.texts(a, b);
    let parts = passage.parts.iter().zip(in_a.into_iter().zip(in_b));
    let parts = parts.map(|(part, (in_a, in_b))| {
        json!({"same": part.is_same, "a": a.text()[in_a], "b": b.text()[in_b]})
    });
    let mut record = json!({
        "a_lines": a_lines,
        "b_lines": b_lines,
        "a_units": passage.a.len(),
        "b_units": passage.b.len(),
        "same_units": passage.same(),
        "moved": passage.is_moved,
        "parts": parts.collect::<Vec<_>>(),
    });
    let pages = [("a_pages", a, a_lines), ("b_pages", b, b_lines)];
    for (key, side, lines) in pages {
        if let Some(pages) = side.breaks().pages(lines) {
            record[key] = json!(pages);
        }
    }
    record
}

/// Returns the stretches that only one of the documents has.
fn only<'r>(side: &'r Side<'r>, stretches: &'r [Range<usize>]) -> impl Iterator<Item = Value> {
    stretches.iter().map(|units| {
        json!({
            "lines": side.lines(units),
            "units": units.len(),
            "text": side.text()[side.stretch(units)],
        })
    })
}

/// Returns how the files of exact copies differ; nothing if the two are no exact copies, or have no lines.
fn files(report: &ComparisonReport<'_>) -> Option<Value> {
    let sources = report.sources?;
    let line = |SourceLine { number, text }| json!({"line": number, "text": text});
    let only = |which| sources.only_in(which).map(line).collect::<Vec<_>>();
    Some(json!({"same": sources.are_same(), "only_a": only(0), "only_b": only(1)}))
}
