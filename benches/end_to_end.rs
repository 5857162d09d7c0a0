//! What a whole scan costs next to cutting the same text with jieba, stage by stage:
//!
//! ```text
//! cargo bench --bench end_to_end -- FOLDER...
//! ```
//!
//! The cost ratio is the wall time of a scan (walking, reading, everything) over the wall time of
//! jieba alone on the same texts, already read and decoded, with the same threads, each the median
//! of several turns taken in alternation. Two ratios are given because jieba's dictionary takes as
//! long to load as a thousand pages take to cut: once with loading on both sides, as two programs
//! would compare, and once with loading only in the scan.

use std::hint::black_box;
use std::time::{Duration, Instant};

use dupfind::scan::observer::Silent;
use dupfind::scan::{Outcome, Settings, scan};
use jieba_rs::Jieba;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

mod support;

/// How often each side is measured.
const TURNS: usize = 7;

fn main() {
    for folder in support::folders() {
        let settings = support::settings(folder.clone());
        println!("{}", folder.display());
        for threads in [1, 2] {
            compare(&Settings {
                threads,
                ..settings.clone()
            });
        }
    }
}

/// Measures and prints one comparison.
fn compare(settings: &Settings) {
    let texts = support::texts(settings);
    let pool = ThreadPoolBuilder::new()
        .num_threads(settings.threads)
        .build()
        .expect("threads");
    let (mut scans, mut cuts, mut loads) = (Vec::new(), Vec::new(), Vec::new());
    let mut last: Option<Outcome> = None;
    for _ in 0..TURNS {
        let start = Instant::now();
        last = Some(scan(settings, &Silent, None).expect("a readable folder"));
        scans.push(start.elapsed());

        let start = Instant::now();
        let jieba = Jieba::new();
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
        settings.threads,
        outcome.documents.len(),
        outcome.stats.bytes,
        outcome.pair_count
    );
    for (stage, time) in &outcome.stats.stages {
        println!("    {:>9.1} ms  {}", millis(*time), stage.as_str());
    }
    for (step, time) in outcome.stats.steps.named() {
        println!("    {:>9.1} ms    of all threads: {step}", millis(time));
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

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
