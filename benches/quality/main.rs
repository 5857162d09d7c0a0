//! How good the pairs are that a scan reports:
//!
//! ```text
//! cargo bench --bench quality -- [--format text|markdown] [--min-containment C] FOLDER...
//! cargo bench --bench quality -- --detectors [--format text|markdown] [FOLDER | FILE.jsonl]...
//! cargo bench --bench quality -- --sets [--parts] [--tool COMMAND] [--json FILE] [--format text|markdown] FOLDER...
//! cargo bench --bench quality -- --plant SOURCE DEST [--seed N] [--pages N] [--scans PERCENT | --variants N]
//! ```
//!
//! A labelled folder has its documents in `docs/` and a table `labels.tsv` with a heading, whose
//! first columns are two documents (paths within `docs/`) and a label. Labels that begin with
//! `different`, `non-` or `translation` are of pairs that should not be reported. Without a folder,
//! the pairs of the fixtures are used, by the kind of their making.
//!
//! The second form puts all detectors beside each other, with what each costs; for a file of records also
//! for its first ones, to see how that grows.
//!
//! The third form prints one row for each labelled folder among these and in them, by any tool, see [`sets`].
//!
//! The fourth form makes a labelled folder of a folder of texts, see [`plant`].

use std::path::PathBuf;

use arguments::{Arguments, Task};
use dupfind_engine::{Containment, Options};
use dupfind_scan::ScanOptions;
use support::labels::{Labelled, labelled_folder};

mod arguments;
mod detectors;
mod evaluate;
mod measures;
mod metrics;
mod plant;
mod report;
mod sets;
#[expect(dead_code, reason = "the texts are for other benches")]
#[path = "../support/mod.rs"]
mod support;
mod table;

fn main() {
    let Arguments {
        task,
        format,
        min_containment,
    } = Arguments::parse(std::env::args().skip(1));
    match task {
        Task::Plant {
            source,
            dest,
            seed,
            pages,
            kind,
        } => plant::plant(&source, &dest, seed, pages, kind),
        Task::Sets(sets) => sets.print(format),
        Task::Compare(paths) => detectors::compare(&or_fixtures(paths), format),
        Task::Evaluate(folders) => {
            let mut evaluations = Vec::new();
            for (name, docs, labels) in labelled(folders) {
                let settings = ScanOptions {
                    engine: Options {
                        containment: min_containment.map(|least| Containment {
                            least,
                            min_size: Options::MIN_CONTAINED,
                        }),
                        ..Options::default()
                    },
                    ..support::settings(docs)
                };
                let evaluation = evaluate::evaluate(name, &settings, &labels);
                print!("{}", report::folder(&evaluation, format));
                evaluations.push(evaluation);
            }
            print!("{}", report::summary(&evaluations, format));
        }
    }
}

/// The paths, or that of the fixtures if there is none.
fn or_fixtures(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    if paths.is_empty() {
        paths.push("fixtures/corpus".into());
    }
    paths
}

/// The name, the documents and the labels of each folder, or of the fixtures if there is none.
fn labelled(folders: Vec<PathBuf>) -> Vec<(String, PathBuf, Vec<Labelled>)> {
    let folders = or_fixtures(folders).into_iter().map(|folder| {
        let (docs, labels) = labelled_folder(&folder);
        let name = folder.file_name().unwrap_or(folder.as_os_str());
        (name.to_string_lossy().into(), docs, labels)
    });
    folders.collect()
}
