//! Which part of a web page should count: the same articles in the templates of several sites, compared with
//! each value of `--web-part`.
//!
//! ```text
//! cargo bench --bench pages [-- FOLDER]
//! ```
//!
//! The same article on two sites should be reported, two articles of one site should not. Pages are made of the
//! texts of the fixtures; with a FOLDER they are written there too.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use dupfind_engine::{Relation, Silent, TopPairs};
use dupfind_read::extract::extract;
use dupfind_read::{Format, WebPart};
use dupfind_scan::{ScanOptions, scan};
use pages::{Article, SITES, page};

#[path = "support/pages.rs"]
mod pages;

/// The texts of the fixtures that are originals.
const TEXTS: [&str; 15] = [
    "zh/abacus.txt",
    "zh/book-barge.md",
    "zh/bridge-repair.md",
    "zh/paper-making.txt",
    "zh/robot-contest.md",
    "zh/soy-sauce.md",
    "zh/tea-harvest.txt",
    "zh/tides.txt",
    "zh/候鸟.md",
    "zh/城市公园.txt",
    "en/beekeeping.md",
    "en/ferry.md",
    "en/kiln.txt",
    "en/library-van.md",
    "en/lighthouse.txt",
];

/// The values of `--web-part`.
const PARTS: [(&str, WebPart); 3] = [
    ("main", WebPart::Main),
    ("all", WebPart::All),
    ("raw", WebPart::Raw),
];

/// How often all pages are read for a speed.
const ROUNDS: u32 = 20;

fn main() {
    let words = std::env::args().skip(1);
    let given = words
        .filter(|word| !word.starts_with("--"))
        .map(PathBuf::from)
        .next();
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = given.unwrap_or_else(|| temporary.path().to_owned());

    println!("                        the same article            another article");
    println!("html  length  language  reported  called duplicate  reported  called duplicate");
    for (part, html) in PARTS {
        for (length, most) in [("whole", usize::MAX), ("short", 150)] {
            for language in ["zh", "en"] {
                let most = if language == "en" {
                    most.saturating_mul(3)
                } else {
                    most
                };
                let docs = folder.join(format!("{length}-{language}"));
                let articles = write(&docs, language, most);
                let counts = Counts::of(&docs, html, articles);
                println!("{part:<5} {length:<7} {language:<9} {counts}");
            }
        }
    }
    println!();
    navigation_and_speed(&folder);
}

/// The articles of a language.
fn articles(language: &str, most: usize) -> Vec<Article> {
    let names = TEXTS.iter().filter(|name| name.starts_with(language));
    names
        .map(|name| {
            let text = fs::read_to_string(Path::new("fixtures/corpus").join(name));
            Article::of(&text.expect("a fixture")).shortened(most)
        })
        .collect()
}

/// Writes all pages of a language into a folder, `ARTICLE-SITE.html`; returns how many articles there are.
fn write(docs: &Path, language: &str, most: usize) -> usize {
    fs::create_dir_all(docs).expect("a folder");
    let articles = articles(language, most);
    for (number, article) in articles.iter().enumerate() {
        let others = articles.iter().cycle().skip(number + 1).take(8);
        let others: Vec<&str> = others.map(|other| other.title.as_str()).collect();
        for site in SITES {
            let path = docs.join(format!("{number}-{}.html", site.name()));
            fs::write(path, page(site, article, &others)).expect("a page");
        }
    }
    articles.len()
}

/// How many pairs of each kind were reported, and how many as duplicates.
struct Counts {
    same: [usize; 2],
    other: [usize; 2],
    pairs: [usize; 2],
}

impl Counts {
    fn of(docs: &Path, part: WebPart, articles: usize) -> Self {
        let sites = SITES.len();
        let mut counts = Self {
            same: [0; 2],
            other: [0; 2],
            pairs: [
                articles * sites * (sites - 1) / 2,
                sites * articles * (articles - 1) / 2,
            ],
        };
        let mut settings = ScanOptions::for_paths([docs.to_owned()]);
        settings.read.web_part = part;
        let mut best = TopPairs::all();
        let outcome = scan(&settings, &Silent, Some(&mut best)).expect("a scan");
        assert_eq!(outcome.documents.len(), articles * sites);
        for pair in best.into_pairs() {
            let part = |name: &str| {
                let name = name.rsplit('/').next().unwrap_or(name);
                let (article, site) = name.split_once('-').expect("ARTICLE-SITE");
                (article.to_owned(), site.to_owned())
            };
            let (a, b) = (part(outcome.name(pair.a)), part(outcome.name(pair.b)));
            let kind = if a.0 == b.0 {
                &mut counts.same
            } else if a.1 == b.1 {
                &mut counts.other
            } else {
                continue;
            };
            kind[0] += 1;
            let is_duplicate = matches!(
                pair.relation(),
                Relation::Exact | Relation::Near | Relation::Contains
            );
            kind[1] += usize::from(is_duplicate);
        }
        counts
    }
}

impl std::fmt::Display for Counts {
    #[expect(clippy::cast_precision_loss, reason = "counts of pairs are small")]
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = |count: usize, of: usize| format!("{:.0} %", 100.0 * count as f64 / of as f64);
        write!(
            f,
            "{:>8}  {:>16}  {:>8}  {:>16}",
            share(self.same[0], self.pairs[0]),
            share(self.same[1], self.pairs[0]),
            share(self.other[0], self.pairs[1]),
            share(self.other[1], self.pairs[1]),
        )
    }
}

/// Prints how much of the text of each site's pages is not the article, and how fast each part is found.
#[expect(clippy::cast_precision_loss, reason = "sizes of pages are small")]
fn navigation_and_speed(folder: &Path) {
    let mut pages = Vec::new();
    for site in SITES {
        let mut shares = Vec::new();
        for language in ["zh", "en"] {
            let docs = folder.join(format!("whole-{language}"));
            for (number, article) in articles(language, usize::MAX).iter().enumerate() {
                let path = docs.join(format!("{number}-{}.html", site.name()));
                let source = fs::read_to_string(path).expect("a page");
                let all = text(&source, WebPart::All);
                let words = article.paragraphs.concat() + &article.title;
                let size = |text: &str| text.split_whitespace().map(str::len).sum::<usize>();
                shares.push(100.0 * (1.0 - size(&words) as f64 / size(&all) as f64));
                pages.push(source);
            }
        }
        shares.sort_by(f64::total_cmp);
        let (least, most) = (shares[0], shares[shares.len() - 1]);
        println!(
            "{:<8} {least:.0}-{most:.0} % of the text is not the article",
            site.name()
        );
    }
    println!();
    let bytes: usize = pages.iter().map(String::len).sum();
    for (part, html) in PARTS {
        let start = Instant::now();
        for _ in 0..ROUNDS {
            for source in &pages {
                std::hint::black_box(text(source, html));
            }
        }
        let seconds = start.elapsed().as_secs_f64() / f64::from(ROUNDS);
        println!("{part:<5} {:>8.1} MB/s", bytes as f64 / 1e6 / seconds);
    }
}

fn text(source: &str, part: WebPart) -> std::borrow::Cow<'_, str> {
    extract(source, Format::Html, part).text
}
