//! `dupfind sql`: the exact join of shingle sets as a statement for a database.

pub(crate) mod args;
mod statement;

use std::path::Path;

use anyhow::Result;

use crate::cli::freeze::refuse_inputs;
use crate::cli::process::exit::Status;
use crate::cli::sql::args::SqlArgs;
use crate::cli::sql::statement::{Table, statement};
use crate::cli::terminal::messages;
use crate::cli::terminal::output::Output;
use crate::engine::Options;
use crate::report::style::numbers::grouped;
use crate::tiles::frozen::Frozen;
use crate::tiles::joined_rows::SqlCost;

/// From how many seconds of one core it is said that tiles are cheaper: an hour.
const LONG: f64 = 3_600.0;

/// Runs the command.
pub(crate) fn run(args: &SqlArgs) -> Result<Status> {
    let table = Table {
        name: &args.table,
        id: &args.id_column,
        shingles: &args.shingles_column,
    };
    let target = args.output.output.as_deref();
    let cost = match &args.frequencies {
        Some(frequencies) => {
            if let Some(target) = target {
                refuse_inputs(target, std::slice::from_ref(frequencies))?;
            }
            Some(cost(args, frequencies)?)
        }
        None => None,
    };
    let output = Output::open(target)?;
    let text = statement(args.dialect, &table, args.min_jaccard);
    output.write(|out| Ok(out.write_all(text.as_bytes())?))?;
    if let Some(cost) = cost.filter(|_| !args.quiet) {
        tell(&cost);
    }
    Ok(Status::Ok)
}

/// Returns what the statement is expected to cost.
fn cost(args: &SqlArgs, frequencies: &Path) -> Result<SqlCost> {
    let options = Options {
        han: args.cut.han(),
        shingle_size: args.cut.shingle_size(),
        shingle_unit: args.cut.shingle_unit(),
        min_jaccard: args.min_jaccard,
        ..Options::default()
    };
    let frozen = Frozen::open_for_sets(frequencies, &options)?;
    Ok(SqlCost::new(&frozen, &options)?)
}

fn tell(cost: &SqlCost) {
    let (sql, tiles) = (cost.time.as_secs_f64(), cost.tiles.as_secs_f64());
    let rows = grouped(cost.rows);
    messages::note(&format!(
        "about {rows} joined rows, and about {sql:.0} s of one core in DuckDB; 'dupfind join' takes about {tiles:.0} s"
    ));
    if sql > LONG && sql > tiles {
        messages::warning(
            "'dupfind features', 'freeze', 'join' and 'merge' find the same pairs in less time; a higher --min-jaccard \
             joins fewer rows",
        );
    }
}
