//! After every edit a live collection answers as a cold scan of the same texts does.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::*;
use crate::sources::Sources;
use crate::{ScanJudge, scan};
use dupfind_engine::{Document, Judge, Pair, Relation, Silent, TopPairs};

/// Every pair counts.
struct All;

impl Judge for All {
    fn counts(&mut self, _: &[Document], _: &Pair, _: u64) -> bool {
        true
    }
}

impl ScanJudge for All {
    fn documents(&mut self, _: &[Document], _: &Sources) -> bool {
        false
    }
}

/// How many edits there are, at night more.
fn edits() -> u64 {
    match std::env::var_os("DUPFIND_NIGHTLY") {
        Some(_) => 400,
        None => 80,
    }
}

/// The names of the documents.
const NAMES: u64 = 24;

/// Numbers that look random, and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % end
    }
}

/// Returns a text of paragraphs that other texts have too.
fn text(numbers: &mut Numbers) -> String {
    let paragraph = |number: u64| -> String {
        let words = (0..25).map(|at| format!("p{number}w{at}"));
        words.collect::<Vec<_>>().join(" ")
    };
    let count = 1 + numbers.below(5);
    let own = numbers.below(1000);
    let shared = (0..count).map(|_| paragraph(numbers.below(12)));
    let all: Vec<String> = shared.chain([paragraph(100 + own)]).collect();
    all.join("\n\n")
}

fn options(folder: &Path) -> ScanOptions {
    let mut options = ScanOptions::for_paths([folder]);
    options.walk.base = folder.to_owned();
    options.engine.threads = 1;
    options
}

/// A pair: the names of its documents in their order, and the measures of both detectors.
type Found = (String, String, u64, Option<u8>);

fn found(documents: &[Document], pairs: &[Pair]) -> Vec<Found> {
    let found = pairs.iter().map(|pair| {
        let [a, b] = [pair.a, pair.b].map(|id| documents[id.index()].name.clone());
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let steps = pair.jaccard().map_or(0, |jaccard| jaccard.steps());
        (a, b, steps, pair.hamming)
    });
    let mut found: Vec<Found> = found.collect();
    found.sort();
    found
}

/// Returns the pairs of a scan of all documents.
fn scanned(options: &ScanOptions) -> Vec<Found> {
    let mut pairs = TopPairs::all();
    let outcome = scan(options, &Silent, Some(&mut pairs)).unwrap();
    found(&outcome.documents, &pairs.into_pairs())
}

#[test]
fn random_edits_are_answered_as_by_a_cold_scan() {
    // The files on disk, and the files that an editor would save.
    let (disk, saved) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut live = Live::open(options(disk.path()), None).unwrap().0;
    let mut numbers = Numbers(5);
    let mut on_disk: BTreeMap<String, String> = BTreeMap::new();
    let mut pairs = 0;
    for edit in 0..edits() {
        let name = format!("page{}.md", numbers.below(NAMES));
        let path = disk.path().join(&name);
        match numbers.below(8) {
            0 => {
                let _ = fs::remove_file(&path);
                on_disk.remove(&name);
            }
            1..=2 => live.put(&name, text(&mut numbers)),
            3 => live.close(&name),
            _ => {
                let text = text(&mut numbers);
                fs::write(&path, &text).unwrap();
                on_disk.insert(name.clone(), text);
            }
        }
        live.refresh(&Silent).unwrap();
        assert_eq!(
            scanned(&live.scan_options()),
            scanned(&options(disk.path())),
            "edit {edit}"
        );
        let open = live.open.iter();
        let open = open.map(|(name, open)| (name.clone(), open.content.clone()));
        let all: BTreeMap<String, String> = on_disk.clone().into_iter().chain(open).collect();
        for entry in fs::read_dir(saved.path()).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        for (name, text) in &all {
            fs::write(saved.path().join(name), text).unwrap();
        }
        let expected = scanned(&options(saved.path()));
        // The one that was edited, and another one.
        let other = format!("page{}.md", numbers.below(NAMES));
        for name in [&name, &other]
            .into_iter()
            .filter(|name| all.contains_key(*name))
        {
            let document = live.read(name).unwrap();
            let like = live.like(name, &document, &mut All).unwrap().unwrap();
            let of_name = |(a, b, ..): &&Found| a == name || b == name;
            let expected: Vec<Found> = expected.iter().filter(of_name).cloned().collect();
            assert_eq!(found(&like.documents, &like.pairs), expected, "edit {edit}");
            pairs += expected.len();
        }
    }
    assert!(pairs > 100, "{pairs}");
}

/// Returns a page of a family: the form, the subject, and the version of the page for it. Some words of a version are its own.
fn page(numbers: &mut Numbers, form: u64, subject: u64) -> String {
    let words = (0..160).map(|at| match at % 8 {
        0 | 1 => format!("subject{subject}x{at}"),
        _ if numbers.below(30) == 0 => format!("own{}", numbers.below(1 << 20)),
        _ => format!("form{form}x{at}"),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn relations_are_those_of_a_scan() {
    let folder = tempfile::tempdir().unwrap();
    let mut numbers = Numbers(11);
    let mut names = Vec::new();
    // Two versions of the pages for each subject.
    for (form, subject, version) in (0..3).flat_map(|form| {
        let subjects = 0..4 + form;
        subjects.flat_map(move |subject| (0..2).map(move |version| (form, subject, version)))
    }) {
        // Names that differ in numbers alone would make them versions of one page.
        let subject_name = "x".repeat(usize::try_from(subject).unwrap() + 1);
        let name = format!("v{version}/{form}-{subject_name}.md");
        fs::create_dir_all(folder.path().join(format!("v{version}"))).unwrap();
        let text = page(&mut numbers, form, 10 * form + subject);
        fs::write(folder.path().join(&name), text).unwrap();
        names.push(name);
    }
    let options = options(folder.path());
    let mut live = Live::open(options.clone(), None).unwrap().0;
    live.refresh(&Silent).unwrap();
    let mut pairs = TopPairs::all();
    let outcome = scan(&options, &Silent, Some(&mut pairs)).unwrap();
    let relation = |documents: &[Document], pair: &Pair| {
        let mut two = [pair.a, pair.b].map(|id| documents[id.index()].name.clone());
        two.sort();
        (two, pair.relation())
    };
    let pairs = pairs.into_pairs();
    let all = pairs.iter().map(|pair| relation(&outcome.documents, pair));
    let all: BTreeMap<_, Relation> = all.collect();
    let (mut variants, mut others) = (0, 0);
    for is_open in [false, true] {
        for name in &names {
            if is_open {
                live.put(name, fs::read_to_string(folder.path().join(name)).unwrap());
            }
            let document = live.read(name).unwrap();
            let like = live.like(name, &document, &mut All).unwrap().unwrap();
            let own = all.iter().filter(|(two, _)| two.contains(name));
            assert_eq!(like.pairs.len(), own.count(), "{name}");
            for pair in &like.pairs {
                let (two, found) = relation(&like.documents, pair);
                assert_eq!(found, all[&two], "{two:?} {is_open}");
                match found {
                    Relation::Variant | Relation::Template => variants += 1,
                    _ => others += 1,
                }
            }
        }
    }
    assert!(variants > 40 && others > 40, "{variants} {others}");
}

#[test]
fn only_documents_of_the_folder_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("site");
    fs::create_dir(&root).unwrap();
    let mut numbers = Numbers(9);
    for name in ["site/a.md", "site/.hidden.md", "outside.md"] {
        fs::write(folder.path().join(name), text(&mut numbers)).unwrap();
    }
    let mut live = Live::open(options(&root), None).unwrap().0;
    live.refresh(&Silent).unwrap();
    let outside = folder.path().join("outside.md");
    for name in [
        "../outside.md",
        ".hidden.md",
        outside.to_str().unwrap(),
        "b.md",
    ] {
        assert!(!live.has(name) && live.read(name).is_none(), "{name}");
    }
    assert!(live.read("a.md").is_some());
    #[cfg(unix)]
    {
        // It was a document a moment ago.
        fs::remove_file(root.join("a.md")).unwrap();
        std::os::unix::fs::symlink(&outside, root.join("a.md")).unwrap();
        assert!(live.read("a.md").is_none());
    }
}
