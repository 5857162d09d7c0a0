//! One canned report that every format renders.

use std::io::{self, Write};
use std::path::Path;

use crate::document::{DocId, Note, SkipReason, Skipped};
use crate::engine::cluster::Cluster;
use crate::engine::detectors::{Detector, Detectors};
use crate::engine::outcome::{Agreeing, Document, Outcome, Pair, Place, Resemblance};
use crate::engine::relation::{Counts, Relation, Relations};
use crate::engine::stats::Stats;
use crate::gate::{Gate, Tripped};
use crate::join::weighted::Weighted;
use crate::report::findings::{Findings, Listing};
use crate::report::model::Report;
use crate::scan::ScanOptions;

/// What a report is made from, but the settings.
pub(crate) struct Canned {
    pub(crate) outcome: Outcome,
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
    let document = |file: u32, fingerprint| Document {
        place: Place::of_file(file),
        text_hash: fingerprint,
        fingerprint: Some(fingerprint),
        ..Document::sample(names[file as usize])
    };
    let [a, evil, _, park] = [0, 1, 2, 3].map(DocId::from);
    let mut pair_counts = Counts::default();
    pair_counts.add(Relation::Exact, 1);
    pair_counts.add(Relation::Near, 1);
    let outcome = Outcome {
        documents: vec![
            document(0, 0xab),
            document(1, 0x1234),
            document(2, u64::MAX),
            document(3, 0xab),
        ],
        // None of them is there.
        files: names.map(Into::into).into(),
        pair_counts,
        clusters: vec![Cluster {
            representative: park,
            documents: vec![a, evil, park],
            cohesion: Some(0.25),
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
        warnings: Vec::new(),
        stats: Stats::default(),
    };
    let pairs = vec![
        Pair {
            a,
            b: park,
            hamming: Some(0),
            jaccard: Resemblance::new(30, 30),
            weighted: Some(Weighted {
                similarity: 10_000,
                containment: 10_000,
            }),
            relation: Relation::Exact,
            found_by: Detectors::USUAL,
            agreeing: Agreeing::default(),
        },
        Pair {
            a,
            b: evil,
            hamming: Some(17),
            jaccard: Resemblance::new(15, 45),
            weighted: Some(Weighted {
                similarity: 2_100,
                containment: 4_200,
            }),
            relation: Relation::Near,
            found_by: Detector::Shingle.into(),
            agreeing: Agreeing::default(),
        },
    ];
    Canned {
        outcome,
        pairs: Some(pairs),
    }
}

/// A report about nothing.
pub(crate) fn empty() -> Canned {
    let outcome = Outcome {
        files: Vec::new(),
        documents: Vec::new(),
        pair_counts: Counts::default(),
        clusters: Vec::new(),
        skipped: Vec::new(),
        notes: Vec::new(),
        warnings: Vec::new(),
        stats: Stats::default(),
    };
    Canned {
        outcome,
        pairs: Some(Vec::new()),
    }
}

/// What a format makes of a report under the default settings.
pub(crate) fn rendered(
    canned: &Canned,
    write: impl Fn(&Report<'_>, &mut (dyn Write + Send)) -> io::Result<()>,
) -> String {
    let settings = ScanOptions::for_paths(["docs"]);
    let report = Report {
        settings: &settings,
        outcome: &canned.outcome,
        pairs: canned.pairs.as_deref(),
        gate: &Gate::default(),
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
        outcome: Outcome {
            documents: documents.collect(),
            pair_counts,
            ..empty().outcome
        },
        pairs: Some(pairs.collect()),
    }
}

/// What a format for CI makes of a report under the default settings, if the run fails or not.
pub(crate) fn listed(
    canned: &Canned,
    tripped: Option<Tripped>,
    write: impl Fn(&Findings<'_>, &mut dyn Write) -> io::Result<()>,
) -> String {
    rendered(canned, |report, out| {
        let listing = Listing {
            watched: Relations::DUPLICATES,
            tripped,
            root: Path::new("/home/me/site"),
        };
        write(&Findings::new(*report, listing).unwrap(), out)
    })
}
