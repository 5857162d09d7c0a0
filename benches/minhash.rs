//! Super-shingle signatures a second on pages of about 2 KB, and the time and memory of the exact join of
//! shingle sets as they become more.
//!
//! ```text
//! cargo bench --bench minhash -- [FOLDER | FILE.jsonl]...
//! ```
//!
//! Fetterly, Manasse and Najork (2003) made the signatures of 150 million pages in three hours: 13,900 a
//! second.

use std::collections::HashSet;
use std::fmt;
use std::hint::black_box;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use dupfind_engine::ShingleUnit;
use dupfind_engine::fingerprint::shingles::Shingler;
use dupfind_engine::fingerprint::super_shingle::SuperShingler;
use dupfind_engine::join::oracle::joined;
use dupfind_engine::text::normalize::normalize_into;
use dupfind_engine::text::script::runs_into;
use dupfind_engine::text::units::units_into;
use rayon::prelude::*;

#[expect(dead_code, reason = "the labels are for other benches")]
mod support;

/// Bytes of text in a page of about 2 KB.
const PAGE: std::ops::Range<usize> = 1500..2500;

/// How many pages are enough.
const PAGES: usize = 20_000;

const SIZE: NonZeroUsize = NonZeroUsize::new(3).expect("not zero");

fn main() {
    for path in support::folders() {
        let texts = support::texts(&support::settings(path.clone()));
        println!("{}: {} documents", path.display(), texts.len());
        signatures(&texts);
        let sets = sets(&texts);
        drop(texts);
        joins(&sets);
    }
}

/// From text to shingle set, in the same memory for every document.
struct Maker {
    text: String,
    runs: Vec<dupfind_engine::text::script::Run>,
    units: Vec<u64>,
    shingler: Shingler,
}

impl Maker {
    fn new() -> Self {
        Self {
            text: String::new(),
            runs: Vec::new(),
            units: Vec::new(),
            shingler: Shingler::new(),
        }
    }

    fn set(&mut self, text: &str) -> &[u64] {
        self.text.clear();
        normalize_into(text, &mut self.text);
        runs_into(&self.text, &mut self.runs);
        self.units.clear();
        let (text, runs, unit) = (&self.text, &self.runs, ShingleUnit::Auto);
        units_into(text, runs, unit, &mut self.units);
        self.shingler.set(&self.units, SIZE)
    }
}

/// The distinct shingle sets of texts: equal ones are found by any join.
fn sets(texts: &[String]) -> Vec<Vec<u64>> {
    let sets: Vec<Vec<u64>> = texts
        .par_iter()
        .map_init(Maker::new, |maker, text| {
            let mut set = maker.set(text).to_vec();
            set.sort_unstable();
            set
        })
        .collect();
    let mut seen = HashSet::new();
    let is_new: Vec<bool> = sets.iter().map(|set| seen.insert(set)).collect();
    drop(seen);
    let sets = sets.into_iter().zip(is_new);
    sets.filter_map(|(set, is_new)| is_new.then_some(set))
        .collect()
}

/// Documents a second on one thread, from their shingle sets, from their texts, and from a file.
fn signatures(texts: &[String]) {
    let pages = texts.iter().filter(|text| PAGE.contains(&text.len()));
    let pages: Vec<&String> = pages.take(PAGES).collect();
    if pages.is_empty() {
        println!("  no page of about 2 KB");
        return;
    }
    let mut maker = Maker::new();
    let sets: Vec<Vec<u64>> = pages.iter().map(|page| maker.set(page).to_vec()).collect();
    let shingles: usize = sets.iter().map(Vec::len).sum();
    println!(
        "  {} pages of {} bytes and {} shingles on average, documents a second on one thread (Fetterly et al.: 13,900):",
        pages.len(),
        pages.iter().map(|page| page.len()).sum::<usize>() / pages.len(),
        shingles / pages.len()
    );
    let mut shingler = SuperShingler::default();
    let mut all = Vec::new();
    rate("signatures alone", pages.len(), || {
        all.clear();
        sets.iter().for_each(|set| shingler.append(set, &mut all));
    });
    rate("normalising, shingling", pages.len(), || {
        for page in &pages {
            black_box(maker.set(page));
        }
    });
    rate("normalising, shingling and signatures", pages.len(), || {
        all.clear();
        for page in &pages {
            shingler.append(maker.set(page), &mut all);
        }
    });
    let mut file = tempfile::Builder::new()
        .suffix(".jsonl")
        .tempfile()
        .expect("a temporary file");
    for (id, page) in pages.iter().enumerate() {
        let line = serde_json::json!({ "id": id.to_string(), "text": page });
        writeln!(file, "{line}").expect("room for a temporary file");
    }
    file.flush().expect("room for a temporary file");
    rate("reading JSON Lines, and all of it", pages.len(), || {
        all.clear();
        for page in read(file.path()) {
            shingler.append(maker.set(&page), &mut all);
        }
    });
    let (pairs, cost) = Cost::of(|| joined::agreement(&all, 6, 2));
    println!("    {} pairs agree in two of six: {cost}", pairs.len());
}

fn read(path: &Path) -> Vec<String> {
    support::texts(&support::settings(path.to_owned()))
}

/// Runs it three times and prints the best, by the clock and by the processor.
fn rate(what: &str, documents: usize, mut run: impl FnMut()) {
    let costs: Vec<Cost> = (0..3).map(|_| Cost::of(&mut run).1).collect();
    let rate = |time: Duration| documents as f64 / time.as_secs_f64();
    let time = costs.iter().map(|cost| cost.time).min();
    print!("    {what:<40} {:>9.0}", rate(time.expect("three")));
    let processor = costs.iter().filter_map(|cost| cost.processor).min();
    if let Some(time) = processor.filter(|time| !time.is_zero()) {
        print!(", {:>9.0} a second of its processor", rate(time));
    }
    println!();
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Joins of the first sets (an eighth of them, and so on) and of all.
fn joins(sets: &[Vec<u64>]) {
    println!(
        "  joins, {} threads; pairs of distinct sets",
        rayon::current_num_threads()
    );
    for parts in [8, 4, 2, 1] {
        let sets = &sets[..sets.len() / parts];
        for t in ["0.2", "0.5", "0.8"] {
            let t = t.parse().expect("a threshold");
            let (exact, cost) =
                Cost::of(|| joined::jaccard(sets, t).expect("not too many shingles"));
            println!(
                "    {:>7} sets, Jaccard >= {t}: {:>8} pairs, {cost}",
                sets.len(),
                exact.len(),
            );
        }
    }
}

/// The costs of a step.
struct Cost {
    time: Duration,
    /// Of all threads: on a shared machine the wall time means little.
    processor: Option<Duration>,
    /// The peak beyond the memory before, in MiB.
    memory: Option<u64>,
}

impl Cost {
    fn of<T>(run: impl FnOnce() -> T) -> (T, Self) {
        // Linux forgets the peak when 5 is written there.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        let (memory, processor, start) = (status("VmRSS:"), processor(), Instant::now());
        let result = run();
        let time = start.elapsed();
        let used = |before: Duration, after: Duration| after.saturating_sub(before);
        let more = |before: u64, peak: u64| peak.saturating_sub(before) / 1024;
        let cost = Self {
            time,
            processor: processor
                .zip(self::processor())
                .map(|(before, after)| used(before, after)),
            memory: memory
                .zip(status("VmHWM:"))
                .map(|(before, peak)| more(before, peak)),
        };
        (result, cost)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>8.0} ms", millis(self.time))?;
        if let Some(processor) = self.processor {
            write!(f, ", {:>8.0} ms of the processors", millis(processor))?;
        }
        match self.memory {
            Some(memory) => write!(f, ", {memory:>5} MB"),
            None => Ok(()),
        }
    }
}

/// The time that processors worked for this process, on Linux: the 14th and 15th word of a line, in
/// hundredths of a second, behind a name in brackets.
fn processor() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, rest) = stat.rsplit_once(')')?;
    let ticks = rest.split_whitespace().skip(11).take(2);
    let ticks: u64 = ticks.map(|ticks| ticks.parse().unwrap_or(0)).sum();
    Some(Duration::from_millis(ticks * 10))
}

/// A line of the status of this process on Linux, in KiB.
fn status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}
