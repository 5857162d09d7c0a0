//! One canned report that every format renders.

use std::io::{self, Write};
use std::path::Path;

use crate::formats::findings::{Findings, Listing};
use crate::formats::{Format, Writer};
use crate::model::{Plan, Report, Typed};
use crate::style::TableStyle;
use dupfind_decide::{Gate, Tripped};
use dupfind_engine::detect::Agreeing;
use dupfind_engine::verdict::SetMeasures;
use dupfind_engine::{
    Cluster, Counts, Detector, Detectors, DocId, Document, Pair, Relation, Relations, Rule,
    Weighted,
};
use dupfind_read::skipped::Note;
use dupfind_read::{SkipReason, Skipped};
use dupfind_scan::{Scan, Sources};

/// The data for a report, but the settings.
pub(crate) struct Canned {
    pub(crate) outcome: Scan,
    pub(crate) pairs: Option<Vec<Pair>>,
}

/// A report with a bit of everything, names that want to escape included.
pub(crate) fn canned() -> Canned {
    let names = [
        "docs/a.md",
        "docs/evil\n\u{1b}[31m.md",
        "docs/other.md",
        "docs/城市公园.md",
    ];
    let document = |file: u32, fingerprint| {
        let mut document = Document::sample(names[file as usize]);
        document.text_hash = fingerprint;
        document.signatures = [fingerprint].into();
        document.fingerprint_at = 0..1;
        document
    };
    let [a, evil, park] = [0, 1, 3].map(DocId::from);
    let mut pair_counts = Counts::default();
    pair_counts.add(Relation::Exact, 1);
    pair_counts.add(Relation::Near, 1);
    let outcome = Scan {
        documents: vec![
            document(0, 0xab),
            document(1, 0x1234),
            document(2, u64::MAX),
            document(3, 0xab),
        ],
        // None of the files is there.
        sources: Sources {
            files: names.map(Into::into).into(),
            ..Sources::sample(names.len())
        },
        pair_counts,
        clusters: vec![Cluster {
            representative: park,
            documents: vec![a, evil, park],
            least_similarity: Some(0.25),
        }],
        skipped: vec![
            Skipped::new("docs/logo.png", SkipReason::Binary, ""),
            Skipped::new(
                "docs/secret.md",
                SkipReason::Unreadable,
                "Permission denied",
            ),
        ],
        notes: vec![Note {
            path: "docs/a.md".into(),
            note: "not valid UTF-8: damaged characters were replaced".into(),
        }],
        ..empty().outcome
    };
    Canned {
        outcome,
        pairs: Some(pairs(a, evil, park).into()),
    }
}

/// Returns the measures of two sets that have so many elements in common, and in all.
pub(crate) fn sets(
    shared: u32,
    union: u32,
    similarity: u16,
    containment: u16,
) -> Option<SetMeasures> {
    let weighted = Weighted {
        similarity,
        containment,
    };
    SetMeasures::new(shared, union, weighted)
}

/// Returns two copies, and two documents that share some of their text.
fn pairs(a: DocId, evil: DocId, park: DocId) -> [Pair; 2] {
    let copies = Pair {
        a,
        b: park,
        hamming: Some(0),
        sets: sets(30, 30, 10_000, 10_000),
        rule: Rule::SameText,
        found_by: Detectors::USUAL,
        agreeing: Agreeing::default(),
    };
    let alike = Pair {
        b: evil,
        hamming: Some(17),
        sets: sets(15, 45, 2_100, 4_200),
        rule: Rule::NearWeighted,
        found_by: Detector::Shingle.into(),
        ..copies
    };
    [copies, alike]
}

/// A report about nothing.
pub(crate) fn empty() -> Canned {
    Canned {
        outcome: Scan::sample(),
        pairs: Some(Vec::new()),
    }
}

/// Returns a report in a format, with the default settings.
pub(crate) fn written(canned: &Canned, format: &Format) -> String {
    written_with(canned, format, TableStyle::default(), None)
}

/// Returns a report in a format: in a style if it is a table, and with the reason why the run fails if it is for CI.
pub(crate) fn written_with(
    canned: &Canned,
    format: &Format,
    style: TableStyle,
    tripped: Option<Tripped>,
) -> String {
    rendered(canned, |report, out| match format.writer {
        Writer::Streamed { pairs, rest } => {
            let mut writer = pairs(out, report.gate.standings.clone());
            writer.take(&report.outcome.documents, report.pairs.unwrap())?;
            writer.finish()?;
            rest.map_or(Ok(()), |rest| rest(report, out))
        }
        Writer::Whole { write, .. } => write(report, style, out).map_err(io::Error::other),
        Writer::Findings(write) => write(&findings(report, tripped), out),
    })
}

/// Returns the findings of a report in a format, with the default settings.
pub(crate) fn listed(
    canned: &Canned,
    tripped: Option<Tripped>,
    write: impl Fn(&Findings<'_>, &mut dyn Write) -> io::Result<()>,
) -> String {
    rendered(canned, |report, out| write(&findings(report, tripped), out))
}

fn findings<'r>(report: &Report<'r>, tripped: Option<Tripped>) -> Findings<'r> {
    let listing = Listing {
        watched: Relations::DUPLICATES,
        tripped,
        root: Path::new("/home/me/site"),
        rest: "the job summary",
    };
    Findings::new(*report, listing).unwrap()
}

pub(crate) fn rendered(
    canned: &Canned,
    write: impl Fn(&Report<'_>, &mut (dyn Write + Send)) -> io::Result<()>,
) -> String {
    let gate = Gate::default();
    let typed = Typed {
        accept: Some(" docs".into()),
        plan: Some(Plan {
            command: "dupfind plan docs -o plan.jsonl".into(),
            pages: Some(1),
        }),
        compare: Some(String::new()),
        ..Typed::default()
    };
    let report = Report {
        typed: &typed,
        pairs: canned.pairs.as_deref(),
        ..Report::new(&canned.outcome, &gate)
    };
    let mut out = Vec::new();
    write(&report, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// A report on copies: each document but the first is a pair with it.
pub(crate) fn copies(count: u32) -> Canned {
    let Canned { outcome, pairs } = canned();
    let (document, pair) = (outcome.documents[0].clone(), pairs.unwrap()[0]);
    let documents = (0..count).map(|at| Document {
        name: format!("docs/{at:06}.md"),
        ..document.clone()
    });
    let pairs = (1..count).map(|at| Pair {
        a: DocId::from(0),
        b: DocId::from(at),
        ..pair
    });
    let mut pair_counts = Counts::default();
    pair_counts.add(Relation::Exact, u64::from(count) - 1);
    Canned {
        outcome: Scan {
            documents: documents.collect(),
            pair_counts,
            sources: Sources::sample(count as usize),
            ..empty().outcome
        },
        pairs: Some(pairs.collect()),
    }
}
