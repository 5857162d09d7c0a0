//! What a whole scan costs next to cutting the same text with jieba, stage by stage, and how time and
//! memory grow with the number of documents. Takes folders and files of records:
//!
//! ```text
//! cargo bench --bench end_to_end -- FOLDER_OR_FILE...
//! ```
//!
//! The cost ratio is the wall time of a scan (walking, reading, everything) over the wall time of
//! jieba alone on the same texts, already read and decoded, with the same threads, each the median
//! of several turns taken in alternation. Two ratios are given because jieba's dictionary takes as
//! long to load as a thousand pages take to cut: once with loading on both sides, as two programs
//! would compare, and once with loading only in the scan.
//!
//! Growth is measured on the first 1,000, 10,000 and 100,000 documents and on all of them, each in a
//! process of its own, with the exponents between one row and the next: 1 is linear.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use dupfind_engine::{Options, Silent};
use dupfind_scan::{Scan, ScanOptions, scan};
use jieba_rs::Jieba;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use support::jieba::dictionary;

#[expect(dead_code, reason = "the labels are for other benches")]
mod support;

/// How often each side is measured; a scan of more than [`LONG`] less often.
const TURNS: usize = 7;
const FEW_TURNS: usize = 3;
const LONG: Duration = Duration::from_secs(2);

/// Makes the program scan one path and print its times, and nothing else.
const ONE: &str = "--one";

fn main() {
    if std::env::args().any(|word| word == ONE) {
        return one();
    }
    for folder in support::folders() {
        let settings = support::settings(folder.clone());
        println!("{}", folder.display());
        let texts = support::texts(&settings);
        for threads in [1, 2] {
            let settings = ScanOptions {
                engine: Options {
                    threads,
                    ..Options::default()
                },
                ..settings.clone()
            };
            compare(&settings, &texts);
        }
        growth(&texts);
    }
}

/// Measures and prints one comparison.
fn compare(settings: &ScanOptions, texts: &[String]) {
    let pool = ThreadPoolBuilder::new()
        .num_threads(settings.engine.threads)
        .build()
        .expect("threads");
    let (mut scans, mut cuts, mut loads) = (Vec::new(), Vec::new(), Vec::new());
    let mut last: Option<Scan> = None;
    let mut turns = if support::is_test() { 1 } else { TURNS };
    while scans.len() < turns {
        let start = Instant::now();
        last = Some(scan(settings, &Silent, None).expect("readable documents"));
        scans.push(start.elapsed());
        if scans[0] > LONG {
            turns = turns.min(FEW_TURNS);
        }

        let mut dictionary = dictionary();
        let start = Instant::now();
        let jieba = Jieba::with_dict(&mut dictionary).expect("a dictionary");
        loads.push(start.elapsed());
        let start = Instant::now();
        pool.install(|| {
            texts.par_iter().for_each(|text| {
                black_box(jieba.cut(text, true));
            });
        });
        cuts.push(start.elapsed());
    }
    let (scan, cut, load) = (median(scans), median(cuts), median(loads));
    let outcome = last.expect("at least one turn");
    println!(
        "  {} threads: {} documents, {} bytes, {} pairs",
        settings.engine.threads,
        outcome.documents.len(),
        outcome.stats.bytes,
        outcome.pair_counts.total()
    );
    for (stage, time) in &outcome.stats.stages {
        println!("    {:>9.1} ms  {}", millis(*time), stage.as_str());
    }
    println!("    {:>9.1} ms  whole scan", millis(scan));
    println!("    {:>9.1} ms  jieba alone: loading", millis(load));
    println!("    {:>9.1} ms  jieba alone: cutting", millis(cut));
    let ratio = |jieba: Duration| scan.as_secs_f64() / jieba.as_secs_f64();
    println!(
        "    cost ratio {:.2} with loading on both sides",
        ratio(load + cut)
    );
    println!("    cost ratio {:.2} against cutting alone", ratio(cut));
}

/// Scans growing parts of some texts and prints the time of each.
fn growth(texts: &[String]) {
    println!(
        "  documents      bytes      pairs        ms  exponent  peak MiB  exponent  peak / bytes"
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut counts: Vec<usize> = [1000, 10_000, 100_000]
        .into_iter()
        .filter(|&count| count < texts.len())
        .collect();
    counts.push(texts.len());
    let mut last: Option<(f64, [f64; 2])> = None;
    for count in counts {
        let path = folder.path().join(format!("{count}.jsonl"));
        write_records(&texts[..count], &path);
        let program = std::env::current_exe().expect("its own path");
        let output = Command::new(program).arg(ONE).arg(&path).output();
        let output = output.expect("it runs").stdout;
        let printed = String::from_utf8(output).expect("numbers");
        let figures: Vec<f64> = printed
            .split_whitespace()
            .map(|figure| figure.parse().expect("a number"))
            .collect();
        let &[documents, bytes, pairs, millis, peak] = figures.as_slice() else {
            panic!("not five figures: {printed}");
        };
        let exponent = |now: f64, which: usize| match last {
            Some((before, then)) => {
                let exponent = (now / then[which]).ln() / (documents / before).ln();
                format!("{exponent:.2}")
            }
            None => String::new(),
        };
        println!(
            "  {documents:>9} {bytes:>10} {pairs:>10} {millis:>9.0} {:>9} {:>9.0} {:>9} {:>13.2}",
            exponent(millis, 0),
            peak / f64::from(1 << 20),
            exponent(peak, 1),
            peak / bytes
        );
        last = Some((documents, [millis, peak]));
        fs::remove_file(path).expect("it was there");
    }
}

fn write_records(texts: &[String], path: &Path) {
    let mut out = BufWriter::new(File::create(path).expect("a new file"));
    for text in texts {
        let record = serde_json::json!({ "text": text });
        writeln!(out, "{record}").expect("room for the texts");
    }
}

/// Scans the path of the command line and prints documents, bytes, pairs, milliseconds and the most
/// memory the process had, in bytes (0 where the system does not tell).
fn one() {
    let path = std::env::args().find(|word| word.ends_with(".jsonl"));
    let settings = ScanOptions::for_paths(path);
    let start = Instant::now();
    let outcome = scan(&settings, &Silent, None).expect("readable documents");
    let time = start.elapsed();
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak: Option<u64> = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"))
        .and_then(|kibibytes| kibibytes.trim().parse().ok());
    println!(
        "{} {} {} {} {}",
        outcome.documents.len(),
        outcome.stats.bytes,
        outcome.pair_counts.total(),
        millis(time),
        peak.unwrap_or(0) << 10
    );
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
