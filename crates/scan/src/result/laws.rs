//! Relations of pages of several versions.

use crate::rows::RowScan;
use crate::sources::Sources;
use crate::{Scan, ScanJudge, ScanOptions};
use dupfind_engine::{DocId, Document, Judge, Options, Pair, Relation, Silent};

/// Returns the options of a scan of rows.
fn of_rows(engine: Options) -> ScanOptions {
    ScanOptions {
        engine,
        ..ScanOptions::for_paths([""; 0])
    }
}

/// Compares the documents of two sides, if there are two.
struct Sides(Vec<bool>);

impl ScanJudge for Sides {
    fn documents(&mut self, _: &[Document], sources: &Sources) -> bool {
        self.0 = sources
            .documents
            .iter()
            .map(|source| source.is_against)
            .collect();
        true
    }
}

impl Judge for Sides {
    fn compares(&self, a: DocId, b: DocId) -> bool {
        !self.0.contains(&true) || self.0[a.index()] != self.0[b.index()]
    }

    fn counts(&mut self, _: &[Document], pair: &Pair, _: u64) -> bool {
        self.compares(pair.a, pair.b)
    }
}

/// A name and a text.
type Page = (String, String);

/// Scans pages, or compares them with those of the other side if that has any.
fn scanned(pages: &[Page], others: &[Page], options: &Options) -> Scan {
    let mut rows = RowScan::new(of_rows(options.clone()));
    for (side, is_against) in [(pages, false), (others, true)] {
        let named = side
            .iter()
            .map(|(name, text)| (Some(name.clone()), Some(text)));
        rows.add(named, is_against, &Silent).unwrap();
    }
    rows.finish(&Silent, Some(&mut Sides(Vec::new()))).unwrap()
}

/// The copies of two versions of a page are these versions, though each is more like its copy.
#[test]
fn copies_of_two_versions_are_no_variants() {
    let pages = |places: &[(&str, usize)]| -> Vec<Page> {
        let words = |from: usize| (from..from + 90).map(|word| format!("w{word} ")).collect();
        places
            .iter()
            .map(|(name, from)| ((*name).to_owned(), words(*from)))
            .collect()
    };
    let counts = |pages: &[Page], others: &[Page]| {
        let scan = scanned(pages, others, &Options::default());
        [Relation::Exact, Relation::Near, Relation::Variant]
            .map(|relation| scan.pair_counts.of(relation))
    };
    let copies = [("v1/page.md", 0), ("notes/a.md", 0), ("notes/b.md", 40)];
    let versions = pages(&[&copies[..], &[("v2/page.md", 40)]].concat());
    assert_eq!(counts(&versions, &[]), [2, 4, 0]);
    let subjects = pages(&[&copies[..], &[("v2/other.md", 40)]].concat());
    assert_eq!(counts(&subjects, &[]), [2, 0, 4]);
    // Copies of one side are no pair.
    let published = pages(&[("v1/page.md", 0), ("notes/a.md", 0), ("notes/c.md", 30)]);
    let drafts = pages(&[("v2/page.md", 40), ("drafts/d.md", 10)]);
    assert_eq!(counts(&drafts, &published), [0, 5, 1]);
}
