//! What holds for every job: its outcome is that of a scan of all documents.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use crate::detect::weighted::MinWeighted;
use crate::detect::{Detector, Detectors, Require};
use crate::engine::Options;
use crate::engine::observer::Silent;
use crate::engine::pair::Pair;
use crate::engine::pairing::sink::TopPairs;
use crate::error::Error;
use crate::join::threshold::Containment;
use crate::scan::outcome::{Outcome, Source};
use crate::scan::{ScanOptions, features, scan};
use crate::tiles::cover::{Task, Tiles, costs};
use crate::tiles::freeze::freeze;
use crate::tiles::frozen::Frozen;
use crate::tiles::merge::{DoneJob, merge};
use crate::tiles::part::write_part;
use crate::tiles::task::write_pairs;

/// A job in a folder.
struct Job<'j> {
    folder: &'j Path,
    options: Options,
}

impl Job<'_> {
    fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Returns the options of a scan of some subfolders, whose documents are named by their paths below the folder.
    fn scan(&self, subfolders: &[&str]) -> ScanOptions {
        let mut options = ScanOptions::for_paths(subfolders.iter().map(|name| self.at(name)));
        options.walk.base = self.folder.to_owned();
        options.engine = self.options.clone();
        options
    }

    /// Makes the features of a subfolder. Returns their file.
    fn features(&self, subfolder: &str) -> PathBuf {
        let options = self.scan(&[subfolder]);
        let corpus = features(&options, &Silent).unwrap();
        let path = self.at(&format!("{subfolder}.feat"));
        write_part(&options, &corpus, fs::File::create(&path).unwrap()).unwrap();
        path
    }

    /// Freezes what some parts have, writes it and reads it again.
    fn frozen(&self, parts: &[PathBuf]) -> Frozen {
        let path = self.at("frequencies");
        let frozen = freeze(&self.options, parts, &Silent).unwrap();
        frozen.write(fs::File::create(&path).unwrap()).unwrap();
        Frozen::open(&path, &self.options).unwrap()
    }

    /// Runs a task. Returns the file of its pairs.
    fn task(&self, frozen: &Frozen, parts: &[PathBuf], tiles: &Tiles, task: Task) -> PathBuf {
        let path = self.at(&format!("pairs-{}-{}", task.earlier, task.later));
        let out = fs::File::create(&path).unwrap();
        let job = (&self.options, frozen);
        write_pairs(job, parts, (tiles, task), &Silent, out).unwrap();
        path
    }

    fn merged(&self, frozen: &Frozen, files: &[PathBuf]) -> Result<(Outcome, Vec<Pair>), Error> {
        let mut best = TopPairs::all();
        let job = DoneJob {
            frozen,
            frozen_at: &self.at("frequencies"),
            files,
        };
        let options = self.scan(&["a", "b"]);
        let outcome = merge(&options, &job, &Silent, None, Some(&mut best))?;
        Ok((outcome, best.into_pairs()))
    }
}

fn assert_equal(found: &(Outcome, Vec<Pair>), expected: &(Outcome, Vec<Pair>)) {
    assert_eq!(found.1, expected.1);
    let (found, expected) = (&found.0, &expected.0);
    assert_eq!(found.documents, expected.documents);
    assert_eq!(found.pair_counts, expected.pair_counts);
    assert_eq!(found.clusters, expected.clusters);
    assert_eq!(found.unshared, expected.unshared);
    assert_eq!(found.skipped, expected.skipped);
    assert_eq!(found.notes, expected.notes);
    let paths = |outcome: &Outcome| -> Vec<_> {
        let sources = outcome.sources.documents.iter();
        let path = |source: &Source| {
            let file = outcome.sources.files[source.file as usize].clone();
            (file, source.record, source.line, source.format)
        };
        sources.map(path).collect()
    };
    assert_eq!(paths(found), paths(expected));
}

/// Returns the kinds of options of which jobs are run.
pub(super) fn kinds() -> Vec<Options> {
    let usual = Options::default();
    let with = |detectors: Detectors, require| Options {
        detectors,
        require,
        ..Options::default()
    };
    let all = Detectors::USUAL
        .with(Detector::SuperShingle, true)
        .with(Detector::IMatch, true);
    let mut low = usual.clone();
    low.min_jaccard = "0.7".parse().unwrap();
    low.max_hamming = 1;
    let mut heavy = low.clone();
    heavy.min_weighted = MinWeighted::From(2_000);
    let mut contained = low.clone();
    contained.containment = Some(Containment {
        least: "0.9".parse().unwrap(),
        min_size: 30,
    });
    vec![
        usual,
        low,
        heavy,
        contained,
        with(all, Require::Any),
        with(Detectors::USUAL, Require::All),
        with(Detector::Simhash.into(), Require::Any),
        with(Detector::SuperShingle.into(), Require::Any),
        with(Detector::Shingle.into(), Require::Any),
    ]
}

/// Returns a stretch of one of a few long texts.
pub(super) fn stretch((text, start, length): (u32, u32, u32)) -> String {
    let words = (start..start + length).map(|word| format!("w{}", word * 7 + text * 1_000));
    words.collect::<Vec<_>>().join(" ")
}

/// Writes documents into two subfolders.
fn write_documents(folder: &Path, stretches: &[(u32, u32, u32)]) {
    for name in ["a", "b"] {
        fs::create_dir(folder.join(name)).unwrap();
    }
    fs::write(folder.join("a/empty.txt"), "...").unwrap();
    for (at, &words) in stretches.iter().enumerate() {
        let subfolder = if at % 3 == 0 { "b" } else { "a" };
        fs::write(folder.join(format!("{subfolder}/{at}.txt")), stretch(words)).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_job_finds_what_a_scan_finds(
        stretches in prop::collection::vec(
            (0_u32..3, 0_u32..40, prop_oneof![2_u32..150, Just(60_u32)]), 0..130,
        ),
        kind in 0_usize..9,
        count in 1_u32..9,
    ) {
        let folder = tempfile::tempdir().unwrap();
        write_documents(folder.path(), &stretches);
        let job = Job { folder: folder.path(), options: kinds().swap_remove(kind) };
        let mut best = TopPairs::all();
        let outcome = scan(&job.scan(&["a", "b"]), &Silent, Some(&mut best)).unwrap();
        let expected = (outcome, best.into_pairs());

        let parts = ["b", "a"].map(|name| job.features(name));
        let frozen = job.frozen(&parts);
        let tiles = Tiles::cut(frozen.set_sizes(), count);
        let tasks = tiles.tasks(&frozen, &job.options);
        prop_assert_eq!(costs(&tiles, &tasks, &frozen, &job.options).unwrap().len(), tasks.len());
        let mut files = parts.to_vec();
        let run = |&task: &Task| job.task(&frozen, &parts, &tiles, task);
        files.extend(tasks.iter().map(run));
        assert_equal(&job.merged(&frozen, &files).unwrap(), &expected);
        // A job is whole or refused.
        if !tasks.is_empty() {
            let missing = job.merged(&frozen, &files[..files.len() - 1]).unwrap_err();
            // Of a job without any pairs, nobody knows how many tiles it has.
            let (last, all) = (tasks[tasks.len() - 1], tasks.len());
            let part = match all {
                1 => "1 of 1 tasks are missing".into(),
                _ => format!("1 of {all} tasks are missing, the first one is {},{}", last.earlier, last.later),
            };
            prop_assert!(missing.to_string().contains(&part), "{}", missing);
        }
    }
}

#[test]
fn little_memory_gives_the_same_frequencies() {
    let folder = tempfile::tempdir().unwrap();
    let stretches: Vec<_> = (0..60).map(|at| (at % 3, at, 50 + at)).collect();
    write_documents(folder.path(), &stretches);
    let mut job = Job {
        folder: folder.path(),
        options: Options::default(),
    };
    let parts = ["a", "b"].map(|name| job.features(name));
    let bytes = |job: &Job<'_>| {
        job.frozen(&parts);
        fs::read(job.at("frequencies")).unwrap()
    };
    let at_once = bytes(&job);
    job.options.budget.limit = Some(36 * 700);
    assert!(at_once == bytes(&job));
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let stretches: Vec<_> = (0..30).map(|at| (at % 2, at, 60 + at % 3)).collect();
    write_documents(folder.path(), &stretches);
    let job = Job {
        folder: folder.path(),
        options: Options::default(),
    };
    let parts = ["a", "b"].map(|name| job.features(name));
    let frozen = job.frozen(&parts);
    let tiles = Tiles::cut(frozen.set_sizes(), 2);
    let pairs: Vec<PathBuf> = [(1, 1), (1, 2), (2, 2)]
        .map(|(earlier, later)| job.task(&frozen, &parts, &tiles, Task { earlier, later }))
        .into();
    let [one, two, three] = [&pairs[0], &pairs[1], &pairs[2]];
    let refused = |files: &[&PathBuf]| {
        let files: Vec<PathBuf> = files.iter().copied().cloned().collect();
        job.merged(&frozen, &files).unwrap_err().to_string()
    };
    let [a, b] = &parts;
    assert!(
        job.merged(&frozen, &[a, b, one, two, three].map(Clone::clone))
            .is_ok()
    );
    assert_eq!(
        refused(&[a, b, one, three]),
        "1 of 3 tasks are missing, the first one is 1,2"
    );
    assert!(
        refused(&[a, one, two, three])
            .contains("b.feat is missing: the frequencies were frozen from 2")
    );
    assert!(refused(&[a, b, b, one, two, three]).contains("or it is there twice"));
    assert!(refused(&[a, b, one, one, two, three]).contains("it is of the task 1,1, as is"));

    // Damage is seen wherever it is.
    let whole = fs::read(two).unwrap();
    for (at, part) in [
        (0, "cannot"),
        (9, "version"),
        (15, "it is damaged"),
        (whole.len() - 30, ""),
    ] {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(two, &damaged).unwrap();
        let error = refused(&[a, b, one, two, three]);
        assert!(
            error.contains(part) || at == 0 && error.contains("no file of features"),
            "{at}: {error}"
        );
    }
    fs::write(two, &whole[..whole.len() / 2]).unwrap();
    assert!(refused(&[a, b, one, two, three]).contains("cut off"));
    fs::write(two, &whole).unwrap();

    // Other options, other frequencies, another number of tiles.
    let other = Options {
        max_hamming: 5,
        ..Options::default()
    };
    let error = Frozen::open(&job.at("frequencies"), &other).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("frozen with max_hamming 3, not 5"),
        "{error}"
    );
    let other = Options {
        shingle_size: 4.try_into().unwrap(),
        ..Options::default()
    };
    let error = freeze(&other, &parts, &Silent).unwrap_err().to_string();
    assert!(
        error.contains("a.feat: the features were made with shingle_size 3, not 4"),
        "{error}"
    );
    let error = freeze(&job.options, &[a.clone(), a.clone()], &Silent).unwrap_err();
    assert!(matches!(error, Error::NameTwice { .. }), "{error}");
    let third = Tiles::cut(frozen.set_sizes(), 3);
    let of_three = job.task(
        &frozen,
        &parts,
        &third,
        Task {
            earlier: 3,
            later: 3,
        },
    );
    assert!(
        refused(&[a, b, one, &of_three]).contains("it is of a job of 3 tiles, and others are of 2")
    );
    fs::write(job.at("a/new.txt"), "one two three four five six seven").unwrap();
    job.features("a");
    assert!(refused(&[a, b, one, two, three]).contains("a.feat has changed"));
    job.frozen(&parts);
    let frozen = Frozen::open(&job.at("frequencies"), &job.options).unwrap();
    let error = job
        .merged(&frozen, &[a, b, one, two, three].map(Clone::clone))
        .unwrap_err();
    assert!(
        error.to_string().contains("found with other frequencies"),
        "{error}"
    );
}
