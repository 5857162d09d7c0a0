//! The arguments of `dupfind sql`.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::cli::args::config::ConfigArgs;
use crate::cli::args::headings::{DETECTION, INPUT, OUTPUT, RUNNING};
use crate::cli::args::output::OutputArgs;
use crate::cli::args::text::CutArgs;
use crate::engine::Options;
use crate::join::threshold::Threshold;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Table:   dupfind features pages --detectors shingle --format jsonl -o pages.jsonl
  DuckDB:  dupfind sql --dialect duckdb --table \"read_json('pages.jsonl', \\
             columns = {id: 'VARCHAR', shingles: 'BIGINT[]'})\" | duckdb
  Spark:   dupfind sql --dialect spark --table warehouse.shingles --min-jaccard 0.8 -o pairs.sql
  Cost:    dupfind sql --dialect spark --frequencies frequencies -o pairs.sql

The table has a row for each document: its id, and its distinct shingles as an array of BIGINT. No two documents have one
id. The statement gives the columns a, b, shared_shingles, all_shingles and jaccard.

Exit status: 0 it ran, 2 an error";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct SqlArgs {
    /// The database that is to understand the statement
    #[arg(long, value_enum, value_name = "NAME", help_heading = OUTPUT)]
    pub(crate) dialect: DialectName,

    /// The table of documents, or what else may stand behind FROM
    #[arg(long, value_name = "TABLE", default_value = "documents", help_heading = INPUT)]
    pub(crate) table: String,

    /// The column with the id of a document
    #[arg(long, value_name = "NAME", default_value = "id", help_heading = INPUT)]
    pub(crate) id_column: String,

    /// The column with the shingles of a document
    #[arg(long, value_name = "NAME", default_value = "shingles", help_heading = INPUT)]
    pub(crate) shingles_column: String,

    /// Say how many rows the statement joins, from the file that 'dupfind freeze' has written
    ///
    /// It must have been made of the same documents. A warning says when 'dupfind join' is expected to be cheaper.
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub(crate) frequencies: Option<PathBuf>,

    /// Report pairs with at least this Jaccard similarity of shingles
    #[arg(long, value_name = "T", default_value_t = Options::MIN_JACCARD, help_heading = DETECTION)]
    pub(crate) min_jaccard: Threshold,

    #[command(flatten)]
    pub(crate) cut: CutArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// No warnings; errors are still printed
    #[arg(short, long, help_heading = RUNNING)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// The databases that a statement is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DialectName {
    /// Apache Spark, from version 3.5
    Spark,
    /// DuckDB, from version 1.1
    Duckdb,
}
