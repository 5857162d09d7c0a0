//! Jobs whose steps hand on files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cover::{Task, Tiles};
use crate::files::freeze::freeze;
use crate::files::frozen::Frozen;
use crate::files::merge::merge;
use crate::files::part::write_part;
use crate::files::task::write_pairs;
use crate::laws::write_documents;
use dupfind_engine::Error;
use dupfind_engine::Options;
use dupfind_engine::pairing::sink::TopPairs;
use dupfind_engine::run::observer::Silent;
use dupfind_engine::verdict::pair::Pair;
use dupfind_scan::outcome::Outcome;
use dupfind_scan::{ScanOptions, features};

/// A job in a folder.
pub(super) struct FileJob<'j> {
    pub(super) folder: &'j Path,
    pub(super) options: Options,
}

impl FileJob<'_> {
    fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Returns the options of a scan of some subfolders, whose documents are named by their paths below the folder.
    pub(super) fn scan(&self, subfolders: &[&str]) -> ScanOptions {
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

    /// Freezes some parts, writes the frozen data and reads it again.
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

    fn merged(&self, files: &[PathBuf]) -> Result<(Outcome, Vec<Pair>), Error> {
        let mut best = TopPairs::all();
        let options = self.scan(&["a", "b"]);
        let frequencies = self.at("frequencies");
        let files = (frequencies.as_path(), files);
        let outcome = merge(&options, files, &Silent, None, Some(&mut best))?;
        Ok((outcome, best.into_pairs()))
    }

    /// Runs a whole job of so many tiles. Returns the result of a scan.
    pub(super) fn finish(&self, count: u32) -> (Outcome, Vec<Pair>) {
        let parts = ["b", "a"].map(|name| self.features(name));
        let frozen = self.frozen(&parts);
        let tiles = Tiles::cut(frozen.sets().sizes(), count);
        let tasks = tiles.tasks(frozen.sets(), &self.options);
        let mut files = parts.to_vec();
        let run = |&task: &Task| self.task(&frozen, &parts, &tiles, task);
        files.extend(tasks.iter().map(run));
        // A job is whole or refused.
        if let Some(last) = tasks.last() {
            let missing = self.merged(&files[..files.len() - 1]).unwrap_err();
            // Without the pairs of any task, nobody knows how many tiles the job has.
            let expected = match tasks.len() {
                1 => "1 of 1 tasks are missing".into(),
                all => format!(
                    "1 of {all} tasks are missing, the first one is {},{}",
                    last.earlier, last.later
                ),
            };
            assert!(missing.to_string().contains(&expected), "{missing}");
        }
        self.merged(&files).unwrap()
    }
}

#[test]
fn little_memory_gives_the_same_frequencies() {
    let folder = tempfile::tempdir().unwrap();
    let stretches: Vec<_> = (0..60).map(|at| (at % 3, at, 50 + at)).collect();
    write_documents(folder.path(), &stretches);
    let mut job = FileJob {
        folder: folder.path(),
        options: Options::default(),
    };
    let parts = ["a", "b"].map(|name| job.features(name));
    let bytes = |job: &FileJob<'_>| {
        job.frozen(&parts);
        fs::read(job.at("frequencies")).unwrap()
    };
    let at_once = bytes(&job);
    job.options.budget.limit = Some(36 * 700);
    assert!(at_once == bytes(&job));
}

#[test]
fn files_of_different_jobs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let stretches: Vec<_> = (0..30).map(|at| (at % 2, at, 60 + at % 3)).collect();
    write_documents(folder.path(), &stretches);
    let job = FileJob {
        folder: folder.path(),
        options: Options::default(),
    };
    let parts = ["a", "b"].map(|name| job.features(name));
    let frozen = job.frozen(&parts);
    let tiles = Tiles::cut(frozen.sets().sizes(), 2);
    let pairs: Vec<PathBuf> = [(1, 1), (1, 2), (2, 2)]
        .map(|(earlier, later)| job.task(&frozen, &parts, &tiles, Task { earlier, later }))
        .into();
    let [one, two, three] = [&pairs[0], &pairs[1], &pairs[2]];
    let refused = |files: &[&PathBuf]| {
        let files: Vec<PathBuf> = files.iter().copied().cloned().collect();
        job.merged(&files).unwrap_err().to_string()
    };
    let [a, b] = &parts;
    assert!(
        job.merged(&[a, b, one, two, three].map(Clone::clone))
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
    let third = Tiles::cut(frozen.sets().sizes(), 3);
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
    let error = job
        .merged(&[a, b, one, two, three].map(Clone::clone))
        .unwrap_err();
    assert!(
        error.to_string().contains("found with other frequencies"),
        "{error}"
    );
}
