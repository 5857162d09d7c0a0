//! Sides of the scope, on documents that nobody had to read.

use super::*;
use dupfind_engine::detect::Agreeing;
use dupfind_engine::{Detector, Rule};
use dupfind_scan::Sources;

/// Where documents of these names are from, those with a leading `+` from the other side.
fn sources(names: &[&str]) -> Sources {
    let mut sources = Sources::sample(names.len());
    for (source, name) in sources.documents.iter_mut().zip(names) {
        source.is_against = name.starts_with('+');
    }
    sources
}

fn pair(a: usize, b: usize) -> Pair {
    Pair {
        a: DocId::new(a).unwrap(),
        b: DocId::new(b).unwrap(),
        hamming: None,
        sets: None,
        rule: Rule::SameText,
        found_by: Detector::Shingle.into(),
        agreeing: Agreeing::default(),
    }
}

fn scope(has_sides: bool) -> PairScope {
    let mut walk = WalkOptions::new(vec![".".into()], "/site".into());
    if has_sides {
        walk.against.push("other".into());
    }
    PairScope::new(&walk)
}

/// The pairs that count, by position.
fn counting(scope: &mut PairScope, names: &[&str]) -> Vec<(usize, usize)> {
    scope.documents(&sources(names));
    let all = (0..names.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    all.filter(|&(a, b)| scope.counts(&pair(a, b), 1)).collect()
}

#[test]
fn pairs_of_two_sides() {
    let names = ["a", "+b", "c", "+d"];
    let between = [(0, 1), (1, 2), (0, 3), (2, 3)];
    assert_eq!(counting(&mut scope(true), &names), between);
    assert!(!scope(false).decides());
}

#[test]
fn a_placeholder_has_a_part_of_a_path_as_its_value() {
    let base = Path::new("/site");
    for (pattern, file, expected) in [
        ("docs/{*}/", "docs/v1/a.md", Some("v1")),
        ("docs/{*}", "docs/v1/a/b.md", Some("v1")),
        ("./docs/v{*}/", "docs/v1/a.md", Some("1")),
        ("docs/{*}/", "other/v1/a.md", None),
        ("docs/{*}/", "docs/index.md", None),
        ("docs/{*}", "docs/index.md", Some("index.md")),
        ("docs/{*}/guide", "docs/v1/guide/a.md", Some("v1")),
        ("docs/{*}/guide", "docs/v1/api/a.md", None),
        ("*/{*}/", "docs/en/a.md", Some("en")),
        ("**/{*}.md", "docs/en/a.md", Some("a")),
        ("**/*.{*}.md", "docs/x/page.v2.en.md", Some("en")),
        ("**/*.{*}.md", "docs/x/page.md", None),
        ("**/i18n/{*}/**/*.md", "a/i18n/zh/b/c.md", Some("zh")),
        ("{*}/", "en/a.md", Some("en")),
        ("c/{*}/v{*}/", "c/en/v2/a.md", Some("en/2")),
        ("c/{*}/{*}/", "c/en/a.md", None),
        ("a+b.{*}/", "a+b.en/c.md", Some("en")),
        ("a+b.{*}/", "aab-en/c.md", None),
    ] {
        let division = Division::new(pattern, base).unwrap();
        let found = division.value(Path::new(file), base);
        assert_eq!(found.as_deref(), expected, "{pattern} {file}");
    }
    let above = Division::new("../docs/{*}/", Path::new("/site/x")).unwrap();
    let found = above.value(Path::new("docs/v1/a.md"), base);
    assert_eq!(found.as_deref(), Some("v1"));
    for wrong in ["docs/v1", "{*}{*}", "*{*}/", "docs/[a]/{*}", ""] {
        assert!(Division::new(wrong, base).is_err(), "{wrong}");
    }
}
