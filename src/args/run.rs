//! The options about how to run.

use std::io;

use dupfind_engine::run::budget::Budget;
use dupfind_scan::Scan;

use crate::args::config::ConfigArgs;
use crate::args::group::{group, groups};
use crate::args::values::size::{MemorySize, Threads};
use crate::process::memory;
use crate::terminal::stats;

groups! {
    /// How a comparison runs, and with which configuration.
    pub(crate) struct RunningArgs {
        run: RunArgs,
        memory: MemoryArgs,
        config: ConfigArgs,
    }
}

impl RunningArgs {
    /// Prints the configuration, the counts and the times of a scan, if they were asked for.
    ///
    /// # Errors
    ///
    /// Standard error cannot be written.
    pub(crate) fn print_stats(&self, outcome: &Scan) -> io::Result<()> {
        if !self.run.stats {
            return Ok(());
        }
        let pairs = Some(outcome.pair_counts.total());
        let documents = &outcome.sources.documents;
        stats::print(self.config.in_force(), &outcome.stats, documents, pairs)
    }
}

group! {
    /// How to run.
    pub(crate) struct RunArgs in RUNNING {
        /// Worker threads, up to 256; 0 is one for each core [default: 0]
        ///
        /// The result is the same for any number.
        #[arg(hide_short_help = true, short = 'j', long, value_name = "N")]
        threads: Option<Threads>,

        /// Print counts and the time of each stage to standard error
        #[arg(hide_short_help = true, long)]
        pub(crate) stats: bool,
    }
}

impl RunArgs {
    /// Returns how many worker threads there are; 0 means one for each core.
    pub(crate) fn threads(&self) -> usize {
        self.threads.map_or(0, |Threads(number)| number.into())
    }
}

group! {
    /// How much memory to use.
    pub(crate) struct MemoryArgs in RUNNING {
        /// Memory for shingle sets [default: half of the memory]
        ///
        /// K, M and G are powers of 1024. Beyond it the sets go to a temporary file in the folder that TMPDIR names, and are
        /// compared in parts: slower, with the same result. About 100M, the texts at work and some 400 bytes for each document
        /// come on top, and for reports that need all pairs at most half as much again.
        #[arg(hide_short_help = true, long, value_name = "SIZE")]
        memory_limit: Option<MemorySize>,
    }
}

impl MemoryArgs {
    /// Returns the limit that was asked for, if one was.
    pub(crate) fn given(&self) -> Option<u64> {
        self.memory_limit.map(|MemorySize(bytes)| bytes)
    }

    /// Returns the limit that was asked for, or that of this machine.
    pub(crate) fn budget(&self) -> Budget {
        Budget {
            limit: Some(self.given().unwrap_or_else(memory::default_limit)),
            temp_dir: Some(std::env::temp_dir()),
        }
    }
}
