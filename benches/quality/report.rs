//! The tables of an evaluation.

use crate::evaluate::{Evaluation, Tally};
use crate::measures::{RELATIONS, SCORES};
use crate::metrics::{Decision, share};
use crate::table::{Format, Table};

/// Weighted similarities in ten-thousandths.
const CUT_OFFS: [u16; 9] = [800, 1_000, 1_200, 1_400, 1_500, 1_600, 1_800, 2_000, 2_500];

/// How many pairs of each label were found.
pub(crate) fn folder(evaluation: &Evaluation, format: Format) -> String {
    let mut out = format!(
        "{}: {} documents, {} pairs reported\n",
        evaluation.name, evaluation.documents, evaluation.reported.reported
    );
    if evaluation.not_compared > 0 {
        let count = evaluation.not_compared;
        out.push_str(&format!(
            "{count} labelled pairs have a document that was not compared\n"
        ));
    }
    out.push('\n');
    let mut table = Table::new(
        ["label", "class", "pairs"]
            .into_iter()
            .chain(found_heading()),
    );
    for (order, tally) in &evaluation.labels {
        let class = if order.negative {
            "negative"
        } else {
            "positive"
        };
        let mut row = vec![order.label.clone(), class.into(), tally.pairs.to_string()];
        row.extend(counts(tally).map(|count| decimal(share(count, tally.pairs))));
        table.add(row);
    }
    out.push_str(&table.print(format));
    out.push_str("Pairs that would be near from a weighted similarity on\n\n");
    out + &cut_offs(evaluation).print(format)
}

/// What each label comes to with other cut-offs between near and not: what the one of the program was
/// chosen by.
fn cut_offs(evaluation: &Evaluation) -> Table {
    let heading = CUT_OFFS.map(|cut| format!("{:.2}", f64::from(cut) / 1e4));
    let heading = ["label", "class"]
        .into_iter()
        .map(str::to_owned)
        .chain(heading);
    let mut table = Table::new(heading);
    for (order, tally) in &evaluation.labels {
        let class = if order.negative {
            "negative"
        } else {
            "positive"
        };
        let mut row = vec![order.label.clone(), class.into()];
        row.extend(CUT_OFFS.map(|cut| decimal(share(tally.near_from(cut), tally.pairs))));
        table.add(row);
    }
    table
}

/// A row for each folder: the decision to report a pair, the scores, and false alarms.
pub(crate) fn summary(evaluations: &[Evaluation], format: Format) -> String {
    let mut out = String::from("Labelled pairs that are reported\n\n");
    out.push_str(&decisions(evaluations, |evaluation| evaluation.decision).print(format));
    out.push_str("Labelled pairs that are exact, near or contain one another\n\n");
    out.push_str(&decisions(evaluations, |evaluation| evaluation.verdict).print(format));
    for (at, title) in ["Average precision", "ROC area"].into_iter().enumerate() {
        out.push_str(&format!(
            "{title} of the labelled pairs ranked by a score\n\n"
        ));
        out.push_str(&rankings(evaluations, at).print(format));
    }
    if evaluations
        .iter()
        .any(|evaluation| evaluation.originals.is_some())
    {
        out.push_str("Pairs of two pages among which copies were planted\n\n");
        out.push_str(&originals(evaluations).print(format));
    }
    out
}

fn decisions(evaluations: &[Evaluation], of: fn(&Evaluation) -> Decision) -> Table {
    let heading = ["set", "documents", "positive", "negative"];
    let mut table = Table::new(heading.into_iter().chain(["precision", "recall", "F1"]));
    for evaluation in evaluations {
        let decision = of(evaluation);
        let mut row = vec![
            evaluation.name.clone(),
            evaluation.documents.to_string(),
            decision.positives().to_string(),
            decision.negatives().to_string(),
        ];
        row.extend([decision.precision(), decision.recall(), decision.f1()].map(decimal));
        table.add(row);
    }
    table
}

/// One of the two measures that an evaluation has of each score.
fn rankings(evaluations: &[Evaluation], measure: usize) -> Table {
    let scores = SCORES.iter().map(|(name, _)| *name);
    let mut table = Table::new(["set"].into_iter().chain(scores));
    for evaluation in evaluations {
        let values = evaluation.rankings.iter();
        let values = values.map(|measures| decimal(measures[measure]));
        table.add(
            [evaluation.name.clone()]
                .into_iter()
                .chain(values)
                .collect(),
        );
    }
    table
}

fn originals(evaluations: &[Evaluation]) -> Table {
    let mut table = Table::new(["set", "pairs"].into_iter().chain(found_heading()));
    for evaluation in evaluations {
        if let Some(tally) = &evaluation.originals {
            let mut row = vec![evaluation.name.clone(), tally.pairs.to_string()];
            row.extend(counts(tally).map(|count| count.to_string()));
            table.add(row);
        }
    }
    table
}

fn found_heading() -> impl Iterator<Item = &'static str> {
    ["reported", "simhash", "shingle"]
        .into_iter()
        .chain(RELATIONS)
}

/// The numbers that belong to [`found_heading`].
fn counts(tally: &Tally) -> impl Iterator<Item = u32> {
    let of_relation = |relation| tally.by_relation.get(relation).copied().unwrap_or(0);
    let counts = [tally.reported, tally.by_simhash, tally.by_shingle];
    counts.into_iter().chain(RELATIONS.map(of_relation))
}

pub(crate) fn decimal(value: Option<f64>) -> String {
    value.map_or_else(|| "-".into(), |value| format!("{value:.3}"))
}
