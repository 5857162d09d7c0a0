//! All detectors on the same documents: how many of the labelled pairs each finds, and its costs.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use dupfind_engine::fingerprint::i_match;
use dupfind_engine::fingerprint::super_shingle::WIDTH;
use dupfind_engine::{Detector, Detectors, Options, Stage, Stats};
use dupfind_scan::ScanOptions;
use tempfile::NamedTempFile;

use crate::evaluate::{Evaluation, evaluate};
use crate::metrics::Decision;
use crate::report::decimal;
use crate::support;
use crate::support::labels::{Labelled, labelled_folder};
use crate::table::{Format, Table};

/// How many records of a file come first.
const FIRST: [usize; 2] = [1_000, 10_000];

/// One way of finding pairs.
struct Way {
    name: &'static str,
    detectors: Detectors,
    max_hamming: u32,
}

impl Way {
    fn of(name: &'static str, detectors: impl IntoIterator<Item = Detector>) -> Self {
        Self {
            name,
            detectors: detectors.into_iter().collect(),
            max_hamming: Options::MAX_HAMMING,
        }
    }

    /// Those that are compared.
    fn all() -> Vec<Self> {
        use Detector::{IMatch, Shingle, Simhash, SuperShingle};
        vec![
            Self::of("simhash", [Simhash]),
            Self {
                max_hamming: 6,
                ..Self::of("simhash, at 6", [Simhash])
            },
            Self::of("i-match", [IMatch]),
            Self::of("super-shingle", [SuperShingle]),
            Self::of("shingle", [Shingle]),
            Self::of("simhash or shingle", [Simhash, Shingle]),
        ]
    }

    fn settings(&self, docs: &Path) -> ScanOptions {
        ScanOptions {
            engine: Options {
                detectors: self.detectors,
                max_hamming: self.max_hamming,
                // So that the steps of a document add up to wall time.
                threads: 1,
                ..Options::default()
            },
            ..support::settings(docs.to_owned())
        }
    }

    /// The memory that a document needs until the join is over, in bytes.
    fn bytes(&self, evaluation: &Evaluation) -> u64 {
        let documents = evaluation.documents.max(1) as u64;
        let of = |detector| match detector {
            Detector::Simhash => 8,
            Detector::Shingle | Detector::Containment | Detector::Weighted => {
                evaluation.stats.shingles * 8 / documents
            }
            Detector::SuperShingle => WIDTH as u64 * 8,
            Detector::IMatch => i_match::WIDTH as u64 * 8,
        };
        self.detectors.iter().map(of).sum()
    }
}

/// Takes folders with labels, or files of records without, and prints what each detector comes to; of a file
/// also for its first records, to see how that grows.
pub(crate) fn compare(paths: &[PathBuf], format: Format) {
    for path in paths {
        if !path.is_file() {
            let (docs, labels) = labelled_folder(path);
            print(&path.display().to_string(), &docs, &labels, format);
            continue;
        }
        for count in FIRST {
            if let Some(first) = first_records(path, count) {
                let name = format!("The first {count} of {}", path.display());
                print(&name, first.path(), &[], format);
            }
        }
        print(&path.display().to_string(), path, &[], format);
    }
}

/// A file of the first records of a file, one a line; none if it has no more than these.
fn first_records(path: &Path, count: usize) -> Option<NamedTempFile> {
    let file = File::open(path).expect("it is a file that can be read");
    let mut lines = BufReader::new(file).split(b'\n');
    let mut first = tempfile::Builder::new()
        .suffix(".jsonl")
        .tempfile()
        .expect("a temporary file");
    for line in lines.by_ref().take(count) {
        let mut line = line.expect("it can be read");
        line.push(b'\n');
        first.write_all(&line).expect("room for a temporary file");
    }
    lines.next().map(|_| first)
}

fn print(name: &str, docs: &Path, labels: &[Labelled], format: Format) {
    let (table, documents) = of_one(docs, labels);
    let pairs = labels.len();
    println!("{name}: {documents} documents, {pairs} labelled pairs\n");
    print!("{}", table.print(format));
}

fn of_one(docs: &Path, labels: &[Labelled]) -> (Table, usize) {
    let mut table = Table::new([
        "detector",
        "pairs",
        "precision",
        "recall",
        "F1",
        "as duplicates: precision",
        "recall",
        "F1",
        "signatures a second",
        "join, ms",
        "bytes a document",
    ]);
    let mut documents = 0;
    for way in Way::all() {
        let settings = way.settings(docs);
        let evaluation = evaluate(way.name.into(), &settings, labels);
        documents = evaluation.documents;
        let mut row = vec![
            way.name.to_owned(),
            evaluation.reported.reported.to_string(),
        ];
        for decision in [evaluation.decision, evaluation.verdict] {
            row.extend(scores(decision));
        }
        row.push(rate(documents, &evaluation.stats));
        row.push(format!(
            "{:.1}",
            joining(&evaluation.stats).as_secs_f64() * 1e3
        ));
        row.push(way.bytes(&evaluation).to_string());
        table.add(row);
    }
    (table, documents)
}

fn scores(decision: Decision) -> [String; 3] {
    [decision.precision(), decision.recall(), decision.f1()].map(decimal)
}

/// How many documents a second one core reads and makes signatures of. Waiting for jieba is included, so a useful figure
/// needs thousands of documents.
fn rate(documents: usize, stats: &Stats) -> String {
    let stages = stats.stages.iter();
    let time: Duration = stages
        .filter(|(stage, _)| *stage == Stage::Read)
        .map(|&(_, time)| time)
        .sum();
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    let rate = documents as f64 / stats.threads.max(1) as f64 / time.as_secs_f64().max(1e-9);
    format!("{rate:.0}")
}

/// How long it took to find the pairs from finished features.
fn joining(stats: &Stats) -> Duration {
    let joins = [Stage::HammingJoin, Stage::Index, Stage::JaccardJoin];
    let stages = stats.stages.iter();
    let stages = stages.filter(|(stage, _)| joins.contains(stage));
    stages.map(|&(_, time)| time).sum()
}
