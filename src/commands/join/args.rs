//! The arguments of `dupfind join`.

use std::path::PathBuf;

use crate::args::headings::{INPUT, OUTPUT, RUNNING};
use crate::args::pairs::comparing::EngineArgs;
use crate::args::run::RunningArgs;
use dupfind_jobs::cover::{MAX_TILES, Task};

pub(crate) const EXAMPLES: &str = "\
Examples:
  List tasks:  dupfind join --frequencies frequencies --tiles 8 --dry-run > tasks.tsv
  One task:    dupfind join part-*.feat --frequencies frequencies --tiles 8 --tile 1,2 -o pairs-1-2
  All tasks:   cut -f1 tasks.tsv | parallel dupfind join part-*.feat --frequencies frequencies --tiles 8 \\
                 --tile {} -o pairs-{}

The list has a line for each task: its two tiles, how many different shingle sets they have, how many shingles these
have, and the memory in MB that the task is expected to take. They are separated by tabs.

Exit status: 0 it ran, 2 an error; then no file is written";

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(mut_arg("cluster_on", |arg| arg.hide(true)))]
pub(crate) struct JoinArgs {
    /// All files of features of the job; none for --dry-run
    ///
    /// Only the documents of the two tiles are read.
    #[arg(value_name = "FEATURES")]
    pub(crate) paths: Vec<PathBuf>,

    /// The file that 'dupfind freeze' has written
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub(crate) frequencies: PathBuf,

    /// How many tiles the documents are cut into
    ///
    /// K tiles make up to K(K+1)/2 tasks. A task holds two tiles in memory. All tasks of a job have the same number.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_TILES)), help_heading = RUNNING)]
    pub(crate) tiles: u32,

    /// The task: two tiles, or one with itself, as in 1,2 or 3,3
    ///
    /// Tiles are numbered from 1, and the first number is not larger than the second one.
    #[arg(long, value_name = "I,J", value_parser = task, conflicts_with = "dry_run", help_heading = RUNNING)]
    pub(crate) tile: Option<Task>,

    /// List the tasks and how large each is, and compare nothing
    #[arg(long, help_heading = RUNNING)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,

    /// Write the pairs of the task to FILE
    ///
    /// The file is replaced when it is complete, and untouched if the run fails. With --dry-run it gets the list.
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

fn task(text: &str) -> Result<Task, String> {
    let numbers = text.split_once(',');
    let numbers = numbers.and_then(|(one, other)| Some((one.parse().ok()?, other.parse().ok()?)));
    let (earlier, later) = numbers.ok_or("expected two numbers such as 1,2")?;
    Ok(Task { earlier, later })
}
