//! A run beside its data: its threads, its memory, its progress, its costs, and why it fails.
//!
//! A *document* that cannot be compared is no error of a run: it is skipped with a reason, and the run goes on.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{fmt, io, thread};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(String),
    /// A temporary file could not be made, written or read. Mostly the disk is full.
    #[error("cannot keep shingles in a temporary file in {folder} ({} MB so far)", bytes >> 20)]
    TempFile {
        /// The folder it is in.
        folder: String,
        /// How large the file was.
        bytes: u64,
        /// The message of the operating system.
        #[source]
        source: io::Error,
    },
    /// An option has a value that cannot be used: a glob that does not parse, a rule that decides nothing.
    #[error("{0}")]
    Option(String),

    /// More documents, shingles or texts than the memory holds, or than 32 bits can number.
    #[error("{0}")]
    TooMuch(String),

    /// Two documents of one collection have the same name.
    #[error("there is a document named '{name}' already")]
    NameTwice {
        /// The name.
        name: String,
    },
    /// Features were made with other options than those of the run.
    #[error("the features were made with {name} {found}, not {expected}")]
    FeaturesDiffer {
        /// The name of the option that differs.
        name: String,
        /// The value that the features were made with.
        found: String,
        /// The value of the run.
        expected: String,
    },
    /// There is no index of this kind here, or it is damaged.
    #[error("{}: {reason}", path.display())]
    Index {
        /// The index.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of an index could not be read or written.
    #[error("cannot {action} {}", path.display())]
    IndexIo {
        /// `read` or `write`, and the like.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The message of the operating system.
        #[source]
        source: io::Error,
    },
    /// Features, frequencies and pairs of one job do not belong together.
    #[error("{0}")]
    TileJob(String),
    /// The observer of the run stopped it.
    #[error("the run was stopped")]
    Stopped,
    /// The sink failed.
    #[error(transparent)]
    Sink(io::Error),
}

impl Error {
    /// Returns the error of a glob that does not parse.
    pub fn glob(glob: &str, reason: impl fmt::Display) -> Self {
        Self::Option(format!("cannot read the glob '{glob}': {reason}"))
    }
}

/// The result of a function that may end the run.
pub type Result<T> = std::result::Result<T, Error>;

/// A part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Listing the files.
    Walk,
    /// Reading documents and computing their fingerprints and shingle sets.
    Read,
    /// Finding fingerprints within the Hamming distance.
    HammingJoin,
    /// Preparing the shingle sets for their join.
    Index,
    /// Finding shingle sets of the Jaccard similarity.
    JaccardJoin,
    /// Grouping pairs into clusters.
    Cluster,
}

impl Stage {
    /// Returns a short description of the stage, for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Walk => "listing files",
            Self::Read => "reading documents",
            Self::HammingJoin => "comparing fingerprints",
            Self::Index => "indexing shingles",
            Self::JaccardJoin => "comparing shingle sets",
            Self::Cluster => "clustering",
        }
    }
}

/// Hears of the progress of a run. Its methods are called from several threads.
pub trait Observer: Sync {
    /// A stage begins. `total` is how many steps [`Observer::advance`] will announce, if that is known.
    fn stage(&self, stage: Stage, total: Option<u64>);

    /// One more step of the stage is done.
    fn advance(&self);

    /// Returns whether the run must stop. It then ends with [`Error::Stopped`].
    fn is_stopped(&self) -> bool {
        false
    }
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn stage(&self, _stage: Stage, _total: Option<u64>) {}

    fn advance(&self) {}
}

/// Counts and times of a run. They are in no report, as they differ from run to run.
#[derive(Debug, Clone, Default)]
pub struct Stats {
    /// Wall time of each stage, in order.
    pub stages: Vec<(Stage, Duration)>,
    /// Worker threads.
    pub threads: usize,
    /// Bytes read.
    pub bytes: u64,
    /// Tokens of all documents.
    pub tokens: u64,
    /// Distinct shingles, summed over the documents.
    pub shingles: u64,
    /// How the shingle sets were joined; `None` if the shingle detector is off.
    pub join: Option<Join>,
}

/// How shingle sets were joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Join {
    /// How many tiles the sets were cut into; 1 if all sets were in memory at once.
    pub tiles: usize,
    /// How many bytes of shingles were written to a temporary file.
    pub spilled: u64,
}

impl Stats {
    /// Announces a stage, does its work and notes its wall time. Returns the result of the work. `total` is how many
    /// steps the observer is going to hear of, if that is known.
    pub fn time<T>(
        &mut self,
        observer: &dyn Observer,
        (stage, total): (Stage, Option<u64>),
        work: impl FnOnce() -> T,
    ) -> T {
        observer.stage(stage, total);
        let start = Instant::now();
        let result = work();
        self.stages.push((stage, start.elapsed()));
        result
    }

    /// Returns the wall time of all stages together.
    pub fn total(&self) -> Duration {
        self.stages.iter().map(|(_, time)| *time).sum()
    }
}

/// The most worker threads of a run. More of them make nothing faster, and some thousands never start.
pub const MAX_THREADS: usize = 256;

/// The stack of a thread that reads documents, in bytes. Whatever `RUST_MIN_STACK` says, it is enough: no reader calls itself
/// for what a document repeats.
pub const STACK: usize = 2 << 20;

/// Returns a pool of this many worker threads; 0 means one for each core.
///
/// # Errors
///
/// [`Error::Threads`] if there are more than [`MAX_THREADS`], or they cannot be started.
pub fn pool(threads: usize) -> Result<ThreadPool> {
    if threads > MAX_THREADS {
        let reason = format!("at most {MAX_THREADS} can be started, not {threads}");
        return Err(Error::Threads(reason));
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .build();
    pool.map_err(|error| Error::Threads(error.to_string()))
}

/// Runs a task on so many threads, and returns its result; 0 means one for each core.
///
/// # Errors
///
/// Those of the task, and [`Error::Threads`] if the threads cannot be started.
pub fn in_pool<T: Send>(threads: usize, task: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let mut result = None;
    run(threads, Box::new(|| result = Some(task())))?;
    result.expect("the task has run")
}

/// Runs a task in a pool of its own. What waits for it is compiled once, and not for each task.
fn run(threads: usize, task: Box<dyn FnOnce() + Send + '_>) -> Result<()> {
    pool(threads)?.install(task);
    Ok(())
}

/// Runs a task on a thread with the stack of a worker thread. That of the caller is what a system or a user sets.
///
/// # Panics
///
/// If the task does, or if the system starts no thread.
pub fn with_stack<T: Send>(task: impl FnOnce() -> T + Send) -> T {
    let thread = thread::Builder::new().stack_size(STACK);
    thread::scope(|scope| {
        let thread = thread.spawn_scoped(scope, task);
        let thread = thread.expect("the system starts a thread");
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// The most shingles that are joined at a time, as 32 bits number them.
const MAX_JOINED: u64 = u32::MAX as u64 / 2;

/// The most shingles that a block has room for: 4 MiB. A larger set has a block of its own.
pub(crate) const LARGEST_BLOCK: usize = 1 << 19;

/// How much memory shingle sets and their join may use, and where larger sets are written.
#[derive(Debug, Clone)]
pub struct Budget {
    /// How many bytes; `None` if there is no limit.
    pub limit: Option<u64>,
    /// The folder for temporary files; `None` for that of the system.
    pub temp_dir: Option<PathBuf>,
}

impl Budget {
    /// Returns how many shingles each of the writers may hold back, if there is one for each thread.
    pub(crate) fn block(&self, threads: usize) -> usize {
        let share = self
            .limit
            .map_or(u64::MAX, |limit| limit / (64 * threads as u64));
        usize::try_from(share).map_or(LARGEST_BLOCK, |share| share.clamp(1 << 12, LARGEST_BLOCK))
    }

    /// Returns how many bytes of shingles may stay in memory. Their join needs about as much again.
    pub(crate) fn in_memory(&self) -> u64 {
        let share = self.limit.map_or(u64::MAX, |limit| limit / 5 * 2);
        share.min(MAX_JOINED * size_of::<u64>() as u64)
    }

    /// Returns how many shingles a tile may have. Two tiles are joined at a time, which needs about 18 bytes for each
    /// shingle.
    pub(crate) fn tile(&self) -> u64 {
        self.limit
            .map_or(u64::MAX, |limit| limit / 36)
            .min(MAX_JOINED / 2)
    }

    /// Returns how many elements may be sorted at a time. Each needs 16 bytes, and as much again while they are
    /// collected. There are never fewer than 1,024, as all sets are read once for each part.
    pub fn entries(&self) -> u64 {
        self.tile().max(1024)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_threads_than_help_are_refused() {
        let refused = in_pool(MAX_THREADS + 1, || Ok(())).unwrap_err();
        let expected = "cannot start the worker threads: at most 256 can be started, not 257";
        assert_eq!(refused.to_string(), expected);
    }
}
