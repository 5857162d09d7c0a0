//! `--stats`: what a run cost, on standard error.

use std::io::{self, Write};
use std::time::Duration;

use dupfind::report::escape::visible;
use dupfind::scan::stats::Stats;

use crate::cli::config::ConfigArgs;

/// Prints the configuration, the counts and the times of a run.
pub(crate) fn print(
    config: &ConfigArgs,
    stats: &Stats,
    documents: usize,
    pairs: Option<u64>,
) -> io::Result<()> {
    let mut text = Vec::new();
    if let Some(used) = config.used() {
        writeln!(text, "configuration: {}", visible(&used.to_string()))?;
    }
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    let pairs = pairs.map_or_else(String::new, |pairs| format!("{pairs} pairs, "));
    writeln!(
        text,
        "{documents} documents, {} bytes, {} tokens, {} shingles, {pairs}{} threads",
        stats.bytes, stats.tokens, stats.shingles, stats.threads
    )?;
    for (stage, time) in &stats.stages {
        writeln!(text, "{:>10.1} ms  {}", millis(*time), stage.as_str())?;
    }
    writeln!(text, "{:>10.1} ms  all stages", millis(stats.total()))?;
    if let Some(join) = &stats.join {
        let estimate = &join.estimate;
        writeln!(
            text,
            "shingle sets: {}, about {} additions; expected on one thread: {:.1} ms counting, {:.1} ms exhaustive",
            estimate.strategy,
            estimate.additions,
            millis(estimate.counting),
            millis(estimate.exhaustive)
        )?;
        if join.spilled > 0 {
            let (tiles, bytes) = (join.tiles, join.spilled);
            writeln!(
                text,
                "shingle sets: in a temporary file of {bytes} bytes, joined in {tiles} tiles"
            )?;
        }
    }
    writeln!(text, "of reading documents, summed over the threads:")?;
    for (name, time) in stats.steps.named() {
        writeln!(text, "{:>10.1} ms  {name}", millis(time))?;
    }
    if stats.jieba_load > Duration::ZERO {
        let load = millis(stats.jieba_load);
        writeln!(
            text,
            "{load:>10.1} ms  loading jieba, on a thread of its own"
        )?;
    }
    io::stderr().lock().write_all(&text)
}
