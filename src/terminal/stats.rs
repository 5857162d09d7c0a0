//! `--stats`: counts and times of a run, on standard error.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use dupfind_engine::{Stage, Stats};
use dupfind_report::{inert, visible};
use dupfind_scan::Source;

/// Prints the configuration, the counts and the times of a run. `pairs` is none for commands that find none.
pub(crate) fn print(
    config: Option<&str>,
    stats: &Stats,
    sources: &[Source],
    pairs: Option<u64>,
) -> io::Result<()> {
    let mut text = Vec::new();
    if let Some(used) = config {
        writeln!(text, "configuration: {}", inert(&visible(used)))?;
    }
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    let pairs = pairs.map_or_else(String::new, |pairs| format!("{pairs} pairs, "));
    writeln!(
        text,
        "{} documents, {} bytes, {} tokens, {} shingles, {pairs}{} threads",
        sources.len(),
        stats.bytes,
        stats.tokens,
        stats.shingles,
        stats.threads
    )?;
    if !sources.is_empty() {
        let formats = counts(sources.iter().map(|source| source.format.as_str()));
        let encodings = counts(sources.iter().map(|source| source.encoding));
        writeln!(text, "{formats}; {encodings}")?;
    }
    for (stage, time) in summed(&stats.stages) {
        writeln!(text, "{:>10.1} ms  {}", millis(time), stage.as_str())?;
    }
    writeln!(text, "{:>10.1} ms  all stages", millis(stats.total()))?;
    if let Some(join) = stats.join.filter(|join| join.spilled > 0) {
        let (tiles, bytes) = (join.tiles, join.spilled);
        writeln!(
            text,
            "shingle sets: in a temporary file of {bytes} bytes, joined in {tiles} tiles"
        )?;
    }
    io::stderr().lock().write_all(&text)
}

/// Returns each stage once, in the order in which they began, with its time. A stage may come several times.
fn summed(stages: &[(Stage, Duration)]) -> Vec<(Stage, Duration)> {
    let mut summed: Vec<(Stage, Duration)> = Vec::new();
    for &(stage, time) in stages {
        match summed.iter_mut().find(|(known, _)| *known == stage) {
            Some((_, all)) => *all += time,
            None => summed.push((stage, time)),
        }
    }
    summed
}

/// Returns the number of each name, the most frequent first: `12 markdown, 3 html`.
fn counts(names: impl Iterator<Item = &'static str>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, count)| Reverse(count));
    let counts: Vec<String> = counts
        .into_iter()
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    counts.join(", ")
}
