//! How many pairs a scan keeps in memory, and the message if there are more.

use anyhow::anyhow;
use dupfind_engine::pairing::sink::TooManyPairs;
use dupfind_engine::{Error, TopPairs};
use std::io;

/// The most pairs that a table lists. The others are counted.
pub(crate) const MAX_IN_TABLE: usize = 10_000_000;

/// How much more memory an accepted pair of a baseline needs than a pair: it has names, and its line is written from
/// memory.
const ACCEPTED: usize = 16;

/// The pairs that a scan keeps for the reports after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeptPairs {
    /// The best ones, up to this number.
    Best(usize),
    /// All of them. More than `most` are an error.
    All {
        most: usize,
        /// The option that needs them.
        option: String,
        /// Advice if there are more.
        advice: &'static str,
    },
}

const ADVICE: &str = "the list and --format html have copies as one group, --no-pairs counts pairs, --format csv and \
                      jsonl write them while they are found, --exclude leaves out documents, and --memory-limit allows \
                      more";

impl KeptPairs {
    /// Returns all pairs for the report of a format. `room` is how many pairs there is memory for.
    pub(crate) fn of_format(name: &str, room: usize) -> Self {
        Self::All {
            most: room,
            option: format!("--format {name}"),
            advice: ADVICE,
        }
    }

    /// Returns all pairs for a baseline that the option of this name makes of them.
    pub(crate) fn of_baseline(option: &str, room: usize) -> Self {
        Self::All {
            most: room / ACCEPTED,
            option: option.to_owned(),
            advice: "--exclude leaves out documents, and --memory-limit allows more",
        }
    }

    /// Returns the pairs to keep for two purposes.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Best(one), Self::Best(other)) => Self::Best(one.max(other)),
            (all @ Self::All { .. }, Self::Best(_)) | (Self::Best(_), all @ Self::All { .. }) => {
                all
            }
            (one, other) => std::cmp::min_by_key(one, other, Self::most),
        }
    }

    fn most(&self) -> usize {
        match self {
            Self::Best(most) | Self::All { most, .. } => *most,
        }
    }

    /// Returns the sink that keeps them.
    pub(crate) fn sink(&self) -> TopPairs {
        match self {
            Self::Best(most) => TopPairs::new(*most),
            Self::All { most, .. } => TopPairs::all_of(*most),
        }
    }

    /// Returns the error of a scan; with advice, if there were too many pairs.
    pub(crate) fn explained(&self, error: anyhow::Error) -> anyhow::Error {
        let io_error = match error.downcast_ref() {
            Some(Error::Sink(error)) => Some(error),
            _ => error.downcast_ref::<io::Error>(),
        };
        match (io_error.and_then(TooManyPairs::of), self) {
            (Some(TooManyPairs { most }), Self::All { option, advice, .. }) => {
                anyhow!(
                    "{option}: more than {most} pairs were found, and there is memory for {most}; {advice}"
                )
            }
            _ => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_need_decides() {
        let (json, update) = (
            KeptPairs::of_format("json", 1600),
            KeptPairs::of_baseline("--all", 1600),
        );
        let best = KeptPairs::Best(7);
        assert_eq!(best.clone().and(KeptPairs::Best(9)), KeptPairs::Best(9));
        assert_eq!(best.clone().and(json.clone()), json);
        assert_eq!(json.clone().and(best), json);
        assert_eq!(update.most(), 100);
        assert_eq!(json.clone().and(update.clone()), update);
        assert_eq!(update.clone().and(json), update);
    }
}
