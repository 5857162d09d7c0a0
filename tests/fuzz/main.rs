//! Every parser and whole configurations, with inputs that are nearly right.
//!
//! A target breaks inputs that are right and runs the program on them. No run may crash, take more time or memory than
//! its bounds, print what is not valid, or reach out of its folder. Each target makes a fixed number of rounds.
//! `DUPFIND_FUZZ_SECONDS` makes all of them together take that long instead (with `--test-threads=1`), and
//! `DUPFIND_FUZZ_SEED` makes other inputs. `--nocapture` shows how many inputs there were. What fails is kept in a
//! folder that the failure names.
//!
//! A new parser is a line in the list of targets.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "these are tests, their helpers included"
)]

mod decisions;
mod documents;
mod files;
mod list;
mod mutate;
mod patterns;
#[expect(dead_code, reason = "the bench of quality needs more of it")]
#[path = "../../benches/quality/plant/random.rs"]
mod random;
mod run;
mod seeds;

use std::env;
use std::path::Path;
use std::time::{Duration, Instant};

use dupfind_read::{Format, Kind};

use crate::documents::{Documents, words};
use crate::random::Random;
use crate::run::{Fault, Site};
use crate::seeds::Seed;

/// A round in a new folder: it makes this many inputs, and returns the fault that it found.
type Round = dyn Fn(&Site, &mut Random) -> (usize, Fault);

/// How many rounds a target makes by default.
const ROUNDS: usize = 4;

/// Defines a test for each target, and how many there are.
macro_rules! targets {
    ($($name:ident: $round:expr;)*) => {
        const TARGETS: usize = [$(stringify!($name)),*].len();
        $(
            #[test]
            fn $name() {
                fuzz(stringify!($name), &$round);
            }
        )*
    };
}

/// A target of files with one extension.
fn documents(
    extension: &'static str,
    seeds: &'static [Seed],
    words: &'static str,
    args: &'static [&'static str],
) -> impl Fn(&Site, &mut Random) -> (usize, Fault) {
    let documents = Documents {
        extension,
        seeds,
        words,
        args,
    };
    move |site, random| documents.round(site, random)
}

targets! {
    text: documents("txt", &[Seed::Bytes(seeds::TEXT), Seed::Bytes(seeds::GBK), Seed::Bytes(seeds::UTF16), Seed::Bytes(seeds::ISO_2022)], words::TEXT, &[]);
    text_of_an_encoding: documents("txt", &[Seed::Bytes(seeds::GBK), Seed::Bytes(seeds::TEXT)], words::TEXT, &["--encoding", "gb18030"]);
    markdown: documents("md", &[Seed::Bytes(seeds::MARKDOWN), Seed::Bytes(seeds::TOML_FRONT)], words::MARKDOWN, &[]);
    mdx: documents("mdx", &[Seed::Bytes(seeds::MARKDOWN)], words::MARKDOWN, &[]);
    rst: documents("rst", &[Seed::Bytes(seeds::RST)], words::RST, &[]);
    asciidoc: documents("adoc", &[Seed::Bytes(seeds::ASCIIDOC)], words::ASCIIDOC, &[]);
    xml: documents("xml", &[Seed::Bytes(seeds::DOCBOOK)], words::XML, &[]);
    notebook: documents("ipynb", &[Seed::Bytes(seeds::NOTEBOOK)], words::JSON, &[]);
    pdf: documents("pdf", &[Seed::Bytes(seeds::PDF)], words::TEXT, &[]);
    html: documents("html", &[Seed::Bytes(seeds::HTML)], words::HTML, &[]);
    html_all: documents("html", &[Seed::Bytes(seeds::HTML)], words::HTML, &["--web-part", "all"]);
    xhtml: documents("xhtml", &[Seed::Bytes(seeds::HTML)], words::HTML, &[]);
    json_lines: documents("jsonl", &[Seed::Bytes(seeds::JSON_LINES)], words::JSON, &["--id-field", "id"]);
    json: documents("json", &[Seed::Bytes(seeds::JSON)], words::JSON, &["--text-field", "text"]);
    csv: documents("csv", &[Seed::Bytes(seeds::CSV)], words::TABLE, &["--id-field", "id"]);
    tsv: documents("tsv", &[Seed::Bytes(seeds::TSV)], words::TABLE, &[]);
    docx: documents("docx", &[Seed::Archive(seeds::DOCX)], words::XML, &[]);
    pptx: documents("pptx", &[Seed::Archive(seeds::PPTX)], words::XML, &[]);
    xlsx: documents("xlsx", &[Seed::Archive(seeds::XLSX)], words::XML, &[]);
    odt: documents("odt", &[Seed::Archive(seeds::ODT)], words::XML, &[]);
    epub: documents("epub", &[Seed::Archive(seeds::EPUB)], words::XML, &[]);
    gzip: documents("jsonl.gz", &[Seed::Packed(seeds::JSON_LINES, seeds::gzip)], words::JSON, &[]);
    zstd: documents("md.zst", &[Seed::Packed(seeds::MARKDOWN, seeds::zstd)], words::MARKDOWN, &[]);
    parquet: documents("parquet", &[Seed::Bytes(b"PAR1\x15\x04\x15\x10\x15\x14\x4cPAR1")], words::TEXT, &[]);
    reports_read_documents_again: documents("md", &[Seed::Bytes(seeds::MARKDOWN), Seed::Bytes(seeds::TEXT)], words::MARKDOWN, &["--format", "html=r.html", "--format", "sarif=r.sarif", "--format", "markdown=r.md"]);
    configuration: files::configuration;
    ignore_files: files::ignore_files;
    baseline: files::baseline;
    stream: files::stream;
    list_of_files: files::list;
    arguments: files::arguments;
    output_of_git: files::git;
    index: files::index;
    plan: decisions::plan;
    undo: decisions::undo;
    dedup: decisions::dedup;
}

#[test]
fn every_format_of_documents_has_a_target() {
    let targets = include_str!("main.rs").split("documents(\"").skip(1);
    let names = targets.map(|target| format!("a.{}", target.split('"').next().unwrap()));
    let tried = names.map(|name| Kind::of(Path::new(&name)).format);
    let tried: Vec<Format> = tried.collect();
    // The output of a program of the user is plain text, and a file of another program is not opened.
    let others = [Format::Pre, Format::Foreign];
    let missing: Vec<Format> = Format::all()
        .filter(|format| !others.contains(format) && !tried.contains(format))
        .collect();
    assert!(
        missing.is_empty(),
        "no target reads {missing:?}: add a line above, and a seed"
    );
}

/// Runs a target.
fn fuzz(name: &str, round: &Round) {
    let number = |name| env::var(name).ok().and_then(|value| value.parse().ok());
    let seconds: Option<u64> = number("DUPFIND_FUZZ_SECONDS");
    let seed: u64 = number("DUPFIND_FUZZ_SEED").unwrap_or(1);
    let start = Instant::now();
    let mut random = Random::new(name.bytes().fold(seed, |sum, byte| {
        sum.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte)
    }));
    let (mut rounds, mut inputs) = (0, 0);
    while match seconds {
        None => rounds < ROUNDS,
        Some(seconds) => {
            start.elapsed() < Duration::from_secs(seconds) / u32::try_from(TARGETS).unwrap()
        }
    } {
        let site = Site::new();
        let (made, fault) = round(&site, &mut random);
        if let Some(fault) = fault {
            let kept = site.keep();
            panic!(
                "{name}, round {rounds} of seed {seed}: {fault}\nsee {}",
                kept.display()
            );
        }
        rounds += 1;
        inputs += made;
    }
    println!(
        "{name}: {inputs} inputs, {:.1} s",
        start.elapsed().as_secs_f64()
    );
}
