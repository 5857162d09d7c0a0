//! The median time of a piece of work, and how much of something it does in a second.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Prints a line for each piece of work on the same documents.
pub(crate) struct Timing {
    /// The amount of the unit.
    amount: f64,
    /// The unit that is counted, such as `MB`.
    unit: &'static str,
    /// How many times the work is done; `None` if it is only tested, and done once.
    runs: Option<usize>,
}

impl Timing {
    /// Times work on so much of something, `runs` times. With `--test` on the command line it is done once.
    pub(crate) fn new(amount: f64, unit: &'static str, runs: usize) -> Self {
        Self {
            amount,
            unit,
            runs: (!crate::support::is_test()).then_some(runs),
        }
    }

    /// Does the work once to warm up and then times it.
    pub(crate) fn time<T>(&self, name: &str, mut work: impl FnMut() -> T) {
        black_box(work());
        let Some(runs) = self.runs else {
            println!("{name}");
            return;
        };
        let mut times: Vec<Duration> = (0..runs)
            .map(|_| {
                let start = Instant::now();
                black_box(work());
                start.elapsed()
            })
            .collect();
        times.sort_unstable();
        let median = times[times.len() / 2].as_secs_f64();
        let rate = self.amount / median;
        println!(
            "{name:<20} {:>10.3} ms {rate:>14.1} {}/s",
            median * 1e3,
            self.unit
        );
    }
}
