//! Web pages as documents: what counts of them, and which files are such pages.

use std::fs;

use crate::env::{BREAD, Env, PARK, PARK_EDITED, Report, Says};
use crate::pages::{Article, SITES, Site, page};

/// Articles that have nothing to do with each other.
const TEXTS: [&str; 4] = [
    "fixtures/corpus/en/kiln.txt",
    "fixtures/corpus/en/ferry.md",
    "fixtures/corpus/zh/tides.txt",
    "fixtures/corpus/zh/soy-sauce.md",
];

/// Every article on every site, `ARTICLE-SITE.html`.
fn sites() -> Env {
    let articles = TEXTS.map(|path| Article::of(&fs::read_to_string(path).unwrap()));
    let mut env = Env::new();
    for (number, article) in articles.iter().enumerate() {
        let others = articles.iter().filter(|other| other.title != article.title);
        let others: Vec<&str> = others.map(|other| other.title.as_str()).collect();
        for site in SITES {
            let name = format!("{number}-{}.html", site.name());
            env = env.file(name, page(site, article, &others));
        }
    }
    env
}

/// How many pairs of a report are duplicates: those of the same article, and those of one site.
fn duplicates(report: &Report) -> (usize, usize) {
    let mut counts = (0, 0);
    for pair in &report.pairs {
        let is_duplicate = ["exact", "near", "contains"].contains(&pair.relation.as_str());
        let (a, b) = (
            pair.a.split_once('-').unwrap(),
            pair.b.split_once('-').unwrap(),
        );
        if is_duplicate && a.0 == b.0 {
            counts.0 += 1;
        } else if is_duplicate {
            counts.1 += 1;
        }
    }
    counts
}

#[test]
fn the_same_article_on_several_sites_and_nothing_else() {
    let env = sites();
    let same = TEXTS.len() * SITES.len() * (SITES.len() - 1) / 2;
    let report = env.json("");
    assert_eq!(duplicates(&report), (same, 0), "{:#?}", report.pairs);
    // With all that sites put around articles, those of one site are alike.
    assert!(env.json("--web-part raw").pairs.len() > report.pairs.len());
}

#[test]
fn pages_are_known_by_how_they_begin() {
    let article = Article {
        title: "The river park".into(),
        paragraphs: PARK.split("\n\n").map(str::to_owned).collect(),
        is_chinese: false,
    };
    let blog = page(Site::Blog, &article, &["Another post", "And one more"]);
    let about = "A page begins with <html>, then comes its head.";
    let env = Env::new()
        .file("park.md", PARK_EDITED)
        .file("index.aspx", &blog)
        .file("page", format!("<?xml version=\"1.0\"?>\n{blog}"))
        .file("about.txt", about);
    let report = env.json("");
    let names = [
        ("index.aspx", "page"),
        ("index.aspx", "park.md"),
        ("page", "park.md"),
    ];
    assert_eq!(report.pair_names(), names);
}

#[test]
fn a_page_may_ask_not_to_be_compared() {
    let with_meta = |content: &str| {
        let meta = format!("<meta name=\"dupfind\" content=\"{content}\">");
        format!("<!doctype html><title>Bread</title>{meta}<p>{BREAD}")
    };
    let env = Env::new()
        .file("a.html", with_meta("ignore - everywhere the same"))
        .file("b.html", with_meta("skip"))
        .file("c.html", format!("<p>{BREAD}"))
        .file("d.html", format!("<p>{BREAD}"));
    let report = env.json("");
    let expected = [("a.html", "opted out"), ("b.html", "opted out")];
    assert_eq!(report.skips(), expected);
    let details = [0, 1].map(|at| report.skipped[at].detail.as_str());
    assert_eq!(details, ["everywhere the same", "skip"]);
    assert_eq!(report.pair_names(), [("c.html", "d.html")]);
}

#[test]
fn lines_of_a_comparison_are_those_of_the_page() {
    let page =
        |text: &str| format!("<!doctype html>\n<script>\n\n</script>\n<main>\n{text}</main>\n");
    let env = Env::new()
        .file("a.html", page(PARK))
        .file("b.html", page(PARK_EDITED));
    let run = env.run("compare --no-config a.html b.html");
    run.ok().says("A 6-10 = B 6-10");
}
