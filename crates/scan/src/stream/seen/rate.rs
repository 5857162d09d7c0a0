//! The formula: how often a filter reports a part as known that it does not hold.
//!
//! The parts of a filter fall into its blocks at random, so a block has i of them with the probability of a
//! Poisson distribution with the mean *load* of parts for each block, and each of them has set k of its b cells
//! (Putze, Sanders and Singler 2007, equation 3). A part that is not held seems so if its k cells are all among
//! the X that are set: (X / b)^k, whose mean is larger than that of the mean of X (Bose et al. 2008). In blocks that
//! small it shows, 3 % with counters, so the variance of X is counted in.

use crate::stream::seen::cell::Cell;

/// The most cells that a part sets: more would not lower the rates that can be requested.
pub(crate) const MAX_HASHES: u32 = 16;

/// Smaller weights of the distribution do not matter.
const NEGLIGIBLE: f64 = 1e-18;

/// Returns the rate of false positives if a part sets `hashes` cells and a block holds `load` parts on average.
pub(crate) fn rate(cell: Cell, hashes: u32, load: f64) -> f64 {
    // From the most probable number in both directions: exp(-load) may be no number any more.
    let likeliest = load.floor();
    let (mut weights, mut sum) = (0.0, 0.0);
    let mut add = |count: f64, weight: f64| {
        weights += weight;
        sum += weight * rate_of_block(cell, hashes, count);
    };
    let (mut count, mut weight) = (likeliest, 1.0);
    while weight > NEGLIGIBLE {
        add(count, weight);
        count += 1.0;
        weight *= load / count;
    }
    let (mut count, mut weight) = (likeliest, 1.0);
    while count > 0.0 && weight > NEGLIGIBLE {
        weight *= count / load;
        count -= 1.0;
        add(count, weight);
    }
    sum / weights
}

/// Returns the rate in a block that holds so many parts.
fn rate_of_block(cell: Cell, hashes: u32, parts: f64) -> f64 {
    let cells = f64::from(cell.per_block());
    let hashes = f64::from(hashes);
    let throws = hashes * parts;
    // The share of empty cells, and how it varies.
    let empty = (1.0 - 1.0 / cells).powf(throws);
    let both = (1.0 - 2.0 / cells).powf(throws);
    let variance = (1.0 - 1.0 / cells) * both + empty / cells - empty * empty;
    let set = 1.0 - empty;
    if set <= 0.0 {
        return 0.0;
    }
    let wider = hashes * (hashes - 1.0) / 2.0 * variance / (set * set);
    (set.powf(hashes) * (1.0 + wider)).clamp(0.0, 1.0)
}

/// Returns how many different parts a block holds on average, if `fill` is the share of cells that are not zero.
pub(crate) fn load_of_fill(cell: Cell, hashes: u32, fill: f64) -> f64 {
    let cells = f64::from(cell.per_block());
    let left = (1.0 - 1.0 / cells).powf(f64::from(hashes));
    // The mean of left^i over the distribution is exp(-load (1 - left)).
    let empty = (1.0 - fill).max(f64::MIN_POSITIVE);
    -empty.ln() / (1.0 - left)
}

/// Returns how many cells a part has to set so that a block may hold the most parts at a rate, and how many these are on
/// average.
pub(crate) fn best(cell: Cell, highest: f64) -> (u32, f64) {
    let loads = (1..=MAX_HASHES).map(|hashes| (hashes, most_load(cell, hashes, highest)));
    let best = loads.max_by(|x, y| x.1.total_cmp(&y.1));
    best.expect("there are some")
}

/// Returns the largest load at which the rate is not exceeded, rounded down so that it is the same on every machine.
fn most_load(cell: Cell, hashes: u32, highest: f64) -> f64 {
    const STEPS: u32 = 1024;
    let load = |steps: u32| f64::from(steps) / f64::from(STEPS);
    let (mut fits, mut exceeds) = (1, BLOCK_IS_FULL * STEPS);
    while exceeds - fits > 1 {
        let middle = u32::midpoint(fits, exceeds);
        if rate(cell, hashes, load(middle)) <= highest {
            fits = middle;
        } else {
            exceeds = middle;
        }
    }
    load(fits)
}

/// A load at which every rate is exceeded: a bit for each part.
const BLOCK_IS_FULL: u32 = 2048;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_with_the_load_from_none_to_all() {
        for cell in [Cell::Bit, Cell::Counter] {
            for hashes in [1, 4, MAX_HASHES] {
                let mut last = rate(cell, hashes, 0.0);
                assert_eq!(last, 0.0);
                for load in [0.001, 0.5, 3.0, 10.0, 60.0, 300.0, 5e3, 1e6] {
                    let next = rate(cell, hashes, load);
                    assert!(next > last || next == 1.0, "{load}: {next}");
                    last = next;
                }
                assert!(last > 0.999);
            }
        }
    }

    #[test]
    fn the_best_is_just_within_the_rate() {
        for cell in [Cell::Bit, Cell::Counter] {
            for highest in [0.5, 0.1, 0.01, 0.001, 0.0001] {
                let (hashes, load) = best(cell, highest);
                let reached = rate(cell, hashes, load);
                assert!(
                    reached <= highest && reached > highest * 0.9,
                    "{cell:?} {highest}: {reached}"
                );
            }
        }
        // 1.44 log2(100) = 9.6 bits for a part is the need of cells all over a filter.
        let (hashes, load) = best(Cell::Bit, 0.01);
        assert_eq!(hashes, 6);
        assert!((9.6..11.0).contains(&(512.0 / load)), "{load}");
    }

    #[test]
    fn fill_tells_the_load() {
        for load in [0.01, 1.0, 12.0, 50.0] {
            let left = (1.0 - 1.0 / 128.0_f64).powi(6);
            let fill = 1.0 - (-load * (1.0 - left)).exp();
            let found = load_of_fill(Cell::Counter, 6, fill);
            assert!((found - load).abs() < 1e-6 * load, "{found}");
        }
        assert!(load_of_fill(Cell::Bit, 6, 1.0).is_finite());
    }
}
