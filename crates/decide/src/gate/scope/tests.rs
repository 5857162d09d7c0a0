//! Laws of the scope, on documents that nobody had to read.

use proptest::prelude::*;

use super::*;
use dupfind_engine::detect::Detector;
use dupfind_engine::detect::measures::Agreeing;
use dupfind_engine::verdict::Rule;
use dupfind_scan::sources::{Source, Sources};

/// Documents of these names, `FILE#ID` for records, those with a leading `+` of the other side.
fn documents(names: &[&str]) -> (Vec<Document>, Sources) {
    let document = |name: &&str| Document::sample(name.trim_start_matches('+'));
    let source = |(at, name): (usize, &&str)| Source {
        record: u64::from(name.contains('#')),
        line: u64::from(name.contains('#')),
        last_line: u64::from(name.contains('#')),
        is_against: name.starts_with('+'),
        ..Source::of_file(u32::try_from(at).unwrap())
    };
    let file = |name: &&str| {
        name.trim_start_matches('+')
            .split('#')
            .next()
            .unwrap()
            .into()
    };
    let sources = Sources {
        documents: names.iter().enumerate().map(source).collect(),
        files: names.iter().map(file).collect(),
        rows: None,
        texts: None,
    };
    (names.iter().map(document).collect(), sources)
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

fn rule(documents: &[&str]) -> IgnoreRule {
    IgnoreRule {
        documents: documents.iter().map(|&name| name.into()).collect(),
        copies: false,
        reason: "a reason".into(),
        origin: "dupfind.toml:1".into(),
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
    let (documents, sources) = documents(names);
    scope.documents(&documents, &sources);
    let all = (0..names.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    all.filter(|&(a, b)| scope.counts(&pair(a, b))).collect()
}

/// Which of the documents are in a rule with `is.md`.
fn in_rule(patterns: &[&str], folder: &str, names: &[&str]) -> Vec<String> {
    let mut scope = scope(false);
    let patterns = [patterns, &["/site/is.md"]].concat();
    scope.ignore(&[rule(&patterns)], Path::new(folder)).unwrap();
    let names = [&["is.md"], names].concat();
    let counting = counting(&mut scope, &names);
    (1..names.len())
        .filter(|&at| !counting.contains(&(0, at)))
        .map(|at| names[at].to_owned())
        .collect()
}

#[test]
fn names_and_globs_of_rules() {
    let names = [
        "a.md",
        "docs/a.md",
        "docs/sub/a.md",
        "docs/sub/b.txt",
        "docs/x[1].md",
        "r.jsonl#1",
        "r.jsonl#x/y",
        "../out/a.md",
        "/srv/a.md",
    ];
    for (patterns, folder, found) in [
        (&["a.md"][..], "", &["a.md"][..]),
        (&["./docs/../a.md"], "", &["a.md"]),
        (&["a.md"], "docs", &["docs/a.md"]),
        (&["../a.md"], "docs", &["a.md"]),
        (&["/a.md"], "docs", &["docs/a.md"]),
        (&["docs/sub"], "", &["docs/sub/a.md", "docs/sub/b.txt"]),
        (&["sub/"], "docs", &["docs/sub/a.md", "docs/sub/b.txt"]),
        (&["docs/*.md"], "", &["docs/a.md", "docs/x[1].md"]),
        (&["sub/*.md"], "docs", &["docs/sub/a.md"]),
        (
            &["../docs/sub/**"],
            "docs",
            &["docs/sub/a.md", "docs/sub/b.txt"],
        ),
        (&["*.md", "!docs/**"], "", &["a.md"]),
        (
            &["*.md", "!docs/**", "docs/a.md"],
            "",
            &["a.md", "docs/a.md"],
        ),
        (&["docs/x[1].md"], "", &["docs/x[1].md"]),
        (&["r.jsonl"], "", &["r.jsonl#1", "r.jsonl#x/y"]),
        (&["r.jsonl#1"], "", &["r.jsonl#1"]),
        (&["r.jsonl#x*"], "", &["r.jsonl#x/y"]),
        (&["../out/a.md"], "", &["../out/a.md"]),
        (&["/srv/a.md"], "", &["/srv/a.md"]),
        (&["b.md", "docs"], "/elsewhere", &[]),
    ] {
        assert_eq!(
            in_rule(patterns, folder, &names),
            found,
            "{patterns:?} {folder}"
        );
    }
}

#[test]
fn rules_are_each_for_itself() {
    let names = ["v1/a.md", "v1/b.md", "v2/a.md", "v2/b.md"];
    let mut scope = scope(false);
    let rules = [rule(&["v1/**"]), rule(&["v2"])];
    scope.ignore(&rules, Path::new("")).unwrap();
    let between = [(0, 2), (1, 2), (0, 3), (1, 3)];
    assert_eq!(counting(&mut scope, &names), between);
    for wrong in ["v{1", "", " ", "/", "!", "! ", "//"] {
        let rules = [rule(&["v1", wrong])];
        assert!(scope.ignore(&rules, Path::new("")).is_err(), "{wrong}");
    }
}

#[test]
fn copies_in_a_family_count() {
    let (documents, sources) = documents(&["a/x.md", "a/y.md"]);
    let mut scope = scope(false);
    let family = IgnoreRule {
        copies: true,
        ..rule(&["a/"])
    };
    scope.ignore(&[family], Path::new("")).unwrap();
    scope.documents(&documents, &sources);
    let copy = pair(0, 1);
    let near = Pair {
        rule: Rule::NearWeighted,
        ..copy
    };
    assert_eq!([copy, near].map(|pair| scope.counts(&pair)), [true, false]);
}

#[test]
fn pairs_of_two_sides() {
    let names = ["a", "+b", "c", "+d"];
    let between = [(0, 1), (1, 2), (0, 3), (2, 3)];
    assert_eq!(counting(&mut scope(true), &names), between);
    assert!(!scope(false).decides());
}

/// The patterns in the rules of the property tests.
const PATTERNS: [&str; 9] = [
    "a.md",
    "docs",
    "docs/**",
    "*.md",
    "!docs/b.md",
    "!*.md",
    "r.jsonl",
    "r.jsonl#1",
    "../*",
];

proptest! {
    #[test]
    fn a_further_rule_only_takes_pairs_away(
        rules in prop::collection::vec(prop::collection::vec(0..PATTERNS.len(), 1..4), 1..5),
        has_sides in any::<bool>(),
    ) {
        let names = ["+docs/c.md", "a.md", "b.md", "docs/a.md", "docs/b.md", "r.jsonl#1", "r.jsonl#2"];
        let mut before = counting(&mut scope(has_sides), &names);
        for count in 1..=rules.len() {
            let mut scope = scope(has_sides);
            for patterns in &rules[..count] {
                let patterns: Vec<&str> = patterns.iter().map(|&at| PATTERNS[at]).collect();
                scope.ignore(&[rule(&patterns)], Path::new("")).unwrap();
            }
            let after = counting(&mut scope, &names);
            prop_assert!(after.iter().all(|pair| before.contains(pair)));
            // The order of the two makes no difference.
            let (_, sources) = documents(&names);
            for b in 0..names.len() {
                for a in 0..b {
                    let there = scope.counts(&pair(a, b));
                    prop_assert_eq!(there, scope.counts(&pair(b, a)));
                    let across = sources.documents[a].is_against != sources.documents[b].is_against;
                    prop_assert!(!there || !has_sides || across);
                }
            }
            before = after;
        }
    }

    #[test]
    fn any_glob_is_one_or_an_error(glob in "([!#/.*?\\[\\]{}\\\\a-z ]|\\PC){1,12}") {
        let mut scope = scope(false);
        let _ = scope.ignore(&[rule(&[&glob])], Path::new("x"));
        counting(&mut scope, &["a.md", "../b.md", "r.jsonl#1"]);
    }
}
