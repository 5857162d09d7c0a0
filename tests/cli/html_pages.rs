//! Web pages as documents: what counts of them, and which files are such pages.

use std::fs;

use crate::env::{Env, Report};
use crate::pages::{Article, SITES, page};

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
