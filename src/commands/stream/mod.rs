//! `dupfind stream`: which records of an endless stream were seen before.

pub(crate) mod args;
mod judge;
mod keeper;
mod print;

use std::io::{self, IsTerminal};

use anyhow::{Result, bail};
use dupfind_scan::stream::seen::parts::PartOptions;
use dupfind_scan::stream::seen::settings::SeenOptions;
use dupfind_scan::stream::seen::state::State;
use dupfind_scan::stream::{Stream, StreamOptions};

use crate::commands::stream::args::StreamArgs;
use crate::commands::stream::judge::Judge;
use crate::commands::stream::keeper::Keeper;
use crate::process::exit::Status;
use crate::process::{interrupt, memory};

/// Runs the command.
pub(crate) fn run(args: &StreamArgs) -> Result<Status> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        bail!(
            "it reads JSON Lines from standard input, and that is the terminal; pipe them in, as in \
             'zcat pages.jsonl.gz | dupfind stream'"
        );
    }
    let options = options(args)?;
    let settings = SeenOptions::new(options.cutting, args.sizes());
    let (kept, keeper) = match &args.state {
        None => (None, None),
        Some(path) => {
            let (kept, keeper) = Keeper::open(path, args.save_every, &settings)?;
            (kept, Some(keeper))
        }
    };
    let state = match kept {
        Some(state) => state,
        None => State::new(settings, memory::total())?,
    };
    let stream = Stream::open(stdin, options)?;
    interrupt::on_first(stream.stop());
    Judge::new(args, state, keeper)?.run(&stream)
}

/// The field with the id of a record, unless the user names another.
const USUAL_ID: &str = "id";

fn options(args: &StreamArgs) -> Result<StreamOptions> {
    if let Some(refused) = args.refused_encoding() {
        bail!(refused);
    }
    let cut = args.text.added_to(dupfind_engine::Options {
        shingle_size: dupfind_scan::stream::memory::TextMemory::SHINGLE_SIZE,
        ..Default::default()
    });
    let mut read = args.content.options();
    if args.verdicts {
        // Verdicts are printed without their records, so they need the ids.
        read.fields.id.get_or_insert_with(|| USUAL_ID.into());
    }
    Ok(StreamOptions {
        read,
        cutting: PartOptions {
            unit: cut.shingle_unit,
            size: cut.shingle_size,
        },
        threads: usize::from(args.threads),
    })
}
